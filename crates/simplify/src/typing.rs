//! The types of terms, as the checker gives them.

use dodona_relations::ast::BinaryOperator as B;
use dodona_relations::check::{Element, Ty};

use super::facts::Facts;
use super::term::{Constant, Operator};

/// The type of an operator's result.
pub(super) fn result(operator: &Operator, operands: &[&Facts]) -> Ty {
    let first = operands.first().map_or(Ty::Bool, |o| o.ty);
    match operator {
        Operator::Negate | Operator::Slice | Operator::SliceFrom | Operator::SliceTo => first,
        Operator::Index => match first {
            Ty::Sequence(element) => element.scalar(),
            ty => ty,
        },
        Operator::Sequence(element) => Ty::Sequence(*element),
        Operator::Binary(operator) => binary(*operator, operands[0], operands[1]),
        Operator::Word(word) => word.result(&operands.iter().map(|o| o.ty).collect::<Vec<_>>()),
        _ => Ty::Bool,
    }
}

fn binary(operator: B, a: &Facts, b: &Facts) -> Ty {
    match operator {
        B::Add | B::Subtract | B::Multiply => match (a.ty, b.ty) {
            (Ty::Sequence(e), n) | (n, Ty::Sequence(e)) => Ty::Sequence(elementwise(e, n)),
            (a, b) => a.mix(b),
        },
        B::Divide | B::Power if a.ty.mix(b.ty) == Ty::Float => Ty::Float,
        B::Power if a.ty == Ty::Int && is_natural(b) => Ty::Int,
        B::Divide | B::Power => Ty::Number,
        B::Quotient | B::Remainder => Ty::Int,
        _ => Ty::Bool,
    }
}

fn elementwise(element: Element, number: Ty) -> Element {
    if element != Element::Float && number == Ty::Int { Element::Int } else { Element::Float }
}

/// Whether it is a constant integer >= 0: with such an exponent a power of an integer is an integer.
pub(super) fn is_natural(exponent: &Facts) -> bool {
    matches!(exponent.constant, Some(Constant::Int(0..)))
}

/// Whether the result is of single precision: the operator does not round, and its operands are of single precision.
pub(super) fn stays_single(operator: &Operator, operands: &[&Facts]) -> bool {
    let moved = match operator {
        Operator::Negate | Operator::Index | Operator::Slice | Operator::SliceFrom | Operator::SliceTo => 1,
        Operator::Word(word) => word.moves,
        _ => 0,
    };
    moved > 0 && operands[..moved].iter().all(|o| o.single)
}
