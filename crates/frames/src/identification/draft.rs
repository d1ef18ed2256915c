//! Drafts a file of categories and choices for a person to edit, from the domains of the parameters and from the conditions on
//! paths of the function.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dodona_relations::ast::{BinaryOperator, Expression, Node, UnaryOperator};
use dodona_relations::parse_expression;
use dodona_target::{Kind, Output, Parameter, Scalar, Type};

use crate::identification::interval::against_number;

/// The most borders between choices of one number. A person cannot tell more choices apart; if there are more, the smallest are
/// kept.
const MOST_BORDERS: usize = 5;

/// The most characters of a text that get a category each, which says whether the text contains the character.
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
/// `conditions` are branch conditions in terms of the parameters, one each (`not 5.0 < carried`). Comparisons of a parameter with a number
/// become borders between its choices; a comparison of two parameters or of sums becomes a category of its own.
pub fn draft(function: &str, parameters: &[Parameter], outputs: &[Output], conditions: &[String]) -> String {
    let mut conditions: Vec<Expression> = conditions
        .iter()
        .flat_map(|text| alternatives(text))
        .filter_map(|text| parse_expression(&text).ok())
        .collect();
    conditions = conditions.iter().flat_map(comparisons).cloned().collect();
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
    for (title, choices) in joint_choices(parameters, &conditions) {
        section(&mut text, "input", &title, &choices);
    }
    for output in outputs {
        let (title, name) = match output.name.selector() {
            None => ("result".to_owned(), "result".to_owned()),
            Some(selector) => (selector.to_owned(), format!("result.{selector}")),
        };
        let choices = match output.ty {
            Type::Scalar(Scalar::Bool) => truths(&name),
            Type::Scalar(scalar) => intervals(&name, &signs(scalar, None), scalar, has_nan(scalar)),
            _ => lengths(&name, None),
        };
        section(&mut text, "output", &title, &choices);
    }
    text
}

/// The most categories of several parameters; those of the first conditions are kept. Each category doubles or trebles the number of
/// frames.
const MOST_JOINT: usize = 4;

/// The most variants of one condition.
const MOST_ALTERNATIVES: usize = 64;

/// A condition without `if`, which the relation language does not have: `(if c then a else b) < x` is written as `a < x`, `b < x` and
/// `c`. These are not the condition, but they have its numbers and comparisons.
fn alternatives(text: &str) -> Vec<String> {
    let mut open = vec![text.to_owned()];
    let mut done = Vec::new();
    while let Some(text) = open.pop() {
        match split_if(&text) {
            None => done.push(text),
            Some(parts) if open.len() + done.len() < MOST_ALTERNATIVES => open.extend(parts),
            Some(_) => {}
        }
    }
    done
}

/// Splits a text at its first `(if c then a else b)`. Returns the text with `a` in its place, the text with `b` in its place, and `c`;
/// `None` if the text has no `if`.
fn split_if(text: &str) -> Option<[String; 3]> {
    let start = text.find("(if ")?;
    let inner = start + "(if ".len();
    let (mut depth, mut then, mut otherwise) = (0_i32, None, None);
    for (at, character) in text[inner..].char_indices().map(|(at, character)| (inner + at, character)) {
        match character {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' => {
                let (then, otherwise): (usize, usize) = (then?, otherwise?);
                let with = |value: &str| format!("{}({value}){}", &text[..start], &text[at + 1..]);
                let (a, b) = (&text[then + " then ".len()..otherwise], &text[otherwise + " else ".len()..at]);
                return Some([with(a), with(b), text[inner..then].to_owned()]);
            }
            ' ' if depth == 0 && then.is_none() && text[at..].starts_with(" then ") => then = Some(at),
            ' ' if depth == 0 && otherwise.is_none() && text[at..].starts_with(" else ") => {
                otherwise = Some(at)
            }
            _ => {}
        }
    }
    None
}

/// The comparisons that a condition is made of.
fn comparisons(condition: &Expression) -> Vec<&Expression> {
    match &condition.node {
        Node::Binary(op, ..) if is_comparison(*op) => vec![condition],
        _ => condition.children().into_iter().flat_map(comparisons).collect(),
    }
}

fn is_comparison(op: BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(op, B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual)
}

/// Categories of several parameters, each with its name: whether two are equal or which is less, and whether a comparison of sums holds.
fn joint_choices(parameters: &[Parameter], conditions: &[Expression]) -> Vec<(String, Choices)> {
    let mut found: Vec<(String, Choices)> = Vec::new();
    for condition in conditions {
        let Node::Binary(op, a, b) = &condition.node else { continue };
        let names: BTreeSet<&str> = names(condition);
        if names.len() < 2 || !names.iter().all(|name| parameters.iter().any(|p| p.name == *name)) {
            continue;
        }
        let joint = match (&a.node, &b.node) {
            (Node::Name(a), Node::Name(b)) => order_of_two(*op, a, b),
            _ => truth_of_sums(*op, (a, b), names),
        };
        // Equality of two parameters is part of their order.
        let is_order = |choices: &Choices| choices.len() == 3;
        match found.iter_mut().find(|(_, choices)| choices.iter().any(|choice| joint.1.contains(choice))) {
            Some(known) if is_order(&joint.1) && !is_order(&known.1) => *known = joint,
            Some(_) => {}
            None => found.push(joint),
        }
    }
    found.truncate(MOST_JOINT);
    for place in 1..found.len() {
        let (before, rest) = found.split_at_mut(place);
        let title = &mut rest[0].0;
        let same = before.iter().filter(|(other, _)| *other == *title).count();
        if same > 0 {
            *title = format!("{title}_{}", same + 1);
        }
    }
    found
}

/// Whether two parameters are equal or, where the code compares them by size, which one is less.
fn order_of_two(op: BinaryOperator, a: &str, b: &str) -> (String, Choices) {
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    let choice = |title: &str, op: &str| (title.to_owned(), format!("{a} {op} {b}"));
    let choices = match op {
        BinaryOperator::Equal | BinaryOperator::NotEqual => {
            vec![choice("equal", "=="), choice("different", "!=")]
        }
        _ => vec![choice("less", "<"), choice("equal", "=="), choice("greater", ">")],
    };
    (format!("{a}_and_{b}"), choices)
}

/// Whether a comparison of sums holds. A comparison and its opposite are one category.
fn truth_of_sums(
    op: BinaryOperator,
    (a, b): (&Expression, &Expression),
    names: BTreeSet<&str>,
) -> (String, Choices) {
    let (op, a, b) = match op {
        BinaryOperator::LessEqual | BinaryOperator::Greater => ("<=", a, b),
        BinaryOperator::Less | BinaryOperator::GreaterEqual => ("<=", b, a),
        _ => ("==", a, b),
    };
    let text = format!("{a} {op} {b}");
    let title = names.into_iter().collect::<Vec<_>>().join("_");
    (title, vec![("yes".to_owned(), text.clone()), ("no".to_owned(), format!("not ({text})"))])
}

/// The names that occur in an expression.
fn names(expression: &Expression) -> BTreeSet<&str> {
    match &expression.node {
        Node::Name(name) => BTreeSet::from([name.as_str()]),
        _ => expression.children().into_iter().flat_map(names).collect(),
    }
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
    intervals(name, &borders, scalar, is_open)
}

/// The borders between negative numbers, zero and positive numbers, as far as the domain has such numbers.
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
    if let Node::Unary(UnaryOperator::Not, inner) = &condition.node {
        return compared(inner, name, borders);
    }
    let Some((_, op, at)) = against_number(condition).filter(|(e, ..)| e.is_name(name)) else { return };
    let border = |is_below| Border { at: at.as_f64(), is_below };
    match op {
        B::LessEqual | B::Greater => borders.push(border(true)),
        B::Less | B::GreaterEqual => borders.push(border(false)),
        B::Equal | B::NotEqual => borders.extend([border(false), border(true)]),
        _ => {}
    }
}

/// Whether no whole number lies between two borders: between `m > 2` and `m < 3` there is none.
fn is_empty_of_integers(low: Border, high: Border) -> bool {
    let first = if low.is_below { low.at.floor() + 1.0 } else { low.at.ceil() };
    let last = if high.is_below { high.at.floor() } else { high.at.ceil() - 1.0 };
    first > last
}

/// The ranges between borders, each with a name that says where it ends. Those without any number of the type are left out.
fn intervals(name: &str, borders: &[Border], scalar: Scalar, has_nan: bool) -> Choices {
    let mut choices = Choices::new();
    let mut from: Option<Border> = None;
    for border in borders.iter().map(|border| Some(*border)).chain([None]) {
        let is_empty = |(low, high)| scalar.kind() != Kind::Float && is_empty_of_integers(low, high);
        if from.zip(border).is_some_and(is_empty) {
            from = border;
            continue;
        }
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
    crate::identification::expectation::number(x).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(names: &[&str]) -> Vec<Parameter> {
        let parameter = |name: &&str| Parameter::new(*name, Type::Scalar(Scalar::I32));
        names.iter().map(parameter).collect()
    }

    fn drafted(names: &[&str], conditions: &[&str]) -> String {
        let conditions: Vec<String> = conditions.iter().map(|text| (*text).to_owned()).collect();
        draft("f", &integers(names), &[], &conditions)
    }

    #[test]
    fn the_values_of_a_conditional_are_borders() {
        let text = drafted(
            &["level", "way"],
            &["(if level == 0 then 4000 else (if level == 1 then 3000 else 2000)) < way"],
        );
        for choice in ["at_most_2000", "at_most_3000", "at_most_4000", "above_4000", "is_1"] {
            assert!(text.contains(choice), "{choice}: {text}");
        }
    }

    #[test]
    fn a_choice_holds_a_number_of_its_type() {
        let conditions = ["m > 2", "m < 3", "m >= 7"];
        let sections = |text: &str| text.split("[input.m]\n").nth(1).unwrap_or_default().to_owned();
        assert_eq!(
            sections(&drafted(&["m"], &conditions)),
            "below_0 = \"m < 0\"\nis_0 = \"m == 0\"\nat_most_2 = \"m > 0 and m <= 2\"\n\
             below_7 = \"m >= 3 and m < 7\"\nfrom_7 = \"m >= 7\"\n"
        );
        let conditions: Vec<String> = conditions.map(str::to_owned).into();
        let float = Parameter::new("m", Type::Scalar(Scalar::F64));
        assert!(draft("f", &[float], &[], &conditions).contains("below_3 = \"m > 2 and m < 3\""));
    }

    #[test]
    fn parameters_that_are_compared_have_a_category_together() {
        let text = drafted(&["a", "b", "c"], &["b == a", "not (a < b)", "b != c", "a <= c - b", "c - b < a"]);
        let expected = "[input.a_and_b]\nless = \"a < b\"\nequal = \"a == b\"\ngreater = \"a > b\"\n\n\
             [input.b_and_c]\nequal = \"b == c\"\ndifferent = \"b != c\"\n\n\
             [input.a_b_c]\nyes = \"a <= c - b\"\nno = \"not (a <= c - b)\"\n";
        assert!(text.ends_with(expected), "{text}");
    }
}
