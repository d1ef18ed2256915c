//! Which mutants of the functions each law kills.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use dodona_inference::discovery::{GreedyCover, KillSet};
use dodona_mutation::{
    MutantSet, MutateOptions, MutateOutcome, OutsideVersion, mutate::mutate_set, mutate_outside,
};
use dodona_records::{
    Against, Binding, CheckRecord, LawRecord, LawsRecord, MutantId, MutationRecord, RefutedLaw, RelationKill,
};
use dodona_target::{Column, Until};
use dodona_workbench::{LabError, Relations, Workbench, inputs::drawn};
use fixedbitset::FixedBitSet;

use super::ReportedLaw;
use super::law_options::LawsOptions;
use super::law_tuning::{HALVING_LENGTH, INPUTS_ON_MUTANTS};
use crate::analysis::{killed_by, no_mutants, violated};
use crate::mutant_sample::MutantSample;
use crate::shuffled::shuffled;

/// Runs the laws on mutants, and writes the killed mutants of each into the record.
///
/// # Errors
/// When mutants cannot be made or the host fails.
pub(super) fn catch(
    workbench: &Workbench,
    record: &mut LawsRecord,
    options: &LawsOptions,
    until: &Until,
) -> Result<(), LabError> {
    if options.mutants == 0 || record.laws.is_empty() {
        return Ok(());
    }
    let text: Vec<&str> = record.laws.iter().map(|law| law.text.as_str()).collect();
    let Some(module) = dodona_wasm::of(workbench) else {
        if options.versions.is_empty() {
            record.warnings.push(no_mutants(workbench));
            return Ok(());
        }
        let loaded = workbench.about(Relations::of_text(&text.join("\n"), workbench.functions())?);
        return catch_versions(&loaded, record, options, until);
    };
    let loaded = Arc::new(module.with_relations(&text.join("\n"))?);
    let mutate = mutate_options(record, options);
    let set = MutantSet::generate(&module, &mutate)?;
    let chosen = (options.mutants, options.seed, "mutants of laws");
    let sample = MutantSample::of(&set, &module, &inputs(workbench, &mutate)?, chosen, until)?;
    let mut warnings: Vec<String> = sample.warning("the laws were run on").into_iter().collect();
    let compared = set.compare(&module, sample.mutants, &mutate, until, &mut warnings)?;
    record.mutants = compared.distinct().iter().map(|mutant| mutant.id).collect();
    match mutate_set(&loaded, &set, |_| Ok(compared), &mutate, until, &mut |_| {})? {
        MutateOutcome::Analysed(analysed) => {
            // A duplicate is killed with the mutant that it is a duplicate of, and counts only once.
            let distinct: BTreeSet<MutantId> = record.mutants.iter().copied().collect();
            for law in &mut record.laws {
                let kills = killed_by(Some(&analysed.record), &law.name);
                law.kills = kills.intersection(&distinct).copied().collect();
            }
        }
        MutateOutcome::BaselineViolated(check) => {
            refute(record, &check);
            return catch(workbench, record, options, until);
        }
    }
    record.warnings.extend(warnings);
    Ok(())
}

/// These are other inputs than before. A law that they refute is reported as refuted.
fn refute(record: &mut LawsRecord, check: &CheckRecord) {
    let names: Vec<String> = record.laws.iter().map(|law| law.name.clone()).collect();
    for violation in violated(check, &names).into_iter().rev() {
        let law = record.laws.remove(violation.place);
        record.refuted.push(RefutedLaw { text: law.text, counterexample: Binding::list(&violation.source) });
    }
}

/// Runs the laws on other versions of functions outside of WebAssembly, each of which counts as a mutant. The workbench has the laws as its relations.
fn catch_versions(
    workbench: &Arc<Workbench>,
    record: &mut LawsRecord,
    options: &LawsOptions,
    until: &Until,
) -> Result<(), LabError> {
    let mutate = mutate_options(record, options);
    let versions: Vec<OutsideVersion> = sample(&options.versions, options, &mut record.warnings);
    match mutate_outside(workbench, &versions, &mutate, until, &mut |_| {})? {
        MutateOutcome::Analysed(analysed) => {
            let MutationRecord { mutants, versions, warnings, .. } = analysed.record;
            let made: Vec<_> = mutants
                .iter()
                .filter(|mutant| mutant.is_scored())
                .map(|mutant| (mutant.id, &mutant.killed_by))
                .collect();
            // Versions that a person wrote have the numbers behind those of mutants.
            let numbers = (mutants.len() as u32 + 1..).map(MutantId);
            let written: Vec<_> =
                numbers.zip(&versions).filter(|(_, version)| version.is_counted()).collect();
            let names = written.iter().map(|(id, version)| format!("{id} is the version {}", version.name));
            record.warnings.extend(names);
            let written = written.iter().map(|(id, version)| (*id, &version.killed_by));
            let all: Vec<(MutantId, &Vec<RelationKill>)> = made.into_iter().chain(written).collect();
            record.mutants = all.iter().map(|(id, _)| *id).collect();
            for law in &mut record.laws {
                let kills = |kills: &Vec<RelationKill>| kills.iter().any(|kill| kill.relation == law.name);
                law.kills = all.iter().filter(|(_, by)| kills(by)).map(|(id, _)| *id).collect();
            }
            record.warnings.extend(warnings);
            Ok(())
        }
        MutateOutcome::BaselineViolated(check) => {
            refute(record, &check);
            catch(workbench, record, options, until)
        }
    }
}

/// As many of the versions as mutants are wanted, chosen by the seed.
fn sample(all: &[OutsideVersion], options: &LawsOptions, warnings: &mut Vec<String>) -> Vec<OutsideVersion> {
    // One that is the same as another stands for it only where both are there.
    let distinct: Vec<&OutsideVersion> = all.iter().filter(|version| version.same_as.is_none()).collect();
    if distinct.len() > options.mutants {
        let (some, made) = (options.mutants, distinct.len());
        warnings.push(format!(
            "the laws were run on {some} of {made} mutants, chosen by the seed: --mutants raises their number"
        ));
    }
    let mut chosen = shuffled(distinct.len(), options.seed, "versions of laws");
    chosen.truncate(options.mutants);
    chosen.sort_unstable();
    chosen.into_iter().map(|place| distinct[place].clone()).collect()
}

/// Leaves out each law that has a price, if it does not kill at least that many mutants which no other law kills, and each law of a known form that kills none: what
/// can be said of many functions says nothing of this one then.
pub(super) fn leave_out(record: &mut LawsRecord, known: &BTreeMap<String, ReportedLaw>) {
    let price = |law: &LawRecord| known.get(&law.name).map_or(0, |known| known.price);
    let free = record.laws.iter().filter(|law| price(law) == 0);
    let mut caught: BTreeSet<MutantId> = free.flat_map(|law| law.kills.clone()).collect();
    let mut bought: BTreeSet<String> = BTreeSet::new();
    loop {
        let gain = |law: &LawRecord| law.kills.iter().filter(|mutant| !caught.contains(mutant)).count();
        let left = record.laws.iter().filter(|law| price(law) > 0 && !bought.contains(&law.name));
        // Of several laws that gain as much, the first is taken, because laws are ordered by length.
        let best = left.rev().filter(|law| gain(law) >= price(law)).max_by_key(|law| gain(law) - price(law));
        let Some(best) = best else { break };
        caught.extend(best.kills.iter().copied());
        bought.insert(best.name.clone());
    }
    let is_idle = |law: &LawRecord| {
        let is_tabled = known.get(&law.name).is_some_and(|known| known.is_tabled);
        is_tabled && !record.mutants.is_empty() && law.kills.is_empty()
    };
    let idle: BTreeSet<String> =
        record.laws.iter().filter(|law| is_idle(law)).map(|law| law.name.clone()).collect();
    record.laws.retain(|law| (price(law) == 0 || bought.contains(&law.name)) && !idle.contains(&law.name));
}

/// Leaves out laws beyond the most that are listed. Those stay that add the most mutants to the others, and then those that come first.
pub(super) fn leave_most(record: &mut LawsRecord, most: usize) {
    if record.laws.len() <= most {
        return;
    }
    let place: HashMap<MutantId, usize> = record.mutants.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let killed = |law: &LawRecord| {
        let mut killed = FixedBitSet::with_capacity(place.len());
        killed.extend(law.kills.iter().filter_map(|mutant| place.get(mutant).copied()));
        KillSet { killed, size: law.text.len() }
    };
    let mut cover = GreedyCover::new(record.laws.iter().map(killed).collect(), HALVING_LENGTH);
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    while kept.len() < most
        && let Some(next) = cover.propose()
        && cover.gain(next) > 0
    {
        cover.accept(next);
        kept.insert(next);
    }
    let others: Vec<usize> = (0..record.laws.len()).filter(|law| !kept.contains(law)).collect();
    kept.extend(others.into_iter().take(most.saturating_sub(kept.len())));
    let mut law = 0..;
    record.laws.retain(|_| law.next().is_some_and(|law| kept.contains(&law)));
}

fn mutate_options(record: &LawsRecord, options: &LawsOptions) -> MutateOptions {
    let mut functions: Vec<String> = record.laws.iter().flat_map(|law| law.functions.clone()).collect();
    functions.sort();
    functions.dedup();
    MutateOptions {
        functions,
        callees: options.callees.clone(),
        operators: options.operators.clone(),
        against: Against::Relations,
        inputs: INPUTS_ON_MUTANTS,
        seed: options.seed,
        jobs: options.jobs,
        ..MutateOptions::default()
    }
}

/// Random inputs of the functions that are mutated, in batches.
fn inputs(workbench: &Workbench, options: &MutateOptions) -> Result<Vec<(usize, Vec<Column>)>, LabError> {
    let mut inputs = Vec::new();
    for (index, function) in workbench.functions().iter().enumerate() {
        if options.functions.contains(&function.name) {
            let batches = drawn(function, options.inputs, options.seed)?;
            inputs.extend(batches.into_iter().map(|columns| (index, columns)));
        }
    }
    Ok(inputs)
}
