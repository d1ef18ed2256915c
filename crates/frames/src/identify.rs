//! Relations from pairs of frames: proposed from samples, put to fresh inputs, and proposed again with those that refute them.

mod bisect;
mod borders;
mod fresh;
mod pairs;
mod propose;

use std::collections::HashSet;

use dodona_evidence::{FORMAT_VERSION, IdentificationRecord, IdentifiedRelation, RefutedIdentification};
use dodona_identification::{Candidate, Change, changes, relation_of};
use dodona_relations::to_primed;
use dodona_subject::Column;
use dodona_workbench::{Interruption, LabError, SubjectCaller, Until};

use crate::framed::Framed;
use crate::inputs::samples;
use crate::options::{FramesOptions, IdentifyOptions};
use crate::record::{bound, frames_record};
use crate::samples::Samples;

/// Proposals, each with the inputs that refuted those before. On the shipped subjects hardly any new relation is proposed after the sixth.
const ROUNDS: usize = 6;

/// Inputs at each border: as many as meet most combinations of the other parameters' choices.
const BORDERS: usize = 20;

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
    let until = options.frames.search.until(interrupted);
    let samples = samples(framed, &sampling(options), interrupted)?;
    let mut work = Work::new(framed, options, samples, &until)?;
    let proposed = work.rounds()?;
    let last = work.last(&proposed)?;
    let found = pairs::pairs(
        framed,
        &work.samples,
        &work.changes,
        options,
        &work.inputs,
        (&mut work.caller, &until),
        pair,
    )?;
    Ok(work.finish(&proposed, &last, &found, interrupted))
}

/// An identification on its way.
struct Work<'a> {
    framed: &'a Framed,
    options: &'a IdentifyOptions,
    until: &'a Until,
    caller: SubjectCaller,
    samples: Samples,
    changes: Vec<Change>,
    /// What rounds judge by: random inputs, and those at the borders.
    inputs: Vec<Vec<Column>>,
    refuted: Vec<RefutedIdentification>,
}

/// What the rounds leave.
struct Proposals {
    candidates: Vec<Candidate>,
    /// Conditions that were left out beside wider ones.
    narrower: u64,
    /// Whether some of them were not judged by the inputs of the rounds.
    is_cut: bool,
}

impl<'a> Work<'a> {
    fn new(
        framed: &'a Framed,
        options: &'a IdentifyOptions,
        samples: Samples,
        until: &'a Until,
    ) -> Result<Work<'a>, LabError> {
        let changes = changes(&framed.declared().parameters, &framed.specification);
        let mut caller = framed.workbench.caller().until(until);
        let mut inputs = fresh::inputs(framed, options, fresh::Stage::Rounds)?;
        if let Some(first) = inputs.first().cloned() {
            inputs.extend(borders::borders(framed, &changes, &first, BORDERS));
            let found = unless_stopped(bisect::borders(framed, &changes, &first, &mut caller))?;
            inputs.extend(found.unwrap_or_default());
        }
        Ok(Work { framed, options, until, caller, samples, changes, inputs, refuted: Vec::new() })
    }

    /// Proposes relations from the samples, and again with the inputs that refute some, until none is refuted. Half of the time is for that; a
    /// round that is cut short leaves its proposals to the last judgement.
    fn rounds(&mut self) -> Result<Proposals, LabError> {
        let until = self.until.share(2);
        let mut round = 0;
        loop {
            round += 1;
            let (framed, caller) = (self.framed, &mut self.caller);
            let proposed =
                propose::propose(framed, &self.samples, &self.changes, self.options, (caller, &until))?;
            let judged = fresh::judge(framed, &proposed.candidates, &|_| &self.inputs, (caller, &until))?;
            self.refuted.extend(judged.refuted(framed, &proposed.candidates));
            let refuting = judged.refuting();
            let is_over = refuting.is_empty() || round == ROUNDS || !until.goes_on();
            if is_over || unless_stopped(self.samples.add(framed, &refuting, caller))?.is_none() {
                let narrower = proposed.narrower;
                let numbered = proposed.candidates.into_iter().enumerate();
                let left = numbered.filter(|(number, _)| !judged.is_refuted(*number));
                let candidates = left.map(|(_, candidate)| candidate).collect();
                return Ok(Proposals { candidates, narrower, is_cut: judged.open() > 0 });
            }
        }
    }

    /// Puts what is left to other inputs, once.
    fn last(&mut self, proposed: &Proposals) -> Result<fresh::Judged, LabError> {
        let mut inputs = fresh::inputs(self.framed, self.options, fresh::Stage::Last)?;
        if proposed.is_cut {
            inputs.extend(self.inputs.iter().cloned());
        }
        let judging = (&mut self.caller, &self.until.share(2));
        let last = fresh::judge(self.framed, &proposed.candidates, &|_| &inputs, judging)?;
        self.refuted.extend(last.refuted(self.framed, &proposed.candidates));
        Ok(last)
    }

    fn finish(
        mut self,
        proposed: &Proposals,
        last: &fresh::Judged,
        pairs: &pairs::Pairs,
        interrupted: &Interruption,
    ) -> Identified {
        let mut told = HashSet::new();
        self.refuted.retain(|refuted| told.insert(refuted.text.clone()));
        let mut relations = named(self.framed, &self.samples, &proposed.candidates, last);
        let weaker = relations.len().saturating_sub(self.options.most) as u64;
        relations.truncate(self.options.most);
        let mut frames = frames_record(self.framed, &self.samples, self.options.frames.seed);
        let why = if interrupted.is_raised() { "somebody interrupted" } else { "the time (--time) was up" };
        frames.warnings.extend(missing(last, self.until, why));
        let record = IdentificationRecord {
            format_version: FORMAT_VERSION,
            frames,
            changes: self.changes.len() as u64,
            pairs: pairs.pairs,
            pair_relations: pairs.relations,
            pairs_refuted: pairs.refuted,
            relations,
            refuted: self.refuted,
            narrower: proposed.narrower,
            weaker,
            fresh: self.options.fresh,
        };
        Identified { record, samples: self.samples }
    }
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

/// What is missing: because the time was up, or too few inputs could judge it.
fn missing(judged: &fresh::Judged, until: &Until, why: &str) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    match judged.open() {
        0 => {}
        1 => missing.push(format!("a relation is not listed, since {why} before it was judged")),
        n => missing.push(format!("{n} relations are not listed, since {why} before they were judged")),
    }
    match judged.rare() {
        0 => {}
        1 => missing.push(
            "a relation is not listed, since too few inputs satisfy its condition (--fresh makes more)"
                .to_owned(),
        ),
        n => missing.push(format!(
            "{n} relations are not listed, since too few inputs satisfy their conditions (--fresh makes more)"
        )),
    }
    if !until.goes_on() {
        missing.push(format!("{why} before all candidate pairs were seen"));
    }
    missing
}

/// The candidates that held, under names of their own.
fn named(
    framed: &Framed,
    samples: &Samples,
    candidates: &[Candidate],
    judged: &fresh::Judged,
) -> Vec<IdentifiedRelation> {
    let mut relations: Vec<IdentifiedRelation> = Vec::new();
    for (number, candidate) in candidates.iter().enumerate() {
        let Some(verdict) = judged.verdicts[number].as_ref().filter(|_| judged.holds(number)) else {
            continue;
        };
        let name = name(framed, candidate, &relations);
        relations.push(IdentifiedRelation {
            text: text(framed, candidate, &name),
            name,
            stated: propose::is_stated(framed, samples, candidate),
            samples: candidate.support as u64,
            fresh: verdict.held,
        });
    }
    relations
}

/// A candidate as text, in the notation of primes where it has one: it does not repeat the parameters that stay.
fn text(framed: &Framed, candidate: &Candidate, name: &str) -> String {
    let relation = relation_of(candidate, name, framed.declared(), &framed.specification);
    to_primed(&relation, &framed.workbench.manifest.functions).unwrap_or(relation).to_string()
}

/// `fare_times_scaled`, with a number where several would be called so.
fn name(framed: &Framed, candidate: &Candidate, taken: &[IdentifiedRelation]) -> String {
    let change = &candidate.changes[0];
    let parameter = &framed.declared().parameters[change.parameter].name;
    let mut base = format!("{parameter}_{}", change.word);
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

/// A refuted candidate with its input.
fn refutation(
    framed: &Framed,
    candidate: &Candidate,
    input: &[dodona_subject::Value],
) -> RefutedIdentification {
    let text = text(framed, candidate, "refuted");
    RefutedIdentification { text, input: bound(framed, input) }
}
