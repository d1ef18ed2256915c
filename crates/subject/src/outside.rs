//! Functions that are no WebAssembly: programs that are run for each call, workers that make many calls in one process, and web services.

mod http;

use std::path::PathBuf;

use dodona_target::{Output, OutputName, Shape, Type};

pub use self::http::{
    HttpBody, HttpCall, HttpRequest, HttpReset, HttpSecret, HttpService, HttpStep, JsonTemplate, ResetBefore,
};

/// How functions outside of WebAssembly are called.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside {
    /// What is run.
    pub kind: OutsideKind,
    /// Variables of the environment that are set, besides `PATH`, `LANG` and those that are passed on.
    pub environment: Vec<(String, String)>,
    /// Variables of the caller's environment that are passed on.
    pub passed: Vec<String>,
}

/// What is run for functions outside of WebAssembly.
#[derive(Clone, Debug, PartialEq)]
pub enum OutsideKind {
    /// A program for each call: one entry a function.
    Command(Vec<CommandCall>),
    /// A process that makes many calls.
    Worker(WorkerSource),
    /// A web service, to which each call is a request.
    Http(HttpService),
}

/// How a program is run for one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandCall {
    /// The program and its words.
    pub words: Vec<Template>,
    /// What it reads on standard input.
    pub stdin: Template,
    /// Files of its working directory, by name.
    pub files: Vec<(String, Template)>,
    /// Where its outputs are found, one entry for each output of the signature.
    pub found: Vec<Found>,
}

/// Text with the values of parameters in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// In order.
    pub parts: Vec<TemplatePart>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// As it is.
    Text(String),
    /// The value of the parameter of this index.
    Parameter(usize),
    /// The elements of the parameter of this index, a word each. It is the whole template.
    Words(usize),
}

impl Template {
    /// The template as it is where no parameter stands in it.
    pub fn fixed(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TemplatePart::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The parameters that stand in it.
    pub fn parameters(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(_) => None,
            TemplatePart::Parameter(index) | TemplatePart::Words(index) => Some(*index),
        })
    }
}

/// Where an output of a program or of a web service is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is looked at.
    pub place: FoundIn,
    /// How.
    pub how: FoundBy,
}

/// What of a run of a program, or of the answer of a web service, is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundIn {
    /// Its standard output.
    Stdout,
    /// Its standard error.
    Stderr,
    /// Its exit code.
    Exit,
    /// A file of this name that it wrote into its working directory.
    File(String),
    /// The status of an answer.
    Status,
    /// The body of an answer.
    Body,
    /// The header of this name of an answer. Where it stands several times, the values have commas between.
    Header(String),
}

/// How an output is found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// All of it: of a number without the white space around it.
    Whole,
    /// What the first group of this regular expression matches, or all that it matches where it has no group. A sequence has an element for each match.
    Pattern(String),
    /// The value at this JSON Pointer (RFC 6901), in which a step `*` stands for every element of a list: `/items/*/price` gives a sequence, or of texts their lines.
    Json(String),
    /// The cells of the column of this name in comma-separated values. A single value is that of the first row.
    Column(String),
}

impl Found {
    /// The outputs that every answer has: `status` and `body`.
    pub fn of_answer() -> [Found; 2] {
        [FoundIn::Status, FoundIn::Body].map(|place| Found { place, how: FoundBy::Whole })
    }

    /// The outputs that every command has: `stdout`, `stderr` and `exit`.
    pub fn of_command() -> [Found; 3] {
        [FoundIn::Stdout, FoundIn::Stderr, FoundIn::Exit].map(|place| Found { place, how: FoundBy::Whole })
    }
}

/// An output of a program that a manifest names, with where it is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedOutput {
    /// Its name in relations: `total` of `f(x).total`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is found.
    pub found: Found,
}

impl NamedOutput {
    /// What relations see of it.
    pub fn output(&self) -> Output {
        Output::new(OutputName::Part(self.name.clone()), self.ty)
    }
}

/// A process that makes many calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSource {
    /// Which worker.
    pub language: WorkerLanguage,
    /// The words that start it; those of an interpreter for a worker that ships with Dodona.
    pub command: Vec<String>,
    /// What the worker calls each function of the manifest, in order: `pricing:black_scholes`.
    pub names: Vec<String>,
    /// How the value that each function returns is made; `None` of one that returns nothing.
    pub shapes: Vec<Option<Shape>>,
    /// The folder of the manifest, as an absolute path: the process runs there, and modules are looked for there.
    pub folder: PathBuf,
    /// A folder with another version: a file there stands in the place of the module of its path. `None` of the code as it is.
    pub version: Option<PathBuf>,
}

/// Who makes the calls in a worker process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerLanguage {
    /// The worker for Python that ships with Dodona.
    Python,
    /// The worker for Node that ships with Dodona.
    Node,
    /// The worker for Java that ships with Dodona.
    Java,
    /// A program of the user.
    Own,
}
