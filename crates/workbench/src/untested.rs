//! Explains, by an example, why no source input was eligible for a relation.

use dodona_relations::{Ineligible, Verdict};
use dodona_target::{Column, Value};

use crate::work::CheckRun;
use crate::{LabError, LoadedRelation, SubjectCaller, Workbench, explain};

/// What was outside its domain in the first group that is ineligible for that reason, in words: the call, the argument and its
/// value. `relation` is an index in the work. The first batch of this relation is run again up to that group.
pub(crate) fn first_outside(
    workbench: &Workbench,
    work: &CheckRun,
    relation: usize,
    caller: &mut SubjectCaller,
) -> Result<Option<String>, LabError> {
    let loaded = &workbench.relations[work.relations[relation]];
    let Some((group, values)) = first_group_outside(loaded, work, relation, caller)? else { return Ok(None) };
    Ok(explain::tell(workbench, loaded, group, &values, caller)?.outside)
}

fn first_group_outside(
    loaded: &LoadedRelation,
    work: &CheckRun,
    relation: usize,
    caller: &mut SubjectCaller,
) -> Result<Option<(usize, Vec<Value>)>, LabError> {
    let Some(batch) = work.batches.of(relation).next() else { return Ok(None) };
    let columns = work.sources.columns(&batch);
    let is_outside = |v: &Verdict| *v == Verdict::Ineligible(Ineligible::OutOfDomain);
    // One row at a time, because the first one is usually such a group, and calls may be slow.
    for row in 0..batch.rows as u32 {
        let source: Vec<Column> = columns.iter().map(|c| c.select(&[row])).collect();
        for group in 0..loaded.relation.group_count() {
            if loaded.program.evaluate(group, &source, caller)?.iter().any(is_outside) {
                return Ok(Some((group, source.iter().map(|c| c.value(0)).collect())));
            }
        }
    }
    Ok(None)
}
