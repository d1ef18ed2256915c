//! One run of a program, within its limits.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dodona_target::{CallError, Until};
use rustix::process::{Pid, Resource, Rlimit, prlimit};

use super::CommandOptions;
use crate::process::end_group;

/// How often it is looked whether a program has ended. Looking ten times more often costs a tenth of a core and gains nothing beside a start, which takes a millisecond.
const TICK: Duration = Duration::from_micros(300);

/// How often the processes of a program are counted. A count reads some hundred small files, which takes a millisecond; a program that only starts processes has some hundred by then.
const COUNT_EVERY: Duration = Duration::from_millis(20);

/// What a run is.
pub(super) struct Job<'a> {
    pub(super) words: Vec<Vec<u8>>,
    pub(super) stdin: Vec<u8>,
    /// Files of the working directory.
    pub(super) files: Vec<(&'a str, Vec<u8>)>,
    /// Files that are read afterwards.
    pub(super) read: Vec<&'a str>,
}

/// What a run left.
pub(super) struct Ran {
    pub(super) ended: Ended,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// The files that were asked for, as far as they are there.
    pub(super) files: Vec<(String, Vec<u8>)>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Exited(i32),
    Signal(i32),
    OutOfTime,
    TooMuchOutput,
    TooManyProcesses,
}

/// Runs a program in a fresh working directory, which is gone afterwards. It ends with all processes of its group.
pub(super) fn run(job: &Job<'_>, options: &CommandOptions, until: &Until) -> Result<Ran, CallError> {
    let failed = |action: &str, error: std::io::Error| CallError::new(format!("cannot {action}: {error}"));
    let folder = tempfile::tempdir().map_err(|error| failed("make a working directory", error))?;
    for (name, bytes) in &job.files {
        write_file(folder.path(), name, bytes).map_err(|error| failed(&format!("write {name}"), error))?;
    }
    let mut command = command(job, options, folder.path());
    let program = command.get_program().display().to_string();
    let mut child = command.spawn().map_err(|error| failed(&format!("start {program}"), error))?;
    limit_memory(&child, options.memory);
    let too_much = Arc::new(AtomicBool::new(false));
    if let Some(mut stdin) = child.stdin.take() {
        let bytes = job.stdin.clone();
        // A program need not read all of it.
        std::thread::spawn(move || _ = stdin.write_all(&bytes));
    }
    let stdout = child.stdout.take().map(|from| reader(from, options.output, &too_much));
    let stderr = child.stderr.take().map(|from| reader(from, options.output, &too_much));
    let ended = wait(&mut child, options, &too_much, until);
    // What it started may still run, and hold its streams.
    end_group(&child);
    _ = child.wait();
    let [stdout, stderr] = [stdout, stderr].map(|reader| reader.and_then(|reader| reader.join().ok()));
    let ended = match ended? {
        Ended::Exited(_) if too_much.load(Ordering::Relaxed) => Ended::TooMuchOutput,
        ended => ended,
    };
    let mut files = Vec::new();
    for name in &job.read {
        if let Some(bytes) = read_file(&folder.path().join(name), options.output) {
            files.push(((*name).to_owned(), bytes));
        }
    }
    Ok(Ran { ended, stdout: stdout.unwrap_or_default(), stderr: stderr.unwrap_or_default(), files })
}

fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, bytes)
}

/// A file that a program wrote: none where it is no file, or larger than a program may write.
fn read_file(path: &Path, most: u64) -> Option<Vec<u8>> {
    let about = path.symlink_metadata().ok()?;
    (about.is_file() && about.len() <= most).then(|| std::fs::read(path).ok()).flatten()
}

fn command(job: &Job<'_>, options: &CommandOptions, folder: &Path) -> Command {
    let mut words = job.words.iter().map(|word| OsString::from_vec(word.clone()));
    let program = words.next().unwrap_or_default();
    let is_path = program.as_encoded_bytes().contains(&b'/');
    let mut command = match is_path {
        true => Command::new(options.folder.join(program)),
        false => Command::new(program),
    };
    command.args(words).current_dir(folder).env_clear();
    command.envs(options.environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    command
}

/// Limits the memory of a program that has just been started. In the moment before it has run nothing of its own.
fn limit_memory(child: &Child, memory: u64) {
    let limit = Rlimit { current: Some(memory), maximum: Some(memory) };
    // Where the system has no such limit the program runs without.
    _ = prlimit(Some(Pid::from_child(child)), Resource::As, limit);
}

/// Reads a stream up to so many bytes; more of it is read and forgotten until somebody ends the program.
fn reader(
    mut from: impl Read + Send + 'static,
    most: u64,
    too_much: &Arc<AtomicBool>,
) -> JoinHandle<Vec<u8>> {
    let too_much = Arc::clone(too_much);
    std::thread::spawn(move || {
        let mut all = Vec::new();
        let mut part = [0; 1 << 14];
        while let Ok(count @ 1..) = from.read(&mut part) {
            if all.len() as u64 + count as u64 > most {
                too_much.store(true, Ordering::Relaxed);
            } else {
                all.extend_from_slice(&part[..count]);
            }
        }
        all
    })
}

fn wait(
    child: &mut Child,
    options: &CommandOptions,
    too_much: &AtomicBool,
    until: &Until,
) -> Result<Ended, CallError> {
    let begun = Instant::now();
    let mut counted = begun;
    loop {
        if counted.elapsed() >= COUNT_EVERY {
            if processes_of(child) > options.processes {
                return Ok(Ended::TooManyProcesses);
            }
            counted = Instant::now();
        }
        match child.try_wait() {
            Ok(Some(status)) => return Ok(ended(status)),
            Ok(None) if too_much.load(Ordering::Relaxed) => return Ok(Ended::TooMuchOutput),
            Ok(None) if begun.elapsed() >= options.time => return Ok(Ended::OutOfTime),
            Ok(None) if !until.goes_on() => return Err(CallError::Stopped),
            Ok(None) => std::thread::sleep(TICK),
            Err(error) => return Err(CallError::new(error)),
        }
    }
}

/// How many processes there are of the group that a program began. Where the system does not list them, none is counted, and there is no limit.
fn processes_of(child: &Child) -> u64 {
    let group = child.id().to_string();
    let is_of_group = |entry: std::fs::DirEntry| {
        let name = entry.file_name();
        let is_process = name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit);
        let about = is_process.then(|| std::fs::read_to_string(entry.path().join("stat")).ok()).flatten();
        // What stands behind the name of the program, in which there may be anything: its state, its parent, its group.
        about.is_some_and(|about| {
            about.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(2)) == Some(group.as_str())
        })
    };
    let all = std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    all.map(is_of_group).filter(|is_one| *is_one).count() as u64
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, signal) => Ended::Signal(signal.unwrap_or_default()),
    }
}
