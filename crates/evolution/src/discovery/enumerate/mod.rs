//! Enumeration of output relations from small terms, one for each distinct column of values, as QuickSpec and Ruler do.

mod bank;
mod candidates;
mod formulas;
mod join;
mod options;
mod probe;
mod stream;
mod verify;

pub use options::{EnumerateOptions, Enumeration, Found};

use dodona_relations::ast::Expression;

use super::{Evaluator, Pairs, Place, TermId, Terms, Variable};
use bank::{Bank, Built};
use candidates::Candidates;
use verify::Verifier;

/// The largest kept terms that speak of a follow-up output.
const FOLLOW_UP_SIZE: usize = 3;

/// Finds at once the relations between small terms: every equality of a follow-up output with a term over the source inputs, the
/// source outputs, follow-up inputs and small constants of up to [`EnumerateOptions::size`] nodes, equalities and other comparisons
/// between two smaller terms, and small formulas over Boolean outputs. One that fails on some correct rows gets a condition.
///
/// Terms are told apart on a sample of the rows; what is given back holds on all of them.
///
/// `terms` takes the terms found; `evaluator` is one of `pairs`. `go_on` is asked often; once it says no, the search ends with what
/// it has.
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
    let mut candidates = Candidates::new(outputs(pairs));
    let complete_to = fill(&mut bank, &mut candidates, options, go_on);
    let candidates = candidates.ranked();
    let mut verifier = Verifier::new(terms, evaluator, pairs);
    let was_stopped = !verifier.verify(&bank, &candidates, options, go_on) || !go_on();
    let found = verifier.found(options.found);
    Enumeration { found, evaluated: bank.evaluated, complete_to, was_stopped }
}

/// Builds terms and compares them. The size up to which that is complete.
fn fill(
    bank: &mut Bank,
    candidates: &mut Candidates,
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
    join::join(bank, candidates, go_on);
    formulas::formulas(bank, candidates, go_on);
    for size in bank.sizes.len()..=options.size {
        let built = stream::stream(bank, candidates, size, options.candidates, go_on);
        is_complete &= built == Built::All;
        complete_to = if is_complete { size } else { complete_to };
    }
    complete_to
}

/// Whether a term speaks, for at least one output, of that of the source and of that of the follow-up call (the soft constraint of
/// the study). Where the source output is handed to the follow-up call, speaking of its output speaks of both.
pub fn is_metamorphic(terms: &Terms, term: TermId, pairs: &Pairs) -> bool {
    let variables = terms.variables(term);
    outputs(pairs).iter().any(|both| variables & both == *both)
}

/// For each output, the bits of the variables that a relation has to speak of: of both calls, as far as the one does not stand in
/// the other.
fn outputs(pairs: &Pairs) -> Vec<u64> {
    let bit = |place: Place| pairs.variables.iter().position(|v| v.place == place).map(|i| 1u64 << i);
    let both = |source: &Variable| {
        let Place::SourceOutput(i) = source.place else { return None };
        let follow_up = pairs.variables.iter().find(|v| v.place == Place::FollowUpOutput(i))?;
        let is_fed_back = stands_in(&source.expression, &follow_up.expression);
        let other = if is_fed_back { 0 } else { bit(source.place)? };
        Some(bit(follow_up.place)? | other)
    };
    pairs.variables.iter().filter_map(both).collect()
}

fn stands_in(part: &Expression, whole: &Expression) -> bool {
    whole == part || whole.children().into_iter().any(|child| stands_in(part, child))
}

#[cfg(test)]
mod tests;
