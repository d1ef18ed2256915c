//! The manifest: what module is tested, how it is built, and which functions with what domains.

mod assemblyscript_source;
mod builder;
mod c_source;
mod calls;
mod compile_commands;
mod domains;
mod functions;
mod homes;
mod included;
mod library;
mod lowerings;
mod numbers;
mod program_keys;
mod rust_types;
mod sampling;
mod section;
mod signature;
mod source;
mod target;
mod written;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Function, Outside, signatures};
use dodona_target::{Diagnostic, Signature, folder_of, user_file};

pub use included::leave_included;
pub(crate) use signature::is_word;
pub use signature::{SignatureResult, WrittenSignature};
pub use written::{Form, Spelling, Written};

/// A unit of work that a call may use up: about one WebAssembly instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fuel(pub u64);

/// What one call may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Fuel a call.
    pub fuel: Fuel,
    /// Linear memory in bytes.
    pub memory: u64,
    /// Call stack in bytes.
    pub stack: u64,
    /// How long a call may take that counts no fuel: of a program, or of a function in a worker.
    pub time: Duration,
    /// What a program may write, in bytes: to each of its streams, and in files that are read.
    pub output: u64,
    /// How many processes a program may be at a time: itself and those that it starts.
    pub processes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: Fuel(10_000_000),
            memory: 64 << 20,
            stack: 512 << 10,
            time: Duration::from_secs(10),
            output: 1 << 20,
            processes: 64,
        }
    }
}

/// Where the module comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum ModuleSource {
    /// A module that exists.
    File(PathBuf),
    /// C and C++ files for clang.
    C(CSource),
    /// A Rust crate of type `cdylib`.
    Rust {
        /// The folder of its `Cargo.toml`.
        folder: PathBuf,
        /// More flags for cargo.
        flags: Vec<String>,
    },
    /// A Rust crate that is called as it is, through generated glue.
    Crate(CrateSource),
    /// A module of AssemblyScript, whose functions are called through generated glue where they need it.
    AssemblyScript(AssemblyScriptSource),
    /// No module: programs, or functions that workers call.
    Outside(Outside),
}

/// C and C++ files: how they are compiled, and what of them is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CSource {
    /// The files, as absolute paths.
    pub files: Vec<PathBuf>,
    /// Flags for all of them: where headers are, what is defined, and what else is given.
    pub flags: Vec<String>,
    /// Flags of single files, as the build of the project itself has them.
    pub own_flags: BTreeMap<PathBuf, Vec<String>>,
    /// The headers that calls need, as `#include` names them.
    pub headers: Vec<String>,
    /// C or C++ code before the calls: what they need that no header has.
    pub prelude: String,
    /// How each function of the manifest is called, in order; nothing where the function is an export as it stands.
    pub calls: Vec<Option<String>>,
    /// The types in the signature of each function as they are written, those of the parameters first.
    pub types: Vec<Vec<Written>>,
}

impl CSource {
    /// Whether any function is called through generated code.
    pub fn has_calls(&self) -> bool {
        self.calls.iter().any(Option::is_some)
    }
}

/// A module of AssemblyScript: how it is compiled, and what of it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssemblyScriptSource {
    /// The file whose exports are under test, as an absolute path.
    pub file: PathBuf,
    /// Flags for its compiler.
    pub flags: Vec<String>,
    /// AssemblyScript code before the calls.
    pub prelude: String,
    /// How each function of the manifest is called, in order; nothing where it is called by its name.
    pub calls: Vec<Option<String>>,
    /// The name by which the file exports each function, in order.
    pub exports: Vec<String>,
    /// The types in the signature of each function as they are written, those of the parameters first.
    pub types: Vec<Vec<Written>>,
}

/// A Rust crate that is called as it is: where it comes from, with which features, and what of it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateSource {
    /// The name of its package.
    pub package: String,
    /// The name that the paths of its functions begin with. The library of a package may have another name than the package.
    pub root: String,
    /// Where it is.
    pub home: CrateHome,
    /// The features that are asked for.
    pub features: Vec<String>,
    /// Whether its default features are wanted too.
    pub default_features: bool,
    /// Whether it is built with the checks of a test: of arithmetic that overflows, and `debug_assert!`.
    pub checks: bool,
    /// Other crates of the registry that calls name, each with the requirement of its version.
    pub dependencies: Vec<(String, String)>,
    /// How each function of the manifest is called, in order.
    pub calls: Vec<RustCall>,
    /// The types in the signature of each function as they are written, those of the parameters first.
    pub types: Vec<Vec<Written>>,
}

/// How a function of a crate is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RustCall {
    /// By its path, with the arguments in order: `libm::sin`.
    Path(String),
    /// By an expression over the parameters: `Version::new(major, minor, patch).to_string()`.
    Expression(String),
}

impl fmt::Display for RustCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (RustCall::Path(text) | RustCall::Expression(text)) = self;
        f.write_str(text)
    }
}

/// Where a crate is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrateHome {
    /// In the registry, in a version that meets this requirement.
    Registry(String),
    /// In the folder of its own `Cargo.toml`, as an absolute path.
    Folder(PathBuf),
    /// In a workspace whose root is this folder, as an absolute path.
    Workspace(PathBuf),
}

/// A subject: a module with the functions under test.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The name of the subject.
    pub name: String,
    /// The manifest's file.
    pub path: PathBuf,
    /// Where the meaning of the functions comes from.
    pub specification: Option<String>,
    /// Where the module comes from.
    pub source: ModuleSource,
    /// What one call may use.
    pub limits: Limits,
    /// The export that gives memory for arguments, where it is not one of the usual names.
    pub allocator: Option<String>,
    /// The functions under test.
    pub functions: Vec<Function>,
    /// Relation files of the whole subject and of its functions, each once, in order.
    pub relations: Vec<PathBuf>,
    /// What was taken otherwise than it is written, or without effect: each with its line and column in the file.
    pub warnings: Vec<String>,
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// No file is there.
    #[error(
        "{path} does not exist; a subject's folder holds a dodona.toml: `dodona init MODULE.wasm` writes one for a module, and for a crate \
         of crates.io it has `[build] crate = \"NAME\"`",
        path = .0.display()
    )]
    Missing(PathBuf),
    /// A module is there, and no manifest beside it.
    #[error(
        "{module} has no manifest: {manifest} does not exist; `dodona init {module}` writes it",
        module = .module.display(),
        manifest = .module.with_extension("toml").display()
    )]
    NoManifestBeside {
        /// The module.
        module: PathBuf,
    },
    /// What was named is a file of another kind.
    #[error("{path} is {kind}, not a manifest; {hint}", path = .path.display())]
    NotAManifest {
        /// The file.
        path: PathBuf,
        /// What it is, by its name.
        kind: &'static str,
        /// What to do.
        hint: String,
    },
    /// The file cannot be read.
    #[error("cannot read {path}: {error}", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The text is wrong.
    #[error("{path} is not a valid manifest", path = .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong, in order of place.
        problems: Vec<Diagnostic>,
    },
}

impl Manifest {
    /// Finds and reads the manifest that a user named: a subject's folder, a manifest, or a module
    /// with its manifest beside it.
    ///
    /// # Errors
    /// When there is none, it cannot be read, or it is not valid.
    pub fn find(path: &Path) -> Result<Manifest, ManifestError> {
        if path.is_dir() {
            return Self::read(&path.join("dodona.toml"));
        }
        if path.extension().is_some_and(|e| e == "wasm" || e == "wat") {
            let beside = path.with_extension("toml");
            return match (beside.exists(), path.exists()) {
                (true, _) => Self::read(&beside),
                (false, true) => Err(ManifestError::NoManifestBeside { module: path.to_owned() }),
                (false, false) => Err(ManifestError::Missing(path.to_owned())),
            };
        }
        if let Some((kind, hint)) = other_kind(path) {
            return Err(ManifestError::NotAManifest { path: path.to_owned(), kind, hint });
        }
        Self::read(path)
    }

    /// Reads a manifest file.
    ///
    /// # Errors
    /// When it does not exist, cannot be read, or is not valid.
    pub fn read(path: &Path) -> Result<Manifest, ManifestError> {
        let text = match user_file::text(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(ManifestError::Missing(path.to_owned()));
            }
            Err(error) => return Err(ManifestError::Unreadable { path: path.to_owned(), error }),
        };
        Self::parse(path, &text).map_err(|problems| ManifestError::Invalid {
            path: path.to_owned(),
            text,
            problems,
        })
    }

    /// Reads a manifest's text; paths in it are taken from the folder of `path`.
    ///
    /// # Errors
    /// Every problem found, in order of place.
    pub fn parse(path: &Path, text: &str) -> Result<Manifest, Vec<Diagnostic>> {
        builder::manifest(path, text)
    }

    /// The crate of the registry that is under test, where the manifest names one.
    pub fn registry_crate(&self) -> Option<&str> {
        match &self.source {
            ModuleSource::Crate(CrateSource { package, home: CrateHome::Registry(_), .. }) => Some(package),
            _ => None,
        }
    }

    /// The folder that the manifest stands in.
    pub fn folder(&self) -> &Path {
        folder_of(&self.path)
    }

    /// What relations see of the functions under test, in order.
    pub fn signatures(&self) -> Vec<Signature> {
        signatures(&self.functions)
    }

    /// A function by name, with its index.
    pub fn function(&self, name: &str) -> Option<(usize, &Function)> {
        self.functions.iter().enumerate().find(|(_, f)| f.name == name)
    }
}

/// What a file is that people name instead of a manifest, judged by the end of its name, with what to do.
fn other_kind(path: &Path) -> Option<(&'static str, String)> {
    let extension = path.extension()?.to_str()?;
    let name = path.file_name()?.to_string_lossy();
    let beside = |build: String| {
        format!(
            "write a dodona.toml beside it and name that:\n\n[build]\n{build}\n\n[[function]]\n\
             signature = \"NAME(x: i32) -> i32\"\nrelations = [\"NAME.mr\"]"
        )
    };
    Some(match extension {
        "c" => ("C source", beside(format!("c = [\"{name}\"]"))),
        "cc" | "cpp" | "cxx" => {
            ("C++ source", beside(format!("c = [\"{name}\"]     # functions under test as extern \"C\"")))
        }
        "rs" => (
            "Rust source",
            beside("rust = \".\"     # the folder of a Cargo.toml with crate-type = [\"cdylib\"]".to_owned()),
        ),
        "ts" => ("AssemblyScript source", beside(format!("assemblyscript = \"{name}\""))),
        "mr" => (
            "a file of relations",
            "name the manifest that lists it under `relations`, or that manifest's folder".to_owned(),
        ),
        _ => return None,
    })
}
