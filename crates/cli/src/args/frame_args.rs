//! The arguments of verbs over frames: where categories and choices stand, and how many inputs each frame gets.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use dodona_frames::FramesOptions;
use dodona_generation::SearchOptions;

use super::{SeedArgs, TargetArgs, seconds};

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
    /// Seconds for all of it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) time: Duration,
    /// Seconds for one question to the solver
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub(crate) query_time: Duration,
    /// The longest sequence (in elements) or text (in bytes) that the solver is asked about
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) max_len: usize,
    /// The solver: bitwuzla, z3, cvc5 or the command line of another that speaks SMT-LIB 2
    #[arg(long, value_name = "SOLVER")]
    pub(crate) solver: Option<String>,
}

impl FrameArgs {
    /// How inputs of frames are made.
    pub(crate) fn options(&self) -> FramesOptions {
        let search = SearchOptions {
            longest: self.max_len,
            time: Some(self.time),
            query_time: Some(self.query_time),
            solver: self.solver.clone(),
            ..SearchOptions::default()
        };
        FramesOptions { each: self.each as usize, seed: self.seed.seed(), search }
    }
}
