//! Checks what the code of mutants says of their strength: no input may kill a mutant that is said to be stronger than another, and not the
//! other, nor tell mutants apart that are said to do the same.

use std::sync::Arc;

use crate::{Case, Choices, Defect, subject::on_random_module};
use dodona_mutation::{HierarchyOptions, hierarchy};
use dodona_target::Interruption;
use dodona_wasm::Workbench;

use super::options::{mutate_options, search_options};

/// Random inputs that every mutant is run on.
const INPUTS: u64 = 400;

/// Runs one case.
///
/// # Errors
/// When an input contradicts what the code of two mutants says.
pub fn ordered_mutants(bytes: &[u8]) -> Result<Case, Defect> {
    on_random_module(bytes, judged)
}

fn judged(choices: &mut Choices<'_>, workbench: &Arc<Workbench>) -> Result<Case, Defect> {
    let options =
        HierarchyOptions { mutate: mutate_options(choices, INPUTS), search: search_options(choices) };
    let studied = hierarchy(workbench, &options, &Interruption::default(), &mut |_| {});
    let record =
        studied.map_err(|error| Defect::new(format!("the hierarchy ends with an error: {error}")))?;
    if !record.contradictions.is_empty() {
        return Err(Defect::new(record.contradictions.join("\n")));
    }
    let statics = &record.statics;
    Ok(match (statics.stronger.is_empty(), statics.same.is_empty() && statics.equivalent.is_empty()) {
        (false, _) => Case::Checked("a stronger mutant is killed by nothing that spares a weaker one"),
        (true, false) => Case::Checked("mutants that do the same in every state do the same"),
        (true, true) => Case::Dropped("the code relates no mutants"),
    })
}
