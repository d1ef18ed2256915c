//! Other forms into which compilers turn a relation or an operation, with the same meaning.

use super::expression::{Binary, Expression, Numbers, Operator};

/// A relation with the same meaning as another.
pub(super) struct Form {
    pub operator: Operator,
    pub left: Expression,
    pub right: Expression,
    /// The instruction of the constant whose neighbour stands on the right.
    pub adapts: Option<u32>,
}

/// A relation in all its forms: exchanged, and with the next constant.
pub(super) fn forms(found: Binary, a: &Expression, b: &Expression) -> Vec<Form> {
    let mut forms = Vec::new();
    let mut push = |operator: Operator, left: &Expression, right: &Expression, adapts: Option<u32>| {
        let exchanged = operator.exchanged();
        forms.push(Form { operator, left: left.clone(), right: right.clone(), adapts });
        let exchange = |operator| Form { operator, left: right.clone(), right: left.clone(), adapts: None };
        forms.extend(exchanged.map(exchange));
    };
    push(found.operator, a, b, None);
    let next = match (found.numbers, b.as_int()) {
        (Numbers::Float, _) | (_, None) => None,
        (_, Some(value)) => neighbour(found, value),
    };
    if let Some((operator, value)) = next {
        push(operator, a, &Expression::int(value), b.at);
    }
    // For a value that is never negative, not zero means greater than zero.
    match (found.operator, b.as_int()) {
        (Operator::NotEqual, Some(0)) => push(Operator::Greater, a, b, None),
        (Operator::Equal, Some(0)) => push(Operator::LessEqual, a, b, None),
        _ => {}
    }
    forms
}

/// The same relation of integers with the constant before or behind.
fn neighbour(found: Binary, value: i64) -> Option<(Operator, i64)> {
    Some(match found.operator {
        Operator::Greater => (Operator::GreaterEqual, value.checked_add(1)?),
        Operator::GreaterEqual => (Operator::Greater, value.checked_sub(1)?),
        Operator::Less => (Operator::LessEqual, value.checked_sub(1)?),
        Operator::LessEqual => (Operator::Less, value.checked_add(1)?),
        _ => return None,
    })
}

/// The source's operand for a constant, if the code uses the constant in a cheaper operation that does the same as `op`.
pub(super) fn strengthened(op: Operator, found: Operator, constant: i64) -> Option<i64> {
    let power = u32::try_from(constant).ok().and_then(|shift| 1i64.checked_shl(shift));
    match (op, found) {
        (Operator::Subtract, Operator::Add) => constant.checked_neg(),
        (Operator::Multiply, Operator::ShiftLeft) | (Operator::Divide, Operator::ShiftRight) => power,
        (Operator::Remainder, Operator::And) => constant.checked_add(1).filter(|n| n.count_ones() == 1),
        _ => None,
    }
}
