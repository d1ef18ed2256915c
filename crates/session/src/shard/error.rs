use std::path::PathBuf;

/// Why a file is no shard, or not a whole one.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// It begins as no shard does.
    #[error("it is no shard file")]
    Foreign,
    /// A newer Dodona wrote it.
    #[error("a newer Dodona wrote it: its format is {found}, and this one reads up to {known}")]
    Newer {
        /// The version of its format.
        found: u32,
        /// The version of this Dodona's format.
        known: u32,
    },
    /// It is damaged.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl ShardError {
    /// What to do.
    fn advice(&self) -> &'static str {
        match self {
            ShardError::Foreign => "leave it out",
            ShardError::Newer { .. } => "merge with that one",
            ShardError::Damaged(_) => "that shard has to be run again, which replaces it",
            ShardError::File(error) if error.kind() == std::io::ErrorKind::NotFound => {
                "name the files of shards, or the folder that they are in"
            }
            ShardError::File(_) => "leave it out, or make it readable",
        }
    }
}

/// What is wrong with some shards, each with its file.
#[derive(Debug, thiserror::Error)]
pub enum ShardProblem {
    /// A file that cannot be used.
    #[error("{path}: {why}; {advice}", path = .path.display(), advice = .why.advice())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: ShardError,
    },
    /// A file of another command.
    #[error("{path} is of another run: {why}; leave it out", path = .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// How it differs from the others.
        why: String,
    },
    /// Two files of the same shard.
    #[error("shard {shard} is there twice: {first} and {second}; leave one of them out", first = .first.display(), second = .second.display())]
    Double {
        /// The shard.
        shard: super::ShardNumber,
        /// Its first file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
}
