//! A later run: the relations that are kept are checked, and functions that are new are told.

use std::sync::Arc;

use dodona_interface::{Callable, Interface};
use dodona_records::CheckRecord;
use dodona_report::Format;
use dodona_subject::{ModuleSource, quoted};
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, called};

use super::Job;
use super::files::{from_here, shown};
use crate::args::RelationFiles;
use crate::crate_functions::interface;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{report, write};
use crate::progress::Progress;
use crate::verbs::check;
use crate::{interrupt, open};

/// Checks the relations.
///
/// # Errors
/// When the crate does not compile, or there is no relation to check.
pub(super) fn run(job: &Job<'_>) -> Result<Exit, Failure> {
    refuse_features(job)?;
    let workbench = Arc::new(open::workbench(&from_here(&job.home.manifest), &RelationFiles::default())?);
    let news = new_functions(job, &workbench)?;
    if workbench.relations.is_empty() {
        write(&told(job, &news.functions))?;
        return Err(Failure::usage(format!(
            "no relation stands in {}: write one, or look for some with cargo dodona --again",
            shown(&job.home.relations)
        )));
    }
    let checked = checked(job, &workbench)?;
    let exit = exit(std::slice::from_ref(&checked));
    report(&[check::replayable(&checked, "")][..], Format::Terminal)?;
    write(&told(job, &news.functions))?;
    Ok(exit)
}

/// Features are those of the manifest from the first run on.
pub(super) fn refuse_features(job: &Job<'_>) -> Result<(), Failure> {
    let package = &job.args.package;
    if package.features.is_empty() && !package.all_features && !package.no_default_features {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "the features are those that `crate` names in {}: edit them there",
        shown(&job.home.manifest)
    )))
}

/// The functions of the crate that its manifest does not mention, not even in a comment.
///
/// # Errors
/// When the crate cannot be documented.
pub(super) fn new_functions(job: &Job<'_>, workbench: &Workbench) -> Result<Interface, Failure> {
    let ModuleSource::Crate(source) = &workbench.target.manifest.source else {
        return Ok(Interface::default());
    };
    let mut interface = interface(source)?;
    let text = job.home.manifest_text()?;
    let is_named = |name: &str| workbench.functions().iter().any(|function| function.name == name);
    interface.functions.retain(|function| !is_mentioned(function, &text) && !is_named(&function.name));
    Ok(interface)
}

fn is_mentioned(function: &Callable, text: &str) -> bool {
    let signature = function.signature();
    let words = [Some(&function.path), function.call.as_ref(), Some(&signature)];
    words.into_iter().flatten().any(|words| text.contains(&quoted(words)))
}

/// Checks the relations of the functions that were asked for, or all.
///
/// # Errors
/// When the check cannot be made.
pub(super) fn checked(job: &Job<'_>, workbench: &Arc<Workbench>) -> Result<CheckRecord, Failure> {
    let options = CheckOptions {
        relations: asked(job, workbench)?,
        seed: job.args.seed.seed(),
        jobs: job.threads(),
        ..CheckOptions::default()
    };
    let interrupted = interrupt::listen();
    let mut bar = Progress::new("sources");
    let name = &job.package.name;
    let record = dodona_workbench::check(workbench.clone(), &options, interrupted, &mut |p| {
        bar.update(name, p.run, p.planned);
    });
    bar.finish();
    record.map_err(open::lab_failure)
}

/// The names of the relations that call a function that was asked for; none where all are meant.
fn asked(job: &Job<'_>, workbench: &Workbench) -> Result<Vec<String>, Failure> {
    let wanted = &job.args.functions;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let functions: Vec<usize> = wanted
        .iter()
        .map(|name| workbench.function(name).map_err(open::lab_failure))
        .collect::<Result<_, _>>()?;
    let relations = workbench.relations.iter();
    let asked = relations.filter(|loaded| called(&loaded.relation).any(|f| functions.contains(&f)));
    let names: Vec<String> = asked.map(|loaded| loaded.relation.name().to_owned()).collect();
    match names.is_empty() {
        false => Ok(names),
        true => Err(Failure::usage(format!("no relation calls {}", wanted.join(" or ")))),
    }
}

/// How a check ends, as `dodona check` has it; an interruption outweighs what holds.
pub(super) fn exit(records: &[CheckRecord]) -> Exit {
    let exit = check::exit(records);
    if interrupt::is_raised() && exit != Exit::Violated { Exit::Interrupted } else { exit }
}

/// So many new functions are named.
const NAMED: usize = 6;

fn told(job: &Job<'_>, new: &[Callable]) -> String {
    if new.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = new.iter().take(NAMED).map(|function| function.name.as_str()).collect();
    let more = if new.len() > NAMED { format!(" and {} more", new.len() - NAMED) } else { String::new() };
    let (count, are) = (new.len(), if new.len() == 1 { "function is" } else { "functions are" });
    format!(
        "{count} {are} not in {} yet: {}{more}; cargo dodona --again adds them and looks for relations\n",
        shown(&job.home.manifest),
        names.join(", ")
    )
}
