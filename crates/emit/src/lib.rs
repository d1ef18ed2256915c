//! Relations as tests that run without Dodona: text only, nothing is built or run here.
//!
//! | language | the test | calls the functions | needs |
//! | --- | --- | --- | --- |
//! | Rust | a proptest file | natively: `MODULE::name(…)` | the crate `proptest` |
//! | C | a C99 program with a `main` | natively, by their exported names | GCC or clang (`__int128`) |
//! | Python | a hypothesis file | in the WebAssembly module | `hypothesis`, `wasmtime` |
//!
//! Each test draws source inputs from the domains and samplings of the manifest, skips those that the relation does not
//! speak of, and judges the others as [`Program::evaluate`](dodona_relations::Program::evaluate) does. What the words of the
//! relations mean stands at the end of each file: so much of it as the file needs.

#[cfg(test)]
mod agree;
mod c;
mod domain;
mod generator;
mod helpers;
mod names;
mod prelude;
mod python;
mod rust;
mod script;
mod write;

use dodona_subject::Function;

use dodona_relations::Relation;

/// A language that tests can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// A file of property tests with the crate `proptest`.
    ///
    /// A function is called as `MODULE::name`, its name in snake case: scalars by value, text as `&str`, a sequence as
    /// `&[T]`, what is written back as `&mut Vec<T>` (which coerces to `&mut [T]`) or `&mut String`; what it returns is
    /// a scalar, a `String` or `&str`, a `Vec<T>` or `&[T]`. A function with another signature needs an adapter in a
    /// module of the tests. A panic is a trap; arithmetic that overflows panics only where the profile checks it.
    Rust,
    /// A C99 program that returns 1 after the first counterexample, 2 where a relation met no eligible input, else 0.
    ///
    /// Integers are of the compiler's type `__int128`. Signals that a fault raises (`SIGILL`, `SIGFPE`, `SIGSEGV`,
    /// `SIGBUS`, `SIGABRT`, `SIGTRAP`) are traps on POSIX systems, and what the function had begun stays as it is then;
    /// elsewhere such a call ends the program. Text is passed as pointers to bytes, what a function returns as a
    /// pointer and a length comes as a struct of both.
    /// `upper` and `lower` know ASCII: inputs that need more are skipped.
    C,
    /// A file of property tests with `hypothesis`, which calls the functions in the WebAssembly module: each call in a
    /// new instance, with its arguments lowered as the manifest says. Only these tests can run commands.
    Python,
}

/// What the tests are made for.
#[derive(Clone, Copy, Debug)]
pub struct EmitContext<'a> {
    /// The functions that the relations were checked with.
    pub functions: &'a [Function],
    /// Where the functions are. Rust: the path of a module, as `genmorph::math`. C: a file to `#include`; where it is
    /// empty, the test declares the functions itself and is linked with them. Python: the path of the `.wasm` file,
    /// from the working directory, or where it is not there from the test's folder.
    pub module: &'a str,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// How many eligible inputs each test looks for, at least 1.
    pub cases: u32,
    /// Python: the export that gives memory for arguments; `None` takes `malloc` or `cabi_realloc` where one is
    /// exported, else pages grown behind the module's memory.
    pub allocator: Option<&'a str>,
    /// Python: after how many instructions (about) a call counts as endless.
    pub fuel: u64,
}

/// Why relations cannot be written as tests of a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    /// The language cannot say what a relation says.
    #[error("relation `{relation}` cannot be written in {language}: {why}")]
    Inexpressible {
        /// The relation's name.
        relation: String,
        /// The language's name.
        language: &'static str,
        /// What it cannot say, and what to do.
        why: String,
    },
    /// There is nothing to write.
    #[error("no relations to write as tests")]
    Nothing,
    /// A test without cases would test nothing.
    #[error("a test of 0 cases tests nothing; give at least 1")]
    NoCases,
    /// The Rust tests do not know where the functions are.
    #[error("the module of the functions is missing; name it as Rust does, as `my_crate::math`")]
    NoModule,
}

impl Language {
    /// Its name, as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "Rust",
            Language::C => "C",
            Language::Python => "Python",
        }
    }

    /// The ending of a file of tests, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Rust => "rs",
            Language::C => "c",
            Language::Python => "py",
        }
    }
}

/// Writes checked relations as one file of tests: a test for each metamorphic group of each relation.
///
/// # Errors
/// [`EmitError`]; a relation that the language cannot express is named with the reason, and nothing is written.
///
/// # Panics
/// When `context.functions` are not those that the relations were checked with.
pub fn emit(
    language: Language,
    relations: &[Relation],
    context: &EmitContext<'_>,
) -> Result<String, EmitError> {
    if relations.is_empty() {
        return Err(EmitError::Nothing);
    }
    if context.cases == 0 {
        return Err(EmitError::NoCases);
    }
    match language {
        Language::Rust => rust::file(relations, context),
        Language::C => c::file(relations, context),
        Language::Python => python::file(relations, context),
    }
}
