//! Evaluates checked relations on columns of samples.

mod call;
mod domain;
mod eligible;
mod explain;
mod expression;
mod precondition;
mod program;
mod run;
mod scatter;
mod schedule;
mod verdict;

pub use eligible::Eligibility;
pub use explain::{CallExplanation, Comparison, Explanation, Side};
pub use expression::{ExpressionError, ExpressionResult, evaluate_expression};
pub use precondition::Precondition;
pub use program::Program;
pub use schedule::Step;
pub(crate) use schedule::{Plan, Site};
pub use verdict::{CallError, Caller, Ineligible, Verdict, Violation};
