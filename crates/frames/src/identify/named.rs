//! The relations that are reported: how their tests ended, and a name for each.

use crate::identification::Candidate;
use dodona_records::IdentifiedRelation;

use super::Standing;
use super::fresh::{FreshVerdict, Judged, LEAST_HELD};
use super::stated::is_stated;
use super::text::text;
use crate::framed::Framed;
use crate::samples::Samples;

/// How the tests of a relation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It held on so many metamorphic groups of the last test.
    Holds(u64),
    /// It held on so many metamorphic groups of the rounds, and the last test did not reach it.
    Stands(u64),
    /// Too few inputs satisfy its condition.
    Rare,
    /// The last test refuted it.
    Refuted,
    /// It was not tested at all.
    Open,
}

/// How the tests ended, one entry for each relation.
pub(super) struct Ends(Vec<End>);

impl Ends {
    /// Combines the verdicts of the rounds with those of the last test.
    pub(super) fn of(standing: &[Standing], last: &Judged) -> Ends {
        let is_enough = |held: &u64| *held >= LEAST_HELD;
        let end = |(standing, verdict): (&Standing, &Option<FreshVerdict>)| match (verdict, standing.held) {
            (Some(fresh), _) => match (fresh.refuting.is_empty(), fresh.held) {
                (false, _) => End::Refuted,
                (true, held) if is_enough(&held) => End::Holds(held),
                (true, _) => End::Rare,
            },
            (None, Some(held)) if is_enough(&held) => End::Stands(held),
            (None, Some(_)) => End::Rare,
            (None, None) => End::Open,
        };
        Ends(standing.iter().zip(&last.verdicts).map(end).collect())
    }

    /// Notes on relations that are not confirmed or not listed. `why` says why tests were not run: the time was up, or somebody
    /// interrupted. Others are not listed because too few inputs satisfy their conditions.
    pub(super) fn missing(&self, why: &str) -> Vec<String> {
        let note = |is: fn(&End) -> bool, one: String, several: &str| {
            let count = self.0.iter().filter(|end| is(end)).count();
            match count {
                0 => None,
                1 => Some(one),
                n => Some(format!("{n} {several}")),
            }
        };
        let notes = [
            note(
                |end| matches!(end, End::Stands(_)),
                format!("a relation is not confirmed, since {why} before the last inputs judged it"),
                &format!("relations are not confirmed, since {why} before the last inputs judged them"),
            ),
            note(
                |end| *end == End::Open,
                format!("a relation is not listed, since {why} before it was judged"),
                &format!("relations are not listed, since {why} before they were judged"),
            ),
            note(
                |end| *end == End::Rare,
                "a relation is not listed, since too few inputs satisfy its condition (--fresh makes more)"
                    .to_owned(),
                "relations are not listed, since too few inputs satisfy their conditions (--fresh makes more)",
            ),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// The relations that held, each with a name of its own.
pub(super) fn named(
    framed: &Framed,
    samples: &Samples,
    standing: &[Standing],
    ends: &Ends,
) -> Vec<IdentifiedRelation> {
    let mut relations: Vec<IdentifiedRelation> = Vec::new();
    for (standing, end) in standing.iter().zip(&ends.0) {
        let (End::Holds(fresh) | End::Stands(fresh)) = *end else { continue };
        let candidate = &standing.candidate;
        let name = name(framed, candidate, &relations);
        relations.push(IdentifiedRelation {
            text: text(framed, candidate, &name),
            name,
            stated: is_stated(framed, samples, candidate),
            samples: candidate.support as u64,
            fresh,
            confirmed: matches!(end, End::Holds(_)),
        });
    }
    relations
}

/// A name such as `fare_times_scaled`, with a number if another relation already has this name.
fn name(framed: &Framed, candidate: &Candidate, taken: &[IdentifiedRelation]) -> String {
    let mut base = candidate.changes[0].word(&framed.declared().parameters);
    if let Some(selector) = framed.specification.results[candidate.aspect.output].name.selector() {
        base += &format!("_{selector}");
    }
    if let Some(word) = candidate.aspect.word() {
        base += &format!("_{word}");
    }
    base += &format!("_{}", candidate.expectation.word());
    let is_free = |name: &String| taken.iter().all(|relation| relation.name != *name);
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base)
}
