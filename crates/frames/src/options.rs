//! The options of making inputs for frames, and of identifying relations.

use dodona_generation::SearchOptions;
use dodona_sources::Seed;

/// How inputs of frames are made.
#[derive(Clone, Debug)]
pub struct FramesOptions {
    /// How many inputs each frame should get.
    pub each: usize,
    /// The seed of the random inputs.
    pub seed: Seed,
    /// How a solver searches inputs of frames that no random input belongs to. Its time limit is that of the whole run, not of the solver
    /// alone.
    pub search: SearchOptions,
}

impl Default for FramesOptions {
    /// Ten inputs a frame, as in the study of k-MR coverage (section IV-D).
    fn default() -> Self {
        FramesOptions { each: 10, seed: Seed(0), search: SearchOptions::default() }
    }
}

/// How relations are made of pairs of frames.
#[derive(Clone, Debug)]
pub struct IdentifyOptions {
    /// How the inputs are made that relations are derived from.
    pub frames: FramesOptions,
    /// The number of random inputs on which each relation is tested before it is reported.
    pub fresh: u64,
    /// The most input categories in which the frames of a pair differ; `None` for any number.
    pub distance: Option<usize>,
    /// The most parameters that change at once.
    pub parameters: usize,
    /// The most candidate pairs; `None` for all.
    pub pairs: Option<usize>,
    /// The most relations that are reported: those without a condition first, then those that most samples support.
    pub most: usize,
}

impl Default for IdentifyOptions {
    fn default() -> Self {
        IdentifyOptions {
            frames: FramesOptions::default(),
            fresh: 100_000,
            distance: None,
            parameters: 2,
            pairs: None,
            most: 40,
        }
    }
}
