use proptest::prelude::*;

use super::brute_force::{BruteForce, Problem, agree};
use crate::solver::{Answer, Layered, Solver, Unknown};
use crate::term::{Assignment, Op, Sort, Term, Terms};

proptest! {
    #[test]
    fn layers_answer_as_the_solver_alone(problem in Problem::any()) {
        let (terms, constraints) = problem.build();
        let mut layered = Layered::new(BruteForce::default());
        let mut asking = Layered::new(BruteForce::default()).without_trying();
        for question in problem.asked(&constraints) {
            let expected = BruteForce::default().check(&terms, &question);
            for layered in [&mut layered, &mut asking] {
                let given = layered.check(&terms, &question);
                prop_assert!(agree(&terms, &question, &expected, &given), "{expected:?} {given:?}");
                let again = layered.check(&terms, &question);
                prop_assert!(agree(&terms, &question, &expected, &again));
            }
        }
    }

    #[test]
    fn each_slice_is_counted_where_it_was_answered(problem in Problem::any()) {
        let (terms, constraints) = problem.build();
        let mut layered = Layered::new(BruteForce::default());
        for question in problem.asked(&constraints) {
            layered.check(&terms, &question);
        }
        let counts = layered.statistics();
        prop_assert_eq!(counts.questions as usize, problem.questions.len());
        prop_assert_eq!(counts.asked as usize, layered.inner().asked);
        // A slice that cannot hold ends a question: the others need no answer.
        prop_assert!(counts.same + counts.subset + counts.model + counts.narrow + counts.asked <= counts.slices);
    }
}

/// Terms with `x < 5`, `x > 6`, `y == 3` and `x + y == 6`.
fn example() -> (Terms, [Term; 4]) {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(3));
    let y = terms.variable("y", Sort::Bits(3));
    let sum = terms.binary(Op::Add, x, y);
    let low = terms.compare(Op::UnsignedLess, x, Term::bits(3, 5));
    let high = terms.compare(Op::UnsignedLess, Term::bits(3, 6), x);
    let three = terms.equal(y, Term::bits(3, 3));
    let six = terms.equal(sum, Term::bits(3, 6));
    (terms, [low, high, three, six])
}

#[test]
fn zeros_and_earlier_models_are_tried_first() {
    let (terms, [low, _, three, six]) = example();
    let mut layered = Layered::new(BruteForce::default()).without_trying();
    layered.check(&terms, &[low]);
    assert_eq!(layered.inner().asked, 0);
    layered.check(&terms, &[three, six]);
    assert_eq!(layered.inner().asked, 1);
    layered.check(&terms, &[three, six, low]); // x = y = 3 from the last question
    assert_eq!((layered.inner().asked, layered.statistics().model), (1, 2));
}

#[test]
fn more_constraints_than_unsatisfiable_ones_are_unsatisfiable() {
    let (terms, [low, high, three, six]) = example();
    let mut layered = Layered::new(BruteForce::default()).without_trying();
    assert_eq!(layered.check(&terms, &[high, low]), Answer::Unsatisfiable);
    assert_eq!(layered.check(&terms, &[six, low, three, high]), Answer::Unsatisfiable);
    assert_eq!((layered.inner().asked, layered.statistics().subset), (1, 1));
}

#[test]
fn independent_constraints_are_asked_apart_and_their_models_come_together() {
    let (terms, [_, high, three, _]) = example();
    let mut layered = Layered::new(BruteForce::default()).without_trying();
    let Answer::Satisfiable(model) = layered.check(&terms, &[high, three]) else { panic!("satisfiable") };
    assert_eq!(layered.statistics().slices, 2);
    assert_eq!((terms.evaluate(high, &model), terms.evaluate(three, &model)), (1, 1));
}

#[test]
fn constants_ask_nobody() {
    let (terms, [low, ..]) = example();
    let mut layered = Layered::new(BruteForce::default()).without_trying();
    assert_eq!(layered.check(&terms, &[low, Term::bool(false)]), Answer::Unsatisfiable);
    assert_eq!(layered.check(&terms, &[Term::bool(true)]), Answer::Satisfiable(Assignment::default()));
    assert_eq!(layered.check(&terms, &[]), Answer::Satisfiable(Assignment::default()));
    assert_eq!((layered.inner().asked, layered.statistics().constant), (0, 3));
}

/// Knows nothing of constraints on `y` alone.
struct Doubtful(BruteForce);

impl Solver for Doubtful {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let y = crate::term::Variable(1);
        if constraints.iter().all(|&constraint| terms.variables_of(constraint) == [y]) {
            return Answer::Unknown(Unknown::Budget);
        }
        self.0.check(terms, constraints)
    }
}

#[test]
fn unsatisfiable_beats_unknown_and_unknown_beats_satisfiable() {
    let (terms, [low, high, three, _]) = example();
    let mut layered = Layered::new(Doubtful(BruteForce::default())).without_trying();
    assert_eq!(layered.check(&terms, &[three, high]), Answer::Unknown(Unknown::Budget));
    assert_eq!(layered.check(&terms, &[three, high, low]), Answer::Unsatisfiable);
    assert_eq!(layered.check(&terms, &[three]), Answer::Unknown(Unknown::Budget));
}
