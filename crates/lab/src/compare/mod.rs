//! Comparison of techniques that make source inputs: how many faults their suites detect, and how soon.
//!
//! Equal inputs of all suites are one, so that each is run through each relation and each faulty version once; what a suite
//! detects is then read off.

mod contender;
mod faults;
mod feed;
mod suites;
mod summary;

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_generation::{StatementScope, adequacy::prioritise as order};
use dodona_mutation::{Callees, OperatorSet};
use dodona_records::ComparisonRecord;
use dodona_target::Interruption;

use dodona_generation::{GenerateOptions, Instrumented, Technique, generate_with};
use dodona_wasm::Workbench;
use dodona_workbench::{DistinctInputs, LabError};

pub use contender::Contender;

/// What a comparison does.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// The techniques, each with the order of its inputs if not the usual one; the first is held against each of the others.
    pub techniques: Vec<Contender>,
    /// Suites a technique.
    pub repeats: NonZeroUsize,
    /// How a suite is generated; the technique is put in. Repeat `r`, from 0, has the seed plus `r`. Without a count a suite has as
    /// many inputs as [`Technique::Path`] finds by itself.
    pub generate: GenerateOptions,
    /// How the inputs of techniques that [choose](Technique::chooses) are put in order; those of the others are in a random one, as in
    /// section 4.6.1 of Sun et al. (2021).
    pub by: order::Prioritisation,
    /// The relations, by name; empty means all that call the function.
    pub relations: Vec<String>,
    /// The faulty versions.
    pub versions: Versions,
    /// Threads that generate suites and run faulty versions.
    pub jobs: NonZeroUsize,
}

/// The faulty versions that relations are to detect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Versions {
    /// Mutants of the function that are not proved equivalent or duplicates.
    Mutants {
        /// The operators.
        operators: OperatorSet,
        /// Whether what it calls is mutated too.
        callees: Callees,
    },
    /// The subjects in the folder `faulty` beside the manifest.
    Folders,
}

impl CompareOptions {
    /// How the inputs of a technique are put in order.
    fn order_of(&self, contender: Contender) -> order::Prioritisation {
        let usual = if contender.technique.chooses() { self.by } else { order::Prioritisation::Random };
        contender.by.unwrap_or(usual)
    }

    /// The function, instrumented for all that is asked for.
    fn instrumented(&self, workbench: &Workbench, function: usize) -> Result<Instrumented, LabError> {
        match self.techniques.iter().any(|&contender| self.order_of(contender).needs_order()) {
            true => Instrumented::with_order(workbench, function, StatementScope::AtHand),
            false => Instrumented::new(workbench, function, StatementScope::AtHand),
        }
    }
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareProgress {
    /// What is being done.
    pub step: &'static str,
    /// How many of them are done.
    pub done: u64,
    /// How many there are.
    pub planned: u64,
}

/// Generates suites of inputs of a function, by its index, with several techniques, and says which faults they detect by relations,
/// and how soon. `None` when it was interrupted.
///
/// All but the times in the record depends only on the options and the seed, as long as no search runs out of its time.
///
/// # Errors
/// When a relation is not there or takes no input of the function, nothing can be generated, or the host fails.
///
/// # Panics
/// When there is no such function.
pub fn compare(
    workbench: &Arc<Workbench>,
    function: usize,
    options: &CompareOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(CompareProgress),
) -> Result<Option<ComparisonRecord>, LabError> {
    let (mut warnings, mut contradictions) = (Vec::new(), Vec::new());
    let relations = feed::relations(workbench, function, &options.relations, &mut warnings)?;
    let instrumented = options.instrumented(workbench, function)?;
    let count = match options.generate.count {
        Some(count) => count,
        None => paths(workbench, &instrumented, options, &mut contradictions, interrupted)?,
    };
    let mut pool = DistinctInputs::new(&workbench.functions()[function]);
    let asked =
        suites::Asked { workbench, instrumented: &instrumented, options, relations: &relations, count };
    let told = (&mut warnings, &mut contradictions);
    let suites = suites::generate(&asked, &mut pool, told, interrupted, progress)?;
    let Some(suites) = suites else { return Ok(None) };
    let tests = feed::suite(workbench, function, &relations, &pool, options.generate.seed)?;
    let versions = faults::Asked { workbench, function, relations: &relations, tests, options };
    let found = versions.run(&mut warnings, interrupted, progress)?;
    if interrupted.is_raised() {
        return Ok(None);
    }
    let name = |&index: &usize| workbench.relations[index].relation.name().to_owned();
    let about = summary::About {
        manifest: &workbench.target.manifest,
        function,
        options,
        count,
        different_inputs: pool.len(),
        relations: relations.iter().map(name).collect(),
        warnings,
        contradictions,
    };
    Ok(Some(about.record(suites, found)))
}

/// How many inputs there are when there is one a path.
fn paths(
    workbench: &Workbench,
    instrumented: &Instrumented,
    options: &CompareOptions,
    contradictions: &mut Vec<String>,
    interrupted: &Interruption,
) -> Result<usize, LabError> {
    let alone = GenerateOptions { technique: Technique::Path, ..options.generate.clone() };
    let generated = generate_with(workbench, instrumented, &alone, interrupted)?;
    contradictions.extend(generated.record.contradictions());
    Ok(generated.coverage.len())
}
