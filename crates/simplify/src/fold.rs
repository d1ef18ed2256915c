//! Operators on literals, computed as the language computes them.

use dodona_subject::{Calls, Column, Value};

use super::facts::Facts;
use super::term::{Constant, Operator};
use super::write::written;
use dodona_relations::ast::{BinaryOperator, Expression, Node};
use dodona_relations::{CallError, Caller, evaluate_expression};

/// Literals call nothing.
struct Nobody;

impl Caller for Nobody {
    fn call(&mut self, _: usize, _: &[Column]) -> Result<Calls, CallError> {
        Err(CallError::new("literals call nothing"))
    }
}

/// The result where all operands are literals. `None` where it is undefined or no literal itself.
pub(super) fn fold(operator: &Operator, operands: &[&Facts]) -> Option<Constant> {
    let literals: Option<Vec<Expression>> =
        operands.iter().map(|o| o.constant.as_ref().map(literal)).collect();
    let foldable = match operator {
        // What is near depends on the relation's tolerance.
        Operator::Binary(operator) => *operator != BinaryOperator::Approximate,
        Operator::Negate | Operator::Not | Operator::Word(_) | Operator::Index => true,
        Operator::Slice | Operator::SliceFrom | Operator::SliceTo => true,
        _ => false,
    };
    let e = written(operator, literals.filter(|_| foldable)?)?;
    match evaluate_expression(&e, &[], &mut Nobody).ok()?.value? {
        Value::Bool(b) => Some(Constant::Bool(b)),
        Value::Int(i) => Some(Constant::Int(i)),
        Value::Float(x) => x.is_finite().then(|| Constant::Float(x.to_bits())),
        Value::Text(text) => Some(Constant::Text(text)),
        Value::Sequence(_) => None,
    }
}

/// A literal as it is written.
pub(super) fn literal(constant: &Constant) -> Expression {
    Expression::new(match constant {
        Constant::Bool(b) => Node::Bool(*b),
        Constant::Int(i) => Node::Int(*i),
        Constant::Float(bits) => Node::Float(f64::from_bits(*bits)),
        Constant::Text(text) => Node::Text(text.clone()),
    })
}
