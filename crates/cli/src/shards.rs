//! What all verbs with `--shard` share: the options, what a shard depends on, how it is made and written, and what is looked at before shards are merged.

mod command;
mod making;
mod of_subjects;
mod subject_key;
mod units;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use dodona_session::{
    Key, KeyBuilder, ShardError, ShardFile, ShardHead, ShardNumber, ShardPiece, ShardReader, ShardSet,
    ShardSubject,
};
use dodona_sources::regressions;
use dodona_subject::Manifest;
use serde::de::DeserializeOwned;

use crate::failure::Failure;
pub(crate) use command::command;
pub(crate) use making::{Making, Piece};
pub(crate) use of_subjects::OfSubjects;
pub(crate) use subject_key::{subject_key, verb_key};
pub(crate) use units::{Units, UnitsOf};

/// The folder of shards, where no other is named.
pub(crate) const SHARDS: &str = "shards";

/// Which part of a command is done, where not all of it is.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShardArgs {
    /// Do one of several parts, such as 3/16 for the third of sixteen, and write what it saw to a file; `dodona merge` puts the files of all parts together
    #[arg(id = "shard", long = "shard", value_name = "N/ALL", conflicts_with = "format")]
    pub(crate) number: Option<ShardNumber>,
    /// The folder that the file of a shard is written to
    #[arg(long, value_name = "FOLDER", default_value = SHARDS)]
    pub(crate) to: PathBuf,
    /// The command of which it is a part.
    #[arg(skip)]
    pub(crate) command: Vec<String>,
}

/// The files of a folder that end in `.shard`, by their names.
///
/// # Errors
/// When there is none, or the folder cannot be read.
pub(crate) fn shard_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::usage(format!("cannot read {}: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let is_shard = |path: &PathBuf| path.extension().is_some_and(|end| end == "shard");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_shard).collect();
    files.sort();
    match files.is_empty() {
        true => Err(Failure::usage(format!("no file in {} ends in .shard", folder.display()))),
        false => Ok(files),
    }
}

/// The shards of a command that no file in a folder holds, whichever of them the head is of.
pub(crate) fn missing(folder: &Path, head: &ShardHead) -> Vec<ShardNumber> {
    let is_missing = |shard: &ShardNumber| {
        let head = ShardHead { shard: *shard, ..head.clone() };
        !matches!(standing(&folder.join(shard.file_name()), &head), Ok(Standing::Done))
    };
    ShardNumber::all(head.shard.of()).filter(is_missing).collect()
}

/// What stands where the file of a shard is written.
pub(crate) enum Standing {
    Nothing,
    /// This shard, whole.
    Done,
    /// What is replaced, with why: a damaged file, or a shard of the same command and other code.
    Stale(String),
}

/// What stands where the file of a shard is written.
///
/// # Errors
/// When a whole shard of another command stands there: somebody may have waited hours for it.
pub(crate) fn standing(file: &Path, head: &ShardHead) -> Result<Standing, Failure> {
    let there = match ShardFile::look_through(file) {
        Ok(there) => there.head,
        Err(ShardError::File(error)) if error.kind() == ErrorKind::NotFound => return Ok(Standing::Nothing),
        Err(why) => return Ok(Standing::Stale(why.to_string())),
    };
    match there == *head {
        true => Ok(Standing::Done),
        false => is_of_command(file, &there, head).map(|()| {
            let why = there.difference(head).unwrap_or_else(|| format!("it is shard {}", there.shard));
            Standing::Stale(why)
        }),
    }
}

/// Whether a folder that shards are to be written to has shards of this command alone, for those of others are refused by the merge.
///
/// # Errors
/// When one is of another command.
pub(crate) fn has_no_others(folder: &Path, head: &ShardHead) -> Result<(), Failure> {
    let files = shard_files(folder).unwrap_or_default();
    files.iter().try_for_each(|file| match ShardReader::open(file) {
        Ok(there) => is_of_command(file, there.head(), head),
        Err(_) => Ok(()),
    })
}

/// Whether the file of a shard is of the command that another one is of.
fn is_of_command(file: &Path, there: &ShardHead, wanted: &ShardHead) -> Result<(), Failure> {
    match there.difference(wanted).filter(|_| there.name() != wanted.name()) {
        None => Ok(()),
        Some(why) => Err(Failure::usage(format!(
            "{} holds a shard of another command, and is kept: {why}; write into another folder with --to FOLDER, or remove that file",
            file.display()
        ))),
    }
}

/// Whether shards are of this build of Dodona and of what is here: these are the keys of the subjects, where they can be opened.
///
/// # Errors
/// When they are not.
pub(crate) fn are_of_this(
    head: &ShardHead,
    here: impl Iterator<Item = Result<Key, Failure>>,
) -> Result<(), Failure> {
    let refused = |why: String| Err(Failure::usage(format!("the shards are of another run: {why}")));
    if head.version != version() {
        return refused(format!("Dodona {} wrote them, and this is {}", head.version, version()));
    }
    for (here, subject) in here.zip(&head.subjects) {
        let name = &subject.manifest;
        if let (Err(why), false) = (&here, subject.key.is_empty()) {
            return refused(format!(
                "{name} could be opened where they ran, and here it cannot be: {}",
                why.words()
            ));
        }
        if here.map(|key| key.to_string()).unwrap_or_default() != subject.key {
            let is_new = |(file, key): &(String, Key)| subject.kept.get(file) != Some(key);
            let new = kept_beside(Path::new(name)).into_iter().filter(is_new);
            let new: Vec<String> = new.map(|(file, _)| file).collect();
            return refused(match new.is_empty() {
                true => format!(
                    "the code, the relations or the counterexamples of {name} are others here; merge in a folder with what the shards ran"
                ),
                false => format!(
                    "counterexamples of {name} were kept since they ran, in {}: {}; a merge keeps what it finds, so that these have to be removed, or be as they were, to merge the shards once more",
                    regressions::FOLDER,
                    new.join(", ")
                ),
            });
        }
    }
    Ok(())
}

/// Whether the paths of subjects are text, which a shard can name.
///
/// # Errors
/// When one is not.
pub(crate) fn are_text(paths: &[PathBuf]) -> Result<(), Failure> {
    match paths.iter().find(|path| path.to_str().is_none()) {
        Some(path) => Err(Failure::usage(format!(
            "shards name their subjects, and {} is no text in UTF-8",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// The subjects whose work failed in some shard, so that it is to be done once more. `others` gets all other pieces.
///
/// # Errors
/// When a shard cannot be read any more.
pub(crate) fn failed_subjects(
    set: &ShardSet,
    mut others: impl FnMut(ShardPiece),
) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut failed = BTreeSet::new();
    for piece in set.pieces() {
        let piece = piece.map_err(unreadable)?;
        match piece.kind == making::FAILED {
            true => drop(failed.insert(PathBuf::from(piece.subject))),
            false => others(piece),
        }
    }
    Ok(failed)
}

/// The words of a command with more options, which stand before the operands where these may begin with a dash.
pub(crate) fn with_options(command: &[String], options: &[String]) -> Vec<String> {
    let place = command.iter().position(|word| word == "--").unwrap_or(command.len());
    [&command[..place], options, &command[place..]].concat()
}

/// A subject of shards, by the path of its manifest or folder and its key, where it could be opened.
pub(crate) fn shard_subject(path: &Path, key: Option<Key>) -> ShardSubject {
    ShardSubject {
        manifest: path.display().to_string(),
        key: key.map(|key| key.to_string()).unwrap_or_default(),
        kept: kept_beside(path),
    }
}

/// The files of counterexamples that are kept beside a manifest, by their names, with the keys of what they hold.
fn kept_beside(path: &Path) -> BTreeMap<String, Key> {
    let Ok(manifest) = Manifest::find(path) else { return BTreeMap::new() };
    let folder = manifest.folder().join(regressions::FOLDER);
    let file = |entry: std::fs::DirEntry| {
        let bytes = std::fs::read(entry.path()).ok()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((name, KeyBuilder::new("counterexample").with(bytes).key()))
    };
    std::fs::read_dir(folder).into_iter().flatten().flatten().filter_map(file).collect()
}

/// The result of a piece.
///
/// # Errors
/// When it is none of what was expected.
pub(crate) fn result_of<T: DeserializeOwned>(piece: &ShardPiece) -> Result<T, Failure> {
    serde_json::from_str(&piece.record)
        .map_err(|error| Failure::usage(format!("a shard holds no {}: {error}", piece.about)))
}

/// The shards did not do the work that there is here, although they are of the same command and code.
pub(crate) fn other_work(name: &str, what: &str) -> Failure {
    Failure::usage(format!(
        "the shards ran other {what} of {name} than there are here: a search that the clock ends made them, or a file was read that has changed since"
    ))
}

/// A file that was looked through cannot be read once more.
pub(crate) fn unreadable(why: ShardError) -> Failure {
    Failure::usage(format!("a shard cannot be read any more: {why}"))
}

/// What tells this build of Dodona from another. One that is being worked on is another one each time that it is built.
pub(crate) fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let built = std::env::current_exe().and_then(|path| path.metadata()).ok();
    match built.filter(|_| cfg!(debug_assertions)) {
        Some(about) => format!("{version} {} {:?}", about.len(), about.modified().ok()),
        None => version.to_owned(),
    }
}
