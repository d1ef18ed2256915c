//! Chooses the patterns that are listed. They hold on fresh inputs, and of those that catch the same mutants shorter ones come first. Chosen patterns that differ in
//! the constant they set become one relation.

use std::collections::HashMap;
use std::sync::Arc;

use dodona_evidence::{CheckRecord, RelationVerdict};
use dodona_evolution::discovery::{GreedyCover, KillSet};
use dodona_evolution::patterns::{
    Atom, Change, Condition, Described, Expected, MergedPatterns, Order, Pattern, Rows,
};
use dodona_relations::CallError;
use dodona_sources::Seed;
use dodona_subject::Column;
use dodona_workbench::check::check_until;
use dodona_workbench::{CheckOptions, LabError, Regressions};
use fixedbitset::FixedBitSet;

use super::candidates::{HeldUnder, Recorded};
use super::inputs::PatternInputs;
use super::mutants::Revealed;
use super::run::ChangeRun;
use crate::DiscoverOptions;
use crate::target::DiscoveryTarget;
use crate::tuning::{HALVING_SIZE, TEST_END};
use crate::watch::Watch;

/// The most invariants that are listed whatever else catches the same mutants.
const MOST_INVARIANTS: usize = 2;
/// An invariant is listed if it catches more than one in so many of the mutants that patterns catch. A bound that hardly any mutant violates says nothing.
const INVARIANT_SHARE: usize = 10;
/// The most patterns. Of these, those are listed that kill most on random inputs; with 16, `charge` and `tax` had as many again that held and were not looked at.
const MOST: usize = 32;
/// Groups that have to hold of these.
const LEAST_HELD: u64 = 20;
/// A pattern adds at least one in so many of the mutants that any pattern catches.
const LEAST_GAIN: usize = 100;

/// A pattern catches a mutant if it does on one in so many of the inputs that reveal the mutant. On the function `advise` of twelve parameters, where
/// 217 of 300 mutants are revealed, a single input gives patterns that catch 0.53 of the mutants held out, one in 30 as many, one in 10 catches 0.56: what
/// catches a mutant on a rare input alone is not found again on others.
const KILLING_SHARE: usize = 10;

/// The most conditions that one pattern joins by `or`. A line with more is hardly read; with fewer, a rule of a program becomes several relations, which take the places
/// of others. With 4, the relations of `advise` caught 0.64 of the mutants held out, without joined conditions 0.58.
const MOST_JOINED: usize = 4;
/// A joined condition catches at least so many mutants that those before it do not: one alone is often caught by chance.
const JOINED_GAIN: usize = 2;

/// A pattern that held.
#[derive(Clone, Debug)]
pub(crate) struct FoundPattern {
    pub(crate) name: String,
    /// Whether it says what is true of the output of every call.
    pub(crate) is_invariant: bool,
    /// What it says, in words.
    pub(crate) words: String,
    /// The relation.
    pub(crate) text: String,
    /// The mutants that it catches, by their index among those that the search saw.
    pub(crate) killed: FixedBitSet,
}

/// Inputs, and what the original returns.
pub(super) struct FreshInputs {
    pub(super) inputs: PatternInputs,
    pub(super) outputs: Column,
}

/// Chooses patterns.
pub(super) struct Choice<'a> {
    pub(super) target: &'a DiscoveryTarget<'a>,
    pub(super) options: &'a DiscoverOptions,
    pub(super) watch: &'a Watch<'a>,
    pub(super) recorded: &'a Recorded<'a>,
    pub(super) held: &'a [HeldUnder],
    pub(super) described: Described<'a>,
    /// Source inputs, drawn as the manifest says, on which a pattern is run before it counts.
    pub(super) fresh: u64,
}

/// A pattern that holds on the recorded executions, and what it catches.
struct Candidate<'a> {
    held: usize,
    /// Conditions of which one has to be true.
    conditions: Vec<&'a Condition>,
    pattern: Pattern,
    killed: FixedBitSet,
}

impl Choice<'_> {
    /// `fresh` are inputs like those that patterns were found with, `drawn` are random ones.
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
        let in_drawn = self.rows_of_atoms(drawn);
        let size = |one: &Candidate<'_>| one.pattern.weight() + rarity(&one.conditions, &in_drawn, drawn);
        let set = |one: &Candidate<'_>| KillSet { killed: one.killed.clone(), size: size(one) };
        let mut cover = GreedyCover::new(candidates.iter().map(set).collect(), HALVING_SIZE);
        let mut together = FixedBitSet::new();
        candidates.iter().for_each(|one| together.union_with(&one.killed));
        let least = (together.count_ones(..) / LEAST_GAIN).max(1);
        let atoms = self.rows_of_atoms(&fresh);
        let mut test = FreshTest { choice: self, fresh, atoms, broken: HashMap::new() };
        let mut chosen: Vec<usize> = Vec::new();
        for place in invariants(&candidates, together.count_ones(..)) {
            if chosen.len() < MOST_INVARIANTS
                && test.passes(&candidates[place])?
                && self.holds(&candidates[place].pattern)?
            {
                cover.accept(place);
                chosen.push(place);
            }
        }
        while chosen.len() < MOST
            && self.watch.may_go_on()
            && let Some(next) = cover.propose()
        {
            let one = &candidates[next];
            if cover.gain(next) >= least && test.passes(one)? && self.holds(&one.pattern)? {
                cover.accept(next);
                chosen.push(next);
            }
        }
        let kept: Vec<&Candidate<'_>> =
            without_needless(&candidates, chosen).into_iter().map(|place| &candidates[place]).collect();
        let patterns: Vec<&Pattern> = kept.iter().map(|one| &one.pattern).collect();
        let of = |group: Vec<usize>| self.found(&group.iter().map(|&place| kept[place]).collect::<Vec<_>>());
        Ok(MergedPatterns::groups(&patterns).into_iter().filter_map(of).collect())
    }

    /// The inputs on which each atom of the vocabulary is true.
    fn rows_of_atoms(&self, inputs: &FreshInputs) -> Vec<Rows> {
        let atoms = self.recorded.vocabulary.atoms.iter();
        atoms.map(|atom| atom.rows(&inputs.inputs.sources, &inputs.outputs)).collect()
    }

    /// All patterns that catch a mutant, each under one condition. A pattern that says that the result is a constant also comes under several conditions of which one suffices: such a rule is
    /// one statement of a program, and one sentence.
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

    /// Whether a pattern holds on inputs that are drawn as the manifest says.
    fn holds(&self, pattern: &Pattern) -> Result<bool, LabError> {
        let text = pattern.text("pattern", &self.described);
        let workbench = Arc::new(self.target.workbench.with_relations(&text)?);
        let options = CheckOptions {
            sources: self.fresh,
            files: Vec::new(),
            made: Vec::new(),
            relations: Vec::new(),
            seed: Seed(self.options.seed.0 ^ 0x7363_7265_656e),
            jobs: self.options.jobs,
            regressions: Regressions::Ignore,
        };
        match check_until(&workbench, &options, &self.watch.until(TEST_END), &mut |_| {}) {
            Ok(record) => Ok(has_held(&record)),
            Err(error) if error.is_stopped() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Patterns that are one relation; `None` if there are none.
    fn found(&self, group: &[&Candidate<'_>]) -> Option<FoundPattern> {
        let first = group.first()?;
        let patterns: Vec<&Pattern> = group.iter().map(|one| &one.pattern).collect();
        let mut killed = FixedBitSet::new();
        group.iter().for_each(|one| killed.union_with(&one.killed));
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
        Some(FoundPattern { name, words, text, killed, is_invariant: first.is_invariant() })
    }
}

/// The mutants that an expectation, by its index, catches under a condition.
fn killed_under(index: usize, condition: &Condition, revealed: &[Option<Revealed>]) -> FixedBitSet {
    let mut killed = FixedBitSet::with_capacity(revealed.len());
    for (mutant, revealed) in revealed.iter().enumerate() {
        let Some(Revealed { broken, atoms, rows }) = revealed else { continue };
        let Some(broken) = broken.get(index) else { continue };
        let kills = condition.atoms.iter().fold(broken.clone(), |rows, &atom| rows.and(&atoms[atom]));
        killed.set(mutant, kills.count() * KILLING_SHARE > *rows);
    }
    killed
}

/// Joins conditions of one comparison under which the same is expected: the best two, the best three, and so on, each with the mutants that are caught under them. The
/// next condition is always the one that adds the most mutants. `under` has the conditions with the mutants that are caught under each.
fn joined<'c>(under: &[(&'c Condition, FixedBitSet)]) -> Vec<(Vec<&'c Condition>, FixedBitSet)> {
    let mut all = Vec::new();
    let mut conditions: Vec<&Condition> = Vec::new();
    // As long as the other sets: the difference of two sets stops at the end of the shorter one.
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

/// How seldom one of some conditions is true of inputs that are drawn as the manifest says, as a number of nodes to read: one each time that their number is halved. Such
/// inputs are what a person tests with. If a pattern applies to one of a thousand of them, it is hardly tested by a thousand.
fn rarity(conditions: &[&Condition], atoms: &[Rows], drawn: &FreshInputs) -> usize {
    let count = drawn.inputs.len();
    let rows = |condition: &&Condition| {
        condition.atoms.iter().fold(Rows::of(count, |_| true), |rows, &atom| rows.and(&atoms[atom]))
    };
    let met = conditions.iter().map(rows).fold(Rows::of(count, |_| false), |all, rows| all.or(&rows)).count();
    (count / met.max(1)).max(1).ilog2() as usize
}

fn has_held(record: &CheckRecord) -> bool {
    record
        .relations
        .first()
        .is_some_and(|first| first.verdict() == RelationVerdict::Holds && first.tally.held >= LEAST_HELD)
}

/// The invariants that catch enough of so many mutants, those that catch most first; of those that catch the same, the shortest.
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
    /// Whether it is about the source call alone, wherever there is an output that is not 0.
    fn is_invariant(&self) -> bool {
        let is_output = |atom: &Atom| matches!(atom, Atom::Output { order: Order::NotEqual, .. });
        self.pattern.change == Change::None && self.pattern.conditions().flatten().all(is_output)
    }
}

/// Those of the chosen patterns that catch a mutant which no other chosen one catches; later ones go first.
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

/// Fresh inputs like those that the patterns were found with, on which all conditions of an expectation are tested at once.
struct FreshTest<'a, 'c> {
    choice: &'a Choice<'c>,
    fresh: FreshInputs,
    /// The rows on which each atom is true.
    atoms: Vec<Rows>,
    /// The rows on which an expectation is false, by its index.
    broken: HashMap<usize, Rows>,
}

impl FreshTest<'_, '_> {
    fn passes(&mut self, one: &Candidate<'_>) -> Result<bool, LabError> {
        if !self.broken.contains_key(&one.held) {
            let broken = self.run(&one.pattern)?;
            self.broken.insert(one.held, broken);
        }
        let broken = &self.broken[&one.held];
        Ok(one.conditions.iter().all(|condition| match condition.atoms[..] {
            [] => broken.count() == 0,
            [atom] => !broken.meets(&self.atoms[atom]),
            [first, second, ..] => !broken.meets_both(&self.atoms[first], &self.atoms[second]),
        }))
    }

    fn run(&self, pattern: &Pattern) -> Result<Rows, LabError> {
        let Recorded { function, output, .. } = self.choice.recorded;
        let FreshInputs { inputs, outputs } = &self.fresh;
        let target = self.choice.target;
        let mut runner = target.workbench.executable.runner();
        let mut call = |columns: &[Column]| {
            runner.call(target.function, columns).map_err(|error| LabError::from(CallError::new(error)))
        };
        let run = ChangeRun::new(function, *output, &pattern.change, inputs, outputs, &mut call)?;
        Ok(run.broken(&pattern.expected, inputs, outputs))
    }
}
