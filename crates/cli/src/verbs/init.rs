//! `dodona init MODULE.wasm`, `dodona init --c FILE…`, `dodona init --crate NAME`, `dodona init --python MODULE` and `dodona init --openapi DOCUMENT`

mod drafted;
mod library;
mod of_c;
mod of_crate;
mod of_openapi;
mod of_python;
mod probing;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use dodona_generation::SearchOptions;
use dodona_subject::{build, draft};
use dodona_target::on_one_line;

use crate::destination::{OverwriteArgs, write_together};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use crate::{interrupt, open, shell};

/// The longest search for conditions on paths. A draft is edited by hand: what is found in so long is enough to begin with.
const SEARCH: Duration = Duration::from_secs(20);

/// Write a first manifest: for a module, from its exports and its debug information, for a library in C, from its headers, or for a Rust crate, from its documentation
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The module; with --frames a subject
    #[arg(value_name = "MODULE.wasm", required_unless_present_any = ["of", "c", "python", "openapi"])]
    pub(crate) module: Option<PathBuf>,
    /// Draft a file of categories and choices for a function of a subject, frames.toml beside its manifest
    #[arg(long, value_name = "FUNCTION", num_args = 0..=1, require_equals = true)]
    pub(crate) frames: Option<Option<String>>,
    #[command(flatten)]
    of_c: of_c::CArgs,
    #[command(flatten)]
    of_crate: of_crate::CrateArgs,
    #[command(flatten)]
    library: library::LibraryArgs,
    #[command(flatten)]
    of_python: of_python::PythonArgs,
    #[command(flatten)]
    of_openapi: of_openapi::OpenApiArgs,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
}

impl InitArgs {
    /// The arguments of `dodona init --crate CRATE --into FOLDER`.
    pub(crate) fn of_crate(source: &Path, into: &Path) -> InitArgs {
        InitArgs {
            module: None,
            frames: None,
            of_c: of_c::CArgs::default(),
            of_crate: of_crate::CrateArgs::of_folder(source),
            library: library::LibraryArgs::into_folder(into),
            of_python: of_python::PythonArgs::default(),
            of_openapi: of_openapi::OpenApiArgs::default(),
            overwrite: OverwriteArgs::default(),
        }
    }

    /// The arguments of `dodona init MODULE.wasm`.
    pub(crate) fn of_module(module: &Path) -> InitArgs {
        InitArgs {
            module: Some(module.to_owned()),
            frames: None,
            of_c: of_c::CArgs::default(),
            of_crate: of_crate::CrateArgs::default(),
            library: library::LibraryArgs::default(),
            of_python: of_python::PythonArgs::default(),
            of_openapi: of_openapi::OpenApiArgs::default(),
            overwrite: OverwriteArgs::default(),
        }
    }
}

/// Writes `NAME.toml` and `NAME.mr` beside the module; files that exist are kept, unless they may be replaced.
pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    if let Some(named) = &args.of_crate.of {
        return of_crate::run(&args.of_crate, &args.library, named, args.overwrite);
    }
    if !args.of_c.c.is_empty() {
        return of_c::run(&args.of_c, &args.library, args.overwrite);
    }
    if let Some(module) = &args.of_python.python {
        return of_python::run(&args.of_python, module, args.overwrite);
    }
    if let Some(document) = &args.of_openapi.openapi {
        return of_openapi::run(&args.of_openapi, document, args.overwrite);
    }
    let Some(path) = &args.module else { unreachable!("clap asks for one of them") };
    if let Some(function) = &args.frames {
        return frames(args, path, function.as_deref());
    }
    if let Some(failure) = function_of_crate(path) {
        return Err(failure);
    }
    let module = build::read_module(path).map_err(open::input_failure)?;
    let file = path.file_name().unwrap_or_default().to_str().ok_or_else(|| {
        let module = path.display();
        Failure::usage(format!(
            "the name of {module} is not UTF-8, and a manifest could not name it; rename it"
        ))
    })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let draft = draft(&module, &stem, file);
    let left_out = draft.left_out.iter();
    let left_out =
        left_out.map(|(export, why)| format!("left out {}: {}\n", on_one_line(export), on_one_line(why)));
    let left_out: String = left_out.collect();
    if draft.functions == 0 {
        let module = path.display();
        return Err(Failure::usage(
            format!(
                "{module} exports no function that could be tested; export one (for clang: -Wl,--export=NAME)\n{left_out}"
            )
            .trim_end(),
        ));
    }
    let manifest = path.with_extension("toml");
    let relations = path.with_extension("mr");
    let files = [(manifest.as_path(), draft.manifest.as_bytes()), (&relations, draft.relations.as_bytes())];
    write_together(&files, args.overwrite)?;
    let (toml, mr, pasted) = (manifest.display(), relations.display(), shell::path(&manifest));
    write(&format!("{left_out}wrote {toml} and {mr}\nedit both, then: dodona check {pasted}\n"))?;
    Ok(Exit::Success)
}

/// What to do for `dodona init bytecount::count`: there is no module yet from which a manifest could be written.
fn function_of_crate(named: &Path) -> Option<Failure> {
    let (name, function) = named.to_str()?.split_once("::")?;
    let function = function.rsplit("::").next()?;
    (!named.exists()).then(|| {
        Failure::usage(format!(
            "{} is no module; for a function of a crate: dodona init --crate {name} --functions {function}",
            named.display()
        ))
    })
}

/// Writes `frames.toml` beside a manifest; a file that exists is kept, unless it may be replaced.
fn frames(args: &InitArgs, path: &Path, function: Option<&str>) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(SEARCH);
    let workbench = open::without_relations(path)?;
    let function = open::function(&workbench, function)?;
    let declared = &workbench.functions()[function];
    if declared.parameters.is_empty() {
        let message = format!("`{}` has no parameters: nothing distinguishes its inputs", declared.name);
        return Err(Failure::usage(message));
    }
    let search = SearchOptions { time: Some(SEARCH), ..SearchOptions::default() };
    let text = dodona_frames::draft(&workbench, function, &search, interrupted).map_err(open::lab_failure)?;
    let file = workbench.target.manifest.path.with_file_name("frames.toml");
    write_together(&[(file.as_path(), text.as_bytes())], args.overwrite)?;
    let subject = shell::path(path);
    write(&format!("wrote {}\nedit it, then: dodona frames {subject}\n", file.display()))?;
    Ok(Exit::Success)
}
