//! The run of a subject that is no module: a program, or functions that a worker calls.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use dodona_discovery::{LawsOptions, laws};
use dodona_records::{Finder, FunctionRun, LawsStop, RelationVerdict, RunAdequacy, RunRelation, SubjectRun};
use dodona_target::Interruption;
use dodona_workbench::{LabError, LoadedRelation, Relations, Workbench, called, takes, unclaimed};

use crate::found::{Found, Gathered};
use crate::kept::Made;
use crate::steps::{How, adequate, checked, covered, noted, regressions};
use crate::subject::coverage_of;
use crate::{RunError, RunOptions, RunProgress, Step};

/// The part of the time that a search for laws has.
pub(crate) const LAWS_SHARE: f64 = 0.5;

/// Fresh inputs on which a law has to hold. The check that follows runs others.
const LAWS_ON: u64 = 10_000;

/// Runs a subject of any kind: its relations are checked, laws are looked for of functions that no relation calls, and what is found is checked too. Nothing of it is kept: what the
/// results depend on is not known.
///
/// # Errors
/// When the target fails, or the relations cannot be put together.
pub fn run_outside(
    workbench: &Arc<Workbench>,
    options: &RunOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(&RunProgress<'_>),
) -> Result<SubjectRun, RunError> {
    let how = How { options, interrupted };
    let mut record = SubjectRun {
        subject: workbench.target.name().to_owned(),
        manifest: workbench.target.declared_in().display().to_string(),
        functions: workbench.functions().iter().map(named).collect(),
        ..SubjectRun::default()
    };
    let lost = unclaimed(workbench)?;
    record.unread += lost.len() as u64;
    record.warnings.extend(lost);
    let accepted = workbench.relations.len() as u64;
    for (done, loaded) in (0..).zip(workbench.relations.iter()) {
        let about = loaded.relation.name();
        progress(&RunProgress { step: Step::Check, about, done, planned: accepted + 1 });
        check(workbench, loaded, None, &mut record, how)?;
    }
    let about = workbench.target.name();
    progress(&RunProgress { step: Step::Discover, about, done: accepted, planned: accepted + 1 });
    let found = found(workbench, &mut record, how)?;
    if found.found.is_empty() {
        measured(workbench, &mut record, how)?;
        return Ok(record);
    }
    let texts: Vec<&str> = found.found.iter().map(|one| one.text.as_str()).collect();
    let with_found = workbench.about(Relations::of_text(&texts.join("\n"), workbench.functions())?);
    for (loaded, one) in with_found.relations.iter().zip(&found.found) {
        check(&with_found, loaded, Some(one), &mut record, how)?;
    }
    // An accepted relation tells more than one that was found, whatever their number.
    measured(workbench, &mut record, how)?;
    measured(&with_found, &mut record, how)?;
    Ok(record)
}

/// What inputs run of each function, and with how many relations it is tested, where the target tells what calls run. A measurement that does not come to its end is left out: a part of
/// one would say that the rest is not run.
fn measured(workbench: &Arc<Workbench>, record: &mut SubjectRun, how: How<'_>) -> Result<(), LabError> {
    for function in 0..workbench.functions().len() {
        if record.functions[function].adequacy.is_some() {
            continue;
        }
        let code = workbench.target.open().traced_code(function)?;
        if code.is_none_or(|code| code.statements.is_empty()) {
            continue;
        }
        if record.functions[function].coverage.is_none() {
            let coverage = covered(workbench, function, &[], how)?;
            record.functions[function].coverage = coverage.is_whole.then(|| coverage_of(&coverage.result));
        }
        let relations = holding(workbench, function, &record.functions);
        if relations.is_empty() {
            continue;
        }
        let adequacy = adequate(workbench, function, &relations, &[], how)?;
        if adequacy.is_whole {
            record.functions[function].adequacy = Some(RunAdequacy::of(&adequacy.result));
        }
    }
    Ok(())
}

/// The relations that hold and take inputs of a function, by their indices.
fn holding(workbench: &Workbench, function: usize, functions: &[FunctionRun]) -> Vec<usize> {
    let holds = |one: &&RunRelation| one.verdict() == RelationVerdict::Holds;
    let names: BTreeSet<&str> =
        functions.iter().flat_map(|f| &f.relations).filter(holds).map(RunRelation::name).collect();
    let is_chosen = |index: &usize| {
        let relation = &workbench.relations[*index].relation;
        names.contains(relation.name()) && takes(relation, function)
    };
    (0..workbench.relations.len()).filter(is_chosen).collect()
}

fn named(signature: &dodona_target::Signature) -> FunctionRun {
    FunctionRun { function: signature.name.clone(), ..FunctionRun::default() }
}

/// Checks a relation, which is accepted unless a search found it, and notes what came of it.
fn check(
    workbench: &Arc<Workbench>,
    loaded: &LoadedRelation,
    found: Option<&Found>,
    record: &mut SubjectRun,
    how: How<'_>,
) -> Result<(), LabError> {
    let Some(function) = called(&loaded.relation).next() else { return Ok(()) };
    let name = loaded.relation.name();
    let left = format!("{} of {name}", Step::Check.name());
    let Made { result, is_whole } = match checked(workbench, name, (Vec::new(), regressions(found, how)), how)
    {
        Err(error) if error.is_stopped() => {
            record.left.push(left);
            return Ok(());
        }
        made => made?,
    };
    if !is_whole {
        record.left.push(left);
    }
    let relation = noted(result, loaded, found, record);
    record.functions[function].relations.extend(relation);
    Ok(())
}

/// The laws of the functions that no relation calls.
fn found(workbench: &Arc<Workbench>, record: &mut SubjectRun, how: How<'_>) -> Result<Gathered, LabError> {
    let mut gathered = Gathered::beside(&workbench.relations);
    let has_relation: BTreeSet<usize> =
        workbench.relations.iter().flat_map(|loaded| called(&loaded.relation)).collect();
    let functions: Vec<usize> =
        (0..workbench.functions().len()).filter(|function| !has_relation.contains(function)).collect();
    if functions.is_empty() || how.interrupted.is_raised() {
        return Ok(gathered);
    }
    let time: Duration = how.options.time.mul_f64(LAWS_SHARE);
    let options = LawsOptions {
        seed: how.options.seed,
        time: Some(time),
        fresh: LAWS_ON,
        jobs: how.options.jobs,
        ..LawsOptions::default()
    };
    let laws = laws(workbench, &functions, &options, how.interrupted, &mut |_| {})?;
    if laws.stop == LawsStop::TimeSpent {
        record
            .warnings
            .push("the clock ended the search for laws, so that another run may find others".to_owned());
    }
    for law in &laws.laws {
        let text = (law.text.as_str(), law.name.as_str());
        gathered.add(workbench.functions(), text, Some(law.words.clone()), Finder::Discovery);
    }
    Ok(gathered)
}
