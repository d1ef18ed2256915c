//! Bit blasting against evaluation and against trying all values.
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use proptest::prelude::*;

use super::{BlastLimits, Blasting, decide};
use crate::solver::tests::brute_force::{BruteForce, Problem};
use crate::solver::{Answer, Solver, Unknown};
use crate::term::random::{assignment, tape, value, variables};
use crate::term::{Op, Sort, Term, Terms};

const LIMITS: BlastLimits = BlastLimits { nodes: 1_000, wires: 60_000, steps: 10_000 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is found for small numbers is what trying all values finds.
    #[test]
    fn small_numbers_are_decided_as_by_trying_all(problem in Problem::any()) {
        let (terms, constraints) = problem.build();
        for question in &problem.questions {
            let question: Vec<Term> = question.iter().map(|i| constraints[i % constraints.len()]).collect();
            let expected = BruteForce::default().check(&terms, &question);
            match decide(&terms, &question, LIMITS) {
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
        prop_assert!(decide(&terms, &constraints, LIMITS) != Some(Answer::Unsatisfiable));
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
    for width in [1, 7, 8, 32, 64] {
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
        let answer = decide(&terms, &[given[0], given[1], last], LIMITS);
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
fn products_with_constants_are_decided() {
    let mut terms = Terms::new();
    let sort = Sort::Bits(32);
    let x = terms.variable("x", sort);
    for factor in [3, 10, 0x8000_0001, 0x2222_2222] {
        let product = terms.binary(Op::Mul, x, Term::Constant(sort, factor));
        let seven = terms.equal(x, Term::bits(32, 7));
        let right = terms.equal(product, Term::bits(32, 7 * factor));
        let wrong = terms.not(right);
        assert_eq!(decide(&terms, &[seven, wrong], LIMITS), Some(Answer::Unsatisfiable), "{factor}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6_000))]

    /// Two results of one operator or of two, for operands that are likely to be equal, opposite, or at the ends of their widths: that each has its value is
    /// never refuted.
    #[test]
    fn what_is_required_of_results_without_gates_is_true(
        first_operator in prop::sample::select(operators()),
        second_operator in prop::sample::select(operators()),
        draws in prop::array::uniform4(any::<prop::sample::Index>()),
        related in prop::array::uniform2(prop::option::of(any::<bool>())),
        is_crossed in any::<bool>(),
    ) {
        let operands = &first_operator.2;
        // Two operators on the same operands, where both take these; else one operator twice.
        let second_operator = if second_operator.2 == *operands { second_operator } else { first_operator.clone() };
        let drawn = |places: [usize; 2]| -> Vec<(Sort, u128)> {
            operands.iter().zip(places).map(|(sort, place)| (*sort, *draws[place].get(&special(*sort)))).collect()
        };
        let first = drawn([0, 1]);
        let mut second = drawn([2, 3]);
        for (place, is_opposite) in related.into_iter().enumerate().take(second.len()) {
            match is_opposite {
                Some(true) => second[place].1 = opposite(first[place]),
                Some(false) => second[place].1 = first[place].1,
                None => {}
            }
        }
        if is_crossed {
            second.reverse();
        }
        let mut terms = Terms::new();
        let mut constraints = Vec::new();
        for (given, (op, result, _)) in [(first, &first_operator), (second, &second_operator)] {
            let inputs: Vec<Term> =
                given.iter().map(|(sort, value)| variable_of(&mut terms, *sort, *value, &mut constraints)).collect();
            let term = terms.apply(*op, *result, &inputs);
            let (bits, term) = in_bits(&mut terms, term);
            let value = crate::term::evaluate_op(*op, *result, &given);
            constraints.push(terms.equal(term, Term::Constant(bits, value)));
        }
        prop_assert_ne!(decide(&terms, &constraints, LIMITS), Some(Answer::Unsatisfiable));
    }
}

/// Operators of floats, and operators of whole numbers without gates: each with the sort of its result and those of its operands.
fn operators() -> Vec<(Op, Sort, Vec<Sort>)> {
    use Op::*;
    let mut all = Vec::new();
    for (sort, other) in [(Sort::F32, Sort::F64), (Sort::F64, Sort::F32)] {
        all.extend(
            [FloatAdd, FloatSub, FloatMul, FloatDivide, FloatMin, FloatMax, FloatCopySign]
                .map(|op| (op, sort, vec![sort; 2])),
        );
        all.extend([FloatLess, FloatLessEqual, FloatEqual].map(|op| (op, Sort::Bool, vec![sort; 2])));
        all.extend(
            [
                FloatSqrt,
                FloatCeil,
                FloatFloor,
                FloatTrunc,
                FloatNearest,
                FloatCanonical,
                FloatAbs,
                FloatNegate,
            ]
            .map(|op| (op, sort, vec![sort])),
        );
        all.push((FloatConvert, other, vec![sort]));
        for bits in [32, 64].map(Sort::Bits) {
            all.extend([ToSigned, ToUnsigned].map(|op| (op, bits, vec![sort])));
            all.extend([FromSigned, FromUnsigned].map(|op| (op, sort, vec![bits])));
        }
    }
    for sort in [1, 7, 8, 32, 64].map(Sort::Bits) {
        let two = [Mul, SignedDivide, SignedRemainder, UnsignedDivide, UnsignedRemainder];
        all.extend(two.map(|op| (op, sort, vec![sort; 2])));
        all.extend([CountLeadingZeros, CountTrailingZeros, CountOnes].map(|op| (op, sort, vec![sort])));
    }
    all
}

/// Values of a sort and the same with the other sign.
fn special(sort: Sort) -> Vec<u128> {
    match sort {
        Sort::F32 | Sort::F64 => special_floats(sort),
        _ => special_numbers(sort),
    }
}

/// A value with the other sign.
fn opposite((sort, value): (Sort, u128)) -> u128 {
    if sort.is_float() { value ^ 1 << (sort.width() - 1) } else { value.wrapping_neg() & sort.mask() }
}

/// A new variable that has this value.
fn variable_of(terms: &mut Terms, sort: Sort, value: u128, constraints: &mut Vec<Term>) -> Term {
    let bits = Sort::Bits(sort.width());
    let variable = terms.variable(&format!("v{}", terms.variables().len()), bits);
    constraints.push(terms.equal(variable, Term::Constant(bits, value)));
    if sort.is_float() { terms.apply(Op::FromBits, sort, &[variable]) } else { variable }
}

/// A term, as bits if it is a float.
fn in_bits(terms: &mut Terms, term: Term) -> (Sort, Term) {
    match term.sort() {
        sort if sort.is_float() => {
            let bits = Sort::Bits(sort.width());
            (bits, terms.apply(Op::ToBits, bits, &[term]))
        }
        sort => (sort, term),
    }
}

fn special_numbers(sort: Sort) -> Vec<u128> {
    let half = (sort.mask() >> 1) + 1;
    [0, 1, 2, 3, 7, half, half - 1, half + 1]
        .iter()
        .flat_map(|value: &u128| [*value, value.wrapping_neg()])
        .map(|v| v & sort.mask())
        .collect()
}

fn special_floats(sort: Sort) -> Vec<u128> {
    let values = [
        0.0,
        1.0,
        1.5,
        0.1,
        2.0,
        3.0e38,
        f64::INFINITY,
        f64::from(f32::from_bits(1)),
        f64::MIN_POSITIVE,
        f64::from_bits(1),
    ];
    let both_signs = values.iter().flat_map(|value: &f64| [*value, -*value]);
    let mut bits: Vec<u128> = both_signs
        .map(|value| if sort == Sort::F32 { (value as f32).to_bits().into() } else { value.to_bits().into() })
        .collect();
    let nans = if sort == Sort::F32 {
        [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001]
    } else {
        [0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0001]
    };
    bits.extend(nans);
    bits
}

/// Equal operands give equal results, and a remainder has the dividend's sign; that it is less than the divisor is not known. A value that satisfies the
/// constraints is found by correcting results.
#[test]
fn results_without_gates_are_corrected() {
    let mut terms = Terms::new();
    let sort = Sort::Bits(32);
    let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
    let rest = terms.binary(Op::SignedRemainder, x, y);
    let is_less = terms.apply(Op::SignedLess, Sort::Bool, &[rest, x]);
    let is_greater = terms.apply(Op::SignedLess, Sort::Bool, &[x, rest]);
    assert_eq!(decide(&terms, &[is_less, is_greater], LIMITS), Some(Answer::Unsatisfiable));
    let three = terms.equal(y, Term::bits(32, 3));
    let [is_five, is_zero] = [5, 0].map(|value| terms.equal(rest, Term::bits(32, value)));
    assert_eq!(decide(&terms, &[three, is_five], LIMITS), None);
    assert!(matches!(decide(&terms, &[three, is_zero], LIMITS), Some(Answer::Satisfiable(_))));
}

/// What mutants of products, remainders and sums of floats differ in is decided.
#[test]
fn signs_and_orders_are_known_of_results_without_gates() {
    let mut terms = Terms::new();
    let sort = Sort::Bits(32);
    let [x, y] = ["x", "y"].map(|name| terms.variable(name, sort));
    let zero = Term::bits(32, 0);
    let minus_x = terms.binary(Op::Sub, zero, x);
    let (left, product) = (terms.binary(Op::Mul, minus_x, y), terms.binary(Op::Mul, x, y));
    let right = terms.binary(Op::Sub, zero, product);
    assert_same(&mut terms, &[], left, right);

    let positive = terms.apply(Op::SignedLess, Sort::Bool, &[zero, x]);
    let (of_minus, rest) =
        (terms.binary(Op::SignedRemainder, minus_x, y), terms.binary(Op::SignedRemainder, x, y));
    let right = terms.binary(Op::Sub, zero, rest);
    assert_same(&mut terms, &[positive], of_minus, right);

    let bits = Sort::Bits(64);
    let [a, b, c] = ["a", "b", "c"].map(|name| {
        let bits = terms.variable(name, bits);
        terms.apply(Op::FromBits, Sort::F64, &[bits])
    });
    let is_less = terms.apply(Op::FloatLess, Sort::Bool, &[b, a]);
    let difference = terms.binary(Op::FloatSub, a, b);
    let absolute = terms.apply(Op::FloatAbs, Sort::F64, &[difference]);
    let [left, right] = [difference, absolute].map(|factor| {
        let product = terms.binary(Op::FloatMul, factor, c);
        terms.apply(Op::ToBits, bits, &[product])
    });
    assert_same(&mut terms, &[is_less], left, right);
}

fn assert_same(terms: &mut Terms, facts: &[Term], left: Term, right: Term) {
    let same = terms.equal(left, right);
    let differ = terms.not(same);
    let constraints: Vec<Term> = facts.iter().copied().chain([differ]).collect();
    assert_eq!(decide(terms, &constraints, LIMITS), Some(Answer::Unsatisfiable), "{}", terms.render(differ));
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
    blasting.limit(BlastLimits { steps: 1, ..BlastLimits::default() });
    assert_eq!(blasting.check(&terms, &circle), Answer::Unknown(Unknown::Budget));
    blasting.limit(BlastLimits { nodes: 3, ..BlastLimits::default() });
    blasting.check(&terms, &circle);
    blasting.limit(BlastLimits { wires: 100, ..BlastLimits::default() });
    blasting.check(&terms, &circle);
    blasting.limit(BlastLimits::OFF);
    blasting.check(&terms, &circle);
    assert_eq!((blasting.statistics().questions, blasting.inner_mut().0), (3, 4));
}
