//! Candidates for relations: under each change, the conditions under which each output relation holds on the samples.

use dodona_identification::{
    Aspect, Candidate, Category, Change, Choice, Cover, Cube, Evidence, Expectation, Frame, Literal, Part,
    Specification, cover,
};
use dodona_relations::ast::Node;
use dodona_workbench::{LabError, SubjectCaller, Until};
use fixedbitset::FixedBitSet;

use super::unless_stopped;
use crate::framed::Framed;
use crate::options::IdentifyOptions;
use crate::samples::Samples;
use crate::trial::{Trial, trial};

/// A relation is proposed from so many samples on: what fewer have in common is often chance, and a fresh input seldom meets their
/// condition to refute it.
const LEAST_SUPPORT: usize = 8;

/// And from one in so many of the samples that a change applies to: rarer conditions are many, and each says little.
const LEAST_SHARE: usize = 25;

/// Conditions of one relation, joined by `or`. More are not read.
const MOST_CUBES: usize = 2;

/// Literals of one condition. Longer ones describe the samples and not the function.
const MOST_LITERALS: usize = 3;

/// What is proposed.
pub(super) struct Proposed {
    pub(super) candidates: Vec<Candidate>,
    /// Conditions that were left out beside wider ones.
    pub(super) narrower: u64,
}

/// Samples that relations are proposed from. More make conditions a little better and cost as much more; what is wrong of the conditions is
/// refuted by fresh inputs, and these are among the samples of the next round. The shipped subjects have fewer.
const MOST_SAMPLES: usize = 6_000;

/// Proposes relations: for each change and output those without a condition first, then the strongest under conditions.
pub(super) fn propose(
    framed: &Framed,
    samples: &Samples,
    changes: &[Change],
    options: &IdentifyOptions,
    (caller, until): (&mut SubjectCaller, &Until),
) -> Result<Proposed, LabError> {
    let mut proposed = Proposed { candidates: Vec::new(), narrower: 0 };
    let some = samples.at_most(MOST_SAMPLES);
    let samples = some.as_ref().unwrap_or(samples);
    for change in changes {
        let Some(tried) = unless_stopped(trial(framed, samples, change, caller))? else { break };
        let Some(trial) = tried else { continue };
        // A trial that was cut short has outputs missing.
        if !until.goes_on() {
            break;
        }
        let view = View::new(framed, samples, &trial, options);
        let mut covered = Covered::new();
        for aspect in Aspect::all(&framed.specification.results, &samples.calls.outputs) {
            if aspect.part == Part::Whole {
                covered.clear();
            }
            view.aspect(change, aspect, &mut covered, &mut proposed);
        }
    }
    proposed.candidates = without_mirrored(sliced(joined(proposed.candidates)));
    proposed.candidates.sort_by_key(|candidate| {
        let literals: usize = candidate.cubes.iter().map(|cube| cube.literals.len()).sum();
        (literals.min(1), std::cmp::Reverse(candidate.support))
    });
    Ok(proposed)
}

/// Whether the scenarios and the declared order of outputs say what a candidate expects, so that nothing is inferred: for each frame that
/// the conditions allow, and each frame that differs from it in the categories of the changed parameter at most and that they allow for the
/// follow-up input. The order is one of outputs as wholes; of their parts it says nothing.
pub(super) fn is_stated(framed: &Framed, samples: &Samples, candidate: &Candidate) -> bool {
    let specification = &framed.specification;
    let is_silent =
        specification.scenarios.is_empty() || specification.outputs.iter().all(|o| o.order.is_none());
    if is_silent || framed.specification.results.len() > 1 || candidate.aspect.part != Part::Whole {
        return false;
    }
    let name = &framed.declared().parameters[candidate.changes[0].parameter].name;
    let moves = |category: &Category| category.choices.iter().any(|choice| choice.speaks_of(name));
    let moved: Vec<bool> = specification.inputs.iter().map(moves).collect();
    let allows = |cube: &Cube, frame: &Frame, is_follow_up: bool| {
        cube.literals.iter().all(|(literal, choices)| match literal {
            Literal::Source(category) => is_follow_up || choices.contains(&frame.0[*category]),
            Literal::FollowUp(category) => !is_follow_up || choices.contains(&frame.0[*category]),
            Literal::Output(_) => true,
        })
    };
    // A change may lead to another input of the same frame, of which nothing is stated; the negation of a Boolean does not where a choice is the Boolean.
    let is_bare = |choice: &Choice| matches!(&choice.condition.node, Node::Name(of) if of == name);
    let leaves = candidate.changes[0].word == "not"
        && specification.inputs.iter().any(|category| category.choices.iter().any(is_bare));
    let is_near =
        |a: &Frame, b: &Frame| (a != b || !leaves) && (0..moved.len()).all(|c| moved[c] || a.0[c] == b.0[c]);
    candidate.cubes.iter().all(|cube| {
        let sources = samples.frames.iter().filter(|frame| allows(cube, frame, false));
        sources.into_iter().all(|source| {
            let reached =
                samples.frames.iter().filter(|after| is_near(source, after) && allows(cube, after, true));
            let mut reached = reached.peekable();
            reached.peek().is_some()
                && reached.all(|after| specification.states(candidate.expectation, source, after))
        })
    })
}

/// What was proposed of an output under one change, with the rows that it covers.
type Covered = Vec<(Expectation, FixedBitSet)>;

/// One change's executions, as literals and rows.
struct View<'a> {
    trial: &'a Trial,
    specification: &'a Specification,
    slots: Vec<Literal>,
    choices: Vec<Vec<u16>>,
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
            let of = |row: usize| samples.outputs[trial.sources[row] as usize].as_ref();
            view.slots.insert(0, Literal::Output(category));
            view.choices
                .insert(0, (0..rows).map(|row| choice(of(row), category, &specification.outputs)).collect());
        }
        view
    }

    /// Proposes the relations of one aspect of an output. `whole` has what was proposed of the output as a whole, and gets that: where two outputs are
    /// equal, so are their parts.
    fn aspect(&self, change: &Change, aspect: Aspect, whole: &mut Covered, proposed: &mut Proposed) {
        let (source, no_source) = aspect.column(&self.trial.before);
        let (follow_up, no_follow_up) = aspect.column(&self.trial.after);
        let ty = aspect.ty(&self.specification.results);
        let evidence = Evidence { ty, source: &source, follow_up: &follow_up };
        let rows = self.trial.sources.len();
        let mut covered: Covered = whole.clone();
        if aspect.part != Part::Whole {
            covered.retain(|(expectation, _)| *expectation == Expectation::Equal);
        }
        for (expectation, mut holds) in in_order(&evidence, rows) {
            holds.difference_with(&self.failed);
            holds.difference_with(&no_source);
            holds.difference_with(&no_follow_up);
            let mut fails = FixedBitSet::with_capacity(rows);
            fails.extend((0..rows).filter(|row| !holds.contains(*row)));
            let mut seeds = FixedBitSet::with_capacity(rows);
            seeds.extend(holds.ones().filter(|row| self.usable.contains(*row)));
            // That outputs differ is worth a line only where nothing else is known of the change.
            // Of a part that says nothing beside the whole.
            if expectation == Expectation::Different && !(covered.is_empty() && aspect.part == Part::Whole) {
                continue;
            }
            for (other, rows) in &covered {
                if says_less(expectation, *other) {
                    seeds.difference_with(rows);
                }
            }
            if seeds.count_ones(..) < LEAST_SUPPORT {
                continue;
            }
            let least = LEAST_SUPPORT.max(self.usable.count_ones(..) / LEAST_SHARE);
            let mut covers = cover(&self.slots, &self.choices, &seeds, &fails, least);
            covers.retain(|cover| !evidence.is_bound(expectation, &cover.rows));
            // Where all outputs are equal, that is what there is to say: twice nothing is nothing.
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

    fn add(
        &self,
        change: &Change,
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

/// The choice of a category; where there is none, a number that no choice has.
fn choice(frame: Option<&Frame>, category: usize, categories: &[Category]) -> u16 {
    frame.map_or(categories[category].choices.len() as u16, |frame| frame.0[category])
}

/// The relations that may hold, with the rows in which they do: those that hold in all rows first, then the others by strength. What needs
/// no condition is what a person wants to read, although something stronger holds under one. That outputs differ is said only without a
/// condition: under one it says next to nothing.
fn in_order(evidence: &Evidence<'_>, rows: usize) -> Vec<(Expectation, FixedBitSet)> {
    let all = evidence.candidates().into_iter().map(|expectation| (expectation, evidence.holds(expectation)));
    let is_general = |(_, holds): &(Expectation, FixedBitSet)| holds.count_ones(..) == rows;
    let (mut first, mut rest): (Vec<_>, Vec<_>) = all.partition(is_general);
    rest.retain(|(expectation, _)| *expectation != Expectation::Different);
    // That outputs differ comes last even where it needs no condition.
    let different = first.iter().position(|(expectation, _)| *expectation == Expectation::Different);
    let different = different.map(|at| first.remove(at));
    first.into_iter().chain(rest).chain(different).collect()
}

/// Whether a relation says nothing new where another one holds. A constant factor or difference leaves little to say, although it
/// does not imply an order where the output may be negative.
fn says_less(expectation: Expectation, other: Expectation) -> bool {
    let is_constant = matches!(other, Expectation::Ratio(_) | Expectation::Difference(_));
    other.implies(expectation) || (is_constant && expectation != Expectation::Equal)
}

/// Makes one candidate of those that differ in the constant of their change only.
fn joined(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut joined: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let like = joined.iter_mut().find(|other| {
            other.changes[0].is_like(&candidate.changes[0])
                && candidate.changes[0].constant.is_some()
                && other.aspect == candidate.aspect
                && other.expectation == candidate.expectation
                && other.cubes == candidate.cubes
        });
        match like {
            Some(other) => {
                other.changes.extend(candidate.changes);
                other.support += candidate.support;
            }
            None => joined.push(candidate),
        }
    }
    joined
}

/// Makes one candidate of those that say of neighbouring elements that they stay.
fn sliced(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut sliced: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let longer = sliced.iter_mut().find_map(|other| {
            let is_like = other.expectation == Expectation::Equal
                && candidate.expectation == Expectation::Equal
                && other.changes == candidate.changes
                && other.cubes == candidate.cubes;
            let aspect = is_like.then(|| other.aspect.with_next(candidate.aspect))??;
            Some((other, aspect))
        });
        match longer {
            Some((other, aspect)) => {
                other.aspect = aspect;
                other.support = other.support.min(candidate.support);
            }
            None => sliced.push(candidate),
        }
    }
    sliced
}

/// Leaves out what a change says backwards: that less weight costs no more, where it is known that more costs no less.
fn without_mirrored(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let is_general = |candidate: &Candidate| candidate.cubes.iter().all(|cube| cube.literals.is_empty());
    let mirrored = |a: &Candidate, b: &Candidate| {
        a.changes[0].parameter == b.changes[0].parameter
            && a.aspect == b.aspect
            && (a.changes[0].word, b.changes[0].word) == ("plus", "minus")
            && a.expectation.backwards() == Some(b.expectation)
            && is_general(a)
            && is_general(b)
    };
    let is_said = |b: &Candidate| candidates.iter().any(|a| mirrored(a, b));
    candidates.iter().filter(|candidate| !is_said(candidate)).cloned().collect()
}
