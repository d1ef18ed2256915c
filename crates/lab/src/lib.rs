//! Experiments over all engines: techniques of making inputs compared by the faults that they reveal.

mod adequacy;
mod compare;

pub use adequacy::{Executed, GroupPaths, associate, group_paths};
pub use compare::{CompareOptions, CompareProgress, Versions, compare};
