//! Bit blasting against evaluation and against trying all values.
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use proptest::prelude::*;

use super::{BlastLimits, Blasting, decide};
use crate::solver::tests::brute_force::{BruteForce, Problem};
use crate::solver::{Answer, Solver, Unknown};
use crate::term::random::{assignment, tape, value, variables};
use crate::term::{Op, Sort, Term, Terms};

const STEPS: u64 = 10_000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is found for small numbers is what trying all values finds.
    #[test]
    fn small_numbers_are_decided_as_by_trying_all(problem in Problem::any()) {
        let (terms, constraints) = problem.build();
        for question in &problem.questions {
            let question: Vec<Term> = question.iter().map(|i| constraints[i % constraints.len()]).collect();
            let expected = BruteForce::default().check(&terms, &question);
            match decide(&terms, &question, STEPS) {
                Some(Answer::Unsatisfiable) => prop_assert_eq!(&expected, &Answer::Unsatisfiable),
                Some(Answer::Satisfiable(model)) => {
                    prop_assert!(question.iter().all(|constraint| terms.evaluate(*constraint, &model) == 1));
                }
                _ => {}
            }
        }
    }

    /// A term has the value that evaluation gives it, for any operators and widths: that it has it is never refuted.
    #[test]
    fn what_holds_is_never_refuted(tape in tape(24), sort in 0usize..6, values in prop::collection::vec(value(), 12)) {
        let sort = [Sort::Bool, Sort::Bits(1), Sort::Bits(8), Sort::Bits(32), Sort::Bits(64), Sort::Bits(128)][sort];
        let mut tape = tape;
        let tree = tape.tree(sort);
        let mut terms = Terms::new();
        let inputs = variables(&mut terms);
        let term = tree.build(&mut terms, &inputs);
        let expected = Term::Constant(sort, terms.evaluate(term, &assignment(&terms, &values)));
        let mut constraints = vec![terms.equal(term, expected)];
        for (input, value) in inputs.iter().zip(&values) {
            let value = Term::Constant(input.sort(), value & input.sort().mask());
            constraints.push(terms.equal(*input, value));
        }
        constraints.retain(|constraint| !constraint.is(true));
        prop_assert!(decide(&terms, &constraints, STEPS) != Some(Answer::Unsatisfiable));
    }
}

/// Operators that have gates, on values at the ends of their widths: the right value is found, and no other is possible.
#[test]
fn gates_compute_what_evaluation_does() {
    let operators = [
        Op::Add,
        Op::Sub,
        Op::BitAnd,
        Op::BitOr,
        Op::BitXor,
        Op::ShiftLeft,
        Op::ShiftRight,
        Op::ShiftRightSigned,
        Op::UnsignedLess,
        Op::UnsignedLessEqual,
        Op::SignedLess,
        Op::SignedLessEqual,
        Op::Equal,
        Op::Concat,
    ];
    for width in [1, 8, 32, 64] {
        let sort = Sort::Bits(width);
        let ends = [
            0,
            1,
            2,
            5,
            sort.mask(),
            sort.mask() - 1,
            sort.mask() >> 1,
            (sort.mask() >> 1) + 1,
            u128::from(width),
        ];
        for op in operators {
            for (a, b) in
                ends.iter().flat_map(|a| ends.iter().map(move |b| (a & sort.mask(), b & sort.mask())))
            {
                assert_eq!(computed(op, sort, a, b), Ok(()), "{op:?} of {a} and {b} in {width} bits");
            }
        }
    }
}

/// Whether the circuit gives an operator of two variables with these values the value that it has, and no other.
fn computed(op: Op, sort: Sort, a: u128, b: u128) -> Result<(), String> {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
    let result = match op {
        Op::Concat => Sort::Bits(2 * sort.width()),
        Op::Equal | Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => {
            Sort::Bool
        }
        _ => sort,
    };
    let term = terms.apply(op, result, &[x, y]);
    let given = [terms.equal(x, Term::Constant(sort, a)), terms.equal(y, Term::Constant(sort, b))];
    let value = Term::Constant(result, crate::term::evaluate_op(op, result, &[(sort, a), (sort, b)]));
    let right = terms.equal(term, value);
    let wrong = terms.not(right);
    for (last, expected) in [(right, true), (wrong, false)] {
        let answer = decide(&terms, &[given[0], given[1], last], STEPS);
        let is_right = match answer {
            Some(Answer::Satisfiable(_)) => expected,
            Some(Answer::Unsatisfiable) => !expected,
            _ => false,
        };
        if !is_right {
            return Err(format!("{answer:?}"));
        }
    }
    Ok(())
}

#[test]
fn products_with_constants_of_few_ones_are_sums() {
    let mut terms = Terms::new();
    let sort = Sort::Bits(32);
    let x = terms.variable("x", sort);
    for (factor, expected) in [
        (3, Some(Answer::Unsatisfiable)),
        (10, Some(Answer::Unsatisfiable)),
        (0x8000_0001, Some(Answer::Unsatisfiable)),
        (0x2222_2222, None),
    ] {
        let product = terms.binary(Op::Mul, x, Term::Constant(sort, factor));
        let seven = terms.equal(x, Term::bits(32, 7));
        let right = terms.equal(product, Term::bits(32, 7 * factor));
        let wrong = terms.not(right);
        assert_eq!(decide(&terms, &[seven, wrong], STEPS), expected, "{factor}");
    }
}

/// What an operator without gates gives is the same value wherever it stands, and nothing else is known of it.
#[test]
fn operators_without_gates_have_any_value_but_one() {
    let mut terms = Terms::new();
    let sort = Sort::Bits(32);
    let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
    let rest = terms.binary(Op::SignedRemainder, x, y);
    let is_less = terms.apply(Op::SignedLess, Sort::Bool, &[rest, x]);
    let is_greater = terms.apply(Op::SignedLess, Sort::Bool, &[x, rest]);
    assert_eq!(decide(&terms, &[is_less, is_greater], STEPS), Some(Answer::Unsatisfiable));
    let three = terms.equal(y, Term::bits(32, 3));
    let is_five = terms.equal(rest, Term::bits(32, 5));
    assert!(!matches!(decide(&terms, &[three, is_five], STEPS), Some(Answer::Satisfiable(_))));
}

/// Asked what it was given.
#[derive(Default)]
struct Asked(u64);

impl Solver for Asked {
    fn check(&mut self, _: &Terms, _: &[Term]) -> Answer {
        self.0 += 1;
        Answer::Unknown(Unknown::Budget)
    }
}

#[test]
fn what_is_not_decided_is_asked_of_the_next_solver() {
    let mut terms = Terms::new();
    let sort = Sort::Bits(64);
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, sort));
    let [xy, yz] = [(x, y), (y, z)].map(|(a, b)| terms.apply(Op::SignedLess, Sort::Bool, &[a, b]));
    let zx = terms.apply(Op::SignedLess, Sort::Bool, &[z, x]);
    let circle = [xy, yz, zx];
    let mut blasting = Blasting::new(Asked::default(), BlastLimits::default());
    assert_eq!(blasting.check(&terms, &circle), Answer::Unsatisfiable);
    assert_eq!((blasting.statistics().questions, blasting.statistics().decided), (1, 1));
    blasting.limit(BlastLimits { nodes: 1_000, steps: 1 });
    assert_eq!(blasting.check(&terms, &circle), Answer::Unknown(Unknown::Budget));
    blasting.limit(BlastLimits { nodes: 3, steps: 1_000 });
    blasting.check(&terms, &circle);
    blasting.limit(BlastLimits::OFF);
    blasting.check(&terms, &circle);
    assert_eq!((blasting.statistics().questions, blasting.inner_mut().0), (2, 3));
}
