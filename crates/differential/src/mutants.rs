//! The mutants of a subject, each as a module of its own, and what a case asks of mutation analysis.

use std::num::NonZeroUsize;
use std::time::Duration;

use dodona_evidence::{Against, Mode, Pruning};
use dodona_execute::{Executable, Options};
use dodona_generation::{Bounds, SearchOptions};
use dodona_mutants::{Describer, Form, MOST_INSTRUCTIONS, Mutant, Mutants, Plan, Scope, alone};
use dodona_mutation::{Callees, KeepMatrix, MutateOptions, MutationBounds, OperatorSet};
use dodona_sources::Seed;
use dodona_subject::Column;
use dodona_workbench::Workbench;

use crate::Defect;
use crate::choices::Choices;
use crate::seen::Seen;

/// Mutation operators of a case.
const OPERATORS: usize = 4;

/// A few mutation operators: with all of them most of a case is the same compilation again.
fn operators(choices: &mut Choices<'_>) -> OperatorSet {
    let all: Vec<&str> = OperatorSet::all().iter().map(|operator| operator.code()).collect();
    let some: Vec<&str> = (0..OPERATORS).map(|_| choices.one_of(&all)).collect();
    OperatorSet::parse(&some).unwrap_or_else(|_| OperatorSet::all())
}

/// Mutants of a few operators, against so many random inputs.
pub(crate) fn mutate_options(choices: &mut Choices<'_>, inputs: u64) -> MutateOptions {
    MutateOptions {
        functions: vec![],
        callees: Callees::Included,
        operators: operators(choices),
        relations: vec![],
        against: Against::Inputs,
        inputs,
        files: vec![],
        made: vec![],
        seed: Seed(choices.bits()),
        jobs: NonZeroUsize::MIN,
        mode: Mode::StopAtKill,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
    }
}

/// A search that ends soon: a case is to take less than a second.
pub(crate) fn search_options(choices: &mut Choices<'_>) -> SearchOptions {
    SearchOptions {
        longest: 2,
        bounds: Bounds { queries: 8, ..Bounds::default() },
        time: Some(Duration::from_millis(500)),
        query_time: Some(Duration::from_millis(25)),
        solver: crate::solvers::one(choices.below(2)),
        ..SearchOptions::default()
    }
}

/// The mutants of a subject with what makes them.
pub(crate) struct Mutated<'w> {
    workbench: &'w Workbench,
    pub(crate) all: Mutants<'w>,
}

impl<'w> Mutated<'w> {
    /// All mutants, callees included, numbered as mutation analysis numbers them.
    pub(crate) fn of(workbench: &'w Workbench) -> Mutated<'w> {
        let (module, manifest) = (&workbench.module, &workbench.manifest);
        let scope = Scope::of(module, &manifest.functions, &Callees::Included, manifest);
        let mut describer = Describer::new(workbench.debug_info(), manifest.folder());
        Mutated { workbench, all: Mutants::generate(module, &scope, MOST_INSTRUCTIONS, &mut describer) }
    }

    /// Mutants as versions in one module.
    pub(crate) fn plan(&self, mutants: &[&Mutant]) -> Plan {
        Plan::new(&self.workbench.module, &self.all, mutants, Form::default())
    }

    pub(crate) fn name(&self, mutant: &Mutant) -> String {
        let description = &mutant.changes[0].description;
        format!("{} ({} {} -> {})", mutant.id, mutant.operator, description.before, description.after)
    }

    /// What the mutant does as a module of its own, without fuel and places: they are those of other code.
    pub(crate) fn seen_alone(&self, mutant: &Mutant, inputs: &[Column]) -> Result<Seen, Defect> {
        let fails =
            |what: &dyn std::fmt::Display| Defect::new(format!("{} alone: {what}", self.name(mutant)));
        let module = alone(&self.workbench.module, &self.all, mutant).map_err(|error| fails(&error))?;
        let options = Options { limits: self.workbench.manifest.limits, ..Options::default() };
        let functions = &self.workbench.manifest.functions;
        let executable = Executable::load(&module, functions, &options).map_err(|error| fails(&error))?;
        let calls = executable.runner().call(0, inputs).map_err(|error| fails(&error))?;
        let rows = calls.outcomes.len();
        Ok(Seen::of(&calls, &vec![0; rows], vec![None; rows]))
    }

    /// What the original does, in the same form.
    pub(crate) fn seen_original(&self, inputs: &[Column]) -> Result<Seen, Defect> {
        let calls = self.workbench.executable.runner().call(0, inputs);
        let calls = calls.map_err(|error| Defect::new(error.to_string()))?;
        let rows = calls.outcomes.len();
        Ok(Seen::of(&calls, &vec![0; rows], vec![None; rows]))
    }
}
