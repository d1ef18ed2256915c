//! Which metamorphic group reveals which mutant: what suites of groups are judged by.

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_mutation::analysis::{Analysis, MutantRun};
use dodona_mutation::suite::{Suite, TestKind};
use dodona_mutation::{
    Callees, KeepMatrix, MutantSet, MutateOptions, MutateProgress, MutationBounds, OperatorSet,
};
use dodona_records::{Against, Mode, Pruning, SectionKind};
use dodona_sources::Seed;
use dodona_target::{Column, Interruption, Until};
use dodona_wasm::{Reach, Workbench, runs};
use dodona_workbench::{Fed, LabError, plan::BATCH_ROWS};
use fixedbitset::FixedBitSet;

use super::Executed;

/// The mutants of a function, and what reveals each.
pub struct GroupKills {
    /// The mutants that were run: those that are neither duplicates nor known to be equivalent.
    pub mutants: Vec<String>,
    /// For each the groups that reveal it: the relation by place times the number of source inputs, plus the source input.
    pub groups: Vec<FixedBitSet>,
    /// For each the source inputs whose output shows it by itself.
    pub inputs: Vec<FixedBitSet>,
    /// Mutants known to be equivalent.
    pub equivalent: u64,
    /// Mutants that compile to the code of another.
    pub duplicates: u64,
}

/// Runs all mutants of a function, and of what it calls of the same source, against the groups of some source inputs (a column a parameter) and the relations that were executed on them.
///
/// # Errors
/// When mutants cannot be made, or the host fails.
pub fn group_kills(
    workbench: &Arc<Workbench>,
    function: usize,
    executed: &Executed,
    columns: &[Column],
    (seed, jobs): (Seed, NonZeroUsize),
    interrupted: &Interruption,
) -> Result<GroupKills, LabError> {
    let options = options(workbench, function, executed, seed, jobs);
    let rows = columns.first().map_or(1, Column::len);
    let mut analysis = Analysis {
        workbench: Arc::clone(workbench),
        options: &options,
        suite: Arc::new(suite(workbench, function, executed, columns, seed)?),
        baselines: Arc::new(Vec::new()),
        until: Until::interrupted(interrupted),
        done: MutateProgress::default(),
        progress: &mut |_| {},
    };
    analysis.baseline()?;
    let set = MutantSet::generate(workbench, &options)?;
    let until = analysis.until.clone();
    let compared = set.compare(workbench, set.asked(), &options, &until, &mut Vec::new())?;
    let run = compared.distinct();
    let how = MutantRun {
        run: Arc::new(|tests, version, runner| tests.killers(version, runner)),
        is_alive: FixedBitSet::is_clear,
    };
    let first_input = executed.relations.len() * rows;
    let mut kills = GroupKills {
        mutants: Vec::new(),
        groups: Vec::new(),
        inputs: Vec::new(),
        equivalent: compared.equivalent(),
        duplicates: compared.duplicates(),
    };
    for (mutant, killers) in run.iter().zip(analysis.run(&set, &run, &how)?) {
        let Some(killers) = killers else { continue };
        kills.mutants.push(mutant.id.to_string());
        kills.groups.push(killers.ones().filter(|test| *test < first_input).collect());
        kills.inputs.push(killers.ones().filter_map(|test| test.checked_sub(first_input)).collect());
    }
    Ok(kills)
}

/// All groups of the source inputs, and the source inputs by themselves, numbered as [`GroupKills`] says.
fn suite(
    workbench: &Workbench,
    function: usize,
    executed: &Executed,
    columns: &[Column],
    seed: Seed,
) -> Result<Suite, LabError> {
    let mut suite = Suite::of(&executed.relations);
    let mut reach = Reach::of(workbench);
    let rows = columns.first().map_or(1, Column::len);
    let starts = || (0..rows).step_by(BATCH_ROWS);
    for (place, &relation) in executed.relations.iter().enumerate() {
        let loaded = &workbench.relations[relation];
        let fed = Fed::of(workbench, loaded, function)?;
        let section =
            suite.section(SectionKind::Relation, loaded.relation.name(), reach.of_relation(&loaded.relation));
        for group in 0..loaded.relation.group_count() {
            for start in starts() {
                let count = BATCH_ROWS.min(rows - start);
                suite.push(
                    TestKind::Groups { relation, group },
                    fed.columns(columns, start, count, seed),
                    count,
                    section,
                );
                number_last(&mut suite, place * rows + start);
            }
        }
    }
    let name = &workbench.functions()[function].name;
    let section = suite.section(SectionKind::Inputs, name, Arc::new(runs(workbench, [function])));
    for start in starts() {
        let wanted: Vec<u32> = (start as u32..rows.min(start + BATCH_ROWS) as u32).collect();
        let batch = columns.iter().map(|column| column.select(&wanted)).collect();
        suite.push(TestKind::Inputs { function }, batch, wanted.len(), section);
        number_last(&mut suite, executed.relations.len() * rows + start);
    }
    Ok(suite)
}

/// Numbers the tests of the last batch from here on.
fn number_last(suite: &mut Suite, first: usize) {
    if let Some(batch) = suite.batches.last_mut() {
        batch.first = first;
    }
}

fn options(
    workbench: &Workbench,
    function: usize,
    executed: &Executed,
    seed: Seed,
    jobs: NonZeroUsize,
) -> MutateOptions {
    MutateOptions {
        functions: vec![workbench.functions()[function].name.clone()],
        callees: Callees::WithSource,
        operators: OperatorSet::all(),
        relations: workbench.relation_names(&executed.relations),
        against: Against::Both,
        inputs: 0,
        files: Vec::new(),
        made: Vec::new(),
        seed,
        jobs,
        mode: Mode::Matrix,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}
