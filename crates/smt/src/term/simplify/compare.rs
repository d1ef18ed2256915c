//! Order of bit vectors. With a constant, "less" is the only form: `x <= 4` becomes `x < 5`, and its negation `4 < x`.

use super::{Op, Sort, Term, Terms, constant, signed};

pub(super) fn compare(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let order = Order { signed: matches!(op, Op::SignedLess | Op::SignedLessEqual), sort: a.sort() };
    let or_equal = matches!(op, Op::UnsignedLessEqual | Op::SignedLessEqual);
    if a == b {
        return Some(Term::bool(or_equal));
    }
    match (a, b) {
        (x, Term::Constant(_, c)) => bounded(terms, order, x, Side::Below, c, or_equal),
        (Term::Constant(_, c), x) => bounded(terms, order, x, Side::Above, c, or_equal),
        _ => {
            let (order, a, b) = extended(terms, order, a, b)?;
            Some(if or_equal { order.less_equal(terms, a, b) } else { order.less(terms, a, b) })
        }
    }
}

/// On which side of a constant a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

/// Signed or unsigned order of a width.
#[derive(Clone, Copy)]
struct Order {
    signed: bool,
    sort: Sort,
}

impl Order {
    fn less(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        terms.compare(if self.signed { Op::SignedLess } else { Op::UnsignedLess }, a, b)
    }

    fn less_equal(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        terms.compare(if self.signed { Op::SignedLessEqual } else { Op::UnsignedLessEqual }, a, b)
    }

    fn strictly(self, terms: &mut Terms, x: Term, side: Side, c: u128) -> Term {
        match side {
            Side::Below => self.less(terms, x, constant(self.sort, c)),
            Side::Above => self.less(terms, constant(self.sort, c), x),
        }
    }

    /// The extreme value on a side.
    fn end(self, side: Side) -> u128 {
        match (side, self.signed) {
            (Side::Below, true) => (self.sort.mask() >> 1) + 1,
            (Side::Below, false) => 0,
            (Side::Above, true) => self.sort.mask() >> 1,
            (Side::Above, false) => self.sort.mask(),
        }
    }

    /// The next value away from a side, with wrap-around at the other end.
    fn away(self, side: Side, value: u128) -> u128 {
        let step = if side == Side::Below { 1 } else { u128::MAX };
        value.wrapping_add(step) & self.sort.mask()
    }

    fn is_less(self, a: u128, b: u128) -> bool {
        let width = self.sort.width();
        if self.signed { signed(width, a) < signed(width, b) } else { a < b }
    }
}

fn opposite(side: Side) -> Side {
    match side {
        Side::Below => Side::Above,
        Side::Above => Side::Below,
    }
}

fn bounded(terms: &mut Terms, order: Order, x: Term, side: Side, c: u128, or_equal: bool) -> Option<Term> {
    let (near, far) = (order.end(side), order.end(opposite(side)));
    if or_equal {
        return Some(if c == far {
            Term::bool(true)
        } else {
            order.strictly(terms, x, side, order.away(side, c))
        });
    }
    if c == near {
        return Some(Term::bool(false));
    }
    if c == order.away(side, near) {
        return Some(terms.equal(x, constant(order.sort, near)));
    }
    if c == far {
        let equal = terms.equal(x, constant(order.sort, c));
        return Some(terms.not(equal));
    }
    narrowed(terms, order, x, side, c)
        .or_else(|| range(terms, order, x, side, c))
        .or_else(|| sign(terms, order, x, side, c))
}

fn extension(terms: &Terms, a: Term) -> Option<(Op, Term)> {
    let op = terms.op_of(a)?;
    let is_extension = matches!(op, Op::ZeroExtend | Op::SignExtend);
    let x = terms.as_one(a, op).filter(|_| is_extension)?;
    Some((op, x))
}

/// The order of values before they were extended. Extended with zeros, no value is negative; extended with signs, both orders
/// stay the same.
fn before(order: Order, op: Op, width: u8) -> Order {
    Order { signed: order.signed && op == Op::SignExtend, sort: Sort::Bits(width) }
}

/// Operands that were extended in the same way, in their former width.
fn extended(terms: &mut Terms, order: Order, a: Term, b: Term) -> Option<(Order, Term, Term)> {
    let ((op, x), (other, y)) = (extension(terms, a)?, extension(terms, b)?);
    if op != other {
        return None;
    }
    let order = before(order, op, x.sort().width().max(y.sort().width()));
    Some((order, terms.apply(op, order.sort, &[x]), terms.apply(op, order.sort, &[y])))
}

/// An extended operand beside a constant.
fn narrowed(terms: &mut Terms, order: Order, a: Term, side: Side, c: u128) -> Option<Term> {
    let (op, x) = extension(terms, a)?;
    let narrow = before(order, op, x.sort().width());
    let extend = |terms: &mut Terms, value| {
        let value = constant(narrow.sort, value);
        terms.apply(op, order.sort, &[value]).constant()
    };
    if extend(terms, c) == Some(c) {
        return Some(narrow.strictly(terms, x, side, c & narrow.sort.mask()));
    }
    let (least, greatest) =
        (extend(terms, narrow.end(Side::Below))?, extend(terms, narrow.end(Side::Above))?);
    if order.is_less(greatest, c) {
        return Some(Term::bool(side == Side::Below));
    }
    if order.is_less(c, least) {
        return Some(Term::bool(side == Side::Above));
    }
    // Unsigned order of values that were extended with signs: the constant lies between the values without and those with the
    // sign bit.
    let negative = terms.compare(Op::SignedLess, x, constant(narrow.sort, 0));
    Some(if side == Side::Below { terms.not(negative) } else { negative })
}

/// Whether a value that was extended with zeros is in a range, which compilers write as an unsigned comparison
/// `x - low < count`. It becomes a comparison in the former width.
fn range(terms: &mut Terms, order: Order, a: Term, side: Side, c: u128) -> Option<Term> {
    let (wide, offset) = terms.as_two(a, Op::Add).filter(|_| !order.signed)?;
    let x = terms.as_one(wide, Op::ZeroExtend)?;
    let low = offset.constant()?.wrapping_neg() & order.sort.mask();
    // The number of values from `low` on that are in the range.
    let count = if side == Side::Below { c } else { c + 1 };
    let (narrow, most) = (Sort::Bits(x.sort().width()), x.sort().mask());
    if low > most || count > order.sort.mask() - low {
        return None;
    }
    let inside = if low + count > most {
        terms.compare(Op::UnsignedLessEqual, constant(narrow, low), x)
    } else {
        let place = terms.binary(Op::Add, x, constant(narrow, low.wrapping_neg()));
        terms.compare(Op::UnsignedLess, place, constant(narrow, count))
    };
    Some(if side == Side::Below { inside } else { terms.not(inside) })
}

/// Whether a value is negative: its highest part decides.
fn sign(terms: &mut Terms, order: Order, x: Term, side: Side, c: u128) -> Option<Term> {
    let (high, _) = terms.as_two(x, Op::Concat)?;
    let high_order = Order { signed: true, sort: high.sort() };
    match side {
        Side::Below if order.signed && c == 0 => Some(high_order.strictly(terms, high, side, 0)),
        Side::Above if order.signed && c == order.sort.mask() => {
            Some(high_order.strictly(terms, high, side, high.sort().mask()))
        }
        _ => None,
    }
}
