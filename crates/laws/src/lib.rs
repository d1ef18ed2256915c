//! Laws over several calls and functions: `sin(x + y) == sin(x) * cos(y) + cos(x) * sin(y)`.
//!
//! A law is a polynomial over calls, variables and constants that is zero wherever all its calls return. Laws of numbers are
//! found without a search. Calls are made from a grammar of arguments ([`Vocabulary`]). Each product of up to a given number of
//! calls is a column of values over recorded executions. Columns that add up to zero are candidates for laws ([`Table`]). The
//! dimension of the columns' null space says how many independent laws there are. A candidate that follows from the laws that
//! are already listed is not listed again ([`Listing`]).
//!
//! # Decisions
//!
//! - Laws of numbers are read off columns and not searched for. The null space of all products of calls is exact but unreadable. Weighted
//!   sums of the rows find the laws of up to four terms in it, in tens of milliseconds, and the dimension of the null space says how many
//!   laws these leave out.
//! - Whether a law follows from others is decided by rewriting instances (`crates/laws/src/listing.rs`).
//! - Functions at special arguments count only if they are simple sums of others (`crates/laws/src/tabulate.rs`).

mod binding;
mod cost;
mod form;
mod grammar;
mod law;
mod listing;
mod name;
mod ratio;
mod rewrite;
mod ring;
mod sparse;
mod table;
mod tabulate;
mod tuning;
mod vocabulary;
mod write;

pub use form::{Atom, Call, CallId, Calls, Form};
pub use law::Law;
pub use listing::{Explained, Listing};
pub use ratio::{Ratio, gcd};
pub use ring::{Floats, Prime, Ring, Wrapping};
pub use sparse::Limits;
pub use table::{Recorded, Table};
pub use vocabulary::{Constant, LawFunction, Numbers, Vocabulary};
pub use write::Written;
