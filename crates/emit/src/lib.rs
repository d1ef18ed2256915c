//! Writes relations as tests. Only text is made; nothing is built or run here.
//!
//! [`crate_tests`] are tests of a Rust crate on the library `dodona`: they declare its functions and say the relations. [`emit`] writes
//! tests that run without Dodona:
//!
//! | language | the test | calls the functions | needs |
//! | --- | --- | --- | --- |
//! | Rust | a proptest file | natively: `MODULE::name(…)` | the crate `proptest` |
//! | C | a C99 program with a `main` | natively, by their exported names | GCC or clang (`__int128`) |
//! | Java | a class of tests | natively, as static methods | Java 17, JUnit 5 |
//! | Python | a hypothesis file | in the WebAssembly module | `hypothesis`, `wasmtime` |
//!
//! Each of these draws source inputs from the domains and samplings of the manifest, skips ineligible inputs, and judges
//! the others as [`Program::evaluate`](dodona_relations::Program::evaluate) does. Each file ends with a prelude that defines the
//! words of the relation language, reduced to the definitions that the file needs.

#[cfg(test)]
mod agree;
mod c;
mod comments;
mod crate_tests;
mod domain;
mod generator;
mod helpers;
mod java;
mod names;
mod prelude;
mod problem;
mod python;
mod rust;
mod script;
mod write;

use dodona_subject::{Function, ResultLowering};

use dodona_relations::Relation;

pub use comments::comment_above;
pub use crate_tests::{CrateContext, DEV_DEPENDENCY, crate_tests, is_unedited};

/// A programming language in which tests can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// A file of property tests with the crate `proptest`.
    ///
    /// A function is called as `MODULE::name`, its name in snake case: scalars by value, text as `&str`, a sequence
    /// as `&[T]`, a parameter that is written back as `&mut Vec<T>` (which coerces to `&mut [T]`) or `&mut String`;
    /// it returns a scalar, a `String` or `&str`, a `Vec<T>` or `&[T]`, or an `Option`, `Result` or tuple of these. A function with
    /// another signature needs an adapter in a module of the tests. A panic counts as a trap; overflowing arithmetic panics only if the
    /// build profile checks it.
    Rust,
    /// A C99 program that returns 1 after the first counterexample, 2 if a relation met no eligible input, else 0.
    ///
    /// Integers have the compiler's type `__int128`. On POSIX systems, signals that a fault raises (`SIGILL`,
    /// `SIGFPE`, `SIGSEGV`, `SIGBUS`, `SIGABRT`, `SIGTRAP`) count as traps, and the unfinished work of the function
    /// is left as it is; elsewhere such a signal ends the program. Text is passed as pointers to bytes; a function
    /// that returns a pointer and a length returns a struct of both.
    /// `upper` and `lower` know only ASCII: inputs that need more are skipped.
    C,
    /// A file of property tests with `hypothesis`, which calls the functions in the WebAssembly module: each call in a
    /// new instance, with its arguments lowered as the manifest says. Only these tests can run commands.
    Python,
    /// A class of tests for JUnit 5, in Java 17.
    ///
    /// A function is called as a static method: one that the manifest names, else of a class, by its name in camel case, else of a class
    /// in the file, whose methods are to be filled in. What a method throws counts as a trap. Integers are `byte`, `short`, `int`, `long`
    /// or `BigInteger`, the smallest that holds all values, unless the manifest spells out other types; text is a `String`, a sequence an
    /// array; a parameter that is written back is an array or a `StringBuilder`. What a method returns is taken for a value of the type
    /// of the signature.
    Java,
}

/// The settings for writing tests.
#[derive(Clone, Copy, Debug)]
pub struct EmitContext<'a> {
    /// The functions that the relations were checked with.
    pub functions: &'a [Function],
    /// What people are told of each relation, above its text in its test: lines without an end, in the order of the relations. A
    /// relation beyond the last has none.
    pub comments: &'a [Vec<String>],
    /// Where the functions are. Rust: the path of a module, such as `genmorph::math`. C: a file to `#include`; if
    /// empty, the test declares the functions itself and is linked with them. Java: a class with its package; if empty, the functions
    /// are `methods`, and if these are empty, too, the test declares methods to be filled in. Python: the path of the `.wasm` file,
    /// relative to the working directory, or, if it is not found there, to the folder of the test.
    pub module: &'a str,
    /// Java: the method of each function, as `org.example.Model:gcd`, or with the types of its parameters, as
    /// `org.example.Model:gcd(long,long)`. Empty if the manifest names none.
    pub methods: &'a [String],
    /// Java: the name of the file without its extension, after which the class is named; it may be empty.
    pub name: &'a str,
    /// The seed of all random draws.
    pub seed: u64,
    /// How many eligible inputs each test looks for, at least 1.
    pub cases: u32,
    /// Python: the export that allocates memory for arguments; `None` takes `malloc` or `cabi_realloc` if one is
    /// exported, else pages added at the end of the module's memory.
    pub allocator: Option<&'a str>,
    /// Python: the approximate number of instructions after which a call counts as endless.
    pub fuel: u64,
}

/// Why relations cannot be written as tests in a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    /// The language cannot express the relation.
    #[error("relation `{relation}` cannot be written in {language}: {why}")]
    Inexpressible {
        /// The relation's name.
        relation: String,
        /// The language's name.
        language: &'static str,
        /// What the language cannot express, and what to do.
        why: String,
    },
    /// No relations were given.
    #[error("no relations to write as tests")]
    Nothing,
    /// The number of cases is 0.
    #[error("a test of 0 cases tests nothing; give at least 1")]
    NoCases,
    /// The module of the functions is not given, so the Rust tests cannot call them.
    #[error("the module of the functions is missing; name it as Rust does, as `my_crate::math`")]
    NoModule,
    /// Tests on the crate `dodona` call the functions of a crate.
    #[error(
        "tests on the crate `dodona` call functions of a Rust crate, which the manifest declares with `[build] crate = …`; this one does not: write \
         stand-alone tests"
    )]
    NoCrate,
}

impl Language {
    /// The language's name, as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "Rust",
            Language::C => "C",
            Language::Python => "Python",
            Language::Java => "Java",
        }
    }

    /// The extension of a file of tests, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Rust => "rs",
            Language::C => "c",
            Language::Python => "py",
            Language::Java => "java",
        }
    }
}

/// Writes checked relations as one file of tests: a test for each metamorphic group of each relation.
///
/// # Errors
/// [`EmitError`]; if the language cannot express a relation, the error names the relation and the reason, and nothing
/// is written.
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
    if language != Language::Rust {
        refuse_records(language, relations, context)?;
    }
    match language {
        Language::Rust => rust::file(relations, context),
        Language::C => c::file(relations, context),
        Language::Python => python::file(relations, context),
        Language::Java => java::file(relations, context),
    }
}

/// Refuses relations of functions that return several values where tests know of one.
fn refuse_records(
    language: Language,
    relations: &[Relation],
    context: &EmitContext<'_>,
) -> Result<(), EmitError> {
    let returns_several = |function: usize| match &context.functions[function].result {
        ResultLowering::Record(_) | ResultLowering::MultiValue(_) => Some(&context.functions[function].name),
        _ => None,
    };
    for relation in relations {
        if let Some(name) = relation.calls().iter().find_map(|call| returns_several(call.function)) {
            return Err(EmitError::Inexpressible {
                relation: relation.name().to_owned(),
                language: language.name(),
                why: format!(
                    "`{name}` returns a value of several parts, or one that may be missing, and such tests know of one value; tests in Rust know \
                     of all, and `dodona emit` writes those of a crate in a few lines"
                ),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dodona_relations::{check, parse};
    use dodona_subject::Manifest;

    use super::*;

    #[test]
    fn a_comment_stands_above_its_relation_and_cannot_end_early() {
        let manifest = "module = \"m.wasm\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\n";
        let functions = Manifest::parse(Path::new("dodona.toml"), manifest).expect("a manifest").functions;
        let file = parse("relation a: f(x) == 1\nrelation b: f(x) == 2").expect("it parses");
        let relations = check(&file, &dodona_subject::signatures(&functions)).expect("they are valid");
        let comments = [vec!["one \"\"\" two */ three".to_owned(), "four".to_owned()]];
        let context = EmitContext {
            functions: &functions,
            comments: &comments,
            module: "m",
            methods: &[],
            name: "",
            seed: 1,
            cases: 1,
            allocator: None,
            fuel: 1000,
        };
        let emitted = |language| emit(language, &relations, &context).expect("it can be written");
        let rust = emitted(Language::Rust);
        let above = "/// one \"\"\" two */ three\n    /// four\n    ///\n    /// `relation a: f(x) == 1`\n";
        assert!(rust.contains(above), "{rust}");
        let c = emitted(Language::C);
        assert!(c.contains("/* one \"\"\" two * / three\n   four\n   relation a: f(x) == 1 */"), "{c}");
        let python = emitted(Language::Python);
        let quoted = "\"\"\"one \\\"\\\"\\\" two */ three\n    four\n    relation a: f(x) == 1\"\"\"";
        assert!(python.contains(quoted), "{python}");
        let java = emitted(Language::Java);
        let above = "// one \"\"\" two */ three\n    // four\n    // relation a: f(x) == 1\n    @Test\n";
        assert!(java.contains(above), "{java}");
        for text in [rust, c, python, java] {
            assert_eq!(text.matches("four").count(), 1, "the other relation has no comment: {text}");
        }
    }
}
