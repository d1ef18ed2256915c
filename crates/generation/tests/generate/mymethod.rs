//! The example of section 3.2 of the study of path-directed source inputs.

use std::rc::Rc;

use dodona_symbolic::explore::{Bounds, Explorer, Forking, Starts};
use dodona_symbolic::solver::{Answer, QueryLimits, SmtSolver, SolverChoice, Surroundings};
use dodona_symbolic::term::{Op, Term, Terms};
use dodona_symbolic::{Code, Symbol, input::Shape};

use super::shipped;

/// The rows of Table 1.
fn table_1(terms: &mut Terms, x: Term, y: Term) -> [Term; 4] {
    let zero = Term::bits(32, 0);
    let sum = terms.binary(Op::Add, x, y);
    let is_zero = terms.equal(sum, zero);
    let is_not = terms.not(is_zero);
    let y_over = terms.compare(Op::SignedLess, zero, y);
    let y_up_to = terms.compare(Op::SignedLessEqual, y, zero);
    let x_over = terms.compare(Op::SignedLess, zero, x);
    let x_up_to = terms.compare(Op::SignedLessEqual, x, zero);
    [(y_over, is_zero), (y_up_to, is_zero), (x_over, is_not), (x_up_to, is_not)].map(|(a, b)| terms.and(a, b))
}

#[test]
fn four_paths_whose_constraints_are_those_of_table_1() {
    let workbench = shipped("mymethod");
    let function = &workbench.target.manifest.functions[0];
    for forking in [Forking::AtOnce, Forking::Later] {
        let choice = SolverChoice::find(None, &Surroundings::of_process()).expect("a solver is installed");
        let mut solver = SmtSolver::start(choice, QueryLimits::default());
        let code = Rc::new(Code::new(&workbench.target.module));
        let mut explorer = Explorer::new(&code, &mut solver, Bounds::default()).with_forking(forking);
        let (shapes, _) = Shape::all(function, 4);
        let starts = Starts::new(&mut explorer, function, &shapes, &mut |_, _, _| None).starts;
        let [Symbol::Scalar(x), Symbol::Scalar(y)] = starts[0].symbols[..] else { panic!("two numbers") };
        let mut conditions = Vec::new();
        let exploration = explorer
            .explore(function, starts, &mut || true, &mut |explorer, path| {
                let mut all = Term::bool(true);
                for condition in path.condition() {
                    all = explorer.terms().and(all, *condition);
                }
                conditions.push(all);
                true
            })
            .expect("it can be called on symbols");
        assert!(exploration.is_complete() && conditions.len() == 4, "{exploration:?}");
        let mut table = table_1(explorer.terms(), x, y).to_vec();
        for condition in conditions {
            let row = table.iter().position(|row| same(&mut explorer, *row, condition));
            table.remove(row.expect("each path is a row of the table that no other path is"));
        }
        assert!(table.is_empty());
    }
}

/// Whether the solver finds no values for which one holds and the other does not.
fn same(explorer: &mut Explorer<'_>, a: Term, b: Term) -> bool {
    let (not_a, not_b) = (explorer.terms().not(a), explorer.terms().not(b));
    [[a, not_b], [b, not_a]].iter().all(|both| match explorer.check(both) {
        Answer::Satisfiable(_) => false,
        Answer::Unsatisfiable => true,
        Answer::Unknown(why) => panic!("{why:?}"),
    })
}
