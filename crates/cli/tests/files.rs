//! What is written: nothing is lost between processes, nothing half-written stays, and what cannot be written is said.

#![cfg(unix)]

mod common;

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{both, copy_of, dodona, files, text};

/// A discovery that ends soon, by no clock.
const DISCOVER: &str = "discover . price --time 1000 --mutants 20 --operators AOR --executions 50 --inputs 20 --transformations 3 --search enumerate \
                        --fresh 100 --enumerate-size 3 --forms none --prove off";

fn subject() -> tempfile::TempDir {
    let folder = copy_of("compare.in");
    std::fs::write(folder.path().join("prices.csv"), "days,member\n1,true\n5,false\n").expect("written");
    folder
}

fn run(folder: &Path, command: &str) -> Output {
    dodona().args(command.split(' ')).current_dir(folder).output().expect("runs")
}

/// Runs commands at the same time.
fn at_once(folder: &Path, commands: &[String]) -> Vec<Output> {
    let start = |command: &String| {
        let mut child = dodona();
        child.args(command.split(' ')).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        child.spawn().expect("starts")
    };
    let children: Vec<_> = commands.iter().map(start).collect();
    children.into_iter().map(|child| child.wait_with_output().expect("ends")).collect()
}

#[test]
fn discoveries_at_once_in_one_folder_lose_nothing() {
    let folder = subject();
    let before = files(folder.path()).len();
    let commands: Vec<String> =
        (0..4).map(|seed| format!("{DISCOVER} --jobs 1 --emit rust --seed {seed}")).collect();
    let mut named = Vec::new();
    for (output, seed) in at_once(folder.path(), &commands).iter().zip(0..) {
        let out = both(output);
        assert_eq!(output.status.code(), Some(0), "{out}");
        let wrote: Vec<String> =
            out.lines().filter_map(|line| line.strip_prefix("wrote ")).map(str::to_owned).collect();
        assert_eq!(wrote.len(), 2, "{out}");
        let written = std::fs::read_to_string(folder.path().join(&wrote[0])).expect("it was written");
        assert!(written.contains(&format!("--seed {seed}")), "{} is another one's: {written}", wrote[0]);
        assert_eq!(wrote[0].replace(".mr", ".rs"), wrote[1], "a test stands beside its relations");
        named.extend(wrote);
    }
    named.sort();
    named.dedup();
    assert_eq!((named.len(), files(folder.path()).len()), (8, before + 8), "{named:?}");
}

#[test]
fn mutants_accepted_at_once_are_all_remembered() {
    let folder = subject();
    let start = |mutant: usize| {
        let mut command = dodona();
        command.args(["mutate", ".", "--accept", &format!("M{mutant}"), "judged"]).current_dir(folder.path());
        command.stdout(Stdio::null()).spawn().expect("starts")
    };
    let children: Vec<_> = (1..=8).map(start).collect();
    for mut child in children {
        assert!(child.wait().expect("ends").success());
    }
    let kept = std::fs::read_to_string(folder.path().join("dodona.accepted.toml")).expect("a file");
    assert_eq!(kept.matches("reason = \"judged\"").count(), 8, "{kept}");
}

#[test]
fn judgements_that_cannot_be_read_are_kept_as_they_are() {
    let folder = subject();
    let path = folder.path().join("dodona.accepted.toml");
    for (broken, place) in [
        (
            "version = 1\n\n[[accepted]]\noperator = \"ROR\"\n# a person was here\n",
            Some("dodona.accepted.toml:3:1"),
        ),
        ("version = 7\n", Some("dodona.accepted.toml:1:11")),
        ("<<<<<<< HEAD\nversion = 1\n", Some("dodona.accepted.toml:1:9")),
        ("not UTF-8: \u{fffd}", None),
    ] {
        let bytes =
            if place.is_none() { b"version = 1 # \xff\xfe".to_vec() } else { broken.as_bytes().to_vec() };
        std::fs::write(&path, &bytes).expect("written");
        let output =
            dodona().args(["mutate", ".", "--accept", "M1", "judged"]).current_dir(folder.path()).output();
        let output = output.expect("runs");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(place.unwrap_or("dodona.accepted.toml: ")), "the place is told: {errors}");
        assert_eq!(std::fs::read(&path).expect("still there"), bytes);
    }
}

#[test]
fn a_first_manifest_is_written_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/compare.in/steps.wat");
    std::fs::copy(from, folder.path().join("steps.wat")).expect("copies");
    let outputs = at_once(folder.path(), &vec!["init steps.wat".to_owned(); 6]);
    let wrote: Vec<&Output> = outputs.iter().filter(|output| output.status.success()).collect();
    assert_eq!(wrote.len(), 1, "{:?}", outputs.iter().map(both).collect::<Vec<_>>());
    for output in outputs.iter().filter(|output| !output.status.success()) {
        assert_eq!(output.status.code(), Some(2));
        assert!(both(output).contains("exists and is kept"), "{}", both(output));
    }
    assert_eq!(
        files(folder.path()),
        ["steps.mr", "steps.toml", "steps.wat"].map(Into::<std::path::PathBuf>::into)
    );
    // Half of a pair is no pair.
    std::fs::remove_file(folder.path().join("steps.toml")).expect("removed");
    assert_eq!(run(folder.path(), "init steps.wat").status.code(), Some(2));
    assert_eq!(files(folder.path()).len(), 2, "no manifest was left without its relations");
}

/// Each command that writes a file, with `FILE` where its name goes, and the ending that it asks for.
const WRITERS: [(&str, &str); 6] = [
    ("generate . price --technique random --count 3 --output FILE", "jsonl"),
    ("prioritise . price --from prices.csv --output FILE", "csv"),
    ("mutate . --operators AOR --inputs 5 --matrix FILE", "csv"),
    ("mutate . --emit M1=FILE", "wasm"),
    (
        "compare . price --operators AOR --techniques random,adaptive --count 3 --repeats 2 --output FILE",
        "csv",
    ),
    (
        "discover . price --time 1000 --mutants 20 --operators AOR --executions 50 --inputs 20 --transformations 3 --search enumerate --fresh 100 \
      --enumerate-size 3 --forms none --prove off --overwrite --output FILE",
        "mr",
    ),
];

/// Runs a writer; `overwrite` is only of those that ask for it.
fn write(folder: &Path, command: &str, file: &str) -> Output {
    run(folder, &command.replace("FILE", file))
}

#[test]
fn a_full_device_is_an_error_and_no_file_appears_beside_it() {
    for (command, ending) in WRITERS {
        let folder = subject();
        let link = format!("out.{ending}");
        symlink("/dev/full", folder.path().join(&link)).expect("a link");
        let before = files(folder.path());
        for command in [command, &command.replace(" --overwrite", "")] {
            let output = write(folder.path(), command, &link);
            let all = format!("{command}: {}", both(&output));
            assert_eq!(output.status.code(), Some(2), "{all}");
            assert!(all.contains(&format!("cannot write {link}: No space left on device")), "{all}");
            assert_eq!(files(folder.path()), before, "{all}");
        }
    }
    let folder = subject();
    let output = write(folder.path(), WRITERS[5].0, "/dev/full");
    assert_eq!(output.status.code(), Some(2), "{}", both(&output));
    assert!(both(&output).contains("cannot write /dev/full: No space left on device"), "{}", both(&output));
    assert!(!Path::new("/dev/full-2").exists(), "{}", both(&output));
}

#[test]
fn what_is_no_file_is_written_to_as_it_is() {
    for (command, ending) in WRITERS {
        let folder = subject();
        let link = format!("out.{ending}");
        symlink("/dev/null", folder.path().join(&link)).expect("a link");
        let output = write(folder.path(), &command.replace(" --overwrite", ""), &link);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", both(&output));
        assert!(folder.path().join(&link).is_symlink(), "{command}");
    }
    assert!(!Path::new("/dev/null").is_file());
}

#[test]
fn the_target_of_a_link_is_written_and_the_link_stays() {
    for (command, ending) in WRITERS {
        let folder = subject();
        std::fs::create_dir(folder.path().join("elsewhere")).expect("a folder");
        let (link, target) = (format!("out.{ending}"), format!("elsewhere/target.{ending}"));
        symlink(&target, folder.path().join(&link)).expect("a link");
        let output = write(folder.path(), command, &link);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", both(&output));
        assert!(folder.path().join(&link).is_symlink(), "{command}");
        assert!(
            std::fs::metadata(folder.path().join(target)).is_ok_and(|about| about.len() > 0),
            "{command}"
        );
    }
}

#[test]
fn a_folder_and_a_read_only_file_are_refused_before_anything_is_run() {
    for (command, ending) in WRITERS {
        let folder = subject();
        let (below, locked) = (format!("below.{ending}"), format!("locked.{ending}"));
        std::fs::create_dir(folder.path().join(&below)).expect("a folder");
        std::fs::write(folder.path().join(&locked), "kept").expect("written");
        let permissions = std::fs::Permissions::from_mode(0o444);
        std::fs::set_permissions(folder.path().join(&locked), permissions).expect("permitted");
        let before = files(folder.path());
        for (file, why) in [(&below, "it is a folder"), (&locked, "it is read-only")] {
            let output = write(folder.path(), command, file);
            let all = format!("{command}: {}", both(&output));
            assert_eq!(output.status.code(), Some(2), "{all}");
            assert!(all.contains(&format!("cannot write {file}: {why}")), "{all}");
            assert_eq!(text(&output.stdout), "", "nothing was run: {all}");
        }
        assert_eq!(std::fs::read_to_string(folder.path().join(&locked)).expect("a file"), "kept");
        assert_eq!(files(folder.path()), before);
    }
}

#[test]
fn a_file_that_exists_is_kept_by_every_writer() {
    // A discovery writes beside it instead.
    for (command, ending) in &WRITERS[..5] {
        let folder = subject();
        let file = format!("mine.{ending}");
        std::fs::write(folder.path().join(&file), "int mine;").expect("written");
        let before = files(folder.path());
        let output = write(folder.path(), command, &file);
        let all = format!("{command}: {}", both(&output));
        assert_eq!(output.status.code(), Some(2), "{all}");
        assert!(all.contains(&format!("error: {file} exists and is kept; --overwrite replaces it")), "{all}");
        assert_eq!(text(&output.stdout), "", "nothing was run: {all}");
        assert_eq!(std::fs::read_to_string(folder.path().join(&file)).expect("a file"), "int mine;");
        assert_eq!(files(folder.path()), before);
        let output = write(folder.path(), &format!("{command} --overwrite"), &file);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", both(&output));
        assert_ne!(std::fs::read(folder.path().join(&file)).expect("a file"), b"int mine;");
    }
}

#[test]
fn a_kill_matrix_replaces_another() {
    for name in ["kills.csv", "kills.matrix"] {
        let folder = subject();
        let command = format!("mutate . --operators AOR --inputs 5 --matrix {name}");
        for _ in 0..2 {
            let output = run(folder.path(), &command);
            assert_eq!(output.status.code(), Some(0), "{}", both(&output));
        }
        std::fs::write(folder.path().join(name), "mutant,mine\nM1,1\n").expect("written");
        assert_eq!(run(folder.path(), &command).status.code(), Some(2));
    }
}

/// Runs a command that may write no byte to any file: as on a full disk, without one.
fn without_space(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_dodona")]);
    command.args(words).env_remove("DODONA_FAULT").current_dir(folder).output().expect("runs")
}

#[test]
fn without_space_no_writer_leaves_anything() {
    for (command, ending) in WRITERS {
        let folder = subject();
        let (old, new) = (format!("old.{ending}"), format!("new.{ending}"));
        std::fs::write(folder.path().join(&old), "old").expect("written");
        let before = files(folder.path());
        for file in [&old, &new] {
            let command = command.replace("FILE", file).replace(" --overwrite", "") + " --overwrite";
            let output = without_space(folder.path(), &command.split(' ').collect::<Vec<_>>());
            let all = format!("{command}: {}", both(&output));
            assert_eq!(output.status.code(), Some(2), "{all}");
            assert!(all.contains(&format!("cannot write {file}: ")), "{all}");
        }
        assert_eq!(std::fs::read_to_string(folder.path().join(&old)).expect("a file"), "old");
        assert_eq!(files(folder.path()), before, "{command}");
    }
    let folder = subject();
    let before = files(folder.path());
    for words in [&["mutate", ".", "--accept", "M1", "judged"][..], &["init", "steps.wat"]] {
        let output = without_space(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", both(&output));
        assert_eq!(files(folder.path()), before, "{words:?}: {}", both(&output));
    }
}

#[test]
fn without_space_a_violation_is_reported_and_no_regression_is_half_written() {
    let folder = copy_of("check.in");
    let before = files(folder.path());
    let output = without_space(folder.path(), &["check", "hasty.toml", "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", both(&output));
    let out = text(&output.stdout);
    assert!(out.contains("VIOLATED") && out.contains("warning: cannot keep the regression"), "{out}");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn builds_at_once_leave_one_module_with_its_stamp() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = "name = \"one\"\n[build]\nc = [\"one.c\"]\n[[function]]\nsignature = \"one() -> i32\"\n";
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    let source = |number: u32| {
        std::fs::write(folder.path().join("one.c"), format!("int one(void) {{ return {number}; }}\n"))
    };
    source(1).expect("written");
    let outputs = at_once(folder.path(), &vec!["build . --force".to_owned(); 4]);
    assert!(
        outputs.iter().all(|output| output.status.success()),
        "{:?}",
        outputs.iter().map(both).collect::<Vec<_>>()
    );
    let products = files(&folder.path().join(".dodona"));
    assert_eq!(products, ["one.stamp", "one.wasm"].map(Into::<std::path::PathBuf>::into));
    // A module of another build under the stamp of this one, as two builds of different sources may leave it.
    let module = folder.path().join(".dodona/one.wasm");
    let old = std::fs::read(&module).expect("a module");
    source(2).expect("written");
    assert!(run(folder.path(), "build .").status.success());
    std::fs::write(&module, old).expect("written");
    let called = run(folder.path(), "call . one()");
    assert!(text(&called.stdout).contains('2'), "it was built anew: {}", both(&called));
}
