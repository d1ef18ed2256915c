//! `dodona replay FILE`

use std::path::{Path, PathBuf};

use clap::Args;
use dodona_evidence::RelationVerdict;
use dodona_report::CounterexampleView;
use dodona_sources::regressions;

use crate::args::RelationFiles;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::{styles, write};

/// Run a kept counterexample again
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A file of dodona-regressions/
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) files: RelationFiles,
}

/// Runs a kept counterexample again: exit code 1 while it still violates its relation.
pub(crate) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    let regression = regressions::load(&args.file).map_err(Failure::usage)?;
    let folder = args.file.parent().unwrap_or(Path::new("."));
    let workbench = open::workbench(&folder.join(&regression.subject), &args.files)?;
    let path = args.file.display().to_string();
    let relation = dodona_workbench::replay(&workbench, &regression, &path).map_err(open::lab_failure)?;
    let Some(counterexample) = &relation.counterexample else { return Ok(Exit::Success) };
    write(&CounterexampleView { relation: &relation, counterexample, styles: styles() }.to_string())?;
    Ok(match relation.verdict() {
        RelationVerdict::Violated => Exit::Violated,
        RelationVerdict::Holds => Exit::Success,
        RelationVerdict::NeverEligible | RelationVerdict::NotRun => Exit::Usage,
    })
}
