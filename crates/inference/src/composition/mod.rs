//! Composite metamorphic relations: several basic relations, one after the other, as one relation (Xiang, Wu, Yu, "A
//! Genetic Algorithm-Based Approach for Composite Metamorphic Relations Construction", Information 10(12), 2019).
//!
//! ```text
//! relations ─read─► Basic ─Composer─► Composite ─group─► what says the same ─choose─► the fewest that detect most
//!                              ▲ sequences: search (all, genetic algorithm, annealing), asking an Evaluator
//! ```
//!
//! A basic relation changes the input, x to F(x), and says what that does to the output. The composition of m1 and m2
//! (section 3.2) has the follow-up input F2(F1(x)). Its expectation is that of m2, in which the outputs for F1(x) are
//! replaced by what relations expect of them. A fault that only m1 or only m2 detects may be detected by the composition,
//! which takes two runs where the two relations take four (section 4.3).
//!
//! ```
//! use dodona_inference::composition::{Composer, Sequence, read};
//! use dodona_relations::parse;
//! use dodona_subject::Manifest;
//!
//! let manifest = "module = \"trig.wasm\"
//! [[function]]
//! signature = \"sin(x: f64) -> f64\"
//! [[function]]
//! signature = \"cos(x: f64) -> f64\"";
//! let functions = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).unwrap().signatures();
//! let basics = |text| {
//!     let file = parse(text).unwrap();
//!     file.relations.iter().flat_map(|r| read(r, &functions).unwrap()).collect()
//! };
//! let sine = basics("relation odd: sin(-x) == -sin(x)  relation quarter: sin(x + pi/2) ~= cos(x)");
//! let cosine = basics("relation even: cos(-x) == cos(x)");
//!
//! let composer = Composer::new(sine, cosine, &functions);
//! let composite = composer.compose(&Sequence::new(&[0, 1])).unwrap();
//! println!("{}", composite.relation);
//! assert_eq!(
//!     composite.relation.to_string(),
//!     "relation odd_then_quarter: sin(-x + pi / 2) ~= cos(x) within 1e-9"
//! );
//! // The order matters: this is another relation.
//! let other = composer.compose(&Sequence::new(&[1, 0])).unwrap();
//! assert_eq!(
//!     other.relation.to_string(),
//!     "relation quarter_then_odd: sin(-(x + pi / 2)) ~= -cos(x) within 1e-9"
//! );
//! ```
//!
//! **Tolerances.** A composition of `==` alone is an `==`. Otherwise it is a `~=`, whose tolerance is the sum of those of
//! all relations used. One that is used twice counts twice, and one that is raised to a power by n counts n times. This
//! is what relative errors do in products, and more than they do in sums whose parts have one sign. Where parts cancel,
//! no relative tolerance would be enough: the basic relations have to hold well within their tolerances there. Where no
//! bound is known, as behind `floor`, the output is not replaced.
//!
//! **Inequalities** chain where the expectation rises or falls with the output that is replaced: through sums, signs,
//! products with constants, `min`, `max`, `floor`, `ceil` and `exp`. As everywhere, a sequence of which no
//! relation follows is refused with an [`Incomposable`].
//!
//! **Floats.** The inputs between the steps are computed as floats of 64 bits. For a function of `f32` they are not rounded
//! to single precision between the steps, so that an `==` of such a function may compose to one that rounding violates.
//!
//! **Conditions.** A composite relation is written, parsed, checked, run, proved and emitted like a relation that a person wrote. No call
//! tests the inputs between its steps, so they are tested by a condition, as far as the domains of its variables do not imply it.

mod annealing;
mod basic;
mod choose;
mod comparison;
mod compose;
mod composition_settings;
mod group;
mod guard;
mod incomposable;
mod interval;
mod lenient;
mod link;
mod memo;
mod nesting;
mod normal;
mod polynomial;
mod read;
mod repeat;
mod rewrite;
mod sequence;
mod sequence_search;
#[cfg(test)]
mod tests;
mod tolerance;
mod unreadable;
mod write_composition;

pub use basic::Basic;
pub use choose::{Choosable, Chosen, Exact, Front, exact, front, greedy, shorter};
pub use comparison::Comparison;
pub use compose::Composer;
pub use composition_settings::{MOST_LAYERS, SearchKind, Settings, SettingsError};
pub use group::{Group, Groups, group, unchanged};
pub use incomposable::Incomposable;
pub use memo::{Counts, Evaluator};
pub use nesting::MOST_NODES;
pub use read::read;
pub use sequence::Sequence;
pub use sequence_search::{Accepted, SearchError, SearchResult, search};
pub use unreadable::Unreadable;
pub use write_composition::{Composed, Composite};
