//! Which functions are mutated, which mutants are run, and which relations speak of them.

use std::collections::BTreeSet;

use dodona_evidence::Against;
use dodona_mutants::{Describer, Mutant, Mutants, Scope};

use super::MutateOptions;
use super::suite::Reach;
use crate::{LabError, Workbench};

/// What an analysis is about.
pub(crate) struct Selection {
    /// The functions under test that are mutated, as indices into the manifest's.
    pub(crate) functions: Vec<usize>,
    /// All functions of the module that could be mutated: mutants are numbered over these.
    pub(crate) scope: Scope,
    /// The functions of the module whose mutants are run.
    mutated: BTreeSet<u32>,
    /// The relations that can see a difference, as indices into the workbench's.
    pub(crate) relations: Vec<usize>,
    /// Functions of more instructions are left out.
    most_instructions: usize,
}

/// Finds what the options name.
pub(crate) fn select(
    workbench: &Workbench,
    options: &MutateOptions,
    warnings: &mut Vec<String>,
) -> Result<Selection, LabError> {
    let mut selection = functions_only(workbench, options)?;
    if options.against != Against::Inputs {
        selection.relations = relations(workbench, options, &selection.mutated, warnings)?;
    }
    Ok(selection)
}

/// Finds the functions that the options name, and leaves relations alone.
pub(crate) fn functions_only(workbench: &Workbench, options: &MutateOptions) -> Result<Selection, LabError> {
    let functions = functions(workbench, &options.functions)?;
    let (module, declared) = (&workbench.module, &workbench.manifest.functions);
    let folder = workbench.manifest.folder();
    let chosen: Vec<_> = functions.iter().map(|&f| declared[f].clone()).collect();
    let mutated = Scope::of(module, &chosen, options.callees, folder).functions.into_iter().collect();
    let scope = Scope::of(module, declared, options.callees, folder);
    Ok(Selection {
        functions,
        scope,
        mutated,
        relations: Vec::new(),
        most_instructions: options.bounds.instructions,
    })
}

impl Selection {
    /// All mutants that there are numbers for.
    pub(crate) fn generate<'a>(&self, workbench: &'a Workbench) -> Mutants<'a> {
        let mut describer = Describer::new(workbench.debug_info(), workbench.manifest.folder());
        Mutants::generate(&workbench.module, &self.scope, self.most_instructions, &mut describer)
    }

    /// The mutants of the functions and operators chosen.
    pub(crate) fn mutants<'a>(&self, all: &'a Mutants<'_>, options: &MutateOptions) -> Vec<&'a Mutant> {
        let wanted = |m: &&Mutant| {
            options.operators.contains(m.operator)
                && m.changes.iter().any(|change| self.mutated.contains(&all.function(change).function))
        };
        all.mutants.iter().filter(wanted).collect()
    }

    /// Whether the mutants of a function of the module are run.
    pub(crate) fn mutates(&self, function: u32) -> bool {
        self.mutated.contains(&function)
    }

    /// The names of the relations.
    pub(crate) fn relation_names(&self, workbench: &Workbench) -> Vec<String> {
        let name = |&index: &usize| workbench.relations[index].relation.name().to_owned();
        self.relations.iter().map(name).collect()
    }
}

fn functions(workbench: &Workbench, names: &[String]) -> Result<Vec<usize>, LabError> {
    if names.is_empty() {
        return Ok((0..workbench.manifest.functions.len()).collect());
    }
    names.iter().map(|name| workbench.function(name)).collect()
}

/// The relations asked for that call something which can run mutated code.
fn relations(
    workbench: &Workbench,
    options: &MutateOptions,
    mutated: &BTreeSet<u32>,
    warnings: &mut Vec<String>,
) -> Result<Vec<usize>, LabError> {
    if workbench.relations.is_empty() && options.relations.is_empty() && options.against == Against::Both {
        warnings
            .push(format!("{} has no relations: mutants run against inputs only", workbench.manifest.name));
        return Ok(Vec::new());
    }
    let mut chosen = workbench.select(&options.relations)?;
    let mut reach = Reach::of(workbench);
    chosen.retain(|&r| !reach.of_relation(&workbench.relations[r].relation).is_disjoint(mutated));
    Ok(chosen)
}
