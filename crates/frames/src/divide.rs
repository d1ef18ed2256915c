//! Checks that every input has exactly one choice of each category and satisfies the constraints. A solver is asked for a counterexample,
//! because random inputs seldom meet a gap of one value, such as that between `x < 3` and `x > 3`.

use std::collections::BTreeSet;

use crate::identification::{Category, Formula, MisfitKind};
use dodona_generation::{Asking, Possible};
use dodona_target::Until;
use dodona_workbench::inputs::columns;

use crate::gathering::Gathering;

/// Asks for an input without a choice of a category, for one with two choices, and for one that violates a constraint, unless a random
/// input already showed one. Inputs that are found join the others; undecided questions become one warning.
pub(crate) fn divide(
    gathering: &mut Gathering<'_>,
    asking: &mut Asking<'_>,
    until: &Until,
    warnings: &mut Vec<String>,
) {
    let framed = gathering.framed();
    let (categories, constraints) = (&framed.specification.inputs, &framed.specification.constraints);
    let (mut open, mut whys) = (Vec::new(), BTreeSet::new());
    let mut ask = |gathering: &mut Gathering<'_>, condition: &str, what: String| match asking.about(condition)
    {
        Possible::Yes(values) => drop(gathering.take(&columns(framed.declared(), [&values[..]]))),
        Possible::No => {}
        Possible::Unknown(why) => {
            open.push(what);
            whys.insert(why);
        }
    };
    for (number, category) in categories.iter().enumerate() {
        for (kind, condition) in questions(category) {
            let word = if kind == MisfitKind::Gap { "a gap in" } else { "an overlap in" };
            if !gathering.shows(number, &kind) {
                ask(gathering, &condition, format!("{word} {}", category.name));
            }
            // A thousand choices have half a million pairs.
            if kind != MisfitKind::Gap && !until.goes_on() {
                break;
            }
        }
    }
    // If choices overlap or leave a gap, the meaning of a constraint over them is not clear.
    if gathering.has_misfits() {
        return;
    }
    for (formula, text) in constraints {
        if !gathering.violates(formula) {
            ask(
                gathering,
                &format!("not ({})", condition(formula, categories)),
                format!("an input against `{text}`"),
            );
        }
    }
    open.dedup();
    if !open.is_empty() {
        let whys: Vec<String> = whys.into_iter().collect();
        warnings.push(format!("open whether there is {}: {}", listed(&open), whys.join("; ")));
    }
}

/// The first words of a list, and the number of the others: `a, b, c and 2 more`.
fn listed(words: &[String]) -> String {
    const MOST: usize = 3;
    let first = words.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match words.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{first} and {more} more"),
        _ => first,
    }
}

/// The conditions of the gap and of the overlaps of a category. If every input has exactly one choice, no input satisfies any of them.
fn questions(category: &Category) -> impl Iterator<Item = (MisfitKind, String)> {
    let conditions: Vec<String> =
        category.choices.iter().map(|choice| format!("({})", choice.condition)).collect();
    let none: Vec<String> = conditions.iter().map(|condition| format!("not {condition}")).collect();
    let pairs = (0..conditions.len() as u16).flat_map(|b| (0..b).map(move |a| (a, b)));
    let overlaps = pairs.map(move |(a, b)| {
        let both = format!("{} and {}", conditions[usize::from(a)], conditions[usize::from(b)]);
        (MisfitKind::Overlap(a, b), both)
    });
    std::iter::once((MisfitKind::Gap, none.join(" and "))).chain(overlaps)
}

/// A formula over choices as a condition over the parameters.
fn condition(formula: &Formula, categories: &[Category]) -> String {
    match formula {
        Formula::Choice(category, choice) => {
            format!("({})", categories[*category].choices[usize::from(*choice)].condition)
        }
        Formula::Constant(true) => "0 == 0".to_owned(),
        Formula::Constant(false) => "0 != 0".to_owned(),
        Formula::Not(a) => format!("(not {})", condition(a, categories)),
        Formula::And(a, b) => format!("({} and {})", condition(a, categories), condition(b, categories)),
        Formula::Or(a, b) => format!("({} or {})", condition(a, categories), condition(b, categories)),
    }
}
