//! A subject beside another version of it: what its functions give otherwise, and which relations say something else.

use std::collections::BTreeSet;
use std::sync::Arc;

use dodona_records::{
    AgainstRecord, Change, ChangedFunction, ChangedRelation, CheckRecord, FunctionRun, RelationRecord,
    RelationVerdict, RunRelation, SubjectRun,
};
use dodona_session::Key;
use dodona_target::{Column, Interruption, Target as _};
use dodona_wasm::Workbench;
use dodona_workbench::{
    Compared, Difference, LabError, Limits, LoadedRelation, MadeInputs, Regressions, called, inputs,
};

use crate::kept::Made;
use crate::steps::{How, MadeRows, along_paths, checked};
use crate::subject::caught_of;
use crate::{Depends, Kept, RunError, RunOptions, Step};

/// One of the two versions, with the relations that are compared.
struct Version<'a> {
    workbench: Arc<Workbench>,
    depends: Depends<'a>,
}

/// Compares a subject with another version, which has the same functions with the same parameters: each function and each relation of the run on the same inputs, which are
/// made for both.
///
/// # Errors
/// When the relations cannot be put to the other version, the target fails, or the session cannot be read.
pub fn against(
    [this, other]: [&Arc<Workbench>; 2],
    version: &str,
    run: &SubjectRun,
    kept: &mut Kept<'_>,
    options: &RunOptions,
    interrupted: &Interruption,
) -> Result<AgainstRecord, RunError> {
    let how = How { options, interrupted };
    let mut record = AgainstRecord { version: version.to_owned(), ..AgainstRecord::default() };
    let texts = in_both([this, other], run, &mut record);
    let versions = [this, other].map(|workbench| -> Result<_, LabError> {
        let together = Arc::new(workbench.with_relations(&texts)?);
        Ok(Version { workbench: together, depends: Depends::new(workbench, options) })
    });
    let [this_version, other_version] = versions;
    let mut versions = [this_version?, other_version?];
    let functions = this.functions().len();
    let mut rows = Vec::new();
    for function in 0..functions {
        rows.push(made_for_both(&mut versions, function, kept, how, &mut record)?);
    }
    let compared = Compared::new(this.target.shared(), other.target.shared(), Limits::Same);
    for (function, made) in rows.iter().enumerate() {
        if interrupted.is_raised() {
            record.warnings.push("it was ended before all was compared".to_owned());
            return Ok(record);
        }
        call_both(this, &compared, function, &made.inputs, how)?;
        record.compared += 1;
    }
    // The calls of relations are compared too: an input that only a relation makes may be the one that differs.
    let both =
        dodona_workbench::Workbench::new(compared.clone(), Arc::clone(&versions[0].workbench.relations));
    let both = both.any();
    for relation in run.relations() {
        let name = relation.name();
        let now = check_both(&both, name, &rows, how)?;
        let before = check(&mut versions[1], name, &rows, kept, how)?;
        // It was said before where it is not one that both versions have.
        if let (Some(now), Some(before)) = (now, before) {
            note(&mut record, relation, now, before);
        }
    }
    catching(&mut versions, run, &mut record, kept, how)?;
    record.relations.sort_by_key(|relation| relation.change);
    record.changed = compared.differences().into_iter().map(|one| changed(this, one)).collect();
    Ok(record)
}

/// The relations of a run that are valid in both versions, as one text. The record says which are not.
fn in_both(versions: [&Arc<Workbench>; 2], run: &SubjectRun, record: &mut AgainstRecord) -> String {
    let mut texts = Vec::new();
    for relation in run.relations() {
        let text = relation.check.text.as_str();
        match versions.iter().all(|workbench| workbench.with_relations(text).is_ok()) {
            true => texts.push(text),
            false => {
                let why = "it calls what the other version does not have";
                record.warnings.push(format!("{} was not compared: {why}", relation.name()));
            }
        }
    }
    texts.join("\n")
}

/// Notes what is said of a relation now and was said of it in the other version.
fn note(record: &mut AgainstRecord, relation: &RunRelation, now: RelationRecord, before: RelationRecord) {
    match (before.verdict(), now.verdict()) {
        (RelationVerdict::Holds, RelationVerdict::Holds) => record.held += 1,
        (RelationVerdict::Violated, RelationVerdict::Violated) => record.violated += 1,
        (of_before, of_now) => {
            let Some(change) = Change::between(of_before, of_now) else { return };
            record.relations.push(ChangedRelation {
                name: relation.name().to_owned(),
                text: relation.check.text.clone(),
                state: relation.state,
                change,
                caught: None,
                counterexample: now.counterexample.or(before.counterexample),
            });
        }
    }
}

/// Notes which relations that hold in both versions catch mutants of the one and none of the other. Only of functions whose code is another one: what is run of the other version
/// is the same pieces that its own run has.
fn catching(
    [this, other]: &mut [Version<'_>; 2],
    run: &SubjectRun,
    record: &mut AgainstRecord,
    kept: &mut Kept<'_>,
    how: How<'_>,
) -> Result<(), RunError> {
    let functions = this.workbench.functions().len();
    let is_other = |function: &usize| this.depends.code(*function) != other.depends.code(*function);
    let functions: Vec<usize> = (0..functions).filter(is_other).collect();
    if functions.is_empty() {
        return Ok(());
    }
    let before = caught_of(&other.workbench, &functions, kept, how)?;
    let name = |function: &usize| this.workbench.functions()[*function].name.as_str();
    for (function, before) in functions.iter().zip(before) {
        let now = run.functions.iter().find(|one| one.function == name(function));
        // Of a part of the mutants it is not known that none is caught.
        let is_whole = |one: &&FunctionRun| one.faults.as_ref().is_some_and(|faults| faults.not_run == 0);
        let (Some(now), Some(before)) = (now.filter(is_whole), before) else { continue };
        for relation in &now.relations {
            let changed = record.relations.iter().any(|one| one.name == relation.name());
            let (Some(now), Some(&before)) = (&relation.caught, before.get(relation.name())) else {
                continue;
            };
            let change = match (before, now.len() as u64) {
                (0, 1..) => Change::NewlyCatching,
                (1.., 0) => Change::NoLongerCatching,
                _ => continue,
            };
            if !changed && relation.verdict() == RelationVerdict::Holds {
                record.relations.push(ChangedRelation {
                    name: relation.name().to_owned(),
                    text: relation.check.text.clone(),
                    state: relation.state,
                    change,
                    caught: Some([before, now.len() as u64]),
                    counterexample: None,
                });
            }
        }
    }
    Ok(())
}

/// A function that gives something else, with a call that shows it.
fn changed(this: &Workbench, difference: Difference) -> ChangedFunction {
    let [now, before] = difference.ends;
    let function = this.functions()[difference.function].name.clone();
    let [calls, differing] = difference.calls;
    ChangedFunction { function, calls, differing, call: difference.call, before, now }
}

/// Inputs of a function along the paths of both versions, with the keys that they are kept under.
struct MadeForBoth {
    keys: [Key; 2],
    inputs: Vec<MadeInputs>,
}

fn made_for_both(
    versions: &mut [Version<'_>; 2],
    function: usize,
    kept: &mut Kept<'_>,
    how: How<'_>,
    record: &mut AgainstRecord,
) -> Result<MadeForBoth, RunError> {
    let mut keys = Vec::new();
    let mut inputs = Vec::new();
    for Version { workbench, depends } in versions {
        let name = workbench.functions()[function].name.clone();
        let key = depends.begin(Step::Inputs.name()).with(depends.code(function).bytes()).key();
        let rows = match kept.piece(key, Step::Inputs.name(), &name, || along_paths(workbench, function, how))
        {
            Ok(Made { result, .. }) => result,
            Err(RunError::Lab(error)) => {
                if !error.is_stopped() {
                    record.warnings.push(format!("{name}, inputs along paths: {error}"));
                }
                MadeRows::default()
            }
            Err(error) => return Err(error),
        };
        keys.push(key);
        inputs.push(rows.inputs(workbench, function));
    }
    Ok(MadeForBoth { keys: [keys[0], keys[1]], inputs })
}

/// Calls a function in both versions with random inputs and with those that were made.
fn call_both(
    workbench: &Workbench,
    compared: &Compared,
    function: usize,
    made: &[MadeInputs],
    how: How<'_>,
) -> Result<(), LabError> {
    let mut batches =
        inputs(workbench, function, &[], how.options.inputs, how.options.seed, &mut Vec::new())?;
    let is_any = |columns: &Vec<Column>| columns.first().is_some_and(|column| !column.is_empty());
    batches.extend(made.iter().map(|made| made.columns.clone()).filter(is_any));
    let mut session = compared.open();
    for batch in batches {
        session.call(function, &batch).map_err(LabError::Call)?;
    }
    Ok(())
}

/// The inputs of some functions.
fn inputs_of(rows: &[MadeForBoth], functions: &BTreeSet<usize>) -> Vec<MadeInputs> {
    functions.iter().flat_map(|&function| rows[function].inputs.iter().cloned()).collect()
}

/// What a check found of its relation; `None` if it was cut short.
fn whole(made: Result<Made<CheckRecord>, RunError>) -> Result<Option<RelationRecord>, RunError> {
    match made {
        Ok(Made { result, is_whole }) => Ok(result.relations.into_iter().next().filter(|_| is_whole)),
        Err(RunError::Lab(error)) if error.is_stopped() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The check of a relation on this version, whose calls the other one makes too; `None` if it was cut short.
fn check_both(
    both: &Arc<dodona_workbench::Workbench>,
    name: &str,
    rows: &[MadeForBoth],
    how: How<'_>,
) -> Result<Option<RelationRecord>, RunError> {
    let is_this = |loaded: &&LoadedRelation| loaded.relation.name() == name;
    let Some(loaded) = both.relations.iter().find(is_this) else { return Ok(None) };
    let made = inputs_of(rows, &called(&loaded.relation).collect());
    whole(checked(both, name, (made, Regressions::Ignore), how).map_err(RunError::from))
}

/// The check of a relation on one version; `None` if it was cut short.
fn check(
    Version { workbench, depends }: &mut Version<'_>,
    name: &str,
    rows: &[MadeForBoth],
    kept: &mut Kept<'_>,
    how: How<'_>,
) -> Result<Option<RelationRecord>, RunError> {
    let is_this = |loaded: &&LoadedRelation| loaded.relation.name() == name;
    let Some(loaded) = workbench.relations.iter().find(is_this) else { return Ok(None) };
    let functions: BTreeSet<usize> = called(&loaded.relation).collect();
    let relation = depends.relation(loaded);
    let mut key = depends.begin("check-against").with(relation.bytes());
    key = key.with(how.options.inputs.to_le_bytes());
    for part in functions.iter().flat_map(|&function| rows[function].keys) {
        key = key.with(part.bytes());
    }
    let made = inputs_of(rows, &functions);
    let make = || checked(&workbench.any(), name, (made, Regressions::Ignore), how);
    whole(kept.piece(key.key(), Step::Check.name(), name, make))
}
