//! The six templates of GenMorph.

use dodona_relations::ast::{int, not};
use dodona_relations::plan::Ty;

use super::Template;
use super::constant::constants;
use super::context::SignatureContext;
use super::ranked::RankedTransformations;
use crate::discovery::{is_number, is_sequence};

/// Proposes all transformations that fit the signature.
pub(super) fn propose(context: &SignatureContext<'_>, found: &mut RankedTransformations) {
    permute(context, found);
    for (i, parameter, ty) in context.parameters() {
        if ty == Ty::Bool {
            found.add(0, context.change(Template::BooleanFlip, vec![(i, not(context.name(i)))], None));
        }
        if is_number(ty) {
            numbers(context, i, found);
        }
        if is_sequence(ty) && super::beyond::may_change_length(parameter) {
            remove(context, i, found);
        }
        if is_sequence(ty)
            && let Some(flipped) = context.word("reverse", vec![context.name(i)])
        {
            found.add(0, context.change(Template::SequenceFlip, vec![(i, flipped)], None));
        }
    }
}

/// Every pair of parameters of one type; neighbouring parameters first.
fn permute(context: &SignatureContext<'_>, found: &mut RankedTransformations) {
    let parameters = &context.function.parameters;
    for distance in 1..parameters.len() {
        for i in 0..parameters.len() - distance {
            let j = i + distance;
            if parameters[i].ty == parameters[j].ty {
                let changes = vec![(i, context.name(j)), (j, context.name(i))];
                found.add(distance - 1, context.change(Template::PermuteParameters, changes, None));
            }
        }
    }
}

fn numbers(context: &SignatureContext<'_>, i: usize, found: &mut RankedTransformations) {
    let (parameter, x) = (&context.function.parameters[i], || context.name(i));
    let constants = constants(context, parameter, parameter.ty.into());
    for (rank, constant) in constants.iter().enumerate() {
        let mut add = |template, value| {
            let mut made = context.change(template, vec![(i, value)], Some(&constant.text()));
            made.weight = constant.weight;
            found.add(rank, made);
        };
        add(Template::NumericAddition, constant.added_to(x()));
        if constant.is_factor() {
            add(Template::NumericMultiplication, constant.times(x()));
        }
    }
}

fn remove(context: &SignatureContext<'_>, i: usize, found: &mut RankedTransformations) {
    for (rank, index) in [0, -1, 1].into_iter().enumerate() {
        if let Some(rest) = context.word("remove", vec![context.name(i), int(index)]) {
            let made = context.change(Template::SequenceRemove, vec![(i, rest)], Some(&index.to_string()));
            found.add(rank, made);
        }
    }
}
