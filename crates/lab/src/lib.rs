//! Experiments over all engines: techniques of making inputs compared by the faults that they reveal.

mod adequacy;
mod compare;
mod forms;
pub mod statistics;

pub use adequacy::{
    AdequateSources, Aims, CodeCriterion, Criterion, Executed, FramesWithInputs, GroupKills, GroupPaths,
    Measurement, Revealed, Shuffled, UntilAdequate, all_groups, associate, code_requirements,
    frames_with_inputs, group_kills, group_paths, random_groups, source_bindings, until_adequate,
};
pub use compare::{CompareOptions, CompareProgress, Contender, Versions, compare};
