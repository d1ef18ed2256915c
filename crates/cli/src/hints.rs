//! Hints for people who type an option by the name that another tool has for it.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

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
pub(crate) fn with_hint(mut error: clap::Error, typed: &[OsString]) -> clap::Error {
    if let Some(here) = name_here(&error, typed) {
        let words = format!("the number of inputs is '--{here} N' here");
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(words)]));
    }
    error
}

fn name_here(error: &clap::Error, typed: &[OsString]) -> Option<&'static str> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    if error.kind() != ErrorKind::UnknownArgument || !HOW_MANY.contains(&option.as_str()) {
        return None;
    }
    let command = crate::definition();
    let verb = typed.iter().skip(1).find_map(|word| command.find_subcommand(word))?;
    HOW_MANY_HERE.into_iter().find(|here| verb.get_arguments().any(|arg| arg.get_long() == Some(here)))
}
