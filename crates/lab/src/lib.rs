//! Experiments over all engines: techniques of making inputs compared by the faults that they reveal.

mod compare;

pub use compare::{CompareOptions, CompareProgress, Versions, compare};
