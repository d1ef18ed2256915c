//! Command lines out of the parser's own list of verbs and options, so that new ones are tried by themselves.

use std::ffi::OsString;
use std::path::Path;

use crate::Choices;
use clap::{Arg, ArgAction, Command};

/// What keeps a verb short, where it has such an option and another value was not chosen.
const SHORT: [(&str, &str); 15] = [
    ("time", "0.2"),
    ("query_time", "0.05"),
    ("max_queries", "8"),
    ("sources", "12"),
    ("inputs", "12"),
    ("fresh", "20"),
    ("repeats", "2"),
    ("count", "4"),
    ("executions", "40"),
    ("transformations", "4"),
    ("mutants", "6"),
    ("population", "8"),
    ("generations", "2"),
    ("jobs", "1"),
    // The page would be written into the folder of the tests.
    ("html", "/dev/null"),
];

/// Numbers, and what is none. They are small: what a count asks for is done.
const NUMBERS: [&str; 12] =
    ["0", "1", "2", "3", "5", "-1", "0.5", "nan", "x", "", "1e1", "99999999999999999999"];
const SECONDS: [&str; 7] = ["0.1", "0.2", "0", "-1", "nan", "x", "1e-9"];
const WORDS: [&str; 8] = ["f", "r0", "r1", "g", "all", "AOR,ROR", "M1", ""];
const FILES: [&str; 9] = [
    "in.csv",
    "in.jsonl",
    "out.csv",
    "out.jsonl",
    "out.mr",
    "no/such/file.csv",
    "r.mr",
    "dodona-regressions/f.json",
    "",
];
/// A solver is a program that is run: nothing else may stand here.
const SOLVERS: [&str; 3] = ["z3", "bitwuzla", "no-such-solver"];

/// A command line over the subject in a folder.
pub(super) fn command(choices: &mut Choices<'_>, folder: &Path) -> Vec<OsString> {
    let whole = dodona_cli::definition();
    // `crate` is about the crate in the current folder, which is none of the case: it would build this very one.
    // Those of the set-up read no file of the case, and `doctor` starts whatever is installed.
    // What `submit` writes stands in the current folder.
    let apart = ["help", "crate", "doctor", "completions", "man", "submit"];
    let is_of_case = |verb: &&Command| !apart.contains(&verb.get_name());
    let verbs: Vec<&Command> = whole.get_subcommands().filter(is_of_case).collect();
    let verb = choices.one_of(&verbs);
    let mut words = vec![OsString::from("dodona"), verb.get_name().into()];
    for argument in verb.get_positionals() {
        words.extend(positional(choices, argument, folder));
    }
    // What a shard writes stands in the current folder, as what `submit` writes.
    let is_of_case = |argument: &&Arg| !["shard", "to"].contains(&argument.get_id().as_str());
    for argument in verb.get_opts().chain(flags(verb)).filter(is_of_case) {
        let chosen = choices.one_in(12);
        let short = SHORT.iter().find(|(id, _)| *id == argument.get_id().as_str()).map(|(_, value)| *value);
        match (chosen, short) {
            (true, _) => words.extend(option(choices, argument, folder)),
            (false, Some(value)) => words.extend(long(argument, value.into())),
            (false, None) => {}
        }
    }
    words
}

fn flags(verb: &Command) -> impl Iterator<Item = &Arg> {
    let is_flag = |argument: &&Arg| matches!(argument.get_action(), ArgAction::SetTrue);
    verb.get_arguments().filter(is_flag)
}

fn long(argument: &Arg, value: OsString) -> Vec<OsString> {
    let name = argument.get_long().unwrap_or_default();
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    vec![word]
}

fn option(choices: &mut Choices<'_>, argument: &Arg, folder: &Path) -> Vec<OsString> {
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        return vec![format!("--{}", argument.get_long().unwrap_or_default()).into()];
    }
    let value = value(choices, argument, folder);
    long(argument, value)
}

/// A value of the kind that an option takes, as its name in the help says.
fn value(choices: &mut Choices<'_>, argument: &Arg, folder: &Path) -> OsString {
    let known = argument.get_possible_values();
    if !known.is_empty() {
        return known[choices.below(known.len())].get_name().into();
    }
    let name =
        argument.get_value_names().and_then(|names| names.first()).map(|name| name.as_str()).unwrap_or("");
    match name {
        "SOLVER" => choices.one_of(&SOLVERS).into(),
        "SECONDS" => choices.one_of(&SECONDS).into(),
        name if name.starts_with("FILE") => folder.join(choices.one_of(&FILES)).into(),
        name if name.starts_with("MUTANT=") => {
            let mut word = OsString::from("M1=");
            word.push(folder.join("out.wasm"));
            word
        }
        name if name.starts_with("LANGUAGE") => choices.one_of(&["c", "rust", "python", "c=f.h", "x"]).into(),
        // A shard is written into the folder of the case.
        "FOLDER" => folder.join(choices.one_of(&WORDS)).into(),
        "N" | "SHARE" | "SCORE" | "SEED" => choices.one_of(&NUMBERS).into(),
        _ => choices.one_of(&WORDS).into(),
    }
}

fn positional(choices: &mut Choices<'_>, argument: &Arg, folder: &Path) -> Option<OsString> {
    Some(match argument.get_id().as_str() {
        "subject" | "subjects" if choices.one_in(8) => folder.join("dodona.toml").into(),
        "subject" | "subjects" => folder.into(),
        "module" => folder.join("m.wat").into(),
        "file" => kept(folder).unwrap_or_else(|| folder.join("in.csv").into()),
        "expression" => choices.one_of(&["f(1, 2, 0.5, nan)", "f([1], 2)", "1 / 0", "f(", "x", "-1"]).into(),
        _ if argument.is_required_set() || choices.one_in(3) => choices.one_of(&WORDS).into(),
        _ => return None,
    })
}

/// A counterexample that an earlier command kept.
fn kept(folder: &Path) -> Option<OsString> {
    let entries = std::fs::read_dir(folder.join("dodona-regressions")).ok()?;
    let mut files: Vec<OsString> = entries.flatten().map(|entry| entry.path().into_os_string()).collect();
    files.sort();
    files.into_iter().next()
}
