//! How far a submitted run is: which of its shards are there, and what the engine says of the others.

use std::process::Command;

use dodona_session::{ShardFile, ShardNumber};
use serde::{Deserialize, Serialize};

use super::SubmitArgs;
use super::engine::Engine;
use super::job::{Job, ranges};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use crate::shell;

/// The file of what was submitted last.
const FILE: &str = "submitted.json";

/// What was submitted last.
#[derive(Deserialize, Serialize)]
struct Submitted {
    engine: Engine,
    of: u32,
    to: std::path::PathBuf,
    /// The numbers of its jobs, as the engine told them.
    ids: Vec<String>,
}

/// Notes what was submitted: the engine's answer has the numbers of its jobs.
pub(super) fn note(job: &Job, engine: Engine, said: &str) -> Result<(), Failure> {
    let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let ids = said.split_whitespace().filter(is_number).map(str::to_owned).collect();
    let submitted = Submitted { engine, of: job.of, to: job.to.clone(), ids };
    let path = job.folder.join(FILE);
    let text = serde_json::to_string(&submitted).map_err(|error| Failure::new(Exit::Mistake, error))?;
    dodona_sources::write_atomically(&path, (text + "\n").as_bytes())
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))
}

/// Tells which shards are there, and what the engine says of its jobs.
pub(super) fn run(args: &SubmitArgs) -> Result<Exit, Failure> {
    let path = args.folder.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|_| {
        Failure::usage(format!(
            "nothing was submitted from here: there is no {}; `dodona submit SUBJECT --engine ENGINE --now` submits",
            path.display()
        ))
    })?;
    let submitted: Submitted = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("{} was edited: {error}", path.display())))?;
    let is_there =
        |shard: &ShardNumber| ShardFile::look_through(&submitted.to.join(shard.file_name())).is_ok();
    let (there, missing): (Vec<ShardNumber>, Vec<ShardNumber>) =
        ShardNumber::all(submitted.of).partition(is_there);
    write(&format!("{} of {} shards are there\n", there.len(), submitted.of))?;
    if missing.is_empty() {
        write(&format!("dodona merge {} puts them together\n", shell::path(&submitted.to)))?;
        return Ok(Exit::Success);
    }
    write(&format!("missing: {}\n", ranges(&missing)))?;
    let asked = submitted.engine.asks(&submitted.ids);
    match Command::new("sh").args(["-c", &asked]).output() {
        Ok(output) if output.status.success() => write(&String::from_utf8_lossy(&output.stdout))?,
        _ => write(&format!("the engine does not answer here; it is asked by: {asked}\n"))?,
    }
    Ok(Exit::Budget)
}
