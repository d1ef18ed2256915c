use proptest::prelude::*;

use super::tape::Tape;
use super::{SearchLimits, Searching, search};
use crate::solver::tests::brute_force::{BruteForce, Problem};
use crate::solver::{Answer, Solver, Unknown};
use crate::term::{Op, Sort, Term, Terms};

const STEPS: u64 = 3_000_000;

/// Terms with variables of a width.
fn variables<const N: usize>(width: u8) -> (Terms, [Term; N]) {
    let mut terms = Terms::new();
    let variables = std::array::from_fn(|index| terms.variable(&format!("x{index}"), Sort::Bits(width)));
    (terms, variables)
}

fn float(value: f64) -> Term {
    Term::Constant(Sort::F64, value.to_bits().into())
}

fn finds(terms: &Terms, constraints: &[Term]) {
    let model = search(terms, constraints, &[], 7, STEPS).expect("a model is found");
    assert!(constraints.iter().all(|&constraint| terms.evaluate(constraint, &model) == 1));
}

#[test]
fn a_magic_number() {
    let (mut terms, [x]) = variables(64);
    let three = terms.binary(Op::Mul, x, Term::bits(64, 3));
    let magic = terms.equal(three, Term::bits(64, 3 * 0x1234_5678_9abc));
    finds(&terms, &[magic]);
}

#[test]
fn a_square_root() {
    let (mut terms, [x]) = variables(32);
    let square = terms.binary(Op::Mul, x, x);
    let seen = terms.equal(square, Term::bits(32, 1_522_756));
    finds(&terms, &[seen]);
}

#[test]
fn two_equations() {
    let (mut terms, [x, y]) = variables(32);
    let (sum, difference) = (terms.binary(Op::Add, x, y), terms.binary(Op::Sub, x, y));
    let (first, second) =
        (terms.equal(sum, Term::bits(32, 1000)), terms.equal(difference, Term::bits(32, 10)));
    finds(&terms, &[first, second]);
}

#[test]
fn a_word_letter_by_letter() {
    let (mut terms, letters) = variables::<4>(8);
    let mut constraints = Vec::new();
    for (letter, wanted) in letters.into_iter().zip(b"true") {
        constraints.push(terms.equal(letter, Term::bits(8, (*wanted).into())));
    }
    finds(&terms, &constraints);
}

/// Tests of the upper bits, as mathematical libraries have them, mixed with arithmetic.
#[test]
fn bits_and_arithmetic_of_a_float() {
    let (mut terms, [bits]) = variables(64);
    let x = terms.apply(Op::FromBits, Sort::F64, &[bits]);
    let upper = terms.extract(bits, 32, 32);
    let magnitude = terms.binary(Op::BitAnd, upper, Term::bits(32, 0x7fff_ffff));
    let above = terms.compare(Op::UnsignedLess, Term::bits(32, 0x3fe9_21fb), magnitude);
    let square = terms.binary(Op::FloatMul, x, x);
    let shifted = terms.binary(Op::FloatSub, square, float(2.0));
    let low = terms.compare(Op::FloatLess, float(-1e-9), shifted);
    let high = terms.compare(Op::FloatLess, shifted, float(1e-9));
    let negative = terms.compare(Op::FloatLess, x, float(0.0));
    finds(&terms, &[above, low, high, negative]);
}

#[test]
fn not_a_number_and_infinity() {
    let (mut terms, [a, b]) = variables(64);
    let (x, y) = (terms.apply(Op::FromBits, Sort::F64, &[a]), terms.apply(Op::FromBits, Sort::F64, &[b]));
    let itself = terms.compare(Op::FloatEqual, x, x);
    let nan = terms.not(itself);
    let twice = terms.binary(Op::FloatAdd, y, y);
    let infinite = terms.compare(Op::FloatEqual, twice, float(f64::INFINITY));
    let smaller = terms.compare(Op::FloatLess, y, float(f64::INFINITY));
    finds(&terms, &[nan, infinite, smaller]);
}

#[test]
fn the_other_choice_of_a_condition() {
    let (mut terms, [x]) = variables(32);
    let over = terms.compare(Op::UnsignedLess, Term::bits(32, 1 << 20), x);
    let doubled = terms.binary(Op::Add, x, x);
    let chosen = terms.ite(over, Term::bits(32, 5), doubled);
    let five = terms.equal(chosen, Term::bits(32, 5));
    finds(&terms, &[five]);
}

#[test]
fn the_same_arguments_find_the_same() {
    let (mut terms, [x, y]) = variables(64);
    let product = terms.binary(Op::Mul, x, y);
    let large = terms.compare(Op::UnsignedLess, Term::bits(64, u128::from(u64::MAX) - 1000), product);
    let run = |seed| search(&terms, &[large], &[], seed, STEPS);
    assert!(run(1).is_some());
    assert_eq!(run(1), run(1));
}

#[test]
fn what_cannot_be_ends_with_its_budget() {
    let (mut terms, [x]) = variables(64);
    let square = terms.binary(Op::Mul, x, x);
    let remainder = terms.binary(Op::BitAnd, square, Term::bits(64, 3));
    let impossible = terms.equal(remainder, Term::bits(64, 2));
    assert_eq!(search(&terms, &[impossible], &[], 0, 100_000), None);
    assert_eq!(search(&terms, &[Term::bool(false)], &[], 0, 1000), None);
}

/// Knows nothing.
struct Ignorant;

impl Solver for Ignorant {
    fn check(&mut self, _: &Terms, _: &[Term]) -> Answer {
        Answer::Unknown(Unknown::Budget)
    }
}

#[test]
fn a_search_that_finds_nothing_leaves_the_answer() {
    let mut searching = Searching::new(Ignorant, SearchLimits { after: 1000, ..SearchLimits::default() });
    assert_eq!(searching.check(&Terms::new(), &[Term::bool(false)]), Answer::Unknown(Unknown::Budget));
    assert!(matches!(searching.check(&Terms::new(), &[]), Answer::Satisfiable(_)));
    assert_eq!((searching.statistics().searches, searching.statistics().found), (2, 1));
}

/// Is not to be asked.
struct Untouched;

impl Solver for Untouched {
    fn check(&mut self, _: &Terms, constraints: &[Term]) -> Answer {
        panic!("asked about {constraints:?}")
    }
}

#[test]
fn float_arithmetic_is_searched_before_the_solver_is_asked() {
    let (mut terms, [bits]) = variables(64);
    let x = terms.apply(Op::FromBits, Sort::F64, &[bits]);
    let square = terms.binary(Op::FloatMul, x, x);
    let over_two = terms.compare(Op::FloatLess, float(2.0), square);
    let mut searching = Searching::new(Untouched, SearchLimits::default());
    assert!(matches!(searching.check(&terms, &[over_two]), Answer::Satisfiable(_)));
    assert_eq!(searching.statistics().found, 1);
}

proptest! {
    #[test]
    fn a_search_never_contradicts(problem in Problem::any()) {
        let (terms, constraints) = problem.build();
        for question in problem.asked(&constraints) {
            let satisfiable = BruteForce::default().check(&terms, &question) != Answer::Unsatisfiable;
            if let Some(model) = search(&terms, &question, &[], 0, 20_000) {
                prop_assert!(satisfiable);
                prop_assert!(question.iter().all(|&constraint| terms.evaluate(constraint, &model) == 1));
            }
        }
    }

    #[test]
    fn a_tape_follows_every_change(problem in Problem::any(), changes: Vec<(usize, u8, bool)>) {
        let (terms, constraints) = problem.build();
        for question in problem.asked(&constraints) {
            let mut tape = Tape::new(&terms, &question);
            for &(index, value, back) in &changes {
                if tape.variables() == 0 {
                    break;
                }
                let before = tape.distance();
                let index = index % tape.variables();
                tape.set(index, value.into());
                if back {
                    tape.unset(index);
                    prop_assert_eq!(tape.distance(), before);
                }
                let model = tape.assignment();
                let holds = question.iter().all(|&constraint| terms.evaluate(constraint, &model) == 1);
                prop_assert_eq!(tape.distance() == 0.0, holds);
            }
        }
    }
}
