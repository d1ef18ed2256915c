//! The number of inputs that an equation is run on, counted in units of work.

use super::super::law_tuning::FIRST_FRESH;
use super::super::trial::FreshTests;
use crate::overhead;
use crate::tuning::UNITS_OF_LAW;

/// The fresh inputs for a law over these functions. If the law is tested again later, they are as few as those of its first test. Otherwise they are as many
/// as the options say, or fewer if calls need a fresh instance each.
pub(super) fn fresh(trial: FreshTests<'_>, functions: &[String]) -> u64 {
    if trial.are_tested_again {
        return FIRST_FRESH;
    }
    let declared = trial.workbench.functions().iter().enumerate();
    let called = declared.filter(|(_, function)| functions.contains(&function.name));
    let units: u64 = called.map(|(index, _)| 2 * overhead::of_call(trial.workbench, index)).sum();
    (UNITS_OF_LAW / units.max(1)).clamp(FIRST_FRESH, trial.options.fresh.max(FIRST_FRESH))
}
