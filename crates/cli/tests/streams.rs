//! What a command writes depends on who reads it: colours, the width of a line, and lines of progress; and never on more than that.

mod common;

use std::path::Path;
use std::process::Output;

use common::{both, dodona, text, with_frames};

/// Verbs that print a report for people which has colours, each on a subject that is quick, and whether the same command prints the same twice.
const COLOURED: &[(&[&str], bool)] = &[
    (&["run", ".", "--inputs", "20"], false),
    (&["status"], false),
    (&["check", ".", "--sources", "50", "--keep", "nothing"], true),
    (&["prove", ".", "members"], true),
    (&["mutate", ".", "--operators", "CRP", "--inputs", "3"], true),
    (&["mutate", ".", "--operators", "CRP", "--inputs", "3", "--all"], true),
    (&["hierarchy", ".", "--operators", "CRP", "--inputs", "30"], true),
    (&["hierarchy", ".", "--operators", "CRP", "--inputs", "30", "--all"], true),
    (&["cover", ".", "price", "--inputs", "50"], true),
    (&["cover", ".", "price", "--inputs", "50", "--all"], true),
    (&["adequacy", ".", "price", "--inputs", "50"], true),
    (&["select", ".", "price", "--inputs", "50", "--k", "2"], true),
    (&["frames", ".", "price", "--each", "3"], true),
    (&["identify", ".", "price", "--each", "3", "--fresh", "1000"], true),
    (&["generate", ".", "price", "--count", "3"], true),
    (&["compose", ".", "--fresh", "100", "--mutants", "5", "--repeats", "2", "--output", "/dev/null"], true),
    (
        &[
            "compare",
            ".",
            "price",
            "--operators",
            "AOR",
            "--techniques",
            "random",
            "--count",
            "3",
            "--repeats",
            "2",
        ],
        false,
    ),
    (&["--help"], true),
    (&["help", "all"], true),
    (&["check", "nowhere.toml", "--sources"], true),
];

fn run(folder: &Path, words: &[&str], variables: &[(&str, &str)]) -> Output {
    dodona().args(words).envs(variables.iter().copied()).current_dir(folder).output().expect("runs")
}

/// The text without the codes that switch colours.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |out, piece| out + piece.split_once('m').expect("a code has an end").1)
}

#[test]
fn colours_can_be_had_and_refused_and_nothing_is_lost_without_them() {
    let folder = with_frames();
    let mut wrong = String::new();
    for (words, is_same) in COLOURED {
        let plain = both(&run(folder.path(), words, &[]));
        let forced = both(&run(folder.path(), words, &[("CLICOLOR_FORCE", "1")]));
        let refused = both(&run(folder.path(), words, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        let off = both(&run(folder.path(), words, &[("CLICOLOR", "0")]));
        let mut check = |is_right: bool, what: &str| {
            if !is_right {
                wrong += &format!("{words:?}: {what}\n{plain}\n{forced}\n");
            }
        };
        check(forced.contains("\x1b["), "no colours where they are forced");
        check(
            ![&plain, &refused, &off].iter().any(|out| out.contains('\x1b')),
            "colours that nobody asked for",
        );
        if *is_same {
            check(without_colours(&forced) == plain, "colours say something that is not there without them");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Verbs that work for long on a large subject, each with as little work as shows that it tells how it goes on.
const LONG: &[&[&str]] = &[
    &["run", ".", "--inputs", "20"],
    &["check", ".", "--sources", "20000", "--keep", "nothing"],
    &["prove", ".", "members"],
    &["mutate", ".", "--inputs", "20"],
    &["hierarchy", ".", "--inputs", "30"],
    &["cover", ".", "price", "--inputs", "20000"],
    &["adequacy", ".", "price"],
    &["select", ".", "price"],
    &["frames", ".", "price"],
    &["identify", ".", "price", "--fresh", "1000"],
    &["generate", ".", "price"],
    &["compose", ".", "--fresh", "100", "--mutants", "5", "--repeats", "2", "--output", "/dev/null"],
    &["compare", ".", "price", "--techniques", "random", "--count", "3", "--repeats", "2"],
    &["discover", ".", "price", "--time", "2", "--output", "/dev/null"],
];

/// A line a millisecond stands for one every ten seconds: each of these verbs takes longer than that.
#[test]
fn no_verb_is_silent_for_long() {
    let folder = with_frames();
    for words in LONG {
        let output = run(folder.path(), words, &[("DODONA_PROGRESS", "0.001")]);
        let told = text(&output.stderr);
        let line = told.lines().find(|line| line.starts_with("progress: "));
        assert!(line.is_some_and(|line| line.ends_with(" s")), "{words:?}: {}", both(&output));
        let out = text(&output.stdout);
        assert!(!out.contains("progress: "), "the result has no progress in it: {out}");
    }
}

#[test]
fn a_pipe_gets_the_same_bytes_whatever_the_terminal_is() {
    let folder = with_frames();
    let words = ["mutate", ".", "--operators", "CRP", "--inputs", "3"];
    let plain = run(folder.path(), &words, &[]);
    let narrow = run(folder.path(), &words, &[("COLUMNS", "60")]);
    assert_eq!(text(&plain.stdout), text(&narrow.stdout));
    let widest = text(&plain.stdout)
        .lines()
        .filter(|line| !line.starts_with("mutation score "))
        .map(|line| line.chars().count())
        .max();
    assert!(widest <= Some(100), "{}", text(&plain.stdout));
}
