//! Adaptive random testing: its distance by hand, and its choice against the definition's plain loop.

use std::num::NonZeroUsize;
use std::path::Path;

use dodona_sources::adaptive::{AdaptiveError, AdaptiveOptions, Distance, adaptive};
use dodona_sources::{CHUNK_ROWS, Sampler, Seed};
use dodona_subject::Manifest;
use dodona_target::{Column, Parameter, Ragged, SequenceColumn, Value};
use proptest::prelude::*;

/// The parameters of a function, with keys of its section.
fn parameters(signature: &str, keys: &str) -> Vec<Parameter> {
    let text = format!("module = \"f.wasm\"\n[[function]]\nsignature = \"f({signature}) -> i32\"\n{keys}\n");
    let manifest = Manifest::parse(Path::new("dodona.toml"), &text).unwrap_or_else(|e| panic!("{e:?}"));
    manifest.functions[0].parameters.clone()
}

fn all(columns: &[Column]) -> Vec<bool> {
    vec![true; columns[0].len()]
}

fn options(candidates: usize, memory: usize) -> AdaptiveOptions {
    let positive = |n| NonZeroUsize::new(n).expect("positive");
    AdaptiveOptions { candidates: positive(candidates), memory: positive(memory) }
}

/// The distance of the two rows of these columns.
fn distance(parameters: &[Parameter], columns: &[Column]) -> f64 {
    let distance = Distance::of(parameters);
    let points = distance.points(columns);
    assert_eq!(distance.between(&points, 0, &points, 1), distance.between(&points, 1, &points, 0));
    assert_eq!(distance.between(&points, 0, &points, 0), 0.0);
    distance.between(&points, 0, &points, 1)
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

#[test]
fn parameters_add_up_as_in_a_right_angled_triangle() {
    let keys = "sample.a = { range = [0, 10], distribution = \"uniform\" }\n\
                sample.b = { range = [-100.0, 100.0], distribution = \"uniform\" }";
    let parameters = parameters("a: i32, b: f64, c: bool", keys);
    let columns = |c| [Column::Int(vec![1, 4]), Column::Float(vec![-80.0, 0.0]), Column::Bool(vec![true, c])];
    near(distance(&parameters, &columns(true)), 0.5);
    near(distance(&parameters, &columns(false)), 1.25f64.sqrt());
}

#[test]
fn listed_values_are_categories() {
    let keys = "domain.day = { values = [1, 2, 7] }\ndomain.word = { values = [\"car\", \"cart\"] }";
    let parameters = parameters("day: i32, word: text", keys);
    let words = |b: &str| {
        let mut words = Ragged::new();
        words.push(b"car");
        words.push(b.as_bytes());
        Column::Text(words)
    };
    near(distance(&parameters, &[Column::Int(vec![1, 2]), words("car")]), 1.0);
    near(distance(&parameters, &[Column::Int(vec![1, 7]), words("car")]), 1.0);
    near(distance(&parameters, &[Column::Int(vec![1, 1]), words("cart")]), 1.0);
}

#[test]
fn sequences_are_compared_by_position_and_text_by_edits() {
    let keys = "domain.xs = { range = [0, 10] }\nsample.xs = { distribution = \"uniform\" }";
    let parameters = parameters("xs: [i32], t: text", keys);
    let columns = |xs: [&[i128]; 2], ts: [&str; 2]| {
        let (mut sequences, mut texts) = (Ragged::new(), Ragged::new());
        xs.iter().for_each(|row| sequences.push(row));
        ts.iter().for_each(|row| texts.push(row.as_bytes()));
        [Column::Sequence(SequenceColumn::Int(sequences)), Column::Text(texts)]
    };
    near(distance(&parameters, &columns([&[0, 10], &[0]], ["", ""])), 0.5);
    near(distance(&parameters, &columns([&[2, 4, 6], &[2, 9, 6]], ["x", "x"])), 0.5 / 3.0);
    near(distance(&parameters, &columns([&[], &[]], ["kitten", "sitting"])), 3.0 / 7.0);
    near(distance(&parameters, &columns([&[], &[3]], ["", "a"])), 2f64.sqrt());
}

#[test]
fn infinities_and_nan_have_a_place() {
    let parameters = parameters("x: f64", "");
    let pair = |a: f64, b: f64| distance(&parameters, &[Column::Float(vec![a, b])]);
    near(pair(f64::NAN, f64::NAN), 0.0);
    near(pair(f64::NAN, 3.0), 1.0);
    near(pair(f64::INFINITY, f64::INFINITY), 0.0);
    assert!(pair(f64::NEG_INFINITY, f64::INFINITY) > pair(-1.0, 1.0));
    near(pair(0.0, -0.0), 0.0);
}

/// The definition, without anything to save time.
fn plain(parameters: &[Parameter], count: usize, seed: Seed, options: AdaptiveOptions) -> Vec<Vec<Value>> {
    let sampler = |p: &Parameter| Sampler::new(p.ty, &p.domain, &p.sampling).expect("not empty");
    let draw = |p: &Parameter| sampler(p).column(&mut seed.stream(&format!("f/{}", p.name), 0), CHUNK_ROWS);
    let columns: Vec<Column> = parameters.iter().map(draw).collect();
    let distance = Distance::of(parameters);
    let points = distance.points(&columns);
    let mut chosen = vec![0];
    for round in 1..count {
        let first = 1 + (round - 1) * options.candidates.get();
        let newest = &chosen[chosen.len().saturating_sub(options.memory.get())..];
        let nearest = |&row: &usize| {
            newest
                .iter()
                .map(|&old| distance.between(&points, row, &points, old))
                .fold(f64::INFINITY, f64::min)
        };
        let candidates = first..first + options.candidates.get();
        let farthest = candidates.clone().map(|row| nearest(&row)).fold(0.0, f64::max);
        chosen.push(candidates.clone().find(|row| nearest(row) == farthest).expect("one is the farthest"));
    }
    chosen.iter().map(|&row| columns.iter().map(|c| c.value(row)).collect()).collect()
}

fn rows(columns: &[Column]) -> Vec<Vec<Value>> {
    (0..columns[0].len()).map(|row| columns.iter().map(|c| c.value(row)).collect()).collect()
}

/// Compared by what is printed: NaN is no value that equals itself.
fn printed(rows: &[Vec<Value>]) -> String {
    format!("{rows:?}")
}

const FUNCTIONS: &[(&str, &str)] = &[
    ("x: i32", ""),
    ("x: f64, y: f32", ""),
    ("a: bool, b: u8", "domain.b = { range = [3, 200], except = [7] }"),
    ("day: i32, hours: f64", "domain.day = { values = [0, 1, 6] }\ndomain.hours = { range = [0.0, 24.0] }"),
    ("xs: [f64], n: i64", "domain.xs = { length = [1, 5] }"),
    ("t: text, n: i32", "domain.t = { length = [0, 12], alphabet = \"ab01\" }"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_choice_is_that_of_the_definition(
        function in 0..FUNCTIONS.len(), seed: u64, count in 1usize..40, k in 1usize..12, memory in 1usize..50
    ) {
        let (signature, keys) = FUNCTIONS[function];
        let (parameters, seed, options) = (parameters(signature, keys), Seed(seed), options(k, memory));
        let chosen = rows(&adaptive(&parameters, count, seed, "f", options, all).expect("it draws"));
        prop_assert_eq!(printed(&chosen), printed(&plain(&parameters, count, seed, options)));
    }

    #[test]
    fn just_as_many_rows_in_the_domain_and_the_same_for_the_same_seed(
        function in 0..FUNCTIONS.len(), seed: u64, count in 0usize..30, more in 0usize..10
    ) {
        let (signature, keys) = FUNCTIONS[function];
        let parameters = parameters(signature, keys);
        let choose = |count| {
            rows(&adaptive(&parameters, count, Seed(seed), "f", AdaptiveOptions::default(), all).expect("it draws"))
        };
        let chosen = choose(count);
        prop_assert_eq!(chosen.len(), count);
        for row in &chosen {
            prop_assert!(row.iter().zip(&parameters).all(|(v, p)| p.domain.contains(p.ty, v)), "{row:?}");
        }
        prop_assert_eq!(printed(&choose(count + more)[..count]), printed(&chosen));
    }
}

#[test]
fn the_precondition_holds_for_every_row() {
    let parameters = parameters("a: i32, b: i32", "");
    let is_less = |columns: &[Column]| -> Vec<bool> {
        let [Column::Int(a), Column::Int(b)] = columns else { panic!("two columns of integers") };
        a.iter().zip(b).map(|(a, b)| a < b && b % 1000 == 0).collect()
    };
    let columns =
        adaptive(&parameters, 50, Seed(4), "f", AdaptiveOptions::default(), is_less).expect("it draws");
    assert_eq!(is_less(&columns), [true; 50]);
}

#[test]
fn a_precondition_that_never_holds_is_an_error() {
    let none = |columns: &[Column]| vec![false; columns[0].len()];
    let error = adaptive(&parameters("a: i32", ""), 3, Seed(4), "f", AdaptiveOptions::default(), none);
    let error = error.expect_err("nothing is eligible");
    assert!(matches!(error, AdaptiveError::Precondition { eligible: 0, .. }), "{error}");
    assert!(error.to_string().starts_with("the precondition held for 0 of "), "{error}");
}

#[test]
fn an_empty_domain_names_its_parameter() {
    let mut parameters = parameters("a: i32, b: i32", "");
    parameters[1].domain.numbers.except = vec![];
    parameters[1].domain.numbers.ranges = vec![dodona_target::NumberRange {
        low: dodona_target::Number::Int(1 << 40),
        high: dodona_target::Number::Int(1 << 41),
    }];
    let error = adaptive(&parameters, 3, Seed(4), "f", AdaptiveOptions::default(), all).expect_err("empty");
    assert!(error.to_string().starts_with("b: domain contains nothing"), "{error}");
}

#[test]
fn a_function_without_parameters_has_no_columns() {
    let none = adaptive(&[], 5, Seed(1), "f", AdaptiveOptions::default(), all);
    assert_eq!(none, Ok(vec![]));
}

/// The greatest distance from a point of a fine grid to the nearest input: the dispersion.
fn dispersion(parameters: &[Parameter], columns: &[Column]) -> f64 {
    let distance = Distance::of(parameters);
    let steps = 20;
    let grid = (0..=steps).flat_map(|i| (0..=steps).map(move |j| (f64::from(i), f64::from(j))));
    let (x, y): (Vec<f64>, Vec<f64>) =
        grid.map(|(i, j)| (i / f64::from(steps), j / f64::from(steps))).unzip();
    let (grid, points) = (distance.points(&[Column::Float(x), Column::Float(y)]), distance.points(columns));
    let nearest = |at| {
        (0..points.len()).map(|row| distance.between(&grid, at, &points, row)).fold(f64::INFINITY, f64::min)
    };
    (0..grid.len()).map(nearest).fold(0.0, f64::max)
}

#[test]
fn inputs_are_spread_better_than_random_ones_on_average() {
    let keys = "domain.x = { range = [0.0, 1.0] }\ndomain.y = { range = [0.0, 1.0] }\n\
                sample.x = { distribution = \"uniform\", favour-rate = 0.0 }\n\
                sample.y = { distribution = \"uniform\", favour-rate = 0.0 }";
    let parameters = parameters("x: f64, y: f64", keys);
    let mean = |candidates| {
        let one = |seed| {
            let columns =
                adaptive(&parameters, 30, Seed(seed), "f", options(candidates, 1000), all).expect("it draws");
            dispersion(&parameters, &columns)
        };
        (0..40).map(one).sum::<f64>() / 40.0
    };
    // With one candidate it is random testing.
    let (random, spread) = (mean(1), mean(10));
    assert!(spread < 0.8 * random, "{spread} against {random}");
}
