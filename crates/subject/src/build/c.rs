//! C and C++ with clang for wasm32-wasi, and with the compiler of the host for the host.

mod objects;
mod program;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::inputs::Inputs;
use super::panics::PANIC_HOOK;
use super::programs::{as_file, environment, run};
use super::{BuildError, Sanitizer, c_failures, c_glue, clang_inputs, file, linker};
use crate::{Argument, CSource, Manifest};
use dodona_target::user_file;
use objects::Made;

pub use objects::KeptObjects;

pub(super) use program::program;

pub(super) const HINT: &str = "on Debian or Ubuntu: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32; \
                    elsewhere install wasi-sdk and set CLANG to its clang";

const CXX_HINT: &str = "C++ needs its standard library for WebAssembly; on Debian or Ubuntu: apt-get install libc++-14-dev-wasm32 \
                        libc++abi-14-dev-wasm32 (the number is that of `clang --version`); wasi-sdk has it";

/// Code that still looks like the source, with its lines; and what clang tells of its files. That a flag is for the other one of compiler
/// and linker is no mistake.
const COMMON: [&str; 6] =
    ["-v", "--target=wasm32-wasi", "-O1", "-g", "-Wno-unused-command-line-argument", SAME_EVERYWHERE];

/// The module does not hold the folder that it was built in: other machines, which have the subject elsewhere, make the same one.
const SAME_EVERYWHERE: &str = "-fdebug-compilation-dir=.";

/// Counts what is known of the inputs of a build. A module is built again if less was known when its inputs were listed.
const INPUTS: u32 = 4;

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

/// Endings of files of C++, sources and headers.
const CXX: [&str; 11] = ["cc", "cpp", "cxx", "c++", "C", "ii", "hh", "hpp", "hxx", "h++", "H"];

/// The standard of sources of C++ where nothing names one: that of today's compilers. clang 14 would take an older one.
const CXX_STANDARD: &str = "-std=gnu++17";

fn is_cxx_standard(flag: &str) -> bool {
    ["-std=c++", "-std=gnu++"].iter().any(|start| flag.starts_with(start))
}

/// The machine that code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine<'a> {
    /// WebAssembly, by clang.
    Wasm,
    /// The one that Dodona runs on, by its own compiler, with these sanitizers.
    Host(&'a [Sanitizer]),
}

/// Whether some of it is C++: by the name of a file, or by what the flags say.
pub(super) fn is_cxx(source: &CSource) -> bool {
    let headers = source.headers.iter().map(|header| header.trim_end_matches('>'));
    let mut flags = source.flags.iter().chain(source.own_flags.values().flatten());
    source.files.iter().any(|file| ends_in(file, &CXX))
        || headers.into_iter().any(|header| ends_in(Path::new(header), &CXX))
        || flags.any(|flag| is_cxx_standard(flag) || flag.starts_with("-xc++"))
        || source.flags.iter().any(|flag| !flag.starts_with('-') && ends_in(Path::new(flag), &CXX))
}

/// C files with what the manifest says of their compilation.
pub(super) struct C<'a> {
    manifest: &'a Manifest,
    source: &'a CSource,
    /// The files to compile and link, from the manifest's folder.
    sources: Vec<PathBuf>,
    /// The flags that are no sources.
    flags: Vec<&'a str>,
    /// Generated code that calls functions.
    glue: Option<PathBuf>,
    is_cxx: bool,
    machine: Machine<'a>,
}

impl<'a> C<'a> {
    pub(super) fn new(manifest: &'a Manifest, source: &'a CSource, glue: Option<PathBuf>) -> C<'a> {
        C::of_machine(manifest, source, glue, Machine::Wasm)
    }

    fn of_machine(
        manifest: &'a Manifest,
        source: &'a CSource,
        glue: Option<PathBuf>,
        machine: Machine<'a>,
    ) -> C<'a> {
        let near = |file: &PathBuf| as_file(file.strip_prefix(manifest.folder()).unwrap_or(file));
        let sources = source.files.iter().map(near).collect();
        let flags = &source.flags;
        let mut c = C { manifest, source, sources, flags: Vec::new(), glue, is_cxx: is_cxx(source), machine };
        for (place, flag) in flags.iter().enumerate() {
            let taken = place.checked_sub(1).is_some_and(|before| TAKING.contains(&flags[before].as_str()));
            match !taken && !flag.starts_with(['-', '@']) && ends_in(Path::new(flag), &SOURCES) {
                true => c.sources.push(flag.into()),
                false => c.flags.push(flag),
            }
        }
        if machine != Machine::Wasm {
            c.flags = program::of_host(&c.flags);
        }
        c
    }

    /// What is asked of the compiler, as text.
    pub(super) fn recipe(&self) -> String {
        let linked = self.linking().chain(self.flags.iter().map(|flag| (*flag).to_owned()));
        let words: Vec<String> = self.compiler().into_iter().chain(self.common()).chain(linked).collect();
        let environment = environment(|name| VARIABLES.iter().any(|variable| name.starts_with(variable)));
        let (sources, own, glue) = (&self.sources, &self.source.own_flags, &self.glue);
        format!("{INPUTS} {sources:?} {own:?} {glue:?} {words:?}\n{environment}")
    }

    /// Compiles each file, and links them to a module at `output` with the help of files in a folder. Both paths are from the
    /// manifest's folder, and without `%`, for which the linker puts digits.
    pub(super) fn compile(&self, work: &Path, output: &Path) -> Result<Inputs, BuildError> {
        let mut inputs = clang_inputs::of_flags(self.manifest.folder(), &self.flags);
        let mut objects = self.compile_all(work, &mut inputs)?;
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

    /// Compiles the sources and the glue, as many at a time as there are processors. The objects, in the order of their sources.
    fn compile_all(&self, work: &Path, inputs: &mut Inputs) -> Result<Vec<PathBuf>, BuildError> {
        if let Some(flag) = without_value(&self.source.flags) {
            let words = format!(
                "`{flag}` is the last of `flags` of [build], and takes a word behind it; add that, or remove it"
            );
            return Err(BuildError::Unsupported(words));
        }
        for source in self.in_folder() {
            user_file::open(&source).map_err(file("read", &source))?;
        }
        let sources: Vec<&PathBuf> = self.sources.iter().chain(&self.glue).collect();
        let made: Vec<Mutex<Option<Result<Inputs, BuildError>>>> =
            sources.iter().map(|_| Mutex::default()).collect();
        let object = |place: usize| match ends_in(sources[place], &OBJECTS) {
            true => sources[place].clone(),
            false => work.join(format!("{place}.o")),
        };
        let next = AtomicUsize::new(0);
        let compile = || {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(source) = sources.get(place) else { return };
                let inputs = match ends_in(source, &OBJECTS) {
                    true => Ok(Inputs { read: [source.to_path_buf()].into(), ..Inputs::default() }),
                    false => self.compile_one(&[], source, &object(place)),
                };
                if inputs.is_err() {
                    // Those before it are compiled or being compiled: the first error of the list is told whatever the threads do.
                    next.store(sources.len(), Ordering::Relaxed);
                }
                *made[place].lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(inputs);
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(sources.len());
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(compile))));
        for one in made {
            let one = one.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
            inputs.extend(one.transpose()?.unwrap_or_default());
        }
        Ok((0..sources.len()).map(object).collect())
    }

    fn compile_one(&self, before: &[&str], source: &Path, object: &Path) -> Result<Inputs, BuildError> {
        let rule = object.with_extension("d");
        let mut command = self.command();
        command.arg("-c").args(before).arg(source).args(self.flags_for(source)).args(self.own_flags(source));
        let made = Made { command: format!("{command:?}"), folder: self.manifest.folder(), object };
        if let Some(inputs) = made.again() {
            return Ok(inputs);
        }
        if let Some(glue) = self.glue.as_ref().filter(|glue| *glue == source) {
            command.arg(c_glue::path_map(glue));
        }
        // Of these flags the last ones hold, whatever the manifest has.
        command.args(["-MD", "-MT", clang_inputs::TARGET, "-MF"]).arg(&rule).arg("-o").arg(object);
        let hint = if self.machine == Machine::Wasm { HINT } else { program::HINT };
        let output = run(command, hint, diagnostics).map_err(|error| self.shown(error, source))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let inputs = clang_inputs::of_compilation(self.manifest.folder(), source, &rule, &said);
        if self.glue.as_deref() != Some(source) {
            made.keep(&inputs);
        }
        Ok(inputs)
    }

    fn link(&self, objects: &[PathBuf], output: &Path) -> Result<Inputs, BuildError> {
        let mut command = self.command();
        if self.is_cxx {
            command.arg("--driver-mode=g++");
        }
        // All functions are told that nothing defines, and not the first twenty.
        command
            .arg("-Wl,--error-limit=0")
            .args(self.linking())
            .arg("-o")
            .arg(output)
            .args(objects)
            .args(&self.flags);
        let said = run(command, HINT, diagnostics)
            .map_err(|error| self.shown(error, Path::new("")))
            .map_err(|error| linker::explained(error, self.manifest, &self.in_folder()))?;
        Ok(clang_inputs::of_linking(self.manifest.folder(), &String::from_utf8_lossy(&said.stderr)))
    }

    /// A failure with the command as a person would write it, for one source or to link all.
    fn shown(&self, error: BuildError, source: &Path) -> BuildError {
        let BuildError::Failed { output, .. } = error else { return error };
        if self.is_cxx && lacks_library(&output) {
            return BuildError::ToolMissing {
                tool: "libc++ for wasm32-wasi".to_owned(),
                hint: CXX_HINT.to_owned(),
            };
        }
        if let Some(words) = c_failures::explained(&output, source) {
            return BuildError::Unsupported(words);
        }
        let output = match !self.is_cxx && lacks_library(&output) {
            true => format!(
                "{output}\nthat is a header of C++; flags = [\"-std=c++20\"] of [build] says that the calls are C++ too"
            ),
            false => output,
        };
        let source = source.display().to_string();
        let files = match source.as_str() {
            "" => self.sources.iter().map(|source| source.display().to_string()).collect(),
            one => vec!["-c".to_owned(), one.to_owned()],
        };
        let flags = self.flags.iter().map(|flag| (*flag).to_owned());
        let usual = self.usual().into_iter();
        let words: Vec<String> = self.compiler().into_iter().chain(usual).chain(files).chain(flags).collect();
        BuildError::Failed { command: words.join(" "), output }
    }

    /// The flags of all sources, for this one: the standard of C++ is none of C, whose sources may stand beside those of C++.
    fn flags_for(&self, source: &Path) -> impl Iterator<Item = &str> {
        let is_c = ends_in(source, &["c"]) && !self.flags.contains(&"-x");
        self.flags.iter().copied().filter(move |flag| !is_c || !is_cxx_standard(flag))
    }

    /// The flags of one file: those that the project's own build has, or those of the glue.
    fn own_flags(&self, source: &Path) -> Vec<&str> {
        if self.glue.as_deref() == Some(source) {
            // Headers that calls name are also looked for in the manifest's folder.
            let has_standard = self.flags.iter().any(|flag| flag.starts_with("-std="));
            let standard = (self.is_cxx && !has_standard).then_some("-std=c++20");
            // What no header declares would be taken for a function that returns a number.
            let strict = (!self.is_cxx).then_some("-Werror=implicit-function-declaration");
            // Headers mean in the calls what they mean in the sources.
            let own = ["-iquote", "."].into_iter().chain(standard).chain(strict);
            return own.chain(self.flags_of_headers()).collect();
        }
        let own = self.source.own_flags.get(&self.manifest.folder().join(source));
        let own: Vec<&str> = own.into_iter().flatten().map(String::as_str).collect();
        let has_standard = self.flags.iter().chain(&own).any(|flag| flag.starts_with("-std="));
        let standard = (ends_in(source, &CXX) && !has_standard).then_some(CXX_STANDARD);
        standard.into_iter().chain(own).collect()
    }

    /// Where the project's own build looks for headers, and what it defines, of all files together.
    fn flags_of_headers(&self) -> Vec<&str> {
        let mut pairs: Vec<[&str; 2]> = Vec::new();
        for flags in self.source.own_flags.values() {
            let following = flags.iter().zip(flags.iter().skip(1));
            let is_of_headers = |flag: &str| TAKING.contains(&flag) && flag != "-x";
            for (flag, value) in following.filter(|(flag, _)| is_of_headers(flag)) {
                if !pairs.contains(&[flag, value]) {
                    pairs.push([flag, value]);
                }
            }
        }
        pairs.concat()
    }

    /// In the subject's folder and with the paths as the manifest has them: they go into the line table.
    fn command(&self) -> Command {
        let mut command = self.program();
        command.current_dir(self.manifest.folder()).args(self.common());
        command
    }

    fn program(&self) -> Command {
        let words = self.compiler();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// The compiler with its first arguments.
    fn compiler(&self) -> Vec<String> {
        match self.machine {
            Machine::Wasm => vec![compiler()],
            Machine::Host(_) => program::compiler(self.is_cxx),
        }
    }

    fn common(&self) -> Vec<String> {
        match self.machine {
            Machine::Wasm => COMMON.map(str::to_owned).into(),
            Machine::Host(sanitizers) => program::common(self.manifest.folder(), sanitizers),
        }
    }

    /// The flags of each compilation that a person would write too.
    fn usual(&self) -> Vec<String> {
        match self.machine {
            Machine::Wasm => ["--target=wasm32-wasi", "-O1", "-g"].map(str::to_owned).into(),
            Machine::Host(sanitizers) => program::usual(sanitizers),
        }
    }

    /// What the linker is told besides files and flags.
    fn linking(&self) -> impl Iterator<Item = String> {
        let is_library = !self.manifest.functions.iter().any(|f| f.is_command());
        let library = ["-mexec-model=reactor", "-Wl,--no-entry"].into_iter().filter(move |_| is_library);
        // What was thrown is kept in the glue.
        let hook = self.is_cxx.then_some(PANIC_HOOK);
        let exports = exports(self.manifest).into_iter().chain(hook);
        let exports = exports.map(|export| format!("-Wl,--export={export}"));
        library.map(str::to_owned).chain(exports)
    }

    fn in_folder(&self) -> Vec<PathBuf> {
        self.sources.iter().map(|source| self.manifest.folder().join(source)).collect()
    }
}

/// The last of some flags, if it would take the next one for itself: behind them stand those of Dodona.
fn without_value(flags: &[String]) -> Option<&str> {
    let takes = |flag: &&String| TAKING.contains(&flag.as_str());
    let taking = flags.iter().rev().take_while(takes).count();
    flags.last().filter(|_| taking % 2 == 1).map(String::as_str)
}

/// Whether an error is that a header of C++ itself, which has no ending, or one of its libraries is not there.
fn lacks_library(output: &str) -> bool {
    let is_header = |line: &str| {
        let name =
            line.split_once("fatal error: '").and_then(|(_, rest)| rest.split_once("' file not found"));
        name.is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    };
    output.lines().any(|line| is_header(line) || line.contains("unable to find library -lc++"))
}

pub(super) fn compiler() -> String {
    std::env::var("CLANG").unwrap_or_else(|_| "clang".to_owned())
}

fn ends_in(path: &Path, endings: &[&str]) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| endings.contains(&end))
}

/// What clang says of the code, without what `-v` adds in front of it.
pub(super) fn diagnostics(said: &str) -> String {
    let said = said.rsplit_once("End of search list.\n").map_or(said, |(_, after)| after);
    // That is the last that gcc says of itself.
    let sums =
        said.rsplit_once("Compiler executable checksum: ").and_then(|(_, after)| after.split_once('\n'));
    let said = sums.map_or(said, |(_, after)| after);
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
