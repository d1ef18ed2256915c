//! Experiments over all engines: techniques of making inputs compared by the faults that they reveal.

mod adequacy;
mod compare;
mod forms;
pub mod statistics;

pub use adequacy::{
    AdequateSources, CodeCriterion, Executed, GroupKills, GroupPaths, Measurement, UntilAdequate, associate,
    code_requirements, group_kills, group_paths, source_bindings, until_adequate,
};
pub use compare::{CompareOptions, CompareProgress, Contender, Versions, compare};
