//! `dodona report`

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use dodona_page::{Beside, Found, Page, PastRun, page};
use dodona_report::next_steps;
use dodona_session::{KeptRun, runs_with_records};

use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;
use crate::session::{SessionArgs, failure};
use crate::source_text::source_text;

/// Write the last run as one page for a browser
#[derive(Debug, Args)]
#[command(mut_arg("overwrite", |arg| arg.help("Write over a file that is no page of Dodona; a page is written anew without it")))]
pub(crate) struct ReportArgs {
    /// The page
    #[arg(long, value_name = "FILE", default_value = "dodona-report.html")]
    pub(crate) html: PathBuf,
    /// Show what another command found beside the run: JSON of hierarchy, compare, adequacy or select, or a file of mutate --matrix
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

/// Earlier runs that a page tells of. More are nothing that anybody reads, and each is a row and a point.
const PAST: usize = 50;

/// Writes the page of the last run that ended.
pub(crate) fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    let file = Destination::new(&args.html, args.overwrite).known_by(is_page);
    file.check()?;
    let beside: Vec<Beside> = args.with.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
    let (last, record) = args.session.last()?;
    let runs = runs_with_records(&args.session.folder).map_err(failure)?;
    let before = runs.into_iter().filter(|run| run.id.0 < last.id.0).take(PAST);
    let mut past: Vec<PastRun> =
        before.filter_map(|run| Some(PastRun { told: told(&run), record: run.record? })).collect();
    past.reverse();
    let is_left = record.subjects.iter().any(|subject| !subject.left.is_empty());
    let state = if is_left { "ended before all was done" } else { last.state.as_str() };
    let words = format!("{}, {state}, by Dodona {}", told(&last), last.version);
    let html = page(&Page {
        run: &record,
        told: &words,
        next: &next_steps(&record),
        past: &past,
        beside: &beside,
        source: &|subject, file| source_text(&subject.manifest, file),
    });
    file.write(html.as_bytes())?;
    write(&format!("wrote {} ({}): {words}\n", args.html.display(), size(html.len())))?;
    Ok(Exit::Success)
}

/// What another command found.
fn read(file: &Path) -> Result<Beside, Failure> {
    let bytes = open::bytes(file)?;
    let found =
        Found::read(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
    Ok(Beside { file: file.display().to_string(), found })
}

/// Whether a file is a page of Dodona, which may be written over.
fn is_page(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start);
    start.starts_with("<!DOCTYPE html>") && start.contains(" – Dodona</title>")
}

/// `run 3, 2026-11-28 14:05 UTC`
fn told(run: &KeptRun) -> String {
    format!("run {}, {}", run.id.0, moment(run.started))
}

fn moment(time: SystemTime) -> String {
    match jiff::Timestamp::try_from(time) {
        Ok(time) => time.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => "at an unknown time".to_owned(),
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
