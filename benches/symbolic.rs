//! Symbolic execution: the time until all paths are known, the start of the solver included, concrete instructions a second, and
//! the memory of many states.
//!
//! Times are wall-clock, for most of the work is the solver's; each figure is the best of several runs. Where no goal is named
//! the line stands beside the one above it.

use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};

use dodona_generation::paths::{PathInputs, PathOptions, along_paths};
use dodona_generation::{GenerateOptions, SearchOptions, Technique, generate};
use dodona_smt::solver::{
    Layered, QueryLimits, SearchLimits, Searching, SmtSolver, SolverChoice, Surroundings,
};
use dodona_smt::term::Assignment;
use dodona_subject::{Manifest, Module};
use dodona_symbolic::Code;
use dodona_symbolic::explore::{Bounds, Explorer, Order, Start};
use dodona_target::Interruption;
use dodona_wasm::Workbench;

const RUNS: u32 = 5;

/// Said to the process that measures memory.
const MEMORY: &str = "--memory-of-states";

/// Waiting states whose memory is measured.
const STATES: usize = 10_000;

struct Case {
    what: &'static str,
    subject: &'static str,
    /// Seconds.
    goal: Option<f64>,
}

const CASES: [Case; 6] = [
    Case { what: "triangle", subject: "../subjects/triangle", goal: Some(0.1) },
    Case { what: "  the same, not optimised", subject: "subjects/triangle-unoptimised", goal: Some(0.1) },
    Case { what: "sort of 4 bytes", subject: "subjects/sort4", goal: Some(0.1) },
    Case { what: "double arithmetic on an integer", subject: "subjects/int-to-double", goal: Some(0.5) },
    Case { what: "tcas", subject: "../subjects/tcas", goal: Some(2.0) },
    Case { what: "  the same, not optimised", subject: "subjects/tcas-unoptimised", goal: Some(2.0) },
];

/// A loop of loads, stores and arithmetic.
const SPIN: &str = r#"(module (memory 1) (func (export "spin") (param $n i32) (result i32) (local $s i32)
    (loop $again
        (i32.store (i32.and (local.get $n) (i32.const 1020)) (i32.add (local.get $s) (local.get $n)))
        (local.set $s (i32.xor (local.get $s) (i32.load (i32.and (local.get $s) (i32.const 1020)))))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br_if $again (local.get $n)))
    (local.get $s)))"#;

/// A decision for each of 29 bits.
const EXPLOSION: &str = r#"(module (func (export "bits") (param $n i32) (result i32) (local $i i32) (local $s i32)
    (loop $again
        (if (i32.and (i32.shr_u (local.get $n) (local.get $i)) (i32.const 1))
            (then (local.set $s (i32.add (local.get $s) (i32.const 3))))
            (else (local.set $s (i32.xor (local.get $s) (i32.const 5)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $again (i32.lt_u (local.get $i) (i32.const 29))))
    (local.get $s)))"#;

fn open(subject: &str) -> Workbench {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(subject);
    let manifest = Manifest::find(&folder).expect("the benchmark's manifest is valid");
    dodona_wasm::open(manifest).expect("the benchmark's subject builds")
}

/// A function of one module in the text format.
fn written(wat: &str, signature: &str) -> (Module, Manifest) {
    let text = format!("module = \"m.wat\"\n[[function]]\nsignature = \"{signature}\"\n");
    let manifest = Manifest::parse(Path::new("m.toml"), &text).expect("a valid manifest");
    (Module::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module"), manifest)
}

fn solver() -> Layered<Searching<SmtSolver>> {
    let choice = SolverChoice::find(None, &Surroundings::of_process()).expect("a solver is installed");
    let process = SmtSolver::start(choice, QueryLimits::default());
    Layered::new(Searching::new(process, SearchLimits::default()))
}

/// Inputs along the paths of a subject's function, with a solver of their own.
fn paths(module: &Module, manifest: &Manifest, options: &PathOptions) -> PathInputs {
    let mut solver = solver();
    along_paths(module, &manifest.functions[0], options, &mut solver, &mut || true).expect("paths are found")
}

/// What a run gives, and the least time that it takes.
fn best<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut timed = || {
        let start = Instant::now();
        (run(), start.elapsed())
    };
    let first = timed();
    (1..RUNS).map(|_| timed()).fold(first, |best, next| if next.1 < best.1 { next } else { best })
}

fn print_paths() {
    println!(
        "seconds until all paths have an input, the start of the solver included; and with the inputs run"
    );
    for case in &CASES {
        let workbench = open(case.subject);
        let options = PathOptions::default();
        let (found, time) = best(|| paths(&workbench.target.module, &workbench.target.manifest, &options));
        assert!(found.exploration.is_complete(), "all paths are followed: {:?}", found.exploration);
        let (_, whole) = best(|| {
            let options = GenerateOptions { technique: Technique::Path, ..GenerateOptions::default() };
            let generated = generate(&workbench, 0, &options, &Interruption::default()).expect("it runs");
            assert!(generated.record.mismatches.is_empty(), "{:?}", generated.record.mismatches);
        });
        let what = format!("{}: {} paths", case.what, found.inputs.len());
        let (time, whole) = (time.as_secs_f64(), whole.as_secs_f64());
        let goal =
            case.goal.map_or_else(String::new, |goal| format!("  (goal {goal}: {:.2} times)", time / goal));
        println!("  {what:<52} {time:>8.3} {whole:>8.3}{goal}");
    }
}

/// A loop without bound: the budget is questions.
fn print_gcd() {
    let workbench = open("../subjects/gcd");
    let bounds = Bounds { queries: 60, ..Bounds::default() };
    let options = GenerateOptions {
        search: SearchOptions { bounds, time: None, ..SearchOptions::default() },
        ..GenerateOptions::default()
    };
    let start = Instant::now();
    let generated = generate(&workbench, 0, &options, &Interruption::default()).expect("it runs");
    let (record, time) = (&generated.record, start.elapsed().as_secs_f64());
    let branches = record.branches;
    println!("a loop without bound, with a budget of 60 questions");
    println!(
        "  {:<52} {time:>8.3} {:>4} inputs, {} of {} branch directions",
        "gcd, the binary method", record.inputs, branches.covered, branches.total
    );
}

fn print_steps() {
    const TURNS: u32 = 200_000;
    const GOAL: f64 = 200_000.0;
    let (module, manifest) = written(SPIN, "spin(n: i32) -> i32");
    let code = Rc::new(Code::new(&module));
    let (steps, time) = best(|| {
        let mut solver = solver();
        let mut bounds = Bounds::default();
        bounds.step.steps = u64::MAX;
        let mut explorer = Explorer::new(&code, &mut solver, bounds);
        let n = dodona_smt::term::Term::bits(32, TURNS.into());
        let symbols = vec![dodona_symbolic::Symbol::Scalar(n)];
        let start = Start { symbols, assumptions: Vec::new(), model: Assignment::default() };
        let explored = explorer.explore(&manifest.functions[0], vec![start], &mut || true, &mut |_, _| true);
        let explored = explored.expect("it can be called");
        assert!(explored.is_complete() && explored.queries == 0, "{explored:?}");
        explored.steps
    });
    let speed = steps as f64 / time.as_secs_f64();
    println!("concrete instructions a second");
    println!(
        "  {:<52} {speed:>12.0}  (goal {GOAL}: {:.2} times)",
        "loads, stores, arithmetic, a loop",
        speed / GOAL
    );
}

/// Explores until so many states wait, and prints the most memory that the process had.
fn explode() {
    let (module, manifest) = written(EXPLOSION, "bits(n: i32) -> i32");
    let bounds = Bounds { live: STATES, queries: 3 * STATES as u64, ..Bounds::default() };
    let options = PathOptions { bounds, order: Order::BreadthFirst, ..PathOptions::default() };
    let start = Instant::now();
    let found = paths(&module, &manifest, &options);
    let time = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim();
    let what = format!("{} states, breadth first", found.exploration.most_live);
    println!(
        "  {what:<52} {peak:>12}  (goal: under 1 GB; {time:.1} s, {} questions)",
        found.exploration.queries
    );
}

fn main() {
    if std::env::args().any(|argument| argument == MEMORY) {
        return explode();
    }
    print_paths();
    print_gcd();
    print_steps();
    println!("the most memory of the process");
    let own = std::env::current_exe().expect("the benchmark has a path");
    let status = Command::new(own).arg(MEMORY).status().expect("it runs");
    assert!(status.success());
}
