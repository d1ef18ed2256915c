//! Drafts a file of categories and choices for a person to edit, from the domains of the parameters and from the conditions on
//! paths of the function.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dodona_relations::ast::{BinaryOperator, Expression, Node, UnaryOperator};
use dodona_relations::parse_expression;
use dodona_subject::{Kind, Output, Parameter, Scalar, Type};

/// The most borders between choices of one number. A person cannot tell more choices apart; if there are more, the smallest are
/// kept.
const MOST_BORDERS: usize = 5;

/// The characters that choices of a text are about.
const MOST_CHARACTERS: usize = 3;

/// A border between numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Border {
    at: f64,
    /// Whether the number itself belongs to the numbers below the border.
    is_below: bool,
}

/// The text of a file of categories and choices.
///
/// `conditions` are branch conditions in terms of the parameters, one each (`not 5.0 < carried`). Only comparisons of a
/// parameter with a number are used.
pub fn draft(function: &str, parameters: &[Parameter], outputs: &[Output], conditions: &[String]) -> String {
    let conditions: Vec<Expression> =
        conditions.iter().filter_map(|text| parse_expression(text).ok()).collect();
    let mut text = format!(
        "# A draft from the domains of the parameters and the branches of the code: what the specification distinguishes belongs here.\n\
         function = \"{function}\"\n\
         # What every input satisfies, over category.choice: constraints = [\"a.x implies not b.y\"]\n\
         # What the specification says of outputs: scenarios = [\"a.x implies result.is_0\"]\n"
    );
    for parameter in parameters {
        let name = &parameter.name;
        match parameter.ty {
            Type::Scalar(scalar) => {
                section(&mut text, "input", name, &scalar_choices(parameter, scalar, &conditions))
            }
            _ => {
                section(&mut text, "input", name, &lengths(name, parameter.domain.length));
                for (number, character) in characters(parameter).into_iter().enumerate() {
                    let has = format!(
                        "{name} contains {}",
                        Expression::new(Node::Text(character.to_string().into()))
                    );
                    let choices = vec![("no".to_owned(), format!("not {has}")), ("yes".to_owned(), has)];
                    section(&mut text, "input", &format!("{name}_has_{}", number + 1), &choices);
                }
            }
        }
    }
    for output in outputs {
        let (title, name) = match output.name.selector() {
            None => ("result".to_owned(), "result".to_owned()),
            Some(selector) => (selector.to_owned(), format!("result.{selector}")),
        };
        let choices = match output.ty {
            Type::Scalar(Scalar::Bool) => truths(&name),
            Type::Scalar(scalar) => intervals(&name, &signs(scalar, None), has_nan(scalar)),
            _ => lengths(&name, None),
        };
        section(&mut text, "output", &title, &choices);
    }
    text
}

/// Names of choices with their conditions.
type Choices = Vec<(String, String)>;

fn section(text: &mut String, kind: &str, name: &str, choices: &Choices) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "\n[{kind}.{name}]");
    for (choice, condition) in choices {
        let escaped = condition.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "{choice} = \"{escaped}\"");
    }
}

fn truths(name: &str) -> Choices {
    vec![("yes".to_owned(), name.to_owned()), ("no".to_owned(), format!("not {name}"))]
}

fn has_nan(scalar: Scalar) -> bool {
    scalar.kind() == Kind::Float
}

fn scalar_choices(parameter: &Parameter, scalar: Scalar, conditions: &[Expression]) -> Choices {
    let name = &parameter.name;
    if scalar == Scalar::Bool {
        return truths(name);
    }
    let ranges = &parameter.domain.numbers.ranges;
    let listed: Vec<f64> = ranges.iter().map(|range| range.low.as_f64()).collect();
    if !listed.is_empty() && ranges.iter().all(|range| range.low.as_f64() == range.high.as_f64()) {
        return listed
            .iter()
            .map(|x| (format!("is_{}", word(*x)), format!("{name} == {}", literal(*x))))
            .collect();
    }
    let (low, high) = ranges.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), range| {
        (low.min(range.low.as_f64()), high.max(range.high.as_f64()))
    });
    let ends = (low <= high).then_some((low, high));
    let mut borders = signs(scalar, ends);
    conditions.iter().for_each(|condition| compared(condition, name, &mut borders));
    // A border beyond the domain separates nothing.
    if let Some((low, high)) = ends {
        borders.retain(|b| if b.is_below { low <= b.at && b.at < high } else { low < b.at && b.at <= high });
    }
    borders.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.is_below.cmp(&b.is_below)));
    borders.dedup();
    borders.truncate(MOST_BORDERS);
    let is_open = has_nan(scalar) && (ends.is_none() || ranges.iter().any(|range| range.is_nan()));
    intervals(name, &borders, is_open)
}

/// Numbers below zero, zero, and above, as far as the domain has such numbers.
fn signs(scalar: Scalar, ends: Option<(f64, f64)>) -> Vec<Border> {
    let is_signed = scalar.integer_range().is_none_or(|(low, _)| low < 0);
    let (low, high) = ends.unwrap_or((if is_signed { f64::NEG_INFINITY } else { 0.0 }, f64::INFINITY));
    let below = (low < 0.0 && high >= 0.0).then_some(Border { at: 0.0, is_below: false });
    let above = (low <= 0.0 && high > 0.0).then_some(Border { at: 0.0, is_below: true });
    below.into_iter().chain(above).collect()
}

/// The borders that follow from comparisons of a parameter with a number.
fn compared(condition: &Expression, name: &str, borders: &mut Vec<Border>) {
    use BinaryOperator as B;
    let (op, a, b) = match &condition.node {
        Node::Unary(UnaryOperator::Not, inner) => return compared(inner, name, borders),
        Node::Binary(op, a, b) => (*op, a, b),
        _ => return,
    };
    let is_name = |e: &Expression| matches!(&e.node, Node::Name(n) if n == name);
    let number = |e: &Expression| match &e.node {
        Node::Int(i) => Some(*i as f64),
        Node::Float(x) => Some(*x),
        _ => None,
    };
    let (at, is_first) = match (number(a), number(b)) {
        (None, Some(at)) if is_name(a) => (at, true),
        (Some(at), None) if is_name(b) => (at, false),
        _ => return,
    };
    let below = Border { at, is_below: true };
    let above = Border { at, is_below: false };
    match (op, is_first) {
        (B::LessEqual | B::Greater, true) | (B::Less | B::GreaterEqual, false) => borders.push(below),
        (B::Less | B::GreaterEqual, true) | (B::LessEqual | B::Greater, false) => borders.push(above),
        (B::Equal | B::NotEqual, _) => borders.extend([above, below]),
        _ => {}
    }
}

/// The ranges between borders, each with a name that says where it ends.
fn intervals(name: &str, borders: &[Border], has_nan: bool) -> Choices {
    let mut choices = Choices::new();
    let mut from: Option<Border> = None;
    for border in borders.iter().map(|border| Some(*border)).chain([None]) {
        let low = from.map(|b| format!("{name} {} {}", if b.is_below { ">" } else { ">=" }, literal(b.at)));
        let high =
            border.map(|b| format!("{name} {} {}", if b.is_below { "<=" } else { "<" }, literal(b.at)));
        let (title, condition) = match (from, border) {
            (Some(a), Some(b)) if a.at == b.at => {
                (format!("is_{}", word(a.at)), format!("{name} == {}", literal(a.at)))
            }
            (_, Some(b)) if b.is_below => (format!("at_most_{}", word(b.at)), joined(low, high)),
            (_, Some(b)) => (format!("below_{}", word(b.at)), joined(low, high)),
            (Some(a), None) if a.is_below => (format!("above_{}", word(a.at)), joined(low, high)),
            (Some(a), None) => (format!("from_{}", word(a.at)), joined(low, high)),
            (None, None) => ("any".to_owned(), "true".to_owned()),
        };
        choices.push((title, condition));
        from = border;
    }
    if has_nan {
        choices.push(("nan".to_owned(), format!("is_nan({name})")));
        if let [(_, condition), _] = &mut choices[..]
            && condition == "true"
        {
            *condition = format!("not is_nan({name})");
        }
    }
    choices
}

fn joined(low: Option<String>, high: Option<String>) -> String {
    low.into_iter().chain(high).collect::<Vec<_>>().join(" and ")
}

/// No element, one element, and more, as far as the domain allows them.
fn lengths(name: &str, length: Option<(u64, u64)>) -> Choices {
    let (least, most) = length.unwrap_or((0, u64::MAX));
    let mut choices = Choices::new();
    if least == 0 {
        choices.push(("empty".to_owned(), format!("len({name}) == 0")));
    }
    if least <= 1 && most >= 1 {
        choices.push(("one".to_owned(), format!("len({name}) == 1")));
    }
    if most > 1 {
        choices.push(("more".to_owned(), format!("len({name}) > 1")));
    }
    choices
}

/// Characters of the alphabet that are neither letters nor digits. They separate the parts of a text.
fn characters(parameter: &Parameter) -> BTreeSet<char> {
    if parameter.ty != Type::Text {
        return BTreeSet::new();
    }
    let alphabet = parameter.domain.alphabet.iter().flatten();
    alphabet.copied().filter(|c| !c.is_alphanumeric()).take(MOST_CHARACTERS).collect()
}

/// A number as part of a name: `minus_1_5`.
fn word(x: f64) -> String {
    literal(x).replace('-', "minus_").replace(['.', '+'], "_")
}

fn literal(x: f64) -> String {
    crate::expectation::number(x).to_string()
}
