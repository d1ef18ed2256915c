//! Every command has an example in its help, which is one.

mod common;

use common::{both, run};

/// Examples that need more than a subject: another file, a package, or something that somebody has done before.
const NEED_MORE: [&str; 11] = [
    "crate",
    "init",
    "replay",
    "accept",
    "frames",
    "identify",
    "prioritise",
    "run",
    "query",
    "merge",
    "submit",
];

/// The commands in the help of each verb.
fn examples() -> Vec<(String, Vec<String>)> {
    let definition = dodona_cli::definition();
    let mut examples = Vec::new();
    for verb in definition.get_subcommands() {
        let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
        let name = verb.get_name().to_owned();
        let of_cargo = help.lines().any(|line| line.trim().starts_with("cargo dodona"));
        let commands = help.lines().filter_map(|line| line.trim().strip_prefix("dodona ").map(str::to_owned));
        // What a shell does with the output is no part of the command, and a comment stands behind several blanks.
        let commands = commands.map(|line| {
            let line = line.split("   ").next().unwrap_or_default().to_owned();
            line.split(['>', '|']).next().unwrap_or_default().trim().to_owned()
        });
        let commands: Vec<String> = commands.filter(|line| line.starts_with(&name)).collect();
        assert!(of_cargo || !commands.is_empty(), "`dodona {name}` has no example: {help}");
        examples.push((name, commands));
    }
    examples
}

fn words(command: &str) -> Vec<String> {
    shlex::split(command).unwrap_or_else(|| panic!("no words: {command}"))
}

#[test]
fn every_example_is_a_command() {
    for (_, commands) in examples() {
        for command in commands.iter().filter(|command| !command.contains("SELECT")) {
            let words = std::iter::once("dodona".to_owned()).chain(words(command));
            let read = dodona_cli::definition().try_get_matches_from(words);
            assert!(read.is_ok(), "{command}: {}", read.expect_err("it is refused"));
        }
    }
}

#[test]
fn examples_that_need_nothing_but_a_subject_work_in_the_folder_of_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let gcd = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/gcd");
    common::copy(&gcd, folder.path());
    // A session for those that look at it.
    run(folder.path(), &["run", ".", "--time", "5s", "--inputs", "50", "--mutants", "20"]);
    for (verb, commands) in examples() {
        if NEED_MORE.contains(&verb.as_str()) {
            continue;
        }
        // A relation of somebody else's, and folders of somebody's own.
        for command in
            commands.iter().filter(|command| !command.contains("--relation ") && !command.contains('~'))
        {
            let words = words(command);
            let output = run(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{command}: {}", both(&output));
        }
    }
}
