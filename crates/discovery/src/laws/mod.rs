//! Laws over several calls and functions: executions recorded, laws of their columns put to fresh inputs, what they catch of mutants.

mod catch;
mod judge;
mod numbers;
mod options;
mod recorded;
mod search;
mod together;

use std::sync::Arc;
use std::time::Instant;

use dodona_evidence::{FORMAT_VERSION, LawRecord, LawsRecord, LawsStop};
use dodona_workbench::{Interruption, LabError, Until, Workbench};

use crate::DiscoverOptions;
use crate::target::DiscoveryTarget;

pub use options::{LawsOptions, LawsProgress, LawsStage};
use search::{Found, LawSearch};

/// Searches for laws of some functions under test, given by their indices.
///
/// Functions of the same kind of numbers are looked at together: each is called at arguments that textbooks have, for the same random values of the
/// variables, and laws of few terms are read off the columns of results ([`dodona_evolution::laws`]). A law that does not follow from those before it
/// is put to random inputs of its own, drawn as the manifest says, and listed if none refutes it.
///
/// # Errors
/// When inputs cannot be drawn, mutants cannot be made, or the host fails.
pub fn laws(
    workbench: &Arc<Workbench>,
    functions: &[usize],
    options: &LawsOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(LawsProgress),
) -> Result<LawsRecord, LabError> {
    let started = Instant::now();
    let until = Until::after(options.time, interrupted);
    let (groups, skipped) = together::groups(workbench, functions);
    let mut record = LawsRecord {
        format_version: FORMAT_VERSION,
        subject: workbench.manifest.name.clone(),
        manifest: workbench.manifest.path.display().to_string(),
        seed: options.seed.0,
        groups: Vec::new(),
        laws: Vec::new(),
        refuted: Vec::new(),
        skipped,
        mutants: Vec::new(),
        stop: LawsStop::Finished,
        seconds: 0.0,
        warnings: Vec::new(),
        contradictions: Vec::new(),
    };
    for group in groups.iter().take_while(|_| until.goes_on()) {
        let search = LawSearch { workbench, options, interrupted, until: &until };
        let Found { group, laws, refuted } = search.run(group, progress)?;
        let taken: Vec<String> = record.laws.iter().map(|law| law.name.clone()).collect();
        record.laws.extend(named(laws, taken));
        record.groups.push(group);
        record.refuted.extend(refuted);
    }
    if until.goes_on() {
        progress(LawsProgress { stage: LawsStage::Mutants, laws: record.laws.len() as u64 });
        catch::catch(workbench, &mut record, options, &until)?;
    }
    record.stop = match (until.is_interrupted(), until.is_up()) {
        (true, _) => LawsStop::Interrupted,
        (false, true) => LawsStop::TimeSpent,
        (false, false) => LawsStop::Finished,
    };
    record.seconds = started.elapsed().as_secs_f64();
    Ok(record)
}

/// The laws of a function alone, each run on `fresh` new inputs; none if it is no function of numbers.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(crate) fn laws_of(
    target: &DiscoveryTarget<'_>,
    options: &DiscoverOptions,
    fresh: u64,
    until: &Until,
) -> Result<Vec<LawRecord>, LabError> {
    let workbench = target.workbench;
    let (groups, _) = together::groups(workbench, &[target.function]);
    let how = LawsOptions { seed: options.seed, time: None, fresh, mutants: 0, jobs: options.jobs };
    let interrupted = Interruption::default();
    let mut laws = Vec::new();
    for group in &groups {
        let search = LawSearch { workbench, options: &how, interrupted: &interrupted, until };
        laws.extend(search.run(group, &mut |_| {})?.laws);
    }
    Ok(named(laws, Vec::new()))
}

/// The laws with names that no other has.
fn named(laws: Vec<LawRecord>, mut taken: Vec<String>) -> Vec<LawRecord> {
    let rename = |mut law: LawRecord| {
        let wanted = law.name.clone();
        let free = std::iter::once(wanted.clone())
            .chain((2..).map(|n| format!("{wanted}_{n}")))
            .find(|name| !taken.contains(name))
            .unwrap_or(wanted.clone());
        law.text = law.text.replacen(&format!("relation {wanted}"), &format!("relation {free}"), 1);
        taken.push(free.clone());
        law.name = free;
        law
    };
    laws.into_iter().map(rename).collect()
}
