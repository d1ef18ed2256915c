//! Finds what follows for two changes at once from the relations of the single changes, applied one after the other. What follows is not
//! listed again.
//!
//! Of the changes of two parameters at once nearly all is true because it is true of each. So rows that two relations of single changes
//! explain support no relation of both changes.

use crate::identification::{Aspect, Candidate, Change, Cube, Expectation, Frame, JointChange, Part};
use dodona_workbench::{LabError, SubjectCaller};
use fixedbitset::FixedBitSet;

use super::unless_stopped;
use crate::framed::Framed;
use crate::samples::Samples;
use crate::trial::{Trial, trial};

/// Known relations of single changes, and the follow-up inputs of these changes.
pub(super) struct Steps<'a> {
    known: &'a [Candidate],
    reached: Vec<Reached>,
}

/// The follow-up inputs of one change.
struct Reached {
    change: Change,
    /// For each sample the choices of the changed input and of its output; `None` if the input leaves the domain, the call does not return,
    /// or the choices do not fit.
    choices: Vec<Option<Choices>>,
}

/// The choices of an input and of its output.
struct Choices {
    input: Frame,
    output: Frame,
}

impl<'a> Steps<'a> {
    /// No steps, for proposals of single changes: these do not consist of smaller ones.
    pub(super) fn none() -> Steps<'a> {
        Steps { known: &[], reached: Vec::new() }
    }

    /// Runs the single changes that joint changes consist of.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn of(
        framed: &Framed,
        samples: &Samples,
        joints: &[JointChange],
        known: &'a [Candidate],
        caller: &mut SubjectCaller,
    ) -> Result<Steps<'a>, LabError> {
        let mut reached: Vec<Reached> = Vec::new();
        for change in joints.iter().flat_map(JointChange::changes) {
            if reached.iter().any(|other| other.change == *change) {
                continue;
            }
            let Some(tried) = unless_stopped(trial(framed, samples, &change.clone().into(), caller))? else {
                break;
            };
            let choices = tried.map_or_else(Vec::new, |trial| choices(samples, trial));
            reached.push(Reached { change: change.clone(), choices });
        }
        Ok(Steps { known, reached })
    }

    /// The expectations that follow for a joint change of two parameters if its single changes are made one after the other, in either
    /// order. Each comes with the rows of the executions in which it follows.
    pub(super) fn explained(
        &self,
        samples: &Samples,
        trial: &Trial,
        change: &JointChange,
        aspect: Aspect,
    ) -> Vec<(Expectation, FixedBitSet)> {
        let [a, b] = change.changes() else { return Vec::new() };
        let mut explained: Vec<(Expectation, FixedBitSet)> = Vec::new();
        for (first, second) in [(a, b), (b, a)] {
            let Some(reached) = self.reached.iter().find(|reached| reached.change == *first) else {
                continue;
            };
            for one in self.about(first, aspect) {
                for next in self.about(second, aspect) {
                    let Some(both) = one.expectation.then(next.expectation) else { continue };
                    let holds =
                        |row: &usize| reached.explains(samples, trial, *row, [&one.cubes, &next.cubes]);
                    let rows: FixedBitSet = (0..trial.sources.len()).filter(holds).collect();
                    match explained.iter_mut().find(|(known, _)| *known == both) {
                        Some((_, known)) => known.union_with(&rows),
                        None => explained.push((both, rows)),
                    }
                }
            }
        }
        // The sets get the length of the sets that they are compared with.
        explained.iter_mut().for_each(|(_, rows)| rows.grow(trial.sources.len()));
        explained
    }

    /// The known relations of a single change that say something about an aspect.
    fn about<'s>(&'s self, change: &'s Change, aspect: Aspect) -> impl Iterator<Item = &'s Candidate> {
        let is_of =
            |candidate: &Candidate| candidate.changes.iter().any(|joint| joint.single() == Some(change));
        self.known.iter().filter(move |candidate| is_of(candidate) && speaks_of(candidate, aspect))
    }
}

/// Whether a relation says something about an aspect: it is about the same aspect, about several elements of which the aspect is one, or it
/// says that whole outputs are equal.
fn speaks_of(candidate: &Candidate, aspect: Aspect) -> bool {
    let is_part = match (candidate.aspect.part, aspect.part) {
        (Part::Elements(from, to), Part::Element(place)) => (from..to).contains(&place),
        (Part::Whole, _) => candidate.expectation == Expectation::Equal,
        _ => false,
    };
    candidate.aspect == aspect || (candidate.aspect.output == aspect.output && is_part)
}

fn choices(samples: &Samples, trial: Trial) -> Vec<Option<Choices>> {
    let mut choices: Vec<Option<Choices>> = (0..samples.rows()).map(|_| None).collect();
    let ends = trial.sources.iter().zip(trial.frames).zip(trial.outputs).zip(&trial.failed);
    for (((source, input), output), failed) in ends {
        if let (Some(input), Some(output), false) = (input, output, *failed) {
            choices[*source as usize] = Some(Choices { input, output });
        }
    }
    choices
}

impl Reached {
    /// Whether, in a row, the first step satisfies a condition of the first relation, and the second step satisfies one of the second
    /// relation.
    fn explains(&self, samples: &Samples, trial: &Trial, row: usize, conditions: [&[Cube]; 2]) -> bool {
        let source = trial.sources[row] as usize;
        let (Some(Some(middle)), Some(output), Some(end)) =
            (self.choices.get(source), &samples.outputs[source], &trial.frames[row])
        else {
            return false;
        };
        let start = &samples.frames[samples.frame_of[source] as usize];
        conditions[0].iter().any(|cube| cube.allows(start, output, &middle.input))
            && conditions[1].iter().any(|cube| cube.allows(&middle.input, &middle.output, end))
    }
}
