//! Measures of how adequate a set of tests is, computed from records of what the tests did. Nothing is run here.
//!
//! * [`prioritise`]: the order in which inputs are run.
//! * [`adequacy`]: k-MR coverage: how many different relations each requirement of a criterion is tested with.
//! * [`select()`]: a small set of metamorphic groups that reaches a given degree of k-MR coverage.
//! * [`neighbours`]: other coverage criteria for metamorphic testing.

mod association;
mod k_mr_coverage;
pub mod neighbours;
pub mod prioritise;
mod select;

pub use association::{Associations, Requirements};
pub use k_mr_coverage::{Adequacy, RequirementAdequacy, adequacy};
pub use select::{Order, Selection, Suite, order, random_suite, select};
