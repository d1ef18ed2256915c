//! The arguments that choose relations: by name, and by the files that they stand in.

use std::path::PathBuf;

use clap::Args;

use crate::shell;

/// The relations of subjects.
#[derive(Debug, Default, Args)]
pub(crate) struct RelationArgs {
    /// Only these relations
    #[arg(long = "relation", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) files: RelationFiles,
}

/// Relations that stand elsewhere than the manifest says.
#[derive(Debug, Default, Args)]
pub(crate) struct RelationFiles {
    /// Take the relations of these .mr files in place of those that the manifest names, for each subject if there are several;
    /// the files stand behind the subjects
    #[arg(long = "relations", value_name = "FILE", num_args = 1..)]
    pub(crate) relation_files: Vec<PathBuf>,
}

impl RelationFiles {
    /// The option as it is typed, with a space before it; nothing where it was not given.
    pub(crate) fn words(&self) -> String {
        let files = self.relation_files.iter().map(|file| format!(" {}", shell::path(file)));
        match self.relation_files.is_empty() {
            true => String::new(),
            false => format!(" --relations{}", files.collect::<String>()),
        }
    }
}
