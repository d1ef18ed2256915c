//! Mutation analysis from its options to its record: the relations are checked on the original, mutants are generated, compared
//! and run, and what the tests did to them is recorded.

use std::sync::Arc;

use dodona_records::{CheckRecord, Mode, RelationVerdict};
use dodona_target::{Interruption, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, check::check_until};

use crate::analysis::{Analysis, MutantRun};
use crate::baseline::Baseline;
use crate::late::Late;
use crate::result::MutantResult;
use crate::set::{ComparedMutants, MutantSet};
use crate::suite::Suite;
use crate::versions::stand_in_for;
use crate::{MutateOptions, MutateOutcome, MutateProgress, MutateStage, late, record, suite};

const NONE_ELIGIBLE: &str = "no test is eligible, so that nothing would be run: each input is outside the domains, or not what \
    `requires` or the condition of a relation allows";

/// Seeds faults into the functions under test and runs them against relations, a suite of inputs, or both.
/// The result depends on the options and the seed, not on the number of threads.
///
/// # Errors
/// When a function or relation is not there, inputs cannot be read or drawn, or the host fails.
pub fn mutate(
    workbench: &Arc<Workbench>,
    options: &MutateOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<MutateOutcome, LabError> {
    let set = MutantSet::generate(workbench, options)?;
    let until = Until::interrupted(interrupted);
    let (mut analysis, mut warnings) = match begin(workbench, &set, options, &until, progress)? {
        Begun::BaselineViolated(record) => return Ok(MutateOutcome::BaselineViolated(record)),
        Begun::Ready(analysis, warnings) => (*analysis, warnings),
    };
    let versions = analysis.run_versions(&options.versions, &to_kills().run)?;
    let asked = set.asked();
    let mut compare = |mutants| set.compare(workbench, mutants, options, &until, &mut warnings);
    let Late { compared, results, in_vain } = match late::pays(&analysis, &set, &asked) {
        true => late::run(&mut analysis, &set, asked, compare)?,
        false => {
            let compared = compare(asked)?;
            let results = analysis.run_distinct(&set, &compared, &to_kills())?;
            Late { compared, results, in_vain: 0 }
        }
    };
    let Analysis { suite, baselines, progress, done, .. } = analysis;
    progress(MutateProgress { stage: MutateStage::Recording, ..done });
    let kind = record::Kept::Run;
    let found = record::AnalysisResults { set: &set, compared, results, versions, warnings, in_vain, kind };
    record::outcome(workbench, options, &suite, &baselines, found)
}

/// Runs each mutant until it is killed as the options ask for.
pub(crate) fn to_kills() -> MutantRun<MutantResult> {
    MutantRun {
        run: Arc::new(|tests, version, runner| tests.run(version, runner)),
        is_alive: MutantResult::is_alive,
    }
}

/// [`mutate`] with the mutants of a set that was generated before, and with an end in time. `compare` is called once the
/// relations are known to hold on the original. It returns which mutants are run, and may add warnings. The workbench may have
/// other relations than that of the set.
///
/// # Errors
/// As [`mutate`].
pub fn mutate_set<'s>(
    workbench: &Arc<Workbench>,
    set: &'s MutantSet<'_>,
    compare: impl FnOnce(&mut Vec<String>) -> Result<ComparedMutants<'s>, LabError>,
    options: &MutateOptions,
    until: &Until,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<MutateOutcome, LabError> {
    let ran = match run_set(workbench, set, compare, options, until, progress, &to_kills())? {
        SetRun::BaselineViolated(record) => return Ok(MutateOutcome::BaselineViolated(record)),
        SetRun::Done(ran) => ran,
    };
    let Ran { suite, baselines, compared, results, versions, warnings } = *ran;
    let kind = record::Kept::Run;
    let found = record::AnalysisResults { set, compared, results, versions, warnings, in_vain: 0, kind };
    record::outcome(workbench, options, &suite, &baselines, found)
}

/// The result of running the mutants of a set.
pub(crate) enum SetRun<'s, T> {
    /// A relation is violated on the original.
    BaselineViolated(Box<CheckRecord>),
    /// They were run.
    Done(Box<Ran<'s, T>>),
}

/// The results of running the mutants of a set.
pub(crate) struct Ran<'s, T> {
    /// The tests.
    pub suite: Arc<Suite>,
    /// What the original did in each batch.
    pub baselines: Arc<Vec<Baseline>>,
    /// The mutants, with what their optimised code shows.
    pub compared: ComparedMutants<'s>,
    /// The results of the distinct mutants; `None` for mutants that were not run before an interruption.
    pub results: Vec<Option<T>>,
    /// The results of the faulty versions, likewise.
    pub versions: Vec<Option<T>>,
    /// What went wrong beside the results.
    pub warnings: Vec<String>,
}

/// Runs the original, the observing version, and then the distinct mutants of a set, each in the given way.
pub(crate) fn run_set<'s, T: Send + 'static>(
    workbench: &Arc<Workbench>,
    set: &'s MutantSet<'_>,
    compare: impl FnOnce(&mut Vec<String>) -> Result<ComparedMutants<'s>, LabError>,
    options: &MutateOptions,
    until: &Until,
    progress: &mut dyn FnMut(MutateProgress),
    how: &MutantRun<T>,
) -> Result<SetRun<'s, T>, LabError> {
    let (mut analysis, mut warnings) = match begin(workbench, set, options, until, progress)? {
        Begun::BaselineViolated(record) => return Ok(SetRun::BaselineViolated(record)),
        Begun::Ready(analysis, warnings) => (*analysis, warnings),
    };
    let versions = analysis.run_versions(&options.versions, &how.run)?;
    let compared = compare(&mut warnings)?;
    let results = analysis.run_distinct(set, &compared, how)?;
    let Analysis { suite, baselines, .. } = analysis;
    Ok(SetRun::Done(Box::new(Ran { suite, baselines, compared, results, versions, warnings })))
}

/// An analysis before the first mutant is run.
pub(crate) enum Begun<'a> {
    /// A relation is violated on the original.
    BaselineViolated(Box<CheckRecord>),
    /// The original was run. With warnings.
    Ready(Box<Analysis<'a>>, Vec<String>),
}

/// Checks that the relations hold on the original, makes the tests, and runs the original on them.
pub(crate) fn begin<'a>(
    workbench: &Arc<Workbench>,
    set: &MutantSet<'_>,
    options: &'a MutateOptions,
    until: &Until,
    progress: &'a mut dyn FnMut(MutateProgress),
) -> Result<Begun<'a>, LabError> {
    let mut warnings = Vec::new();
    let relations = set.selection.relations(workbench, options, &mut warnings)?;
    // A part of the functions that the mutants are of may be asked for.
    let functions = match options.functions.is_empty() {
        true => set.functions().to_vec(),
        false => crate::select::functions(workbench, &options.functions)?,
    };
    let calls = relations.iter().flat_map(|&index| workbench.relations[index].relation.calls());
    let called = calls.map(|call| call.function).chain(functions.iter().copied()).collect();
    stand_in_for(&options.versions, &called)?;
    if !relations.is_empty() {
        let mut wanted = suite::check_options(options);
        wanted.relations = workbench.relation_names(&relations);
        let record = check_until(workbench.clone(), &wanted, until, &mut |_| {})?;
        if record.relations.iter().any(|r| r.verdict() == RelationVerdict::Violated) {
            return Ok(Begun::BaselineViolated(Box::new(record)));
        }
    }
    let mut suite = Suite::new(workbench, options, &functions, &relations, &mut warnings)?;
    if options.mode == Mode::Classes {
        suite.note_repeated();
    }
    let mut analysis = Analysis {
        workbench: Arc::clone(workbench),
        options,
        suite: Arc::new(suite),
        baselines: Arc::new(Vec::new()),
        until: until.clone(),
        done: MutateProgress::default(),
        progress,
    };
    analysis.baseline()?;
    if analysis.calls_nothing() {
        return Err(LabError::Sources(NONE_ELIGIBLE.to_owned()));
    }
    Ok(Begun::Ready(Box::new(analysis), warnings))
}
