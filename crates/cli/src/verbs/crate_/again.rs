//! `--again`: further relations are looked for beside those that are kept, also of functions that are new.

use std::sync::Arc;

use dodona_interface::Interface;
use dodona_report::Format;
use dodona_wasm::Workbench;

use super::kept::{checked, exit, new_functions, refuse_features};
use super::screen::Reader;
use super::surveyed::{Answer, Files, surveyed};
use super::{Job, files};
use crate::args::RelationFiles;
use crate::crate_functions::{blocks, built, choose};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::report;
use crate::verbs::check;

/// Surveys the crate again.
///
/// # Errors
/// When the crate does not compile, or files cannot be written.
pub(super) fn run(job: &Job<'_>) -> Result<Exit, Failure> {
    refuse_features(job)?;
    job.home.check_writable()?;
    let kept = Arc::new(open::workbench(&files::from_here(&job.home.manifest), &RelationFiles::default())?);
    if !kept.relations.is_empty() {
        let checked = [checked(job, &kept)?];
        match exit(&checked) {
            Exit::Success => {}
            // Nothing can be told from faults by relations that do not hold.
            exit => {
                report(&[check::replayable(&checked[0], "")][..], Format::Terminal)?;
                return Ok(exit);
            }
        }
    }
    let mut new = new_functions(job, &kept)?;
    if new.functions.iter().any(|function| job.args.functions.contains(&function.name)) {
        choose(&mut new, &job.args.functions)?;
    }
    let workbench = with(job, kept, &mut new)?;
    let declined = files::declined(&job.home.relations_text()?);
    let answer = Answer {
        home: job.home.clone(),
        reader: Reader::new(job, &new, workbench.functions()),
        files: Files::More { blocks: blocks(&new.functions, true) },
    };
    surveyed(job, workbench, declined, &answer)
}

/// The crate with functions that are new; those that do not compile when they are called are left out.
fn with(job: &Job<'_>, kept: Arc<Workbench>, new: &mut Interface) -> Result<Workbench, Failure> {
    let own = || Workbench::new(kept.target.clone(), Arc::clone(&kept.relations));
    if new.functions.is_empty() {
        return Ok(own());
    }
    let text = job.home.manifest_text()?;
    let together = |new: &Interface| format!("{}\n{}", text.trim_end(), blocks(&new.functions, true));
    match built(&job.home.manifest, new, &together) {
        Err(failure) if failure.exit == Exit::Usage && new.functions.is_empty() => Ok(own()),
        built => built,
    }
}
