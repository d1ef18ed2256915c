//! Derives relations from pairs of frames. Relations are proposed from samples and tested on fresh inputs. Inputs that refute some of them
//! become samples too, and relations are proposed again.
//!
//! A relation is judged twice: by the inputs with which proposals are mended, and then by others. It keeps the first judgement if there
//! is no time for the second, and is then listed as not confirmed.

mod bisect;
mod borders;
mod candidate_pair;
mod compared;
mod fresh;
mod fresh_check;
mod joints;
mod merge;
mod named;
mod pairs;
mod propose;
mod stated;
mod steps;
mod text;

use std::collections::HashSet;

use crate::identification::{Candidate, Change, JointChange, changes};
use dodona_records::{CandidatePair, FORMAT_VERSION, IdentificationRecord, RefutedIdentification};
use dodona_target::{Column, Interruption, Until};
use dodona_workbench::{LabError, SubjectCaller};

use crate::framed::Framed;
use crate::inputs::samples;
use crate::options::{FramesOptions, IdentifyOptions};
use crate::record::{contradicting, frames_record};
use crate::samples::{InputOrigin, Samples};
pub use fresh_check::{FreshCheck, FreshEvidence};
use joints::{Joints, joints};
use named::{Ends, named};
use propose::{few, propose};
use steps::Steps;

/// The most rounds of proposals; each round also has the inputs that refuted earlier proposals. On the shipped subjects, hardly any new
/// relation is proposed after the sixth round.
const ROUNDS: usize = 6;

/// How many inputs are made for each value at a border. So many meet most combinations of choices of the other parameters.
const BORDERS: usize = 20;

/// One in so many parts of the time may go to the borders of comparisons. Of most functions they are found in less than a second.
const COMPARISONS_IN: usize = 8;

/// The most parameters that change at once in a relation with a condition. A relation of more changes usually follows from relations of
/// fewer, applied one after the other, or says little to a person. Candidate pairs may have as many as the options allow.
const MOST_JOINED: usize = 2;

/// The result of identifying relations.
pub struct Identified {
    /// The record.
    pub record: IdentificationRecord,
    /// The inputs that relations were proposed from.
    pub samples: Samples,
}

/// Identifies relations of a function. `pair` is called with each candidate pair and each output: with the output relation that is proposed, unless
/// a fresh input refutes it. A pair whose relation has the text of another one's is left out.
///
/// # Errors
/// When the constraints contradict each other, no input can be drawn, or the host fails.
pub fn identify(
    framed: &Framed,
    options: &IdentifyOptions,
    interrupted: &Interruption,
    pair: &mut dyn FnMut(CandidatePair),
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

/// The state of an identification that is running.
struct Work<'a> {
    framed: &'a Framed,
    options: &'a IdentifyOptions,
    until: &'a Until,
    caller: SubjectCaller,
    samples: Samples,
    singles: Vec<Change>,
    /// The inputs on which rounds test their proposals: random inputs, and inputs at the borders between choices.
    inputs: Vec<Vec<Column>>,
    refuted: Vec<RefutedIdentification>,
}

/// A relation that no input of the rounds refutes.
struct Standing {
    candidate: Candidate,
    /// On how many metamorphic groups of the rounds it held; `None` if the rounds were cut short before it was tested.
    held: Option<u64>,
}

/// The relations that are left after the rounds.
struct Proposals {
    standing: Vec<Standing>,
    /// How many conditions were left out, because they are too long or fewer samples satisfy them.
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
            let comparisons =
                compared::comparisons(framed, &options.frames.search, &until.share(COMPARISONS_IN));
            inputs.extend(borders::borders(framed, &singles, &first, (&comparisons.numbers, BORDERS)));
            inputs.extend(compared::compared(framed, &singles, &first, &comparisons));
            let found = unless_stopped(bisect::borders(framed, &singles, &first, &mut caller))?;
            inputs.extend(found.unwrap_or_default());
        }
        Ok(Work { framed, options, until, caller, samples, singles, inputs, refuted: Vec::new() })
    }

    /// Proposes relations from the samples, adds the inputs that refute some of them to the samples, and repeats this until none is refuted
    /// or [`ROUNDS`] is reached. If a round is cut short, its untested proposals are left to the last test, and the relations that stood
    /// before it are kept too.
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
            if is_over
                || unless_stopped(self.samples.add(framed, &refuting, InputOrigin::Refuting, caller))?
                    .is_none()
            {
                let standing = if is_cut { cut_short(standing, before) } else { standing };
                return Ok(Proposals { standing, narrower: proposed.narrower });
            }
            before = standing;
        }
    }

    /// Proposes relations from the samples, or from a selection if there are many.
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

    /// The changes of several parameters at once.
    fn joints(&mut self) -> Result<Joints, LabError> {
        let most = self.options.parameters;
        joints(self.framed, &self.samples, &self.singles, most, (&mut self.caller, self.until))
    }

    /// Tests the relations that are left once more, on other inputs. If there is no time for it, each relation keeps the verdict of the
    /// rounds.
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

/// The relations that stand after a round that was cut short: its own proposals that were not refuted, and the relations that stood before
/// it.
fn cut_short(mut standing: Vec<Standing>, mut before: Vec<Standing>) -> Vec<Standing> {
    before.retain(|old| standing.iter().all(|new| !new.candidate.says_what(&old.candidate)));
    standing.extend(before);
    standing
}

/// The result of a step; `None` if its calls were given up because the time was up or somebody interrupted. This is no error, because what
/// was found before is still reported.
fn unless_stopped<T>(step: Result<T, LabError>) -> Result<Option<T>, LabError> {
    match step {
        Err(error) if error.is_stopped() => Ok(None),
        other => other.map(Some),
    }
}

/// The options of making inputs for frames. They have half of the time, so that the other half is left for relations.
fn sampling(options: &IdentifyOptions) -> FramesOptions {
    let mut sampling = options.frames.clone();
    sampling.search.time = sampling.search.time.map(|time| time / 2);
    sampling
}

#[cfg(test)]
mod tests;
