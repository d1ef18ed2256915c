//! A solver that tries everything, and random constraints that are small enough for it.

use proptest::prelude::*;

use crate::solver::{Answer, Solver};
use crate::term::{Assignment, Evaluator, Op, Sort, Term, Terms, Variable};

const VARIABLES: usize = 3;
const WIDTH: u8 = 3;

/// Tries all assignments of the variables of [`Problem`]s; counts how often it was asked.
#[derive(Debug, Default)]
pub(in crate::solver) struct BruteForce {
    pub(in crate::solver) asked: usize,
}

impl Solver for BruteForce {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        self.asked += 1;
        for number in 0..1u128 << (VARIABLES * WIDTH as usize) {
            let mut assignment = Assignment::default();
            for index in 0..VARIABLES {
                let value = number >> (index * WIDTH as usize) & Sort::Bits(WIDTH).mask();
                assignment.set(Variable(index as u32), value);
            }
            let mut evaluator = Evaluator::new(terms, &assignment);
            if constraints.iter().all(|&constraint| evaluator.holds(constraint)) {
                return Answer::Satisfiable(assignment);
            }
        }
        Answer::Unsatisfiable
    }
}

/// How to build constraints over a few small variables.
#[derive(Clone, Debug)]
pub(in crate::solver) struct Problem {
    steps: Vec<(usize, usize, usize)>,
    comparisons: Vec<(usize, usize, usize)>,
    /// Which constraints are asked about together.
    pub(in crate::solver) questions: Vec<Vec<usize>>,
}

impl Problem {
    pub(in crate::solver) fn any() -> impl Strategy<Value = Problem> {
        let triple = (0..100usize, 0..100usize, 0..100usize);
        let questions = prop::collection::vec(prop::collection::vec(0..100usize, 1..6), 1..12);
        (prop::collection::vec(triple.clone(), 0..8), prop::collection::vec(triple, 1..10), questions)
            .prop_map(|(steps, comparisons, questions)| Problem { steps, comparisons, questions })
    }

    /// The terms, and the constraints to choose from.
    pub(in crate::solver) fn build(&self) -> (Terms, Vec<Term>) {
        let mut terms = Terms::new();
        let sort = Sort::Bits(WIDTH);
        let mut numbers: Vec<Term> =
            (0..VARIABLES).map(|index| terms.variable(&format!("x{index}"), sort)).collect();
        numbers.extend([0, 1, 3, 7].map(|value| Term::bits(WIDTH, value)));
        let operators = [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::BitAnd,
            Op::BitXor,
            Op::UnsignedDivide,
            Op::SignedRemainder,
            Op::ShiftLeft,
        ];
        for &(op, a, b) in &self.steps {
            let (a, b) = (numbers[a % numbers.len()], numbers[b % numbers.len()]);
            numbers.push(terms.binary(operators[op % operators.len()], a, b));
        }
        let constraints =
            self.comparisons.iter().map(|&(op, a, b)| comparison(&mut terms, &numbers, op, a, b)).collect();
        (terms, constraints)
    }

    /// The lists of constraints of each question.
    pub(in crate::solver) fn asked(&self, constraints: &[Term]) -> Vec<Vec<Term>> {
        let chosen = |question: &Vec<usize>| {
            question.iter().map(|index| constraints[index % constraints.len()]).collect()
        };
        self.questions.iter().map(chosen).collect()
    }
}

fn comparison(terms: &mut Terms, numbers: &[Term], op: usize, a: usize, b: usize) -> Term {
    let (a, b) = (numbers[a % numbers.len()], numbers[b % numbers.len()]);
    let less = terms.compare(Op::UnsignedLess, a, b);
    let equal = terms.equal(a, b);
    match op % 5 {
        0 => equal,
        1 => terms.not(equal),
        2 => less,
        3 => terms.compare(Op::SignedLessEqual, a, b),
        _ => {
            let parity = parity_differs(terms, a, b);
            terms.and(less, parity)
        }
    }
}

fn parity_differs(terms: &mut Terms, a: Term, b: Term) -> Term {
    let either = terms.binary(Op::BitXor, a, b);
    let lowest = terms.extract(either, 0, 1);
    terms.equal(lowest, Term::bits(1, 1))
}

/// Whether two answers to the same constraints mean the same, models being any that hold.
pub(in crate::solver) fn agree(
    terms: &Terms,
    constraints: &[Term],
    expected: &Answer,
    given: &Answer,
) -> bool {
    match (expected, given) {
        (Answer::Unsatisfiable, Answer::Unsatisfiable) => true,
        (Answer::Satisfiable(_), Answer::Satisfiable(model)) => {
            constraints.iter().all(|&constraint| terms.evaluate(constraint, model) == 1)
        }
        _ => false,
    }
}
