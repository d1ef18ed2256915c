//! Glue for a crate: generated, so that its functions are tested as they are.

mod exports;
mod values;
pub(super) mod worker;

use std::path::PathBuf;

use super::products::{cache_folder, put};
use super::{BuildError, Refused, file, glue_package, refused};
use crate::{CrateSource, Function, Manifest, RustCall, Spelling, Written};
use dodona_target::fnv1a;

/// The folder of the user's cache that holds glue. Debug information tells glue from the code under test by this name.
pub(crate) const FOLDER: &str = "dodona-glue";

/// The lines that each function takes.
const LINES: usize = 2;

/// A crate around functions of another.
#[derive(Clone, Copy)]
pub(super) struct Glue<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) source: &'a CrateSource,
    pub(super) kind: GlueKind,
}

/// What glue is built to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlueKind {
    /// A module with an export for each function.
    Module,
    /// A program for the host, which is told what to call.
    Worker,
}

impl GlueKind {
    /// The file of its code in the crate's `src`.
    fn file(self) -> &'static str {
        match self {
            GlueKind::Module => "lib.rs",
            GlueKind::Worker => "main.rs",
        }
    }

    fn heading(self) -> &'static str {
        match self {
            GlueKind::Module => exports::HEADING,
            GlueKind::Worker => worker::HEADING,
        }
    }
}

impl Glue<'_> {
    /// Writes a crate that calls the manifest's functions and returns its folder.
    pub(super) fn write(&self) -> Result<PathBuf, BuildError> {
        let crate_file = glue_package::cargo_toml(self.source, self.kind)?;
        let code = match self.kind {
            GlueKind::Module => exports::code(self)?,
            GlueKind::Worker => worker::code(self)?,
        };
        let key = fnv1a(format!("{crate_file}{code}").as_bytes());
        let folder = cache_folder().join(FOLDER).join(format!("{}-{key:016x}", self.source.package));
        let source = folder.join("src");
        std::fs::create_dir_all(&source).map_err(file("create", &source))?;
        put(&folder.join("Cargo.toml"), crate_file.as_bytes())?;
        put(&source.join(self.kind.file()), code.as_bytes())?;
        glue_package::lock(self.source, &folder)?;
        Ok(folder)
    }

    fn functions(&self) -> impl Iterator<Item = (&Function, &RustCall)> {
        self.manifest.functions.iter().zip(&self.source.calls)
    }

    /// The calls of the functions, in order, each as an error where it cannot be written.
    fn calls(&self) -> impl Iterator<Item = Result<Call<'_>, BuildError>> {
        let typed = self.functions().zip(&self.source.types);
        typed.map(|((function, call), types)| Call::new(function, call, types))
    }

    /// What the compiler says of the glue, in terms of the manifest: nobody wrote that code.
    pub(super) fn explained(&self, error: BuildError) -> BuildError {
        let BuildError::Failed { command, output } = error else { return error };
        let refusals = refused::read(&output, self.kind.file());
        let first = self.kind.heading().lines().count() + 1;
        let function = |line: usize| self.functions().nth(line.checked_sub(first)? / LINES);
        let told = refusals.iter().filter_map(|refusal| {
            let (function, call) = function(refusal.line)?;
            let words = refused::words(refusal, &function.signature, &call.to_string(), self.source);
            Some(Refused { function: function.name.clone(), words })
        });
        let mut told: Vec<Refused> = told.collect();
        told.dedup();
        match told.is_empty() {
            true => BuildError::Failed { command, output },
            false => BuildError::Refused(told),
        }
    }
}

/// A call of a function of the crate, with arguments that have crossed.
struct Call<'a> {
    function: &'a Function,
    parameters: Vec<&'a Spelling>,
    /// What the function returns; `None` for nothing.
    result: Option<&'a Written>,
    /// The call in Rust.
    code: String,
}

impl<'a> Call<'a> {
    fn new(function: &'a Function, call: &RustCall, types: &'a [Written]) -> Result<Call<'a>, BuildError> {
        let (mut parameters, mut values) = (Vec::new(), Vec::new());
        // All arguments are taken before any gets its name: a parameter may be called like an argument of the glue, `a0`.
        let (mut taken, mut named) = (String::new(), String::new());
        for (i, parameter) in function.parameters.iter().enumerate() {
            let spelling = types.get(i).and_then(Written::value);
            let (spelling, value) = spelling
                .and_then(|spelling| Some((spelling, values::argument(i, spelling, &function.lowerings[i])?)))
                .ok_or_else(|| unsupported(function, &format!("parameter `{}`", parameter.name)))?;
            taken += &format!("let dodona_{i}{} = {value}; ", values::made_for_name(spelling));
            named += &format!("let {} = dodona_{i}; ", parameter.name);
            parameters.push(spelling);
            values.push(value);
        }
        let code = match call {
            RustCall::Path(path) => format!("{path}({})", values.join(", ")),
            // A block alone would end the expression that it begins.
            RustCall::Expression(expression) => format!("({{ {taken}{named}{expression} }})"),
        };
        Ok(Call { function, parameters, result: types.get(function.parameters.len()), code })
    }

    fn unsupported(&self, what: &str) -> BuildError {
        unsupported(self.function, what)
    }
}

fn unsupported(function: &Function, what: &str) -> BuildError {
    BuildError::Unsupported(format!(
        "no glue can be generated for {what} of `{}`: scalars, slices and text by pointer-length, and results by value or \
         return-pointer can; write a small crate around it and name that with [build] rust = \"…\"",
        function.name
    ))
}
