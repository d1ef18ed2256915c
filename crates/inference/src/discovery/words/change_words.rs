//! The names and sentences of changes of the input, such as `removing the last element of xs`.

use dodona_relations::ast::{BinaryOperator, Expression, Node};
use dodona_target::{Signature, Type};

use super::{Words, negated};
use crate::discovery::transformation::Transformation;

/// The change of the input.
pub(super) fn change(function: &Signature, transformation: &Transformation) -> Words {
    let changed = transformation.changed();
    let argument = |p: usize| &transformation.arguments[p];
    let name = |p: usize| function.parameters[p].name.as_str();
    if let [p, q] = changed[..]
        && argument(p).is_name(name(q))
        && argument(q).is_name(name(p))
    {
        return Words::new(
            format!("{}_{}_exchanged", name(p), name(q)),
            format!("exchanging {} and {}", name(p), name(q)),
        );
    }
    let (mut names, mut sentences) = (Vec::new(), Vec::new());
    for p in changed {
        let Words { name, sentence } = change_of(name(p), function.parameters[p].ty, argument(p), function);
        names.push(name);
        sentences.push(sentence);
    }
    Words::new(names.join("_and_"), sentences.join(", and "))
}

/// The change of one parameter.
fn change_of(x: &str, ty: Type, argument: &Expression, function: &Signature) -> Words {
    let known = simple_change(x, ty, argument, function).or_else(|| double_change(x, ty, argument, function));
    known.unwrap_or_else(|| Words::new(format!("{x}_changed"), format!("replacing {x} by {argument}")))
}

/// Two changes, one after the other: `reverse(remove(x, -1))` is removing the last element of x and reversing it.
fn double_change(x: &str, ty: Type, argument: &Expression, function: &Signature) -> Option<Words> {
    // What the second change is applied to is called so. A parameter of this name would be mistaken for it.
    const IT: &str = "it";
    let changed: Vec<&Expression> =
        argument.children().into_iter().filter(|child| child.mentions(x)).collect();
    let [first] = changed[..] else { return None };
    if function.parameter(IT).is_some() {
        return None;
    }
    let second = argument.rewrite(&mut |e| (e == first).then(|| Expression::name(IT)));
    let first = simple_change(x, ty, first, function)?;
    let second = simple_change(IT, ty, &second, function)?;
    let name = second.name.replace("it_", "").replace("_it", "");
    Some(Words::new(format!("{}_{name}", first.name), format!("{} and {}", first.sentence, second.sentence)))
}

/// The change of one parameter; `None` where there are no words for it.
fn simple_change(x: &str, ty: Type, argument: &Expression, function: &Signature) -> Option<Words> {
    let is_x = |e: &Expression| e.is_name(x);
    match &argument.node {
        Node::Binary(operator, a, b) => match (operator, is_x(a), is_x(b)) {
            (BinaryOperator::Add, true, false) => Some(added(x, b)),
            (BinaryOperator::Add, false, true) => Some(added(x, a)),
            (BinaryOperator::Subtract, true, false) => Some(taken(x, b)),
            (BinaryOperator::Subtract, false, true) => {
                Some(Words::new(format!("{a}_minus_{x}"), format!("taking {x} from {a}")))
            }
            (BinaryOperator::Multiply, true, false) => Some(multiplied(x, b)),
            (BinaryOperator::Multiply, false, true) => Some(multiplied(x, a)),
            _ => None,
        },
        Node::Unary(_, a) if is_x(a) => Some(Words::new(format!("{x}_negated"), format!("negating {x}"))),
        Node::Name(other) if !is_x(argument) => {
            Some(Words::new(format!("{x}_set_to_{other}"), format!("setting {x} to {other}")))
        }
        Node::Call { function: word, arguments } if word.text == function.name => {
            let sentence = match &function.parameters[..] {
                [_] => format!("applying {} to its own result", word.text),
                _ => format!("putting the result in the place of {x}"),
            };
            let mut pairs = arguments.iter().zip(&function.parameters);
            let is_source = arguments.len() == function.parameters.len()
                && pairs.all(|(argument, parameter)| argument.is_name(&parameter.name));
            is_source.then(|| Words::new(format!("{x}_fed_back"), sentence))
        }
        Node::Call { function: word, arguments } => of_word(x, ty, &word.text, arguments),
        _ => None,
    }
}

fn added(x: &str, by: &Expression) -> Words {
    match negated(by) {
        Some(positive) => taken(x, &positive),
        None => Words::new(format!("{x}_plus_{by}"), format!("adding {by} to {x}")),
    }
}

fn taken(x: &str, by: &Expression) -> Words {
    Words::new(format!("{x}_minus_{by}"), format!("taking {by} from {x}"))
}

fn multiplied(x: &str, by: &Expression) -> Words {
    match &by.node {
        Node::Int(2) => Words::new(format!("double_{x}"), format!("doubling {x}")),
        _ => Words::new(format!("{x}_times_{by}"), format!("multiplying {x} by {by}")),
    }
}

/// The change of a parameter by a word of the language.
fn of_word(x: &str, ty: Type, word: &str, arguments: &[Expression]) -> Option<Words> {
    let element = if ty == Type::Text { "character" } else { "element" };
    let is_x = |e: &Expression| e.is_name(x);
    Some(match (word, arguments) {
        ("reverse", [a]) if is_x(a) => Words::new(format!("{x}_reversed"), format!("reversing {x}")),
        ("sorted", [a]) if is_x(a) => Words::new(format!("{x}_sorted"), format!("sorting {x}")),
        ("upper" | "lower", [a]) if is_x(a) => {
            Words::new(format!("{x}_{word}"), format!("putting {x} into {word} case"))
        }
        ("remove", [a, index]) if is_x(a) => {
            let place = match index.node {
                Node::Int(0) => "first",
                Node::Int(1) => "second",
                Node::Int(-1) => "last",
                _ => return None,
            };
            Words::new(format!("{x}_without_{place}"), format!("removing the {place} {element} of {x}"))
        }
        ("concat", [a, b]) if is_x(a) && is_x(b) => {
            Words::new(format!("{x}_twice"), format!("repeating {x}"))
        }
        ("concat", [a, b]) if is_x(a) => Words::new(format!("{x}_with_{b}"), format!("appending {b} to {x}")),
        ("concat", [a, b]) if is_x(b) => {
            Words::new(format!("{x}_after_{a}"), format!("putting {a} before {x}"))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use dodona_relations::parse_expression;
    use dodona_target::Scalar;

    use super::super::tests::function;
    use super::*;

    #[test]
    fn two_changes_have_words_of_both() {
        let sequence = "f(xs: [i32]) -> i32";
        let (x, ty) = ("xs", Type::Sequence(Scalar::I32));
        let argument = parse_expression("reverse(remove(xs, -1))").expect("it parses");
        let words = change_of(x, ty, &argument, &function(sequence)[0]);
        assert_eq!(words.name, "xs_without_last_reversed");
        assert_eq!(words.sentence, "removing the last element of xs and reversing it");
        let argument = parse_expression("2 * k + 1").expect("it parses");
        let words = change_of("k", Type::Scalar(Scalar::I32), &argument, &function("f(k: i32) -> i32")[0]);
        assert_eq!(
            (words.name.as_str(), words.sentence.as_str()),
            ("double_k_plus_1", "doubling k and adding 1 to it")
        );
    }
}
