//! The last tests of the laws that are listed: many fresh inputs, and an attempt to prove or refute each of them.

use std::time::Duration;

use dodona_generation::{SearchOptions, prove};
use dodona_records::{
    Binding, Counterexample, DiscoveryProof, LawRecord, LawsRecord, ProofVerdict, RefutedLaw, RelationProof,
};
use dodona_target::{Interruption, Until};
use dodona_workbench::{LabError, Relations};

use super::law_tuning::SHORTEST_ATTEMPT;
use super::trial::{AcceptedLaw, FreshTests, LawVerdict};
use crate::hard_inputs::{HardInputs, HardVerdict};
use crate::relation_of::parsed;
use crate::tuning::CONFIRMED_AT_LEAST;

/// Runs the listed laws on as many fresh inputs as the options ask for: in the search each candidate was run on fewer if that was too many.
/// A law that there is no time to run on the fewest inputs is not confirmed.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(super) fn confirm(trial: FreshTests<'_>, record: &mut LawsRecord) -> Result<(), LabError> {
    let fresh = trial.options.fresh;
    let hard = HardInputs::new(trial.workbench, trial.options.seed, trial.options.jobs);
    let least = (fresh / CONFIRMED_AT_LEAST).max(1);
    for mut law in std::mem::take(&mut record.laws) {
        let relation = without_name(&law).to_owned();
        if let Some(why) = hard_refutation(&hard, &law.text, trial)? {
            record
                .refuted
                .push(RefutedLaw { text: relation.trim_start_matches(": ").to_owned(), counterexample: why });
            continue;
        }
        // The fewest inputs first, so that they count where there is no time for all.
        for sources in [least, fresh] {
            if inputs(&law) >= sources {
                continue;
            }
            match trial.test(&relation, sources)? {
                LawVerdict::Accepted(accepted) => take(&mut law, &accepted),
                LawVerdict::Refuted(refuted) => {
                    record.refuted.push(refuted);
                    law.held = 0;
                    break;
                }
                LawVerdict::Open => break,
            }
        }
        match law.held {
            0 => {}
            _ if inputs(&law) >= least => record.laws.push(law),
            _ => record.unconfirmed.push(law.unconfirmed()),
        }
    }
    Ok(())
}

/// Why a law that random inputs do not refute is none, by inputs that are drawn to refute it.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(super) fn hard_refutation(
    hard: &HardInputs,
    text: &str,
    trial: FreshTests<'_>,
) -> Result<Option<String>, LabError> {
    let Some(relation) = parsed(text) else { return Ok(None) };
    Ok(match hard.judge(&relation, trial.until)? {
        HardVerdict::Holds => None,
        HardVerdict::Violated(record) => {
            Some(record.counterexample.map(|found| Binding::list(&found.source)).unwrap_or_default())
        }
        HardVerdict::Special => Some("hardly any input but special ones is eligible".to_owned()),
    })
}

/// On how many source inputs a law was run: each makes one group for each constant of the law.
fn inputs(law: &LawRecord) -> u64 {
    let constants = parsed(&law.text).and_then(|relation| relation.constants).map_or(1, |of| of.values.len());
    (law.held + law.ineligible) / constants.max(1) as u64
}

fn take(law: &mut LawRecord, accepted: &AcceptedLaw) {
    (law.held, law.ineligible) = (accepted.held, accepted.ineligible);
    law.proof = DiscoveryProof::TestedOn { groups: law.held };
}

/// The text of a law without `relation NAME`.
fn without_name(law: &LawRecord) -> &str {
    law.text.trim_start_matches("relation ").trim_start_matches(law.name.as_str())
}

/// Puts each listed law to proof, in an equal share of the time that is left for all. One that is refuted is not listed any more; what is neither proved nor refuted
/// stays tested, and is not confirmed if its share was too short for an attempt. Without a solver all of them stay tested.
///
/// # Errors
/// When the host fails.
pub(super) fn put_to_proof(
    trial: FreshTests<'_>,
    record: &mut LawsRecord,
    until: &Until,
    interrupted: &Interruption,
) -> Result<(), LabError> {
    let Some(options) = &trial.options.prove else { return Ok(()) };
    let (mut left, mut by_proof) = (record.laws.len(), Vec::new());
    for mut law in std::mem::take(&mut record.laws) {
        let slice = until.share(left).left();
        left -= 1;
        // After an interruption there are no proofs.
        if interrupted.is_raised() {
            record.laws.push(law);
            continue;
        }
        match proof(trial, &law, options, slice, interrupted, &mut record.contradictions)? {
            LawProof::Proved(proof) => law.proof = proof,
            LawProof::Refuted(counterexample) => {
                by_proof.push(refuted(&law, &counterexample));
                continue;
            }
            LawProof::Unknown if slice.is_some_and(|slice| slice < SHORTEST_ATTEMPT) => {
                record.unconfirmed.push(law.unconfirmed());
                continue;
            }
            LawProof::Unknown | LawProof::NoSolver => {}
        }
        record.laws.push(law);
    }
    // Before what random inputs refuted: there may be thousands, and these are the ones that people would have believed.
    record.refuted.splice(0..0, by_proof);
    Ok(())
}

/// How an attempt to prove a law ended.
enum LawProof {
    Proved(DiscoveryProof),
    Refuted(Box<Counterexample>),
    Unknown,
    NoSolver,
}

fn proof(
    trial: FreshTests<'_>,
    law: &LawRecord,
    options: &SearchOptions,
    slice: Option<Duration>,
    interrupted: &Interruption,
    contradictions: &mut Vec<String>,
) -> Result<LawProof, LabError> {
    let relations = Relations::of_text(&law.text, trial.workbench.functions())?;
    // Other targets have no code that could be walked: their laws stay tested.
    let Some(alone) = dodona_wasm::of(&trial.workbench.about(relations)) else {
        return Ok(LawProof::NoSolver);
    };
    let options =
        SearchOptions { time: [options.time, slice].into_iter().flatten().min(), ..options.clone() };
    let record = match prove(&alone, &[0], &options, interrupted, &mut |_| {}) {
        Ok(record) => record,
        // Without a solver there is no proof, but the tests still count.
        Err(LabError::Solver(_)) => return Ok(LawProof::NoSolver),
        Err(error) => return Err(error),
    };
    contradictions.extend(record.contradictions);
    let loop_bound = record.loop_bound;
    let found = record.relations.into_iter().next();
    Ok(match found.map(|RelationProof { verdict, random_source, .. }| (verdict, random_source)) {
        Some((ProofVerdict::Proved { longest }, random_source)) => {
            LawProof::Proved(DiscoveryProof::ProvedWithin { longest, loop_bound, random_source })
        }
        Some((ProofVerdict::Refuted { counterexample }, _)) => LawProof::Refuted(counterexample),
        _ => LawProof::Unknown,
    })
}

fn refuted(law: &LawRecord, counterexample: &Counterexample) -> RefutedLaw {
    RefutedLaw {
        text: without_name(law).trim_start_matches(": ").to_owned(),
        counterexample: Binding::list(&counterexample.source),
    }
}
