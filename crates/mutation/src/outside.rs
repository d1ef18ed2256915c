//! Mutation analysis of functions outside of WebAssembly: other versions of their code, which a person wrote or a tool made, are opened one by one in the place of the original.
//!
//! # Decisions
//! - **A version is run through all inputs and all relations**, in a process of its own. It is not known which of its code a test infects, so nothing is left out.
//! - **What a tool made is a mutant and is scored; what a person wrote is a faulty version beside them**, as it is for modules.
//! - **A version that does not load is not run**: it is no fault that a test could miss. It is counted, and a warning says why.

mod judge;
mod judged_record;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dodona_records::{Against, RelationVerdict};
use dodona_target::{Calls, Column, Target, Until};
use dodona_workbench::pool::{self, Ended};
use dodona_workbench::{CheckOptions, LabError, Workbench, Worker, check::check_until, inputs};

use crate::{MutateOptions, MutateOutcome, MutateProgress, MutateStage, Mutation, suite};
use judge::{Judged, judged};
use judged_record::record;

/// A call of a version may take so many times as long as all inputs of the original's suite, and not less than [`LEAST_TIME`]: what takes longer is an endless loop, or as good as one.
const TIMES_THE_ORIGINAL: u32 = 10;

/// The least time for a call of a version. A busy machine stops a process for some tenths of a second.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// Opens a version whose calls may take so long.
pub type OpenVersion = Arc<dyn Fn(Duration) -> Result<Arc<dyn Target>, LabError> + Send + Sync>;

/// Another version of what is under test. It is opened when its turn comes.
#[derive(Clone)]
pub struct OutsideVersion {
    /// A name that no other version has.
    pub name: String,
    /// Its folder.
    pub path: String,
    /// What was changed, if a tool made it.
    pub change: Option<ToolChange>,
    /// Whether it is the same program as the original, or as another version.
    pub same_as: Option<SameProgram>,
    /// Opens it. It has the functions of the subject in their order.
    pub open: OpenVersion,
}

/// The program that a version is the same as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameProgram {
    /// The original.
    Original,
    /// The version at this place.
    Version(usize),
}

/// What a mutation tool changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolChange {
    /// The tool's name for the kind of change.
    pub operator: String,
    /// The source file, from the manifest's folder where it lies there.
    pub file: String,
    /// The function of the source.
    pub function: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The lines that are changed.
    pub before: String,
    /// What they are changed to.
    pub after: String,
}

impl std::fmt::Debug for OutsideVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutsideVersion").field("name", &self.name).field("path", &self.path).finish()
    }
}

/// What versions are run against.
struct Tests {
    workbench: Arc<Workbench>,
    /// The functions that the suite calls, by their indices.
    functions: Vec<usize>,
    /// The suite: inputs of functions, each with what the original did.
    inputs: Vec<InputBatch>,
    /// The relations, by their indices; empty where inputs alone are run.
    relations: Vec<usize>,
    /// Which tests are run.
    against: Against,
    options: MutateOptions,
    /// How long a call may take.
    time: Duration,
}

/// Inputs of a function, a column a parameter, and what the original did.
struct InputBatch {
    function: usize,
    columns: Vec<Column>,
    calls: Calls,
}

/// Runs versions of functions outside of WebAssembly against relations, a suite of inputs, or both, as [`mutate`](crate::mutate()) does for mutants of modules. Operators, pruning and
/// matrices are of modules alone, and are not looked at.
///
/// # Errors
/// When a function or relation is not there, inputs cannot be read or drawn, or the original fails.
pub fn mutate_outside(
    workbench: &Arc<Workbench>,
    versions: &[OutsideVersion],
    options: &MutateOptions,
    until: &Until,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<MutateOutcome, LabError> {
    let mut warnings = Vec::new();
    let relations = match options.against {
        Against::Inputs => Vec::new(),
        Against::Both if workbench.relations.is_empty() && options.relations.is_empty() => Vec::new(),
        Against::Relations | Against::Both => workbench.select(&options.relations)?,
    };
    let mut held = Vec::new();
    if !relations.is_empty() {
        let wanted =
            CheckOptions { relations: workbench.relation_names(&relations), ..suite::check_options(options) };
        let check = check_until(Arc::clone(workbench), &wanted, until, &mut |_| {})?;
        if check.relations.iter().any(|relation| relation.verdict() == RelationVerdict::Violated) {
            return Ok(MutateOutcome::BaselineViolated(Box::new(check)));
        }
        held = check.relations;
    }
    let tests = Arc::new(Tests::new(workbench, relations, options, until, &mut warnings)?);
    let results = run(&tests, versions, options.jobs, until, progress)?;
    let record = record(&tests, versions, &results, &held, warnings);
    Ok(MutateOutcome::Analysed(Box::new(Mutation { record, matrix: None })))
}

impl Tests {
    /// Draws the inputs of the suite, and runs the original on them.
    fn new(
        workbench: &Arc<Workbench>,
        relations: Vec<usize>,
        options: &MutateOptions,
        until: &Until,
        warnings: &mut Vec<String>,
    ) -> Result<Tests, LabError> {
        let functions = match options.functions.is_empty() {
            true => (0..workbench.functions().len()).collect(),
            false => options
                .functions
                .iter()
                .map(|name| workbench.function(name))
                .collect::<Result<Vec<_>, _>>()?,
        };
        let against = match (options.against, relations.is_empty()) {
            (Against::Both, true) => Against::Inputs,
            (asked, _) => asked,
        };
        let mut session = workbench.target.open();
        session.end_at(until);
        let (mut batches, begun) = (Vec::new(), Instant::now());
        let is_suite_run = against != Against::Relations;
        for &function in functions.iter().filter(|_| is_suite_run) {
            let drawn = inputs(workbench, function, &options.files, options.inputs, options.seed, warnings)?;
            let made = options.made.iter().filter(|made| made.function == function);
            for columns in made.map(|made| made.columns.clone()).chain(drawn) {
                let calls = session.call(function, &columns)?;
                batches.push(InputBatch { function, columns, calls });
            }
        }
        let time = (begun.elapsed() * TIMES_THE_ORIGINAL).max(LEAST_TIME);
        Ok(Tests {
            workbench: Arc::clone(workbench),
            functions,
            inputs: batches,
            relations,
            against,
            options: options.clone(),
            time,
        })
    }
}

/// The results of versions; `None` for those that were not run before the end.
fn run(
    tests: &Arc<Tests>,
    versions: &[OutsideVersion],
    jobs: NonZeroUsize,
    until: &Until,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<Vec<Option<Judged>>, LabError> {
    let chosen: Vec<usize> = (0..versions.len()).filter(|place| versions[*place].same_as.is_none()).collect();
    let (count, planned) = (chosen.len(), chosen.len() as u64);
    let (shared, all, places) = (Arc::clone(tests), versions.to_vec(), chosen.clone());
    let work = move |until: &mut Until, piece: usize| judged(&shared, &all[places[piece]], until);
    let (mut done, mut alive) = (0, 0);
    let mut seen = |one: &Judged| {
        done += 1;
        alive += u64::from(one.is_alive(tests.against));
        progress(MutateProgress { stage: MutateStage::Running, done, planned, alive });
    };
    let ended = pool::run((Worker::Folders, jobs.get(), count), Until::clone, work, until, &mut seen)?;
    let ran = match ended {
        Ended::Done(results) => results.into_iter().map(Some).collect(),
        Ended::Interrupted(results) => results,
    };
    let mut results: Vec<Option<Judged>> = versions.iter().map(|_| None).collect();
    for (place, result) in chosen.into_iter().zip(ran) {
        results[place] = result;
    }
    progress(MutateProgress { stage: MutateStage::Recording, done, planned, alive });
    Ok(results)
}
