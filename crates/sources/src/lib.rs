//! Source inputs for metamorphic testing: drawn at random from domains, drawn at random but [far apart from each
//! other](adaptive), read from files, reduced to simpler inputs that still violate a relation, and kept as
//! regressions.
//!
//! ```
//! use dodona_sources::{Sampler, Seed};
//! use dodona_target::{Domain, Sampling, Scalar, Type};
//!
//! let ty = Type::Sequence(Scalar::I32);
//! let sampler = Sampler::new(ty, &Domain::default(), &Sampling::default())?;
//! let column = sampler.column(&mut Seed(1).stream("sort/xs", 0), 100);
//! assert_eq!(column.len(), 100);
//! # Ok::<(), dodona_sources::EmptyDomain>(())
//! ```

pub mod adaptive;
mod atomic;
pub mod file;
pub mod json;
mod named;
mod neighbour;
mod random;
pub mod regressions;
mod seed;
pub mod sequences;
mod set;
pub mod shrink;
mod unfinished;

pub use atomic::{
    check_writable, is_special, lock, write_atomically, write_atomically_with, write_new, write_new_with,
};
pub use named::NamedValue;
pub use neighbour::{neighbour, with_special_characters};
/// The random generator of the streams.
pub use rand_xoshiro::Xoshiro256PlusPlus;
pub use random::{EmptyDomain, Sampler};
pub use seed::{CHUNK_ROWS, Seed, index, up_to};
pub use unfinished::remove_unfinished;
