//! Kept counterexamples of a subject: the source inputs that relations are checked on first, and those that nobody runs, with
//! the reason, because a counterexample that is lost without a word looks like a relation that holds.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use dodona_relations::{Relation, Variable};
use dodona_sources::NamedValue;
use dodona_sources::regressions::{self, Group, Owner, Regression};
use dodona_target::{Target, Value};

use crate::{LabError, Workbench};

/// The kept counterexamples of a subject.
#[derive(Default)]
pub(crate) struct KeptInputs {
    /// Those that are run, each with its file.
    pub(crate) inputs: Vec<(KeptInput, String)>,
    /// For each that no relation can be run on, the file and why.
    pub(crate) not_run: Vec<String>,
}

/// What a kept counterexample runs.
pub(crate) struct KeptInput {
    /// The index of its relation in the workbench.
    pub(crate) relation: usize,
    /// The metamorphic group that violated the relation, among the groups that the relation has now.
    pub(crate) group: usize,
    /// The source input: one value for each variable, in the relation's order.
    pub(crate) values: Vec<Value>,
}

impl KeptInputs {
    /// [`KeptInputs::read`], without those that belong to no relation.
    pub(crate) fn read_own(workbench: &Workbench, relations: &[usize]) -> Result<KeptInputs, LabError> {
        let mut kept = KeptInputs::read(workbench, relations)?;
        let others = unclaimed(workbench)?;
        kept.not_run.retain(|told| !others.contains(told));
        Ok(kept)
    }

    /// Reads the counterexamples of the workbench's manifest. Those of other manifests in the folder, of relations that are not
    /// among the `relations` to be checked, and of files that are not among those of the workbench are left to whoever checks these.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub(crate) fn read(workbench: &Workbench, relations: &[usize]) -> Result<KeptInputs, LabError> {
        let folder = workbench.folder().join(regressions::FOLDER);
        let all = regressions::load_all(&folder).map_err(|e| LabError::Sources(e.to_string()))?;
        let checked: HashSet<usize> = relations.iter().copied().collect();
        let names = workbench.relations.iter().enumerate();
        let names = names.map(|(place, r)| (r.relation.name(), (place, checked.contains(&place))));
        let places: HashMap<&str, (usize, bool)> = names.collect();
        let mut kept = KeptInputs::default();
        for (path, regression) in all {
            let path = path.strip_prefix(".").unwrap_or(&path).display().to_string();
            match regression {
                Ok(regression) => match input(workbench, &places, &folder, &regression) {
                    Some(Ok(input)) => kept.inputs.push((input, path)),
                    Some(Err(why)) => kept.not_run.push(not_checked(&path, &why)),
                    None => {}
                },
                Err(error) => kept.not_run.push(not_checked_since(&error)),
            }
        }
        Ok(kept)
    }
}

/// The kept counterexamples that belong to no relation of a subject any more, and those that cannot be read, each with the reason: what they show is not checked.
///
/// # Errors
/// When the folder cannot be listed.
pub fn unclaimed<T: Target + ?Sized>(workbench: &Workbench<T>) -> Result<Vec<String>, LabError> {
    // Those of relations that are there are left to their checks.
    Ok(KeptInputs::read(&workbench.any(), &[])?.not_run)
}

/// The warning of a counterexample that was not judged, with the reason.
pub(crate) fn not_checked(file: &str, why: &dyn std::fmt::Display) -> String {
    not_checked_since(&format!("{file}: {why}"))
}

fn not_checked_since(why: &dyn std::fmt::Display) -> String {
    format!("{why}; what it shows was not checked")
}

/// What a counterexample runs, or why there is nothing. `None` if others run it. `places` has for each
/// relation of the workbench its index, and whether it is to be checked.
fn input(
    workbench: &Workbench,
    places: &HashMap<&str, (usize, bool)>,
    folder: &Path,
    regression: &Regression,
) -> Option<Result<KeptInput, LabError>> {
    match regression.owner(folder, workbench.target.declared_in()) {
        Owner::This => {}
        Owner::Other => return None,
        Owner::Missing => return Some(Err(without_manifest(regression))),
    }
    let input = match places.get(regression.relation.as_str()).copied() {
        Some((_, false)) => return None,
        Some((place, true)) => of_relation(workbench, place, regression),
        None => Err(unknown(workbench, regression)),
    };
    (input.is_ok() || is_checked_here(workbench, folder, regression)).then_some(input)
}

/// Whether the relation of a counterexample belongs to the files whose relations are checked.
fn is_checked_here(workbench: &Workbench, folder: &Path, regression: &Regression) -> bool {
    let Some(file) = regression.relation_file.as_ref().map(|file| folder.join(file)) else {
        // It is one of the manifest's relations.
        return !workbench.relations.given;
    };
    let same = |other: &PathBuf| {
        other.canonicalize().is_ok_and(|other| file.canonicalize().is_ok_and(|f| f == other))
    };
    // Nobody could check it by naming a file that lacks the relation: then whoever checks the subject is told.
    workbench.relations.files.iter().any(same)
        || (!workbench.relations.given && !has(&file, &regression.relation))
}

/// Whether a file has a relation of this name.
fn has(file: &Path, name: &str) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    dodona_relations::parse(&text).is_ok_and(|file| file.relations.iter().any(|r| r.name.text == name))
}

fn without_manifest(regression: &Regression) -> LabError {
    LabError::Sources(format!(
        "its manifest {} does not exist; if it has another name now, write it into `subject`, else remove the file",
        regression.subject
    ))
}

/// The error for a counterexample whose relation is gone. If another relation says the same, that is named.
pub(crate) fn unknown(workbench: &Workbench, regression: &Regression) -> LabError {
    let name = &regression.relation;
    let says_the_same = |loaded: &&crate::LoadedRelation| {
        let named = format!("relation {name}");
        let renamed = regression.text.replacen(&named, &format!("relation {}", loaded.relation.name()), 1);
        renamed == loaded.relation.text()
    };
    let hint = match workbench.relations.iter().find(says_the_same) {
        Some(same) => format!("`{}` says the same", same.relation.name()),
        None => {
            let known: Vec<&str> =
                workbench.relations.iter().map(|r| r.relation.name()).take(MOST_NAMES).collect();
            let more = if workbench.relations.len() > MOST_NAMES { ", …" } else { "" };
            format!("there are: {}{more}", known.join(", "))
        }
    };
    LabError::Sources(format!(
        "no relation is called `{name}` any more ({hint}); if it was renamed, write the new name into `relation` of the file, \
         else remove the file"
    ))
}

/// So many names of relations are listed.
const MOST_NAMES: usize = 10;

/// What a counterexample runs of the relation of its name.
///
/// # Errors
/// When the variables or the groups of the relation have changed, so that the counterexample cannot be run.
pub(crate) fn of_relation(
    workbench: &Workbench,
    index: usize,
    regression: &Regression,
) -> Result<KeptInput, LabError> {
    let relation = &workbench.relations[index].relation;
    let group = group(relation, regression)?;
    let values: Result<Vec<Value>, LabError> =
        relation.variables().iter().map(|v| value(workbench, v, regression)).collect();
    let values = values?;
    // It would be run without this value, as another input than the one that was kept.
    let is_known = |name: &str| relation.variables().iter().any(|v| v.name == name);
    match regression.inputs.iter().find(|input| !is_known(&input.name)) {
        Some(NamedValue { name, .. }) => {
            Err(changed(regression, &format!("the file has `{name}`, which is none of its variables")))
        }
        None => Ok(KeptInput { relation: index, group, values }),
    }
}

/// The group that violated the relation. Its constant decides and not its number, because the constants may have been written in another order since.
fn group(relation: &Relation, regression: &Regression) -> Result<usize, LabError> {
    let Group { index, label } = &regression.group;
    let groups = relation.group_count();
    let has_label = |&group: &usize| relation.group_label(group).unwrap_or_default() == *label;
    match (0..groups).find(has_label) {
        // Without `for` there is one group.
        Some(_) if label.is_empty() && *index >= groups => {
            Err(changed(regression, &format!("it has {groups} groups, the file names group {index}")))
        }
        Some(group) => Ok(group),
        None if label.is_empty() => {
            Err(changed(regression, "it has constants of `for`, the file names none of them"))
        }
        None => Err(changed(regression, &format!("it has no group for {label}"))),
    }
}

fn value(workbench: &Workbench, variable: &Variable, regression: &Regression) -> Result<Value, LabError> {
    let ty = workbench.functions()[variable.function].parameters[variable.parameter].ty;
    let name = &variable.name;
    match regression.inputs.iter().find(|i| i.name == *name) {
        Some(input) if input.ty == ty => Ok(input.value.clone()),
        Some(input) => Err(changed(regression, &format!("`{name}` is {ty}, the file has {}", input.ty))),
        None => Err(changed(regression, &format!("its variable `{name}` is not in the file"))),
    }
}

fn changed(regression: &Regression, how: &str) -> LabError {
    LabError::Sources(format!(
        "relation `{}` changed since the counterexample was kept: {how}; remove the file and check again",
        regression.relation
    ))
}
