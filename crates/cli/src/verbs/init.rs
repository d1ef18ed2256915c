//! `dodona init MODULE.wasm`

use std::path::PathBuf;

use clap::Args;
use dodona_subject::{build, draft};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;

/// Write a first manifest for a module, from its exports and its debug information
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The module
    #[arg(value_name = "MODULE.wasm")]
    pub(crate) module: PathBuf,
}

/// Writes `NAME.toml` and `NAME.mr` beside the module; files that exist are kept.
pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    let module = build::read_module(&args.module).map_err(open::input_failure)?;
    let stem = args.module.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file = args.module.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let draft = draft(&module, &stem, &file);
    if draft.functions == 0 {
        return Err(Failure::usage(format!(
            "{} exports no function that could be tested; export one (for clang: -Wl,--export=NAME)",
            args.module.display()
        )));
    }
    let manifest = args.module.with_extension("toml");
    let relations = args.module.with_extension("mr");
    let files = [(manifest.as_path(), draft.manifest.as_bytes()), (&relations, draft.relations.as_bytes())];
    dodona_sources::write_new(&files).map_err(|(path, error)| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure::usage(format!("{} exists and is kept; move it away to have a new one", path.display()))
        }
        _ => Failure::usage(format!("cannot write {}: {error}", path.display())),
    })?;
    let left_out = draft.left_out.iter().map(|(export, why)| format!("left out {export}: {why}\n"));
    let (toml, mr) = (manifest.display(), relations.display());
    let wrote = format!("wrote {toml} and {mr}\nedit both, then: dodona check {toml}\n");
    write(&left_out.chain([wrote]).collect::<String>())?;
    Ok(Exit::Success)
}
