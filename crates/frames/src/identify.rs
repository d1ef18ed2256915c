//! Relations from pairs of frames: proposed from samples, put to fresh inputs, and proposed again with those that refute them.

mod bisect;
mod borders;
mod fresh;
mod joints;
mod merge;
mod named;
mod pairs;
mod propose;
mod stated;
mod steps;
mod text;

use std::collections::HashSet;

use dodona_evidence::{FORMAT_VERSION, IdentificationRecord, RefutedIdentification};
use dodona_identification::{Candidate, Change, JointChange, changes};
use dodona_subject::Column;
use dodona_workbench::{Interruption, LabError, SubjectCaller, Until};

use crate::framed::Framed;
use crate::inputs::samples;
use crate::options::{FramesOptions, IdentifyOptions};
use crate::record::{contradicting, frames_record};
use crate::samples::Samples;
use joints::{Joints, joints};
use named::{Ends, named};
use propose::{few, propose};
use steps::Steps;

/// Proposals, each with the inputs that refuted those before. On the shipped subjects hardly any new relation is proposed after the sixth.
const ROUNDS: usize = 6;

/// Inputs at each border: as many as meet most combinations of the other parameters' choices.
const BORDERS: usize = 20;

/// Changes of so many parameters are joined to relations with a condition: what is true of more of them is true of fewer, one after the other, or says
/// little to a person. Candidate pairs have changes of as many as are asked for.
const MOST_JOINED: usize = 2;

/// What was identified.
pub struct Identified {
    /// The record.
    pub record: IdentificationRecord,
    /// The inputs that it was made from.
    pub samples: Samples,
}

/// Identifies relations of a function. `pair` hears the relation of each candidate pair, as text, before those that say the same are joined.
///
/// # Errors
/// When the constraints contradict each other, no input can be drawn, or the host fails.
pub fn identify(
    framed: &Framed,
    options: &IdentifyOptions,
    interrupted: &Interruption,
    pair: &mut dyn FnMut(&str),
) -> Result<Identified, LabError> {
    if framed.specification.results.is_empty() {
        let name = &framed.declared().name;
        return Err(LabError::Sources(format!("`{name}` has no output, so that there is nothing to relate")));
    }
    if let Some(contradiction) = contradicting(framed) {
        return Err(LabError::Sources(format!("{}: {contradiction}", framed.file.display())));
    }
    let until = options.frames.search.until(interrupted);
    let samples = samples(framed, &sampling(options), interrupted)?;
    let mut work = Work::new(framed, options, samples, &until)?;
    let singles: Vec<JointChange> = work.singles.iter().cloned().map(JointChange::from).collect();
    let mut proposals = work.rounds(&singles, &[], &until.share(2))?;
    let joints = work.joints()?;
    let is_joined = |change: &&JointChange| change.changes().len() <= MOST_JOINED;
    let pairs_of_changes: Vec<JointChange> = joints.changes.iter().filter(is_joined).cloned().collect();
    let known: Vec<Candidate> =
        proposals.standing.iter().map(|standing| standing.candidate.clone()).collect();
    proposals.extend(work.rounds(&pairs_of_changes, &known, &until.share(3))?);
    let last = work.last(&proposals)?;
    let all: Vec<JointChange> = singles.into_iter().chain(joints.changes.iter().cloned()).collect();
    let found =
        pairs::pairs(framed, &work.samples, &all, options, &work.inputs, (&mut work.caller, &until), pair)?;
    Ok(work.finish(&proposals, &last, (&joints, &found), interrupted))
}

/// An identification on its way.
struct Work<'a> {
    framed: &'a Framed,
    options: &'a IdentifyOptions,
    until: &'a Until,
    caller: SubjectCaller,
    samples: Samples,
    singles: Vec<Change>,
    /// What rounds judge by: random inputs, and those at the borders.
    inputs: Vec<Vec<Column>>,
    refuted: Vec<RefutedIdentification>,
}

/// A relation that no input of the rounds refutes.
struct Standing {
    candidate: Candidate,
    /// On how many groups of the rounds it held; `None` where the rounds were cut short before it was judged.
    held: Option<u64>,
}

/// What the rounds leave.
struct Proposals {
    standing: Vec<Standing>,
    /// Conditions that were left out beside wider ones.
    narrower: u64,
}

impl Proposals {
    fn extend(&mut self, other: Proposals) {
        self.standing.extend(other.standing);
        self.narrower += other.narrower;
    }
}

impl<'a> Work<'a> {
    fn new(
        framed: &'a Framed,
        options: &'a IdentifyOptions,
        samples: Samples,
        until: &'a Until,
    ) -> Result<Work<'a>, LabError> {
        let singles = changes(&framed.declared().parameters, &framed.specification);
        let mut caller = framed.workbench.caller().until(until);
        let mut inputs = fresh::inputs(framed, options, fresh::Stage::Rounds)?;
        if let Some(first) = inputs.first().cloned().filter(|_| until.goes_on()) {
            inputs.extend(borders::borders(framed, &singles, &first, BORDERS));
            let found = unless_stopped(bisect::borders(framed, &singles, &first, &mut caller))?;
            inputs.extend(found.unwrap_or_default());
        }
        Ok(Work { framed, options, until, caller, samples, singles, inputs, refuted: Vec::new() })
    }

    /// Proposes relations from the samples, and again with the inputs that refute some, until none is refuted. A round that is cut short leaves what it
    /// did not judge to the last judgement, and beside its own proposals those of the round before.
    fn rounds(
        &mut self,
        changes: &[JointChange],
        known: &[Candidate],
        until: &Until,
    ) -> Result<Proposals, LabError> {
        let mut before: Vec<Standing> = Vec::new();
        let mut round = 0;
        loop {
            round += 1;
            let proposed = self.proposed(changes, known, until)?;
            let judging = (&mut self.caller, until);
            let judged = fresh::judge(self.framed, &proposed.candidates, &|_| &self.inputs, judging)?;
            self.refuted.extend(judged.refuted(self.framed, &proposed.candidates));
            let refuting = judged.refuting();
            let is_cut = proposed.is_cut || judged.open() > 0;
            let standing = judged.standing(proposed.candidates);
            let is_over = refuting.is_empty() || round == ROUNDS || is_cut || !until.goes_on();
            let (framed, caller) = (self.framed, &mut self.caller);
            if is_over || unless_stopped(self.samples.add(framed, &refuting, caller))?.is_none() {
                let standing = if is_cut { cut_short(standing, before) } else { standing };
                return Ok(Proposals { standing, narrower: proposed.narrower });
            }
            before = standing;
        }
    }

    /// What the samples show.
    fn proposed(
        &mut self,
        changes: &[JointChange],
        known: &[Candidate],
        until: &Until,
    ) -> Result<propose::Proposed, LabError> {
        let some = few(&self.samples);
        let samples = some.as_ref().unwrap_or(&self.samples);
        let steps = match known {
            [] => Steps::none(),
            known => Steps::of(self.framed, samples, changes, known, &mut self.caller)?,
        };
        propose(self.framed, samples, (changes, &steps), self.options, (&mut self.caller, until))
    }

    /// Changes of several parameters at once.
    fn joints(&mut self) -> Result<Joints, LabError> {
        let most = self.options.parameters;
        joints(self.framed, &self.samples, &self.singles, most, (&mut self.caller, self.until))
    }

    /// Puts what is left to other inputs, once. Where there is no time, each relation keeps what the rounds said of it.
    fn last(&mut self, proposals: &Proposals) -> Result<fresh::Judged, LabError> {
        if !self.until.goes_on() {
            return Ok(fresh::Judged::none(proposals.standing.len()));
        }
        let mut inputs = fresh::inputs(self.framed, self.options, fresh::Stage::Last)?;
        if proposals.standing.iter().any(|standing| standing.held.is_none()) {
            inputs.extend(self.inputs.iter().cloned());
        }
        let candidates: Vec<Candidate> = proposals.standing.iter().map(|s| s.candidate.clone()).collect();
        let judging = (&mut self.caller, &self.until.share(2));
        let last = fresh::judge(self.framed, &candidates, &|_| &inputs, judging)?;
        self.refuted.extend(last.refuted(self.framed, &candidates));
        Ok(last)
    }

    fn finish(
        mut self,
        proposals: &Proposals,
        last: &fresh::Judged,
        (joints, pairs): (&Joints, &pairs::Pairs),
        interrupted: &Interruption,
    ) -> Identified {
        let mut told = HashSet::new();
        self.refuted.retain(|refuted| told.insert(refuted.text.clone()));
        let ends = Ends::of(&proposals.standing, last);
        let mut relations = named(self.framed, &self.samples, &proposals.standing, &ends);
        let weaker = relations.len().saturating_sub(self.options.most) as u64;
        relations.truncate(self.options.most);
        let mut frames = frames_record(self.framed, &self.samples, self.options.frames.seed);
        let why = if interrupted.is_raised() { "somebody interrupted" } else { "the time (--time) was up" };
        frames.warnings.extend(ends.missing(why));
        if joints.left_out > 0 {
            frames.warnings.push(format!(
                "{} changes of several parameters were not tried, since they are too many (--parameters makes fewer)",
                joints.left_out
            ));
        }
        if !self.until.goes_on() {
            frames.warnings.push(format!("{why} before all candidate pairs were seen"));
        }
        let record = IdentificationRecord {
            format_version: FORMAT_VERSION,
            frames,
            changes: self.singles.len() as u64,
            joint_changes: joints.changes.len() as u64,
            pairs: pairs.pairs,
            pair_relations: pairs.relations,
            pairs_refuted: pairs.refuted,
            relations,
            refuted: self.refuted,
            narrower: proposals.narrower,
            weaker,
            fresh: self.options.fresh,
        };
        Identified { record, samples: self.samples }
    }
}

/// What stands after a round that was cut short: what is left of its proposals, and what stood before it.
fn cut_short(mut standing: Vec<Standing>, mut before: Vec<Standing>) -> Vec<Standing> {
    before.retain(|old| standing.iter().all(|new| !new.candidate.says_what(&old.candidate)));
    standing.extend(before);
    standing
}

/// What a step gives; `None` where its calls were given up because the time was up or somebody interrupted. What was found before is told all the same.
fn unless_stopped<T>(step: Result<T, LabError>) -> Result<Option<T>, LabError> {
    match step {
        Err(error) if error.is_stopped() => Ok(None),
        other => other.map(Some),
    }
}

/// How inputs of frames are made: in half of the time, so that there is some for relations.
fn sampling(options: &IdentifyOptions) -> FramesOptions {
    let mut sampling = options.frames.clone();
    sampling.search.time = sampling.search.time.map(|time| time / 2);
    sampling
}

#[cfg(test)]
mod tests;
