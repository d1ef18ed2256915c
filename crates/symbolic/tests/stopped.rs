//! An exploration that stops in the middle of an instruction leaves nothing behind for what runs next.

use std::path::Path;
use std::rc::Rc;

use dodona_smt::solver::{Answer, Solver};
use dodona_smt::term::{Assignment, Op, Sort, Term, Terms};
use dodona_subject::{Function, Manifest, Module};
use dodona_symbolic::explore::{self, Bounds, Explorer, Start, Stop, Unfinished};
use dodona_symbolic::prove::{MutantComparison, OriginalPaths};
use dodona_symbolic::{Code, Symbol};

/// Tries small values of the one variable, which is below 16.
struct BruteForce;

impl Solver for BruteForce {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let holds = |model: &Assignment| constraints.iter().all(|c| terms.evaluate(*c, model) == 1);
        (0..16).map(|value| all(terms, value)).find(holds).map_or(Answer::Unsatisfiable, Answer::Satisfiable)
    }
}

fn function() -> Function {
    let text = "module = 'm.wasm'\n[[function]]\nsignature = 'f(n: i32) -> i32'\n";
    let manifest = Manifest::parse(Path::new("dodona.toml"), text).unwrap_or_else(|p| panic!("{p:?}"));
    manifest.functions[0].clone()
}

/// A function that reads the byte so far behind the place that it is given: the first eight are 7, and the next eight 9.
fn reads(behind: u32) -> Rc<Code> {
    let wat = format!(
        r#"(module (memory 1) (data (i32.const 0) "\07\07\07\07\07\07\07\07\09\09\09\09\09\09\09\09")
            (func (export "f") (param i32) (result i32)
                (i32.load8_u (i32.add (local.get 0) (i32.const {behind})))))"#
    );
    let module = Module::parse(wat::parse_str(wat).expect("the text is valid")).expect("a module");
    Rc::new(Code::new(&module))
}

/// Calls at four places, from a given one on.
fn four_from(terms: &mut Terms, n: Term, low: u128) -> Start {
    let least = terms.compare(Op::UnsignedLessEqual, Term::bits(32, low), n);
    let most = terms.compare(Op::UnsignedLess, n, Term::bits(32, low + 4));
    Start { symbols: vec![Symbol::Scalar(n)], assumptions: vec![least, most], model: all(terms, low) }
}

/// Values of all variables that are the same.
fn all(terms: &Terms, value: u128) -> Assignment {
    let mut model = Assignment::default();
    terms.variable_numbers().for_each(|variable| model.set(variable, value));
    model
}

/// So few questions that an exploration stops after each of those that it asks, and then so many that it does not stop.
fn questions() -> impl Iterator<Item = Bounds> {
    (0..8).map(|queries| Bounds { queries, ..Bounds::default() })
}

#[test]
fn an_exploration_reads_what_is_at_its_own_addresses_wherever_the_one_before_stopped() {
    let mut stops = Vec::new();
    for bounds in questions() {
        let mut solver = BruteForce;
        let mut explorer = Explorer::new(&reads(0), &mut solver, bounds);
        let n = explorer.terms().variable("n", Sort::Bits(32));
        let low = four_from(explorer.terms(), n, 0);
        let before = explorer.explore(&function(), vec![low], &mut || true, &mut |_, _| true);
        stops.push(before.expect("callable on symbols").stop);
        explorer.swap_bounds(Bounds::default(), Unfinished::Dropped);
        let high = four_from(explorer.terms(), n, 8);
        let mut read = Vec::new();
        let each = &mut |explorer: &mut Explorer<'_>, path: explore::Path| {
            let outputs = path.outputs.expect("a number");
            let [Symbol::Scalar(output)] = outputs[..] else { panic!("{outputs:?}") };
            read.push(explorer.terms().evaluate(output, &path.model));
            true
        };
        explorer.explore(&function(), vec![high], &mut || true, each).expect("callable on symbols");
        assert_eq!(read, [9], "after {} questions", bounds.queries);
    }
    assert!(stops.contains(&Stop::Queries(5)) && stops.contains(&Stop::Exhausted), "{stops:?}");
}

#[test]
fn a_mutant_is_not_proved_equivalent_by_the_addresses_of_the_one_before() {
    for bounds in questions() {
        let mut solver = BruteForce;
        let mut explorer = Explorer::new(&reads(0), &mut solver, Bounds::default());
        let n = explorer.terms().variable("n", Sort::Bits(32));
        let starts = vec![four_from(explorer.terms(), n, 0)];
        let function = function();
        let original = OriginalPaths::explore(&mut explorer, &reads(0), &function, starts, &mut || true)
            .expect("callable on symbols");
        explorer.swap_bounds(bounds, Unfinished::Dropped);
        original.compare(&mut explorer, &reads(4), &function, &mut || true).expect("callable on symbols");
        explorer.swap_bounds(Bounds::default(), Unfinished::Dropped);
        // Where the first eight bytes are read in place of its own, it does the same as the original.
        let compared =
            original.compare(&mut explorer, &reads(8), &function, &mut || true).expect("callable on symbols");
        assert!(
            matches!(compared, MutantComparison::Differ { .. }),
            "after {} questions: {compared:?}",
            bounds.queries
        );
    }
}
