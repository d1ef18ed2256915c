//! The kinds of work, each done for one function or relation.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use dodona_discovery::{DiscoverOptions, discover};
use dodona_generation::{
    Bounds, Detail, GenerateOptions, Instrumented, SearchOptions, StatementScope, Technique, cover,
    coverage_record, generate,
};
use dodona_mutation::mutate::mutate_set;
use dodona_mutation::{Change, Mutant, MutantSet, MutateOptions, MutateOutcome};
use dodona_records::{
    Against, CheckRecord, CoverageRecord, DiscoveryRecord, DiscoveryStop, Judgement, MutantId,
    MutationRecord, StopReason,
};
use dodona_sources::json::{from_json, to_json};
use dodona_target::{CallError, Column, Interruption, Signature, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, LabError, MadeInputs, Regressions, check, inputs};
use serde::{Deserialize, Serialize};

use crate::RunOptions;
use crate::kept::{Made, Piece};

/// Questions of the search along paths, and the paths that it follows to their end. More of them find inputs of rarer paths: of `gcd`, whose remainders are hard questions, 20
/// take a third of a second and run everything, 65 take 16 seconds.
const PATH_QUERIES: u64 = 40;
const PATHS: u64 = 300;

/// The clock of that search. The counts end it long before on most functions.
const PATH_TIME: Duration = Duration::from_secs(5);

/// The counted work on one question, where a unit counts as about a microsecond.
const QUERY_TIME: Duration = Duration::from_millis(20);

/// The most nodes of a term that the search enumerates, and the generations that it evolves. Both end on a usual function within its share of the time; a larger search
/// is what `dodona discover` is for.
const ENUMERATED: usize = 4;
const GENERATIONS: u32 = 4;

/// Inputs that were made for a function.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct MadeRows {
    /// A value for each parameter, for each input.
    rows: Vec<Vec<serde_json::Value>>,
    /// What is to be known of how they were made.
    pub(crate) warnings: Vec<String>,
    /// Inputs whose run was not as predicted: a mistake of ours.
    pub(crate) contradictions: Vec<String>,
}

impl Piece for MadeRows {}

impl MadeRows {
    /// One column for each parameter.
    fn columns(&self, function: &Signature) -> Vec<Column> {
        let mut columns: Vec<Column> = function.parameters.iter().map(|p| Column::empty(p.ty)).collect();
        for row in &self.rows {
            let values = function.parameters.iter().zip(row).map(|(p, json)| from_json(p.ty, json).ok());
            // A row that does not fit was kept of other parameters, which have another key.
            let Some(values) = values.collect::<Option<Vec<_>>>() else { continue };
            columns.iter_mut().zip(&values).for_each(|(column, value)| column.push(value));
        }
        columns
    }

    /// The same as inputs of a function of a workbench, by its index.
    pub(crate) fn inputs(&self, workbench: &Workbench, function: usize) -> MadeInputs {
        let columns = self.columns(&workbench.functions()[function]);
        MadeInputs { function, technique: Technique::Path.name().to_owned(), columns }
    }
}

/// What all steps of a subject are given.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    pub(crate) options: &'a RunOptions,
    pub(crate) interrupted: &'a Interruption,
}

/// Inputs along the paths of a function.
pub(crate) fn made(workbench: &Workbench, function: usize, how: How<'_>) -> Result<Made<MadeRows>, LabError> {
    let bounds = Bounds { queries: PATH_QUERIES, paths: PATHS, ..Bounds::default() };
    let search = SearchOptions {
        bounds,
        time: Some(PATH_TIME),
        query_time: Some(QUERY_TIME),
        ..SearchOptions::default()
    };
    let options = GenerateOptions { seed: how.options.seed, search, ..GenerateOptions::default() };
    let generated = generate(workbench, function, &options, how.interrupted)?;
    let rows = generated.columns.first().map_or(0, Column::len);
    let row = |row: usize| generated.columns.iter().map(|column| to_json(&column.value(row))).collect();
    let result = MadeRows {
        rows: (0..rows).map(row).collect(),
        warnings: generated.record.remarks().iter().map(ToString::to_string).collect(),
        contradictions: generated.record.contradictions(),
    };
    Ok(Made { result, is_whole: !how.interrupted.is_raised() })
}

/// Relations of a function, with as much work as a usual machine does in a share of the time; the clock ends it after the second time.
pub(crate) fn discovered(
    workbench: &Arc<Workbench>,
    function: usize,
    [share, clock]: [Duration; 2],
    how: How<'_>,
) -> Result<Made<DiscoveryRecord>, LabError> {
    let usual = DiscoverOptions::default();
    let mut settings = usual.settings.clone();
    settings.enumerate_size = ENUMERATED;
    let options = DiscoverOptions {
        seed: how.options.seed,
        work: Some(share),
        time: Some(clock),
        settings,
        generations: GENERATIONS,
        prove: None,
        jobs: how.options.jobs,
        ..usual
    };
    let result = discover(workbench, function, &options, how.interrupted, &mut |_| {})?;
    let is_whole = !matches!(result.stop, DiscoveryStop::Interrupted { .. }) && !how.interrupted.is_raised();
    Ok(Made { result, is_whole })
}

/// The check of one relation, by its name.
pub(crate) fn checked(
    workbench: &Arc<dodona_workbench::Workbench>,
    relation: &str,
    (made, regressions): (Vec<MadeInputs>, Regressions),
    how: How<'_>,
) -> Result<Made<CheckRecord>, LabError> {
    let options = CheckOptions {
        sources: how.options.inputs,
        made,
        relations: vec![relation.to_owned()],
        seed: how.options.seed,
        jobs: how.options.jobs,
        regressions,
        ..CheckOptions::default()
    };
    let result = match check(Arc::clone(workbench), &options, how.interrupted, &mut |_| {}) {
        Ok(record) => record,
        // What was found before the target failed counts, and is not kept.
        Err(LabError::CutShort(record)) => return Ok(Made { result: *record, is_whole: false }),
        Err(error) => return Err(error),
    };
    let is_whole = matches!(result.stop, StopReason::SourcesRun { .. });
    Ok(Made { result, is_whole })
}

/// Which of so many mutants are run, by their places, in slices of which each is a piece of work. Where there are more than are asked for, they are spread evenly over the code.
pub(crate) fn slices(all: usize, most: usize) -> Vec<Vec<u32>> {
    let chosen: Vec<u32> = match all <= most {
        true => (0..all as u32).collect(),
        false => (0..most).map(|place| (place * all / most) as u32).collect(),
    };
    chosen.chunks(MUTANTS_AT_ONCE).map(<[u32]>::to_vec).collect()
}

/// How many mutants are a piece of work: about half a second for most functions, so that no more is lost when a run is killed. Each piece runs the original once more, which
/// takes some tens of milliseconds, and looks for duplicates among its own mutants alone. They are neighbours in the code, where most duplicates are.
const MUTANTS_AT_ONCE: usize = 200;

/// The mutants of a subject.
pub(crate) struct MutantsOf<'w> {
    workbench: &'w Arc<Workbench>,
    options: MutateOptions,
    set: MutantSet<'w>,
}

impl<'w> MutantsOf<'w> {
    /// Generates them.
    pub(crate) fn new(workbench: &'w Arc<Workbench>, how: How<'_>) -> Result<MutantsOf<'w>, LabError> {
        let options = MutateOptions {
            inputs: how.options.inputs,
            seed: how.options.seed,
            jobs: how.options.jobs,
            ..MutateOptions::default()
        };
        let set = MutantSet::generate(workbench, &options)?;
        Ok(MutantsOf { workbench, options, set })
    }

    /// Those of the code that one function under test can run, in the order of the code. Their numbers count all code of the module, and move when other code is edited; their
    /// places in this list do not.
    pub(crate) fn of(&self, function: usize) -> Vec<&Mutant> {
        self.set.asked_of(self.workbench, function, &self.options)
    }

    /// What tells a mutant of a function's code from all others, whatever other code there is.
    pub(crate) fn identity(&self, mutant: &Mutant, code: &BTreeSet<u32>) -> String {
        let functions = &self.set.all().functions;
        let place = |change: &Change| code.range(..functions[change.function].function).count();
        let change = |change: &Change| format!("{} {:?}", place(change), change.candidate);
        let changes: Vec<String> = mutant.changes.iter().map(change).collect();
        format!("{:?} {}", mutant.operator, changes.join(" "))
    }

    /// Some mutants of a function's code, by their places, against these relations and inputs. Relations that do not hold on the original are left out. In the record the mutants are
    /// numbered by their places, from 1.
    pub(crate) fn run(
        &self,
        (function, wanted): (usize, &[u32]),
        mut relations: Vec<String>,
        made: Vec<MadeInputs>,
        how: How<'_>,
    ) -> Result<Made<MutationRecord>, LabError> {
        let until = Until::interrupted(how.interrupted);
        let all = self.of(function);
        let wanted: Vec<&Mutant> =
            wanted.iter().filter_map(|&place| all.get(place as usize).copied()).collect();
        loop {
            let options = MutateOptions {
                functions: vec![self.workbench.functions()[function].name.clone()],
                against: if relations.is_empty() { Against::Inputs } else { Against::Both },
                relations: relations.clone(),
                made: made.clone(),
                ..self.options.clone()
            };
            let compare = |warnings: &mut Vec<String>| {
                self.set.compare(self.workbench, wanted.clone(), &options, &until, warnings)
            };
            match mutate_set(self.workbench, &self.set, compare, &options, &until, &mut |_| {})? {
                MutateOutcome::Analysed(analysed) => {
                    let is_judged = matches!(analysed.record.stop, StopReason::MutantsJudged { .. });
                    // An interruption may have ended the comparison with the original alone.
                    let is_whole = is_judged && !how.interrupted.is_raised();
                    let places =
                        all.iter().zip(1..).map(|(mutant, place)| (mutant.id, MutantId(place))).collect();
                    return Ok(Made { result: numbered(analysed.record, &places), is_whole });
                }
                MutateOutcome::BaselineViolated(found) => {
                    let before = relations.len();
                    let is_violated = |name: &String| {
                        found.relations.iter().any(|r| r.name == *name && r.tally.violated > 0)
                    };
                    relations.retain(|name| !is_violated(name));
                    if relations.len() == before {
                        // It was interrupted before it was known which one is violated.
                        return Err(LabError::Call(CallError::Stopped));
                    }
                }
            }
        }
    }
}

/// The record with other numbers of mutants.
fn numbered(mut record: MutationRecord, numbers: &HashMap<MutantId, MutantId>) -> MutationRecord {
    let number = |id: MutantId| numbers.get(&id).copied().unwrap_or(id);
    for mutant in &mut record.mutants {
        mutant.id = number(mutant.id);
        mutant.killed_with = mutant.killed_with.map(number);
        if let Judgement::Duplicate { of } = &mut mutant.judgement {
            *of = number(*of);
        }
    }
    for relation in &mut record.relations {
        relation.sole.iter_mut().for_each(|id| *id = number(*id));
    }
    record
}

/// What inputs run of a function.
pub(crate) fn covered(
    workbench: &Workbench,
    function: usize,
    made: &MadeRows,
    how: How<'_>,
) -> Result<Made<CoverageRecord>, LabError> {
    let seed = how.options.seed;
    let mut batches = inputs(workbench, function, &[], how.options.inputs, seed, &mut Vec::new())?;
    let columns = made.columns(&workbench.functions()[function]);
    if columns.first().is_some_and(|column| !column.is_empty()) {
        batches.push(columns);
    }
    let instrumented = Arc::new(Instrumented::new(workbench, function, StatementScope::AtHand)?);
    let jobs = how.options.jobs;
    let coverage = cover(&instrumented, batches, Detail::Totals, jobs, how.interrupted, &mut |_| {})?;
    let result = coverage_record(workbench, &instrumented, &coverage, seed);
    let is_whole = matches!(result.stop, StopReason::SourcesRun { .. });
    Ok(Made { result, is_whole })
}
