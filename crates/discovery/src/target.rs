//! The target of a discovery: a function under test with its mutants.

use std::sync::Arc;

use dodona_generation::{Bounds, SearchOptions, comparison_borders, constants};
use dodona_mutation::{MutantSet, MutateOptions, OperatorSet};
use dodona_records::{Against, Mode};
use dodona_target::{Until, Value};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use crate::DiscoverOptions;
use crate::tuning::{KEPT_INSTRUCTIONS, PATH_QUERIES, PATHS, QUERY_TIME};

/// A function under test, and its mutants, which are generated once and run again and again: to record executions, to measure what
/// relations kill, and for the evidence.
pub(crate) struct DiscoveryTarget<'w> {
    pub(crate) workbench: &'w Arc<Workbench>,
    /// The function, by its index.
    pub(crate) function: usize,
    pub(crate) mutants: MutantSet<'w>,
    /// The numbers in the code that patterns are about, with the number of their occurrences, and those that its comparisons have in disguise.
    pub(crate) constants: Vec<(Value, u64)>,
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
        until: &Until,
    ) -> Result<DiscoveryTarget<'w>, LabError> {
        let mutants = MutantSet::generate(workbench, &mutate_options(workbench, function, options))?
            .keeping_compiled(KEPT_INSTRUCTIONS);
        let constants = numbers(workbench, function, options, until);
        Ok(DiscoveryTarget { workbench, function, mutants, constants })
    }

    /// How the mutants of this function are run, without any test.
    pub(crate) fn mutate_options(&self, options: &DiscoverOptions) -> MutateOptions {
        mutate_options(self.workbench, self.function, options)
    }
}

/// The numbers in the code of a function, then those at the borders of its comparisons that the code does not have as they are: a compiler
/// writes `100 <= x and x < 150` with -100 and 50. Only patterns use them.
fn numbers(
    workbench: &Workbench,
    function: usize,
    options: &DiscoverOptions,
    until: &Until,
) -> Vec<(Value, u64)> {
    let mut numbers = constants(workbench, function);
    if options.forms.patterns {
        let found = comparison_borders(workbench, function, &search(options), until).numbers;
        let is_near = |known: &Value, number: &Value| match (known, number) {
            // One of two neighbours at a border is enough.
            (Value::Int(known), Value::Int(number)) => known.abs_diff(*number) <= 1,
            (known, number) => known == number,
        };
        for number in found {
            if numbers.iter().all(|(known, _)| !is_near(known, &number)) {
                numbers.push((number, 1));
            }
        }
    }
    numbers
}

/// The search for the borders of comparisons takes as much as the search for inputs along paths.
fn search(options: &DiscoverOptions) -> SearchOptions {
    let queries = (PATH_QUERIES as f64 * options.effort()) as u64;
    SearchOptions {
        bounds: Bounds { queries, paths: PATHS, ..Bounds::default() },
        time: None,
        query_time: Some(QUERY_TIME),
        solver: options.prove.as_ref().and_then(|search| search.solver.clone()),
        ..SearchOptions::default()
    }
}

fn mutate_options(workbench: &Workbench, function: usize, options: &DiscoverOptions) -> MutateOptions {
    MutateOptions {
        functions: vec![workbench.functions()[function].name.clone()],
        callees: options.callees.clone(),
        operators: if options.mutants == 0 { OperatorSet::none() } else { options.operators.clone() },
        against: Against::Inputs,
        inputs: 0,
        seed: options.seed,
        jobs: options.jobs,
        mode: Mode::Matrix,
        versions: options.versions.clone(),
        ..MutateOptions::default()
    }
}
