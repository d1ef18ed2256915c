//! The mutants that are looked at where there are too many for all: of those that inputs reach first.
//!
//! Of 25,229 mutants of a crate 300 by chance were 8 that an input reveals, because most lie in code that the inputs never come to.

use dodona_generation::ReachedCode;
use dodona_mutation::{Mutant, MutantSet};
use dodona_sources::Seed;
use dodona_target::{Column, Until};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use crate::shuffled::shuffled;

/// A sample of the mutants of a set.
pub(crate) struct MutantSample<'s> {
    /// The mutants, in their order.
    pub(crate) mutants: Vec<&'s Mutant>,
    /// How many mutants there are.
    made: usize,
    /// How many of these the inputs reach, if only a part was chosen.
    reached: Option<usize>,
}

impl<'s> MutantSample<'s> {
    /// All mutants that were asked for if they are at most so many; else so many of those that these inputs reach, chosen by the seed, or of all if they reach
    /// none. `inputs` are batches of inputs of functions under test, a column a parameter.
    ///
    /// # Errors
    /// When the inputs cannot be run.
    pub(crate) fn of(
        set: &'s MutantSet<'_>,
        workbench: &Workbench,
        inputs: &[(usize, Vec<Column>)],
        (most, seed, stream): (usize, Seed, &str),
        until: &Until,
    ) -> Result<MutantSample<'s>, LabError> {
        let all = set.asked();
        let made = all.len();
        if made <= most {
            return Ok(MutantSample { mutants: all, made, reached: None });
        }
        let code = ReachedCode::of(workbench, inputs, until)?;
        let is_reached: Vec<bool> = all.iter().map(|mutant| is_reached(set, mutant, &code)).collect();
        let reached = is_reached.iter().filter(|is_reached| **is_reached).count();
        let mut order = shuffled(made, seed, stream);
        order.retain(|&place| is_reached[place] || reached == 0);
        order.truncate(most);
        order.sort_unstable();
        let mutants = order.into_iter().map(|place| all[place]).collect();
        Ok(MutantSample { mutants, made, reached: Some(reached) })
    }

    /// What is said of a sample: of how many mutants it is. `done` says what was done with them.
    pub(crate) fn warning(&self, done: &str) -> Option<String> {
        let reached = self.reached?;
        let (made, looked_at) = (self.made, self.mutants.len());
        Some(format!(
            "{done} {looked_at} of {made} mutants, chosen by the seed among the {reached} in code that the inputs reach: --mutants raises their number"
        ))
    }
}

/// Whether inputs reach one of the copies of what a mutant changes.
fn is_reached(set: &MutantSet<'_>, mutant: &Mutant, code: &ReachedCode) -> bool {
    mutant.changes.iter().any(|change| {
        let function = set.all().function(change).function;
        let mut edits = change.candidate.edits.iter();
        edits.any(|edit| code.has(function, edit.at))
    })
}
