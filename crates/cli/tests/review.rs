//! `dodona identify --review`: a person's answers are kept, and what was answered is not asked again.

mod common;

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;

use common::{both, copy_of, dodona, text};

/// Reviews the relations with these answers, a line each; what was printed.
fn review(folder: &Path, answers: &str) -> String {
    let mut child = dodona()
        .current_dir(folder)
        .args(["identify", ".", "--fresh", "2000", "--write", "reviewed.mr", "--review"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(answers.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", both(&output));
    text(&output.stdout)
}

fn asked(printed: &str) -> usize {
    printed.matches("[a]ccept").count()
}

fn lines<'t>(file: &'t str, beginning: &str) -> Vec<&'t str> {
    file.lines().filter(|line| line.starts_with(beginning)).collect()
}

#[test]
fn answers_are_kept_and_asked_for_once() {
    let folder = copy_of("frames.in");
    let first = review(folder.path(), "a\nr\nl\ny\n");
    let all = asked(&first);
    assert!(all > 4, "{first}");
    let file = std::fs::read_to_string(folder.path().join("reviewed.mr")).expect("written");
    let (accepted, rejected) = (lines(&file, "relation "), lines(&file, "# rejected: "));
    assert_eq!((accepted.len(), rejected.len()), (2, 1), "{file}");
    // What nobody answered is for later.
    assert_eq!(lines(&file, "# later: ").len(), all - 3, "{file}");

    let again = review(folder.path(), "a\n");
    assert_eq!(asked(&again), all - 3, "{again}");
    let file = std::fs::read_to_string(folder.path().join("reviewed.mr")).expect("written");
    assert_eq!(lines(&file, "relation ").len(), 3, "{file}");
    let check = dodona()
        .current_dir(folder.path())
        .args(["check", ".", "--relations", "reviewed.mr", "--keep", "nothing"])
        .output()
        .expect("it runs");
    assert_eq!(check.status.code(), Some(0), "{}", both(&check));
}

/// Somebody who is asked sees the question, and may interrupt: what was answered by then is kept.
#[cfg(unix)]
#[test]
fn an_interrupted_review_keeps_the_answers() {
    let folder = copy_of("frames.in");
    let mut child = dodona()
        .current_dir(folder.path())
        .args(["identify", ".", "--fresh", "2000", "--write", "reviewed.mr", "--review"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut answers = child.stdin.take().expect("a pipe");
    answers.write_all(b"a\n").expect("it reads");
    let mut printed = String::new();
    let mut out = child.stdout.take().expect("a pipe");
    while asked(&printed) < 2 {
        let mut bytes = [0; 4096];
        let count = out.read(&mut bytes).expect("it prints");
        assert!(count > 0, "{printed}");
        printed += &text(&bytes[..count]);
    }
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it runs");
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{printed}{rest}");
    let file = std::fs::read_to_string(folder.path().join("reviewed.mr")).expect("written");
    assert_eq!(lines(&file, "relation ").len(), 1, "{file}");
    assert!(lines(&file, "# later: ").len() > 3, "{file}");
    drop(answers);
}
