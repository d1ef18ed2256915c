//! `dodona clean`

use clap::Args;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use crate::session::{SessionArgs, failure};

/// Forget old runs of the session
#[derive(Debug, Args)]
pub(crate) struct CleanArgs {
    /// How many of the last runs are kept
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "all")]
    pub(crate) keep: usize,
    /// Forget all of them
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

/// Removes runs, and what only they used.
pub(crate) fn run(args: &CleanArgs) -> Result<Exit, Failure> {
    let file = dodona_session::file_in(&args.session.folder);
    if !file.exists() {
        return Err(Failure::usage(format!("there is no session at {}", file.display())));
    }
    let keep = if args.all { 0 } else { args.keep };
    let cleaned = args.session.open()?.clean(keep).map_err(failure)?;
    let counted = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    };
    write(&format!(
        "forgot {} and {}\n",
        counted(cleaned.runs, "run"),
        counted(cleaned.pieces, "kept result")
    ))?;
    Ok(Exit::Success)
}
