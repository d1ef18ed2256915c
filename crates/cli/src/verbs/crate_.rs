//! `cargo dodona`, which is `dodona crate`: from the folder of a Rust crate to relations of its functions that are kept beside it and checked by every later run.

mod again;
mod files;
mod first;
mod kept;
mod package;
mod screen;
mod surveyed;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use dodona_emit::Language;

use super::emit::{self, EmitArgs};
use crate::args::{JobsArgs, RelationArgs, SeedArgs, SubjectArgs, duration};
use crate::crate_functions::{choose, interface, source};
use crate::destination::OverwriteArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use files::Home;
use package::Package;

const EXAMPLES: &str = "\
Examples:
  cargo dodona                        in a crate: finds relations, keeps them in dodona/; run again, checks them
  cargo dodona --time 30s             in half a minute
  cargo dodona --functions gcd,lcm    of these functions
  cargo dodona --again                looks for more, and adds only what is new
  cargo dodona --write-tests          also writes tests/metamorphic.rs, for cargo test
  cargo dodona --list                 which functions can be called, and why others cannot
  cargo dodona --package core-part    in a workspace

Exit codes: 0 done, and every relation that is kept holds; 1 a kept relation is violated; 2 bad usage, no function that can be called, or nothing that \
could be checked; 3 the time was up before anything was known; 4 the crate does not compile, or its code cannot be run; 5 a mistake in Dodona; \
130 interrupted, and what was found is kept.";

/// Find relations of a Rust crate from its folder, keep them in dodona/, and check them from then on; also `cargo dodona`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CrateArgs {
    /// Seconds for the search, shared between the functions; also 90s, 2m. The build of the crate comes on top
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    time: Duration,
    /// These functions alone, by name or by the end of their path
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    functions: Vec<String>,
    /// List the functions that can be called, with why others cannot, and do nothing else
    #[arg(long, conflicts_with_all = ["again", "write_tests"])]
    list: bool,
    /// Search again beside the relations that are kept, and add what is new
    #[arg(long)]
    again: bool,
    /// Write the relations that are kept also as tests/metamorphic.rs, which `cargo test` runs
    #[arg(long)]
    write_tests: bool,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    package: PackageArgs,
}

/// Which package, as cargo has it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Package")]
struct PackageArgs {
    /// The member of the workspace
    #[arg(long, short, value_name = "NAME")]
    package: Option<String>,
    /// The Cargo.toml, or that of the workspace [default: of the folder, or of the nearest one above]
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Features, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    features: Vec<String>,
    /// All features
    #[arg(long, conflicts_with = "features")]
    all_features: bool,
    /// Without the default features
    #[arg(long)]
    no_default_features: bool,
    /// Where manifest and relations are kept [default: dodona beside the Cargo.toml of the package]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// What every way of running it needs.
struct Job<'a> {
    args: &'a CrateArgs,
    package: Package,
    home: Home,
}

impl Job<'_> {
    fn threads(&self) -> NonZeroUsize {
        self.args.jobs.threads()
    }
}

/// Finds the package, and does what its folder is ready for.
pub(crate) fn run(args: &CrateArgs) -> Result<Exit, Failure> {
    let package = package::find(&args.package)?;
    let home = Home::new(args.package.folder.as_deref(), &package)?;
    let job = Job { args, package, home };
    let exit = match (args.list, job.home.is_kept()) {
        (true, _) => return list(&job),
        (false, false) => first::run(&job),
        (false, true) if args.again => again::run(&job),
        (false, true) => kept::run(&job),
    }?;
    match args.write_tests && exit == Exit::Success {
        true => write_tests(&job),
        false => Ok(exit),
    }
}

/// Writes the relations that are kept as tests of the package.
fn write_tests(job: &Job<'_>) -> Result<Exit, Failure> {
    emit::run(&EmitArgs {
        subject: SubjectArgs { path: job.home.manifest.clone() },
        relations: RelationArgs::default(),
        language: Language::Rust,
        standalone: false,
        module: None,
        output: Some(files::from_here(&job.package.folder.join("tests/metamorphic.rs"))),
        overwrite: OverwriteArgs::default(),
        seed: SeedArgs { number: job.args.seed.number },
    })
}

fn list(job: &Job<'_>) -> Result<Exit, Failure> {
    // Nothing is written, so that the folder need not be there.
    let folder = &job.package.folder;
    let source = source(&job.package.head(&job.args.package, folder), folder)?;
    let mut interface = interface(&source)?;
    choose(&mut interface, &job.args.functions)?;
    write(&screen::listing(&job.package, &interface))?;
    Ok(if interface.functions.is_empty() { Exit::Usage } else { Exit::Success })
}
