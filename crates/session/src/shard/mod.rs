//! A shard: one of several parts of a command, as a file that another machine can write.
//!
//! A shard file says which command it is a part of ([`ShardHead`]), and holds the pieces of work that were done. Pieces are known by the key of all that they depend on, so that
//! files are put together by taking the pieces of all of them, in any order.

mod error;
mod file;
mod head;
mod number;
mod set;

pub use error::{ShardError, ShardProblem};
pub use file::{ShardPiece, ShardReader, ShardWriter};
pub use head::{ShardHead, ShardSubject};
pub use number::ShardNumber;
pub use set::{ShardFile, ShardSet};
