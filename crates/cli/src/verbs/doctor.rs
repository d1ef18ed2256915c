//! `dodona doctor`

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{styles, write};

/// Say which tools are installed, what each one is for, and how to get those that are missing
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  dodona doctor")]
pub(crate) struct DoctorArgs {}

/// A tool that some work needs.
struct Tool {
    name: &'static str,
    /// The words that show that it is there: a program with what makes it tell its version.
    probe: &'static [&'static str],
    /// What it is for.
    gives: &'static str,
    /// How to get it.
    get: &'static str,
}

/// In the order in which most people need them.
const TOOLS: [Tool; 9] = [
    Tool {
        name: "clang",
        probe: &["clang", "--version"],
        gives: "[build] c: functions written in C",
        get: "apt-get install clang lld libclang-rt-dev wasi-libc",
    },
    Tool {
        name: "wasm-ld",
        probe: &["wasm-ld", "--version"],
        gives: "[build] c and rust: linking to WebAssembly",
        get: "apt-get install lld",
    },
    Tool {
        name: "cargo",
        probe: &["cargo", "--version"],
        gives: "cargo dodona, init --crate: functions of Rust crates",
        get: "https://rustup.rs, then: rustup target add wasm32-unknown-unknown",
    },
    Tool {
        name: "python3",
        probe: &["python3", "--version"],
        gives: "[target] python, init --python: functions of Python",
        get: "apt-get install python3",
    },
    Tool {
        name: "node",
        probe: &["node", "--version"],
        gives: "[target] node: functions of JavaScript",
        get: "apt-get install nodejs",
    },
    Tool {
        name: "java",
        probe: &["java", "-version"],
        gives: "[target] java: methods of Java",
        get: "apt-get install default-jdk-headless",
    },
    Tool {
        name: "bitwuzla",
        probe: &["bitwuzla", "--version"],
        gives: "prove, generate: proofs, several times as quick as with z3",
        get: "pip install bitwuzla==0.9.1",
    },
    Tool {
        name: "z3",
        probe: &["z3", "--version"],
        gives: "prove, generate: proofs, where bitwuzla is not there",
        get: "apt-get install z3",
    },
    Tool {
        name: "git",
        probe: &["git", "--version"],
        gives: "run --against REVISION",
        get: "apt-get install git",
    },
];

/// Prints a line for each tool.
pub(crate) fn run(_: &DoctorArgs) -> Result<Exit, Failure> {
    let styles = styles();
    let mut text = String::new();
    for tool in &TOOLS {
        let Tool { name, gives, get, .. } = tool;
        let (style, said) = match version(tool) {
            Some(version) => (styles.good, format!("{version}; {gives}")),
            None => (styles.doubtful, format!("missing; {gives}\n{:11}get it: {get}", "")),
        };
        text += &format!("{style}{name:<9}{style:#}  {said}\n");
    }
    write(&text)?;
    Ok(Exit::Success)
}

/// The number of the version of a tool; `None` where it is not there.
fn version(tool: &Tool) -> Option<String> {
    let [program, words @ ..] = tool.probe else { return None };
    let programs = [PathBuf::from(program)].into_iter().chain(own(program));
    programs.into_iter().find_map(|program| {
        let output = Command::new(program).args(words).stdin(Stdio::null()).output().ok()?;
        if !output.status.success() {
            return None;
        }
        // Java tells its version on standard error.
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8_lossy(&told).into_owned();
        let line = told.lines().find(|line| line.chars().any(|c| c.is_ascii_digit()))?;
        let is_number =
            |word: &&str| word.trim_start_matches(['v', '"']).starts_with(|c: char| c.is_ascii_digit());
        let number = line.split_whitespace().find(is_number).unwrap_or(line);
        Some(number.trim_matches(['"', ',', 'v']).to_owned())
    })
}

/// Where `make setup` installs a solver.
fn own(program: &str) -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("dodona/solver/bin").join(program))
}
