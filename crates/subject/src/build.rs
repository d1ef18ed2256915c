//! Building a subject's module from C, Rust or AssemblyScript.
//!
//! Whoever opens a subject ([`open`]) holds the bytes that the stamp of the build is of, and not those that lie at the path by then. So
//! builds of one name at the same time cannot swap modules.

mod assemblyscript;
mod c;
mod c_failures;
mod c_glue;
mod c_worker;
mod call_code;
mod cargo_inputs;
mod clang_inputs;
mod dependencies;
mod document;
pub(crate) mod glue;
mod glue_package;
mod inputs;
mod linker;
mod native;
mod panics;
mod products;
mod programs;
mod refused;
mod response_files;
mod rust;
mod syntax;
mod thin_archives;
mod unsuited;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use c::KeptObjects;
pub use c_glue::called_in;
pub use document::document;
pub use native::{Sanitizer, answer_order, forget_native, native_program, native_signatures};
pub use panics::PANIC_HOOK;
pub use syntax::syntax_tree;

use crate::module::debug::source_map;
use crate::{CrateHome, Manifest, Module, ModuleError, ModuleSource};
use assemblyscript::AssemblyScript;
use c::C;
use dodona_target::{fnv1a, user_file};
use glue::GlueKind;
use inputs::Inputs;
use products::{Products, put};

pub use products::cache_folder;

/// Why a module could not be had.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The compiler is not installed.
    #[error("{tool} is not installed; {hint}")]
    ToolMissing {
        /// What is missing.
        tool: String,
        /// How to install it.
        hint: String,
    },
    /// The compiler refused.
    #[error("{command} failed:\n{output}")]
    Failed {
        /// The command line.
        command: String,
        /// What the compiler said.
        output: String,
    },
    /// The compiler refused the calls of some functions.
    #[error("{}", .0.iter().map(|refused| refused.words.as_str()).collect::<Vec<_>>().join("\n"))]
    Refused(Vec<Refused>),
    /// The manifest asks for something that cannot be built.
    #[error("{0}")]
    Unsupported(String),
    /// A file cannot be read or written.
    #[error("cannot {action} {path}: {error}", path = .path.display())]
    File {
        /// What was tried: read, write, create.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A module in the text format does not parse.
    #[error("the module's text does not parse: {0}")]
    Text(String),
    /// What was built or named is not a module.
    #[error("{path}: {error}", path = .path.display())]
    Module {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ModuleError,
    },
}

/// A function whose call does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name in the manifest.
    pub function: String,
    /// What the compiler says of it, in terms of the manifest.
    pub words: String,
}

/// How much to rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebuild {
    /// Only when something that the last build read, looked for or was run with has changed.
    WhenStale,
    /// Always.
    Always,
}

/// Builds the module that a manifest describes (or finds the one it names) and returns its path.
///
/// Products lie in `.dodona/` beside the manifest, or in the user's cache folder where that
/// cannot be written; they are made under another name and moved, so an interrupted build leaves the old one.
///
/// # Errors
/// When a compiler is missing or fails, or a file cannot be read or written.
pub fn build(manifest: &Manifest, rebuild: Rebuild) -> Result<PathBuf, BuildError> {
    match &manifest.source {
        ModuleSource::File(path) => Ok(path.clone()),
        _ => built(manifest, rebuild).map(|(path, _)| path),
    }
}

/// Builds or finds a manifest's module and reads it; also its path. Of several builds of one name at the same time each gets the module
/// that it made.
///
/// # Errors
/// When it cannot be built or read, or is not a valid module.
pub fn open(manifest: &Manifest, rebuild: Rebuild) -> Result<(PathBuf, Module), BuildError> {
    if let ModuleSource::File(path) = &manifest.source {
        return Ok((path.clone(), read_module(path)?));
    }
    let (path, bytes) = built(manifest, rebuild)?;
    let module = Module::parse(bytes).map_err(|error| BuildError::Module { path: path.clone(), error })?;
    Ok((path, module))
}

/// [`open`], without the path.
///
/// # Errors
/// When it cannot be built or read, or is not a valid module.
pub fn load(manifest: &Manifest, rebuild: Rebuild) -> Result<Module, BuildError> {
    open(manifest, rebuild).map(|(_, module)| module)
}

/// Reads a module file, in the binary format or (named `.wat`) in the text format; with its source map, if it names one.
///
/// # Errors
/// When it cannot be read or is not a valid module.
pub fn read_module(path: &Path) -> Result<Module, BuildError> {
    let mut bytes = user_file::bytes(path).map_err(file("read", path))?;
    if path.extension().is_some_and(|e| e == "wat") {
        let named = |mut error: wat::Error| {
            error.set_path(path);
            BuildError::Text(error.to_string())
        };
        bytes = wat::parse_bytes(&bytes).map_err(named)?.into_owned();
    }
    let refused = |error| BuildError::Module { path: path.to_owned(), error };
    let module = Module::parse(bytes).map_err(refused)?;
    let map = source_map::file(&module, path.parent().unwrap_or(Path::new("")));
    // A map that is not there is missed as debug information is: the module runs without it.
    match map.and_then(|map| user_file::bytes(&map).ok()) {
        Some(map) => {
            let mut bytes = module.bytes().to_vec();
            source_map::embed(&mut bytes, &map);
            Module::parse(bytes).map_err(refused)
        }
        None => Ok(module),
    }
}

/// The module of a manifest that says how to build it, with its path.
fn built(manifest: &Manifest, rebuild: Rebuild) -> Result<(PathBuf, Vec<u8>), BuildError> {
    if matches!(manifest.source, ModuleSource::Outside(_)) {
        return Err(no_module(manifest));
    }
    let products = Products::of(manifest)?;
    let bytes = match &manifest.source {
        ModuleSource::File(path) => std::fs::read(path).map_err(file("read", path))?,
        ModuleSource::Outside(_) => return Err(no_module(manifest)),
        ModuleSource::C(source) => {
            let glue = c_glue::CGlue { manifest, source };
            let c = C::new(manifest, source, glue.write()?);
            let make = || {
                let work = products.work(manifest)?;
                let start = SystemTime::now();
                let made = c.compile(&work.inside, &work.inside.join("module.wasm"));
                let mut inputs = made.map_err(|error| glue.explained(error))?;
                inputs.note_changes_since(manifest.folder(), start);
                let module = work.full.join("module.wasm");
                Ok((std::fs::read(&module).map_err(file("read", &module))?, inputs))
            };
            when_stale(&products, manifest.folder(), &c.recipe(), rebuild, make)?
        }
        // Cargo looks at more than files (settings, the environment, what build scripts want), and in 30 ms.
        ModuleSource::Rust { folder, flags } => {
            let module = rust::compile(folder, flags, rebuild)?.module;
            put(&products.module, &module)?;
            module
        }
        ModuleSource::AssemblyScript(source) => {
            let assemblyscript = AssemblyScript::new(manifest, source);
            let make = || assemblyscript.compile(&products.work(manifest)?);
            when_stale(&products, manifest.folder(), &assemblyscript.recipe(), rebuild, make)?
        }
        ModuleSource::Crate(source) => {
            of_crate(&products, glue::Glue { manifest, source, kind: GlueKind::Module }, rebuild)?
        }
    };
    Ok((products.module, bytes))
}

/// What is said where somebody needs the module of a subject that has none.
fn no_module(manifest: &Manifest) -> BuildError {
    BuildError::Unsupported(format!(
        "this works on the code of a WebAssembly module, and {} has none: its [target] is called in processes; `check`, `call`, `replay`, `discover --laws`, \
         `compose`, `frames` and `identify` work on every target",
        manifest.name
    ))
}

/// The module of a crate that is called through glue. A released version never changes, so that cargo is asked about one only when something
/// around it has changed; it is asked each time about a crate in a folder.
fn of_crate(products: &Products, glue: glue::Glue<'_>, rebuild: Rebuild) -> Result<Vec<u8>, BuildError> {
    let folder = glue.write()?;
    // Before a minute of building; later again only where something does not build.
    if !products.module.exists() {
        unsuited::refuse(&folder, rust::TARGET)?;
    }
    let compile = || {
        rust::compile(&folder, &[], rebuild).map_err(|error| match unsuited::refuse(&folder, rust::TARGET) {
            Err(why) => why,
            Ok(()) => glue.explained(error),
        })
    };
    if let CrateHome::Folder(_) | CrateHome::Workspace(_) = glue.source.home {
        let module = compile()?.module;
        put(&products.module, &module)?;
        return Ok(module);
    }
    let make = || {
        let made = compile()?;
        let mut inputs = made.inputs;
        // Not before: cargo writes the versions that it chooses into one of these files.
        inputs.extend(cargo_inputs::of_surroundings(&folder));
        inputs.read.extend(rust::compilers(&folder));
        Ok((made.module, inputs))
    };
    // The folder is named after the code in it.
    let recipe = format!("{}\n{}", folder.display(), cargo_inputs::variables());
    when_stale(products, &folder, &recipe, rebuild, make)
}

/// The module of the last build if that had the same recipe and nothing that it read is otherwise now; else one that is made, from
/// inputs whose relative paths are from a folder.
fn when_stale(
    products: &Products,
    folder: &Path,
    recipe: &str,
    rebuild: Rebuild,
    make: impl FnOnce() -> Result<(Vec<u8>, Inputs), BuildError>,
) -> Result<Vec<u8>, BuildError> {
    if rebuild == Rebuild::WhenStale
        && let Some(module) = current(products, folder, recipe)
    {
        return Ok(module);
    }
    let (module, inputs) = make()?;
    put(&products.module, &module)?;
    put(&products.stamp, stamp(recipe, &inputs, folder, &module).as_bytes())?;
    Ok(module)
}

/// The module that was built last, if a build would make it again.
fn current(products: &Products, folder: &Path, recipe: &str) -> Option<Vec<u8>> {
    let old = std::fs::read_to_string(&products.stamp).ok()?;
    let module = std::fs::read(&products.module).ok()?;
    let inputs = Inputs::parse(&old);
    (inputs.untold.is_empty() && stamp(recipe, &inputs, folder, &module) == old).then_some(module)
}

/// All that decides what is built, with the module that it was built to. Of two builds at the same time, of different sources, one may
/// write the module last and the other one the stamp: then neither is current.
fn stamp(recipe: &str, inputs: &Inputs, folder: &Path, module: &[u8]) -> String {
    let recipe = fnv1a(recipe.as_bytes());
    format!("recipe {recipe:016x}\n{}module {:016x}\n", inputs.state(folder), fnv1a(module))
}

pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> BuildError {
    let path = path.to_owned();
    move |error| BuildError::File { action, path, error }
}
