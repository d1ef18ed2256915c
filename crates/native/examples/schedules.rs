//! How many calls each schedule makes until the first violation of functions with planted faults. The constants of schedules were chosen by what this prints:
//! `cargo run --release -p dodona-native --example schedules [SEEDS [FIRST]]`
//!
//! These faults are for that alone. Whether one schedule is better than another is a question for other subjects (`experiments/schedules`).

use std::ops::Range;
use std::sync::Arc;

use dodona_native::{Metamorphic, function};
use dodona_workbench::{
    CheckOptions, Regressions, Schedule, ScheduleOptions, Seed, Until, Workbench, check_scheduled,
};

/// Calls for each check.
const BUDGET: u64 = 300;

fn half_large(x: i32) -> i32 {
    if x > 1_000_000_000 { x / 2 + 1 } else { x / 2 }
}

fn half_small(x: i32) -> i32 {
    if (1..1000).contains(&x) && x % 7 == 0 { x / 2 + 1 } else { x / 2 }
}

fn magnitude(x: i32) -> i64 {
    if x < -2_000_000_000 { i64::from(x) } else { i64::from(x).abs() }
}

fn greatest(a: i32, b: i32) -> i32 {
    if a < 0 && b > 100_000 { a } else { a.max(b) }
}

fn middle(a: i32, b: i32, c: i32) -> i32 {
    if a < b && b < c && c < 0 { a } else { a.max(b).min(a.min(b).max(c)) }
}

fn total(xs: &[i32]) -> i64 {
    xs.iter().skip(usize::from(xs.len() > 24)).map(|x| i64::from(*x)).sum()
}

fn first_of(xs: &[i32]) -> i32 {
    if xs.len() == 2 { xs[1] } else { xs.iter().copied().min().unwrap_or(0) }
}

fn capitals(text: &str) -> String {
    if text.chars().count() > 4 && !text.is_ascii() { text.to_owned() } else { text.to_uppercase() }
}

fn root(x: f64) -> f64 {
    if x > 9e5 { x.sqrt() * (1.0 + 1e-6) } else { x.sqrt() }
}

fn decade(x: i32) -> i32 {
    assert!(!(500..5_000).contains(&x), "not here");
    x / 10
}

/// The functions with their relations: few of each see the fault.
fn tests() -> Vec<(&'static str, Metamorphic)> {
    vec![
        (
            "half_large",
            halves(function!(half_large(x: i32 in -2_000_000_000..=2_000_000_000) -> i32), "half_large"),
        ),
        (
            "half_small",
            halves(function!(half_small(x: i32 in -2_000_000_000..=2_000_000_000) -> i32), "half_small"),
        ),
        (
            "magnitude",
            function!(magnitude(x: i32 in -2_147_483_647..=2_147_483_647) -> i64)
                .holds("magnitude(-x) == magnitude(x)")
                .holds("magnitude(x) >= x")
                .holds("magnitude(0 * x) == 0"),
        ),
        (
            "greatest",
            function!(greatest(a: i32 in -2_000_000..=2_000_000, b: i32 in -2_000_000..=2_000_000) -> i32)
                .holds("greatest(a, b) == greatest(b, a)")
                .holds("greatest(a, a) == a")
                .holds("greatest(a, b) >= a")
                .holds("greatest(a + 1, b + 1) == greatest(a, b) + 1"),
        ),
        (
            "middle",
            function!(middle(a: i32 in -1000..=1000, b: i32 in -1000..=1000, c: i32 in -1000..=1000) -> i32)
                .holds("middle(c, b, a) == middle(a, b, c)")
                .holds("middle(a, a, c) == a")
                .holds("middle(a, b, c) <= max(a, max(b, c))"),
        ),
        (
            "total",
            function!(total(xs: &[i32]) -> i64)
                .holds("total(reverse(xs)) == total(xs)")
                .holds("total(concat(xs, xs)) == 2 * total(xs)")
                .holds("total(sorted(xs)) == total(xs)"),
        ),
        (
            "first_of",
            function!(first_of(xs: &[i32]) -> i32)
                .holds("first_of(reverse(xs)) == first_of(xs)")
                .holds("when len(xs) > 0: first_of(xs) <= xs[0]")
                .holds("first_of(concat(xs, xs)) == first_of(xs)"),
        ),
        (
            "capitals",
            function!(capitals(text: &str) -> String)
                .holds("capitals(capitals(text)) == capitals(text)")
                .holds("capitals(concat(text, text)) == concat(capitals(text), capitals(text))")
                .holds("capitals(concat(text, \"a\")) == concat(capitals(text), \"A\")"),
        ),
        (
            "root",
            function!(root(x: f64 in 0.0..=1e6) -> f64)
                .holds("root(x)^2 ~= x")
                .holds("root(4 * x) ~= 2 * root(x)")
                .holds("root(x) <= root(x + 1)"),
        ),
        (
            "decade",
            function!(decade(x: i32 in -2_000_000_000..=2_000_000_000) -> i32)
                .holds("decade(-x) == -decade(x)")
                .holds("decade(x) <= decade(x + 1)"),
        ),
    ]
}

fn halves(test: Metamorphic, name: &str) -> Metamorphic {
    test.holds(&format!("{name}(-x) == -{name}(x)"))
        .holds(&format!("{name}(x) <= {name}(x + 1)"))
        .holds(&format!("{name}(x + 2) == {name}(x) + 1 or x < 0"))
        .holds(&format!("{name}(0 * x) == 0"))
}

/// The calls until the first violation for each seed, in order; one more than the budget where there was none.
fn calls(workbench: &Arc<Workbench>, schedule: Schedule, seeds: Range<u64>) -> Vec<u64> {
    let one = |seed| {
        let options = CheckOptions {
            seed: Seed(seed),
            regressions: Regressions::Ignore,
            shrink_fuel: 0,
            ..CheckOptions::default()
        };
        let budget = ScheduleOptions { runs: BUDGET, schedule };
        let record = check_scheduled(Arc::clone(workbench), &options, budget, &Until::default(), &mut |_| {})
            .unwrap_or_else(|error| panic!("{error}"));
        record.schedule.and_then(|spent| spent.runs_to_first_violation()).unwrap_or(BUDGET + 1)
    };
    let mut all: Vec<u64> = seeds.map(one).collect();
    all.sort_unstable();
    all
}

fn main() {
    let number = |place| std::env::args().nth(place).and_then(|number| number.parse::<u64>().ok());
    let (seeds, first) = (number(1).unwrap_or(30), number(2).unwrap_or(0));
    println!(
        "calls until the first violation, {seeds} seeds from {first}, budget {BUDGET}: median (mean, not found)"
    );
    let mut sums = [0.0; Schedule::ALL.len()];
    for (name, test) in tests() {
        let workbench = test.workbench().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut line = format!("{name:<11}");
        for (sum, schedule) in sums.iter_mut().zip(Schedule::ALL) {
            let found = calls(&workbench, schedule, first..first + seeds);
            let mean = found.iter().sum::<u64>() as f64 / found.len() as f64;
            let missed = found.iter().filter(|calls| **calls > BUDGET).count();
            *sum += mean;
            let median = found[found.len() / 2];
            line += &format!("  {} {median:>3} ({mean:>5.1}, {missed:>2})", schedule.name());
        }
        println!("{line}");
    }
    let means = Schedule::ALL.iter().zip(sums).map(|(s, sum)| format!("{} {sum:.0}", s.name()));
    println!("sum of means: {}", means.collect::<Vec<_>>().join(", "));
}
