//! Converts terms to expressions.

use dodona_relations::ast::{BinaryOperator as B, Expression, Name, Node, UnaryOperator};
use dodona_relations::{parse_expression, precedence};
use egg::RecExpr;

use super::term::{Constant, Operator, Term};

/// A whole term as an expression; `None` if an operator has a wrong number of operands.
pub(super) fn expression(term: &RecExpr<Term>) -> Option<Expression> {
    let mut written_so_far: Vec<Expression> = Vec::with_capacity(term.len());
    for node in term {
        let operands = node.operands.iter().map(|id| written_so_far[usize::from(*id)].clone()).collect();
        written_so_far.push(written(&node.operator, operands)?);
    }
    written_so_far.pop()
}

/// The expression of an operator whose operands have already been converted.
pub(super) fn written(operator: &Operator, operands: Vec<Expression>) -> Option<Expression> {
    let mut boxed = operands.iter().cloned().map(Box::new);
    let mut next = || boxed.next();
    let node = match operator {
        Operator::Constant(constant) => return Some(literal(constant)),
        Operator::Name(name) => Node::Name(name.clone()),
        Operator::Negate => Node::Unary(UnaryOperator::Negate, next()?),
        Operator::Not => Node::Unary(UnaryOperator::Not, next()?),
        Operator::Binary(operator) => {
            let (a, b) = (next()?, next()?);
            Node::Binary(compared(*operator, &a, &b), a, b)
        }
        Operator::Word(word) => Node::Call { function: Name::new(word.name), arguments: operands },
        Operator::Index => Node::Index(next()?, next()?),
        Operator::Slice => Node::Slice(next()?, Some(next()?), Some(next()?)),
        Operator::SliceFrom => Node::Slice(next()?, Some(next()?), None),
        Operator::SliceTo => Node::Slice(next()?, None, Some(next()?)),
        Operator::Sequence(_) => Node::Sequence(operands),
        Operator::Call(callee) => {
            Node::Call { function: Name::new(callee.name.clone()), arguments: operands }
        }
        Operator::Select(output) => Node::Select(next()?, Name::new(output.clone())),
        Operator::Traps => Node::Traps(next()?),
        Operator::Written(text) => return parse_expression(text).ok(),
    };
    Some(Expression::new(node))
}

/// The expression of a literal.
pub(super) fn literal(constant: &Constant) -> Expression {
    Expression::new(match constant {
        Constant::Bool(b) => Node::Bool(*b),
        Constant::Int(i) => Node::Int(*i),
        Constant::Float(bits) => Node::Float(f64::from_bits(*bits)),
        Constant::Text(text) => Node::Text(text.clone()),
    })
}

/// Writes `iff` as `==` and `xor` as `!=` if both sides need no parentheses beside those signs.
fn compared(operator: B, a: &Expression, b: &Expression) -> B {
    let tight = |e: &Expression| match &e.node {
        Node::Binary(operator, ..) => precedence::of(*operator) > precedence::COMPARISON,
        Node::Unary(operator, _) => *operator != UnaryOperator::Not,
        Node::Traps(_) => false,
        _ => true,
    };
    match operator {
        B::Iff if tight(a) && tight(b) => B::Equal,
        B::Xor if tight(a) && tight(b) => B::NotEqual,
        operator => operator,
    }
}
