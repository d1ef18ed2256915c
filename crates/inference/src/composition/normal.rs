//! Normal forms of relations, by which one sees which relations say the same if numbers are real.
//!
//! Numbers are taken as exact real numbers here: `x + 2*pi - 2*pi` is x, although floats may differ in their last bits.

use std::collections::BTreeSet;

use dodona_relations::ast::{BinaryOperator as B, Body, Expression, Node, Relation, UnaryOperator};

use super::Comparison;
use super::polynomial::Polynomial;
use dodona_laws::Ratio;

/// The highest power that is multiplied out.
const MOST_POWER: i128 = 16;

/// What a relation says, without its name and tolerance: two relations with the same normal form say the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NormalForm {
    bindings: BTreeSet<String>,
    conditions: BTreeSet<String>,
    comparison: Option<Comparison>,
    sides: [String; 2],
}

impl NormalForm {
    pub(super) fn of(relation: &Relation) -> NormalForm {
        let binding = |b: &dodona_relations::ast::Binding| {
            format!("{}: {}.{}", b.variable.text, b.function.text, b.parameter.text)
        };
        let mut conditions = BTreeSet::new();
        relation.condition.iter().for_each(|c| conjuncts(c, &mut conditions));
        let (comparison, sides) = match &relation.body {
            Body::Calls(expect) => compared(expect),
            primed => (None, [primed.to_string(), String::new()]),
        };
        NormalForm {
            bindings: relation.bindings.iter().map(binding).collect(),
            conditions,
            comparison,
            sides,
        }
    }

    /// Whether it says nothing, because both sides are the same expression. Only rounding can violate it.
    pub(super) fn is_trivial(&self) -> bool {
        let reflexive = !matches!(self.comparison, None | Some(Comparison::Less | Comparison::Greater));
        reflexive && self.sides[0] == self.sides[1]
    }
}

/// The comparison and its sides, in an order that does not depend on how they are written.
fn compared(expect: &Expression) -> (Option<Comparison>, [String; 2]) {
    let Node::Binary(operator, a, b) = &expect.node else { return (None, [key(expect), String::new()]) };
    let Some(comparison) = Comparison::of(*operator) else { return (None, [key(expect), String::new()]) };
    let (a, b) = (key(a), key(b));
    match comparison {
        Comparison::Greater | Comparison::GreaterEqual => (Some(comparison.flipped()), [b, a]),
        Comparison::Equal | Comparison::Approximate if b < a => (Some(comparison), [b, a]),
        _ => (Some(comparison), [a, b]),
    }
}

fn conjuncts(e: &Expression, found: &mut BTreeSet<String>) {
    match &e.node {
        Node::Binary(B::And, a, b) => [a, b].into_iter().for_each(|part| conjuncts(part, found)),
        _ => drop(found.insert(key(e))),
    }
}

/// The text of the normal form of an expression.
pub(super) fn key(e: &Expression) -> String {
    polynomial(e).to_string()
}

fn polynomial(e: &Expression) -> Polynomial {
    arithmetic(e).unwrap_or_else(|| Polynomial::atom(atom(e)))
}

/// The polynomial of a sum, product, power or number; `None` for everything else.
fn arithmetic(e: &Expression) -> Option<Polynomial> {
    let minus = Polynomial::constant(Ratio::whole(-1));
    match &e.node {
        Node::Int(n) => Some(Polynomial::constant(Ratio::whole(*n))),
        Node::Float(x) => Ratio::from_float(*x).map(Polynomial::constant),
        Node::Unary(UnaryOperator::Negate, a) => polynomial(a).times(&minus),
        Node::Binary(B::Add, a, b) => polynomial(a).plus(&polynomial(b)),
        Node::Binary(B::Subtract, a, b) => polynomial(a).plus(&polynomial(b).times(&minus)?),
        Node::Binary(B::Multiply, a, b) => polynomial(a).times(&polynomial(b)),
        Node::Binary(B::Divide, a, b) => {
            let inverse = polynomial(b).value().and_then(Ratio::inverse)?;
            polynomial(a).times(&Polynomial::constant(inverse))
        }
        Node::Binary(B::Power, a, n) => {
            let n =
                polynomial(n).value().and_then(Ratio::integer).filter(|n| (0..=MOST_POWER).contains(n))?;
            polynomial(a).power(u32::try_from(n).ok()?)
        }
        _ => None,
    }
}

/// The normal form of an expression that is neither a sum nor a product.
fn atom(e: &Expression) -> String {
    let parts: Vec<String> = e.children().into_iter().map(key).collect();
    match &e.node {
        Node::Name(name) => name.clone(),
        Node::Call { function, .. } => {
            format!("{}({})", function.text, ordered(&function.text, parts).join(", "))
        }
        Node::Binary(operator, ..) => {
            let word = operator.word();
            format!("({})", ordered(word, parts).join(&format!(" {word} ")))
        }
        Node::Unary(operator, _) => format!("({operator:?} {})", parts[0]),
        Node::Select(_, output) => format!("{}.{}", parts[0], output.text),
        Node::Index(..) => format!("{}[{}]", parts[0], parts[1]),
        Node::Slice(_, from, to) => {
            format!(
                "{}[{}..{}]",
                parts[0],
                from.as_deref().map(key).unwrap_or_default(),
                to.as_deref().map(key).unwrap_or_default()
            )
        }
        Node::Traps(_) => format!("({} traps)", parts[0]),
        Node::Sequence(_) => format!("[{}]", parts.join(", ")),
        _ => e.to_string(),
    }
}

/// The operands of an operator or word, sorted where their order does not matter.
fn ordered(word: &str, mut operands: Vec<String>) -> Vec<String> {
    if ["and", "or", "xor", "iff", "==", "~=", "!=", "min", "max"].contains(&word) {
        operands.sort();
    }
    operands
}

#[cfg(test)]
mod tests {
    use dodona_relations::{parse, parse_expression};
    use proptest::prelude::*;

    use super::*;

    fn normal(text: &str) -> String {
        key(&parse_expression(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}")))
    }

    #[test]
    fn expressions_that_are_equal_for_real_numbers_have_one_form() {
        for [a, b] in [
            ["x + 2*pi - 2*pi", "x"],
            ["-(-x)", "x"],
            ["(x - pi/2) + 2*pi", "x + 3*pi/2"],
            ["2*(2*cos(x)^2 - 1)^2 - 1", "8*cos(x)^4 - 8*cos(x)^2 + 1"],
            ["2 * -sin(x) * cos(x)", "-2 * cos(x) * sin(-(-x))"],
            ["0.5*x + x/2", "x"],
            ["min(a, b + 0)", "min(b, a)"],
            ["1 == a and b", "b and a == 2 - 1"],
        ] {
            assert_eq!(normal(a), normal(b), "{a} and {b}");
        }
    }

    #[test]
    fn other_expressions_have_other_forms() {
        let all = [
            "x",
            "-x",
            "x + 1",
            "2*x",
            "x^2",
            "sin(x)",
            "sin(-x)",
            "cos(x)",
            "x/y",
            "y/x",
            "x - y",
            "y - x",
            "x div 2",
            "x / 2",
            "xs[1]",
            "xs[1..]",
            "xs[..1]",
            "[x]",
            "not x",
            "x < y",
            "y < x",
            "\"x\"",
            "f(x).a",
            "f(x).b",
            "f(x) traps",
        ];
        let forms: BTreeSet<String> = all.iter().map(|text| normal(text)).collect();
        assert_eq!(forms.len(), all.len(), "{forms:?}");
    }

    #[test]
    fn relations_with_exchanged_sides_or_conditions_have_one_form() {
        let form = |text: &str| NormalForm::of(&parse(text).expect("a relation").relations[0]);
        assert_eq!(form("relation a: f(x) >= g(x) + 1"), form("relation b: 1 + g(x) <= f(x)"));
        assert_eq!(form("relation a: f(-x) ~= f(x) within 1e-6"), form("relation b: f(x) ~= f(-x)"));
        assert_eq!(
            form("relation a: when x > 0 and y > 0: f(x) == y"),
            form("relation b: when y > 0 and x > 0: y == f(x)")
        );
        assert_ne!(form("relation a: when x > 0: f(x) == y"), form("relation b: f(x) == y"));
        assert_ne!(form("relation a: f(x) <= y"), form("relation a: f(x) >= y"));
        assert!(form("relation a: f(x + 1 - 1) <= f(x)").is_trivial());
        assert!(!form("relation a: f(x + 1 - 1) < f(x)").is_trivial());
        assert!(!form("relation a: f(x + 1 - 2) == f(x)").is_trivial());
    }

    proptest! {
        #[test]
        fn the_form_keeps_the_value(a in -9i64..9, b in -9i64..9, n in 0u32..4) {
            // (x + a) * (x - b)^n, multiplied out, is a constant where x is one.
            let value = i128::from(7 + a) * i128::from(7 - b).pow(n);
            prop_assert_eq!(normal(&format!("(7 + {a}) * (7 - ({b}))^{n}")), value.to_string());
            prop_assert_eq!(
                normal(&format!("(x + {a}) * (x - ({b}))^{n} - x^{n} * x")),
                normal(&format!("-(x * x^{n}) + (x - ({b}))^{n} * x + {a} * (x - ({b}))^{n}"))
            );
        }
    }
}
