//! Chooses the patterns that are listed. They hold on fresh inputs, and of patterns that kill the same mutants, shorter ones are preferred.
//! Chosen patterns that differ only in the constant that they set become one relation.
//!
//! A rule of a program becomes one relation, such as `when separation <= 600 or rate > 600 or not confident: expect out == 0`. As three
//! relations, each catches so few mutants that others take its place. Only conditions of one comparison are joined, and only of a
//! constant result: other disjunctions catch more mutants still, but nobody would write them.

use std::sync::Arc;

use dodona_inference::discovery::{GreedyCover, KillSet};
use dodona_inference::patterns::{
    Atom, Change, Condition, Described, Expected, MergedPatterns, Order, Pattern,
};
use dodona_records::{CheckRecord, RelationVerdict};
use dodona_sources::Seed;
use dodona_target::Until;
use dodona_workbench::{CheckOptions, LabError, Regressions, Relations, Workbench, check::check_until};
use fixedbitset::FixedBitSet;

use super::fresh_inputs::{FreshInputs, any_of};
use super::fresh_test::FreshTest;
use super::mutants::Revealed;
use super::pattern_candidates::{HeldUnder, Recorded};
use super::pattern_tuning::{
    FIRST_IN, INVARIANT_SHARE, JOINED_GAIN, KILLING_SHARE, LEAST_GAIN, LEAST_GROUPS_OF_A_PATTERN,
    MOST_CHOSEN, MOST_INVARIANTS, MOST_JOINED, OTHERS_SHARE,
};
use crate::DiscoverOptions;
use crate::target::DiscoveryTarget;
use crate::tuning::HALVING_SIZE;

/// A pattern that held.
#[derive(Clone, Debug)]
pub(crate) struct FoundPattern {
    pub(crate) name: String,
    /// Whether it states something about the output of every single call.
    pub(crate) is_invariant: bool,
    /// What it says, in words.
    pub(crate) words: String,
    /// The relation.
    pub(crate) text: String,
    /// The mutants that it kills, by their index among those that the search saw.
    pub(crate) killed: FixedBitSet,
    /// The fresh inputs on which it was tested.
    pub(crate) tested: TestedOn,
}

/// On how many metamorphic groups a pattern held, and how many were not eligible.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TestedOn {
    pub(crate) held: u64,
    pub(crate) ineligible: u64,
}

/// Chooses patterns.
pub(super) struct Choice<'a> {
    pub(super) target: &'a DiscoveryTarget<'a>,
    pub(super) options: &'a DiscoverOptions,
    /// When no more patterns are tested.
    pub(super) until: &'a Until,
    pub(super) recorded: &'a Recorded<'a>,
    pub(super) held: &'a [HeldUnder],
    pub(super) described: Described<'a>,
    /// On how many source inputs, drawn as the manifest says, a pattern is tested before it is chosen.
    pub(super) fresh: u64,
}

/// A pattern that holds on the recorded executions, with the mutants that it kills.
struct Candidate<'a> {
    /// The index of its expectation.
    held: usize,
    /// Conditions of which one has to be true.
    conditions: Vec<&'a Condition>,
    pattern: Pattern,
    killed: FixedBitSet,
}

impl Choice<'_> {
    /// Chooses patterns. `fresh` are inputs made like those that patterns were found with; `drawn` are inputs drawn as the manifest says.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn choose(
        &self,
        revealed: &[Option<Revealed>],
        fresh: FreshInputs,
        drawn: &FreshInputs,
    ) -> Result<Vec<FoundPattern>, LabError> {
        let candidates = self.candidates(revealed);
        let in_drawn = drawn.rows_of(&self.recorded.vocabulary.atoms);
        let size = |one: &Candidate<'_>| one.pattern.weight() + rarity(&one.conditions, &in_drawn, drawn);
        let set = |one: &Candidate<'_>| KillSet { killed: one.killed.clone(), size: size(one) };
        let mut cover = GreedyCover::new(candidates.iter().map(set).collect(), HALVING_SIZE);
        let mut together = FixedBitSet::new();
        candidates.iter().for_each(|one| together.union_with(&one.killed));
        let least = (together.count_ones(..) / LEAST_GAIN).max(1);
        let mut test = FreshTest::new(self.target, self.recorded, fresh);
        let mut chosen: Vec<(usize, TestedOn)> = Vec::new();
        for place in invariants(&candidates, together.count_ones(..)) {
            if chosen.len() < MOST_INVARIANTS
                && let Some(on) = self.tested(&mut test, &candidates[place])?
            {
                cover.accept(place);
                chosen.push((place, on));
            }
        }
        while chosen.len() < MOST_CHOSEN
            && self.until.goes_on()
            && let Some(next) = cover.propose()
        {
            if cover.gain(next) >= least
                && let Some(on) = self.tested(&mut test, &candidates[next])?
            {
                cover.accept(next);
                chosen.push((next, on));
            }
        }
        let needed = without_needless(&candidates, chosen.iter().map(|(place, _)| *place).collect());
        let kept: Vec<(&Candidate<'_>, TestedOn)> = chosen
            .into_iter()
            .filter(|(place, _)| needed.contains(place))
            .map(|(place, on)| (&candidates[place], on))
            .collect();
        let patterns: Vec<&Pattern> = kept.iter().map(|(one, _)| &one.pattern).collect();
        let of = |group: Vec<usize>| self.found(&group.iter().map(|&place| kept[place]).collect::<Vec<_>>());
        Ok(MergedPatterns::groups(&patterns).into_iter().filter_map(of).collect())
    }

    /// Tests a candidate on inputs like those that it was found with, and then on inputs that are drawn as the manifest says; `None` where it fails.
    fn tested(&self, test: &mut FreshTest<'_>, one: &Candidate<'_>) -> Result<Option<TestedOn>, LabError> {
        if test.passes(one.held, &one.pattern, &one.conditions)? {
            self.holds(&one.pattern)
        } else {
            Ok(None)
        }
    }

    /// All patterns that kill a mutant, each under one condition. A pattern that expects a constant result is also tried under several
    /// conditions joined by `or`, because such a rule is often one statement of a program.
    fn candidates(&self, revealed: &[Option<Revealed>]) -> Vec<Candidate<'_>> {
        let mut all = Vec::new();
        for (index, held) in self.held.iter().enumerate() {
            let killed = |condition: &Condition| killed_under(index, condition, revealed);
            let under: Vec<(&Condition, FixedBitSet)> =
                held.conditions.iter().map(|condition| (condition, killed(condition))).collect();
            let alone = under.iter().map(|(condition, killed)| (vec![*condition], killed.clone()));
            let joined = match (&self.recorded.vocabulary.changes[held.change], &held.expected) {
                (Change::None, Expected::Is(_)) => joined(&under),
                _ => Vec::new(),
            };
            for (conditions, killed) in alone.chain(joined).filter(|(_, killed)| !killed.is_clear()) {
                let pattern = held.pattern(&conditions, self.recorded.vocabulary);
                all.push(Candidate { held: index, conditions, pattern, killed });
            }
        }
        all
    }

    /// Tests a pattern on inputs that are drawn as the manifest says; `None` where one of them violates it, or too few are eligible. Most
    /// patterns that are violated at all are violated on the first few inputs.
    fn holds(&self, pattern: &Pattern) -> Result<Option<TestedOn>, LabError> {
        let text = pattern.text("pattern", &self.described);
        let workbench = self.target.workbench;
        let workbench = workbench.about(Relations::of_text(&text, workbench.functions())?);
        match self.checked(&workbench, self.fresh / FIRST_IN)? {
            Some(record) if !is_violated(&record) => {
                Ok(self.checked(&workbench, self.fresh)?.as_ref().and_then(held_on))
            }
            _ => Ok(None),
        }
    }

    /// Checks the only relation of a workbench; `None` if the check was stopped. At the end of the time a record may be of some inputs only.
    fn checked(&self, workbench: &Arc<Workbench>, sources: u64) -> Result<Option<CheckRecord>, LabError> {
        let options = CheckOptions {
            sources,
            seed: Seed(self.options.seed.0 ^ 0x7363_7265_656e),
            jobs: self.options.jobs,
            regressions: Regressions::Ignore,
            shrink_fuel: 0,
            ..CheckOptions::default()
        };
        match check_until(workbench.clone(), &options, self.until, &mut |_| {}) {
            Ok(record) => Ok(Some(record)),
            Err(error) if error.is_stopped() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes one relation of the patterns of a group; `None` if the group is empty.
    fn found(&self, group: &[(&Candidate<'_>, TestedOn)]) -> Option<FoundPattern> {
        let &(first, _) = group.first()?;
        let patterns: Vec<&Pattern> = group.iter().map(|(one, _)| &one.pattern).collect();
        let mut killed = FixedBitSet::new();
        group.iter().for_each(|(one, _)| killed.union_with(&one.killed));
        let tested = group.iter().map(|(_, on)| *on).min_by_key(|on| on.held)?;
        let described = &self.described;
        let (name, words, text) = match MergedPatterns::new(&patterns) {
            Some(merged) => {
                let name = merged.name(described);
                (name.clone(), merged.sentence(described), merged.text(&name, described))
            }
            None => {
                let name = first.pattern.name(described);
                (name.clone(), first.pattern.sentence(described), first.pattern.text(&name, described))
            }
        };
        Some(FoundPattern { name, words, text, killed, tested, is_invariant: first.is_invariant() })
    }
}

/// The mutants that an expectation, given by its index, kills under a condition.
fn killed_under(index: usize, condition: &Condition, revealed: &[Option<Revealed>]) -> FixedBitSet {
    let mut killed = FixedBitSet::with_capacity(revealed.len());
    for (mutant, revealed) in revealed.iter().enumerate() {
        let Some(Revealed { broken, atoms, revealing, rows }) = revealed else { continue };
        let Some(broken) = broken.get(index) else { continue };
        let kills = condition.within(broken, atoms);
        let of_revealing = kills.intersection_count(revealing);
        let of_others = kills.count_ones(..) - of_revealing;
        let is_killed = of_revealing * KILLING_SHARE > revealing.count_ones(..)
            || of_others > 0 && of_others * OTHERS_SHARE >= rows - revealing.count_ones(..);
        killed.set(mutant, is_killed);
    }
    killed
}

/// Joins conditions of one comparison under which the same is expected: first two, then three, and so on, each time with the mutants that
/// are killed under them. Each step joins the condition that adds the most mutants. `under` has the conditions, each with the mutants that
/// are killed under it.
fn joined<'c>(under: &[(&'c Condition, FixedBitSet)]) -> Vec<(Vec<&'c Condition>, FixedBitSet)> {
    let mut all = Vec::new();
    let mut conditions: Vec<&Condition> = Vec::new();
    // It is as long as the other sets, because the difference of two sets stops at the end of the shorter one.
    let mut together = FixedBitSet::with_capacity(under.first().map_or(0, |(_, killed)| killed.len()));
    while conditions.len() < MOST_JOINED {
        let gain = |killed: &FixedBitSet| killed.difference_count(&together);
        let plain = under.iter().filter(|(condition, _)| condition.atoms.len() == 1);
        let best = plain.max_by_key(|(condition, killed)| (gain(killed), condition.support));
        let Some((condition, killed)) = best.filter(|(_, killed)| gain(killed) >= JOINED_GAIN) else { break };
        conditions.push(condition);
        together.union_with(killed);
        if conditions.len() > 1 {
            all.push((conditions.clone(), together.clone()));
        }
    }
    all
}

/// The reading cost that is added for conditions that are seldom true of inputs drawn as the manifest says: 1 for each halving of the share
/// of these inputs for which one of the conditions is true, so 3 for one input in eight. People test with such inputs, and a pattern that
/// applies to one in a thousand is hardly tested by a thousand of them.
fn rarity(conditions: &[&Condition], atoms: &[FixedBitSet], drawn: &FreshInputs) -> usize {
    let count = drawn.inputs.len();
    let met = any_of(conditions, atoms, count).count_ones(..);
    (count / met.max(1)).max(1).ilog2() as usize
}

/// Whether the only relation of a check was violated.
fn is_violated(record: &CheckRecord) -> bool {
    record.relations.first().is_none_or(|relation| relation.verdict() == RelationVerdict::Violated)
}

/// The groups of a check of one relation; `None` where it was violated, or hardly any group was eligible.
fn held_on(record: &CheckRecord) -> Option<TestedOn> {
    let first = record.relations.first()?;
    let tested = TestedOn { held: first.tally.held, ineligible: first.tally.groups() - first.tally.held };
    (first.verdict() == RelationVerdict::Holds && tested.held >= LEAST_GROUPS_OF_A_PATTERN).then_some(tested)
}

/// The invariants that kill enough of `mutants` mutants, those that kill most first. An invariant is left out if one before it kills all of
/// its mutants; between equals, the shorter one comes first.
fn invariants(candidates: &[Candidate<'_>], mutants: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..candidates.len())
        .filter(|&place| {
            candidates[place].is_invariant()
                && candidates[place].killed.count_ones(..) * INVARIANT_SHARE > mutants
        })
        .collect();
    places.sort_by_key(|&place| {
        (std::cmp::Reverse(candidates[place].killed.count_ones(..)), candidates[place].pattern.weight())
    });
    let mut kept: Vec<usize> = Vec::new();
    for place in places {
        let is_new = |other: &usize| !candidates[place].killed.is_subset(&candidates[*other].killed);
        if kept.iter().all(is_new) {
            kept.push(place);
        }
    }
    kept
}

impl Candidate<'_> {
    /// Whether it is about the source call alone, and has no condition except that the output is not some value, such as `out != 0`.
    fn is_invariant(&self) -> bool {
        let is_output = |atom: &Atom| matches!(atom, Atom::Output { order: Order::NotEqual, .. });
        self.pattern.change == Change::None && self.pattern.conditions().flatten().all(is_output)
    }
}

/// The chosen patterns without those whose mutants are all killed by the others. Patterns are looked at in the order in which they were
/// chosen, so that of two that kill the same mutants the later one stays. Invariants always stay.
fn without_needless(candidates: &[Candidate<'_>], mut chosen: Vec<usize>) -> Vec<usize> {
    let needed: Vec<usize> =
        chosen.iter().copied().filter(|&place| candidates[place].is_invariant()).collect();
    for place in chosen.clone().into_iter().filter(|place| !needed.contains(place)) {
        let mut others = FixedBitSet::new();
        let rest = chosen.iter().filter(|&&other| other != place);
        rest.for_each(|&other| others.union_with(&candidates[other].killed));
        if candidates[place].killed.is_subset(&others) {
            chosen.retain(|&other| other != place);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use dodona_inference::patterns::rows_where;

    use super::*;

    /// A mutant with the inputs on which a pattern without a condition is violated; the first `revealing` of 200 reveal it.
    fn is_killed(revealing: usize, is_broken: fn(usize) -> bool) -> bool {
        let broken = vec![rows_where(200, is_broken)];
        let revealing = rows_where(200, |row| row < revealing);
        let revealed = Revealed { broken, atoms: Vec::new(), revealing, rows: 200 };
        killed_under(0, &Condition::default(), &[None, Some(revealed)]).contains(1)
    }

    #[test]
    fn a_pattern_kills_what_it_is_often_violated_on() {
        assert!(is_killed(100, |row| row < 11), "11 of 100 inputs that reveal the mutant");
        assert!(!is_killed(100, |row| row < 10), "10 of 100");
        assert!(is_killed(1, |row| row == 0), "the only one");
        // Follow-up inputs reveal a mutant where source inputs do not.
        assert!(is_killed(100, |row| row == 150), "1 of 100 others");
        assert!(!is_killed(50, |row| row == 150), "1 of 150 others");
        assert!(!is_killed(200, |_| false), "there are no others");
    }
}
