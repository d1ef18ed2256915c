//! Two transformations in a row.

use dodona_relations::ast::{Expression, Node};
use dodona_relations::plan::Ty;
use dodona_subject::splitmix64;

use super::candidates::Candidates;
use super::context::Context;
use super::{Template, Transformation};
use crate::discovery::{is_number, is_sequence};

/// The first so many of each kind are put in a row.
const FIRST: usize = 40;

/// Pairs of transformations: first the same change of two parameters of one type, then a change of a sequence with one of a
/// number beside it, then others as the seed has it.
pub(super) fn propose(
    context: &Context<'_>,
    study: &[Transformation],
    beyond: &[Transformation],
    seed: u64,
) -> Vec<Transformation> {
    let all: Vec<&Transformation> = study.iter().take(FIRST).chain(beyond.iter().take(FIRST)).collect();
    let mut found = Candidates::default();
    for (i, first) in all.iter().enumerate() {
        for (j, second) in all.iter().enumerate() {
            if let Some(class) = class(context, first, second, i < j) {
                // Among those of one class, the most useful first; the last class has no order of its own.
                let rank = match class {
                    2 => (splitmix64(seed ^ splitmix64((i * FIRST * 2 + j) as u64)) >> 32) as usize,
                    _ => i + j,
                };
                found.add(class << 40 | rank, in_a_row(context, first, second));
            }
        }
    }
    found.ranked()
}

/// How useful the pair is; `None` where it is none, or the other order of another.
fn class(
    context: &Context<'_>,
    first: &Transformation,
    second: &Transformation,
    is_in_order: bool,
) -> Option<usize> {
    let (a, b) = (first.changed(), second.changed());
    let apart = a.iter().all(|i| !b.contains(i));
    let independent =
        apart && !first.feeds_back() && !second.feeds_back() && !crosses(first) && !crosses(second);
    if second.feeds_back() || first == second || independent && !is_in_order {
        return None;
    }
    if !independent {
        // What undoes itself, or could be had with another constant.
        let same_kind = first.template == second.template && a == b;
        return (!same_kind).then_some(2);
    }
    let ([i], [j]) = (&a[..], &b[..]) else { return Some(2) };
    let ty = |i: usize| Ty::from(context.function.parameters[i].ty);
    let mixed = is_sequence(ty(*i)) && is_number(ty(*j)) || is_number(ty(*i)) && is_sequence(ty(*j));
    match (first.template == second.template, renamed(first, *i, second, *j), mixed) {
        (true, true, _) => Some(0),
        (_, _, true) => Some(1),
        _ => Some(2),
    }
}

/// Whether some argument speaks of another parameter than its own.
fn crosses(transformation: &Transformation) -> bool {
    let own = transformation.parameters.iter().zip(&transformation.arguments);
    own.into_iter().any(|(name, argument)| {
        let others = transformation.parameters.iter().filter(|other| *other != name);
        others.into_iter().any(|other| mentions(argument, other))
    })
}

fn mentions(e: &Expression, name: &str) -> bool {
    matches!(&e.node, Node::Name(found) if found == name)
        || e.children().into_iter().any(|child| mentions(child, name))
}

/// Whether both do the same, to one parameter each.
fn renamed(first: &Transformation, i: usize, second: &Transformation, j: usize) -> bool {
    let to = Expression::name(&second.parameters[j]);
    put(&first.arguments[i], &first.parameters[i..=i], &[to]) == second.arguments[j]
}

/// The second on what the first makes.
fn in_a_row(context: &Context<'_>, first: &Transformation, second: &Transformation) -> Transformation {
    let arguments = second.arguments.iter().map(|e| put(e, &second.parameters, &first.arguments)).collect();
    let name = format!("Sequence({}, {})", first.name, second.name);
    let made = Transformation::new(context, Template::Sequence, name, arguments);
    Transformation { weight: first.weight.min(second.weight), ..made }
}

/// An expression with values for names.
fn put(e: &Expression, names: &[String], values: &[Expression]) -> Expression {
    e.rewrite(&mut |e| {
        let Node::Name(name) = &e.node else { return None };
        let place = names.iter().position(|known| known == name)?;
        Some(values[place].clone())
    })
}
