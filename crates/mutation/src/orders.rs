//! Which mutants are stronger than which others, so that a tester has to look at few of them.
//!
//! A mutant is *stronger* than another when every test that kills it kills the other too (Kapoor, "Mutant Hierarchies Support
//! Selective Mutation", 2011, section 2). Three things tell which mutants are stronger:
//!
//! - [`Subsumption`]: the order among the kill sets that a test suite gave ([`KillSets`]), known as dynamic subsumption (Ammann,
//!   Delamaro, Offutt, "Establishing theoretical minimal sets of mutants", 2014; Kurtz et al., "Mutant subsumption graphs", 2014).
//! - [`Strength`]: the order that was proved of the code before any test was run.
//! - [`classify`]: mutant classes, each with one test that kills all its members. The static order and the observed runs keep
//!   the number of searches for tests small (Kapoor 2011, section 5, table 4).
//!
//! Nothing is run here, and no module is known: mutants and tests are numbers, counted from 0.
//!
//! ```
//! use dodona_mutation::orders::{KillSets, Subsumption};
//!
//! // Test 0 kills mutants 0 and 1, test 1 kills mutants 1 and 2, nothing kills mutant 3.
//! let kills = KillSets::from_tests(2, [vec![0], vec![0, 1], vec![1], vec![]])?;
//! let order = Subsumption::of(&kills);
//! let minimal: Vec<usize> = order.dominators().map(|group| group.mutants[0]).collect();
//! assert_eq!(minimal, [0, 2], "whoever kills these two kills mutant 1 as well");
//! assert_eq!(order.sufficient_tests(), [0, 1]);
//! # Ok::<(), dodona_mutation::orders::KillSetsError>(())
//! ```

mod classify;
mod kills;
mod reduction;
mod strength;
mod subsumption;

pub use classify::{Class, Classes, Kill, Member, Reason, Runs, classify};
pub(crate) use kills::transposed;
pub use kills::{KillSets, KillSetsError};
pub use reduction::MOST_ORDERED;
pub use strength::{Because, StaticOrder, Strength};
pub use subsumption::{Group, Subsumption, SubsumptionOrder, SubsumptionScore};
