//! A set of mutants: selected and generated once, compared with each other once, and passed to everybody who runs them.
//!
//! A set is compared with the original once. Discovery keeps one for its whole run and measures relations with it again and again.

use dodona_mutants::{Equivalence, Mutant, Mutants, OperatorSet, equivalences};
use dodona_records::MutantId;
use dodona_target::Until;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use crate::MutateOptions;
use crate::compiled::CompiledModules;
use crate::select::{self, Selection};

/// The number of functions that a warning names, and the length to which a name is cut.
const MOST_NAMED: usize = 5;
const LONGEST_NAME: usize = 80;

/// The mutants that options select in a subject.
pub struct MutantSet<'w> {
    pub(crate) selection: Selection,
    pub(crate) all: Mutants<'w>,
    operators: OperatorSet,
    /// Compiled modules of some of its mutants.
    pub(crate) compiled: CompiledModules,
}

impl<'w> MutantSet<'w> {
    /// Selects functions and generates their mutants.
    ///
    /// # Errors
    /// When there is no function of a name, or `--callees` names code that is not reached.
    pub fn generate(workbench: &'w Workbench, options: &MutateOptions) -> Result<MutantSet<'w>, LabError> {
        let selection = select::select(workbench, options)?;
        let all = selection.generate(workbench);
        let compiled = CompiledModules::default();
        Ok(MutantSet { selection, all, operators: options.operators.clone(), compiled })
    }

    /// The same set for whoever runs the same mutants several times: compiled modules are kept, as long as their code has at most this
    /// many instructions. A copy of a function counts with all of its instructions.
    #[must_use]
    pub fn keeping_compiled(self, instructions: usize) -> MutantSet<'w> {
        MutantSet { compiled: CompiledModules::up_to(instructions), ..self }
    }

    /// Every mutant that has a number, including those of functions and operators that are not selected.
    pub fn all(&self) -> &Mutants<'w> {
        &self.all
    }

    /// The functions under test that are mutated, by their indices in the manifest.
    pub fn functions(&self) -> &[usize] {
        &self.selection.functions
    }

    /// The mutants of the selected functions and operators, in the order of their numbers.
    pub fn asked(&self) -> Vec<&Mutant> {
        self.selection.mutants(&self.all, &self.operators)
    }

    /// Those of [`MutantSet::asked`] that lie in the code that one function under test, given by its index, can run.
    pub fn asked_of(&self, workbench: &Workbench, function: usize, options: &MutateOptions) -> Vec<&Mutant> {
        self.selection.mutants_of(workbench, function, options, &self.all)
    }

    /// Names the functions that are too large to be mutated.
    pub fn too_large(&self, workbench: &Workbench) -> Option<String> {
        let large = self.all.too_large.iter().filter(|(function, _)| self.selection.mutates(*function));
        let large: Vec<_> = large.collect();
        let named = large.iter().take(MOST_NAMED).map(|(function, size)| {
            let name: String =
                workbench.target.module.function_name(*function).chars().take(LONGEST_NAME).collect();
            format!("{name} ({size} instructions)")
        });
        let named: Vec<String> = named.collect();
        let more = match large.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (count, noun) = (large.len(), if large.len() == 1 { "function is" } else { "functions are" });
        (count > 0).then(|| {
            format!(
                "{count} {noun} too large to mutate: {}{more}; `mutate --max-instructions N` mutates functions of up to N",
                named.join(", ")
            )
        })
    }

    /// Compares the optimised code of mutants of this set with the original's and with each other's. A warning says how many
    /// were not compared.
    ///
    /// # Errors
    /// When they cannot be compiled.
    pub fn compare<'s>(
        &'s self,
        workbench: &Workbench,
        mutants: Vec<&'s Mutant>,
        options: &MutateOptions,
        until: &Until,
        warnings: &mut Vec<String>,
    ) -> Result<ComparedMutants<'s>, LabError> {
        let go_on = || until.goes_on();
        let most = options.bounds.compared;
        let compared = equivalences(&workbench.target.module, &self.all, &mutants, most, &go_on)
            .map_err(|error| LabError::Mutants(error.to_string()))?;
        if compared.left > 0 && go_on() {
            warnings.push(format!(
                "{} of {} mutants were not compared with the original and each other, for {most} instructions were compiled for \
                 the others; they count as neither equivalent nor duplicate; choose fewer functions or operators to compare all",
                compared.left,
                mutants.len()
            ));
        }
        Ok(ComparedMutants { mutants, found: compared.found })
    }
}

/// Mutants with what their optimised code shows.
#[derive(Clone, Debug)]
pub struct ComparedMutants<'s> {
    pub(crate) mutants: Vec<&'s Mutant>,
    /// The result for each mutant.
    pub(crate) found: Vec<Equivalence>,
}

impl<'s> ComparedMutants<'s> {
    /// Takes mutants as distinct without comparing them.
    pub fn taken_as_distinct(mutants: Vec<&'s Mutant>) -> ComparedMutants<'s> {
        let found = vec![Equivalence::Distinct; mutants.len()];
        ComparedMutants { mutants, found }
    }

    /// How many mutants there are.
    pub fn len(&self) -> usize {
        self.mutants.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.mutants.is_empty()
    }

    /// Each mutant with what its code shows.
    pub fn iter(&self) -> impl Iterator<Item = (&'s Mutant, Equivalence)> + '_ {
        self.mutants.iter().copied().zip(self.found.iter().copied())
    }

    /// The mutants that differ from the original and from each other. These are run.
    pub fn distinct(&self) -> Vec<&'s Mutant> {
        self.iter().filter(|(_, found)| *found == Equivalence::Distinct).map(|(mutant, _)| mutant).collect()
    }

    /// The same without distinct mutants that are not among these.
    #[must_use]
    pub fn only(self, wanted: &[MutantId]) -> ComparedMutants<'s> {
        let keep = |(mutant, found): &(&'s Mutant, Equivalence)| {
            *found != Equivalence::Distinct || wanted.contains(&mutant.id)
        };
        let (mutants, found) = self.mutants.into_iter().zip(self.found).filter(keep).unzip();
        ComparedMutants { mutants, found }
    }

    /// How many mutants are equal to the original.
    pub fn equivalent(&self) -> u64 {
        self.found.iter().filter(|found| **found == Equivalence::Equivalent).count() as u64
    }

    /// How many mutants are equal to another mutant.
    pub fn duplicates(&self) -> u64 {
        self.len() as u64 - self.equivalent() - self.distinct().len() as u64
    }
}
