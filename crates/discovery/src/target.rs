//! The target of a discovery: a function under test with its mutants.

use std::sync::Arc;

use dodona_evidence::{Against, Mode, Pruning};
use dodona_mutation::{KeepMatrix, MutantSet, MutateOptions, MutationBounds};
use dodona_workbench::{LabError, Workbench};

use crate::DiscoverOptions;
use crate::tuning::KEPT_INSTRUCTIONS;

/// A function under test, and its mutants, which are generated once and run again and again: to record executions, to measure what
/// relations kill, and for the evidence.
pub(crate) struct DiscoveryTarget<'w> {
    pub(crate) workbench: &'w Arc<Workbench>,
    /// The function, by its index.
    pub(crate) function: usize,
    pub(crate) mutants: MutantSet<'w>,
}

impl<'w> DiscoveryTarget<'w> {
    /// Generates the mutants of a function.
    ///
    /// # Errors
    /// When `--callees` names what the function does not reach.
    pub(crate) fn new(
        workbench: &'w Arc<Workbench>,
        function: usize,
        options: &DiscoverOptions,
    ) -> Result<DiscoveryTarget<'w>, LabError> {
        let mutants = MutantSet::generate(workbench, &mutate_options(workbench, function, options))?
            .keeping_compiled(KEPT_INSTRUCTIONS);
        Ok(DiscoveryTarget { workbench, function, mutants })
    }

    /// How the mutants of this function are run, without any test.
    pub(crate) fn mutate_options(&self, options: &DiscoverOptions) -> MutateOptions {
        mutate_options(self.workbench, self.function, options)
    }
}

fn mutate_options(workbench: &Workbench, function: usize, options: &DiscoverOptions) -> MutateOptions {
    MutateOptions {
        functions: vec![workbench.manifest.functions[function].name.clone()],
        callees: options.callees.clone(),
        operators: options.operators.clone(),
        relations: Vec::new(),
        against: Against::Inputs,
        inputs: 0,
        files: Vec::new(),
        made: Vec::new(),
        seed: options.seed,
        jobs: options.jobs,
        mode: Mode::Matrix,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
    }
}
