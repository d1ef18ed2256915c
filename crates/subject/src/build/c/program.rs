//! C and C++ for the host: the sources are compiled by its own compiler, and linked with a worker that calls their functions.
//!
//! # Decisions
//! - **The worker is the one of crates, as a static library.** There is one program that speaks the worker protocol, and the C compiler links, as it does for whoever
//!   uses the library: what flags say of libraries, and what a sanitizer adds, has its usual effect. The price is that `rustc` has to be there.
//! - **The compiler is `cc`**, or what `CC` and `CXX` name: a check on this machine is about what its own compiler makes. Flags that only WebAssembly has are left out.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::products::{Products, put};
use super::super::programs::run;
use super::super::{BuildError, Rebuild, Sanitizer, c_glue, c_worker, clang_inputs, file, when_stale};
use super::{C, Machine, diagnostics};
use crate::{CSource, Manifest};

pub(super) const HINT: &str = "a build for this machine needs its compiler; on Debian or Ubuntu: apt-get install gcc g++; CC and CXX name another one";

const RUSTC_HINT: &str = "the worker that calls functions of C on this machine is compiled by rustc: https://rustup.rs installs it";

/// The files of the worker in the folder of one build.
const WORKER: &str = "worker.rs";
const LIBRARY: &str = "worker.a";

/// Builds a program that calls the functions of a manifest; where it lies. It is built again when something that it was made of has changed.
pub(in super::super) fn program(
    manifest: &Manifest,
    source: &CSource,
    sanitizers: &[Sanitizer],
) -> Result<PathBuf, BuildError> {
    let glue = c_glue::CGlue { manifest, source };
    let c = C::of_machine(manifest, source, glue.write()?, Machine::Host(sanitizers));
    let worker = c_worker::code(manifest, source, c.is_cxx, sanitizers)?;
    let kind: Vec<&str> = sanitizers.iter().map(|sanitizer| sanitizer.name()).collect();
    let products = Products::of_host(manifest, &[&["native"], kind.as_slice()].concat().join("-"))?;
    let make = || {
        let work = products.work(manifest)?;
        let mut inputs = clang_inputs::of_flags(manifest.folder(), &c.flags);
        let objects = c.compile_all(&work.inside, &mut inputs).map_err(|error| glue.explained(error))?;
        put(&work.full.join(WORKER), worker.as_bytes())?;
        compile_worker(&work.full)?;
        c.link_program(&objects, &work.inside.join(LIBRARY), &work.inside.join("program"))?;
        let program = work.full.join("program");
        inputs.programs.extend(c.compiler().into_iter().take(2).filter(|word| !word.starts_with('-')));
        inputs.programs.insert("rustc".to_owned());
        inputs.read.retain(|path| !path.starts_with(&work.inside));
        if c.flags.iter().any(|flag| flag.starts_with("-l")) {
            // Where the linker of the host finds a library, it does not tell.
            inputs.untold.insert("libraries of the host".to_owned());
        }
        Ok((std::fs::read(&program).map_err(file("read", &program))?, inputs))
    };
    when_stale(&products, manifest.folder(), &format!("{}\n{worker}", c.recipe()), Rebuild::WhenStale, make)?;
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&products.module, executable).map_err(file("write", &products.module))?;
    Ok(products.module)
}

/// Compiles the worker in the folder that its code is in.
fn compile_worker(folder: &Path) -> Result<(), BuildError> {
    let mut command = Command::new("rustc");
    command.current_dir(folder).args([
        "--edition=2021",
        "--crate-type=staticlib",
        "-Copt-level=3",
        "-Cpanic=unwind",
        WORKER,
        "-o",
        LIBRARY,
    ]);
    run(command, RUSTC_HINT, str::to_owned).map(drop)
}

impl C<'_> {
    fn link_program(&self, objects: &[PathBuf], library: &Path, program: &Path) -> Result<(), BuildError> {
        let Machine::Host(sanitizers) = self.machine else { return Ok(()) };
        let mut command = self.program();
        command.current_dir(self.manifest.folder()).args(usual(sanitizers)).args(objects).arg(library);
        // What the standard library of Rust needs of the system.
        command.args(&self.flags).args(["-lm", "-lpthread", "-ldl", "-o"]).arg(program);
        run(command, HINT, diagnostics).map_err(|error| self.shown(error, Path::new("")))?;
        Ok(())
    }
}

/// The compiler with its first arguments: `CC` may be `ccache gcc`.
pub(super) fn compiler(is_cxx: bool) -> Vec<String> {
    let (variable, usual) = if is_cxx { ("CXX", "c++") } else { ("CC", "cc") };
    let words = std::env::var(variable).ok().and_then(|words| shlex::split(&words));
    words.filter(|words| !words.is_empty()).unwrap_or_else(|| vec![usual.to_owned()])
}

/// Code with its lines, whose paths are those of the manifest.
pub(super) fn common(folder: &Path, sanitizers: &[Sanitizer]) -> Vec<String> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let map = format!("-ffile-prefix-map={}=.", folder.display());
    [vec!["-v".to_owned(), "-fPIC".to_owned(), map], usual(sanitizers)].concat()
}

/// The flags of each compilation that a person would write too. What a sanitizer finds ends the call.
pub(super) fn usual(sanitizers: &[Sanitizer]) -> Vec<String> {
    let mut flags = ["-O1", "-g"].map(str::to_owned).to_vec();
    if !sanitizers.is_empty() {
        let names: Vec<&str> = sanitizers.iter().map(|sanitizer| sanitizer.name()).collect();
        flags.push(format!("-fsanitize={}", names.join(",")));
        flags.push("-fno-sanitize-recover=all".to_owned());
        flags.push("-fno-omit-frame-pointer".to_owned());
    }
    flags
}

/// The flags that are for any machine: not those of the linker and of processors, which are for WebAssembly.
pub(super) fn of_host<'f>(flags: &[&'f str]) -> Vec<&'f str> {
    const TAKING: [&str; 4] = ["-target", "-z", "-Xlinker", "--sysroot"];
    let is_of_wasm = |flag: &str| {
        ["-Wl,", "--target", "-m", "--sysroot", "-nostdlib", "-nostartfiles"]
            .iter()
            .any(|start| flag.starts_with(start))
    };
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if TAKING.contains(flag) {
            flags.next();
        } else if !is_of_wasm(flag) {
            kept.push(*flag);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_only_webassembly_has_are_left_out() {
        let flags =
            ["-Iinclude", "-Wl,--stack-first", "-z", "stack-size=9", "-DX=1", "-mbulk-memory", "-O2", "-lm"];
        assert_eq!(of_host(&flags), ["-Iinclude", "-DX=1", "-O2", "-lm"]);
    }
}
