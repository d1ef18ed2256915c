//! What is asked for.

use dodona_generation::SearchOptions;
use dodona_sources::Seed;

/// How inputs of frames are made.
#[derive(Clone, Debug)]
pub struct FramesOptions {
    /// Inputs of each frame.
    pub each: usize,
    /// Where the random inputs start.
    pub seed: Seed,
    /// The search for inputs of frames that no random input belongs to; its time is that of all of it.
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
    /// The inputs that relations are made from.
    pub frames: FramesOptions,
    /// Random inputs that each relation has to hold on before it is reported.
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
