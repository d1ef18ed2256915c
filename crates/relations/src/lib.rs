//! The relation language: text to syntax trees, checked relations and plans over columns, and back to text.
//!
//! ```text
//! text ─parse─► ast::File ─check─► Relation ─compile─► Program ─evaluate─► one Verdict a row
//!   ◄──────print──┘
//! ```

pub mod ast;
mod check;
mod diagnostic;
mod evaluate;
mod graph;
mod parse;
mod precedence;
mod primed;
mod print;
mod token;

pub use check::{CallSite, Relation, Role, Variable, check};
pub use diagnostic::Diagnostic;
pub use evaluate::{
    CallError, CallExplanation, Caller, Comparison, Explanation, ExpressionError, ExpressionResult,
    Ineligible, Predicate, Program, Side, Verdict, Violation, evaluate_expression,
};
pub use parse::{parse, parse_expression};
pub use primed::{to_calls, to_primed};
