//! The workbench. A subject with its relations is opened once, source inputs are run through the relations on several threads,
//! the first violation of each relation is shrunk, and the results are recorded as evidence.

mod caller;
pub mod check;
mod compared;
mod difference;
mod distinct;
mod error;
pub mod explain;
pub mod inputs;
mod journal;
mod kept;
mod made;
mod options;
mod part;
pub mod plan;
pub mod pool;
mod relations;
mod repeated;
mod replay;
pub mod scheduled;
pub mod shrink;
pub mod sources;
mod sums;
mod untested;
mod variables;
mod violation;
mod work;
mod workbench;

pub use caller::SubjectCaller;
pub use check::{PreparedCheck, Progress, check};
pub use compared::{Compared, Difference, Limits};
pub use distinct::{DistinctInputs, append_bits};
/// The types with which options are made, and the writing of files beside a manifest.
pub use dodona_sources::{Seed, lock, write_atomically};
pub use dodona_target::{Interruption, Until};
pub use error::LabError;
pub use explain::{bindings, call_record};
pub use inputs::{columns, eligible_rows, inputs};
pub use journal::Journal;
pub use kept::unclaimed;
pub use made::{Fed, MadeInputs, takes};
pub use options::{CheckOptions, Regressions};
pub use part::PartSeen;
pub use pool::{Panicked, Worker, guarded};
pub use relations::{LoadedRelation, Relations, called};
pub use repeated::{Memory, Repeated};
pub use replay::replay;
pub use scheduled::{Schedule, ScheduleOptions, check_scheduled};
pub use variables::samplers;
pub use workbench::{Workbench, check_preconditions};
