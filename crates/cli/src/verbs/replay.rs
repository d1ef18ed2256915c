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

/// Run kept counterexamples again
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Files of dodona-regressions/, or the folder for all that it holds
    #[arg(required = true, value_name = "FILE")]
    pub(crate) kept: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) files: RelationFiles,
}

/// Runs kept counterexamples again: exit code 1 while one of them still violates its relation.
pub(crate) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    let mut violated = false;
    let mut ineligible = false;
    for file in files(&args.kept)? {
        match replay(&file, args)? {
            RelationVerdict::Violated => violated = true,
            RelationVerdict::NeverEligible | RelationVerdict::NotRun => ineligible = true,
            RelationVerdict::Holds => {}
        }
    }
    Ok(match (violated, ineligible) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Usage,
        (false, false) => Exit::Success,
    })
}

/// The files that are named, and for each folder the files in it, by name.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        files.extend(regressions::load_all(path).map_err(Failure::usage)?.into_iter().map(|(file, _)| file));
        if files.len() == before {
            return Err(Failure::usage(format!("{} holds no kept counterexample (*.json)", path.display())));
        }
    }
    Ok(files)
}

fn replay(file: &Path, args: &ReplayArgs) -> Result<RelationVerdict, Failure> {
    let regression = regressions::load(file).map_err(Failure::usage)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let workbench = open::for_relations(&folder.join(&regression.subject), &args.files)?;
    let path = file.display().to_string();
    let relation = dodona_workbench::replay(&workbench, &regression, &path).map_err(open::lab_failure)?;
    if let Some(counterexample) = &relation.counterexample {
        write(&CounterexampleView { relation: &relation, counterexample, styles: styles() }.to_string())?;
    }
    Ok(relation.verdict())
}
