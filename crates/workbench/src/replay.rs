//! Runs a kept counterexample again.

use std::collections::BTreeMap;

use dodona_evidence::{Counterexample, Provenance, RelationRecord, Tally};
use dodona_sources::regressions::Regression;
use dodona_subject::Value;

use crate::{LabError, Workbench, explain};

/// Runs the group of a regression again. The record has the verdict in its tally and everything about the group, even if it
/// holds now.
///
/// # Errors
/// When the relation no longer exists, its variables have changed, or the host fails.
pub fn replay(
    workbench: &Workbench,
    regression: &Regression,
    path: &str,
) -> Result<RelationRecord, LabError> {
    let index = workbench.select(std::slice::from_ref(&regression.relation))?[0];
    let relation = &workbench.relations[index];
    let values = values(workbench, index, regression)?;
    let group = regression.group.index;
    if group >= relation.relation.group_count() {
        let has = relation.relation.group_count();
        return Err(changed(regression, &format!("it has {has} groups, the file names group {group}")));
    }
    let mut caller = workbench.caller();
    let told = explain::tell(workbench, relation, group, &values, &mut caller)?;
    let mut tally = Tally::default();
    tally.count(told.verdict);
    let source = explain::source(relation, &values);
    Ok(RelationRecord {
        name: regression.relation.clone(),
        text: relation.relation.text().to_owned(),
        file: relation.file.display().to_string(),
        line: relation.line,
        sources: 1,
        tally,
        counterexample: Some(Counterexample {
            found: source.clone(),
            source,
            group: relation.relation.group_label(group),
            calls: told.calls,
            sides: told.sides,
            why: told.why,
            shrink_steps: 0,
            provenance: Provenance::Regression { path: path.to_owned() },
            kept: None,
        }),
        skipped: BTreeMap::new(),
        outside: None,
    })
}

/// The values of the relation's variables in order, from a regression.
pub(crate) fn values(
    workbench: &Workbench,
    relation: usize,
    regression: &Regression,
) -> Result<Vec<Value>, LabError> {
    let variables = workbench.relations[relation].relation.variables();
    let value = |v: &dodona_relations::Variable| {
        let ty = workbench.manifest.functions[v.function].parameters[v.parameter].ty;
        let input = regression.inputs.iter().find(|i| i.name == v.name);
        match input {
            Some(input) if input.ty == ty => Ok(input.value.clone()),
            Some(input) => {
                Err(changed(regression, &format!("`{}` is {ty}, the file has {}", v.name, input.ty)))
            }
            None => Err(changed(regression, &format!("its variable `{}` is not in the file", v.name))),
        }
    };
    variables.iter().map(value).collect()
}

fn changed(regression: &Regression, how: &str) -> LabError {
    LabError::Sources(format!(
        "relation `{}` changed since the counterexample was kept: {how}; remove the file and check again",
        regression.relation
    ))
}
