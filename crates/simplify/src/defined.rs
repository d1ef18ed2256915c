//! The range of an operator's result, and whether the result is defined whenever the operands are.

use dodona_relations::ast::BinaryOperator as B;
use dodona_relations::check::{Element, Ty};
use dodona_relations::plan::{Gives, Op, Word};

use super::facts::{Facts, is_whole};
use super::range::Range;
use super::term::{Constant, Operator};
use super::typing::is_natural;

/// The range of the result, and whether the result is defined wherever all operands are.
pub(super) fn result(operator: &Operator, operands: &[&Facts]) -> (Range, bool) {
    match (operator, operands) {
        (Operator::Negate, [a]) => checked(a.ty, a.range.negate()),
        (Operator::Binary(operator), [a, b]) => binary(*operator, a, b),
        (Operator::Word(word), [a, rest @ ..]) => self::word(word, a, rest),
        (Operator::Index, [s, ..]) => (s.range, false),
        (Operator::Slice | Operator::SliceFrom | Operator::SliceTo, [s, ..]) => (s.range, false),
        (Operator::Sequence(Element::Int), items) => {
            (items.iter().map(|i| i.range).reduce(Range::join).unwrap_or(Range::one(0)), true)
        }
        (Operator::Not | Operator::Sequence(_), _) => (Range::ALL, true),
        _ => (Range::ALL, false),
    }
}

/// For operators that are exact on integers, undefined on overflow, and never undefined on floats.
fn checked(ty: Ty, range: Option<Range>) -> (Range, bool) {
    match ty {
        Ty::Number => (Range::ALL, false),
        ty if is_whole(ty) => (range.unwrap_or(Range::ALL), range.is_some()),
        _ => (Range::ALL, true),
    }
}

fn binary(operator: B, a: &Facts, b: &Facts) -> (Range, bool) {
    let both = match (a.ty, b.ty) {
        (a, b) if is_whole(a) && is_whole(b) => Ty::Int,
        (Ty::Float | Ty::Sequence(Element::Float), _) | (_, Ty::Float | Ty::Sequence(Element::Float)) => {
            Ty::Float
        }
        _ => Ty::Number,
    };
    match operator {
        B::Add => checked(both, a.range.add(b.range)),
        B::Subtract => checked(both, a.range.subtract(b.range)),
        B::Multiply => checked(both, a.range.multiply(b.range)),
        B::Divide => (Range::ALL, divides(a, b)),
        B::Power if both == Ty::Float => (Range::ALL, true),
        B::Power => power(a, b),
        B::Quotient => (quotient(a, b), both == Ty::Int && divides(a, b)),
        B::Remainder => (a.range.remainder(b.range), both == Ty::Int && !b.range.contains(0)),
        _ => (Range::ALL, true),
    }
}

/// Whether a quotient is surely defined: the divisor is not zero, and the result is not 2^127 (`i128::MIN / -1`).
fn divides(a: &Facts, b: &Facts) -> bool {
    match (a.ty, b.ty, &b.constant) {
        (Ty::Int, Ty::Int, _) => !b.range.contains(0) && a.range.low > i128::MIN,
        (_, _, Some(Constant::Float(bits))) => f64::from_bits(*bits) != 0.0,
        (Ty::Float, _, Some(Constant::Int(i))) => *i != 0,
        _ => false,
    }
}

fn quotient(a: &Facts, b: &Facts) -> Range {
    match a.range.abs() {
        // The quotient is never farther from zero than the dividend, whatever the signs.
        Some(sizes) if !b.range.contains(0) => Range { low: -sizes.high, high: sizes.high },
        _ => Range::ALL,
    }
}

fn power(a: &Facts, b: &Facts) -> (Range, bool) {
    match b.constant {
        Some(Constant::Int(n)) if a.ty == Ty::Int && is_natural(b) => checked(a.ty, a.range.power(n)),
        _ => (Range::ALL, false),
    }
}

fn word(word: &Word, a: &Facts, rest: &[&Facts]) -> (Range, bool) {
    match word.op {
        Op::Abs => checked(a.ty, a.range.abs()),
        Op::Sum => checked(a.ty, a.range.total()),
        Op::Min if a.ty == rest[0].ty => (a.range.min(rest[0].range), true),
        Op::Max if a.ty == rest[0].ty => (a.range.max(rest[0].range), true),
        Op::Min | Op::Max => (Range::ALL, true),
        Op::Floor | Op::Ceil => (a.range, true),
        Op::Remove | Op::Truncate => (a.range, rest[0].ty == Ty::Int),
        _ => {
            let moved = [a].into_iter().chain(rest.iter().copied()).take(word.moves).map(|o| o.range);
            let all = if word.gives == Gives::Count { Range::LENGTH } else { Range::ALL };
            (moved.reduce(Range::join).unwrap_or(all), word.total)
        }
    }
}

/// The truth of a comparison of two integers, if their ranges decide it.
pub(super) fn decided(operator: &Operator, operands: &[&Facts]) -> Option<Constant> {
    let (Operator::Binary(operator), [a, b]) = (operator, operands) else { return None };
    if a.ty != Ty::Int || b.ty != Ty::Int {
        return None;
    }
    let (a, b) = (a.range, b.range);
    let apart = a.high < b.low || b.high < a.low;
    let truth = match operator {
        B::Less if a.high < b.low => true,
        B::Less if a.low >= b.high => false,
        B::LessEqual if a.high <= b.low => true,
        B::LessEqual if a.low > b.high => false,
        B::Equal if apart => false,
        B::NotEqual if apart => true,
        _ => return None,
    };
    Some(Constant::Bool(truth))
}
