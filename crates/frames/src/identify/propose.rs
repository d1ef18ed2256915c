//! Proposes relations: for each change and each output relation, the conditions under which it holds on the samples.

use crate::identification::{
    Aspect, Candidate, Category, Cover, Evidence, Expectation, Frame, JointChange, Literal, Part,
    Specification, cover,
};
use dodona_target::Until;
use dodona_workbench::{LabError, SubjectCaller};
use fixedbitset::FixedBitSet;

use super::merge::{joined, sliced, without_mirrored};
use super::steps::Steps;
use super::unless_stopped;
use crate::framed::Framed;
use crate::options::IdentifyOptions;
use crate::samples::Samples;
use crate::trial::{Trial, trial};

/// The fewest samples that support a proposed relation. What fewer samples have in common is often chance, and fresh inputs seldom satisfy
/// their condition, so they seldom refute it.
const LEAST_SUPPORT: usize = 8;

/// At least one in so many of the samples that a change applies to has to support a condition. There are many rarer conditions, and each
/// says little.
const LEAST_SHARE: usize = 25;

/// The most conditions that one relation joins by `or`. People do not read more.
const MOST_CUBES: usize = 2;

/// The most literals of one condition. Longer conditions describe the samples and not the function.
const MOST_LITERALS: usize = 3;

/// The proposed relations.
pub(super) struct Proposed {
    pub(super) candidates: Vec<Candidate>,
    /// How many conditions were left out, because they are too long or fewer samples satisfy them.
    pub(super) narrower: u64,
    /// Whether the time was up, or somebody interrupted, before all changes were looked at.
    pub(super) is_cut: bool,
}

/// The most samples that relations are proposed from. The cost grows with their number, and more samples improve conditions only a little:
/// fresh inputs refute wrong conditions, and become samples of the next round. The shipped subjects have fewer samples.
const MOST_SAMPLES: usize = 6_000;

/// A selection of about [`MOST_SAMPLES`] samples; `None` if there are no more than that.
pub(super) fn few(samples: &Samples) -> Option<Samples> {
    samples.at_most(MOST_SAMPLES)
}

/// Proposes relations. For each change and output, relations without a condition come first, then those with conditions, the strongest
/// first. What follows from smaller steps is not proposed.
pub(super) fn propose(
    framed: &Framed,
    samples: &Samples,
    (changes, steps): (&[JointChange], &Steps<'_>),
    options: &IdentifyOptions,
    (caller, until): (&mut SubjectCaller, &Until),
) -> Result<Proposed, LabError> {
    let mut proposed = Proposed { candidates: Vec::new(), narrower: 0, is_cut: false };
    for change in changes {
        let tried = unless_stopped(trial(framed, samples, change, caller))?;
        // A trial that was cut short lacks outputs.
        let Some(tried) = tried.filter(|_| until.goes_on()) else {
            proposed.is_cut = true;
            break;
        };
        let Some(trial) = tried else { continue };
        let view = View::new(framed, samples, &trial, options);
        let mut covered = Covered::new();
        for aspect in Aspect::all(&framed.specification.results, &samples.calls.outputs) {
            if aspect.part == Part::Whole {
                covered.clear();
            }
            let explained = steps.explained(samples, &trial, change, aspect);
            view.aspect(change, aspect, (&mut covered, explained), &mut proposed);
        }
    }
    proposed.candidates = without_mirrored(sliced(joined(proposed.candidates)));
    proposed.candidates.sort_by_key(|candidate| {
        let literals: usize = candidate.cubes.iter().map(|cube| cube.literals.len()).sum();
        (literals.min(1), std::cmp::Reverse(candidate.support))
    });
    Ok(proposed)
}

/// The output relations that were proposed for an output under one change, each with the rows that it covers.
type Covered = Vec<(Expectation, FixedBitSet)>;

/// The executions of one change as a table. Each row is a sample; each slot is a literal that conditions may have, with the choice of each
/// row.
struct View<'a> {
    trial: &'a Trial,
    specification: &'a Specification,
    slots: Vec<Literal>,
    choices: Vec<Vec<u16>>,
    /// The choices of the output of each source input.
    before: Vec<Option<Frame>>,
    /// Rows whose follow-up call did not return.
    failed: FixedBitSet,
    /// Rows that may support a relation: the input changed, and the frames of both inputs are known and near enough.
    usable: FixedBitSet,
}

impl<'a> View<'a> {
    fn new(framed: &'a Framed, samples: &Samples, trial: &'a Trial, options: &IdentifyOptions) -> View<'a> {
        let specification = &framed.specification;
        let source = |row: usize| &samples.frames[samples.frame_of[trial.sources[row] as usize] as usize];
        let rows = trial.sources.len();
        let is_usable = |row: &usize| {
            let near =
                |after: &Frame| options.distance.is_none_or(|most| source(*row).distance(after) <= most);
            trial.changed[*row] && trial.frames[*row].as_ref().is_some_and(near)
        };
        let mut view = View {
            trial,
            specification,
            slots: Vec::new(),
            choices: Vec::new(),
            before: trial.sources.iter().map(|sample| samples.outputs[*sample as usize].clone()).collect(),
            failed: (0..rows).filter(|row| trial.failed[*row]).collect(),
            usable: (0..rows).filter(is_usable).collect(),
        };
        for category in 0..specification.inputs.len() {
            let before: Vec<u16> = (0..rows).map(|row| source(row).0[category]).collect();
            let after: Vec<u16> = (0..rows)
                .map(|row| choice(trial.frames[row].as_ref(), category, &specification.inputs))
                .collect();
            if after != before {
                view.slots.insert(0, Literal::FollowUp(category));
                view.choices.insert(0, after);
            }
            view.slots.push(Literal::Source(category));
            view.choices.push(before);
        }
        for category in 0..specification.outputs.len() {
            let of = |before: &Option<Frame>| choice(before.as_ref(), category, &specification.outputs);
            view.slots.insert(0, Literal::Output(category));
            view.choices.insert(0, view.before.iter().map(of).collect());
        }
        view
    }

    /// Proposes the relations of one aspect of an output. `whole` has what was proposed for the whole output, and is set when the aspect is
    /// the whole output. The parts use it, because equal outputs have equal parts. `explained` has what follows from smaller steps.
    fn aspect(
        &self,
        change: &JointChange,
        aspect: Aspect,
        (whole, explained): (&mut Covered, Covered),
        proposed: &mut Proposed,
    ) {
        let (source, no_source) = aspect.column(&self.trial.before);
        let (follow_up, no_follow_up) = aspect.column(&self.trial.after);
        let ty = aspect.ty(&self.specification.results);
        let evidence = Evidence { ty, source: &source, follow_up: &follow_up };
        let rows = self.trial.sources.len();
        let mut covered: Covered = whole.clone();
        if aspect.part != Part::Whole {
            covered.retain(|(expectation, _)| *expectation == Expectation::Equal);
        }
        covered.extend(explained);
        for (expectation, mut holds) in in_order(&evidence, rows) {
            holds.difference_with(&self.failed);
            holds.difference_with(&no_source);
            holds.difference_with(&no_follow_up);
            // `out' != out` is listed only if nothing else is known of a single change, and only for whole outputs: for a part it adds
            // nothing.
            let is_alone = covered.is_empty() && aspect.part == Part::Whole && change.single().is_some();
            if expectation == Expectation::Different && !is_alone {
                continue;
            }
            let Some(mut covers) = self.covers(expectation, &holds, &covered) else { continue };
            let is_ordered =
                |cover: &Cover| aspect.part == Part::Whole && self.is_ordered(expectation, &cover.rows);
            covers.retain(|cover| is_ordered(cover) || !evidence.is_bound(expectation, &cover.rows));
            // Where all outputs are equal, any other relation is misleading: `out' == 2*out` also holds if both are 0.
            if expectation != Expectation::Equal {
                let equal = evidence.holds(Expectation::Equal);
                covers.retain(|cover| !cover.rows.is_subset(&equal));
            }
            self.add(change, aspect, expectation, covers, &mut covered, proposed);
        }
        if aspect.part == Part::Whole {
            *whole = covered;
        }
    }

    /// Whether the declared order of output choices gives this strict order in all of these rows. Then the relation says more than that an
    /// output is not the least or the greatest one.
    fn is_ordered(&self, expectation: Expectation, rows: &FixedBitSet) -> bool {
        let sides = |row: usize| (self.before[row].as_ref(), self.trial.outputs[row].as_ref());
        rows.ones().all(|row| match sides(row) {
            (Some(before), Some(after)) => self.specification.orders(before, after) == Some(expectation),
            _ => false,
        })
    }

    /// The conditions under which an expectation holds. Only rows in which nothing stronger was proposed support them; `None` if these rows
    /// are too few.
    fn covers(&self, expectation: Expectation, holds: &FixedBitSet, covered: &Covered) -> Option<Vec<Cover>> {
        let rows = self.trial.sources.len();
        let mut fails = FixedBitSet::with_capacity(rows);
        fails.extend((0..rows).filter(|row| !holds.contains(*row)));
        let mut seeds = FixedBitSet::with_capacity(rows);
        seeds.extend(holds.ones().filter(|row| self.usable.contains(*row)));
        for (other, rows) in covered {
            if says_less(expectation, *other) {
                seeds.difference_with(rows);
            }
        }
        let least = LEAST_SUPPORT.max(self.usable.count_ones(..) / LEAST_SHARE);
        (seeds.count_ones(..) >= LEAST_SUPPORT)
            .then(|| cover(&self.slots, &self.choices, &seeds, &fails, least))
    }

    fn add(
        &self,
        change: &JointChange,
        aspect: Aspect,
        expectation: Expectation,
        covers: Vec<Cover>,
        covered: &mut Covered,
        proposed: &mut Proposed,
    ) {
        let (mut kept, long): (Vec<Cover>, Vec<Cover>) =
            covers.into_iter().partition(|cover| cover.cube.literals.len() <= MOST_LITERALS);
        proposed.narrower += (long.len() + kept.len().saturating_sub(MOST_CUBES)) as u64;
        kept.sort_by_key(|cover| std::cmp::Reverse(cover.rows.intersection_count(&self.usable)));
        kept.truncate(MOST_CUBES);
        if kept.is_empty() {
            return;
        }
        let mut rows = FixedBitSet::with_capacity(self.trial.sources.len());
        kept.iter().for_each(|cover| rows.union_with(&cover.rows));
        proposed.candidates.push(Candidate {
            changes: vec![change.clone()],
            aspect,
            expectation,
            cubes: kept.into_iter().map(|cover| cover.cube).collect(),
            support: rows.intersection_count(&self.usable),
        });
        covered.push((expectation, rows));
    }
}

/// The choice of a category; without a frame, a number that no choice has.
fn choice(frame: Option<&Frame>, category: usize, categories: &[Category]) -> u16 {
    frame.map_or(categories[category].choices.len() as u16, |frame| frame.0[category])
}

/// The output relations that may hold, each with the rows in which it does. Those that hold in all rows come first, because a person
/// prefers a relation without a condition to a stronger one with a condition. The others follow by strength. `out' != out` is left out
/// unless it holds in all rows: under a condition it says next to nothing.
fn in_order(evidence: &Evidence<'_>, rows: usize) -> Vec<(Expectation, FixedBitSet)> {
    let all = evidence.candidates().into_iter().map(|expectation| (expectation, evidence.holds(expectation)));
    let is_general = |(_, holds): &(Expectation, FixedBitSet)| holds.count_ones(..) == rows;
    let (mut first, mut rest): (Vec<_>, Vec<_>) = all.partition(is_general);
    rest.retain(|(expectation, _)| *expectation != Expectation::Different);
    // `out' != out` comes last even if it holds in all rows.
    let different = first.iter().position(|(expectation, _)| *expectation == Expectation::Different);
    let different = different.map(|at| first.remove(at));
    first.into_iter().chain(rest).chain(different).collect()
}

/// Whether a relation says little where another one holds: the other one implies it, or says that the outputs differ by a constant factor
/// or difference. A factor does not imply an order of outputs that may be negative, but an order adds little to it.
fn says_less(expectation: Expectation, other: Expectation) -> bool {
    let is_constant = matches!(other, Expectation::Ratio(_) | Expectation::Difference(_));
    other.implies(expectation) || (is_constant && expectation != Expectation::Equal)
}
