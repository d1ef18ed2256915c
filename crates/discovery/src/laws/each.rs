//! Laws of each of many functions, in equal shares of one time.

use std::cell::Cell;

use dodona_records::LawRecord;
use dodona_target::{Interruption, Until};
use dodona_workbench::{LabError, Workbench};

use super::of_numbers::LawSearch;
use super::together::Together;
use super::trial::FreshTests;
use super::{LawsOptions, Plan, equations};

/// A law that no input refuted, with the number of mutants that it alone has to kill to be worth reporting.
pub(crate) struct PricedLaw {
    pub(crate) record: LawRecord,
    pub(crate) price: usize,
}

/// What came of the search for laws of a function, or of several together.
pub(crate) struct SearchedLaws {
    /// The indices of the functions.
    pub(crate) functions: Vec<usize>,
    pub(crate) laws: Vec<PricedLaw>,
    /// Whether the search came to its end.
    pub(crate) is_complete: bool,
}

/// Looks for the laws of each function by itself, which has an equal share of the time that is left when its turn comes; and then, where time is left, for laws that combine functions. Searching all together from the start would find the same laws of the first few functions, and
/// none of the others.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(crate) fn laws_of_each(
    (workbench, longer): (&Workbench, Option<&Workbench>),
    options: &LawsOptions,
    interrupted: &Interruption,
    until: &Until,
    found: &mut dyn FnMut(SearchedLaws),
) -> Result<(), LabError> {
    let all: Vec<usize> = (0..workbench.functions().len()).collect();
    let mut searches: Vec<Vec<usize>> = all.iter().map(|&function| vec![function]).collect();
    let together = Plan::new(workbench, &all);
    let groups = together.of_numbers.iter().map(|group| group.functions.clone()).chain(together.of_any);
    searches.extend(groups.filter(|group| group.len() > 1));
    let count = searches.len();
    for (place, functions) in searches.into_iter().enumerate() {
        let share = until.share(count - place);
        let time_decided = Cell::new(false);
        let trial = FreshTests {
            workbench,
            longer,
            options,
            interrupted,
            until: &share,
            time_decided: &time_decided,
            are_tested_again: true,
        };
        let laws = if share.goes_on() { laws_together(trial, &functions)? } else { Vec::new() };
        let is_complete = share.goes_on() && !time_decided.get();
        found(SearchedLaws { functions, laws, is_complete });
    }
    Ok(())
}

fn laws_together(trial: FreshTests<'_>, functions: &[usize]) -> Result<Vec<PricedLaw>, LabError> {
    let Plan { of_numbers, of_any, .. } = Plan::new(trial.workbench, functions);
    let is_whole = |group: &&Together| group.functions.len() == functions.len();
    let mut found = Vec::new();
    for group in of_numbers.iter().filter(is_whole) {
        found.extend(LawSearch { trial }.run(group, &mut |_| {})?.laws);
    }
    for group in of_any.iter().filter(|group| group.len() == functions.len()) {
        found.extend(equations::search(trial, group, &mut |_| {})?.laws);
    }
    Ok(found
        .into_iter()
        .map(|law| {
            // What nobody would write has to catch something, however usual its terms are.
            let price = if law.reads_well { law.price } else { law.price.max(1) };
            PricedLaw { record: law.record, price }
        })
        .collect())
}
