//! `dodona status`

use clap::Args;
use dodona_records::RunRecord;
use dodona_report::Format;

use crate::args::FormatArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{report, write};
use crate::session::SessionArgs;

/// Show the last run once more, without running anything
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs<RunRecord>,
}

/// Prints the last run that ended.
pub(crate) fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let (kept, record) = args.session.last()?;
    report(&record, args.format.chosen)?;
    if args.format.chosen == Format::Terminal {
        let took = kept.took.map(|took| format!(" in {:.1} s", took.as_secs_f64())).unwrap_or_default();
        write(&format!("run {}, {}{took}, by Dodona {}\n", kept.id.0, kept.state, kept.version))?;
    }
    Ok(Exit::Success)
}
