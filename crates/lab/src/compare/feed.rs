//! The tests of a comparison: source inputs of a function in relations.

use dodona_records::SectionKind;
use dodona_sources::Seed;

pub(super) use dodona_mutation::suite::{Suite, TestKind};
use dodona_wasm::{Reach, Workbench};
use dodona_workbench::{DistinctInputs, Fed, LabError, called, plan::BATCH_ROWS, takes};

/// The relations that can be fed with inputs of a function: those of these names, or all.
pub(super) fn relations(
    workbench: &Workbench,
    function: usize,
    names: &[String],
    warnings: &mut Vec<String>,
) -> Result<Vec<usize>, LabError> {
    let mut relations = workbench.select(names)?;
    let declared = &workbench.functions()[function].name;
    relations.retain(|&index| {
        let relation = &workbench.relations[index].relation;
        let takes = takes(relation, function);
        if !takes && (!names.is_empty() || called(relation).any(|f| f == function)) {
            let name = relation.name();
            warnings.push(format!(
                "relation `{name}` is left out: no variable of it takes an input of `{declared}`"
            ));
        }
        takes
    });
    match relations.is_empty() {
        true => Err(LabError::NoRelations(format!(
            "no relation has a variable that takes an input of `{declared}`; a comparison needs one that holds for it"
        ))),
        false => Ok(relations),
    }
}

/// The tests of a comparison: every input through every group of every relation. A group is a section, so that the number of a
/// test in its section is that of its input.
pub(super) fn suite(
    workbench: &Workbench,
    function: usize,
    relations: &[usize],
    pool: &DistinctInputs,
    seed: Seed,
) -> Result<Suite, LabError> {
    let mut suite = Suite::of(relations);
    let mut reach = Reach::of(workbench);
    for &relation in relations {
        let loaded = &workbench.relations[relation];
        let fed = Fed::of(workbench, loaded, function)?;
        for group in 0..loaded.relation.group_count() {
            let runs = reach.of_relation(&loaded.relation);
            let section = suite.section(SectionKind::Relation, loaded.relation.name(), runs);
            for start in (0..pool.len()).step_by(BATCH_ROWS) {
                let rows = BATCH_ROWS.min(pool.len() - start);
                let columns = fed.columns(pool.columns(), start, rows, seed);
                suite.push(TestKind::Groups { relation, group }, columns, rows, section);
            }
        }
    }
    Ok(suite)
}
