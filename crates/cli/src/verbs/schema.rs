//! `dodona schema [NAME]`

use clap::Args;
use dodona_report::RecordSchema;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{document, write};

const EXAMPLES: &str = "\
Examples:
  dodona schema                            which there are
  dodona schema check > check.schema.json  of what check --format json prints";

/// Print the JSON Schema of what a command prints as JSON, or say which there are
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {
    /// The record, or the command that prints it [default: list them]
    pub(crate) name: Option<String>,
}

/// Prints the schema, or the names of all of them.
pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    match &args.name {
        None => write(&listed())?,
        Some(name) => document(&RecordSchema::find(name).ok_or_else(|| unknown(name))?.text())?,
    }
    Ok(Exit::Success)
}

fn names() -> Vec<&'static str> {
    RecordSchema::ALL.iter().map(|record| record.name).collect()
}

/// A line a record, with the commands that print it.
fn listed() -> String {
    let width = names().iter().map(|name| name.len()).max().unwrap_or(0);
    let line = |record: &RecordSchema| format!("{:width$}  {}\n", record.name, record.commands.join(", "));
    RecordSchema::ALL.iter().map(line).collect()
}

fn unknown(name: &str) -> Failure {
    let all = names();
    let near = dodona_target::nearest(name, all.iter().copied());
    let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    Failure::usage(format!("there is no schema of `{name}`; {near}there are {}", all.join(", ")))
}
