//! `dodona run SUBJECT…`

pub(crate) mod merged;
mod other_version;
pub(crate) mod planned;
mod shard;
mod subject_manifest;
mod verdict;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use dodona_records::{AgainstRecord, FORMAT_VERSION, RepeatedOptions, RunRecord, SubjectRun};
use dodona_run::{Kept, RunError, RunOptions, RunProgress, run_subject};
use dodona_session::{EndedRun, Key, KeyBuilder, NewRun, RunId, RunState, Session, ShardNumber};
use dodona_subject::{Function, Manifest};
use dodona_target::Interruption;
use dodona_wasm::Workbench;

use crate::args::{FormatArgs, JobsArgs, SeedArgs, duration};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, report};
use crate::progress::Progress;
use crate::session::{SessionArgs, failure};
use crate::shards::{subject_key, version};
use crate::{interrupt, mistake, open};
use merged::Shards;
use other_version::other_version;
use planned::ShardsArgs;
use subject_manifest::manifest;
use verdict::{verdict, violated_before};

const EXAMPLES: &str = "\
Examples:
  dodona run .                   everything for the subject of this folder: finds relations, or judges those that it has
  dodona run a b c --time 5m     three subjects, in five minutes
  dodona run . --watch           again whenever a source, the manifest or a relation changes
  dodona run . --shard 3/16      the third of sixteen parts, on whatever machine; dodona merge shards puts them together
  dodona status                  the last run once more, without running anything
  dodona accept                  moves what was found to the relations of the subject

Exit codes: 0 all accepted relations hold; 1 one is violated; 2 bad usage, or nothing was tested; 3 the time was up before everything was done, and the next \
run goes on there; 4 a subject could not be built or run; 5 a mistake in Dodona; 130 interrupted.";

/// Do everything for subjects, and keep it: inputs, relations, their check, mutants, coverage, and what to do next
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// Run again whenever something changes that a result depends on; the time then only chooses how much is searched
    #[arg(long, conflicts_with = "against")]
    pub(crate) watch: bool,
    /// Do one of several parts of the run, such as 3/16 for the third of sixteen, and write it to a file; `dodona merge` puts the files of all parts together
    #[arg(long, value_name = "N/ALL", conflicts_with_all = ["watch", "against", "baseline", "name", "format"])]
    pub(crate) shard: Option<ShardNumber>,
    #[command(flatten)]
    pub(crate) shards: ShardsArgs,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// What is asked of a run beside its work, wherever that was done.
#[derive(Debug, Args)]
pub(crate) struct AskedArgs {
    /// Also say how another version differs: a revision of git, the folder or manifest of another version, or its module
    #[arg(long, value_name = "REVISION|FOLDER|MODULE")]
    pub(crate) against: Option<String>,
    /// Relations that were violated in the run before this one, or in that of a name, do not fail it
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    pub(crate) baseline: Option<Option<String>>,
    /// Keep this run under a name: `clean` does not forget it, and --baseline=NAME means it
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs<RunRecord>,
}

/// What a run does, and how much of it.
#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// Folders with a dodona.toml or a Cargo.toml, manifests, or modules; where there is no manifest yet, one is written. One that fails does not keep the others from being run
    #[arg(id = "subjects", value_name = "SUBJECT", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// The time for all of it; also 90s, 2m. What is not done by then is left to the next run. Of a shard it only chooses how much is searched
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    pub(crate) time: Duration,
    /// Random inputs of each function, and random source inputs of each relation
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) inputs: u64,
    /// The most mutants of each function's code that are run, spread evenly over it
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) mutants: usize,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// Runs all subjects, prints what was found and keeps it.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    match args.shard {
        Some(shard) => shard::run(args, shard),
        None if args.watch => watch::run(args),
        None => once((&args.work, &args.asked), None, interrupt::listen_until(Some(args.work.time))),
    }
}

/// One run, which takes the pieces of these shards as its own.
fn once(
    (work, asked): (&WorkArgs, &AskedArgs),
    shards: Option<&Shards>,
    interrupted: &Interruption,
) -> Result<Exit, Failure> {
    let is_path = |named: &String| Path::new(named).exists();
    if asked.against.as_ref().is_some_and(is_path) && work.paths.len() > 1 {
        return Err(Failure::usage(
            "--against takes a folder or a module for one subject; a revision of git serves several",
        ));
    }
    let options = options(work, asked.jobs);
    let (mut session, id) = asked.session.begin(&new_run(&options, &words(&options)))?;
    if let Some(shards) = shards {
        // Another merge that held the session until now may have kept a counterexample.
        shards.are_of_this(work, asked.jobs)?;
        shards.give_pieces(&mut session, id)?;
    }
    let begun = Instant::now();
    let mut record = RunRecord {
        format_version: FORMAT_VERSION,
        seed: options.seed.0,
        repeated: repeated(work, asked),
        subjects: Vec::new(),
    };
    let mut exit = Exit::Success;
    let known = asked.baseline.as_ref().map(|name| violated_before(&asked.session, name.as_deref()));
    let known = known.transpose()?.unwrap_or_default();
    for path in &work.paths {
        let run = match interrupted.is_raised() {
            true => left(path),
            false => one(path, (&mut session, id), (&options, asked.against.as_deref()), shards, interrupted),
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
    let ended = EndedRun { state, took: begun.elapsed(), record: &record, name: asked.name.as_deref() };
    let kept = session.finish(id, &ended).and_then(|()| session.retain().map(drop));
    report(&record, asked.format.chosen)?;
    if let Err(error) = kept {
        complain(&format!("warning: the run was not kept: {error}\n"));
    }
    let contradictions: Vec<String> =
        record.subjects.iter().flat_map(|subject| subject.contradictions.clone()).collect();
    let exit = exit.or_worse(verdict(&record, &known));
    let exit = if state == RunState::Interrupted { Exit::Interrupted } else { exit };
    Ok(mistake::or(&contradictions, exit))
}

fn options(work: &WorkArgs, jobs: JobsArgs) -> RunOptions {
    RunOptions {
        seed: work.seed.seed(),
        time: work.time,
        inputs: work.inputs,
        mutants: work.mutants,
        jobs: jobs.threads(),
        keeps_violations: true,
        version: version(),
    }
}

/// The options that were given and that whoever goes on from this run has to repeat.
fn repeated(work: &WorkArgs, asked: &AskedArgs) -> RepeatedOptions {
    let mut run = work.repeated();
    if let Some(version) = &asked.against {
        run.extend(["--against".to_owned(), version.clone()]);
    }
    RepeatedOptions { session: asked.session.repeated(), run }
}

impl WorkArgs {
    /// The options that have not their usual value.
    fn repeated(&self) -> Vec<String> {
        let usual = RunOptions::default();
        let mut words = Vec::new();
        let mut given = |option: &str, value: String| words.extend([option.to_owned(), value]);
        if self.time != usual.time {
            given("--time", format!("{}s", self.time.as_secs_f64()));
        }
        if self.seed.seed() != usual.seed {
            given("--seed", self.seed.seed().0.to_string());
        }
        if self.inputs != usual.inputs {
            given("--inputs", self.inputs.to_string());
        }
        if self.mutants != usual.mutants {
            given("--mutants", self.mutants.to_string());
        }
        words
    }
}

/// The key of the whole run of a subject.
fn key_of(manifest: &Manifest, options: &RunOptions) -> Result<Key, Failure> {
    let RunOptions { seed, time, inputs, mutants, version, .. } = options;
    let asked = format!("{seed:?} {time:?} {inputs} {mutants}");
    subject_key(KeyBuilder::new("subject").with(version).with(asked), manifest)
}

/// The command that does this work, wherever its session is and its result is printed. Options with their usual value are left out.
fn command(work: &WorkArgs) -> Vec<String> {
    let paths = work.paths.iter().map(|path| path.display().to_string());
    let verb = ["run".to_owned()].into_iter();
    match work.paths.iter().any(|path| path.to_string_lossy().starts_with('-')) {
        true => verb.chain(work.repeated()).chain(["--".to_owned()]).chain(paths).collect(),
        false => verb.chain(paths).chain(work.repeated()).collect(),
    }
}

/// The options as the session keeps them.
fn words(options: &RunOptions) -> String {
    let RunOptions { time, inputs, mutants, .. } = options;
    format!("{{\"time\":{},\"inputs\":{inputs},\"mutants\":{mutants}}}", time.as_secs_f64())
}

/// A run with these options, which [`words`] has in words.
fn new_run<'a>(options: &RunOptions, words: &'a str) -> NewRun<'a> {
    NewRun { version: env!("CARGO_PKG_VERSION"), seed: options.seed.0, options: words }
}

/// A subject that was not begun.
fn left(path: &Path) -> Result<SubjectRun, Failure> {
    let (subject, manifest) = (path.display().to_string(), path.display().to_string());
    Ok(SubjectRun { left: vec![subject.clone()], subject, manifest, ..SubjectRun::default() })
}

/// One subject: as it is kept, if nothing has changed, or run.
fn one(
    path: &Path,
    (session, run): (&mut Session, RunId),
    (options, against): (&RunOptions, Option<&str>),
    shards: Option<&Shards>,
    interrupted: &Interruption,
) -> Result<SubjectRun, Failure> {
    let manifest = manifest(path)?;
    if dodona::is_outside(&manifest) {
        if let Some(record) =
            shards.and_then(|shards| shards.outside(&manifest)).filter(|_| against.is_none())
        {
            return Ok(record);
        }
        return outside(&manifest, (options, against), interrupted);
    }
    let mut progress = Progress::of_stages();
    progress.update(&format!("{}: build", manifest.name), 0, 1);
    let key = key_of(&manifest, options)?;
    let file = manifest.path.display().to_string();
    let mut kept = Kept::new(session, run, file, manifest.name.clone());
    let name = manifest.name.clone();
    let mut opened = None;
    let mut record = match kept.subject(key).map_err(run_failure)? {
        Some(record) => record,
        None => {
            let workbench = Arc::new(dodona_wasm::open(manifest.clone()).map_err(open::lab_failure)?);
            let begun = Instant::now();
            let record =
                run_subject(&workbench, &mut kept, options, interrupted, &mut telling(&mut progress, &name));
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
    if let Some(shards) = shards {
        shards.note_done(kept.done());
    }
    if let Some(why) = kept.broken() {
        complain(&format!("warning: the next run does again what could not be kept: {why}\n"));
    }
    Ok(record)
}

/// Shows how far the run of a subject is.
fn telling<'a>(progress: &'a mut Progress, name: &'a str) -> impl FnMut(&RunProgress<'_>) + 'a {
    move |p| progress.update(&format!("{name}: {} of {}", p.step.name(), p.about), p.done, p.planned)
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
    let record = dodona_run::run_outside(&opened, &options, interrupted, &mut telling(&mut progress, &name));
    progress.finish();
    record.map_err(run_failure)
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

fn run_failure(error: RunError) -> Failure {
    match error {
        RunError::Lab(error) => open::lab_failure(error),
        RunError::Session(error) => failure(error),
    }
}
