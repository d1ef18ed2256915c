//! Trees made by a program, without positions in a text.
//!
//! ```
//! use dodona_relations::ast::{BinaryOperator as B, Expression, binary, call, chain, int, not, parts};
//!
//! let long = binary(B::Less, int(3), call("len", vec![Expression::name("s")]));
//! let both = chain(B::And, [long, not(Expression::name("b"))]).unwrap();
//! assert_eq!(both.to_string(), "3 < len(s) and not b");
//! assert_eq!(parts(B::And, &both).len(), 2);
//! ```

use super::{BinaryOperator, Expression, Name, Node, UnaryOperator};

/// `a + b` and the like.
pub fn binary(operator: BinaryOperator, a: Expression, b: Expression) -> Expression {
    Expression::new(Node::Binary(operator, Box::new(a), Box::new(b)))
}

/// `-a`.
pub fn negative(a: Expression) -> Expression {
    Expression::new(Node::Unary(UnaryOperator::Negate, Box::new(a)))
}

/// `not a`.
pub fn not(a: Expression) -> Expression {
    Expression::new(Node::Unary(UnaryOperator::Not, Box::new(a)))
}

/// An integer literal.
pub fn int(i: impl Into<i128>) -> Expression {
    Expression::new(Node::Int(i.into()))
}

/// A call of a function, or of a word of the language: `len(s)`.
pub fn call(function: impl Into<String>, arguments: Vec<Expression>) -> Expression {
    Expression::new(Node::Call { function: Name::new(function), arguments })
}

/// An output of a call: `f(x).stdout`, or the call itself where the output needs no selector.
pub fn output(call: Expression, selector: Option<&str>) -> Expression {
    match selector {
        None => call,
        Some(selector) => Expression::new(Node::Select(Box::new(call), Name::new(selector))),
    }
}

/// The parts joined from left to right by an operator. `None` if there are no parts.
pub fn chain(operator: BinaryOperator, parts: impl IntoIterator<Item = Expression>) -> Option<Expression> {
    parts.into_iter().reduce(|a, b| binary(operator, a, b))
}

/// The parts that an operator joins, such as those of a chain of `and`, in order.
pub fn parts(operator: BinaryOperator, e: &Expression) -> Vec<Expression> {
    match &e.node {
        Node::Binary(inner, a, b) if *inner == operator => [parts(operator, a), parts(operator, b)].concat(),
        _ => vec![e.clone()],
    }
}
