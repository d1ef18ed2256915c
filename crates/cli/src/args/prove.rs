//! What `dodona prove` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::generate::SearchArgs;

/// Prove relations on every path, or find an input that violates them
#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// The relations, by name [default: all of them]
    #[arg(value_name = "RELATION")]
    pub(crate) relations: Vec<String>,
    #[command(flatten)]
    pub(crate) files: super::RelationFiles,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Terminal,
    /// One JSON document
    Json,
}
