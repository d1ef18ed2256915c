//! The order in which inputs are run: what is likely to reveal most comes first.
//!
//! What an input covers is a set of numbers (of statements, of branch edges), and an order is a list of the indices of all inputs. Inputs
//! that are equally good keep the order in which they were given.
//!
//! ```
//! use dodona_generation::adequacy::prioritise::{additional, additions};
//! use fixedbitset::FixedBitSet;
//!
//! let covers = |statements: &[usize]| statements.iter().copied().collect::<FixedBitSet>();
//! let inputs = [covers(&[0, 1]), covers(&[0, 2, 3]), covers(&[3])];
//! let order = additional(&inputs);
//! assert_eq!(order, [1, 0, 2]);
//! assert_eq!(additions(&order, &inputs), [3, 1, 0]);
//! ```

mod adaptive;
mod additional;
mod sequence;

use std::cmp::Reverse;
use std::fmt;

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use dodona_target::splitmix64;

pub use adaptive::adaptive;
pub use additional::additional;
pub use sequence::{SequenceDistance, by_distance};

/// How inputs are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prioritisation {
    /// [`additional`] over statements: the path distance of Sun et al. (2021), algorithm 1.
    Path,
    /// [`total`] over statements.
    Total,
    /// [`additional`] over branch edges.
    AdditionalBranch,
    /// [`random`].
    Random,
    /// [`adaptive`]: each input is far from those before it.
    Adaptive,
    /// [`by_distance`] over the sequences of statements.
    Sequence(SequenceDistance),
}

impl Prioritisation {
    /// Whether it asks for the order in which an input runs statements.
    pub fn needs_order(self) -> bool {
        matches!(self, Prioritisation::Sequence(_))
    }
}

impl fmt::Display for Prioritisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Prioritisation::Path => "path",
            Prioritisation::Total => "total",
            Prioritisation::AdditionalBranch => "additional-branch",
            Prioritisation::Random => "random",
            Prioritisation::Adaptive => "adaptive",
            Prioritisation::Sequence(distance) => distance.name(),
        })
    }
}

/// The number of elements that an input covers and that are not covered yet. If the elements are statements, this is the path distance of
/// the input from those before it.
///
/// Sets of different capacities may be mixed: what is past the end of one is not in it.
pub fn path_distance(input: &FixedBitSet, covered: &FixedBitSet) -> usize {
    input.count_ones(..) - input.intersection_count(covered)
}

/// For each input of an order, how many elements it covers that no input before it does.
///
/// # Panics
/// When the order names an input that is not there.
pub fn additions(order: &[usize], inputs: &[FixedBitSet]) -> Vec<usize> {
    let mut covered = FixedBitSet::new();
    let mut add = |&input: &usize| {
        let distance = path_distance(&inputs[input], &covered);
        covered.union_with(&inputs[input]);
        distance
    };
    order.iter().map(&mut add).collect()
}

/// The order by the number of covered elements, the inputs that cover most first.
pub fn total(inputs: &[FixedBitSet]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_cached_key(|&input| Reverse(inputs[input].count_ones(..)));
    order
}

/// A random order, each equally likely; the same for the same seed.
pub fn random(inputs: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..inputs).collect();
    // Keys of 64 bits hardly ever tie.
    order.sort_by_cached_key(|&input| draw(seed, input as u64));
    order
}

/// A pseudo-random number of 64 bits for a seed and an index, made by SplitMix64.
fn draw(seed: u64, index: u64) -> u64 {
    splitmix64(splitmix64(seed) ^ index)
}
