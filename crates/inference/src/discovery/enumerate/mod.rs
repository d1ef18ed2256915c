//! Enumeration of output relations from small terms, with one term for each distinct column of values, as QuickSpec and Ruler do.

mod bank;
mod conjectures;
mod formulas;
mod join;
mod options;
mod probe;
mod stream;
mod verify;

pub use options::{EnumerateOptions, EnumeratedRelation, Enumeration};

use super::{Evaluator, Pairs, Place, TermId, Terms, Variable};
use crate::discovery::tuning::FOLLOW_UP_SIZE;
use bank::{Bank, Built};
use conjectures::Conjectures;
use verify::Verifier;

/// Finds relations between small terms: every equality of a follow-up output with a term of up to [`EnumerateOptions::size`] nodes
/// over the source inputs, source outputs, follow-up inputs and small constants; equalities and other comparisons between two
/// smaller terms; and small formulas over Boolean outputs. A relation that fails on some correct rows gets a condition.
///
/// Terms are told apart on a sample of the rows, but the relations that are returned hold on all rows.
///
/// The relations that are found are added to `terms`; `evaluator` has to be an evaluator of `pairs`. `go_on` is called often; as
/// soon as it returns false, the search returns what it has found so far.
///
/// # Panics
/// When `terms` or `evaluator` are not of these pairs.
pub fn enumerate(
    terms: &mut Terms,
    evaluator: &mut Evaluator,
    pairs: &Pairs,
    options: &EnumerateOptions,
    go_on: &dyn Fn() -> bool,
) -> Enumeration {
    if pairs.correct == 0 {
        return Enumeration { found: vec![], evaluated: 0, complete_to: 0, was_stopped: false };
    }
    let mut bank = Bank::new(&probe::probe(pairs));
    let mut conjectures = Conjectures::new(outputs(pairs));
    let complete_to = fill(&mut bank, &mut conjectures, options, go_on);
    let conjectures = conjectures.ranked();
    let mut verifier = Verifier::new(terms, evaluator, pairs);
    let was_stopped = !verifier.verify(&bank, &conjectures, options, go_on) || !go_on();
    let found = verifier.found(options.found);
    Enumeration { found, evaluated: bank.evaluated, complete_to, was_stopped }
}

/// Builds terms and compares them. Returns the size up to which all terms were tried.
fn fill(
    bank: &mut Bank,
    conjectures: &mut Conjectures,
    options: &EnumerateOptions,
    go_on: &dyn Fn() -> bool,
) -> usize {
    let mut complete_to = 1;
    let mut is_complete = true;
    for size in 2..=options.stored_size.min(options.size) {
        let built = bank.grow(FOLLOW_UP_SIZE, options.candidates, options.stored, go_on);
        is_complete &= built == Built::All;
        complete_to = if is_complete { size } else { complete_to };
        if !is_complete {
            break;
        }
    }
    join::join(bank, conjectures, go_on);
    formulas::formulas(bank, conjectures, go_on);
    for size in bank.sizes.len()..=options.size {
        let built = stream::stream(bank, conjectures, size, options.candidates, go_on);
        is_complete &= built == Built::All;
        complete_to = if is_complete { size } else { complete_to };
    }
    complete_to
}

/// Whether a term mentions both values of at least one output, that of the source and that of the follow-up call (the soft
/// constraint of GenMorph). If the source output is an argument of the follow-up call, as in `f(f(x))`, the follow-up output alone
/// suffices.
pub fn is_metamorphic(terms: &Terms, term: TermId, pairs: &Pairs) -> bool {
    let variables = terms.variables(term);
    outputs(pairs).iter().any(|both| variables & both == *both)
}

/// For each output, the bits of the variables that a relation has to mention: source and follow-up value, or the follow-up value
/// alone if its expression contains the source value.
fn outputs(pairs: &Pairs) -> Vec<u64> {
    let bit = |place: Place| pairs.variables.iter().position(|v| v.place == place).map(|i| 1u64 << i);
    let both = |source: &Variable| {
        let Place::SourceOutput(i) = source.place else { return None };
        let follow_up = pairs.variables.iter().find(|v| v.place == Place::FollowUpOutput(i))?;
        let is_fed_back = follow_up.expression.has(&|part| *part == source.expression);
        let other = if is_fed_back { 0 } else { bit(source.place)? };
        Some(bit(follow_up.place)? | other)
    };
    pairs.variables.iter().filter_map(both).collect()
}

#[cfg(test)]
mod tests;
