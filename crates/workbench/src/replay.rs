//! Runs a kept counterexample again.

use std::collections::BTreeMap;

use dodona_records::{Counterexample, Elapsed, Provenance, RelationRecord, Tally};
use dodona_sources::regressions::Regression;

use crate::kept::KeptInput;
use crate::{LabError, Workbench, explain, kept};

/// Runs the group of a regression again. The record has the verdict in its tally and everything about the group, even if it
/// holds now.
///
/// # Errors
/// When the relation no longer exists, its variables or groups have changed, or the host fails.
pub fn replay(
    workbench: &Workbench,
    regression: &Regression,
    path: &str,
) -> Result<RelationRecord, LabError> {
    let has_name = |loaded: &crate::LoadedRelation| loaded.relation.name() == regression.relation;
    let index = workbench.relations.iter().position(has_name);
    let index = index.ok_or_else(|| kept::unknown(workbench, regression))?;
    let relation = &workbench.relations[index];
    let KeptInput { group, values, .. } = kept::of_relation(workbench, index, regression)?;
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
            shrink_stopped: None,
            provenance: Provenance::Regression { path: path.to_owned() },
            kept: None,
        }),
        skipped: BTreeMap::new(),
        outside: None,
        elapsed: Elapsed::default(),
    })
}
