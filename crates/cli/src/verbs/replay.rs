//! `dodona replay FILE`

use std::path::{Path, PathBuf};

use clap::Args;
use dodona_records::RelationVerdict;
use dodona_report::CounterexampleView;
use dodona_sources::regressions::{self, Regression};
use dodona_workbench::LabError;

use crate::args::{NativeArgs, RelationFiles};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::{screen, styles, write};
use crate::several::Failed;

/// Run kept counterexamples again
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Files of dodona-regressions/, or the folder for all that it holds
    #[arg(required = true, value_name = "FILE")]
    pub(crate) kept: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) files: RelationFiles,
    #[command(flatten)]
    pub(crate) native: NativeArgs,
}

/// Runs kept counterexamples again: exit code 1 while one of them still violates its relation, else 2 where one could not be run or judged.
pub(crate) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    let shown = |path: &PathBuf| path.display().to_string();
    let (files, unlisted) = Failed::run("arguments", &args.kept, shown, |path| files(path));
    let files = files.concat();
    let (verdicts, failed) = Failed::run("counterexamples", &files, shown, |file| replay(file, args));
    if files.len() > 1 {
        write(&format!("{}\n", sum(&verdicts, failed.count())))?;
    }
    let exit = verdicts.into_iter().map(exit).fold(Exit::Success, Exit::or_worse);
    Ok(unlisted.or(failed.or(exit)))
}

/// The counterexamples by what became of them: `5 counterexamples: 1 holds, 4 could not be run or judged`.
fn sum(verdicts: &[RelationVerdict], failed: usize) -> String {
    let count = |wanted| verdicts.iter().filter(|verdict| exit(**verdict) == wanted).count();
    let (hold, violated) = (count(Exit::Success), count(Exit::Violated));
    let unjudged = count(Exit::Usage) + failed;
    let mut parts = vec![format!("{hold} {}", if hold == 1 { "holds" } else { "hold" })];
    parts.extend((violated > 0).then(|| format!("{violated} violated")));
    parts.extend((unjudged > 0).then(|| format!("{unjudged} could not be run or judged")));
    format!("{} counterexamples: {}", verdicts.len() + failed, parts.join(", "))
}

fn exit(verdict: RelationVerdict) -> Exit {
    match verdict {
        RelationVerdict::Violated => Exit::Violated,
        RelationVerdict::NeverEligible | RelationVerdict::NotRun => Exit::Usage,
        RelationVerdict::Holds | RelationVerdict::OnlyAllowed => Exit::Success,
    }
}

/// The file that is named, or for a folder the files in it, by name.
fn files(named: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !named.is_dir() {
        return Ok(vec![named.to_owned()]);
    }
    let kept = regressions::load_all(named).map_err(Failure::usage)?;
    if kept.is_empty() {
        return Err(Failure::usage(format!("{} holds no kept counterexample (*.json)", named.display())));
    }
    Ok(kept.into_iter().map(|(file, _)| file).collect())
}

fn replay(file: &Path, args: &ReplayArgs) -> Result<RelationVerdict, Failure> {
    let regression = regressions::load(file).map_err(Failure::usage)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let (subject, files) = (folder.join(&regression.subject), relation_files(&regression, folder, args));
    let names = std::slice::from_ref(&regression.relation);
    let workbench = match args.native.native {
        true => open::natively(open::manifest(&subject)?, &files, names, &args.native)?.workbench,
        false => open::any_for_relations(&subject, &files, names, &open::Calling::default())?.workbench,
    };
    let path = file.display().to_string();
    let relation = dodona_workbench::replay(&workbench, &regression, &path).map_err(|error| match error {
        LabError::Sources(why) => Failure::usage(format!("{path}: {why}")),
        other => open::lab_failure(other),
    })?;
    if let Some(counterexample) = &relation.counterexample {
        screen(&CounterexampleView { relation: &relation, counterexample, styles: styles() }.to_string())?;
    }
    if relation.text != regression.text {
        let before = &regression.text;
        write(&format!("      the relation has changed since this was kept; it was: {before}\n"))?;
    }
    Ok(relation.verdict())
}

/// The files that are named; else the one that the relation was in, if the manifest does not name it.
fn relation_files(regression: &Regression, folder: &Path, args: &ReplayArgs) -> RelationFiles {
    let named = &args.files.relation_files;
    let own = || regression.relation_file.iter().map(|file| folder.join(file)).collect();
    RelationFiles { relation_files: if named.is_empty() { own() } else { named.clone() } }
}
