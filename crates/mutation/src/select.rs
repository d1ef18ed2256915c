//! Selects the functions that are mutated, the mutants that are run, and the relations that could detect them.

use std::collections::BTreeSet;

use dodona_mutants::{Callees, Describer, Mutant, Mutants, OperatorSet, Scope};
use dodona_records::Against;
use dodona_subject::Package;
use dodona_wasm::{Reach, Workbench, runs};
use dodona_workbench::LabError;

use crate::MutateOptions;

/// The functions that an analysis is about.
pub(crate) struct Selection {
    /// The functions under test that are mutated, as indices into the manifest's.
    pub(crate) functions: Vec<usize>,
    /// All functions of the module that could be mutated. Mutants are numbered over all of these.
    pub(crate) scope: Scope,
    /// The functions of the module whose mutants are run.
    mutated: BTreeSet<u32>,
    /// A function with more instructions is left out.
    most_instructions: usize,
}

/// Finds the functions that the options name.
pub(crate) fn select(workbench: &Workbench, options: &MutateOptions) -> Result<Selection, LabError> {
    let functions = functions(workbench, &options.functions)?;
    let (module, declared) = (&workbench.target.module, &workbench.target.manifest.functions);
    let (callees, manifest) = (&options.callees, &workbench.target.manifest);
    if let Callees::Named(names) = callees {
        all_are_reached(workbench, names)?;
    }
    let chosen: Vec<_> = functions.iter().map(|&f| declared[f].clone()).collect();
    let mutated = Scope::of(module, &chosen, callees, manifest).functions.into_iter().collect();
    let scope = Scope::of(module, declared, callees, manifest);
    Ok(Selection { functions, scope, mutated, most_instructions: options.bounds.instructions })
}

/// Refuses the name of a crate or function whose code is not reached. A mistyped name would otherwise have no effect, without a
/// message.
fn all_are_reached(workbench: &Workbench, names: &[String]) -> Result<(), LabError> {
    let module = &workbench.target.module;
    let packages = packages(workbench);
    let functions: BTreeSet<String> = reached(workbench).iter().map(|f| module.function_name(*f)).collect();
    let is_package = |name: &String| packages.iter().any(|p| Package::Crate(p.clone()).is(name));
    match names.iter().find(|name| !is_package(name) && !functions.contains(*name)) {
        None => Ok(()),
        Some(name) => Err(LabError::Mutant(format!(
            "nothing that the functions under test reach is of `{name}`, which --callees names; they reach code of {}",
            match packages.is_empty() {
                true => "no crate that debug information tells of".to_owned(),
                false => packages.join(", "),
            }
        ))),
    }
}

/// The functions of the module that those under test reach.
fn reached(workbench: &Workbench) -> BTreeSet<u32> {
    runs(workbench, 0..workbench.functions().len())
}

/// The names of the crates and parts of the standard library whose code is reached.
pub(crate) fn packages(workbench: &Workbench) -> Vec<String> {
    let Some(debug) = workbench.target.debug_info() else { return Vec::new() };
    let mut names = BTreeSet::new();
    for function in reached(workbench) {
        let places = debug.locations(&workbench.target.module, function);
        names.extend(places.filter_map(|place| debug.package(place).name()));
    }
    names.into_iter().map(str::to_owned).collect()
}

impl Selection {
    /// All mutants that have a number.
    pub(crate) fn generate<'a>(&self, workbench: &'a Workbench) -> Mutants<'a> {
        let mut describer = Describer::new(workbench.target.debug_info(), workbench.target.manifest.folder());
        Mutants::generate(&workbench.target.module, &self.scope, self.most_instructions, &mut describer)
    }

    /// The mutants of the functions and operators chosen.
    pub(crate) fn mutants<'a>(&self, all: &'a Mutants<'_>, operators: &OperatorSet) -> Vec<&'a Mutant> {
        let wanted = |m: &&Mutant| {
            operators.contains(m.operator)
                && m.changes.iter().any(|change| self.mutated.contains(&all.function(change).function))
        };
        all.mutants.iter().filter(wanted).collect()
    }

    /// Those of the mutants of the functions and operators chosen that lie in what one function under test, given by its index, can run.
    pub(crate) fn mutants_of<'a>(
        &self,
        workbench: &Workbench,
        function: usize,
        options: &MutateOptions,
        all: &'a Mutants<'_>,
    ) -> Vec<&'a Mutant> {
        let manifest = &workbench.target.manifest;
        let declared = [manifest.functions[function].clone()];
        let scope = Scope::of(&workbench.target.module, &declared, &options.callees, manifest);
        let mutated = scope.functions.into_iter().filter(|code| self.mutated.contains(code)).collect();
        Selection { functions: vec![function], scope: self.scope.clone(), mutated, ..*self }
            .mutants(all, &options.operators)
    }

    /// Whether the mutants of a function of the module are run.
    pub(crate) fn mutates(&self, function: u32) -> bool {
        self.mutated.contains(&function)
    }

    /// The relations that could detect a mutant, as indices into the workbench's. There are none if mutants are run against
    /// inputs only.
    pub(crate) fn relations(
        &self,
        workbench: &Workbench,
        options: &MutateOptions,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<usize>, LabError> {
        match options.against {
            Against::Inputs => Ok(Vec::new()),
            _ => relations(workbench, options, &self.mutated, warnings),
        }
    }
}

pub(crate) fn functions(workbench: &Workbench, names: &[String]) -> Result<Vec<usize>, LabError> {
    if names.is_empty() {
        return Ok((0..workbench.functions().len()).collect());
    }
    names.iter().map(|name| workbench.function(name)).collect()
}

/// The relations that the options ask for, as far as they call a function that can run mutated code.
fn relations(
    workbench: &Workbench,
    options: &MutateOptions,
    mutated: &BTreeSet<u32>,
    warnings: &mut Vec<String>,
) -> Result<Vec<usize>, LabError> {
    if workbench.relations.is_empty() && options.relations.is_empty() && options.against == Against::Both {
        warnings.push(format!(
            "{} has no relations: mutants run against inputs only",
            workbench.target.manifest.name
        ));
        return Ok(Vec::new());
    }
    let mut chosen = workbench.select(&options.relations)?;
    let mut reach = Reach::of(workbench);
    chosen.retain(|&r| !reach.of_relation(&workbench.relations[r].relation).is_disjoint(mutated));
    Ok(chosen)
}
