//! Relations of known forms, found without a search over expressions. A relation of this kind has a change of one or two
//! parameters, a comparison of the two outputs, and a condition of at most two comparisons with constants of the code.
//!
//! A function that compares its inputs with thresholds (an advisory, a fee, an eligibility rule) obeys few algebraic laws, but
//! many relations of this kind: "the intent does not matter unless the threat is equipped", "more room above never lowers the
//! advisory". The input patterns and output patterns of Segura et al. ("Metamorphic relation patterns for query-based systems",
//! MET 2019) and of Zhou et al. ("Metamorphic relations for enhancing system understanding and use", TSE 2020) are such
//! relations.
//!
//! This module makes the changes, atoms and expectations that fit a function ([`Vocabulary`]), finds in recorded executions
//! under which conditions they hold ([`conditions`]), and writes them as relations ([`Pattern`]). It runs nothing.

mod atom;
mod change;
mod conditions;
mod expected;
mod merged;
mod pattern;
mod pattern_tuning;
mod rows;
mod vocabulary;
mod words;

pub use atom::{Atom, Order};
pub use change::{Change, Direction};
pub use conditions::{Condition, conditions};
pub use expected::Expected;
pub use merged::MergedPatterns;
pub use pattern::{Described, Pattern};
pub use rows::rows_where;
pub use vocabulary::{FollowUpOutputs, Vocabulary};
