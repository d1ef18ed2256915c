//! `dodona run SUBJECT…`

mod other_version;
mod subject_key;
mod watch;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use dodona_records::{
    AgainstRecord, FORMAT_VERSION, RelationVerdict, RepeatedOptions, RunRecord, RunRelation, SubjectRun,
};
use dodona_run::{Kept, RunError, RunOptions, RunProgress, run_subject};
use dodona_session::{EndedRun, NewRun, RunId, RunState, Session};
use dodona_subject::{Function, Manifest};
use dodona_target::Interruption;
use dodona_wasm::Workbench;

use super::init::InitArgs;
use crate::args::{FormatArgs, JobsArgs, SeedArgs, duration};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{captured, complain, report};
use crate::progress::Progress;
use crate::session::{SessionArgs, failure};
use crate::{interrupt, memory, mistake, open};
use other_version::other_version;
use subject_key::subject_key;

const EXAMPLES: &str = "\
Examples:
  dodona run .                   everything for the subject of this folder: finds relations, or judges those that it has
  dodona run a b c --time 5m     three subjects, in five minutes
  dodona run . --watch           again whenever a source, the manifest or a relation changes
  dodona status                  the last run once more, without running anything
  dodona accept                  moves what was found to the relations of the subject

Exit codes: 0 all accepted relations hold; 1 one is violated; 2 bad usage, or nothing was tested; 3 the time was up before everything was done, and the next \
run goes on there; 4 a subject could not be built or run; 5 a mistake in Dodona; 130 interrupted.";

/// Do everything for subjects, and keep it: inputs, relations, their check, mutants, coverage, and what to do next
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    /// Folders with a dodona.toml or a Cargo.toml, manifests, or modules; where there is no manifest yet, one is written. One that fails does not keep the others from being run
    #[arg(id = "subjects", value_name = "SUBJECT", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// The time for all of it; also 90s, 2m. What is not done by then is left to the next run
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    pub(crate) time: Duration,
    /// Random inputs of each function, and random source inputs of each relation
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) inputs: u64,
    /// The most mutants of each function's code that are run, spread evenly over it
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) mutants: usize,
    /// Also say how another version differs: a revision of git, the folder or manifest of another version, or its module
    #[arg(long, value_name = "REVISION|FOLDER|MODULE", conflicts_with = "watch")]
    pub(crate) against: Option<String>,
    /// Relations that were violated in the run before this one, or in that of a name, do not fail it
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    pub(crate) baseline: Option<Option<String>>,
    /// Keep this run under a name: `clean` does not forget it, and --baseline=NAME means it
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Run again whenever something changes that a result depends on; the time then only chooses how much is searched
    #[arg(long)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs<RunRecord>,
}

/// Runs all subjects, prints what was found and keeps it.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    match args.watch {
        true => watch::run(args),
        false => once(args, interrupt::listen_until(Some(args.time))),
    }
}

/// One run.
fn once(args: &RunArgs, interrupted: &Interruption) -> Result<Exit, Failure> {
    let is_path = |named: &String| Path::new(named).exists();
    if args.against.as_ref().is_some_and(is_path) && args.paths.len() > 1 {
        return Err(Failure::usage(
            "--against takes a folder or a module for one subject; a revision of git serves several",
        ));
    }
    let options = options(args);
    let (mut session, id) = begin(args, &options)?;
    let begun = Instant::now();
    let mut record = RunRecord {
        format_version: FORMAT_VERSION,
        seed: options.seed.0,
        repeated: repeated(args, &options),
        subjects: Vec::new(),
    };
    let mut exit = Exit::Success;
    let known = args.baseline.as_ref().map(|name| violated_before(&args.session, name.as_deref()));
    let known = known.transpose()?.unwrap_or_default();
    for path in &args.paths {
        let run = match interrupted.is_raised() {
            true => left(path),
            false => one(path, &mut session, id, (&options, args.against.as_deref()), interrupted),
        };
        let run = run.unwrap_or_else(|why| {
            exit = exit.or_worse(why.exit);
            complain(&why.render());
            SubjectRun::failed(path.display().to_string(), why.words())
        });
        record.subjects.push(run);
    }
    let state = match interrupted.is_raised() && !interrupt::is_out_of_time() {
        true => RunState::Interrupted,
        false => RunState::Finished,
    };
    // What was found is printed, whether it can be kept or not.
    let ended = EndedRun { state, took: begun.elapsed(), record: &record, name: args.name.as_deref() };
    let kept = session.finish(id, &ended).and_then(|()| session.retain().map(drop));
    report(&record, args.format.chosen)?;
    if let Err(error) = kept {
        complain(&format!("warning: the run was not kept: {error}\n"));
    }
    let contradictions: Vec<String> =
        record.subjects.iter().flat_map(|subject| subject.contradictions.clone()).collect();
    let exit = exit.or_worse(verdict(&record, &known));
    let exit = if state == RunState::Interrupted { Exit::Interrupted } else { exit };
    Ok(mistake::or(&contradictions, exit))
}

fn options(args: &RunArgs) -> RunOptions {
    RunOptions {
        seed: args.seed.seed(),
        time: args.time,
        inputs: args.inputs,
        mutants: args.mutants,
        jobs: args.jobs.threads(),
        version: version(),
    }
}

/// The options that were given and that whoever goes on from this run has to repeat.
fn repeated(args: &RunArgs, options: &RunOptions) -> RepeatedOptions {
    let usual = RunOptions::default();
    let mut run = Vec::new();
    let mut given = |option: &str, value: String| run.extend([option.to_owned(), value]);
    if options.time != usual.time {
        given("--time", format!("{}s", options.time.as_secs_f64()));
    }
    if options.seed != usual.seed {
        given("--seed", options.seed.0.to_string());
    }
    if options.inputs != usual.inputs {
        given("--inputs", options.inputs.to_string());
    }
    if options.mutants != usual.mutants {
        given("--mutants", options.mutants.to_string());
    }
    if let Some(version) = &args.against {
        given("--against", version.clone());
    }
    RepeatedOptions { session: args.session.repeated(), run }
}

/// What tells this build of Dodona from another. One that is being worked on is another one each time that it is built.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let built = std::env::current_exe().and_then(|path| path.metadata()).ok();
    match built.filter(|_| cfg!(debug_assertions)) {
        Some(about) => format!("{version} {} {:?}", about.len(), about.modified().ok()),
        None => version.to_owned(),
    }
}

fn begin(args: &RunArgs, options: &RunOptions) -> Result<(Session, RunId), Failure> {
    let RunOptions { time, inputs, mutants, .. } = options;
    let said = format!("{{\"time\":{},\"inputs\":{inputs},\"mutants\":{mutants}}}", time.as_secs_f64());
    args.session.begin(&NewRun { version: env!("CARGO_PKG_VERSION"), seed: options.seed.0, options: &said })
}

/// A subject that was not begun.
fn left(path: &Path) -> Result<SubjectRun, Failure> {
    let (subject, manifest) = (path.display().to_string(), path.display().to_string());
    Ok(SubjectRun { left: vec![subject.clone()], subject, manifest, ..SubjectRun::default() })
}

/// One subject: as it is kept, if nothing has changed, or run.
fn one(
    path: &Path,
    session: &mut Session,
    run: RunId,
    (options, against): (&RunOptions, Option<&str>),
    interrupted: &Interruption,
) -> Result<SubjectRun, Failure> {
    let manifest = manifest(path)?;
    if dodona::is_outside(&manifest) {
        return outside(&manifest, (options, against), interrupted);
    }
    let mut progress = Progress::of_stages();
    progress.update(&format!("{}: build", manifest.name), 0, 1);
    let key = subject_key(&manifest, options)?;
    let file = manifest.path.display().to_string();
    let mut kept = Kept::new(session, run, file, manifest.name.clone());
    let name = manifest.name.clone();
    let mut opened = None;
    let mut record = match kept.subject(key).map_err(run_failure)? {
        Some(record) => record,
        None => {
            let workbench = Arc::new(dodona_wasm::open(manifest.clone()).map_err(open::lab_failure)?);
            let begun = Instant::now();
            let mut told = |p: &RunProgress<'_>| {
                progress.update(&format!("{name}: {} of {}", p.step.name(), p.about), p.done, p.planned);
            };
            let record = run_subject(&workbench, &mut kept, options, interrupted, &mut told);
            let record = record.map_err(run_failure)?;
            if record.left.is_empty() {
                kept.keep_subject(key, begun.elapsed(), &record);
            }
            opened = Some(workbench);
            record
        }
    };
    if let Some(version) = against {
        progress.update(&format!("{name}: against {version}"), 0, 1);
        let both = (manifest, opened);
        let compared = compare(both, version, &record, &mut kept, options, interrupted);
        record.against = Some(compared.unwrap_or_else(|failure| not_compared(version, &failure)));
    }
    progress.finish();
    if let Some(why) = kept.broken() {
        complain(&format!("warning: the next run does again what could not be kept: {why}\n"));
    }
    Ok(record)
}

/// That another version could not be compared costs nothing of what was found.
fn not_compared(version: &str, failure: &Failure) -> AgainstRecord {
    complain(&failure.render());
    let warnings = vec![failure.words()];
    AgainstRecord { version: version.to_owned(), warnings, ..AgainstRecord::default() }
}

/// A subject that is no module. What its results depend on is not known, so that all of it is done each time.
fn outside(
    manifest: &Manifest,
    (options, against): (&RunOptions, Option<&str>),
    interrupted: &Interruption,
) -> Result<SubjectRun, Failure> {
    if against.is_some() {
        return Err(Failure::usage("--against compares modules; this subject is called in processes"));
    }
    let opened = dodona::open_outside(manifest, &[], dodona::Memory::Kept).map_err(open::lab_failure)?;
    let inputs = open::sources_of(manifest).map_or(options.inputs, |usual| usual.min(options.inputs));
    let options = RunOptions { inputs, ..options.clone() };
    let (mut progress, name) = (Progress::of_stages(), manifest.name.clone());
    let mut told = |p: &RunProgress<'_>| {
        progress.update(&format!("{name}: {} of {}", p.step.name(), p.about), p.done, p.planned);
    };
    let record = dodona_run::run_outside(&opened, &options, interrupted, &mut told).map_err(run_failure);
    progress.finish();
    record
}

/// Compares a subject, which may have been opened, with another version.
fn compare(
    (manifest, opened): (Manifest, Option<Arc<Workbench>>),
    version: &str,
    record: &SubjectRun,
    kept: &mut Kept<'_>,
    options: &RunOptions,
    interrupted: &Interruption,
) -> Result<AgainstRecord, Failure> {
    let mut other = other_version(&manifest, version)?;
    let open = |manifest| dodona_wasm::open(manifest).map(Arc::new).map_err(open::lab_failure);
    // A function that the other version does not have is new, and the others are compared.
    let exported = other.exported()?;
    let is_there = |function: &Function| exported.contains(&function.export);
    let new: Vec<String> =
        manifest.functions.iter().filter(|f| !is_there(f)).map(|f| f.name.clone()).collect();
    let this = match (opened, new.is_empty()) {
        (Some(workbench), true) => workbench,
        (_, true) => open(manifest)?,
        (_, false) => {
            let functions = manifest.functions.iter().filter(|f| is_there(f)).cloned().collect();
            other.manifest.functions = Vec::clone(&functions);
            other.manifest.relations.clear();
            open(Manifest { functions, relations: Vec::new(), ..manifest })?
        }
    };
    let there = open(other.manifest.clone())?;
    let compared = dodona_run::against([&this, &there], version, record, kept, options, interrupted);
    let mut compared = compared.map_err(run_failure)?;
    let told = new.iter().map(|name| format!("{name} is new: the other version does not have it"));
    compared.warnings.splice(0..0, told);
    Ok(compared)
}

/// The accepted relations that the last run found violated, or the run of a name, by the subject and what they say.
fn violated_before(
    session: &SessionArgs,
    name: Option<&str>,
) -> Result<BTreeSet<(PathBuf, String)>, Failure> {
    if !dodona_session::file_in(&session.folder).exists() {
        return Ok(BTreeSet::new());
    }
    let runs = match name {
        Some(name) => {
            let run = dodona_session::named_run(&session.folder, name).map_err(failure)?;
            let none =
                || Failure::usage(format!("no run is kept as {name}; `dodona run --name {name}` keeps one"));
            vec![run.ok_or_else(none)?]
        }
        None => dodona_session::runs_with_records(&session.folder).map_err(failure)?,
    };
    // Of each subject the last run that judged it.
    let (mut seen, mut known) = (BTreeSet::new(), BTreeSet::new());
    for record in runs.into_iter().filter_map(|run| run.record) {
        let judged = record.subjects.iter().filter(|subject| subject.relations().next().is_some());
        let new: BTreeSet<PathBuf> = judged.map(|subject| whole_path(&subject.manifest)).collect();
        let of_new = |(manifest, _): &(&str, &RunRelation)| !seen.contains(&whole_path(manifest));
        let said =
            |(manifest, relation): (&str, &RunRelation)| (whole_path(manifest), relation.check.text.clone());
        known.extend(violated(&record).filter(of_new).map(said));
        seen.extend(new);
    }
    Ok(known)
}

/// The path of a manifest, however it is spelled.
fn whole_path(manifest: &str) -> PathBuf {
    std::fs::canonicalize(manifest).unwrap_or_else(|_| PathBuf::from(manifest))
}

/// The accepted relations that are violated, with the manifests of their subjects.
fn violated(record: &RunRecord) -> impl Iterator<Item = (&str, &RunRelation)> {
    record.subjects.iter().flat_map(|subject| subject.violated().map(|one| (subject.manifest.as_str(), one)))
}

/// The manifest; for a module or a crate without one, it is written first.
fn manifest(path: &Path) -> Result<Manifest, Failure> {
    let mut path = path.to_owned();
    let is_module = path.extension().is_some_and(|end| end == "wasm" || end == "wat");
    if is_module && path.is_file() && !path.with_extension("toml").exists() {
        drafted(&InitArgs::of_module(&path))?;
    }
    if path.join("Cargo.toml").is_file() && !path.join("dodona.toml").is_file() {
        path = of_crate(&path)?;
    }
    memory::subject(&path.display().to_string());
    open::manifest(&path)
}

/// The manifest in the folder `dodona` of a crate, where `cargo dodona` keeps it too.
fn of_crate(folder: &Path) -> Result<PathBuf, Failure> {
    let home = folder.join("dodona");
    let entries = std::fs::read_dir(&home).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut manifests: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    manifests.sort();
    match manifests.as_slice() {
        [] => {
            drafted(&InitArgs::of_crate(folder, &home))?;
            Ok(home.join("dodona.toml"))
        }
        [one] => Ok(one.clone()),
        several => {
            let several: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            Err(Failure::usage(format!("which of these manifests is meant? {}", several.join(", "))))
        }
    }
}

/// Writes a first manifest. What that tells goes to standard error: the result is that of the run.
fn drafted(args: &InitArgs) -> Result<(), Failure> {
    let mut failure = None;
    let told = captured(|| match super::init::run(args) {
        Ok(exit) => exit as u8,
        Err(why) => {
            let exit = why.exit as u8;
            failure = Some(why);
            exit
        }
    });
    complain(&told.stdout);
    complain(&told.stderr);
    failure.map_or(Ok(()), Err)
}

fn run_failure(error: RunError) -> Failure {
    match error {
        RunError::Lab(error) => open::lab_failure(error),
        RunError::Session(error) => failure(error),
    }
}

/// What the accepted relations and what is left say, where these violations are known. Relations that were found are nobody's promise yet.
fn verdict(record: &RunRecord, known: &BTreeSet<(PathBuf, String)>) -> Exit {
    let relations = || record.subjects.iter().flat_map(SubjectRun::relations);
    let accepted = || record.subjects.iter().flat_map(SubjectRun::accepted);
    let untested = [RelationVerdict::NeverEligible, RelationVerdict::OnlyAllowed];
    let is_new = |(manifest, relation): &(&str, &RunRelation)| {
        !known.contains(&(whole_path(manifest), relation.check.text.clone()))
    };
    let against = || record.subjects.iter().filter_map(|subject| subject.against.as_ref());
    if violated(record).any(|one| is_new(&one)) {
        Exit::Violated
    } else if record.subjects.iter().any(|subject| !subject.left.is_empty()) {
        Exit::Budget
    } else if relations().next().is_none()
        || accepted().any(|r| untested.contains(&r.verdict()))
        || record.subjects.iter().any(|subject| subject.unread > 0)
        || against().any(|against| against.compared == 0)
    {
        Exit::Usage
    } else {
        Exit::Success
    }
}
