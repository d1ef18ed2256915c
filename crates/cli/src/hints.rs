//! What people type who know another tool, and what it is called here.

use clap::CommandFactory as _;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::Cli;

/// What other tools call the number of inputs.
const HOW_MANY: [&str; 11] = [
    "--runs",
    "--iterations",
    "--tests",
    "--cases",
    "--num-tests",
    "--max-examples",
    "--samples",
    "--count",
    "--sources",
    "--inputs",
    "--executions",
];

/// What a verb calls it: the first of these that it has.
const HOW_MANY_HERE: [&str; 4] = ["sources", "inputs", "count", "executions"];

/// Adds to an unknown option the name that the verb has for the same thing.
pub(crate) fn with_hint(mut error: clap::Error) -> clap::Error {
    if let Some(here) = name_here(&error) {
        let words = format!("the number of inputs is '--{here} N' here");
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(words)]));
    }
    error
}

fn name_here(error: &clap::Error) -> Option<&'static str> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    if error.kind() != ErrorKind::UnknownArgument || !HOW_MANY.contains(&typed.as_str()) {
        return None;
    }
    // The usage line of the error begins with the program and the verb.
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return None };
    let usage = usage.to_string();
    let command = Cli::command();
    let verb =
        command.get_subcommands().find(|verb| usage.contains(&format!("dodona {}", verb.get_name())))?;
    HOW_MANY_HERE.into_iter().find(|here| verb.get_arguments().any(|arg| arg.get_long() == Some(here)))
}
