//! Evaluates checked relations on columns of samples.

mod again;
mod allowance;
mod calling;
mod domain;
mod eligible;
mod explain;
mod precondition;
mod program;
mod run;
mod scatter;
mod schedule;
mod single_expression;
mod verdict;

pub use eligible::Eligibility;
pub use explain::{CallExplanation, Comparison, Explanation, Side};
pub use precondition::Precondition;
pub use program::Program;
pub use schedule::{Needed, Step};
pub(crate) use schedule::{Plan, Site};
pub use single_expression::{ExpressionError, ExpressionResult, evaluate_expression};
pub use verdict::{Allowance, Ineligible, Verdict, Violation};
