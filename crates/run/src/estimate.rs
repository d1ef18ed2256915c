//! What the work on a subject will cost, before any of it is done. Only counts go into it, so that every shard comes to the same figures on whatever machine.

use std::sync::Arc;
use std::time::Duration;

use dodona_subject::Manifest;
use dodona_target::{Caller as _, Interruption};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, LoadedRelation, called, inputs};

use crate::division::{FunctionCost, SubjectCost};
use crate::outside::LAWS_SHARE;
use crate::steps::{How, MutantsOf, slices};
use crate::subject::search_share;
use crate::{RunOptions, Step};

// Seconds of one processor. They were fitted by eye to the pieces of a run of ten shipped subjects (`benches/shards.rs` prints both side by side). Only their ratios matter: they choose who does
// what, and no result depends on them. Single functions are off by up to a factor of three, where the search along paths meets its clock, which no count tells before; what several
// functions take together is off by less.
/// To compile a subject, and per mutant to make and describe it.
const OPEN: f64 = 0.1;
const OPEN_MUTANT: f64 = 0.0002;
/// Inputs along the paths of a function, and its coverage: from 0.1 to 5, where the clock ends the search.
const FUNCTION: f64 = 1.0;
/// The check of a relation, beside its calls, and its proof.
const RELATION: f64 = 0.005;
const PROOF: f64 = 0.75;
/// A second of counted work of a search.
const SEARCH: f64 = 1.0;
/// Relations that a search finds, each of which is checked and put to proof.
const FOUND: f64 = 4.0;
/// The composition of the relations of a function that has two or more, and the same per unit of fuel of a call.
const COMPOSE: f64 = 2.0;
const COMPOSE_FUEL: f64 = 0.0006;
/// A mutant, beside its calls, and a piece of them.
const MUTANT: f64 = 0.0015;
const SLICE: f64 = 0.05;
/// A unit of fuel.
const FUEL: f64 = 1e-9;
/// How many calls of the function a relation makes for each input of a mutant: many mutants are killed by the first ones.
const CALLS_OF_RELATION: f64 = 0.5;
/// A call of a function that is no module's, in a process.
const OUTSIDE_CALL: f64 = 0.001;

/// So many calls tell what a call of a function costs.
const CALLS: u64 = 64;

/// What a subject is estimated by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectCounts {
    /// Of each function under test.
    pub functions: Vec<FunctionCounts>,
    /// Mutants of the whole module.
    pub mutants: usize,
    /// Accepted relations.
    pub relations: usize,
}

/// What the work on a function is estimated by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FunctionCounts {
    /// Mutants that are run.
    pub mutants: usize,
    /// Into how many pieces these are divided.
    pub slices: usize,
    /// Accepted relations that call it.
    pub relations: usize,
    /// Units of fuel of a call, on average.
    pub fuel: f64,
    /// The counted work of the search for relations of it, where there is one.
    pub search: Duration,
    /// Random inputs.
    pub inputs: u64,
}

impl SubjectCounts {
    /// Counts what there is to do. The function is called with a few inputs.
    ///
    /// # Errors
    /// When its mutants cannot be made, or the calls fail.
    pub fn of(workbench: &Arc<Workbench>, options: &RunOptions) -> Result<SubjectCounts, LabError> {
        let interrupted = Interruption::default();
        let all = MutantsOf::new(workbench, How { options, interrupted: &interrupted })?;
        let has_relation = |function: usize| {
            workbench
                .relations
                .iter()
                .filter(|one| called(&one.relation).any(|called| called == function))
                .count()
        };
        let functions = workbench.functions().len();
        let share = search_share(options, functions);
        let count = |function: usize| -> Result<FunctionCounts, LabError> {
            let relations = has_relation(function);
            let slices = slices(all.of(function).len(), options.mutants);
            Ok(FunctionCounts {
                mutants: slices.iter().map(Vec::len).sum(),
                slices: slices.len(),
                relations,
                fuel: fuel(workbench, function, options)?,
                search: if relations == 0 { share } else { Duration::ZERO },
                inputs: options.inputs,
            })
        };
        let functions = (0..functions).map(count).collect::<Result<Vec<_>, _>>()?;
        Ok(SubjectCounts { functions, mutants: all.len(), relations: workbench.relations.len() })
    }

    /// What that costs.
    pub fn cost(&self) -> SubjectCost {
        SubjectCost {
            open: OPEN + OPEN_MUTANT * self.mutants as f64,
            functions: self.functions.iter().map(FunctionCounts::cost).collect(),
            proofs: vec![PROOF; self.relations],
        }
    }
}

impl SubjectCost {
    /// Of a subject that is no module. It is one unit of work, for nothing of it is kept between runs. What its calls cost is not known before it is started, so that this is a guess.
    pub fn outside(manifest: &Manifest, options: &RunOptions) -> SubjectCost {
        let search =
            if manifest.relations.is_empty() { options.time.mul_f64(LAWS_SHARE).as_secs_f64() } else { 0.0 };
        let calls = OUTSIDE_CALL * options.inputs as f64 * manifest.functions.len() as f64;
        let all = FunctionCost { before_mutants: calls + search, ..FunctionCost::default() };
        SubjectCost { functions: vec![all], ..SubjectCost::default() }
    }
}

impl SubjectCost {
    /// The same with what pieces of an earlier run took, where that is known: `took` tells it of a kind of work and the function or relation that it is about. What is not known stays as it was estimated,
    /// the proofs of relations that a search finds among it.
    #[must_use]
    pub fn as_recorded(
        mut self,
        workbench: &Workbench,
        took: &dyn Fn(&str, &str) -> Option<f64>,
    ) -> SubjectCost {
        let took = |step: Step, about: &str| took(step.name(), about);
        let before =
            [Step::Inputs, Step::Cover, Step::Discover, Step::Identify, Step::Compose, Step::Adequacy];
        for (function, signature) in workbench.functions().iter().enumerate() {
            let own: Vec<f64> = before.iter().filter_map(|step| took(*step, &signature.name)).collect();
            let calls = |one: &&LoadedRelation| called(&one.relation).any(|called| called == function);
            let checks = workbench.relations.iter().filter(calls);
            let checks = checks.filter_map(|one| took(Step::Check, one.relation.name()));
            let cost = &mut self.functions[function];
            if !own.is_empty() {
                cost.before_mutants = own.into_iter().chain(checks).sum();
            }
            cost.mutants = took(Step::Mutate, &signature.name).unwrap_or(cost.mutants);
        }
        for (proof, relation) in self.proofs.iter_mut().zip(workbench.relations.iter()) {
            *proof = took(Step::Prove, relation.relation.name()).unwrap_or(*proof);
        }
        self
    }
}

/// Units of fuel of a call with random inputs. Where none can be drawn, the work on the function ends at once.
fn fuel(workbench: &Workbench, function: usize, options: &RunOptions) -> Result<f64, LabError> {
    let any = workbench.any();
    let Ok(batches) = inputs(&any, function, &[], CALLS.min(options.inputs), options.seed, &mut Vec::new())
    else {
        return Ok(0.0);
    };
    let mut caller = any.caller();
    let (mut calls, mut fuel) = (0, 0.0);
    for batch in batches {
        caller.call(function, &batch).map_err(LabError::Call)?;
        calls += caller.costs().len();
        fuel += caller.costs().iter().map(|cost| *cost as f64).sum::<f64>();
    }
    Ok(fuel / calls.max(1) as f64)
}

impl FunctionCounts {
    fn cost(&self) -> FunctionCost {
        let calls = self.inputs as f64 * self.fuel * FUEL;
        let compose = if self.relations > 1 { COMPOSE + COMPOSE_FUEL * self.fuel } else { 0.0 };
        let is_searched = self.relations == 0;
        let relations = if is_searched { FOUND } else { self.relations as f64 };
        let found = if is_searched { SEARCH * self.search.as_secs_f64() + FOUND * PROOF } else { compose };
        let mutant = MUTANT + calls * (1.0 + CALLS_OF_RELATION * relations);
        FunctionCost {
            before_mutants: FUNCTION + found + relations * (RELATION + 2.0 * calls),
            mutants: self.slices as f64 * SLICE + self.mutants as f64 * mutant,
            slices: self.slices,
        }
    }
}
