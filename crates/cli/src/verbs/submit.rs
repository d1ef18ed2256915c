//! `dodona submit SUBJECT… --engine ENGINE`

mod engine;
mod github;
mod hyperqueue;
mod job;
mod kubernetes;
mod slurm;
mod status;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use dodona_session::ShardNumber;

use super::run::WorkArgs;
use super::run::planned::{ShardsArgs, planned};
use crate::args::{JobsArgs, duration};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, write};
use crate::shards::{has_no_others, missing};
use crate::shell;
use engine::Engine;
use job::{Job, ranges};

const EXAMPLES: &str = "\
Examples:
  dodona submit subjects/* --engine slurm --shards 16         writes the scripts of a job array and of the merge that waits for it
  dodona submit subjects/* --engine slurm --shards 16 --now   submits them too; again, only what is missing
  dodona submit --status                                      which shards are there, and what the engine says of the others

Exit codes: 0 written, submitted, or told; 2 bad usage, a script that was edited stands there, or the engine is not installed; 3 with --status, shards are missing; 4 a subject \
does not build, or the engine refused.";

/// Write the jobs that do a run in shards on a cluster or in CI, and submit them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// What runs the jobs
    #[arg(long, value_enum, required_unless_present = "status")]
    pub(crate) engine: Option<Engine>,
    /// Into how many parts the run is divided [default: so many that each takes about ten minutes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) shards: Option<u32>,
    /// Also submit what is written, of shards only those that are neither there yet nor queued
    #[arg(long)]
    pub(crate) now: bool,
    /// Only say where the shards stand
    #[arg(long, conflicts_with_all = ["engine", "shards", "now"])]
    pub(crate) status: bool,
    #[command(flatten)]
    pub(crate) files: ShardsArgs,
    /// The folder that the jobs are written to. The workflow of GitHub is .github/workflows/FOLDER.yml at the top of the repository
    #[arg(long, value_name = "FOLDER", default_value = "dodona-jobs")]
    pub(crate) folder: PathBuf,
    /// Processors of each shard
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) shard_cpus: std::num::NonZeroU32,
    /// Memory of each shard, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    pub(crate) shard_memory: u64,
    /// The longest that the engine lets a shard run [default: three times the estimate of the longest, and ten minutes]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) shard_limit: Option<std::time::Duration>,
    /// The image with Dodona and the compilers that it needs, for Kubernetes
    #[arg(long, value_name = "IMAGE", default_value = "dodona:latest")]
    pub(crate) image: String,
    /// The command that brings Dodona, and the compilers that it needs, onto a runner of GitHub
    #[arg(long, value_name = "COMMAND")]
    pub(crate) install: Option<String>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
}

/// Writes jobs, and submits them if that is asked for; or tells where they stand.
pub(crate) fn run(args: &SubmitArgs) -> Result<Exit, Failure> {
    let Some(engine) = args.engine.filter(|_| !args.status) else { return status::run(args) };
    let planned = planned(&args.work, &args.files, JobsArgs::default(), args.shards)?;
    let failed = planned.complain();
    if failed != Exit::Success {
        complain("error: nothing was written: mend what failed, or leave it out\n");
        return Ok(failed);
    }
    has_no_others(&args.files.to, &planned.head)?;
    let job = Job::new(args, &planned)?;
    engine.check(&job)?;
    let missing = missing(&args.files.to, &planned.head);
    write_files(engine, &job, &missing, args)?;
    write(&format!("{}\n", job.words(missing.len())))?;
    if missing.is_empty() {
        write(&format!("all shards are there: dodona merge {}\n", shell::path(&args.files.to)))?;
        return Ok(Exit::Success);
    }
    match args.now {
        true => submit(engine, &job, &missing),
        false => {
            write(&format!("to submit:{}\n", by_hand(engine, &job, &missing)))?;
            Ok(Exit::Success)
        }
    }
}

/// Writes the files of a job, all or none.
fn write_files(engine: Engine, job: &Job, missing: &[ShardNumber], args: &SubmitArgs) -> Result<(), Failure> {
    let files = engine.files(job);
    for (path, _) in &files {
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        let failed = |error| Failure::usage(format!("cannot make {}: {error}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        destination(path, args).check().map_err(|why| match path.exists() {
            true => edited(path, missing, &by_hand(engine, job, missing)),
            false => why,
        })?;
    }
    for (path, text) in &files {
        destination(path, args).write(job::signed(text).as_bytes())?;
        write(&format!("wrote {}\n", path.display()))?;
    }
    status::note(job, engine)
}

/// The commands that submit, as they are typed: one behind what is said before it, several below it.
fn by_hand(engine: Engine, job: &Job, missing: &[ShardNumber]) -> String {
    let commands = [engine.first(job), engine.submits(job, missing, &[])].concat();
    match commands.as_slice() {
        [one] => format!(" {one}"),
        several => several.iter().map(|command| format!("\n  {command}")).collect(),
    }
}

/// A file of a job: one that nobody edited may be replaced.
fn destination<'a>(path: &'a Path, args: &SubmitArgs) -> Destination<'a> {
    Destination::new(path, args.overwrite).known_by(job::is_signed)
}

fn edited(path: &Path, missing: &[ShardNumber], by_hand: &str) -> Failure {
    let missing = match missing {
        [] => "no shard is missing".to_owned(),
        some => format!("missing are the shards {}; what is there is submitted by:{by_hand}", ranges(some)),
    };
    Failure::usage(format!(
        "{} was edited since it was written, and is kept, and nothing was written; --overwrite writes it anew, and --folder elsewhere; {missing}",
        path.display()
    ))
}

/// Runs the command that submits the shards that the engine does not have yet.
fn submit(engine: Engine, job: &Job, missing: &[ShardNumber]) -> Result<Exit, Failure> {
    let program = engine.program();
    if Command::new(program).arg("--version").output().is_err() {
        return Err(Failure::usage(format!(
            "{program} is not here, so that nothing was submitted: {}; or run there:{}",
            engine.installed_by(),
            by_hand(engine, job, missing)
        )));
    }
    let (queued, before) = engine.queued(job, missing);
    if !queued.is_empty() {
        write(&format!("queued or running, and not submitted again: {}\n", ranges(&queued)))?;
    }
    let rest: Vec<ShardNumber> = missing.iter().filter(|shard| !queued.contains(shard)).copied().collect();
    if rest.is_empty() {
        return Ok(Exit::Success);
    }
    let command = engine.submits(job, &rest, &before).join(" && ");
    let output = Command::new("sh").args(["-c", &command]).output();
    let output = output.map_err(|error| Failure::usage(format!("cannot run {command}: {error}")))?;
    complain(&String::from_utf8_lossy(&output.stderr));
    write(&String::from_utf8_lossy(&output.stdout))?;
    if output.status.success() {
        return Ok(Exit::Success);
    }
    let first = match engine.first(job).as_slice() {
        [] => String::new(),
        first => format!("; before it come: {}", first.join("; ")),
    };
    let folder = job.folder.display();
    Err(Failure::new(Exit::Subject, format!("{command} failed{first}; the jobs are in {folder}")))
}
