//! How far a run is whose jobs were written: which of its shards are there, and what the engine says of the others.

use std::path::{Path, PathBuf};
use std::process::Command;

use dodona_session::{ShardHead, ShardNumber};
use serde::{Deserialize, Serialize};

use super::SubmitArgs;
use super::engine::Engine;
use super::job::{Job, ranges};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use crate::shards::{Standing, missing, standing};
use crate::shell;

/// The file that tells which run the jobs in a folder are of.
const FILE: &str = "run.json";

/// The run that jobs are of.
#[derive(Deserialize, Serialize)]
struct Written {
    engine: Engine,
    /// What its first shard is a part of.
    head: ShardHead,
    to: PathBuf,
}

/// Notes which run the jobs in a folder are of.
///
/// # Errors
/// When that cannot be written.
pub(super) fn note(job: &Job, engine: Engine) -> Result<(), Failure> {
    let written = Written { engine, head: job.head.clone(), to: job.to.clone() };
    let path = job.folder.join(FILE);
    let text = serde_json::to_string(&written).map_err(|error| Failure::new(Exit::Mistake, error))?;
    std::fs::create_dir_all(&job.folder)
        .and_then(|()| dodona_sources::write_atomically(&path, (text + "\n").as_bytes()))
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))
}

/// Tells which shards are there, and what the engine says of its jobs.
pub(super) fn run(args: &SubmitArgs) -> Result<Exit, Failure> {
    let path = args.folder.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|_| {
        Failure::usage(format!(
            "no jobs were written here: there is no {}; `dodona submit SUBJECT --engine ENGINE` writes some",
            path.display()
        ))
    })?;
    let Written { engine, head, to } = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("{} was edited: {error}", path.display())))?;
    let missing = missing(&to, &head);
    let of = head.shard.of();
    write(&format!("{} of {of} shards are there\n", of as usize - missing.len()))?;
    if missing.is_empty() {
        write(&format!("dodona merge {} puts them together\n", shell::path(&to)))?;
        return Ok(Exit::Success);
    }
    write(&format!("missing: {}\n", ranges(&missing)))?;
    if let Some(other) = missing.iter().find_map(|shard| other(&to, &head, *shard)) {
        write(&format!("{other}\n"))?;
    }
    if let Some(elsewhere) = engine.elsewhere(&head.name(), &to) {
        write(&format!("{elsewhere}\n"))?;
    }
    let asked = engine.asks(&head.name(), &args.folder);
    match Command::new("sh").args(["-c", &asked]).output() {
        Ok(output) if output.status.success() => write(&String::from_utf8_lossy(&output.stdout))?,
        _ => write(&format!("the engine does not answer here; it is asked by: {asked}\n"))?,
    }
    Ok(Exit::Budget)
}

/// Why a file that is there is not the shard that is wanted.
fn other(to: &Path, head: &ShardHead, shard: ShardNumber) -> Option<String> {
    let file = to.join(shard.file_name());
    match standing(&file, &ShardHead { shard, ..head.clone() }) {
        Ok(Standing::Stale(why)) => Some(format!("{} is another one: {why}", file.display())),
        Ok(Standing::Nothing | Standing::Done) => None,
        Err(why) => Some(why.words()),
    }
}
