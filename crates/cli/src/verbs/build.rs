//! `dodona build SUBJECT…`

use clap::Args;
use dodona_subject::build::{self, Rebuild};

use crate::args::SubjectsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;
use crate::several::Failed;

/// Build a subject's module from C, Rust or a crate of crates.io
#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) subjects: SubjectsArgs,
    /// Build even when nothing changed, also what is built for this machine when it is next called
    #[arg(long)]
    pub(crate) force: bool,
}

/// Builds each subject's module and says where it lies.
pub(crate) fn run(args: &BuildArgs) -> Result<Exit, Failure> {
    let rebuild = if args.force { Rebuild::Always } else { Rebuild::WhenStale };
    let paths = &args.subjects.paths;
    let (_, failed) = Failed::run(
        "subjects",
        paths,
        |path| path.display().to_string(),
        |path| {
            let manifest = open::manifest(path)?;
            if args.force {
                build::forget_native(&manifest).map_err(open::build_failure)?;
            }
            let (wasm, module) = build::open(&manifest, rebuild).map_err(open::build_failure)?;
            let (functions, bytes) = (module.function_count(), module.bytes().len());
            write(&format!("{} ({functions} functions, {bytes} bytes)\n", wasm.display()))
        },
    );
    Ok(failed.or(Exit::Success))
}
