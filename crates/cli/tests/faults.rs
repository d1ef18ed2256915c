//! Faults around the command: a read-only folder, a full disk, ctrl-C.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn dodona() -> Command {
    common::dodona()
}

/// The subject of the command-line tests whose relations are violated.
fn copy_subject(to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/check.in");
    for file in ["gcd.wat", "hasty.toml", "gcd.mr"] {
        std::fs::copy(from.join(file), to.join(file)).expect("copies");
    }
}

fn check(folder: &Path) -> Output {
    dodona().args(["check", "hasty.toml", "--jobs", "1"]).current_dir(folder).output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file system of its own, unmounted when dropped. `None`, said aloud, where mounting is not permitted. What can be tested without
/// is in `files.rs`.
struct Mounted(tempfile::TempDir);

impl Mounted {
    fn new(test: &str, size: &str) -> Option<Mounted> {
        let folder = tempfile::tempdir().expect("a folder");
        let option = format!("size={size}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &option, "tmpfs"]).arg(folder.path()).output();
        if mounted.is_ok_and(|o| o.status.success()) {
            return Some(Mounted(folder));
        }
        common::skipped(test, "mounting a file system is not permitted");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

/// What lies in the folder of regressions, hidden files included.
fn regressions(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("dodona-regressions"));
    entries.map(|e| e.map(|e| e.expect("an entry").path()).collect()).unwrap_or_default()
}

#[test]
fn a_violation_that_cannot_be_kept_in_a_read_only_folder_is_still_reported() {
    let test = "a_violation_that_cannot_be_kept_in_a_read_only_folder_is_still_reported";
    let Some(disk) = Mounted::new(test, "256k") else { return };
    copy_subject(disk.path());
    let remount = Command::new("mount").args(["-o", "remount,ro"]).arg(disk.path()).output().expect("runs");
    assert!(remount.status.success(), "{}", text(&remount.stderr));
    let output = check(disk.path());
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}{}", text(&output.stderr));
    assert!(
        out.contains("VIOLATED") && out.contains("warning:") && out.contains("dodona-regressions"),
        "{out}"
    );
    assert_eq!(regressions(disk.path()), Vec::<PathBuf>::new());
}

#[test]
#[cfg(unix)]
fn a_violation_that_cannot_be_kept_in_a_folder_without_permission_is_still_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    copy_subject(folder.path());
    let permit = |mode| std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode));
    permit(0o555).expect("permitted");
    if std::fs::write(folder.path().join("probe"), "").is_ok() {
        let test = "a_violation_that_cannot_be_kept_in_a_folder_without_permission_is_still_reported";
        return common::skipped(test, "no permission binds this user (root)");
    }
    let output = check(folder.path());
    permit(0o755).expect("permitted");
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}{}", text(&output.stderr));
    assert!(
        out.contains("VIOLATED") && out.contains("warning:") && out.contains("make the folder writable"),
        "{out}"
    );
}

#[test]
fn what_is_skipped_is_said_before_the_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = std::fs::read_to_string(root.join("scripts/capabilities.sh")).expect("a script");
    let makefile = std::fs::read_to_string(root.join("Makefile")).expect("a Makefile");
    assert!(makefile.contains("scripts/capabilities.sh"));
    let sources = [
        "crates/cli/tests/faults.rs",
        "crates/cli/tests/solvers.rs",
        "crates/sources/src/regressions/tests.rs",
        "crates/emit/tests/emit/run_java.rs",
    ]
    .map(|path| std::fs::read_to_string(root.join(path)).expect("a file"));
    let said = sources.iter().flat_map(|text| text.split("skipped(\"").skip(1));
    let tests: Vec<&str> = script.lines().map(|line| line.trim().trim_end_matches(" \\")).collect();
    for name in tests.iter().filter(|line| line.starts_with("a_")) {
        assert!(sources.iter().any(|text| text.contains(&format!("fn {name}()"))), "{name} is no test");
    }
    for name in said.filter_map(|rest| rest.split('"').next()).chain(names(&sources)) {
        assert!(script.contains(name), "scripts/capabilities.sh does not tell of {name}");
    }
}

/// The tests that make a file system of their own.
fn names(sources: &[String]) -> impl Iterator<Item = &str> {
    let uses = sources.iter().flat_map(|text| text.split("#[test]"));
    let uses = uses.filter(|test| test.contains("Mounted::new(") && !test.contains("split("));
    uses.filter_map(|test| test.split("fn ").nth(1)?.split('(').next())
}

#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let Some(disk) = Mounted::new("a_full_disk_leaves_nothing_half_written", "64k") else { return };
    copy_subject(disk.path());
    let filler = vec![0u8; 1 << 20];
    std::fs::write(disk.path().join("filler"), filler).expect_err("the disk is smaller");
    let output = check(disk.path());
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}{}", text(&output.stderr));
    assert!(out.contains("VIOLATED") && out.contains("warning:"), "{out}");
    assert_eq!(regressions(disk.path()), Vec::<PathBuf>::new());
}

#[test]
fn a_folder_that_cannot_be_made_is_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    copy_subject(folder.path());
    std::fs::write(folder.path().join("dodona-regressions"), "a file stands in the way").expect("writes");
    let output = check(folder.path());
    let out = text(&output.stdout) + &text(&output.stderr);
    assert!(out.contains("dodona-regressions"), "{out}");
}

/// A function that returns at once, and one that would run for hours.
#[cfg(unix)]
fn slow_subject() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writes");
    write(
        "slow.wat",
        r#"(module (func (export "quick") (param i32) (result i32) local.get 0)
           (func (export "spin") (param i32) (result i32) (loop $again (br $again)) local.get 0))"#,
    );
    write(
        "slow.toml",
        "module = \"slow.wat\"\nrelations = [\"slow.mr\"]\n[limits]\nfuel = 1_000_000_000_000\n\
         [[function]]\nsignature = \"quick(x: i32) -> i32\"\n[[function]]\nsignature = \"spin(y: i32) -> i32\"\n",
    );
    write("slow.mr", "relation same: quick(x) == quick(x)\nrelation never: spin(y) == spin(y)\n");
    folder
}

/// Runs a command there, interrupts it when it works, and gives what it printed.
#[cfg(unix)]
fn interrupted(folder: &Path, arguments: &[&str]) -> String {
    interrupted_by(folder, arguments, &["INT"])
}

/// The same with several signals at once.
#[cfg(unix)]
fn interrupted_by(folder: &Path, arguments: &[&str], signals: &[&str]) -> String {
    let mut command = dodona();
    command.args(arguments).args(["--jobs", "1"]).current_dir(folder);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    common::wait_until_it_works(child.id());
    let start = Instant::now();
    // One shell for all, so that nothing but a system call is between them.
    let kills: Vec<String> = signals.iter().map(|signal| format!("kill -{signal} {}", child.id())).collect();
    let killed = Command::new("sh").args(["-c", &kills.join(" && ")]).status().expect("kill runs");
    assert!(killed.success(), "it was still running");
    let output = child.wait_with_output().expect("ends");
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{out}{}", text(&output.stderr));
    // Far from the hours that the endless call would take; not a measure of speed.
    assert!(start.elapsed() < Duration::from_secs(60));
    out
}

#[test]
#[cfg(unix)]
fn ctrl_c_prints_what_was_found_and_exits_with_130() {
    let out = interrupted(slow_subject().path(), &["check", "slow.toml"]);
    assert!(out.contains("1,000 groups") && out.contains("interrupted after 1000 of 2000 sources"), "{out}");
    assert!(out.contains("not run"), "{out}");
}

/// `timeout` of coreutils signals its command and then the group that the command is in.
#[test]
#[cfg(unix)]
fn signals_that_come_at_once_are_one_request() {
    let folder = slow_subject();
    for signals in [&["TERM", "INT"][..], &["INT", "TERM", "INT"]] {
        let out = interrupted_by(folder.path(), &["check", "slow.toml"], signals);
        assert!(out.contains("interrupted after 1000 of 2000 sources"), "{signals:?}: {out}");
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_discovery() {
    let subject = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/genmorph");
    let subject = subject.to_str().expect("a path in UTF-8");
    let folder = tempfile::tempdir().expect("a folder");
    let arguments =
        ["discover", subject, "sin", "--search", "evolve", "--time", "1000", "--output", "found.mr"];
    let out = interrupted(folder.path(), &arguments);
    assert!(out.contains("ended: interrupted after"), "{out}");
    // Whole, if there was anything to write.
    let written = std::fs::read_to_string(folder.path().join("found.mr"));
    assert!(
        written.map_or(out.contains("no relation was found"), |text| text.contains("interrupted")),
        "{out}"
    );
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_mutants_that_were_not_run() {
    let arguments = ["mutate", "slow.toml", "--against", "inputs", "--operators", "SAN", "--all"];
    let out = interrupted(slow_subject().path(), &arguments);
    assert!(out.contains("not run: M") && out.contains("interrupted after 0 of"), "{out}");
    assert!(out.contains("no mutation score"), "nothing is known yet: {out}");
}

/// A subject whose laws are found at once.
fn quick_subject() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("flip.wat", "(module (func (export \"flip\") (param i32) (result i32) (i32.eqz (local.get 0))))");
    write(
        "dodona.toml",
        "name = 'flip'\nmodule = 'flip.wat'\n[[function]]\nsignature = 'flip(b: bool) -> bool'\n",
    );
    folder
}

#[test]
#[cfg(debug_assertions)]
fn a_discovery_that_is_ended_in_the_middle_of_a_step_tells_what_is_known() {
    let folder = quick_subject();
    let mut command = dodona();
    command
        .args(["discover", ".", "flip", "--time", "10", "--output", "found.mr"])
        .current_dir(folder.path());
    let output = command.env("DODONA_FAULT", "stuck").output().expect("it runs");
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(3), "{out}{errors}");
    assert!(!errors.contains("before there was anything to tell"), "{errors}");
    assert!(out.contains("not confirmed") && out.contains("flip(flip(b)) == b"), "{out}{errors}");
    assert!(out.contains("the time is over (10 seconds)"), "{out}");
    // What is not confirmed is no file of relations.
    assert!(!folder.path().join("found.mr").exists());
}

#[test]
fn a_discovery_on_a_busy_machine_tells_what_it_knows() {
    let folder = quick_subject();
    let is_over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let busy = || {
        let is_over = std::sync::Arc::clone(&is_over);
        std::thread::spawn(move || while !is_over.load(std::sync::atomic::Ordering::Relaxed) {})
    };
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let threads: Vec<_> = (0..4 * cores).map(|_| busy()).collect();
    let mut command = dodona();
    command
        .args(["discover", ".", "flip", "--time", "20", "--output", "found.mr"])
        .current_dir(folder.path());
    let output = command.output().expect("it runs");
    is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    threads.into_iter().for_each(|thread| thread.join().expect("it ends"));
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(matches!(output.status.code(), Some(0 | 3)), "{out}{errors}");
    assert!(!errors.contains("before there was anything to tell"), "{out}{errors}");
    // Confirmed or not, the law that takes milliseconds is there.
    assert!(out.contains("flip of flip") && out.contains("flip(flip(b)) == b"), "{out}{errors}");
}

/// Processes that keep every processor busy, ended when dropped.
#[cfg(unix)]
struct Busy(Vec<std::process::Child>);

#[cfg(unix)]
impl Busy {
    fn new() -> Busy {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let spin = |_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("starts");
        Busy((0..2 * processors).map(spin).collect())
    }
}

#[cfg(unix)]
impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A function of which one call takes milliseconds, so that its mutants take half a minute where nothing else runs.
#[cfg(unix)]
fn laborious_subject() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writes");
    write(
        "work.wat",
        r#"(module (func (export "work") (param $x i32) (result i32) (local $i i32) (local $sum i32)
             (loop $again
               (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (local.get $x)))
               (local.set $i (i32.add (local.get $i) (i32.const 1)))
               (br_if $again (i32.lt_u (local.get $i) (i32.const 2000000))))
             local.get $sum))"#,
    );
    write(
        "work.toml",
        "module = \"work.wat\"\nrelations = [\"work.mr\"]\n[limits]\nfuel = 1_000_000_000_000\n\
         [[function]]\nsignature = \"work(x: i32) -> i32\"\n",
    );
    write("work.mr", "relation same: work(x) == work(x)\n");
    folder
}

/// Begins an analysis of that function with a line of progress each second.
#[cfg(unix)]
fn begin_labour(folder: &Path, options: &[&str]) -> std::process::Child {
    let mut command = dodona();
    command.args(["mutate", "work.toml", "--inputs", "20", "--jobs", "1"]).args(options);
    command.env("DODONA_PROGRESS", "1").current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("starts")
}

#[test]
#[cfg(unix)]
fn a_mutation_analysis_that_is_ended_on_a_busy_machine_tells_what_it_found() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let _busy = Busy::new();
    let folder = laborious_subject();
    let mut child = begin_labour(folder.path(), &[]);
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok);
    // `progress: work, 2 alive: 3 of 40 mutants after 7 s`: some mutants are judged by then.
    let some = lines.find(|line| {
        let judged = line.split(": ").last().and_then(|words| words.split_once(" of "));
        line.starts_with("progress: work")
            && judged.is_some_and(|(done, _)| done.parse::<u64>().is_ok_and(|done| done > 0))
    });
    assert!(some.is_some(), "no mutant was judged before it ended");
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success(), "it was still running");
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("text");
    assert_eq!(child.wait().expect("ends").code(), Some(130), "{out}");
    assert!(out.contains("interrupted after ") && !out.contains("interrupted after 0 of"), "{out}");
    assert!(out.contains(" not run;") && !out.contains("\nmutation score"), "{out}");
    assert!(out.contains("no mutation score: ") && out.contains("of those that were, "), "{out}");
}

#[test]
#[cfg(unix)]
fn a_mutation_analysis_tells_at_the_end_of_its_time_on_a_busy_machine_what_it_found() {
    let _busy = Busy::new();
    let folder = laborious_subject();
    let output =
        begin_labour(folder.path(), &["--time", "3", "--format", "sarif"]).wait_with_output().expect("ends");
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{out}{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("progress: "), "{}", text(&output.stderr));
    assert!(out.contains("\"executionSuccessful\": false") && out.contains("interrupted after "), "{out}");
    assert!(
        out.contains("no mutation score: ") && out.contains("the time was up; --time gives more"),
        "{out}"
    );
}
