//! What can go wrong outside the code under test.

use dodona_subject::CodePoint;
use dodona_target::{CallError, Outcome, Type, on_one_line};

/// Why a module cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The module does not export a function of this name.
    #[error(
        "the module exports no function `{export}`{}; it exports {}",
        nearest.as_ref().map(|n| format!(" (did you mean `{}`?)", on_one_line(n))).unwrap_or_default(),
        list(exported)
    )]
    MissingExport {
        /// The name that is missing.
        export: String,
        /// The exported function with the nearest name.
        nearest: Option<String>,
        /// Every exported function.
        exported: Vec<String>,
    },
    /// The module is not a command.
    #[error(
        "`{function}` is declared as a command, but the module exports no function `_start`; build it as a program with `main`, or declare an exported function: {}",
        list(exported)
    )]
    NotACommand {
        /// The function in the manifest.
        function: String,
        /// Every exported function.
        exported: Vec<String>,
    },
    /// The export's WebAssembly type is not the one that the declared signature makes.
    #[error("declared {declared}, but the module exports {found}; {advice}")]
    WrongType {
        /// The declared function with the WebAssembly type that it makes.
        declared: String,
        /// The export with its type.
        found: String,
        /// What to do.
        advice: String,
    },
    /// The module imports something that is no function.
    #[error(
        "the module imports the {kind} `{}.{}`, and only functions can be offered; {advice}",
        on_one_line(module),
        on_one_line(name)
    )]
    Import {
        /// The module name of the import.
        module: String,
        /// The field name of the import.
        name: String,
        /// What it is: a memory, table, global or tag.
        kind: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// The module imports a function of WASI with another type than it has, or one function with two types.
    #[error(
        "{message}; declare the function in the sources with the type that is found, or build for wasm32-wasip1"
    )]
    ImportType {
        /// What the engine says: the import, the type that the module expects, and the type that is found.
        message: String,
    },
    /// Arguments or results need linear memory, and the module has none.
    #[error(
        "`{function}` takes or returns {ty} in linear memory, but the module has no memory; correct the signature"
    )]
    NoMemory {
        /// The function in the manifest.
        function: String,
        /// The type that needs memory.
        ty: Type,
    },
    /// The allocator named in the manifest is not one.
    #[error(
        "the allocator `{name}` {problem}; it must be exported as `fn(size: i32) -> i32`, or with the four i32 parameters of `cabi_realloc`"
    )]
    Allocator {
        /// The name in the manifest.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A function's lowerings do not fit its types.
    #[error("`{function}`: {problem}")]
    Lowering {
        /// The function in the manifest.
        function: String,
        /// What does not fit.
        problem: String,
    },
    /// A limit is larger than the host can keep.
    #[error("the {what} limit is {limit}, more than the most possible, {most}; lower it under [limits]")]
    Limit {
        /// Which limit.
        what: &'static str,
        /// What was asked for.
        limit: u64,
        /// What is possible.
        most: u64,
    },
    /// The variants do not fit the module.
    #[error("the variants do not fit the module: {problem}")]
    Variants {
        /// What does not fit.
        problem: String,
    },
    /// The engine refuses the module.
    #[error("the module cannot be compiled: {}; {}", plain(message), advice(message))]
    Compile {
        /// What the engine says.
        message: String,
    },
    /// The engine cannot be made.
    #[error("the WebAssembly engine cannot start: {message}")]
    Engine {
        /// What the engine says.
        message: String,
    },
    /// What runs before the first call did not return.
    #[error("{name}, which runs before the first call, did not return ({outcome}){said}; {advice}")]
    Start {
        /// The function in words.
        name: &'static str,
        /// How it ended.
        outcome: Outcome,
        /// What the program said, after a colon; may be empty.
        said: String,
        /// What to do.
        advice: String,
    },
    /// The module cannot be instantiated.
    #[error("the module cannot be instantiated: {message}")]
    Instantiate {
        /// What happened.
        message: String,
    },
}

/// Why a call could not be made; how a call *ended* is an [`dodona_target::Outcome`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// An argument is not a value of its parameter's type.
    #[error("row {row}: the value of parameter {parameter} of `{function}` is not of its declared type {ty}")]
    Argument {
        /// The function in the manifest.
        function: String,
        /// The parameter's index.
        parameter: usize,
        /// The row in the columns.
        row: usize,
        /// The declared type.
        ty: Type,
    },
    /// The columns do not fit the parameters.
    #[error("`{function}` takes {expected} columns of equal length, found lengths {found:?}")]
    Columns {
        /// The function in the manifest.
        function: String,
        /// The number of parameters.
        expected: usize,
        /// The length of each column given.
        found: Vec<usize>,
    },
    /// There is not one fuel limit for each row.
    #[error("`{function}` is called for {rows} rows with {found} fuel limits; give one a row")]
    FuelLimits {
        /// The function in the manifest.
        function: String,
        /// The number of rows.
        rows: usize,
        /// The number of limits.
        found: usize,
    },
    /// The host is out of a resource.
    #[error("no instance of the module could be made: {message}; use fewer jobs at once")]
    Instance {
        /// What the engine says.
        message: String,
    },
    /// The time was up, or somebody interrupted, before all rows were run.
    #[error("the calls were given up: the time was up, or somebody interrupted")]
    Stopped,
    /// The engine failed in a way that is not the module's doing.
    #[error("the WebAssembly engine failed at {function:?}: {message}")]
    Engine {
        /// Where, when known.
        function: Option<CodePoint>,
        /// What the engine says.
        message: String,
    },
}

/// What the engine says, without where in the rewritten module it says so.
fn plain(message: &str) -> &str {
    let message = message.strip_prefix("failed to parse WebAssembly module: ").unwrap_or(message);
    message.split_once(" (at offset 0x").map_or(message, |(message, _)| message)
}

/// What to do about a module that the engine refuses, by what it says.
fn advice(message: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["exceptions"]) {
        "build it without exceptions: with -fno-exceptions (C++), or panic = \"abort\" (Rust)"
    } else if says(&["gc types are disallowed"]) {
        "references to values of the host (externref) are not supported: take the module before wasm-bindgen rewrites it"
    } else if says(&["gc types"]) {
        "languages that need the garbage collector of an engine (Kotlin, Dart, Java) cannot be run"
    } else if says(&["threads"]) {
        "build it without threads: without -pthread and -matomics"
    } else if says(&["64-bit"]) {
        "build it for wasm32"
    } else if says(&["pooling allocator"]) {
        "at most 3 memories and 4 tables of 100000 elements are provided: use fewer, or smaller ones"
    } else if says(&["`dodona:"]) {
        "rename it"
    } else {
        "it may use a proposal that is not supported"
    }
}

fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    if names.is_empty() {
        return "no function".to_owned();
    }
    let mut out =
        names.iter().take(SHOWN).map(|n| format!("`{}`", on_one_line(n))).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        out += &format!(" and {} more", names.len() - SHOWN);
    }
    out
}

impl From<HostError> for CallError {
    fn from(error: HostError) -> CallError {
        match error {
            HostError::Stopped => CallError::Stopped,
            error => CallError::new(error),
        }
    }
}
