//! What is under test, behind a small interface.
//!
//! A [`Target`] has functions, of which [signatures](Signature) say what relations need to know, and opens [sessions](Session) that make
//! calls. Values cross this interface in [columns](Column), one for each parameter, so that a call may cost as little as the target
//! allows. How a call ended is an [`Outcome`]. Everybody speaks these words; nothing here knows how a target works.
//!
//! # Decisions
//!
//! - What is under test stands behind one interface (`crates/target/src/target.rs`). Work that only makes calls takes a `Workbench`,
//!   which is one on any target; work on the code itself takes a `Workbench<WasmTarget>`. So functions of the same process can be tested
//!   without WebAssembly, and the type says which work needs the module.
//! - [`Outcome`] is defined here and not where functions are run, because relations mention traps and may not know the engine.
//! - There is one notion of an end (`crates/target/src/until.rs`) and one reader of the files that a person names
//!   (`crates/target/src/user_file.rs`).

mod caller;
mod column;
mod describe;
mod diagnostic;
mod domain;
mod equal_costs;
mod greedy;
mod hash;
mod import_name;
mod intersection;
pub mod names;
mod nan;
mod outcome;
mod seen;
mod shape;
mod signature;
mod target;
mod traced;
mod types;
mod until;
pub mod user_file;
mod value;

pub use caller::{CallError, Caller};
pub use column::{Column, Ragged, SequenceColumn};
pub use describe::describe_domain;
pub use diagnostic::{Diagnostic, nearest};
pub use domain::{Distribution, Domain, Number, NumberRange, Numbers, Predicate, Sampling, nearest_float};
pub use equal_costs::EqualCosts;
pub use greedy::{greatest, greedy_cover, without_superfluous};
pub use hash::{digest, fnv1a, next_splitmix64, splitmix64};
pub use import_name::ImportName;
pub use nan::{double_bits, single_bits};
pub use outcome::{Calls, Malformed, Outcome, Trap};
pub use seen::{on_one_line, seen, where_they_differ, with_escapes};
pub use shape::Shape;
pub use signature::{Given, Output, OutputName, Parameter, Signature};
pub use target::{Ending, Session, Target, Traits};
pub use traced::{Trace, TracedBranch, TracedCode, TracedStatement};
pub use types::{Kind, Scalar, Type, UnknownType};
pub use until::{Interruption, Until};
pub use user_file::folder_of;
pub use value::{Sequence, Value, same_float, write_float, write_text};
