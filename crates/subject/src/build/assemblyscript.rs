//! AssemblyScript with its own compiler, asc.
//!
//! asc is run twice: on the subject's own file, to learn what it exports with which types, and which files it is made of; then on generated code
//! that calls these exports, and of which the module is made. Nothing that asc prints tells all of that, so that a small program runs inside of
//! it as one of its transforms.
//!
//! # Decisions
//! The code is not optimised: what is mutated and shown still looks like the source. Already `-O1` writes functions that are called once into their
//! callers. The price is calls that take several times as long; `flags = ["-O3"]` has it otherwise.
//!
//! Objects are never freed (`--runtime stub`). The garbage collector that asc takes by itself has every function note its objects on a stack, and a third
//! of the mutants would be of that. What a call makes is gone after it in any case. The price is that a call meets the limit of memory that makes more
//! objects than fit; `flags = ["--runtime", "incremental"]` has it otherwise.
//!
//! The settings of a project (`asconfig.json`) are not read unless `flags` name them: they would write the project's own products too.

mod calls;
mod exported;
mod fits;
mod glue;
mod said;

use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use super::inputs::Inputs;
use super::products::{Work, put};
use super::programs::{as_file, environment, find, run};
use super::{BuildError, clang_inputs, file};
use crate::module::debug::source_map;
use crate::{AssemblyScriptSource, Manifest};
use calls::Calls;
use dodona_target::{fnv1a, user_file};
use exported::Told;

const HINT: &str = "npm install -g assemblyscript; ASC names a compiler that is elsewhere";

/// What runs inside of the compiler.
const TRANSFORM: &str = include_str!("assemblyscript/transform.mjs");

/// The file of the generated code as the compiler knows it. By its folder it is told from the subject's own.
const GLUE: &str = ".dodona/dodona-glue/assemblyscript/calls.ts";

/// What holds unless the flags of the manifest say otherwise.
const USUAL: [&str; 2] = ["--runtime", "stub"];

/// The names of functions, which the module has not without it; the code is the same.
const NAMES: &str = "--debug";

/// Where instructions come from: asc writes no other debug information. The name stands in the module, which is the same one in every folder.
const PLACES: [&str; 2] = ["--sourceMap", "module.wasm.map"];

/// Counts what is known of the inputs of a build. A module is built again if less was known when its inputs were listed.
const INPUTS: u32 = 2;

/// Files of the compiler's package, by which another version of it is noticed.
const PACKAGE: [&str; 4] = ["package.json", "dist/asc.js", "dist/assemblyscript.js", "lib/binaryen.js"];

/// A module of AssemblyScript with what the manifest says of its compilation.
pub(super) struct AssemblyScript<'a> {
    manifest: &'a Manifest,
    source: &'a AssemblyScriptSource,
    compiler: PathBuf,
}

impl<'a> AssemblyScript<'a> {
    pub(super) fn new(manifest: &'a Manifest, source: &'a AssemblyScriptSource) -> AssemblyScript<'a> {
        AssemblyScript { manifest, source, compiler: compiler(manifest.folder()) }
    }

    /// What is asked of the compiler, as text. What the generated code is depends on nothing else but the exports.
    pub(super) fn recipe(&self) -> String {
        let of_node = environment(|name| ["NODE_OPTIONS", "NODE_PATH"].contains(&name));
        let program = fnv1a((TRANSFORM.to_owned() + calls::COMMON).as_bytes());
        let functions: Vec<_> = self
            .manifest
            .functions
            .iter()
            .map(|function| {
                (&function.signature.name, &function.export, &function.lowerings, &function.result)
            })
            .collect();
        format!(
            "{INPUTS} {USUAL:?} {program:016x} {:?} {:?} {functions:?}\n{of_node}",
            self.compiler, self.source
        )
    }

    /// Compiles the module with the help of files in a folder.
    pub(super) fn compile(&self, work: &Work) -> Result<(Vec<u8>, Inputs), BuildError> {
        user_file::open(&self.source.file).map_err(file("read", &self.source.file))?;
        let start = SystemTime::now();
        put(&work.full.join("transform.mjs"), TRANSFORM.as_bytes())?;
        let entry = as_file(self.near());
        self.run(work, &entry, &["--noEmit"]).map_err(|error| self.shown(error))?;
        let told = Told::read(&work.full.join("told.json"))?;
        let calls = Calls::of(self.manifest, self.source, &self.import(), &told.exports)?;
        put(&work.full.join("calls.ts"), calls.code().as_bytes())?;
        let output = inside(work, "module.wasm");
        let more = [&[NAMES, "--outFile", &output], PLACES.as_slice()].concat();
        let made = self.run(work, Path::new(GLUE), &more);
        made.map_err(|error| calls.explained(error)).map_err(|error| self.shown(error))?;
        let module = work.full.join("module.wasm");
        let mut module = std::fs::read(&module).map_err(file("read", &module))?;
        let map = work.full.join("module.wasm.map");
        source_map::embed(&mut module, &std::fs::read(&map).map_err(file("read", &map))?);
        let mut inputs = self.inputs(told);
        inputs.note_changes_since(self.manifest.folder(), start);
        Ok((module, inputs))
    }

    /// What asc read, with what it looked for in vain, and asc itself.
    fn inputs(&self, told: Told) -> Inputs {
        let flags: Vec<&str> = self.source.flags.iter().map(String::as_str).collect();
        let mut inputs = clang_inputs::of_flags(self.manifest.folder(), &flags);
        inputs.read.extend(told.read);
        inputs.absent.extend(told.absent);
        inputs.programs.insert("node".to_owned());
        if let Some(program) = find(&self.compiler.to_string_lossy()) {
            // npm links the program into a folder of programs; its package is around the file that it links to.
            let real = program.canonicalize().unwrap_or_else(|_| program.clone());
            let package = real.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
            let files = PACKAGE.iter().map(|name| package.join(name)).filter(|path| path.is_file());
            inputs.read.extend(files);
            inputs.read.insert(real);
            inputs.programs.insert(self.compiler.to_string_lossy().into_owned());
        }
        inputs
    }

    fn run(&self, work: &Work, entry: &Path, more: &[&str]) -> Result<(), BuildError> {
        let mut command = Command::new(&self.compiler);
        command.current_dir(self.folder()).arg(entry).args(USUAL).args(&self.source.flags);
        if !self.names_settings() {
            // There is no such file.
            command.args(["--config", &inside(work, "none.json")]);
        }
        command.args(["--noColors", "--transform", &inside(work, "transform.mjs")]).args(more);
        run(command, HINT, said::errors).map(drop)
    }

    /// Whether the flags say which settings of a project hold.
    fn names_settings(&self) -> bool {
        let is_setting = |flag: &String| ["--config", "--target"].iter().any(|name| flag.starts_with(name));
        self.source.flags.iter().any(is_setting)
    }

    /// A failure with the command as a person would write it.
    fn shown(&self, error: BuildError) -> BuildError {
        let BuildError::Failed { output, .. } = error else { return error };
        let words = [self.compiler.display().to_string(), self.near().display().to_string()];
        let command = words.iter().chain(&self.source.flags).cloned().collect::<Vec<_>>().join(" ");
        BuildError::Failed { command, output }
    }

    /// The subject's file from the manifest's folder, as the compiler shows it.
    fn near(&self) -> &Path {
        self.source.file.strip_prefix(self.manifest.folder()).unwrap_or(&self.source.file)
    }

    /// The subject's file as the generated code imports it: without its ending, and from the folder in which that code is to the compiler. A path from
    /// the root would be the name of a package.
    fn import(&self) -> String {
        let near = match self.near().is_absolute() {
            true => from(self.folder(), self.near()),
            false => self.near().to_owned(),
        };
        let up = GLUE.split('/').skip(1).map(|_| "../").collect::<String>();
        format!("{up}{}", near.with_extension("").display())
    }

    fn folder(&self) -> &Path {
        let folder = self.manifest.folder();
        if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
    }
}

/// A file of a build as the compiler takes it: a path from its folder begins with a dot, or it would be the name of a package.
fn inside(work: &Work, name: &str) -> String {
    let path = work.inside.join(name);
    let path = if path.is_absolute() { path } else { Path::new(".").join(path) };
    path.display().to_string()
}

/// The path of a file from a folder.
fn from(folder: &Path, file: &Path) -> PathBuf {
    // The compiler's own folder is one without links.
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (folder, file) = (full(folder), full(file));
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

/// The compiler: the one that the environment names, that of the project, or the one in the search path.
fn compiler(folder: &Path) -> PathBuf {
    if let Some(named) = std::env::var_os("ASC").filter(|named| !named.is_empty()) {
        return named.into();
    }
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let of_project = folder.ancestors().map(|folder| folder.join("node_modules/.bin/asc"));
    of_project.into_iter().find(|path| path.is_file()).unwrap_or_else(|| "asc".into())
}
