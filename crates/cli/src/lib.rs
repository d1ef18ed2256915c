//! The command line as a function, so that a test or a fuzz target can call whole verbs in its own process.

mod args;
mod baseline;
mod calls;
mod crate_functions;
mod destination;
mod ending;
mod exit;
mod failure;
mod help;
mod hints;
mod interrupt;
mod memory;
mod mistake;
mod open;
mod output;
mod progress;
mod session;
mod several;
mod shards;
mod shell;
mod source_text;
mod verbs;
mod visible;
mod written;

use std::ffi::OsString;

use clap::FromArgMatches as _;
use dodona_workbench::{Worker, guarded};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::help::Cli;
pub use crate::output::Captured;

/// Runs the command line, whose first word is the program's name; the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let (definition, words) = help::asked_for_all(&words).unwrap_or_else(|| (definition(), words));
    run_as(definition, words)
}

fn run_as(definition: clap::Command, words: Vec<OsString>) -> u8 {
    let parsed = |typed| Cli::from_arg_matches(&typed).map(|cli| cli.noting(&typed));
    let typed = definition.try_get_matches_from(&words).and_then(parsed);
    match typed {
        Ok(cli) => {
            let ended = guarded(Worker::Command, || memory::conclude(verb(cli)).unwrap_or_else(told));
            // A panic on the main thread is told as one on any other.
            let exit = ended.unwrap_or_else(|panicked| told(mistake::failure(&panicked)));
            // Threads that were not waited for still have theirs. Where the command is a part of another program, they may be that program's.
            if !output::is_captured() {
                ending::end_children();
            }
            exit as u8
        }
        Err(told) => output::usage(&hints::with_hint(told, &words)),
    }
}

/// Runs `dodona crate` for cargo, which calls `cargo-dodona dodona …` where `cargo dodona …` was typed; the exit code.
pub fn run_for_cargo(words: impl IntoIterator<Item = OsString>) -> u8 {
    let mut words = words.into_iter();
    let program = words.next();
    let mut rest: Vec<OsString> = words.collect();
    if rest.first().is_some_and(|word| word == "dodona") {
        rest.remove(0);
    }
    let definition =
        definition().mut_subcommand("crate", |verb| verb.override_usage("cargo dodona [OPTIONS]"));
    run_as(definition, program.into_iter().chain([OsString::from("crate")]).chain(rest).collect())
}

fn told(failure: Failure) -> Exit {
    ending::answer();
    output::complain(&failure.render());
    failure.exit
}

/// The definition of the command line: its verbs with their options.
pub fn definition() -> clap::Command {
    help::definition()
}

/// Runs the command line as [`run`] does, and keeps what it prints. Ctrl-C keeps its usual meaning.
pub fn run_captured(words: impl IntoIterator<Item = OsString>) -> Captured {
    output::captured(|| run(words))
}

fn verb(cli: Cli) -> Result<Exit, Failure> {
    Worker::Command.panic_if_asked();
    memory::watch(cli.memory.unwrap_or_default(), cli.verb.doing())?;
    interrupt::start();
    let _lines = progress::lines(cli.verb.doing());
    cli.verb.run()
}
