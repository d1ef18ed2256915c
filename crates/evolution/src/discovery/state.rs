//! What a search tells of itself.

/// The rates of one relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The share of correct executions on which it does not hold.
    pub false_positives: f64,
    /// The share of incorrect executions on which it does.
    pub false_negatives: f64,
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchState {
    /// Generations of genetic programming so far.
    pub generation: u32,
    /// Trees judged so far by genetic programming.
    pub evaluated: u64,
    /// Terms tried so far by enumeration.
    pub enumerated: u64,
    /// The size up to which enumeration was complete; 0 before it.
    pub complete_to: usize,
    /// Terms in memory.
    pub terms: usize,
    /// The relation with the fewest false positives, of these the one with the fewest false negatives.
    pub fewest_false_positives: Option<Rates>,
    /// The relation with the fewest false negatives, of these the one with the fewest false positives.
    pub fewest_false_negatives: Option<Rates>,
}
