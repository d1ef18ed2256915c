//! Laws of descriptions: what is written reads back as what is meant.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::expression::{Binary, Expression, Kind, Numbers, Operator, Unary};
use super::forms::{forms, strengthened};
use super::render::{Known, Renderer, Signs};
use super::source_matching::Matcher;
use crate::source::language::Language;
use crate::source::parse::{Node, NodeKind, on_line};
use crate::source::tokens::tokens;

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Values of [`NAMES`].
type Values = [i32; 3];

fn operator() -> impl Strategy<Value = Operator> {
    let symbols = vec!["*", "+", "-", "<<", ">>", "&", "^", "|", "<", "<=", ">", ">=", "==", "!="];
    prop::sample::select(symbols).prop_map(|s| Operator::of_symbol(s).expect("an operator"))
}

fn relation() -> impl Strategy<Value = Operator> {
    operator().prop_filter("a relation", |o| o.is_relation())
}

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    let op = Binary { operator, numbers: Numbers::Signed };
    Expression::new(Kind::Binary(op, left.into(), right.into()))
}

fn not(inner: Expression) -> Expression {
    Expression::new(Kind::Unary(Unary::Not, inner.into()))
}

/// Integer expressions of a few variables.
fn expression() -> impl Strategy<Value = Expression> {
    let local = |index: usize| {
        Expression::new(Kind::Local { index: index as u32, name: Some(NAMES[index].to_owned()) })
    };
    let leaf = prop_oneof![(0..NAMES.len()).prop_map(local), (-3i64..40).prop_map(Expression::int)];
    leaf.prop_recursive(4, 12, 3, |inner| {
        let select = |(condition, then, otherwise): (Expression, Expression, Expression)| {
            let [condition, then, otherwise] = [condition, then, otherwise].map(Box::new);
            Expression::new(Kind::Select { condition, then, otherwise })
        };
        prop_oneof![
            4 => (operator(), inner.clone(), inner.clone()).prop_map(|(op, l, r)| binary(op, l, r)),
            1 => inner.clone().prop_map(not),
            1 => (inner.clone(), inner.clone(), inner).prop_map(select),
        ]
    })
}

fn apply(operator: Operator, x: i32, y: i32) -> i32 {
    match operator {
        Operator::Multiply => x.wrapping_mul(y),
        Operator::Divide => x.checked_div(y).unwrap_or(0),
        Operator::Remainder => x.checked_rem(y).unwrap_or(0),
        Operator::Add => x.wrapping_add(y),
        Operator::Subtract => x.wrapping_sub(y),
        Operator::ShiftLeft => x.wrapping_shl(y as u32),
        Operator::ShiftRight => x.wrapping_shr(y as u32),
        Operator::And => x & y,
        Operator::Xor => x ^ y,
        Operator::Or => x | y,
        Operator::Less => (x < y).into(),
        Operator::LessEqual => (x <= y).into(),
        Operator::Greater => (x > y).into(),
        Operator::GreaterEqual => (x >= y).into(),
        Operator::Equal => (x == y).into(),
        Operator::NotEqual => (x != y).into(),
    }
}

/// What an expression gives.
fn value(expression: &Expression, values: &Values) -> i32 {
    let of = |e: &Expression| value(e, values);
    match &expression.kind {
        Kind::Local { index, .. } => values[*index as usize],
        Kind::Constant(_) => expression.as_int().expect("an integer") as i32,
        Kind::Unary(Unary::Not, inner) => (of(inner) == 0).into(),
        Kind::Binary(op, left, right) => apply(op.operator, of(left), of(right)),
        Kind::Select { condition, then, otherwise } => {
            if of(condition) != 0 {
                of(then)
            } else {
                of(otherwise)
            }
        }
        other => panic!("not generated: {other:?}"),
    }
}

/// What an expression of the source gives, as C has it.
fn read(node: &Node, values: &Values) -> i32 {
    let of = |n: &Node| read(n, values);
    match &node.kind {
        NodeKind::Name(name) => values[NAMES.iter().position(|n| n == name).expect("a variable")],
        NodeKind::Number(text) => text.parse::<u32>().expect("a number") as i32,
        NodeKind::Inside(inner) => of(inner),
        NodeKind::Unary(symbol, inner) => match symbol.as_str() {
            "-" => of(inner).wrapping_neg(),
            "~" => !of(inner),
            "!" => (of(inner) == 0).into(),
            other => panic!("not written: {other}"),
        },
        NodeKind::Binary(symbol, left, right) => match symbol.as_str() {
            "&&" => (of(left) != 0 && of(right) != 0).into(),
            "||" => (of(left) != 0 || of(right) != 0).into(),
            other => apply(Operator::of_symbol(other).expect("an operator"), of(left), of(right)),
        },
        NodeKind::Conditional(condition, then, otherwise) => {
            if of(condition) != 0 {
                of(then)
            } else {
                of(otherwise)
            }
        }
        NodeKind::Call(name, arguments) if name == "abs" => of(&arguments[0]).wrapping_abs(),
        other => panic!("not written: {other:?}"),
    }
}

fn text(expression: &Expression) -> String {
    let known = Known::default();
    Renderer { language: Language::C, signs: Signs::Plain, known: &known }.text(expression)
}

fn parsed(text: &str) -> Node {
    let tokens = tokens(text, Language::C);
    let mut nodes = on_line(text, &tokens, Language::C, 1);
    assert_eq!(nodes.len(), 1, "one expression: {text}");
    nodes.pop().expect("one")
}

proptest! {
    // Wrong parentheses show in few expressions.
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn what_is_written_means_what_was_computed(expression in expression(), values in any::<Values>()) {
        let text = text(&expression);
        prop_assume!(!text.contains('…'));
        let node = parsed(&text);
        prop_assert_eq!(&node.range, &(0..text.len()), "all of {} is read", text);
        prop_assert_eq!(read(&node, &values), value(&expression, &values), "{}", text);
    }

    #[test]
    fn the_opposite_holds_where_the_condition_does_not(expression in expression(), values in any::<Values>()) {
        let condition = expression.as_condition();
        prop_assert_eq!(value(&condition, &values) != 0, value(&expression, &values) != 0);
        prop_assert_eq!(value(&condition.negated(), &values) == 0, value(&condition, &values) != 0);
        prop_assert_eq!(value(&condition.negated().negated(), &values) != 0, value(&condition, &values) != 0);
    }

    #[test]
    fn every_form_of_a_relation_says_the_same(operator in relation(), constant in -9i64..9, x in 0i32..9) {
        let variable = Expression::new(Kind::Local { index: 0, name: None });
        let op = Binary { operator, numbers: Numbers::Signed };
        for form in forms(op, &variable, &Expression::int(constant)) {
            let says = binary(form.operator, form.left, form.right);
            prop_assert_eq!(value(&says, &[x, 0, 0]), apply(operator, x, constant as i32), "{}", text(&says));
        }
    }

    #[test]
    fn cheaper_operations_do_what_the_source_says(x in any::<i32>(), constant in -40i64..40) {
        for op in [Operator::Subtract, Operator::Multiply, Operator::Divide, Operator::Remainder] {
            for found in [Operator::Add, Operator::ShiftLeft, Operator::ShiftRight, Operator::And] {
                // Division and remainder are cheaper so only of what is not negative.
                let x = if matches!(op, Operator::Divide | Operator::Remainder) { x & i32::MAX } else { x };
                // Shifts count modulo the width, and divisors are no greater than a positive number.
                if let (Some(written), 0..31) | (Some(written), ..0) = (strengthened(op, found, constant), constant) {
                    prop_assert_eq!(apply(op, x, written as i32), apply(found, x, constant as i32), "{:?}", op);
                }
            }
        }
    }

    #[test]
    fn an_expression_matches_its_own_text(expression in expression(), values in any::<Values>()) {
        let text = text(&expression);
        prop_assume!(!text.contains('…'));
        let variables: BTreeSet<String> = NAMES.iter().map(|n| (*n).to_owned()).collect();
        let node = parsed(&text);
        let matcher = Matcher { text: &text, variables: &variables };
        // Not every text is recognised; what is must be right.
        if let Some(found) = matcher.condition(&node, &expression) {
            let same = (read(&node, &values) != 0) == (value(&expression, &values) != 0);
            prop_assert_eq!(same, !found.negated, "{}", text);
        }
    }

    #[test]
    fn no_text_makes_parsing_panic(text in "[-a-c0-9(){}\\[\\]?:;,.*&|<>=!+~ \"'/\n]{0,60}", line in 0u32..5) {
        for language in [Language::C, Language::Rust] {
            let tokens = tokens(&text, language);
            for node in on_line(&text, &tokens, language, line).iter().flat_map(Node::all) {
                prop_assert!(text.get(node.range.clone()).is_some());
            }
        }
    }
}

/// Whether each source text matches the expression that is written so, and with which sign.
fn matches(source: &str, code: &str) -> Option<bool> {
    let variables: BTreeSet<String> = NAMES.iter().map(|n| (*n).to_owned()).collect();
    let matcher = Matcher { text: source, variables: &variables };
    matcher.condition(&parsed(source), &expression_of(&parsed(code))).map(|m| m.negated)
}

fn expression_of(node: &Node) -> Expression {
    match &node.kind {
        NodeKind::Inside(inner) => expression_of(inner),
        NodeKind::Number(text) => Expression::int(text.parse().expect("a number")),
        NodeKind::Name(name) => {
            let index: BTreeMap<_, _> = NAMES.iter().zip(0u32..).collect();
            let known = index.get(&name.as_str()).copied();
            Expression::new(Kind::Local { index: known.unwrap_or(9), name: known.map(|_| name.clone()) })
        }
        NodeKind::Unary(_, inner) => not(expression_of(inner)),
        NodeKind::Binary(symbol, left, right) => {
            let operator = match symbol.as_str() {
                "&&" => Operator::And,
                "||" => Operator::Or,
                other => Operator::of_symbol(other).expect("an operator"),
            };
            binary(operator, expression_of(left), expression_of(right))
        }
        other => panic!("not in these tests: {other:?}"),
    }
}

#[test]
fn conditions_match_however_the_compiler_turned_them() {
    for (source, code, negated) in [
        ("a <= 0", "a < 1", Some(false)),
        ("a <= 0", "a >= 1", Some(true)),
        ("a > b", "b < a", Some(false)),
        ("a > b", "b >= a", Some(true)),
        ("0 < a", "a > 0", Some(false)),
        ("!(a == b)", "a != b", Some(false)),
        ("a && b", "a != 0", None),
        ("a < b && b < c", "b <= a || c <= b", Some(true)),
        ("a > 0", "a != 0", Some(false)),
        // A parameter of an inlined function may be any value, but the same all over.
        ("x > y - x", "b - a < a", Some(false)),
        ("x > y - x", "b - c < a", None),
        // Variables of the function are themselves.
        ("a < b", "a < c", None),
        ("a < b", "b < a", None),
        ("a <= 0", "a < 2", None),
        ("a < 0x10", "a < 16", Some(false)),
        ("a * 4 == b", "(a << 2) == b", Some(false)),
        ("a * 4 == b", "(a << 3) == b", None),
    ] {
        assert_eq!(matches(source, code), negated, "{source} for {code}");
    }
}

#[test]
fn texts_are_as_short_as_a_person_would_write_them() {
    for (code, written) in [
        ("(a + b) * c", "(a + b) * c"),
        ("a + (b * c)", "a + b * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a << 2) + b", "(a << 2) + b"),
        ("!(a < b)", "a >= b"),
        ("!a", "a == 0"),
        ("(a < b) && (b < c)", "a < b && b < c"),
        ("(a < b) == (b < c)", "(a < b) == (b < c)"),
        ("0 - a", "-a"),
    ] {
        assert_eq!(text(&expression_of(&parsed(code))), written);
    }
}
