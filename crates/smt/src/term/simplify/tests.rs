use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::random::{Tape, VARIABLES, assignment, tape, tape_of_bytes, value, variables};
use super::super::{Op, Sort, Term, Terms};

fn agree(mut tape: Tape, sort: Sort, values: &[Vec<u128>]) -> Result<(), TestCaseError> {
    let tree = tape.tree(sort);
    let mut terms = Terms::new();
    let variables = variables(&mut terms);
    let term = tree.build(&mut terms, &variables);
    prop_assert_eq!(term.sort(), sort);
    for values in values {
        let simplified = terms.evaluate(term, &assignment(&terms, values));
        prop_assert_eq!(simplified, tree.value(values), "{:?}\n{:?}\n{:x?}", tree, term, values);
    }
    Ok(())
}

fn assignments() -> impl Strategy<Value = Vec<Vec<u128>>> {
    prop::collection::vec(prop::collection::vec(value(), VARIABLES.len()), 6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn truth_values_keep_their_meaning(tape in tape(60), values in assignments()) {
        agree(tape, Sort::Bool, &values)?;
    }

    #[test]
    fn bits_keep_their_meaning(
        tape in tape(60),
        width in prop::sample::select(vec![1u8, 8, 16, 32, 64, 128]),
        values in assignments(),
    ) {
        agree(tape, Sort::Bits(width), &values)?;
    }

    #[test]
    fn floats_keep_their_meaning(tape in tape(40), single: bool, values in assignments()) {
        agree(tape, if single { Sort::F32 } else { Sort::F64 }, &values)?;
    }
}

proptest! {
    // Not a law for every term that can be written, but one for what programs compute: always the same terms.
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(4), ..ProptestConfig::default() })]

    #[test]
    fn bytes_put_together_again_are_the_term(
        mut tape in tape_of_bytes(40),
        width in prop::sample::select(vec![16u8, 32, 64, 128]),
        ltr: bool,
    ) {
        let tree = tape.tree(Sort::Bits(width));
        let mut terms = Terms::new();
        let variables = variables(&mut terms);
        let term = tree.build(&mut terms, &variables);
        let bytes: Vec<Term> = (0..width / 8).map(|i| terms.extract(term, i * 8, 8)).collect();
        let whole = if ltr {
            bytes[1..].iter().fold(bytes[0], |low, high| terms.concat(*high, low))
        } else {
            let last = bytes.len() - 1;
            bytes[..last].iter().rev().fold(bytes[last], |high, low| terms.concat(high, *low))
        };
        prop_assert_eq!(whole, term, "{:?}\n{}", tree, dump(&terms));
    }
}

/// Every node, to read a failure.
fn dump(terms: &Terms) -> String {
    let line = |i| format!("{i}: {:?}\n", terms.node(super::super::NodeId(i as u32)));
    (0..terms.len()).map(line).collect()
}

/// Terms over a few variables, to say what becomes of what.
struct Bench {
    terms: Terms,
    x: Term,
    y: Term,
    byte: Term,
}

fn bench() -> Bench {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(32));
    let y = terms.variable("y", Sort::Bits(32));
    let byte = terms.variable("byte", Sort::Bits(8));
    Bench { terms, x, y, byte }
}

fn word(value: u32) -> Term {
    Term::bits(32, value.into())
}

#[test]
fn what_a_compiler_makes_of_a_comparison_is_the_comparison() {
    let Bench { mut terms, x, y, .. } = bench();
    let less = terms.compare(Op::SignedLess, x, y);
    let flag = terms.ite(less, word(1), word(0));
    let is_zero = terms.equal(flag, word(0));
    let opposite = terms.compare(Op::SignedLessEqual, y, x);
    assert_eq!(is_zero, opposite);
    let flag = terms.ite(is_zero, word(1), word(0));
    let again = terms.equal(flag, word(0));
    assert_eq!(terms.not(again), opposite);

    let equal = terms.equal(x, y);
    let (first, second) = (terms.ite(less, word(1), word(0)), terms.ite(equal, word(1), word(0)));
    let either = terms.binary(Op::BitOr, first, second);
    let branch = terms.equal(either, word(0));
    let expected = terms.or(less, equal);
    let expected = terms.not(expected);
    assert_eq!(branch, expected);
}

#[test]
fn comparisons_with_constants_have_one_form() {
    let Bench { mut terms, x, byte, .. } = bench();
    let less = terms.compare(Op::SignedLess, x, word(5));
    assert_eq!(terms.compare(Op::SignedLessEqual, x, word(4)), less);
    let more = terms.compare(Op::SignedLess, word(4), x);
    assert_eq!(terms.not(less), more);
    let zero = terms.equal(x, word(0));
    assert_eq!(terms.compare(Op::UnsignedLess, x, word(1)), zero);
    let not_zero = terms.not(zero);
    assert_eq!(terms.compare(Op::UnsignedLess, word(0), x), not_zero);

    let wide = terms.zero_extend(byte, 32);
    let narrow = terms.compare(Op::UnsignedLess, byte, Term::bits(8, 48));
    assert_eq!(terms.compare(Op::SignedLess, wide, word(48)), narrow);
    assert_eq!(terms.compare(Op::SignedLess, wide, word(256)), Term::bool(true));
    assert_eq!(terms.equal(wide, word(256)), Term::bool(false));
    assert_eq!(terms.compare(Op::SignedLess, wide, word(0)), Term::bool(false));
}

#[test]
fn sums_and_their_equations_are_solved() {
    let Bench { mut terms, x, y, .. } = bench();
    let sum = terms.binary(Op::Add, x, word(3));
    let sum = terms.binary(Op::Add, sum, word(4));
    let seven = terms.equal(sum, word(7));
    let zero = terms.equal(x, word(0));
    assert_eq!(seven, zero);
    let there = terms.binary(Op::Add, x, y);
    assert_eq!(terms.binary(Op::Sub, there, y), x);
    assert_eq!(terms.binary(Op::Sub, sum, x), word(7));
    let swapped = terms.binary(Op::Add, y, x);
    assert_eq!(swapped, there);
}

#[test]
fn absolute_values_are_found_in_their_bits() {
    let Bench { mut terms, x, .. } = bench();
    let signs = terms.binary(Op::ShiftRightSigned, x, word(31));
    let sum = terms.binary(Op::Add, x, signs);
    let absolute = terms.binary(Op::BitXor, sum, signs);
    let flipped = terms.binary(Op::BitXor, x, signs);
    let other = terms.binary(Op::Sub, flipped, signs);
    assert_eq!(absolute, other);
    let negative = terms.compare(Op::SignedLess, x, word(0));
    let minus = terms.binary(Op::Sub, word(0), x);
    assert_eq!(absolute, terms.ite(negative, minus, x));
    assert_eq!(terms.render(absolute), "abs(x)");
    for value in [0, 5, -5i32, i32::MIN] {
        let mut assignment = super::super::Assignment::default();
        assignment.set(terms.variables_of(x)[0], value as u32 as u128);
        assert_eq!(terms.evaluate(absolute, &assignment) as u32, value.wrapping_abs() as u32);
    }
}

#[test]
fn ranges_of_bytes_are_asked_of_the_byte() {
    let Bench { mut terms, byte, .. } = bench();
    let wide = terms.zero_extend(byte, 32);
    let place = terms.binary(Op::Sub, wide, word(48));
    let digit = terms.compare(Op::UnsignedLess, place, word(10));
    let narrow = terms.binary(Op::Sub, byte, Term::bits(8, 48));
    assert_eq!(digit, terms.compare(Op::UnsignedLess, narrow, Term::bits(8, 10)));
    // The same, cut to a byte before it is compared; and of a byte with a sign, made a capital.
    let cut = terms.binary(Op::BitAnd, place, word(255));
    assert_eq!(terms.compare(Op::UnsignedLess, cut, word(10)), digit);
    let signed = terms.sign_extend(byte, 32);
    let capital = terms.binary(Op::BitAnd, signed, word(0xffff_ffdf));
    let place = terms.binary(Op::Sub, capital, word(65));
    let cut = terms.binary(Op::BitAnd, place, word(255));
    let letter = terms.compare(Op::UnsignedLess, cut, word(26));
    let capital = terms.binary(Op::BitAnd, byte, Term::bits(8, 0xdf));
    let place = terms.binary(Op::Sub, capital, Term::bits(8, 65));
    assert_eq!(letter, terms.compare(Op::UnsignedLess, place, Term::bits(8, 26)));
}

#[test]
fn questions_of_small_tables_are_answered() {
    let Bench { mut terms, x, y, .. } = bench();
    let (p, q) = (terms.equal(x, y), terms.equal(x, word(7)));
    let (low, high) = (terms.ite(q, word(1), word(0)), terms.ite(q, word(3), word(2)));
    let table = terms.ite(p, high, low);
    let more = terms.binary(Op::Add, table, word(5));
    let first = terms.equal(more, word(5));
    let (not_p, not_q) = (terms.not(p), terms.not(q));
    let expected = terms.and(not_p, not_q);
    assert_eq!(first, expected);
    assert_eq!(terms.compare(Op::UnsignedLess, more, word(9)), Term::bool(true));
}

#[test]
fn products_keep_their_constants_outside() {
    let Bench { mut terms, x, y, .. } = bench();
    for (c, square) in [(3, 9), (4, 16)] {
        let (p, q) = (terms.binary(Op::Mul, x, word(c)), terms.binary(Op::Mul, y, word(c)));
        let sum = terms.binary(Op::Add, p, q);
        let product = terms.binary(Op::Mul, sum, p);
        let plain = terms.binary(Op::Add, x, y);
        let plain = terms.binary(Op::Mul, plain, x);
        assert_eq!(product, terms.binary(Op::Mul, plain, word(square)));
    }
    let next = terms.binary(Op::Add, x, word(1));
    let product = terms.binary(Op::Mul, next, y);
    let plain = terms.binary(Op::Mul, x, y);
    assert_eq!(terms.binary(Op::Sub, product, plain), y);
}

#[test]
fn signs_by_shifts_are_extensions() {
    let Bench { mut terms, x, .. } = bench();
    let up = terms.binary(Op::ShiftLeft, x, word(24));
    let down = terms.binary(Op::ShiftRightSigned, up, word(24));
    let byte = terms.extract(x, 0, 8);
    assert_eq!(down, terms.sign_extend(byte, 32));
    let down = terms.binary(Op::ShiftRight, up, word(24));
    assert_eq!(down, terms.zero_extend(byte, 32));
    assert_eq!(terms.binary(Op::BitAnd, x, word(255)), down);
}

#[test]
fn bytes_assembled_by_hand_are_a_concatenation() {
    let Bench { mut terms, byte, x, .. } = bench();
    let high = terms.zero_extend(byte, 32);
    let high = terms.binary(Op::ShiftLeft, high, word(8));
    let low = terms.extract(x, 0, 8);
    let low = terms.zero_extend(low, 32);
    let both = terms.binary(Op::BitOr, high, low);
    let low = terms.extract(x, 0, 8);
    let expected = terms.concat(byte, low);
    assert_eq!(both, terms.zero_extend(expected, 32));
}

#[test]
fn integers_as_floats_are_compared_as_integers() {
    let Bench { mut terms, x, y, .. } = bench();
    let float = |terms: &mut Terms, a| terms.apply(Op::FromSigned, Sort::F64, &[a]);
    let (p, q) = (float(&mut terms, x), float(&mut terms, y));
    let less = terms.compare(Op::FloatLess, p, q);
    assert_eq!(less, terms.compare(Op::SignedLess, x, y));
    let half = Term::Constant(Sort::F64, 2.5f64.to_bits().into());
    let less = terms.compare(Op::FloatLess, p, half);
    assert_eq!(less, terms.compare(Op::SignedLess, x, word(3)));
    let sum = terms.binary(Op::FloatAdd, p, q);
    assert_eq!(terms.op_of(sum), Some(Op::FromSigned));
    assert_eq!(terms.apply(Op::ToSigned, Sort::Bits(32), &[p]), x);
}

#[test]
fn not_less_of_floats_stays_for_nan() {
    let mut terms = Terms::new();
    let bits = terms.variable("x", Sort::Bits(64));
    let x = terms.apply(Op::FromBits, Sort::F64, &[bits]);
    let less = terms.compare(Op::FloatLess, x, Term::Constant(Sort::F64, 0));
    let not = terms.not(less);
    assert_eq!(terms.op_of(not), Some(Op::Not));
    let negated = terms.apply(Op::FloatNegate, Sort::F64, &[x]);
    let negated = terms.apply(Op::ToBits, Sort::Bits(64), &[negated]);
    assert_eq!(negated, terms.binary(Op::BitXor, bits, Term::bits(64, 1 << 63)));
}

#[test]
fn deep_terms_overflow_no_stack() {
    let Bench { mut terms, x, y, .. } = bench();
    let mut sum = x;
    for i in 0..100_000u32 {
        let op = [Op::Mul, Op::BitXor, Op::Add, Op::BitOr, Op::Sub][i as usize % 5];
        sum = terms.binary(op, sum, if i % 2 == 0 { y } else { word(i | 1) });
    }
    let low = terms.extract(sum, 0, 8);
    let equal = terms.equal(low, Term::bits(8, 3));
    assert!(terms.evaluate(equal, &super::super::Assignment::default()) <= 1);
    assert_eq!(terms.variables_of(equal).len(), 2);
}
