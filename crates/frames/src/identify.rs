//! Relations from pairs of frames: proposed from samples, put to fresh inputs, and proposed again with those that refute them.

mod borders;
mod fresh;
mod pairs;
mod propose;

use dodona_evidence::{FORMAT_VERSION, IdentificationRecord, IdentifiedRelation, RefutedIdentification};
use dodona_identification::{Candidate, changes, relation_of};
use dodona_relations::to_primed;
use dodona_workbench::{Interruption, LabError};

use crate::framed::Framed;
use crate::inputs::samples;
use crate::options::IdentifyOptions;
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
    let mut samples = samples(framed, &options.frames, interrupted)?;
    let until = options.frames.search.until(interrupted);
    let mut caller = framed.workbench.caller().until(&until);
    let changes = changes(&framed.declared().parameters, &framed.specification);
    let mut inputs = fresh::inputs(framed, options, fresh::Stage::Rounds)?;
    if let Some(first) = inputs.first().cloned() {
        inputs.extend(borders::borders(framed, &changes, &first, BORDERS));
    }
    let mut refuted: Vec<RefutedIdentification> = Vec::new();
    let mut round = 0;
    let (proposed, judged) = loop {
        let proposed = propose::propose(framed, &samples, &changes, options, &mut caller)?;
        let judged = fresh::judge(framed, &proposed.candidates, &inputs, &mut caller)?;
        round += 1;
        let refuting = judged.refuting();
        if refuting.is_empty() || round == ROUNDS {
            break (proposed, judged);
        }
        refuted.extend(judged.refuted(framed, &proposed.candidates));
        samples.add(framed, &refuting, &mut caller)?;
    };
    refuted.extend(judged.refuted(framed, &proposed.candidates));
    let held = |number: &usize| judged.verdicts[*number].refuting.is_empty();
    let left: Vec<Candidate> = (0..proposed.candidates.len())
        .filter(held)
        .map(|number| proposed.candidates[number].clone())
        .collect();
    let last =
        fresh::judge(framed, &left, &fresh::inputs(framed, options, fresh::Stage::Last)?, &mut caller)?;
    refuted.extend(last.refuted(framed, &left));
    let pairs = pairs::pairs(framed, &samples, &changes, options, &inputs, &mut caller, pair)?;
    let mut told = std::collections::HashSet::new();
    refuted.retain(|refuted| told.insert(refuted.text.clone()));
    let mut relations = named(framed, &samples, &left, &last);
    let weaker = relations.len().saturating_sub(options.most) as u64;
    relations.truncate(options.most);
    let record = IdentificationRecord {
        format_version: FORMAT_VERSION,
        frames: frames_record(framed, &samples, options.frames.seed),
        changes: changes.len() as u64,
        pairs: pairs.pairs,
        pair_relations: pairs.relations,
        pairs_refuted: pairs.refuted,
        relations,
        refuted,
        narrower: proposed.narrower,
        weaker,
        fresh: options.fresh,
    };
    Ok(Identified { record, samples })
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
        if !judged.verdicts[number].refuting.is_empty() {
            continue;
        }
        let name = name(framed, candidate, &relations);
        relations.push(IdentifiedRelation {
            text: text(framed, candidate, &name),
            name,
            stated: propose::is_stated(framed, samples, candidate),
            samples: candidate.support as u64,
            fresh: judged.verdicts[number].held,
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
    if let Some(selector) = framed.specification.results[candidate.output].name.selector() {
        base += &format!("_{selector}");
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
