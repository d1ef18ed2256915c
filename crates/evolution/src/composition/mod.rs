//! wip
mod basic;
mod comparison;
mod compose;
mod guard;
mod incomposable;
mod link;
mod memo;
mod random;
mod read;
mod rewrite;
mod search;
mod sequence;
mod settings;
#[cfg(test)]
mod tests;
mod tolerance;
mod unreadable;
mod vary;
mod write;

pub use basic::Basic;
pub use comparison::Comparison;
pub use compose::{Composer, MOST_NODES};
pub use incomposable::Incomposable;
pub use memo::{Counts, Evaluator};
pub use read::read;
pub use search::{Accepted, Found, SearchError, search};
pub use sequence::Sequence;
pub use settings::{MOST_LAYERS, SearchKind, Settings, SettingsError};
pub use unreadable::Unreadable;
pub use write::Composite;
