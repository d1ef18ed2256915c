//! `dodona identify --review` and `--review-joined`: a person's answers are kept, and what was answered is not asked again.

mod common;

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;

use common::{both, copy_of, dodona, text};
use dodona_records::{CandidatePair, read_pairs};

/// Reviews the relations with these answers, a line each; what was printed.
fn review(folder: &Path, answers: &str) -> String {
    answered(folder, &["--write", "reviewed.mr", "--review-joined"], answers)
}

/// Reviews the candidate pairs.
fn review_pairs(folder: &Path, answers: &str) -> String {
    answered(folder, &["--review", "pairs.csv", "--write", "pairs.mr"], answers)
}

fn answered(folder: &Path, options: &[&str], answers: &str) -> String {
    let mut child = dodona()
        .current_dir(folder)
        .args(["identify", ".", "--fresh", "2000"])
        .args(options)
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
        .args(["identify", ".", "--fresh", "2000", "--write", "reviewed.mr", "--review-joined"])
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

fn table(folder: &Path) -> Vec<CandidatePair> {
    read_pairs(&std::fs::read_to_string(folder.join("pairs.csv")).expect("written")).expect("a table")
}

/// The answer of each pair, with the tester's own relation.
fn answers(folder: &Path) -> Vec<(String, String)> {
    table(folder).into_iter().map(|pair| (pair.answer, pair.relation)).collect()
}

fn said(answer: &str, relation: &str) -> (String, String) {
    (answer.to_owned(), relation.to_owned())
}

#[test]
fn a_tester_takes_writes_undoes_and_another_goes_on() {
    let folder = copy_of("frames.in");
    let first = review_pairs(folder.path(), "a\nout' > out + 1\nu\nx\nn\nl\n");
    // The frames of a pair, the inputs with their outputs, and what the specification says, on one screen each.
    for words in [
        "pair 1 of 8; 0 answered",
        "specification  fee.free",
        "(from the specification; 1 more pair is alike)",
    ] {
        assert!(first.contains(words), "{words}\n{first}");
    }
    assert!(
        first.contains("it holds on ") && first.matches("pair 2 of 8; 1 answered").count() == 2,
        "{first}"
    );
    let answered = answers(folder.path());
    assert_eq!(answered.len(), 8, "every pair has its line");
    assert_eq!(answered[..4], [said("accept", ""), said("none", ""), said("later", ""), said("", "")]);

    // A spreadsheet writes an answer; what is settled is not asked again, what was for later is.
    let mut pairs = table(folder.path());
    let free: Vec<usize> = (3..8).filter(|place| pairs[*place].proposed != pairs[2].proposed).collect();
    pairs[free[0]].relation = "out' == out".to_owned();
    pairs[free[1]].relation = "out' ==".to_owned();
    let mut text = Vec::new();
    dodona_records::write_pairs(&pairs, &mut text).expect("written");
    std::fs::write(folder.path().join("pairs.csv"), text).expect("written");
    let second = review_pairs(folder.path(), "aa\nq\n");
    let rows = [format!("row {}: out' == out: ", free[0] + 2), format!("row {}: out' ==: ", free[1] + 2)];
    assert!(rows.iter().all(|row| second.contains(row)), "{second}");
    assert!(second.contains("pair 3 of 8; 4 answered") && !second.contains("pair 2 of 8"), "{second}");
    let accepted = table(folder.path()).iter().filter(|pair| pair.answer == "accept").count();
    assert_eq!(accepted, 3, "the third, and one alike");
}

#[test]
fn a_violated_relation_is_kept_only_where_the_tester_says_so() {
    let folder = copy_of("frames.in");
    let printed = review_pairs(folder.path(), "out' == out + 1\nn\nout' == out + 1\ny\nout' =\nq\n");
    assert_eq!(printed.matches("violated by age = ").count(), 2, "{printed}");
    assert!(
        printed.contains("equality is written `==`"),
        "what does not parse is told with its place: {printed}"
    );
    let first = table(folder.path()).swap_remove(0);
    assert_eq!((&first.answer[..], &first.relation[..]), ("own", "out' == out + 1"));
    assert!(first.note.starts_with("violated by age = "), "{first:?}");
    let file = std::fs::read_to_string(folder.path().join("pairs.mr")).expect("written");
    assert_eq!(lines(&file, "relation ").len(), 1, "{file}");
}

/// Nothing a spreadsheet can do to the table loses it.
#[test]
fn a_table_with_a_wrong_answer_is_kept_and_told() {
    let folder = copy_of("frames.in");
    review_pairs(folder.path(), "a\n");
    let file = folder.path().join("pairs.csv");
    let wrong = std::fs::read_to_string(&file).expect("written").replacen("accept,", "fine,", 1);
    std::fs::write(&file, &wrong).expect("written");
    let output = dodona()
        .current_dir(folder.path())
        .args(["identify", ".", "--fresh", "2000", "--review", "pairs.csv"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{}", both(&output));
    assert!(both(&output).contains("pairs.csv: row 2: `fine` is no answer"), "{}", both(&output));
    assert_eq!(std::fs::read_to_string(&file).expect("there"), wrong);
}
