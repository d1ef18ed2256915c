//! The shards of one command: whether all are there, once, and of the same command.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::{ShardError, ShardHead, ShardNumber, ShardPiece, ShardProblem, ShardReader};

/// A shard file that was looked through.
#[derive(Clone, Debug)]
pub struct ShardFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is a part of.
    pub head: ShardHead,
    /// How many pieces it holds.
    pub pieces: u64,
    /// How long these took, in seconds.
    pub seconds: f64,
}

impl ShardFile {
    /// Looks through a file: it is read to its end, and nothing of it is kept in memory.
    ///
    /// # Errors
    /// When it is no shard, or not a whole one.
    pub fn look_through(path: &Path) -> Result<ShardFile, ShardError> {
        let mut reader = ShardReader::open(path)?;
        let (mut pieces, mut seconds) = (0, 0.0);
        while let Some(piece) = reader.piece()? {
            pieces += 1;
            seconds += piece.seconds;
        }
        Ok(ShardFile { path: path.to_owned(), head: reader.head().clone(), pieces, seconds })
    }
}

/// Shards that belong together.
#[derive(Debug)]
pub struct ShardSet {
    /// By their numbers.
    pub files: Vec<ShardFile>,
    /// Those that are not there, or only as a file that cannot be used.
    pub missing: Vec<ShardNumber>,
    /// The files that cannot be used. A set that has any is not to be merged.
    pub problems: Vec<ShardProblem>,
}

impl ShardSet {
    /// Looks through files. Whichever command most of them are of is the one that is meant; of several such, that of the first file.
    /// Where the [name](ShardHead::name) of one is given, that one is meant, however many files are of others.
    /// Every file that is no whole shard, of another command, or of a shard that another one is of, is one of the set's problems.
    #[must_use]
    pub fn of(paths: &[PathBuf], name: Option<&str>) -> ShardSet {
        let (mut files, mut problems) = (Vec::new(), Vec::new());
        for path in paths {
            match ShardFile::look_through(path) {
                Ok(file) => files.push(file),
                Err(why) => problems.push(ShardProblem::Unreadable { path: path.clone(), why }),
            }
        }
        let is_named = |file: &ShardFile| name.is_none_or(|name| file.head.name() == name);
        let (files, others): (Vec<ShardFile>, Vec<ShardFile>) = files.into_iter().partition(is_named);
        let meant = meant(&files).cloned();
        problems.extend(others.into_iter().map(|file| {
            let why = meant.as_ref().and_then(|meant| file.head.difference(meant));
            let why = why.unwrap_or_else(|| {
                let (line, of) = (file.head.command.join(" "), file.head.shard.of());
                format!(
                    "it is one of {of} shards of `{line}`, with seed {}, which is not the one that was named",
                    file.head.seed
                )
            });
            ShardProblem::Foreign { path: file.path, why }
        }));
        let Some(meant) = meant else {
            return ShardSet { files: Vec::new(), missing: Vec::new(), problems };
        };
        let mut by_number: BTreeMap<ShardNumber, ShardFile> = BTreeMap::new();
        for file in files {
            if let Some(why) = file.head.difference(&meant) {
                problems.push(ShardProblem::Foreign { path: file.path, why });
                continue;
            }
            match by_number.get(&file.head.shard) {
                Some(first) => problems.push(ShardProblem::Double {
                    shard: file.head.shard,
                    first: first.path.clone(),
                    second: file.path,
                }),
                None => drop(by_number.insert(file.head.shard, file)),
            }
        }
        let missing =
            ShardNumber::all(meant.shard.of()).filter(|number| !by_number.contains_key(number)).collect();
        ShardSet { files: by_number.into_values().collect(), missing, problems }
    }

    /// The pieces of all files, one after the other. One of them is in memory at a time.
    ///
    /// # Errors
    /// When a file cannot be read any more; nothing comes after that.
    pub fn pieces(&self) -> impl Iterator<Item = Result<ShardPiece, ShardError>> {
        let mut files = self.files.iter();
        let mut reader: Option<ShardReader<File>> = None;
        let mut is_over = false;
        let mut next = move || -> Result<Option<ShardPiece>, ShardError> {
            loop {
                if let Some(open) = &mut reader
                    && let Some(piece) = open.piece()?
                {
                    return Ok(Some(piece));
                }
                let Some(file) = files.next() else { return Ok(None) };
                reader = Some(ShardReader::open(&file.path)?);
            }
        };
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let piece = next().transpose();
            is_over = !matches!(piece, Some(Ok(_)));
            piece
        })
    }

    /// What all of them are parts of, whichever number its shard has.
    pub fn head(&self) -> Option<&ShardHead> {
        self.files.first().map(|file| &file.head)
    }
}

/// What most files are of; of several such, what the first of them is of.
fn meant(files: &[ShardFile]) -> Option<&ShardHead> {
    let mut commands: Vec<(&ShardHead, usize)> = Vec::new();
    for file in files {
        match commands.iter_mut().find(|(head, _)| file.head.difference(head).is_none()) {
            Some((_, count)) => *count += 1,
            None => commands.push((&file.head, 1)),
        }
    }
    // Of equals the last one is taken.
    commands.into_iter().rev().max_by_key(|(_, count)| *count).map(|(head, _)| head)
}
