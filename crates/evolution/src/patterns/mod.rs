//! Relations of known forms, found without a search over expressions: one parameter is changed in a way that people write, the two outputs are
//! compared, and one or two comparisons from the code say where that holds.
//!
//! Functions of thresholds (advisories, fees, eligibility) have no algebra, but they are full of such relations: "the intent does not matter unless
//! the threat is equipped", "more room above never lowers the advisory". The input patterns and output patterns of Segura et al. ("Metamorphic relation
//! patterns for query-based systems", MET 2019) and of Zhou et al. ("Metamorphic relations for enhancing system understanding and use", TSE 2020) are
//! of this kind.
//!
//! This module makes the forms ([`Vocabulary`]), tells from recorded executions which of them hold and under which conditions ([`conditions`]), and
//! writes them as relations ([`Pattern`]). It runs nothing.

mod atom;
mod change;
mod conditions;
mod expected;
mod pattern;
mod rows;
mod vocabulary;
mod words;

pub use atom::{Atom, Order};
pub use change::{Change, Direction};
pub use conditions::{Condition, conditions};
pub use expected::Expected;
pub use pattern::{Described, Pattern};
pub use rows::Rows;
pub use vocabulary::Vocabulary;
