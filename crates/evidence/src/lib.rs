//! The evidence that runs leave: what later rooms and reports read.
//!
//! Rates are over *eligible* metamorphic groups only; the ineligible are counted and shown beside them.

mod record;
mod tally;

pub use dodona_relations::{Ineligible, Verdict, Violation};
pub use record::{
    Binding, CallRecord, CheckRecord, Counterexample, FORMAT_VERSION, Provenance, RelationRecord,
    RelationVerdict, SideRecord, StopReason,
};
pub use tally::Tally;
