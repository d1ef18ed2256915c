//! The form of an output relation: what a relation expects of outputs, with the arguments of calls and the constants left out.
//!
//! Constants are left out because k-MR coverage counts relations that differ in form, and `out' == out + 15` says the same kind of thing
//! as `out' == out + 25`.

use dodona_target::Signature;

use crate::ast::{Body, Expression, Node, Relation};
use crate::primed::to_primed;

/// The form of a relation's output relation, as text. Two relations have the same form if they expect the same of the outputs
/// of their calls, apart from constants and whatever the inputs are: `f(x + 1) >= f(x)` and `f(2 * x) >= f(x)` have the same
/// form, and `f(-x) == -f(x)` has another one.
///
/// ```
/// use dodona_relations::{output_form, parse};
/// # use dodona_target::{Parameter, Scalar, Signature, Type};
/// # let number = Type::Scalar(Scalar::F64);
/// # let f = Signature::new("f", vec![Parameter::new("x", number)], Some(number));
/// let form = |text: &str| output_form(&parse(&format!("relation r: {text}")).unwrap().relations[0], &[f.clone()]);
/// assert_eq!(form("f(x + 1) >= f(x)"), form("f(2 * x) >= f(x)"));
/// assert_eq!(form("f(x + 1) == f(x) + 2"), form("f(-x) == f(x) + 15"));
/// assert_ne!(form("f(-x) == -f(x)"), form("f(-x) == f(x)"));
/// ```
pub fn output_form(relation: &Relation, functions: &[Signature]) -> String {
    let primed = to_primed(relation, functions);
    let expect = match &primed.as_ref().unwrap_or(relation).body {
        Body::Primed { expect, .. } | Body::Calls(expect) => expect.clone(),
    };
    let mut calls: Vec<Expression> = Vec::new();
    abstracted(&expect, functions, &mut calls).to_string()
}

/// The expression with a name for each call, for constants, and for parameters.
fn abstracted(e: &Expression, functions: &[Signature], calls: &mut Vec<Expression>) -> Expression {
    e.rewrite(&mut |e| match &e.node {
        Node::Call { function, .. } if functions.iter().any(|f| f.name == function.text) => {
            let number = calls.iter().position(|call| call == e).unwrap_or_else(|| {
                calls.push(e.clone());
                calls.len() - 1
            });
            Some(Expression::name(format!("call{number}")))
        }
        Node::Int(_) | Node::Float(_) | Node::Text(_) => Some(Expression::name("constant")),
        Node::Name(name) if name != "out" => Some(Expression::name("input")),
        _ => None,
    })
}
