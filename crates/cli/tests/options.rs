//! Every number of every option of every verb, as the definition of the command line lists them: whatever is typed, a run ends as
//! documented, and what lasts ends by ctrl-C. An option that is new is tried by itself, or this fails because nobody said what it takes.

#![cfg(unix)]

mod common;

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction};
use common::{text, with_frames};

/// Numbers that a person may type, and some that no one means.
const NUMBERS: [&str; 24] = [
    "",
    " ",
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "-0.5",
    "1e-300",
    "0.999999999999999999",
    "1.5",
    "4294967295",
    "4294967296",
    "1e9",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e19",
    "1e308",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "0x10",
];

/// What such a run may end with: not with 5, which is a mistake of ours, 101, which is a panic, or a signal.
const DOCUMENTED: [i32; 6] = [0, 1, 2, 3, 4, 130];

/// How long a run lasts before it is interrupted. Longer finds no more: what panics does so soon.
const PATIENCE: Duration = Duration::from_millis(25);

/// How long it may take to end then. Far from what it takes; not a measure of speed.
const LEAVE: Duration = Duration::from_secs(60);

/// The name, the operands, and options with their values.
type Verb = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// Each verb on a subject that is quick. A pair is left out where its option is the one that is tried.
const VERBS: &[Verb] = &[
    ("run", &["."], &[("--inputs", "20"), ("--time", "1")]),
    ("merge", &["none.shard"], &[]),
    (
        "submit",
        &["."],
        &[("--engine", "github"), ("--shards", "2"), ("--inputs", "20"), ("--install", "true")],
    ),
    ("status", &[], &[]),
    ("report", &[], &[("--html", "/dev/null")]),
    ("doctor", &[], &[]),
    ("completions", &["bash"], &[]),
    ("man", &[], &[]),
    ("schema", &[], &[]),
    ("accept", &["members"], &[]),
    ("query", &["SELECT 1"], &[]),
    ("clean", &[], &[]),
    // There is no package where it is tried, so that each ends at once; `tests/cargo_dodona.rs` has packages.
    ("crate", &["--manifest-path", "none/Cargo.toml"], &[]),
    ("init", &["steps.wat"], &[]),
    ("build", &["."], &[]),
    ("call", &[".", "price(1, true)"], &[]),
    ("check", &["."], &[("--sources", "50"), ("--keep", "nothing")]),
    ("cover", &[".", "price"], &[("--inputs", "50")]),
    ("prioritise", &[".", "price"], &[("--from", "prices.csv")]),
    (
        "compare",
        &[".", "price"],
        &[("--operators", "AOR"), ("--techniques", "path,random"), ("--count", "3"), ("--repeats", "2")],
    ),
    ("mutate", &["."], &[("--operators", "CRP"), ("--inputs", "3"), ("--prove", "")]),
    ("hierarchy", &["."], &[("--operators", "CRP"), ("--inputs", "30")]),
    (
        "discover",
        &[".", "price"],
        &[
            ("--inputs", "20"),
            ("--executions", "50"),
            ("--mutants", "10"),
            ("--transformations", "3"),
            ("--generations", "1"),
            ("--fresh", "100"),
            ("--enumerate-size", "3"),
            ("--forms", "none"),
            ("--output", "/dev/null"),
        ],
    ),
    (
        "compose",
        &["."],
        &[("--fresh", "100"), ("--mutants", "5"), ("--repeats", "2"), ("--output", "/dev/null")],
    ),
    ("frames", &[".", "price"], &[("--each", "3")]),
    ("identify", &[".", "price"], &[("--each", "3"), ("--fresh", "1000")]),
    ("adequacy", &[".", "price"], &[("--inputs", "50")]),
    ("select", &[".", "price"], &[("--inputs", "50"), ("--k", "2")]),
    ("prove", &[".", "members"], &[]),
    ("replay", &["none.json"], &[]),
    ("generate", &[".", "price"], &[("--count", "3")]),
    ("relations", &["."], &[]),
    ("emit", &["."], &[]),
];

/// Options whose values are neither one number nor any text, and that are tried elsewhere.
const OTHERS: [(&str, &str); 35] = [
    ("check", "runs"),
    ("run", "time"),
    ("run", "shard"),
    ("check", "shard"),
    ("mutate", "shard"),
    ("discover", "shard"),
    ("submit", "time"),
    ("submit", "shard-limit"),
    ("crate", "time"),
    ("crate", "functions"),
    ("crate", "package"),
    ("crate", "manifest-path"),
    ("crate", "features"),
    ("crate", "folder"),
    ("init", "c"),
    ("init", "include"),
    ("init", "define"),
    ("init", "exclude"),
    ("init", "std"),
    ("init", "crate"),
    ("init", "python"),
    ("init", "interpreter"),
    ("init", "openapi"),
    ("init", "address"),
    ("init", "version"),
    ("init", "package"),
    ("init", "features"),
    ("init", "functions"),
    ("init", "into"),
    ("mutate", "accept"),
    ("mutate", "emit"),
    ("discover", "emit"),
    ("compose", "emit"),
    ("emit", "language"),
    ("compose", "layers"),
];

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    OneOf,
    Text,
    Number,
    Other,
}

/// The words of a command that tries one option.
fn words(verb: &str, option: &str) -> Vec<String> {
    let (_, operands, pairs) = VERBS.iter().find(|known| known.0 == verb).expect("a verb that is known");
    let mut words = vec!["dodona".to_owned(), verb.to_owned()];
    words.extend(operands.iter().map(|&word| word.to_owned()));
    let others = pairs.iter().filter(|(name, _)| *name != option);
    words.extend(
        others.flat_map(|&(name, value)| [name, value]).filter(|word| !word.is_empty()).map(str::to_owned),
    );
    words
}

/// The definition of the command line. It is made once: to make it takes longer than to read a command with it.
fn definition() -> MutexGuard<'static, clap::Command> {
    static DEFINITION: LazyLock<Mutex<clap::Command>> =
        LazyLock::new(|| Mutex::new(dodona_cli::definition()));
    DEFINITION.lock().expect("nobody panics with it")
}

/// Whether the definition takes a value; what is refused is refused as bad usage that names the option.
fn is_taken(verb: &str, option: &str, value: &str) -> bool {
    let mut words = words(verb, option);
    words.push(format!("{option}={value}"));
    let read = definition().try_get_matches_from_mut(&words);
    match read {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.exit_code(), 2, "{words:?}: {error}");
            assert!(error.to_string().contains(option), "{words:?}: {error}");
            false
        }
    }
}

fn takes(verb: &str, arg: &Arg) -> Takes {
    let name = arg.get_long().expect("a long name");
    let option = format!("--{name}");
    if !matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
        Takes::Nothing
    } else if OTHERS.contains(&(verb, name)) {
        Takes::Other
    } else if !arg.get_possible_values().is_empty() {
        assert!(!is_taken(verb, &option, "no-such-word"), "{verb} {option}");
        Takes::OneOf
    } else if is_taken(verb, &option, "word") {
        Takes::Text
    } else {
        let takes_some = NUMBERS.iter().any(|number| is_taken(verb, &option, number));
        assert!(
            takes_some,
            "{verb} {option} takes neither numbers nor text: say in OTHERS where it is tried"
        );
        Takes::Number
    }
}

fn options(verb: &str) -> Vec<Arg> {
    let definition = definition();
    let verb = definition.find_subcommand(verb).expect("a verb");
    let of_all = definition.get_arguments().filter(|arg| arg.is_global_set());
    of_all.chain(verb.get_arguments()).filter(|arg| arg.get_long().is_some()).cloned().collect()
}

fn subject() -> tempfile::TempDir {
    let folder = with_frames();
    std::fs::write(folder.path().join("prices.csv"), "days,member\n1,true\n5,false\n").expect("written");
    folder
}

/// Runs a command in so much memory, and interrupts it when it lasts.
fn run(folder: &Path, words: &[String]) -> Result<(), String> {
    // The limit is on what is written to, in KiB: wasmtime reserves addresses far beyond.
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -d 3000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_dodona")])
        .args(&words[1..]);
    command.env("RUST_BACKTRACE", "0").current_dir(folder);
    let errors = tempfile::tempfile().expect("a file");
    command.stdout(Stdio::null()).stderr(errors.try_clone().expect("the same file"));
    let mut child = command.spawn().expect("starts");
    let status = match ended(&mut child, PATIENCE) {
        Some(status) => status,
        None => {
            if let Some(process) = rustix::process::Pid::from_raw(child.id() as i32) {
                let _ = rustix::process::kill_process(process, rustix::process::Signal::INT);
            }
            ended(&mut child, LEAVE).unwrap_or_else(|| {
                let _ = child.kill();
                child.wait().expect("ends")
            })
        }
    };
    let told = read(errors);
    // A command that has not yet begun to listen for ctrl-C is ended by the signal, and a shell says 130 for that as well.
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    let is_documented = code.is_some_and(|code| DOCUMENTED.contains(&code));
    match is_documented && !told.contains("panicked") {
        true => Ok(()),
        false => Err(format!("{}\n  {status}: {told}", words.join(" "))),
    }
}

fn ended(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    None
}

fn read(mut file: std::fs::File) -> String {
    use std::io::{Read as _, Seek as _};
    let mut bytes = Vec::new();
    file.rewind().expect("a file");
    file.read_to_end(&mut bytes).expect("a file");
    text(&bytes)
}

/// Tries each number of each option of a verb that the definition takes.
fn try_all(verb: &str) {
    let folder = subject();
    let mut wrong = Vec::new();
    for arg in options(verb) {
        if takes(verb, &arg) != Takes::Number {
            continue;
        }
        let option = format!("--{}", arg.get_long().expect("a long name"));
        for number in NUMBERS.iter().filter(|number| is_taken(verb, &option, number)) {
            let mut words = words(verb, &option);
            words.push(format!("{option}={number}"));
            wrong.extend(run(folder.path(), &words).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_verb_of_the_definition_is_tried() {
    let definition = definition();
    let defined: BTreeSet<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
    let known: BTreeSet<&str> = VERBS.iter().map(|known| known.0).collect();
    assert_eq!(defined, known);
}

#[test]
fn what_each_option_takes_is_known() {
    for &(verb, _, _) in VERBS {
        let numbers = options(verb).iter().filter(|arg| takes(verb, arg) == Takes::Number).count();
        let has_seed = options(verb).iter().any(|arg| arg.get_long() == Some("seed"));
        assert!(numbers > 0 || !has_seed, "{verb}: a seed is a number");
    }
}

#[test]
fn the_commands_that_numbers_are_tried_in_have_results_without_them() {
    for (verb, expected) in [
        ("check", 0),
        ("cover", 0),
        ("prioritise", 0),
        ("compare", 0),
        ("mutate", 0),
        ("hierarchy", 0),
        ("prove", 0),
        ("generate", 0),
        ("frames", 0),
        ("identify", 0),
        ("adequacy", 0),
        ("select", 0),
    ] {
        let folder = subject();
        let words = words(verb, "");
        let output = common::dodona().args(&words[1..]).current_dir(folder.path()).output().expect("runs");
        assert_eq!(output.status.code(), Some(expected), "{words:?}: {}", common::both(&output));
    }
}

macro_rules! numbers_of {
    ($($test:ident $verb:literal)*) => { $(#[test] fn $test() { try_all($verb); })* };
}

numbers_of! {
    numbers_of_check "check"
    numbers_of_cover "cover"
    numbers_of_prioritise "prioritise"
    numbers_of_compare "compare"
    numbers_of_mutate "mutate"
    numbers_of_hierarchy "hierarchy"
    numbers_of_discover "discover"
    numbers_of_compose "compose"
    numbers_of_prove "prove"
    numbers_of_generate "generate"
    numbers_of_frames "frames"
    numbers_of_identify "identify"
    numbers_of_adequacy "adequacy"
    numbers_of_select "select"
    numbers_of_init "init"
    numbers_of_build "build"
    numbers_of_call "call"
    numbers_of_replay "replay"
    numbers_of_relations "relations"
}

#[test]
fn names_may_be_longer_than_any_line() {
    let folder = subject();
    let name = "n".repeat(70_000);
    let relation = format!("relation {name}: price(days, true) <= price(days, false)\n");
    let broken = format!("{relation}relation {name}: price(days, true) <=\n");
    let verbs = ["check", "prove", "relations", "mutate"];
    for (text, codes) in [(relation.as_str(), &[0][..]), (&broken, &[2])] {
        std::fs::write(folder.path().join("steps.mr"), text).expect("written");
        for verb in verbs {
            let output =
                common::dodona().args([verb, "."]).current_dir(folder.path()).output().expect("runs");
            let code = output.status.code().unwrap_or(-1);
            let told = text_of(&output);
            assert!(codes.contains(&code), "{verb} {code}: {told}");
        }
    }
}

/// The beginning of what was printed: all of it is long.
fn text_of(output: &std::process::Output) -> String {
    common::both(output).chars().take(2000).collect()
}
