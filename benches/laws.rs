//! Polynomial laws of sine and cosine, and how the time grows with the number of functions and with the degree, on one core. The executions are recorded
//! before: what is measured is the columns, the laws of few terms, what follows from what, and the rank. Processor time, the best of several runs.
//!
//! `cargo bench --package dodona-benches --bench laws` runs it with the others; `cargo run --release --package dodona-laws --example laws` runs the
//! same file without building the engine.

use cpu_time::ThreadTime;
use dodona_laws::{Atom, Floats, LawFunction, Limits, Listing, Numbers, Recorded, Table, Vocabulary};

const RUNS: u32 = 5;
const ROWS: usize = 2_000;

type Function = (&'static str, fn(f64) -> f64);

const FUNCTIONS: [Function; 6] = [
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("exp", f64::exp),
];

fn main() {
    println!("functions  degree  calls  products  independent  explained  listed  milliseconds");
    for (functions, degree) in [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (4, 2), (5, 2), (6, 2)] {
        measure(&FUNCTIONS[..functions], degree);
    }
}

fn measure(functions: &[Function], degree: usize) {
    let declared = functions
        .iter()
        .map(|(name, _)| LawFunction { name: (*name).to_owned(), parameters: vec!["x".to_owned()] });
    let vocabulary = Vocabulary::new(declared.collect(), Numbers::Floats { single: false });
    let recorded = record(&vocabulary, functions);
    let limits = Limits { degree, ..Limits::default() };
    let mut best = f64::INFINITY;
    let mut found = (0, 0, 0, 0, 0);
    for _ in 0..RUNS {
        let start = ThreadTime::now();
        let table = Table::new(Floats::DOUBLE, &vocabulary, vocabulary.calls(), &recorded, limits);
        let empty = Listing::new(&table, vocabulary.variables.len());
        let mut listing = empty.clone();
        let mut chosen = Vec::new();
        for law in table.candidates() {
            if !listing.follows_and_is_noted(law) {
                listing.add(law);
                chosen.push(law);
            }
        }
        let listed = empty.without_special_cases(&chosen).len();
        let explained = listing.explained(&table);
        best = best.min(start.elapsed().as_secs_f64());
        found = (table.calls().len(), table.len(), explained.independent, explained.explained, listed);
    }
    let (calls, products, independent, explained, listed) = found;
    println!(
        "{:9}  {degree:6}  {calls:5}  {products:8}  {independent:11}  {explained:9}  {listed:6}  {:12.1}",
        functions.len(),
        best * 1e3
    );
}

/// The calls on random values of the variables.
fn record(vocabulary: &Vocabulary, functions: &[Function]) -> Recorded<f64> {
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 8.0 - 4.0
    };
    let variables: Vec<Vec<f64>> =
        vocabulary.variables.iter().map(|_| (0..ROWS).map(|_| draw()).collect()).collect();
    let mut calls: Vec<Vec<Option<f64>>> = Vec::new();
    for (_, call) in vocabulary.calls().iter() {
        let output = |row: usize| {
            let atom = |atom: Atom| match atom {
                Atom::Constant(c) => Some(vocabulary.constants[usize::from(c)].value),
                Atom::Variable(v) => Some(variables[usize::from(v)][row]),
                Atom::Absolute(v) => Some(variables[usize::from(v)][row].abs()),
                Atom::Parity(_) => None,
                Atom::Call(id) => calls[id.index()][row],
            };
            let argument = call.arguments[0].float(atom)?;
            Some(functions[call.function].1(argument)).filter(|output| output.is_finite())
        };
        let column = (0..ROWS).map(output).collect();
        calls.push(column);
    }
    Recorded { variables, calls }
}
