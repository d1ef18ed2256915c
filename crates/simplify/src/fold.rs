//! Evaluates operators on literals with the language's own evaluator.

use dodona_relations::ast::{BinaryOperator, Expression};
use dodona_relations::evaluate_expression;
use dodona_target::{CallError, Caller, Calls, Column, Value};

use super::facts::Facts;
use super::term::{Constant, Operator};
use super::write::{literal, written};

/// A caller for expressions of literals, which make no calls.
struct Nobody;

impl Caller for Nobody {
    fn call(&mut self, _: usize, _: &[Column]) -> Result<Calls, CallError> {
        Err(CallError::new("literals call nothing"))
    }
}

/// The result if all operands are literals. `None` if the result is undefined or cannot be written as a literal.
pub(super) fn fold(operator: &Operator, operands: &[&Facts]) -> Option<Constant> {
    let literals: Option<Vec<Expression>> =
        operands.iter().map(|o| o.constant.as_ref().map(literal)).collect();
    let foldable = match operator {
        // The result of `~=` depends on the relation's tolerance.
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
