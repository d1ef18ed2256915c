//! The executions of a discovery under all input transformations, and the searches that are made of them.

use dodona_generation::constants;
use dodona_inference::discovery::{Pairs, Transformation};
use dodona_records::DiscoveryPairs;
use dodona_target::{Signature, Value, splitmix64};
use dodona_workbench::LabError;

use crate::collect::{Budget, CollectOptions, Collected, MutantSplit, collect, useful};
use crate::sources::SourceInputs;
use crate::target::DiscoveryTarget;
use crate::transformation_search::TransformationSearch;
use crate::tuning::{EXECUTIONS_SHARE, LEAST_EXECUTIONS_SHARE};
use crate::watch::Watch;
use crate::{DiscoverOptions, DiscoverProgress, Stage};

/// The transformations, and the executions under each.
pub(super) struct Executions {
    transformations: Vec<Transformation>,
    collected: Collected,
}

/// The searches over the executions.
pub(super) struct PreparedSearches {
    pub(super) searches: Vec<TransformationSearch>,
    pub(super) mutated: MutantSplit,
    /// How many executions were recorded.
    pub(super) pairs: DiscoveryPairs,
    pub(super) budget: Budget,
    pub(super) warnings: Vec<String>,
}

impl Executions {
    /// No executions.
    pub(super) fn none(budget: Budget) -> Executions {
        let collected = Collected {
            mutated: MutantSplit::default(),
            pairs: Vec::new(),
            budget,
            time_decided: false,
            warnings: Vec::new(),
        };
        Executions { transformations: Vec::new(), collected }
    }

    /// Makes the follow-up inputs, and runs the original and its mutants on all inputs.
    ///
    /// # Errors
    /// When an option names a transformation that there is not, mutants cannot be made or the host fails.
    pub(super) fn collect(
        target: &DiscoveryTarget<'_>,
        options: &DiscoverOptions,
        sources: &SourceInputs,
        budget: &Budget,
        watch: &Watch<'_>,
        progress: &mut dyn FnMut(&DiscoverProgress),
    ) -> Result<Executions, LabError> {
        let constants = constants(target.workbench, target.function);
        let transformations = transformations(target, options, sources, &constants, budget)?;
        let mut told = |done, planned| {
            let stage = DiscoverProgress::of(Stage::Executions, watch.left());
            progress(&DiscoverProgress { done, planned, ..stage });
        };
        let until = watch.until_or_for(EXECUTIONS_SHARE, LEAST_EXECUTIONS_SHARE);
        let how = collect_options(target, options, constants);
        let collected = collect(target, sources, &transformations, &how, &until, &mut told)?;
        if collected.time_decided {
            watch.clock_decided();
        }
        Ok(Executions { transformations, collected })
    }

    /// Makes a search for each transformation.
    ///
    /// # Errors
    /// When a relation between both calls is no valid relation, which would be a bug in Dodona.
    pub(super) fn into_searches(
        self,
        functions: &[Signature],
        function: usize,
        options: &DiscoverOptions,
    ) -> Result<PreparedSearches, LabError> {
        let Executions { transformations, collected } = self;
        let Collected { mutated, pairs: all, budget, mut warnings, .. } = collected;
        let pairs = count(&all);
        let mut searches = Vec::new();
        let mut too_many = 0;
        for (index, (transformation, pairs)) in transformations.into_iter().zip(all).enumerate() {
            if pairs.variables.len() > Pairs::MOST_VARIABLES {
                too_many += 1;
                continue;
            }
            // Without a correct execution, nothing shows which relations hold.
            if pairs.correct > 0 {
                let seed = splitmix64(options.seed.0 ^ splitmix64(index as u64));
                searches.extend(TransformationSearch::new(
                    functions,
                    function,
                    transformation,
                    pairs,
                    options,
                    seed,
                )?);
            }
        }
        warnings.extend(left_out(too_many));
        Ok(PreparedSearches { searches, mutated, pairs, budget, warnings })
    }
}

/// The transformations to search under, the most useful first.
fn transformations(
    target: &DiscoveryTarget<'_>,
    options: &DiscoverOptions,
    sources: &SourceInputs,
    constants: &[(Value, u64)],
    budget: &Budget,
) -> Result<Vec<Transformation>, LabError> {
    let (workbench, function) = (target.workbench, target.function);
    let (most, seed) = (options.transformations, options.seed.0);
    let useful = useful(workbench, function, sources, constants, most, seed)?;
    let mut named = named(useful, &options.only)?;
    named.truncate(budget.transformations());
    Ok(named)
}

/// The transformations with these names; all if no name is given.
fn named(all: Vec<Transformation>, names: &[String]) -> Result<Vec<Transformation>, LabError> {
    if let Some(name) = names.iter().find(|name| !all.iter().any(|t| t.name == **name)) {
        let known = all.into_iter().take(8).map(|t| t.name).collect();
        return Err(LabError::UnknownTransformation { name: name.clone(), known });
    }
    Ok(all.into_iter().filter(|t| names.is_empty() || names.contains(&t.name)).collect())
}

fn collect_options(
    target: &DiscoveryTarget<'_>,
    options: &DiscoverOptions,
    constants: Vec<(Value, u64)>,
) -> CollectOptions {
    CollectOptions {
        executions: options.executions,
        hold_out: options.hold_out,
        mutants: options.mutants,
        faults: options.faults,
        analysis: target.mutate_options(options),
        constants,
        seed: options.seed,
        effort: options.effort(),
    }
}

fn count(pairs: &[Pairs]) -> DiscoveryPairs {
    DiscoveryPairs {
        correct: pairs.iter().map(|p| p.correct as u64).sum(),
        incorrect: pairs.iter().map(|p| p.mutants.len() as u64).sum(),
    }
}

/// The warning that so many transformations are left out, if there are any.
fn left_out(too_many: usize) -> Option<String> {
    let most = Pairs::MOST_VARIABLES;
    (too_many > 0).then(|| {
        format!("{too_many} input transformations are left out: with what they change there are more than {most} variables")
    })
}
