//! What is said where Dodona itself is wrong: what happened, that it is a mistake of ours, and how to report it.

use std::path::Path;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::complain;
use crate::shell;

/// A mistake of ours that ended a command.
pub(crate) fn failure(what: &dyn std::fmt::Display) -> Failure {
    Failure::new(Exit::Mistake, words(what))
}

/// How a command ends whose result may hold contradictions: these outweigh all else.
pub(crate) fn or(contradictions: &[String], exit: Exit) -> Exit {
    if contradictions.is_empty() {
        return exit;
    }
    let list: Vec<String> = contradictions.iter().map(|one| format!("\n  {one}")).collect();
    complain(&format!("error: {}\n", words(&format!("Dodona contradicts itself:{}", list.concat()))));
    Exit::Mistake
}

fn words(what: &dyn std::fmt::Display) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "{what}\n  This is a mistake in Dodona, not in your subject, and what this command found cannot be relied on.\n  \
         Please report it with these lines, the subject and the command, of dodona {version}:\n  {}",
        command()
    )
}

/// The command as it can be typed again.
pub(crate) fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| shell::word(word.as_encoded_bytes()));
    let is_for_cargo = std::env::args_os()
        .next()
        .is_some_and(|program| Path::new(&program).file_stem().is_some_and(|stem| stem == "cargo-dodona"));
    let program = if is_for_cargo { "cargo" } else { "dodona" };
    std::iter::once(program.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}
