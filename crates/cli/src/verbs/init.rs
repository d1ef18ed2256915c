//! `dodona init MODULE.wasm`

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use dodona_generation::SearchOptions;
use dodona_subject::{build, draft};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use crate::{interrupt, open};

/// The longest search for conditions on paths. A draft is edited by hand: what is found in so long is enough to begin with.
const SEARCH: Duration = Duration::from_secs(20);

/// Write a first manifest for a module, from its exports and its debug information
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The module; with --frames a subject
    #[arg(value_name = "MODULE.wasm")]
    pub(crate) module: PathBuf,
    /// Draft a file of categories and choices for a function of a subject, frames.toml beside its manifest
    #[arg(long, value_name = "FUNCTION", num_args = 0..=1, require_equals = true)]
    pub(crate) frames: Option<Option<String>>,
}

/// Writes `NAME.toml` and `NAME.mr` beside the module; files that exist are kept.
pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    if let Some(function) = &args.frames {
        return frames(args, function.as_deref());
    }
    if let Some(failure) = function_of_crate(&args.module) {
        return Err(failure);
    }
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

/// What to do for `dodona init bytecount::count`: there is no module yet from which a manifest could be written.
fn function_of_crate(named: &Path) -> Option<Failure> {
    let (name, function) = named.to_str()?.split_once("::")?;
    let function = function.rsplit("::").next()?;
    (!named.exists()).then(|| {
        Failure::usage(format!(
            "{} is no module; for a function of a crate of crates.io write dodona.toml yourself:\n\
             \x20 [build]\n  crate = \"{name}\"\n\n  [[function]]\n  signature = \"{function}(a: i32, b: [u8]) -> u32\"   # as it is in the crate\n\
             \x20 relations = [\"{function}.mr\"]",
            named.display()
        ))
    })
}

/// Writes `frames.toml` beside a manifest; a file that exists is kept.
fn frames(args: &InitArgs, function: Option<&str>) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(SEARCH);
    let workbench = open::without_relations(&args.module)?;
    let function = open::function(&workbench, function)?;
    let declared = &workbench.manifest.functions[function];
    if declared.parameters.is_empty() {
        let message = format!("`{}` has no parameters: nothing distinguishes its inputs", declared.name);
        return Err(Failure::usage(message));
    }
    let search = SearchOptions { time: Some(SEARCH), ..SearchOptions::default() };
    let text = dodona_frames::draft(&workbench, function, &search, interrupted).map_err(open::lab_failure)?;
    let file = workbench.manifest.path.with_file_name("frames.toml");
    dodona_sources::write_new(&[(file.as_path(), text.as_bytes())]).map_err(|(path, error)| {
        match error.kind() {
            std::io::ErrorKind::AlreadyExists => Failure::usage(format!(
                "{} exists and is kept; move it away to have a new one",
                path.display()
            )),
            _ => Failure::usage(format!("cannot write {}: {error}", path.display())),
        }
    })?;
    let subject = args.module.display();
    write(&format!("wrote {}\nedit it, then: dodona frames {subject}\n", file.display()))?;
    Ok(Exit::Success)
}
