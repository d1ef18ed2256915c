//! The mutants that somebody asks for: selected and generated once, compared with each other once, and handed to everybody who runs them.

use dodona_evidence::MutantId;
use dodona_mutants::{Equivalence, Mutant, Mutants, OperatorSet, equivalences};
use dodona_workbench::{LabError, Until, Workbench};

use crate::MutateOptions;
use crate::select::{self, Selection};

/// Functions that a warning names, and how much of each name.
const MOST_NAMED: usize = 5;
const LONGEST_NAME: usize = 80;

/// The mutants of a subject that options ask for.
pub struct MutantSet<'w> {
    pub(crate) selection: Selection,
    pub(crate) all: Mutants<'w>,
    operators: OperatorSet,
}

impl<'w> MutantSet<'w> {
    /// Selects functions and generates their mutants.
    ///
    /// # Errors
    /// When a function is not there, or `--callees` names what is not reached.
    pub fn generate(workbench: &'w Workbench, options: &MutateOptions) -> Result<MutantSet<'w>, LabError> {
        let selection = select::select(workbench, options)?;
        let all = selection.generate(workbench);
        Ok(MutantSet { selection, all, operators: options.operators.clone() })
    }

    /// Every mutant that has a number: also those of other functions and operators, which nobody asked for.
    pub fn all(&self) -> &Mutants<'w> {
        &self.all
    }

    /// The functions under test that are mutated, by their indices in the manifest.
    pub fn functions(&self) -> &[usize] {
        &self.selection.functions
    }

    /// The mutants of the functions and operators that are asked for, in the order of their numbers.
    pub fn asked(&self) -> Vec<&Mutant> {
        self.selection.mutants(&self.all, &self.operators)
    }

    /// Which functions are too large to be mutated, in words.
    pub fn too_large(&self, workbench: &Workbench) -> Option<String> {
        let large = self.all.too_large.iter().filter(|(function, _)| self.selection.mutates(*function));
        let large: Vec<_> = large.collect();
        let named = large.iter().take(MOST_NAMED).map(|(function, size)| {
            let name: String = workbench.module.function_name(*function).chars().take(LONGEST_NAME).collect();
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

    /// Compares the optimised code of mutants of this set with the original's and each other's. How many were not compared is a
    /// warning.
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
        let compared = equivalences(&workbench.module, &self.all, &mutants, most, &go_on)
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

/// Mutants with what their optimised code says of them.
#[derive(Clone, Debug)]
pub struct ComparedMutants<'s> {
    pub(crate) mutants: Vec<&'s Mutant>,
    /// Of each.
    pub(crate) found: Vec<Equivalence>,
}

impl<'s> ComparedMutants<'s> {
    /// Mutants that were compared before and found to differ, or are not to be compared.
    pub fn taken_as_distinct(mutants: Vec<&'s Mutant>) -> ComparedMutants<'s> {
        let found = vec![Equivalence::Distinct; mutants.len()];
        ComparedMutants { mutants, found }
    }

    /// How many mutants were compared.
    pub fn len(&self) -> usize {
        self.mutants.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.mutants.is_empty()
    }

    /// Each mutant with what its code says of it.
    pub fn iter(&self) -> impl Iterator<Item = (&'s Mutant, Equivalence)> + '_ {
        self.mutants.iter().copied().zip(self.found.iter().copied())
    }

    /// Those that differ from the original and from each other: those that are run.
    pub fn distinct(&self) -> Vec<&'s Mutant> {
        self.iter().filter(|(_, found)| *found == Equivalence::Distinct).map(|(mutant, _)| mutant).collect()
    }

    /// The same without those that are run and not among these.
    #[must_use]
    pub fn only(self, wanted: &[MutantId]) -> ComparedMutants<'s> {
        let keep = |(mutant, found): &(&'s Mutant, Equivalence)| {
            *found != Equivalence::Distinct || wanted.contains(&mutant.id)
        };
        let (mutants, found) = self.mutants.into_iter().zip(self.found).filter(keep).unzip();
        ComparedMutants { mutants, found }
    }

    /// How many are the original in other words.
    pub fn equivalent(&self) -> u64 {
        self.found.iter().filter(|found| **found == Equivalence::Equivalent).count() as u64
    }

    /// How many are another mutant in other words.
    pub fn duplicates(&self) -> u64 {
        self.len() as u64 - self.equivalent() - self.distinct().len() as u64
    }
}
