//! The arguments that say what a relation has to stand before it is reported.

use std::time::Duration;

use clap::{Args, ValueEnum};
use dodona_generation::{SearchOptions, StepLimits};

use super::run::MOST_INPUTS as MOST;

/// What the proof of one relation may ask the solver, and how long for one answer.
const PROOF_QUERIES: u64 = 500;
const PROOF_QUERY: Duration = Duration::from_secs(2);

/// What a relation has to stand before it is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evidence")]
pub(crate) struct EvidenceArgs {
    /// Fresh inputs that each relation has to hold on; a fifth where each call needs a fresh instance
    #[arg(long, value_name = "N", default_value = "500000", value_parser = clap::value_parser!(u64).range(1..=MOST * 100))]
    pub(crate) fresh: u64,
    /// Whether each relation is put to proof; what is neither proved nor refuted stays tested
    #[arg(long, value_enum, default_value_t)]
    pub(crate) prove: Prove,
    /// The longest symbolic sequence (in elements) or text (in bytes)
    #[arg(long, value_name = "N", default_value_t = dodona_generation::SearchOptions::default().longest)]
    pub(crate) max_len: usize,
    /// Turns of a loop that are a choice, and depth of recursion
    #[arg(long, value_name = "N", default_value_t = dodona_generation::StepLimits::default().loop_bound)]
    pub(crate) loop_bound: u32,
    /// The solver: bitwuzla, z3, cvc5 or the command line of another that speaks SMT-LIB 2
    #[arg(long, value_name = "SOLVER")]
    pub(crate) solver: Option<String>,
}

impl EvidenceArgs {
    /// How relations are put to proof, if they are.
    pub(crate) fn proof(&self) -> Option<SearchOptions> {
        let mut search =
            SearchOptions { longest: self.max_len, solver: self.solver.clone(), ..SearchOptions::default() };
        // Several relations share what time is left: what is hard stays tested.
        search.bounds.queries = PROOF_QUERIES;
        search.query_time = Some(PROOF_QUERY);
        search.bounds.step = StepLimits { loop_bound: self.loop_bound, ..search.bounds.step };
        match self.prove {
            Prove::Paths => Some(search),
            Prove::Off => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Prove {
    /// On every path, with symbolic execution
    #[default]
    Paths,
    /// No proof
    Off,
}
