//! Building a subject's module from C or Rust.

mod c;
mod glue;
mod linker;
mod panics;
mod refused;
mod rust;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

pub use panics::PANIC_HOOK;

use crate::{Manifest, Module, ModuleError, ModuleSource, fnv1a};

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

/// Builds begun in this process.
static BUILDS: AtomicU32 = AtomicU32::new(0);

/// How much to rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebuild {
    /// Only when a source, a flag or the manifest's exports changed.
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
    if let ModuleSource::File(path) = &manifest.source {
        return Ok(path.clone());
    }
    let stamp = fingerprint(manifest)?;
    let folder = product_folder(manifest)?;
    let wasm = folder.join(format!("{}.wasm", manifest.name));
    let stamp_file = folder.join(format!("{}.stamp", manifest.name));
    let is_current = std::fs::read_to_string(&stamp_file)
        .is_ok_and(|text| std::fs::read(&wasm).is_ok_and(|module| text == sealed(&stamp, &module)));
    if rebuild == Rebuild::WhenStale && is_current {
        return Ok(wasm);
    }
    // Builds of one subject at the same time, in this process or another, must not share a file.
    let number = BUILDS.fetch_add(1, Ordering::Relaxed);
    let fresh = folder.join(format!("{}.{}-{number}.tmp", manifest.name, std::process::id()));
    let made = make(manifest, &fresh);
    let read = made.and_then(|()| std::fs::read(&fresh).map_err(file("read", &fresh)));
    let moved =
        read.and_then(|module| std::fs::rename(&fresh, &wasm).map(|()| module).map_err(file("write", &wasm)));
    if moved.is_err() {
        // Nothing half-made may stay; the error that matters is the build's own.
        let _ = std::fs::remove_file(&fresh);
    }
    put(&stamp_file, &sealed(&stamp, &moved?))?;
    Ok(wasm)
}

/// A stamp with the module that it is of. Of two builds at the same time, of different sources, one may write the module last
/// and the other one the stamp: then neither is current.
fn sealed(stamp: &str, module: &[u8]) -> String {
    format!("{stamp}module {:016x}\n", fnv1a(module))
}

/// Writes a file of the build whole or not at all. Where it has that text already it is left alone: another process may be
/// reading it.
fn put(path: &Path, text: &str) -> Result<(), BuildError> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let number = BUILDS.fetch_add(1, Ordering::Relaxed);
    let fresh = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
    let written = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    written.map_err(file("write", path))
}

/// Builds or finds a manifest's module and reads it.
///
/// # Errors
/// When it cannot be built or read, or is not a valid module.
pub fn load(manifest: &Manifest, rebuild: Rebuild) -> Result<Module, BuildError> {
    read_module(&build(manifest, rebuild)?)
}

/// Reads a module file, in the binary format or (named `.wat`) in the text format.
///
/// # Errors
/// When it cannot be read or is not a valid module.
pub fn read_module(path: &Path) -> Result<Module, BuildError> {
    let mut bytes = std::fs::read(path).map_err(file("read", path))?;
    if path.extension().is_some_and(|e| e == "wat") {
        bytes = wat::parse_bytes(&bytes).map_err(|e| BuildError::Text(e.to_string()))?.into_owned();
    }
    Module::parse(bytes).map_err(|error| BuildError::Module { path: path.to_owned(), error })
}

fn make(manifest: &Manifest, output: &Path) -> Result<(), BuildError> {
    match &manifest.source {
        ModuleSource::File(_) => Ok(()),
        ModuleSource::C { files, flags } => c::compile(manifest, files, flags, output),
        ModuleSource::Rust { folder, flags } => rust::compile(folder, flags, output),
        ModuleSource::Crate { name, version, paths, types } => {
            let glue = glue::Glue { manifest, name, version, paths, types };
            let folder = glue.write()?;
            rust::compile(&folder, &[], output).map_err(|error| glue.explained(error))
        }
    }
}

/// Where things that may be deleted at any time are kept: `$DODONA_CACHE`, else the user's cache folder.
pub(crate) fn cache_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    from("DODONA_CACHE")
        .or_else(|| from("XDG_CACHE_HOME").map(|c| c.join("dodona")))
        .or_else(|| from("HOME").map(|h| h.join(".cache/dodona")))
        .unwrap_or_else(|| std::env::temp_dir().join("dodona"))
}

fn product_folder(manifest: &Manifest) -> Result<PathBuf, BuildError> {
    let beside = manifest.folder().join(".dodona");
    if std::fs::create_dir_all(&beside).is_ok() && is_writable(&beside) {
        return Ok(beside);
    }
    let full = std::path::absolute(manifest.folder()).unwrap_or_else(|_| manifest.folder().to_owned());
    let cached =
        cache_folder().join("built").join(format!("{:016x}", fnv1a(full.as_os_str().as_encoded_bytes())));
    std::fs::create_dir_all(&cached).map_err(file("create", &cached))?;
    Ok(cached)
}

fn is_writable(folder: &Path) -> bool {
    let probe = folder.join(format!(".probe{}", std::process::id()));
    let written = std::fs::write(&probe, b"").is_ok();
    let _ = std::fs::remove_file(&probe);
    written
}

/// Everything that decides what is built, as text.
fn fingerprint(manifest: &Manifest) -> Result<String, BuildError> {
    let mut sources = Vec::new();
    match &manifest.source {
        ModuleSource::File(_) | ModuleSource::Crate { .. } => {}
        ModuleSource::C { files, .. } => {
            sources.extend(files.iter().cloned());
            let folders: std::collections::BTreeSet<_> = files.iter().filter_map(|f| f.parent()).collect();
            for folder in folders {
                collect(folder, &|p| p.extension().is_some_and(|e| e == "h"), &mut sources)?;
            }
        }
        ModuleSource::Rust { folder, .. } => {
            let wanted = |p: &Path| p.extension().is_some_and(|e| e == "rs" || e == "toml" || e == "lock");
            collect(folder, &wanted, &mut sources)?;
        }
    }
    sources.sort();
    let mut text = format!("{:?}\n", manifest.source);
    for function in &manifest.functions {
        text += &format!("{} {:?} {:?}\n", function.export, function.arguments, function.result);
    }
    for source in sources {
        let bytes = std::fs::read(&source).map_err(file("read", &source))?;
        text += &format!("{:016x} {}\n", fnv1a(&bytes), source.display());
    }
    // The same subject named by another path is not stale.
    let folder = manifest.folder().display().to_string();
    Ok(if folder.is_empty() { text } else { text.replace(&folder, ".") })
}

fn collect(
    folder: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> Result<(), BuildError> {
    for entry in std::fs::read_dir(folder).map_err(file("read", folder))? {
        let path = entry.map_err(file("read", folder))?.path();
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.') || n == "target");
        if hidden {
            continue;
        }
        if path.is_dir() {
            collect(&path, wanted, found)?;
        } else if wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}

pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> BuildError {
    let path = path.to_owned();
    move |error| BuildError::File { action, path, error }
}

/// Runs a compiler and returns its standard output.
fn run(mut command: Command, hint: &str) -> Result<Vec<u8>, BuildError> {
    let line = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|w| w.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ");
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(std::process::Stdio::null()).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => BuildError::ToolMissing { tool: tool.clone(), hint: hint.to_owned() },
        _ => BuildError::File { action: "run", path: tool.clone().into(), error },
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(BuildError::Failed { command: line, output: said })
}
