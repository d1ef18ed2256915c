//! Executions of source and follow-up test cases, of the original and of its mutants, collected once (section 3 of GenMorph).
//!
//! Every input is run once, even if several transformations use it. A mutant is run only on inputs that infect it.

mod answers;
mod assemble;
mod budget;
mod mutant;
mod plan;
mod probe;
mod useful;

use std::sync::Arc;

use dodona_evidence::MutantId;
use dodona_evolution::discovery::{Pairs, Transformation};
use dodona_mutation::mutate::{Analysis, MutantRun};
use dodona_mutation::{ComparedMutants, Mutant, MutateOptions, MutateProgress};
use dodona_sources::Seed;
use dodona_subject::Value;
use dodona_workbench::{LabError, Until, Workbench};

use super::sources::Sources;
use crate::target::Target;
use answers::Ran;
pub(crate) use budget::Budget;
use mutant::Work;
use plan::Inputs;
pub(crate) use useful::useful;

/// How executions are collected.
#[derive(Clone, Debug)]
pub(crate) struct CollectOptions {
    /// The most correct and the most incorrect executions of a transformation.
    pub(crate) executions: usize,
    /// The share of the mutants that is held out for scoring: at least 0 and less than 1.
    pub(crate) hold_out: f64,
    /// The most mutants that the search sees; all others are held out for scoring too.
    pub(crate) mutants: usize,
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
pub(crate) struct Mutated {
    /// The mutants that the search sees; an index here is an index in [`Pairs::mutants`].
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
    pub(crate) mutated: Mutated,
    /// One for each transformation, in their order.
    pub(crate) pairs: Vec<Pairs>,
    /// How much may still be run.
    pub(crate) budget: Budget,
    pub(crate) warnings: Vec<String>,
}

/// Collects the executions of a function under test, given by its index, on source inputs under transformations.
///
/// The same options and seed give the same executions, whatever the number of threads.
///
/// # Errors
/// When mutants cannot be made or the host fails.
///
/// # Panics
/// When there is no such function.
pub(crate) fn collect(
    target: &Target<'_>,
    sources: &Sources,
    transformations: &[Transformation],
    options: &CollectOptions,
    until: &Until,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Collected, LabError> {
    let Target { workbench, function, mutants } = target;
    let (workbench, function, how) = (*workbench, *function, &options.analysis);
    let asked = mutants.asked();
    let made = asked.len();
    let mut warnings: Vec<String> = mutants.too_large(workbench).into_iter().collect();
    let compared = mutants.compare(workbench, sampled(asked, options), how, until, &mut warnings)?;
    let (mutated, run) = searched(&compared, options);
    let budget = Budget::new(workbench, function, sources, transformations.len(), options.effort);
    let rows = budget.sources(sources.len());
    let inputs = Inputs::new(
        workbench,
        function,
        (&sources.columns, &sources.calls, rows),
        transformations,
        options.seed,
    )?;
    let inputs = Arc::new(inputs);
    let mut of_mutants = |p: MutateProgress| progress(p.done, p.planned);
    let mut analysis = Analysis {
        workbench: Arc::clone(workbench),
        options: how,
        suite: Arc::new(inputs.suite(workbench)),
        baselines: Arc::new(Vec::new()),
        until: until.clone(),
        done: MutateProgress { done: 0, planned: run.len() as u64, alive: 0 },
        progress: &mut of_mutants,
    };
    analysis.baseline()?;
    let wanted = options.executions.div_ceil(run.len().max(1)).saturating_mul(2);
    let work = Work {
        inputs: Arc::clone(&inputs),
        wanted,
        tries: budget.tries(run.len(), wanted),
        source_tries: budget.source_tries(run.len()),
    };
    let is_alive = |ran: &Ran| ran.shown.iter().all(|shown| shown.incorrect.is_empty());
    let how =
        MutantRun { run: Arc::new(move |tests, version, runner| work.run(tests, version, runner)), is_alive };
    let ran = analysis.run(mutants.all(), &run, &how)?;
    let assembly = assemble::Assembly {
        function: &workbench.manifest.functions[function],
        inputs: &inputs,
        baselines: &analysis.baselines,
        ran: &ran,
        executions: options.executions,
        constants: &options.constants,
    };
    let pairs = transformations.iter().enumerate().map(|(i, t)| assembly.pairs(i, t)).collect();
    warnings.extend(without_mutants(workbench, function, &mutated));
    if compared.len() < made {
        warnings.push(format!(
            "{} of {made} mutants are looked at, chosen by the seed: --mutants raises their number",
            compared.len()
        ));
    }
    if rows < sources.len() {
        let all = sources.len();
        warnings.push(format!(
            "{rows} of {all} source inputs are used for follow-ups and mutants, for calls are slow"
        ));
    }
    Ok(Collected { mutated, pairs, budget, warnings })
}

/// How many mutants are considered for each mutant that the search may see: enough for scoring, and few enough to compile quickly.
const LOOKED_AT: usize = 4;

/// How many mutants are considered at least, however few the search may see.
const FEWEST_LOOKED_AT: usize = 1_000;

/// The mutants that are considered, chosen by the seed, in their order.
fn sampled<'a>(chosen: Vec<&'a Mutant>, options: &CollectOptions) -> Vec<&'a Mutant> {
    let most = options.mutants.saturating_mul(LOOKED_AT).max(FEWEST_LOOKED_AT);
    let mut order = shuffled(chosen.len(), options.seed, "mutants looked at");
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|i| chosen[i]).collect()
}

/// The numbers below `count` in a random order.
fn shuffled(count: usize, seed: Seed, of: &str) -> Vec<usize> {
    let ranks = plan::ranks(count, seed, of);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&i| ranks[i]);
    order
}

/// The mutants that the search sees, and those that are held out.
fn searched<'s>(compared: &ComparedMutants<'s>, options: &CollectOptions) -> (Mutated, Vec<&'s Mutant>) {
    let distinct = compared.distinct();
    let held_out = held_out(distinct.len(), options);
    let mut mutated = Mutated {
        equivalent: compared.equivalent(),
        duplicates: compared.duplicates(),
        ..Mutated::default()
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

fn without_mutants(workbench: &Workbench, function: usize, mutated: &Mutated) -> Vec<String> {
    let name = &workbench.manifest.functions[function].name;
    match mutated.searched.is_empty() {
        true => vec![format!(
            "`{name}` has no mutants: relations are found that hold, and not told apart by the faults that they reveal"
        )],
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
