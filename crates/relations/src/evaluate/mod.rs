//! Evaluates checked relations on columns of samples.

mod apply;
pub(crate) mod arithmetic;
mod call;
mod compare;
mod domain;
pub(crate) mod elements;
mod eligible;
mod explain;
mod expression;
mod logic;
pub(crate) mod number;
mod predicate;
mod program;
mod register;
mod rows;
mod run;
mod scatter;
pub(crate) mod sequence;
pub(crate) mod text;
mod verdict;

pub(crate) use apply::{Meaning, apply};
pub use eligible::Eligibility;
pub use explain::{CallExplanation, Comparison, Explanation, Side};
pub use expression::{ExpressionError, ExpressionResult, evaluate_expression};
pub use number::compare as compare_numbers;
pub use predicate::Predicate;
pub(crate) use program::{Plan, Site};
pub use program::{Program, Step};
pub(crate) use register::{Data, Lane, Register, Valid};
pub use verdict::{CallError, Caller, Ineligible, Verdict, Violation};
