//! `dodona doctor`

use std::process::{Command, Stdio};

use clap::Args;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{styles, write};

/// Say which tools are installed, what each one is for, and how to get those that are missing
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  dodona doctor")]
pub(crate) struct DoctorArgs {}

/// How a tool is looked for.
#[derive(Clone, Copy)]
enum Probe {
    /// In `PATH`; this option makes it tell its version.
    Program(&'static str),
    /// Where proofs look for a solver.
    Solver,
}

use Probe::{Program, Solver};

/// A tool, how it is looked for, what it is for, and how to get it.
type Tool = (&'static str, Probe, &'static str, &'static str);

/// In the order in which most people need them.
const TOOLS: [Tool; 10] = [
    (
        "clang",
        Program("--version"),
        "[build] c: functions written in C",
        "apt-get install clang lld libclang-rt-dev wasi-libc",
    ),
    ("wasm-ld", Program("--version"), "[build] c and rust: linking to WebAssembly", "apt-get install lld"),
    (
        "cargo",
        Program("--version"),
        "cargo dodona, init --crate: functions of Rust crates",
        "https://rustup.rs, then: rustup target add wasm32-unknown-unknown",
    ),
    (
        "asc",
        Program("--version"),
        "[build] assemblyscript: functions of AssemblyScript",
        "npm install -g assemblyscript",
    ),
    (
        "python3",
        Program("--version"),
        "[target] python, init --python: functions of Python",
        "apt-get install python3",
    ),
    ("node", Program("--version"), "[target] node: functions of JavaScript", "apt-get install nodejs"),
    ("java", Program("-version"), "[target] java: methods of Java", "apt-get install default-jdk-headless"),
    (
        "bitwuzla",
        Solver,
        "prove, generate: proofs, several times as quick as with z3",
        "pip install bitwuzla==0.9.1",
    ),
    ("z3", Solver, "prove, generate: proofs, where bitwuzla is not there", "apt-get install z3"),
    ("git", Program("--version"), "run --against REVISION", "apt-get install git"),
];

/// Prints a line for each tool.
pub(crate) fn run(_: &DoctorArgs) -> Result<Exit, Failure> {
    let styles = styles();
    let mut text = String::new();
    for (name, probe, gives, get) in TOOLS {
        let (style, said) = match version(name, probe) {
            Some(version) => (styles.good, format!("{version}; {gives}")),
            None => (styles.doubtful, format!("missing; {gives}\n{:11}get it: {get}", "")),
        };
        text += &format!("{style}{name:<9}{style:#}  {said}\n");
    }
    write(&text)?;
    Ok(Exit::Success)
}

/// The number of the version of a tool; `None` where it is not there.
fn version(name: &str, probe: Probe) -> Option<String> {
    let told = match probe {
        Solver => dodona_generation::installed_solver(name)?,
        Program(option) => {
            let output = Command::new(name).arg(option).stdin(Stdio::null()).output().ok()?;
            // Java tells its version on standard error.
            let told = [output.stdout, output.stderr].concat();
            output.status.success().then(|| String::from_utf8_lossy(&told).into_owned())?
        }
    };
    let line = told.lines().find(|line| line.chars().any(|c| c.is_ascii_digit()))?;
    let is_number =
        |word: &&str| word.trim_start_matches(['v', '"']).starts_with(|c: char| c.is_ascii_digit());
    let number = line.split_whitespace().find(is_number).unwrap_or(line);
    Some(number.trim_matches(['"', ',', 'v']).to_owned())
}
