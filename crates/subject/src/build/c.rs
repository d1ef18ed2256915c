//! C with clang for wasm32-wasi.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::inputs::Inputs;
use super::programs::{as_file, environment, run};
use super::{BuildError, clang_inputs, file, linker};
use crate::{Argument, Manifest};
use dodona_target::user_file;

const HINT: &str = "on Debian or Ubuntu: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32; \
                    elsewhere install wasi-sdk and set CLANG to its clang";

/// Code that still looks like the source, with its lines; and what clang tells of its files. That a flag is for the other one of compiler
/// and linker is no mistake.
const COMMON: [&str; 5] = ["-v", "--target=wasm32-wasi", "-O1", "-g", "-Wno-unused-command-line-argument"];

/// Counts what is known of the inputs of a build. A module is built again if less was known when its inputs were listed.
const INPUTS: u32 = 2;

/// Variables of the environment that change what clang makes, by their names or beginnings.
const VARIABLES: [&str; 9] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "CCC_",
    "CLANG",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
];

/// Endings of files that are compiled, also where they stand among the flags.
const SOURCES: [&str; 13] = ["c", "cc", "cpp", "cxx", "c++", "C", "i", "ii", "s", "S", "sx", "ll", "bc"];

/// Endings of files that only the linker reads.
const OBJECTS: [&str; 4] = ["o", "obj", "lo", "a"];

/// Flags that take the next word for themselves.
const TAKING: [&str; 20] = [
    "-include",
    "-include-pch",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-mllvm",
    "-I",
    "-L",
    "-D",
    "-U",
    "-l",
    "-x",
    "-T",
    "-o",
];

/// C files with what the manifest says of their compilation.
pub(super) struct C<'a> {
    manifest: &'a Manifest,
    /// The files to compile and link, from the manifest's folder.
    sources: Vec<PathBuf>,
    /// The flags that are no sources.
    flags: Vec<&'a str>,
}

impl<'a> C<'a> {
    pub(super) fn new(manifest: &'a Manifest, files: &[PathBuf], flags: &'a [String]) -> C<'a> {
        let listed = files.iter().map(|file| as_file(file.strip_prefix(manifest.folder()).unwrap_or(file)));
        let mut c = C { manifest, sources: listed.collect(), flags: Vec::new() };
        for (place, flag) in flags.iter().enumerate() {
            let taken = place.checked_sub(1).is_some_and(|before| TAKING.contains(&flags[before].as_str()));
            match !taken && !flag.starts_with(['-', '@']) && ends_in(Path::new(flag), &SOURCES) {
                true => c.sources.push(flag.into()),
                false => c.flags.push(flag),
            }
        }
        c
    }

    /// What is asked of the compiler, as text.
    pub(super) fn recipe(&self) -> String {
        let linked = self.linking().chain(self.flags.iter().map(|flag| (*flag).to_owned()));
        let common = COMMON.map(str::to_owned);
        let words: Vec<String> = std::iter::once(compiler()).chain(common).chain(linked).collect();
        let environment = environment(|name| VARIABLES.iter().any(|variable| name.starts_with(variable)));
        format!("{INPUTS} {:?} {words:?}\n{environment}", self.sources)
    }

    /// Compiles each file, and links them to a module at `output` with the help of files in a folder. Both paths are from the
    /// manifest's folder, and without `%`, for which the linker puts digits.
    pub(super) fn compile(&self, work: &Path, output: &Path) -> Result<Inputs, BuildError> {
        for source in self.in_folder() {
            user_file::open(&source).map_err(file("read", &source))?;
        }
        let mut inputs = clang_inputs::of_flags(self.manifest.folder(), &self.flags);
        let mut objects = Vec::new();
        for source in &self.sources {
            if ends_in(source, &OBJECTS) {
                objects.push(source.clone());
                continue;
            }
            let object = work.join(format!("{}.o", objects.len()));
            inputs.extend(self.compile_one(&[], source, &object)?);
            objects.push(object);
        }
        if objects.is_empty() {
            // A library's own function, with no code of the subject's: clang still wants one input.
            objects.push(work.join("none.o"));
            inputs.extend(self.compile_one(&["-x", "c"], Path::new("/dev/null"), &objects[0])?);
        }
        inputs.extend(self.link(&objects, output)?);
        inputs.programs.extend([compiler(), "wasm-opt".to_owned()]);
        inputs.read.retain(|path| !path.starts_with(work));
        Ok(inputs)
    }

    fn compile_one(&self, before: &[&str], source: &Path, object: &Path) -> Result<Inputs, BuildError> {
        let rule = object.with_extension("d");
        let mut command = self.command();
        command.arg("-c").args(before).arg(source).args(&self.flags);
        // Of these flags the last ones hold, whatever the manifest has.
        command.args(["-MD", "-MT", clang_inputs::TARGET, "-MF"]).arg(&rule).arg("-o").arg(object);
        let output = run(command, HINT, diagnostics).map_err(|error| self.shown(error, source))?;
        let said = String::from_utf8_lossy(&output.stderr);
        Ok(clang_inputs::of_compilation(self.manifest.folder(), source, &rule, &said))
    }

    fn link(&self, objects: &[PathBuf], output: &Path) -> Result<Inputs, BuildError> {
        let mut command = self.command();
        command.args(self.linking()).arg("-o").arg(output).args(objects).args(&self.flags);
        let said = run(command, HINT, diagnostics)
            .map_err(|error| linker::explained(error, self.manifest, &self.in_folder()))
            .map_err(|error| self.shown(error, Path::new("")))?;
        Ok(clang_inputs::of_linking(self.manifest.folder(), &String::from_utf8_lossy(&said.stderr)))
    }

    /// A failure with the command as a person would write it, for one source or to link all.
    fn shown(&self, error: BuildError, source: &Path) -> BuildError {
        let BuildError::Failed { output, .. } = error else { return error };
        let source = source.display().to_string();
        let files = match source.as_str() {
            "" => self.sources.iter().map(|source| source.display().to_string()).collect(),
            one => vec!["-c".to_owned(), one.to_owned()],
        };
        let flags = self.flags.iter().map(|flag| (*flag).to_owned());
        let usual = ["--target=wasm32-wasi", "-O1", "-g"].map(str::to_owned);
        let words: Vec<String> = std::iter::once(compiler()).chain(usual).chain(files).chain(flags).collect();
        BuildError::Failed { command: words.join(" "), output }
    }

    /// In the subject's folder and with the paths as the manifest has them: they go into the line table.
    fn command(&self) -> Command {
        let mut command = Command::new(compiler());
        command.current_dir(self.manifest.folder()).args(COMMON);
        command
    }

    /// What the linker is told besides files and flags.
    fn linking(&self) -> impl Iterator<Item = String> {
        let is_library = !self.manifest.functions.iter().any(|f| f.is_command());
        let library = ["-mexec-model=reactor", "-Wl,--no-entry"].into_iter().filter(move |_| is_library);
        let exports = exports(self.manifest).into_iter().map(|export| format!("-Wl,--export={export}"));
        library.map(str::to_owned).chain(exports)
    }

    fn in_folder(&self) -> Vec<PathBuf> {
        self.sources.iter().map(|source| self.manifest.folder().join(source)).collect()
    }
}

fn compiler() -> String {
    std::env::var("CLANG").unwrap_or_else(|_| "clang".to_owned())
}

fn ends_in(path: &Path, endings: &[&str]) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| endings.contains(&end))
}

/// What clang says of the code, without what `-v` adds in front of it.
fn diagnostics(said: &str) -> String {
    let said = said.rsplit_once("End of search list.\n").map_or(said, |(_, after)| after);
    let is_about_clang = |line: &&str| {
        [" \"", " (in-process)", "Target: ", "Thread model: ", "InstalledDir: ", "clang -cc1 version"]
            .iter()
            .any(|start| line.starts_with(start))
            || line.contains("clang version ")
    };
    said.lines().filter(|line| !is_about_clang(line)).collect::<Vec<_>>().join("\n")
}

/// What must be kept by the linker: the functions under test and those passed as function pointers.
fn exports(manifest: &Manifest) -> Vec<&str> {
    let mut exports: Vec<&str> = Vec::new();
    for function in manifest.functions.iter().filter(|f| !f.is_command()) {
        exports.push(&function.export);
        exports.extend(function.arguments.iter().filter_map(|a| match a {
            Argument::FunctionPointer(export) => Some(export.as_str()),
            _ => None,
        }));
    }
    exports.extend(manifest.allocator.as_deref());
    exports.sort_unstable();
    exports.dedup();
    exports
}
