//! When a command compiles, and which files it reads: nothing stale is used, nothing hangs, and nothing is built for nothing.

#![cfg(unix)]

mod common;

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use common::{both, copy_of, dodona, files, text};

/// A subject in C with a header outside its folder, and a compiler that counts its runs in a file.
struct Counted {
    folder: tempfile::TempDir,
}

impl Counted {
    fn new() -> Counted {
        let counted = Counted { folder: tempfile::tempdir().expect("a folder") };
        for folder in ["s", "inc"] {
            std::fs::create_dir(counted.folder.path().join(folder)).expect("made");
        }
        counted.write("clang", "#!/bin/sh\necho \"$0\" >> \"$(dirname \"$0\")/runs\"\nexec clang \"$@\"\n");
        let program = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(counted.folder.path().join("clang"), program).expect("a program");
        counted.write("inc/k.h", "#define K 1\n");
        counted.write("s/f.c", "#include <k.h>\nint f(int x) { return x + K; }\n");
        counted.write("s/f.mr", "relation one: f(x) == x + 1\n");
        counted.write(
            "s/dodona.toml",
            "name = \"s\"\n[build]\nc = [\"f.c\"]\nflags = [\"-I../inc\"]\n[[function]]\nsignature = \"f(x: i32) -> i32\"\nrelations = [\"f.mr\"]\n\
             domain.x = { range = [0, 99] }\n",
        );
        counted
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(self.folder.path().join(path), text).expect("written");
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = dodona();
        command.args(words).current_dir(self.folder.path()).env("CLANG", self.folder.path().join("clang"));
        command
    }

    /// The exit code of a check, and whether it compiled.
    fn check(&self, environment: &[(&str, &str)]) -> (Option<i32>, bool) {
        let before = self.runs();
        let mut command = self.command(&["check", "s", "--keep", "nothing", "--sources", "20"]);
        let output = command.envs(environment.iter().copied()).output().expect("runs");
        (output.status.code(), self.runs() > before)
    }

    fn runs(&self) -> usize {
        std::fs::read_to_string(self.folder.path().join("runs")).map_or(0, |runs| runs.lines().count())
    }
}

#[test]
fn what_did_not_change_is_not_built_and_what_did_is() {
    let subject = Counted::new();
    assert_eq!(subject.check(&[]), (Some(0), true));
    assert_eq!(subject.check(&[]), (Some(0), false));
    subject.write("inc/unread.h", "");
    subject.write("s/notes.txt", "");
    assert_eq!(subject.check(&[]), (Some(0), false), "files that nobody reads");
    subject.write("inc/k.h", "#define K 2\n");
    assert_eq!(subject.check(&[]), (Some(1), true), "a header outside");
    assert_eq!(subject.check(&[]), (Some(1), false));
    std::fs::create_dir(subject.folder.path().join("early")).expect("made");
    subject.write("early/k.h", "#define K 1\n");
    assert_eq!(
        subject.check(&[("CPATH", "../early")]),
        (Some(1), true),
        "another environment, and -I comes first"
    );
    subject.write("s/f.c", "#include <k.h>\nint f(int x) { return x + K - 1; }\n");
    assert_eq!(subject.check(&[]), (Some(0), true), "the source");
    subject.write(
        "clang",
        &format!(
            "{}# changed\n",
            std::fs::read_to_string(subject.folder.path().join("clang")).expect("read")
        ),
    );
    assert_eq!(subject.check(&[]), (Some(0), true), "the compiler");
    std::fs::rename(subject.folder.path().join("s"), subject.folder.path().join("moved")).expect("moved");
    let before = subject.runs();
    assert!(subject.command(&["build", "moved"]).output().expect("runs").status.success());
    assert_eq!(subject.runs(), before, "the same subject by another path");
}

#[test]
fn a_mistake_in_a_relation_is_told_before_anything_is_built() {
    let subject = Counted::new();
    subject.write("s/f.mr", "relation one: f(x) === x + 1\n");
    for verb in ["check", "prove", "mutate"] {
        let output = subject.command(&[verb, "s"]).output().expect("runs");
        assert_eq!(output.status.code(), Some(2), "{}", both(&output));
        assert!(text(&output.stderr).contains("f.mr:1:"), "{}", both(&output));
    }
    assert_eq!(subject.runs(), 0);
}

/// Runs a command that must end by itself.
fn ended(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["60", env!("CARGO_BIN_EXE_dodona")]).args(words).env_remove("DODONA_FAULT");
    let output = command.current_dir(folder).output().expect("runs");
    assert_ne!(output.status.code(), Some(124), "{words:?} does not end");
    output
}

#[test]
fn no_file_that_is_named_hangs_a_command() {
    let folder = copy_of("compare.in");
    let make = |name: &str, kind: &str| {
        let path = folder.path().join(name);
        match kind {
            "a device" => symlink("/dev/zero", path).expect("linked"),
            "a folder" => std::fs::create_dir(path).expect("made"),
            _ => assert!(Command::new("mkfifo").arg(path).status().expect("runs").success()),
        }
    };
    let commands: [(&str, &[&str]); 8] = [
        ("odd.toml", &["check", "odd.toml"]),
        ("odd.mr", &["check", ".", "--relations", "odd.mr"]),
        ("odd.csv", &["check", ".", "--from", "odd.csv"]),
        ("odd.jsonl", &["check", ".", "--from", "odd.jsonl"]),
        ("odd.json", &["hierarchy", "odd.json"]),
        ("odd.wat", &["init", "odd.wat"]),
        ("dodona.accepted.toml", &["mutate", "."]),
        ("frames.toml", &["frames", "."]),
    ];
    for (name, words) in commands {
        for kind in ["a device", "a pipe", "a folder"] {
            make(name, kind);
            let output = ended(folder.path(), words);
            let all = format!("{words:?} with {kind}: {}", both(&output));
            // A folder is a subject's folder where a manifest could stand.
            let expected = if words[1] == name && kind == "a folder" { "" } else { kind };
            assert_eq!(output.status.code(), Some(2), "{all}");
            assert!(all.contains(name) && text(&output.stderr).contains(expected), "{all}");
            let path = folder.path().join(name);
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path));
        }
    }
    let kept = folder.path().join("dodona-regressions");
    std::fs::create_dir(&kept).expect("made");
    symlink("/dev/zero", kept.join("x.json")).expect("linked");
    let output = ended(folder.path(), &["check", "."]);
    let all = both(&output);
    assert!(all.contains("x.json") && all.contains("a device"), "{all}");
    assert_eq!(files(&kept).len(), 1);
}

#[test]
fn what_the_shell_hands_over_open_is_read() {
    let folder = copy_of("compare.in");
    let command = "echo 'relation same: price(days, member) == price(days, member)' | \"$0\" check . --relations /dev/stdin --keep nothing";
    let output = Command::new("sh")
        .args(["-c", command, env!("CARGO_BIN_EXE_dodona")])
        .current_dir(folder.path())
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}", both(&output));
    assert!(text(&output.stdout).contains("same"), "{}", both(&output));
}

#[test]
fn functions_of_a_crate_that_are_called_like_those_of_c_do_not_replace_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).expect("written");
    write(
        "dodona.toml",
        "[build]\ncrate = \"num-integer\"\nversion = \"0.1\"\n[[function]]\nsignature = \"cbrt(x: u64) -> u64\"\nrelations = [\"c.mr\"]\n\
         domain.x = { range = [0, 1000000000000000000] }\n",
    );
    write(
        "c.mr",
        "relation least: cbrt(x) * cbrt(x) * cbrt(x) <= x\nrelation steps: cbrt(x) <= cbrt(x + 1)\n",
    );
    let output = ended(folder.path(), &["check", ".", "--keep", "nothing"]);
    assert_eq!(output.status.code(), Some(0), "{}", both(&output));
    let out = text(&output.stdout);
    assert!(out.contains("2 relations: 2 hold") && !out.contains("trapped"), "{out}");
}
