//! What tests of the command share.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The command, without what the environment of the tests says to it.
pub(crate) fn dodona() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dodona"));
    command.env_remove("DODONA_FAULT").env_remove("RUST_BACKTRACE").env("DODONA_PROGRESS", "0");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// What was written, as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The words in one line: those of a long one stand in several.
pub(crate) fn unbroken(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Standard output and standard error together, for messages.
pub(crate) fn both(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

/// What the command does in a folder.
pub(crate) fn run(folder: &Path, words: &[&str]) -> Output {
    dodona().args(words).current_dir(folder).output().expect("runs")
}

/// All that it prints, if its exit code is this one.
#[track_caller]
pub(crate) fn exits(folder: &Path, words: &[&str], code: i32) -> String {
    let output = run(folder, words);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {}", both(&output));
    both(&output)
}

/// How long a process has run on processors, with threads that have ended; nothing of one that has ended itself, and where the system does
/// not tell.
fn processor_time(process: u32) -> Option<Duration> {
    /// Of all systems that tell it so.
    const TICKS_A_SECOND: u64 = 100;
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, which may hold anything, stands in parentheses.
    let fields: Vec<&str> = told.rsplit_once(") ")?.1.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<u64>().ok();
    let (own, of_system) = (ticks(11)?, ticks(12)?);
    (fields[0] != "Z").then(|| Duration::from_millis((own + of_system) * 1000 / TICKS_A_SECOND))
}

/// Waits until a command is well past its start: it has run for a second and a half. On a busy machine that is later than a second and a
/// half by the clock, after which such a command may still be reading its subject.
pub(crate) fn wait_until_it_works(process: u32) {
    const WORKS: Duration = Duration::from_millis(1500);
    let start = Instant::now();
    std::thread::sleep(WORKS);
    while processor_time(process).is_some_and(|ran| ran < WORKS) && start.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A path in the folder into which `scripts/setup.sh` installs what tests need; `None` where there is no home.
pub(crate) fn cached(path: &str) -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache")))?;
    Some(cache.join("dodona").join(path))
}

/// Says that a test, or a part of it, is skipped; `scripts/capabilities.sh` says it before the tests. With `DODONA_NO_SKIPS` it
/// fails.
pub(crate) fn skipped(test: &str, why: &str) {
    assert!(std::env::var_os("DODONA_NO_SKIPS").is_none(), "{test} cannot be run: {why}");
    eprintln!("skipped: {test}: {why}");
}

/// A copy of a folder of the command-line tests.
pub(crate) fn copy_of(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli").join(name), folder.path());
    folder
}

/// The subject of the comparison, whose function `price` takes days and whether somebody is a member, with a specification by categories.
pub(crate) fn with_frames() -> tempfile::TempDir {
    let folder = copy_of("compare.in");
    std::fs::write(folder.path().join("frames.toml"), FRAMES).expect("written");
    folder
}

/// What distinguishes the inputs and outputs of the subject's function.
const FRAMES: &str = r#"
function = "price"
[input.days]
few = "days <= 2"
many = "days > 2"
[input.member]
yes = "member"
no = "not member"
[output.price]
none = "result <= 0"
some = "result > 0"
"#;

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => _ = std::fs::copy(&path, &target).expect("copies"),
        }
    }
}

/// Every file below a folder, hidden ones included, by its path from there.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).expect("below it").to_owned()),
            }
        }
    }
    found.sort();
    found
}

/// A subject of this many functions `f0`, `f1` …: each shifts and adds a number of its own, and `bias` is one of the first.
pub(crate) fn module_of(functions: usize, bias: i64) -> String {
    let function = |number: usize| {
        let own = if number == 0 { bias } else { number as i64 * 7 };
        format!(
            "(func (export \"f{number}\") (param i64) (result i64)
                (if (result i64) (i64.lt_s (local.get 0) (i64.const {own}))
                    (then (i64.sub (i64.const {own}) (local.get 0)))
                    (else (i64.add (local.get 0) (i64.mul (i64.const 3) (i64.const {own}))))))\n"
        )
    };
    format!("(module {})", (0..functions).map(function).collect::<String>())
}

/// Writes a subject whose functions have a relation each, but for the last ones.
pub(crate) fn subject_of(folder: &Path, functions: usize, without: usize) {
    std::fs::create_dir_all(folder).expect("a folder");
    let declared = (0..functions).map(|number| {
        format!(
            "[[function]]\nsignature = \"f{number}(x: i64) -> i64\"\ndomain.x = {{ range = [-1000, 1000] }}\n"
        )
    });
    let relations = (0..functions - without)
        .map(|number| format!("relation r{number}: f{number}(x) == f{number}(x + 0)\n"));
    let manifest = format!(
        "name = \"{}\"\nmodule = \"m.wat\"\nrelations = [\"m.mr\"]\n{}",
        folder.file_name().expect("a name").display(),
        declared.collect::<String>()
    );
    std::fs::write(folder.join("dodona.toml"), manifest).expect("written");
    std::fs::write(folder.join("m.wat"), module_of(functions, 5)).expect("written");
    std::fs::write(folder.join("m.mr"), relations.collect::<String>()).expect("written");
}
