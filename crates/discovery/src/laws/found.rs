//! What the search for the laws of a group of functions found.

use dodona_records::{LawGroup, LawRecord, RefutedLaw};

/// The result of the search for the laws of one group.
pub(super) struct GroupLaws {
    /// What was looked at; nothing of laws that were not searched for.
    pub(super) group: Option<LawGroup>,
    pub(super) laws: Vec<FoundLaw>,
    pub(super) refuted: Vec<RefutedLaw>,
}

/// A law that no input refuted.
pub(super) struct FoundLaw {
    pub(super) record: LawRecord,
    /// How many mutants that no other law kills this law has to kill to be reported; 0 if it is reported in any case.
    pub(super) price: usize,
    /// Whether a person would write it.
    pub(super) reads_well: bool,
}
