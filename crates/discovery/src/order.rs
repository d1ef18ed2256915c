//! What follows from the order of a parameter: if a greater altitude never gives more, then neither does an altitude that is 0.017 greater, and one that is set to the
//! least that there is never gives less.

use dodona_relations::ast::{BinaryOperator, Body, Expression, Node, Relation};
use dodona_relations::to_primed;
use dodona_target::{Parameter, Signature};

/// That a result never falls, or never rises, with a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ordered {
    function: String,
    parameter: String,
    rises: bool,
}

impl Ordered {
    /// What a relation says of an order, if it is such a one without a condition of its own: `when x <= other: f(x) <= f(other)`.
    pub(crate) fn of(relation: &Relation, functions: &[Signature]) -> Option<Ordered> {
        let (function, relation) = primed(relation, functions)?;
        let Body::Primed { given, expect } = &relation.body else { return None };
        let [assignment] = &given[..] else { return None };
        let condition = comparison(relation.condition.as_ref()?)?;
        let parameter = &assignment.parameter.text;
        let Node::Name(other) = &assignment.value.node else { return None };
        let is_greater = condition == (parameter.clone(), other.clone());
        let rises = match comparison(expect)? {
            (a, b) if (a.as_str(), b.as_str()) == ("out", "out'") => true,
            (a, b) if (a.as_str(), b.as_str()) == ("out'", "out") => false,
            _ => return None,
        };
        is_greater.then(|| Ordered { function, parameter: parameter.clone(), rises })
    }

    /// Whether a relation follows from this order, whatever its condition.
    pub(crate) fn implies(&self, relation: &Relation, functions: &[Signature]) -> bool {
        let Some((function, relation)) = primed(relation, functions) else { return false };
        let Body::Primed { given, expect } = &relation.body else { return false };
        let [assignment] = &given[..] else { return false };
        let declared = functions.iter().find(|one| one.name == function);
        let parameter = declared.and_then(|f| f.parameters.iter().find(|p| p.name == self.parameter));
        let Some(parameter) = parameter else { return false };
        if function != self.function || assignment.parameter.text != self.parameter {
            return false;
        }
        let Some(is_greater) = is_greater(&assignment.value, parameter) else { return false };
        let Node::Binary(BinaryOperator::LessEqual | BinaryOperator::GreaterEqual, ..) = expect.node else {
            return false;
        };
        comparison(expect).is_some_and(|(a, b)| {
            let never_less = (a.as_str(), b.as_str()) == ("out", "out'");
            let never_more = (a.as_str(), b.as_str()) == ("out'", "out");
            if is_greater == self.rises { never_less } else { never_more }
        })
    }
}

/// A relation in the notation of pairs, with its function.
fn primed(relation: &Relation, functions: &[Signature]) -> Option<(String, Relation)> {
    let relation = to_primed(relation, functions)?;
    let function = relation.function.as_ref()?.text.clone();
    Some((function, relation))
}

/// The smaller and the greater side of a comparison of two names.
fn comparison(e: &Expression) -> Option<(String, String)> {
    let name = |e: &Expression| match &e.node {
        Node::Name(name) => Some(name.clone()),
        Node::Primed(name) => Some(format!("{name}'")),
        _ => None,
    };
    let Node::Binary(operator, a, b) = &e.node else { return None };
    let (a, b) = (name(a)?, name(b)?);
    match operator {
        BinaryOperator::Less | BinaryOperator::LessEqual => Some((a, b)),
        BinaryOperator::Greater | BinaryOperator::GreaterEqual => Some((b, a)),
        _ => None,
    }
}

/// Whether a new value of a parameter is always at least as great as before, or at most; `None` where that is not known.
fn is_greater(value: &Expression, parameter: &Parameter) -> Option<bool> {
    let number = |e: &Expression| match e.node {
        Node::Int(number) => Some(number as f64),
        Node::Float(number) => Some(number),
        _ => None,
    };
    if let Some(number) = number(value) {
        let ranges = &parameter.domain.numbers.ranges;
        let (low, high) = (ranges.first()?.low.as_f64(), ranges.last()?.high.as_f64());
        return match (number <= low, number >= high) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        };
    }
    let Node::Binary(operator, a, b) = &value.node else { return None };
    let by = number(b).filter(|_| a.is_name(&parameter.name))?;
    match operator {
        BinaryOperator::Add => Some(by >= 0.0),
        BinaryOperator::Subtract => Some(by <= 0.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use dodona_relations::parse;
    use dodona_target::{Scalar, Type};

    use super::*;

    fn relation(text: &str) -> Relation {
        parse(&format!("relation r{text}")).expect("it parses").relations.remove(0)
    }

    #[test]
    fn steps_follow_from_an_order_and_other_changes_do_not() {
        let number = Type::Scalar(Scalar::I32);
        let functions = [Signature::new(
            "f",
            vec![Parameter::new("x", number), Parameter::new("y", number)],
            Some(number),
        )];
        let falls = relation("(other: f.x): when x <= other: f(x, y) >= f(other, y)");
        let order = Ordered::of(&falls, &functions).expect("it is an order");
        let follows = |text: &str| order.implies(&relation(text), &functions);
        assert!(follows(" of f: given x' = x + 3 expect out' <= out"));
        assert!(follows(" of f: when y > 2: given x' = x - 3 expect out' >= out"));
        assert!(follows(": f(x - 1, y) >= f(x, y)"));
        for other in [
            " of f: given x' = x + 3 expect out' < out",
            " of f: given x' = x + 3 expect out' >= out",
            " of f: given y' = y + 3 expect out' <= out",
            " of f: given x' = x + 3, y' = y + 1 expect out' <= out",
            " of f: given x' = 7 expect out' <= out",
        ] {
            assert!(!follows(other), "{other}");
        }
        let under_a_condition = relation("(other: f.x): when x <= other and y > 0: f(x, y) >= f(other, y)");
        assert_eq!(Ordered::of(&under_a_condition, &functions), None);
    }
}
