//! Executions of source and follow-up test cases, of the original and of its mutants, collected once (section 3 of GenMorph).
//!
//! Every input is run once, even if several transformations use it. A mutant is run only on inputs that infect it.

mod assemble;
mod budget;
mod mutant;
mod mutant_results;
mod plan;
mod useful;

use std::sync::Arc;

use dodona_inference::discovery::{Pairs, Transformation};
use dodona_mutation::analysis::{Analysis, MutantRun};
use dodona_mutation::{
    ComparedMutants, Mutant, MutateOptions, MutateProgress, baseline::Baseline, dominators,
};
use dodona_records::MutantId;
use dodona_relations::FollowUp;
use dodona_sources::Seed;
use dodona_target::{Signature, Until, Value};
use dodona_workbench::LabError;

use crate::mutant_sample::MutantSample;
use crate::options::Faults;
use crate::shuffled::shuffled;
use crate::sources::SourceInputs;
use crate::target::DiscoveryTarget;
use crate::tuning::{COMPARE_PARTS, DOMINATOR_INPUTS, FEWEST_LOOKED_AT, LOOKED_AT, WANTED_SHARES};
pub(crate) use budget::Budget;
use mutant::MutantExecutor;
use mutant_results::MutantResults;
use plan::ExecutionInputs;
pub(crate) use plan::{OriginalCalls, suite_of};
pub(crate) use useful::useful;

/// A transformation of the inputs of a function, given by its index, compiled.
///
/// # Errors
/// When the follow-up call is not a valid call, which would be a bug in Dodona.
pub(crate) fn change(
    functions: &[Signature],
    function: usize,
    transformation: &Transformation,
) -> Result<FollowUp, LabError> {
    let follow_up = transformation.follow_up();
    FollowUp::compile(function, &transformation.source(), &follow_up, functions).map_err(|problems| {
        LabError::Relations {
            path: transformation.name.clone().into(),
            text: follow_up.to_string(),
            problems,
        }
    })
}

/// How executions are collected.
#[derive(Clone, Debug)]
pub(crate) struct CollectOptions {
    /// The most correct and the most incorrect executions of a transformation.
    pub(crate) executions: usize,
    /// The share of the mutants that is held out for scoring: at least 0 and less than 1.
    pub(crate) hold_out: f64,
    /// The most mutants that the search sees; all others are held out for scoring too.
    pub(crate) mutants: usize,
    /// Which mutants there are.
    pub(crate) faults: Faults,
    /// How mutants are run.
    pub(crate) analysis: MutateOptions,
    /// The constants of the code, and how often each occurs, for the pairs.
    pub(crate) constants: Vec<(Value, u64)>,
    pub(crate) seed: Seed,
    /// The work to do, as a multiple of the usual work.
    pub(crate) effort: f64,
}

/// The mutants of a function, without equivalent ones and duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MutantSplit {
    /// The mutants that the search sees; an index here is an index in [`Pairs::mutants`]. Faulty versions come after them there.
    pub(crate) searched: Vec<MutantId>,
    /// The mutants that the search does not see.
    pub(crate) held_out: Vec<MutantId>,
    /// How many mutants were left out because their optimised code equals the original's.
    pub(crate) equivalent: u64,
    /// How many mutants were left out because their optimised code equals that of another mutant.
    pub(crate) duplicates: u64,
}

/// The executions that were collected.
#[derive(Clone, Debug)]
pub(crate) struct Collected {
    pub(crate) mutated: MutantSplit,
    /// One for each transformation, in their order.
    pub(crate) pairs: Vec<Pairs>,
    /// How much may still be run.
    pub(crate) budget: Budget,
    /// Whether a clock ended the work, so that another run may collect other executions.
    pub(crate) time_decided: bool,
    pub(crate) warnings: Vec<String>,
}

/// Collects the executions of a function under test on source inputs under transformations.
///
/// The same options and seed give the same executions, whatever the number of threads.
///
/// # Errors
/// When mutants cannot be made or the host fails.
///
/// # Panics
/// When there is no such function.
pub(crate) fn collect(
    target: &DiscoveryTarget<'_>,
    sources: &SourceInputs,
    transformations: &[Transformation],
    options: &CollectOptions,
    until: &Until,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Collected, LabError> {
    let DiscoveryTarget { workbench, function, mutants, .. } = target;
    let mut warnings: Vec<String> = mutants.too_large(workbench).into_iter().collect();
    let comparing = until.share(COMPARE_PARTS);
    let most = options.mutants.saturating_mul(LOOKED_AT).max(FEWEST_LOOKED_AT);
    let chosen = (most, options.seed, "mutants looked at");
    let inputs = [(*function, sources.columns.clone())];
    let sample = MutantSample::of(mutants, workbench, &inputs, chosen, &comparing)?;
    let not_looked_at = sample.warning("what is found was searched and scored with");
    let compared =
        mutants.compare(workbench, sample.mutants, &options.analysis, &comparing, &mut warnings)?;
    let time_decided = comparing.is_up();
    let compared = match options.faults {
        Faults::All => compared,
        Faults::Dominators => {
            let versions = Vec::new();
            let by = MutateOptions { inputs: DOMINATOR_INPUTS, versions, ..options.analysis.clone() };
            let first = dominators(workbench, mutants, compared.distinct(), &by, until)?;
            compared.only(&first)
        }
    };
    let (mutated, run) = searched(&compared, options);
    let budget = Budget::new(workbench, *function, sources, transformations.len(), options.effort);
    let rows = budget.sources(sources.len());
    let inputs = ExecutionInputs::new(workbench, *function, sources, rows, transformations, options.seed)?;
    let collection = Collection { target, options, budget: &budget, inputs: Arc::new(inputs) };
    let executed = collection.execute(&run, until, progress)?;
    let pairs = collection.pairs(transformations, &executed);
    let name = &workbench.functions()[*function].name;
    warnings.extend(without_faults(name, &mutated, &options.analysis));
    warnings.extend(not_looked_at);
    warnings.extend(not_used(rows, sources.len()));
    Ok(Collected { mutated, pairs, budget, time_decided: time_decided || until.is_up(), warnings })
}

/// The inputs of a collection, and what is run on them.
struct Collection<'c> {
    target: &'c DiscoveryTarget<'c>,
    options: &'c CollectOptions,
    budget: &'c Budget,
    inputs: Arc<ExecutionInputs>,
}

/// What the original and the mutants did.
struct Executed {
    baselines: Arc<Vec<Baseline>>,
    /// One for each mutant, then one for each faulty version; `None` where there was no time to run it.
    ran: Vec<Option<MutantResults>>,
}

impl Collection<'_> {
    /// Runs the original and these mutants on the inputs.
    fn execute(
        &self,
        run: &[&Mutant],
        until: &Until,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Executed, LabError> {
        let workbench = self.target.workbench;
        let mut of_mutants = |p: MutateProgress| progress(p.done, p.planned);
        let mut analysis = Analysis {
            workbench: Arc::clone(workbench),
            options: &self.options.analysis,
            suite: Arc::new(self.inputs.suite(workbench)),
            baselines: Arc::new(Vec::new()),
            until: until.clone(),
            done: MutateProgress { planned: run.len() as u64, ..MutateProgress::default() },
            progress: &mut of_mutants,
        };
        analysis.baseline()?;
        let versions = &self.options.analysis.versions;
        let executor = self.executor(run.len() + versions.len());
        let is_alive =
            |ran: &MutantResults| ran.shown.iter().all(|executions| executions.incorrect.is_empty());
        let how = MutantRun {
            run: Arc::new(move |tests, version, runner| executor.run(tests, version, runner)),
            is_alive,
        };
        // Versions first: they are few, and there may be no time for all mutants.
        let of_versions = analysis.run_versions(versions, &how.run)?;
        let mut ran = analysis.run(&self.target.mutants, run, &how)?;
        ran.extend(of_versions);
        Ok(Executed { baselines: analysis.baselines, ran })
    }

    /// What is done with each of so many mutants and versions.
    fn executor(&self, mutants: usize) -> MutantExecutor {
        let share = self.options.executions.div_ceil(mutants.max(1));
        let wanted = share.saturating_mul(WANTED_SHARES);
        MutantExecutor {
            inputs: Arc::clone(&self.inputs),
            wanted,
            tries: self.budget.tries(mutants, wanted),
            source_tries: self.budget.source_tries(mutants),
        }
    }

    /// The executions under each transformation.
    fn pairs(&self, transformations: &[Transformation], executed: &Executed) -> Vec<Pairs> {
        let assembly = assemble::Assembly {
            function: &self.target.workbench.functions()[self.target.function],
            inputs: &self.inputs,
            baselines: &executed.baselines,
            ran: &executed.ran,
            executions: self.options.executions,
            constants: &self.options.constants,
        };
        transformations.iter().enumerate().map(|(index, t)| assembly.pairs(index, t)).collect()
    }
}

/// The mutants that the search sees, and those that are held out.
fn searched<'s>(compared: &ComparedMutants<'s>, options: &CollectOptions) -> (MutantSplit, Vec<&'s Mutant>) {
    let distinct = compared.distinct();
    let held_out = held_out(distinct.len(), options);
    let mut mutated = MutantSplit {
        equivalent: compared.equivalent(),
        duplicates: compared.duplicates(),
        ..MutantSplit::default()
    };
    let mut run = Vec::new();
    for (mutant, is_held_out) in distinct.into_iter().zip(held_out) {
        match is_held_out {
            true => mutated.held_out.push(mutant.id),
            false => {
                mutated.searched.push(mutant.id);
                run.push(mutant);
            }
        }
    }
    (mutated, run)
}

/// For each mutant whether it is held out. The share that the options ask for is chosen at random, but never all mutants.
fn held_out(count: usize, options: &CollectOptions) -> Vec<bool> {
    let share = (count as f64 * options.hold_out.clamp(0.0, 1.0)).round() as usize;
    let most = share.max(count.saturating_sub(options.mutants));
    let order = shuffled(count, options.seed, "mutants held out");
    let mut held_out = vec![false; count];
    order.iter().take(most.min(count.saturating_sub(1))).for_each(|&i| held_out[i] = true);
    held_out
}

/// The warning that a function has no mutants and no faulty versions, if it has none.
fn without_faults(name: &str, mutated: &MutantSplit, options: &MutateOptions) -> Option<String> {
    (mutated.searched.is_empty() && options.versions.is_empty()).then(|| {
        format!(
            "`{name}` has no mutants: relations are found that hold, and not told apart by the faults that they reveal"
        )
    })
}

/// The warning that not all source inputs are used, if some are not.
fn not_used(rows: usize, all: usize) -> Option<String> {
    (rows < all).then(|| {
        format!("{rows} of {all} source inputs are used for follow-ups and mutants, for calls are slow")
    })
}

#[cfg(test)]
mod tests;
