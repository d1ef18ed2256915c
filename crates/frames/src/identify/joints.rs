//! Chooses the changes of several parameters that are made at once.

use std::collections::{BTreeMap, HashSet};

use crate::identification::{Change, Frame, JointChange};
use dodona_target::Until;
use dodona_workbench::{LabError, SubjectCaller};

use super::pairs::LEAST_SAMPLES;
use super::unless_stopped;
use crate::framed::Framed;
use crate::samples::Samples;
use crate::trial::trial;

/// The most joint changes that are tried, because each costs a run of all samples. Six parameters with three changes each have 135 pairs of
/// changes and 540 triples.
const MOST_JOINTS: usize = 1_000;

/// Changes of several parameters at once.
pub(super) struct Joints {
    /// The joint changes. Those of fewer parameters come first, then those that consist of smaller changes.
    pub(super) changes: Vec<JointChange>,
    /// How many joint changes were left out, because there are more than [`MOST_JOINTS`].
    pub(super) left_out: u64,
}

/// Combines changes of different parameters, at most `most` at once. A change takes part only if it leads from some choices to other
/// choices, and no smaller change of the same parameter leads from the same choices to the same others.
///
/// # Errors
/// When the host fails.
pub(super) fn joints(
    framed: &Framed,
    samples: &Samples,
    singles: &[Change],
    most: usize,
    (caller, until): (&mut SubjectCaller, &Until),
) -> Result<Joints, LabError> {
    let mut useful: BTreeMap<usize, Vec<&Change>> = BTreeMap::new();
    let mut known = HashSet::new();
    for change in singles.iter().filter(|_| most > 1) {
        if !until.goes_on() {
            break;
        }
        let Some(leads) = unless_stopped(leads(framed, samples, change, caller))? else { break };
        let mut is_new = false;
        for lead in leads {
            is_new |= known.insert((change.parameter, lead));
        }
        if is_new {
            useful.entry(change.parameter).or_default().push(change);
        }
    }
    let mut all = Vec::new();
    for size in 2..=most.min(useful.len()) {
        combine(&useful.values().collect::<Vec<_>>(), size, &mut Vec::new(), &mut all);
    }
    let left_out = all.len().saturating_sub(MOST_JOINTS) as u64;
    all.truncate(MOST_JOINTS);
    Ok(Joints { changes: all, left_out })
}

/// The choices of an input before and after a change, of the categories that mention the changed parameter.
type Lead = (Vec<u16>, Vec<u16>);

/// From which choices a change leads to which others. Each lead is shown by at least [`LEAST_SAMPLES`] samples of one frame, because a pair
/// of frames needs as many.
fn leads(
    framed: &Framed,
    samples: &Samples,
    change: &Change,
    caller: &mut SubjectCaller,
) -> Result<Vec<Lead>, LabError> {
    let Some(trial) = trial(framed, samples, &change.clone().into(), caller)? else { return Ok(Vec::new()) };
    let name = &framed.declared().parameters[change.parameter].name;
    let categories = framed.specification.inputs.iter().enumerate();
    let spoken: Vec<usize> = categories
        .filter(|(_, category)| category.choices.iter().any(|choice| choice.speaks_of(name)))
        .map(|(number, _)| number)
        .collect();
    let of = |frame: &Frame| -> Vec<u16> { spoken.iter().map(|category| frame.0[*category]).collect() };
    let mut counts: BTreeMap<(Lead, u32), usize> = BTreeMap::new();
    for (source, after) in trial.sources.iter().zip(&trial.frames) {
        let Some(after) = after else { continue };
        let number = samples.frame_of[*source as usize];
        let lead = (of(&samples.frames[number as usize]), of(after));
        if lead.0 != lead.1 {
            *counts.entry((lead, number)).or_default() += 1;
        }
    }
    Ok(counts.into_iter().filter(|(_, rows)| *rows >= LEAST_SAMPLES).map(|((lead, _), _)| lead).collect())
}

/// Adds every combination of one change each of `size` different parameters.
fn combine(of: &[&Vec<&Change>], size: usize, taken: &mut Vec<Change>, all: &mut Vec<JointChange>) {
    if size == 0 {
        all.push(JointChange::of(taken.clone()));
        return;
    }
    for first in 0..of.len() {
        for change in of[first] {
            taken.push((*change).clone());
            combine(&of[first + 1..], size - 1, taken, all);
            taken.pop();
        }
    }
}
