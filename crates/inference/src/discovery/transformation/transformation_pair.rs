//! Pairs of transformations: the second is applied to the result of the first.

use dodona_relations::ast::{Expression, Node};
use dodona_relations::plan::Ty;
use dodona_target::splitmix64;

use super::context::SignatureContext;
use super::ranked::RankedTransformations;
use super::{Template, Transformation};
use crate::discovery::tuning::{PAIRED, PAIRED_BY_CHANCE};
use crate::discovery::{is_number, is_sequence};

/// How useful a pair is. This counts before its place in the lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The same change of two parameters of one type.
    Same,
    /// A sequence becomes longer and a number larger by one, or shorter and smaller.
    Together,
    /// A change of a sequence and a change of a number.
    Mixed,
    /// Any other pair.
    Other,
}

/// Pairs of transformations: first the same change of two parameters of one type, then changes of a sequence and a number, then
/// others in an order that the seed determines.
pub(super) fn propose(
    context: &SignatureContext<'_>,
    of_genmorph: &[Transformation],
    further: &[Transformation],
    seed: u64,
) -> Vec<Transformation> {
    let ranked = |list: &'_ [Transformation]| -> Vec<usize> { (0..list.len().min(PAIRED)).collect() };
    let places = [ranked(of_genmorph), ranked(further)].concat();
    let all: Vec<&Transformation> =
        of_genmorph.iter().take(PAIRED).chain(further.iter().take(PAIRED)).collect();
    let mut found = RankedTransformations::default();
    for (i, first) in all.iter().enumerate() {
        for (j, second) in all.iter().enumerate() {
            let Some(class) = class(context, first, second, i < j) else { continue };
            let rank = match class {
                Class::Other if places[i].max(places[j]) >= PAIRED_BY_CHANCE => continue,
                Class::Other => (splitmix64(seed ^ splitmix64((i * all.len() + j) as u64)) >> 32) as usize,
                _ => i + j,
            };
            found.add((class as usize) << 40 | rank, in_a_row(context, first, second));
        }
    }
    found.ranked()
}

/// How useful a pair is; `None` if it makes no sense, or is equivalent to the same pair in the other order.
fn class(
    context: &SignatureContext<'_>,
    first: &Transformation,
    second: &Transformation,
    is_in_order: bool,
) -> Option<Class> {
    let (a, b) = (first.changed(), second.changed());
    let apart = a.iter().all(|i| !b.contains(i));
    let independent =
        apart && !first.feeds_back() && !second.feeds_back() && !crosses(first) && !crosses(second);
    if second.feeds_back() || first == second || independent && !is_in_order {
        return None;
    }
    let ([i], [j]) = (&a[..], &b[..]) else { return Some(Class::Other) };
    if !independent {
        return may_follow(first.template, second.template, i == j).then_some(Class::Other);
    }
    let ty = |i: usize| Ty::from(context.function.parameters[i].ty);
    let mixed = is_sequence(ty(*i)) && is_number(ty(*j)) || is_number(ty(*i)) && is_sequence(ty(*j));
    let same = first.template == second.template && renamed(first, *i, second, *j);
    Some(match (same, mixed) {
        (true, _) => Class::Same,
        (_, true) if grow_together(first, second) || grow_together(second, first) => Class::Together,
        (_, true) => Class::Mixed,
        _ => Class::Other,
    })
}

/// Whether the second change after the first makes something new. For example, `x + 1` after `x + 2` is only `x + 3`.
fn may_follow(first: Template, second: Template, same_parameter: bool) -> bool {
    use Template as T;
    let numeric = |t: Template| matches!(t, T::NumericAddition | T::NumericMultiplication | T::Affine);
    match (first, second) {
        _ if !same_parameter => true,
        (T::NumericMultiplication, T::NumericAddition) => true,
        (a, b) if numeric(a) && numeric(b) => false,
        (a, b) => a != b,
    }
}

/// Whether one makes a sequence longer and the other a number larger by one, or one makes it shorter and the other smaller.
fn grow_together(of_sequence: &Transformation, of_number: &Transformation) -> bool {
    use Template as T;
    let by = |constant: &str| of_number.template == T::NumericAddition && of_number.name.ends_with(constant);
    match of_sequence.template {
        T::Append | T::Insert => by(", 1)"),
        T::SequenceRemove => by(", -1)"),
        _ => false,
    }
}

/// Whether some argument mentions another parameter than its own.
fn crosses(transformation: &Transformation) -> bool {
    let own = transformation.parameters.iter().zip(&transformation.arguments);
    own.into_iter().any(|(name, argument)| {
        let others = transformation.parameters.iter().filter(|other| *other != name);
        others.into_iter().any(|other| argument.mentions(other))
    })
}

/// Whether both make the same change, each to one parameter.
fn renamed(first: &Transformation, i: usize, second: &Transformation, j: usize) -> bool {
    let to = Expression::name(&second.parameters[j]);
    put(&first.arguments[i], &first.parameters[i..=i], &[to]) == second.arguments[j]
}

/// The second transformation applied to the result of the first.
fn in_a_row(
    context: &SignatureContext<'_>,
    first: &Transformation,
    second: &Transformation,
) -> Transformation {
    let arguments = second.arguments.iter().map(|e| put(e, &second.parameters, &first.arguments)).collect();
    let name = format!("Sequence({}, {})", first.name, second.name);
    let made = Transformation::new(context, Template::Sequence, name, arguments);
    Transformation { weight: first.weight.min(second.weight), ..made }
}

/// The expression with each name replaced by its value.
fn put(e: &Expression, names: &[String], values: &[Expression]) -> Expression {
    e.rewrite(&mut |e| {
        let Node::Name(name) = &e.node else { return None };
        let place = names.iter().position(|known| known == name)?;
        Some(values[place].clone())
    })
}
