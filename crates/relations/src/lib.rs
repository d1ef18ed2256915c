//! The relation language: parses text to syntax trees, checks relations, compiles and evaluates them on columns of
//! inputs, and prints trees as text.
//!
//! ```text
//! text ─parse─► ast::File ─check─► Relation ─compile─► Program ─evaluate─► one Verdict a row
//!   ◄──────print──┘
//! ```
//!
//! A caller of the functions under test, written here in Rust itself, is enough to get verdicts on columns of source
//! inputs:
//!
//! ```
//! use dodona_relations::{Program, Verdict, Violation, check, parse};
//! use dodona_target::{CallError, Caller, Calls, Column, Outcome, Parameter, Scalar, Signature, Type};
//!
//! let number = Type::Scalar(Scalar::I32);
//! let parameters = vec![Parameter::new("a", number), Parameter::new("b", number)];
//! let minus = Signature::new("minus", parameters, Some(number));
//!
//! struct Subtraction;
//! impl Caller for Subtraction {
//!     fn call(&mut self, _function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
//!         let [Column::Int(a), Column::Int(b)] = arguments else { return Err(CallError::new("not mine")) };
//!         let differences = a.iter().zip(b).map(|(a, b)| a - b).collect();
//!         Ok(Calls { outcomes: vec![Outcome::Returned; a.len()], outputs: vec![Column::Int(differences)] })
//!     }
//! }
//!
//! let file = parse("relation commutes: minus(a, b) == minus(b, a)").unwrap();
//! let functions = [minus];
//! let relations = check(&file, &functions).unwrap();
//! let program = Program::compile(&relations[0], &functions);
//! let rows = [Column::Int(vec![3, 5]), Column::Int(vec![3, 4])];
//! let verdicts = program.evaluate(0, &rows, &mut Subtraction).unwrap();
//! assert_eq!(verdicts, [Verdict::Holds, Verdict::Violated(Violation::False)]);
//! ```
//!
//! # Decisions
//!
//! - A call whose arguments are plain variables, each at the parameter that it is bound to, is a *source call*; every other call is a
//!   follow-up call. In `gcd(p, q) == gcd(q, p)` the second call is therefore a follow-up call: if only `gcd(q, p)` traps, the relation
//!   is violated, and the source input is not skipped.
//! - A word of the language is one row of a table (`crates/relations/src/op.rs`), which everybody reads who handles words. The price: a
//!   row has to say all that any of them needs.
//! - The language does not see the bits of a NaN. Arguments of calls get the canonical NaN (`crates/target/src/nan.rs` says why).
//! - How much difference of the sides of `~=` is due to rounding is asked of the code and not guessed
//!   (`crates/relations/src/rounding.rs`).

// The helpers of the integration tests, which unit tests use too, refer to this crate by its outside name.
#[cfg(test)]
extern crate self as dodona_relations;

mod apply;
pub mod ast;
pub mod check;
mod diagnostic;
mod evaluate;
mod follow_up;
mod foreign;
mod graph;
mod op;
mod parse;
pub mod plan;
pub mod precedence;
mod primed;
mod print;
mod rounding;
mod token;
mod word;

pub use apply::number::compare as compare_numbers;
pub use check::{CallSite, Relation, Role, Variable, check};
/// What is wrong with a relation, and where.
///
/// ```
/// let text = "relation odd: sin(-x == 1";
/// let problems = dodona_relations::parse(text).unwrap_err();
/// assert_eq!(problems[0].message, "expected `,` or `)`, found the end");
/// assert_eq!(problems[0].span.start, text.len());
/// ```
pub use dodona_target::Diagnostic;
pub use evaluate::{
    Allowance, CallExplanation, Comparison, Eligibility, Explanation, ExpressionError, ExpressionResult,
    Ineligible, Precondition, Program, Side, Verdict, Violation, evaluate_expression,
};
pub use follow_up::{FollowUp, FollowUpInputs};
pub use parse::{parse, parse_expression};
pub use primed::{to_calls, to_primed};
