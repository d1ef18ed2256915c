//! Tells relations apart that say the same in other words.

use std::collections::HashSet;

use dodona_relations::ast::{BinaryOperator, Body, Expression, Name, Node, Relation, binary};
use dodona_relations::to_calls;
use dodona_simplify::{equivalent, simplify};
use dodona_target::Signature;

/// Relations of which no two say the same.
#[derive(Default)]
pub(crate) struct Distinct {
    seen: HashSet<String>,
    /// The relations, with the functions that each calls.
    said: Vec<(Vec<usize>, Relation)>,
}

impl Distinct {
    /// Adds a relation that calls these functions. Whether it says something that none before it says.
    pub(crate) fn add(&mut self, relation: &Relation, called: &[usize], functions: &[Signature]) -> bool {
        let shapes = [shape(relation, functions), shape(&simplify(relation, functions), functions)];
        let is_known = shapes.iter().any(|shape| self.seen.contains(shape));
        self.seen.extend(shapes);
        if is_known {
            return false;
        }
        let mut others = self.said.iter().filter(|(of, _)| of == called);
        if others.any(|(_, other)| equivalent(other, relation, functions)) {
            return false;
        }
        self.said.push((called.to_vec(), relation.clone()));
        true
    }
}

/// What a relation says, whatever its notation and the names of its variables, and whichever side of a comparison comes first.
pub(crate) fn shape(relation: &Relation, functions: &[Signature]) -> String {
    let relation = &to_calls(relation, functions).unwrap_or_else(|_| relation.clone());
    let Body::Calls(expect) = &relation.body else { return relation.to_string() };
    let mut names: Vec<String> = Vec::new();
    let mut renamed = |e: &Expression| {
        e.rewrite(&mut |part| {
            let Node::Name(name) = &part.node else { return None };
            let place = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            Some(Expression::name(format!("v{place}")))
        })
    };
    let expect = renamed(&in_one_order(expect));
    let condition = relation.condition.as_ref().map(|condition| renamed(&in_one_order(condition)));
    let bare = Relation {
        name: Name::new("r"),
        bindings: Vec::new(),
        function: None,
        condition,
        body: Body::Calls(expect),
        ..relation.clone()
    };
    // An equation is the same law, exact or not.
    bare.to_string().replace(" ~= ", " == ")
}

/// An expression in which comparisons are `<`, `<=` or equations with the shorter side first, and whole floats are written as integers.
fn in_one_order(e: &Expression) -> Expression {
    use BinaryOperator::{Approximate, Equal, Greater, GreaterEqual, NotEqual};
    e.rewrite(&mut |part| match &part.node {
        Node::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            Some(Expression::new(Node::Int(*number as i128)))
        }
        Node::Binary(operator @ (Greater | GreaterEqual), a, b) => {
            Some(binary(operator.flipped()?, in_one_order(b), in_one_order(a)))
        }
        Node::Binary(operator @ (Equal | NotEqual | Approximate), a, b) => {
            let mut sides = [in_one_order(a), in_one_order(b)];
            sides.sort_by_key(|side| {
                let text = side.to_string();
                (text.len(), text)
            });
            let [a, b] = sides;
            Some(binary(*operator, a, b))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use dodona_relations::parse;
    use dodona_target::{Parameter, Scalar, Type};

    use super::*;

    #[test]
    fn the_same_in_another_notation_or_order_is_said_once() {
        let number = Type::Scalar(Scalar::F64);
        let f =
            Signature::new("f", vec![Parameter::new("a", number), Parameter::new("b", number)], Some(number));
        let functions = [f];
        let said = |text: &str| {
            let file = parse(&format!("relation r{text}")).expect("it parses");
            shape(&file.relations[0], &functions)
        };
        for (one, other) in [
            (" of f: expect out >= 0.0", ": 0 <= f(a, b)"),
            (": (1.0 == f(a, b)) == (a == b)", ": (f(a, b) == 1) == (b == a)"),
            (" of f: given a' = b, b' = a expect out' ~= out", ": f(a, b) == f(b, a)"),
        ] {
            assert_eq!(said(one), said(other));
        }
        assert_ne!(said(" of f: expect out >= 0.0"), said(": f(a, b) <= 0"));
    }
}
