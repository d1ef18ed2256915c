use super::super::{Op, Sort, Term, Terms};

struct Bench {
    terms: Terms,
    x: Term,
    y: Term,
    c: Term,
    u: Term,
}

fn bench() -> Bench {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(32));
    let y = terms.variable("y", Sort::Bits(32));
    let c = terms.variable("text[0]", Sort::Bits(8));
    let u = terms.variable("u", Sort::Bits(32));
    terms.mark_character(c);
    terms.mark_unsigned(u);
    Bench { terms, x, y, c, u }
}

fn word(value: i32) -> Term {
    Term::bits(32, value as u32 as u128)
}

#[test]
fn comparisons_read_as_a_source_writes_them() {
    let Bench { mut terms, x, y, c, .. } = bench();
    let mut shows = |op, a, b, text: &str| {
        let term = terms.compare(op, a, b);
        assert_eq!(terms.render(term), text);
    };
    shows(Op::SignedLess, x, word(1), "x <= 0");
    shows(Op::SignedLess, word(0), x, "x > 0");
    shows(Op::SignedLess, x, word(100), "x < 100");
    shows(Op::SignedLess, word(99), x, "x >= 100");
    shows(Op::SignedLess, x, word(-7), "x < -7");
    shows(Op::SignedLess, x, y, "x < y");
    shows(Op::Equal, c, Term::bits(8, b'a'.into()), "text[0] == 'a'");
    shows(Op::Equal, c, Term::bits(8, 0), "text[0] == '\\0'");
    shows(Op::UnsignedLess, x, word(10), "0 <= x <= 9");
    shows(Op::UnsignedLess, word(9), x, "not (0 <= x <= 9)");
    shows(Op::UnsignedLess, x, y, "unsigned(x) < unsigned(y)");
}

#[test]
fn ranges_read_as_ranges() {
    let Bench { mut terms, x, c, u, .. } = bench();
    let offset = terms.binary(Op::Add, x, word(-3));
    let inside = terms.compare(Op::UnsignedLess, offset, word(5));
    assert_eq!(terms.render(inside), "3 <= x <= 7");
    let offset = terms.binary(Op::Add, c, Term::bits(8, 256 - u128::from(b'a')));
    let letter = terms.compare(Op::UnsignedLess, offset, Term::bits(8, 26));
    assert_eq!(terms.render(letter), "'a' <= text[0] <= 'z'");
    let small = terms.compare(Op::UnsignedLess, u, word(10));
    assert_eq!(terms.render(small), "u < 10");
    let big = terms.compare(Op::UnsignedLess, word(-2), u);
    assert_eq!(terms.render(big), "u == 4294967295");
}

#[test]
fn a_range_means_what_its_bits_mean() {
    // From 2147483640 upwards, over the greatest number to the least.
    let Bench { mut terms, x, .. } = bench();
    let offset = terms.binary(Op::Add, x, word(-2_147_483_640));
    let round = terms.compare(Op::UnsignedLess, offset, word(10));
    assert_eq!(terms.render(round), "x >= 2147483640 or x <= -2147483647");
    let not = terms.not(round);
    assert_eq!(terms.render(not), "-2147483647 < x < 2147483640");
}

#[test]
fn arithmetic_has_the_parentheses_that_it_needs() {
    let Bench { mut terms, x, y, .. } = bench();
    let negative = terms.binary(Op::Sub, word(0), x);
    let equal = terms.equal(negative, y);
    assert_eq!(terms.render(equal), "y == -x");
    let sum = terms.binary(Op::Add, x, y);
    let product = terms.binary(Op::Mul, sum, y);
    let less = terms.compare(Op::SignedLess, product, word(-5));
    assert_eq!(terms.render(less), "(x + y) * y < -5");
    let inner = terms.binary(Op::Sub, x, y);
    let outer = terms.binary(Op::Sub, y, inner);
    assert_eq!(terms.render(outer), "y - (x - y)");
    let double = terms.binary(Op::Mul, x, word(2));
    let more = terms.binary(Op::Add, double, word(-1));
    assert_eq!(terms.render(more), "x * 2 - 1");
}

#[test]
fn bits_read_as_masks() {
    let Bench { mut terms, x, .. } = bench();
    let odd = terms.binary(Op::BitAnd, x, word(1));
    let even = terms.equal(odd, word(0));
    assert_eq!(terms.render(even), "(x & 1) == 0");
    let bit = terms.binary(Op::BitAnd, x, word(0x40));
    let set = terms.equal(bit, word(0));
    let set = terms.not(set);
    assert_eq!(terms.render(set), "(x & 0x40) != 0");
    let half = terms.binary(Op::ShiftRightSigned, x, word(1));
    assert_eq!(terms.render(half), "x >> 1");
}

#[test]
fn connectives_bind_looser_than_comparisons() {
    let Bench { mut terms, x, y, .. } = bench();
    let (a, b) = (terms.compare(Op::SignedLess, x, y), terms.equal(x, word(3)));
    let either = terms.or(a, b);
    let third = terms.equal(y, word(4));
    let both = terms.and(either, third);
    assert_eq!(terms.render(both), "(x < y or x == 3) and y == 4");
    let not = terms.not(both);
    assert_eq!(terms.render(not), "not ((x < y or x == 3) and y == 4)");
    let all = terms.and(b, third);
    let some = terms.or(a, all);
    assert_eq!(terms.render(some), "x < y or (x == 3 and y == 4)");
}

#[test]
fn floats_read_as_floats() {
    let mut terms = Terms::new();
    let bits = terms.variable("a", Sort::Bits(64));
    let a = terms.apply(Op::FromBits, Sort::F64, &[bits]);
    let root = terms.apply(Op::FloatSqrt, Sort::F64, &[a]);
    let less = terms.compare(Op::FloatLess, root, Term::Constant(Sort::F64, 2.5f64.to_bits().into()));
    assert_eq!(terms.render(less), "sqrt(a) < 2.5");
    let not = terms.not(less);
    assert_eq!(terms.render(not), "not sqrt(a) < 2.5");
}

#[test]
fn long_terms_are_cut_off() {
    let Bench { mut terms, x, y, .. } = bench();
    let mut deep = x;
    for i in 0..10_000 {
        let factor = terms.binary(Op::Add, deep, word(i | 1));
        deep = terms.binary(Op::Mul, factor, if i % 2 == 0 { y } else { deep });
    }
    let text = terms.render(deep);
    assert!(text.chars().count() <= 240, "{text}");
    assert!(text.contains('…'), "{text}");
}
