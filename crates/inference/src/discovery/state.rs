//! What a search reports about itself.

/// The rates of one relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The share of correct executions on which the relation does not hold.
    pub false_positives: f64,
    /// The share of incorrect executions on which the relation holds.
    pub false_negatives: f64,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchState {
    /// Generations of genetic programming so far.
    pub generation: u32,
    /// Trees judged so far by genetic programming.
    pub evaluated: u64,
    /// Terms tried so far by enumeration.
    pub enumerated: u64,
    /// The size up to which enumeration tried all terms; 0 before enumeration.
    pub complete_to: usize,
    /// Terms that are kept in memory.
    pub terms: usize,
    /// The rates of the relation with the fewest false positives; between equals, with the fewest false negatives.
    pub fewest_false_positives: Option<Rates>,
    /// The rates of the relation with the fewest false negatives; between equals, with the fewest false positives.
    pub fewest_false_negatives: Option<Rates>,
}
