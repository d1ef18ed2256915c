//! Where the categories and choices of a function stand, and how many inputs its frames get.

use std::path::PathBuf;

use clap::Args;
use dodona_frames::FramesOptions;

use super::{SearchArgs, SeedArgs, TargetArgs};

/// The frames of one function.
#[derive(Debug, Args)]
pub(crate) struct FrameArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The file of categories and choices [default: frames.toml beside the manifest]
    #[arg(long, value_name = "FILE")]
    pub(crate) frames: Option<PathBuf>,
    /// Inputs of each frame
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) each: u32,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

impl FrameArgs {
    /// How inputs of frames are made.
    pub(crate) fn options(&self) -> FramesOptions {
        FramesOptions { each: self.each as usize, seed: self.seed.seed(), search: self.search.options() }
    }
}
