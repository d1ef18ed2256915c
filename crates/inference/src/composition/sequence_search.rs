//! The search for sequences whose composite relations hold (section 3.3).

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::memo::{Counts, EvaluatedRelation, Evaluator, Memo, SequenceResult};
use super::repeat::Repeat;
use super::{Composer, Composite, Incomposable, SearchKind, Sequence, Settings, SettingsError};
use crate::random::Random;

/// Why a search has no result.
#[derive(Debug, Error)]
pub enum SearchError<E> {
    /// No search is possible with these settings.
    #[error(transparent)]
    Settings(SettingsError),
    /// The functions under test could not be run.
    #[error("the composite relations could not be evaluated: {0}")]
    Evaluator(E),
    /// The evaluator has not answered for every relation.
    #[error("{asked} relations were to be evaluated, and {answered} were")]
    Answers {
        /// How many relations were handed over.
        asked: usize,
        /// How many answers came back.
        answered: usize,
    },
}

/// A composite relation that holds on enough inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// The relation.
    pub composite: Composite,
    /// On how many inputs it holds.
    pub counts: Counts,
    /// Whether a repeat of the search returned it as its best. Each repeat returns one sequence, as in the study (Xiang, Wu and
    /// Yu 2019). All other sequences that were evaluated and are good enough are accepted too. Enumeration returns every
    /// sequence.
    pub is_best: bool,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The search that was made; never [`SearchKind::Auto`].
    pub search: SearchKind,
    /// The relations that hold on enough inputs, ordered by their sequences.
    pub accepted: Vec<Accepted>,
    /// How many different sequences were tried, the refused ones included.
    pub tried: usize,
    /// How many sequences could not be composed, by reason.
    pub refused: BTreeMap<Incomposable, usize>,
    /// How many were eligible on too few inputs. For example, the follow-up inputs of an inner relation may not satisfy the
    /// condition of the next one.
    pub rarely_eligible: usize,
    /// How many did not hold on enough of the eligible inputs.
    pub rejected: usize,
    /// Whether the search came to its own end, rather than being ended by the evaluator.
    pub is_complete: bool,
}

/// Searches the sequences of a composer's relations for those whose composite relations hold.
///
/// The result depends on the settings and the evaluator's answers alone.
///
/// # Errors
/// When the settings make no sense for these relations, or the evaluator fails.
pub fn search<E: Evaluator>(
    composer: &Composer<'_>,
    settings: &Settings,
    evaluator: &mut E,
) -> Result<SearchResult, SearchError<E::Error>> {
    let relations = composer.basics().len();
    settings.check(relations).map_err(SearchError::Settings)?;
    let kind = settings.kind(relations);
    let mut memo = Memo::new(composer, settings, evaluator);
    let best = match kind {
        SearchKind::Anneal => repeated(settings, relations, &mut memo, |repeat, memo| repeat.anneal(memo))?,
        SearchKind::Genetic => repeated(settings, relations, &mut memo, |repeat, memo| repeat.evolve(memo))?,
        SearchKind::Enumerate | SearchKind::Auto => enumerated(settings, relations, &mut memo)?,
    };
    Ok(found(kind, memo, &best))
}

/// All sequences, a part at a time, so that the evaluator can end the search.
fn enumerated<E: Evaluator>(
    settings: &Settings,
    relations: usize,
    memo: &mut Memo<'_, E>,
) -> Result<BTreeSet<Sequence>, SearchError<E::Error>> {
    const PART: usize = 1024;
    let all = settings.sequences(relations);
    let (mut next, mut best) = (0, BTreeSet::new());
    while next < all && !memo.is_over() {
        let end = all.min(next + PART as u128);
        let part: Vec<Sequence> =
            (next..end).map(|n| Sequence::numbered(n, settings.layers, relations)).collect();
        memo.learn(&part)?;
        best.extend(part);
        next = end;
    }
    Ok(best)
}

/// What the repeats of a search return.
fn repeated<E: Evaluator>(
    settings: &Settings,
    relations: usize,
    memo: &mut Memo<'_, E>,
    one: impl Fn(&mut Repeat<'_>, &mut Memo<'_, E>) -> Result<Sequence, SearchError<E::Error>>,
) -> Result<BTreeSet<Sequence>, SearchError<E::Error>> {
    let mut random = Random::new(settings.seed);
    let mut best = BTreeSet::new();
    for _ in 0..settings.repeats {
        if memo.is_over() {
            break;
        }
        best.insert(one(&mut Repeat { settings, relations, random: &mut random }, memo)?);
    }
    Ok(best)
}

fn found<E: Evaluator>(search: SearchKind, memo: Memo<'_, E>, best: &BTreeSet<Sequence>) -> SearchResult {
    let (mut refused, mut rarely_eligible) = (BTreeMap::new(), 0);
    for known in memo.known() {
        match known {
            SequenceResult::Refused(why) => *refused.entry(why).or_default() += 1,
            SequenceResult::Evaluated(counts) if memo.is_rarely_eligible(counts) => rarely_eligible += 1,
            SequenceResult::Evaluated(_) => {}
        }
    }
    let (tried, is_complete) = (memo.known().len(), !memo.is_over());
    let accept = |EvaluatedRelation { composite, counts }| {
        let is_best = best.contains(&composite.sequence);
        Accepted { composite, counts, is_best }
    };
    let mut accepted: Vec<Accepted> = memo.into_accepted().into_iter().map(accept).collect();
    accepted.sort_by(|a, b| a.composite.sequence.cmp(&b.composite.sequence));
    let rejected = tried - refused.values().sum::<usize>() - rarely_eligible - accepted.len();
    SearchResult { search, accepted, tried, refused, rarely_eligible, rejected, is_complete }
}
