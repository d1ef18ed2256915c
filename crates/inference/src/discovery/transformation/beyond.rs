//! Templates beyond those of GenMorph.

use bstr::BString;
use dodona_relations::ast::{BinaryOperator, Expression, Node, binary, call, int, negative};
use dodona_relations::plan::{Element, Ty};
use dodona_target::{Parameter, Type};

use super::constant::constants;
use super::context::SignatureContext;
use super::ranked::RankedTransformations;
use super::{Template, outputs};
use crate::discovery::tuning::ELEMENT_CONSTANTS;
use crate::discovery::{is_number, is_sequence};

/// Proposes all transformations that fit the signature.
pub(super) fn propose(context: &SignatureContext<'_>, found: &mut RankedTransformations) {
    feed_back(context, found);
    negate(context, found);
    for (i, parameter, ty) in context.parameters() {
        match ty {
            _ if is_number(ty) => affine(context, i, found),
            Ty::Text => {
                swap_case(context, i, found);
                lengths(context, i, found);
            }
            Ty::Sequence(element) => {
                elements(context, i, element, found);
                lengths(context, i, found);
            }
            _ => {}
        }
        let sorted = context.word("sorted", vec![context.name(i)]).filter(|_| is_sequence(ty));
        if let Some(sorted) = sorted.filter(|_| parameter.domain.texts.is_none()) {
            found.add(0, context.change(Template::Sort, vec![(i, sorted)], None));
        }
    }
}

/// An output replaces a parameter of its type.
fn feed_back(context: &SignatureContext<'_>, found: &mut RankedTransformations) {
    let function = context.function;
    let names = (0..function.parameters.len()).map(|i| context.name(i)).collect();
    for (output, (ty, written)) in outputs(function, &call(&function.name, names)).into_iter().enumerate() {
        for (i, _, parameter) in context.parameters() {
            if parameter == ty {
                let made = context.change(Template::FeedBack, vec![(i, written.clone())], None);
                found.add(output, made);
            }
        }
    }
}

/// Negates all numbers at once. The negation of a single number is GenMorph's multiplication by -1.
fn negate(context: &SignatureContext<'_>, found: &mut RankedTransformations) {
    let numbers = context.parameters().filter(|(_, _, ty)| is_number(*ty));
    let changes: Vec<_> = numbers.map(|(i, _, _)| (i, negative(context.name(i)))).collect();
    if changes.len() > 1 {
        found.add(0, context.change(Template::Negate, changes, None));
    }
}

fn affine(context: &SignatureContext<'_>, i: usize, found: &mut RankedTransformations) {
    let x = || context.name(i);
    let mut add = |rank, value: Expression, words: &str| {
        found.add(rank, context.change(Template::Affine, vec![(i, value)], Some(words)));
    };
    for (j, _, ty) in context.parameters().filter(|(j, _, ty)| *j != i && is_number(*ty)) {
        let other = &context.function.parameters[j].name;
        // With different types, the sum may not be a value of the parameter's type.
        if ty == Ty::from(context.function.parameters[i].ty) {
            add(1, binary(BinaryOperator::Add, x(), context.name(j)), &format!("1, {other}"));
            add(1, binary(BinaryOperator::Subtract, x(), context.name(j)), &format!("1, -{other}"));
            add(3, binary(BinaryOperator::Subtract, context.name(j), x()), &format!("-1, {other}"));
        }
    }
    add(2, binary(BinaryOperator::Subtract, int(1), x()), "-1, 1");
    let double = || binary(BinaryOperator::Multiply, int(2), x());
    add(2, binary(BinaryOperator::Add, double(), int(1)), "2, 1");
    if Ty::from(context.function.parameters[i].ty) == Ty::Float
        && let Some(pi) = context.pi()
    {
        add(0, binary(BinaryOperator::Subtract, pi.clone(), x()), "-1, pi");
        let half = binary(BinaryOperator::Divide, pi, int(2));
        add(0, binary(BinaryOperator::Subtract, half, x()), "-1, pi / 2");
    }
}

fn swap_case(context: &SignatureContext<'_>, i: usize, found: &mut RankedTransformations) {
    for word in ["upper", "lower"] {
        if let Some(value) = context.word(word, vec![context.name(i)]) {
            found.add(0, context.change(Template::SwapCase, vec![(i, value)], Some(word)));
        }
    }
}

/// Transformations that change every number in a sequence.
fn elements(context: &SignatureContext<'_>, i: usize, element: Element, found: &mut RankedTransformations) {
    let (parameter, xs) = (&context.function.parameters[i], || context.name(i));
    if !matches!(element, Element::Int | Element::Float) {
        return;
    }
    let constants = constants(context, parameter, Ty::Sequence(element));
    for (rank, constant) in constants.iter().enumerate().take(ELEMENT_CONSTANTS) {
        let mut add = |template, operator| {
            let value = binary(operator, xs(), constant.expression());
            let mut made = context.change(template, vec![(i, value)], Some(&constant.text()));
            made.weight = constant.weight;
            found.add(rank, made);
        };
        add(Template::ElementAddition, BinaryOperator::Add);
        if constant.is_factor() {
            let is_sign = constant.text() == "-1";
            add(if is_sign { Template::Negate } else { Template::ElementScaling }, BinaryOperator::Multiply);
        }
    }
}

/// Whether the domain of a parameter allows sequences of different lengths.
pub(super) fn may_change_length(parameter: &Parameter) -> bool {
    parameter.domain.texts.is_none() && parameter.domain.length.is_none_or(|(least, most)| least != most)
}

/// Transformations that make sequences longer or shorter.
fn lengths(context: &SignatureContext<'_>, i: usize, found: &mut RankedTransformations) {
    let parameter = &context.function.parameters[i];
    if !may_change_length(parameter) {
        return;
    }
    let s = || context.name(i);
    let mut add = |rank, template, value: Option<Expression>, words: Option<&str>| {
        if let Some(value) = value {
            found.add(rank, context.change(template, vec![(i, value)], words));
        }
    };
    let concat = |a, b| context.word("concat", vec![a, b]);
    for (rank, one) in singles(parameter).into_iter().enumerate() {
        let text = one.to_string();
        add(rank, Template::Append, concat(s(), one.clone()), Some(&text));
        add(rank, Template::Insert, concat(one.clone(), s()), Some(&text));
        let behind_first = || {
            let rest = Expression::new(Node::Slice(Box::new(s()), Some(Box::new(int(1))), None));
            concat(context.word("truncate", vec![s(), int(1)])?, concat(one, rest)?)
        };
        add(rank + 2, Template::Insert, behind_first(), Some(&format!("{text}, 1")));
    }
    add(0, Template::Duplicate, concat(s(), s()), None);
    for (j, _, _) in context.parameters().filter(|(j, other, _)| *j != i && other.ty == parameter.ty) {
        let other = &context.function.parameters[j].name;
        add(1, Template::Concatenate, concat(s(), context.name(j)), Some(other));
        add(2, Template::Concatenate, concat(context.name(j), s()), Some(&format!("{other} first")));
    }
    add(1, Template::Truncate, context.word("truncate", vec![s(), int(1)]), Some("1"));
    let half = || {
        let length = context.word("len", vec![s()])?;
        context.word("truncate", vec![s(), binary(BinaryOperator::Quotient, length, int(2))])
    };
    add(2, Template::Truncate, half(), Some("half"));
}

/// Sequences of one element that the domain allows, two if possible.
fn singles(parameter: &Parameter) -> Vec<Expression> {
    let items: Vec<Expression> = match (parameter.ty, Ty::from(parameter.ty)) {
        (Type::Text, _) => return characters(parameter),
        (_, Ty::Sequence(Element::Bool)) => [true, false].map(|b| Expression::new(Node::Bool(b))).into(),
        (_, Ty::Sequence(Element::Int)) => {
            let numbers = [1, 0, 2, 5, 10].into_iter();
            numbers.filter(|&n| parameter.domain.numbers.contains_int(n)).take(2).map(int).collect()
        }
        _ => {
            let numbers =
                [1.0, 0.0, 0.5, 10.0].into_iter().filter(|&x| parameter.domain.numbers.contains_float(x));
            numbers.take(2).map(|x| Expression::new(Node::Float(x))).collect()
        }
    };
    items.into_iter().map(|item| Expression::new(Node::Sequence(vec![item]))).collect()
}

/// A letter and a character that is neither a letter nor a digit, if texts of this parameter may contain them.
fn characters(parameter: &Parameter) -> Vec<Expression> {
    let alphabet = parameter.sampling.alphabet.as_ref().or(parameter.domain.alphabet.as_ref());
    let alphabet = alphabet.map_or(&['a', ' '][..], Vec::as_slice);
    let letter = alphabet.iter().find(|c| c.is_alphabetic());
    let other = alphabet.iter().find(|c| !c.is_alphanumeric());
    let text = |c: &char| Expression::new(Node::Text(BString::from(c.to_string())));
    letter.into_iter().chain(other).map(text).collect()
}
