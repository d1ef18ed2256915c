//! What commands print as JSON of the subjects that ship, against the schemas that `dodona schema` prints.

#![cfg(unix)]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{both, exits, run, text};
use dodona_report::RecordSchema;

/// Commands of each record, on subjects below `subjects/` (`@`), such that all of them together say nearly everything that records can say: what holds
/// and what is violated, proofs, budgets, faulty versions, and subjects that are not there. `tests/formats.rs` runs each verb once more.
const COMMANDS: &[(&str, &str)] = &[
    ("run", "run @gcd @gcd/faulty nowhere --inputs 30 --time 10 --session s"),
    ("run", "status --session s"),
    ("run", "run @gcd --inputs 30 --time 10 --against @gcd/faulty --session t"),
    ("check", "check @gcd @gcd/faulty @triangle nowhere --sources 50 --keep nothing"),
    ("check", "check @gcd/faulty --runs 300 --schedule bandit --keep nothing"),
    ("check", "check @triangle --sources 20 --until-adequate k=2 --keep nothing"),
    ("check", "check @sorting/faulty --sources-by random,path --sources 20 --keep nothing"),
    ("prove", "prove @gcd/faulty --time 3"),
    ("prove", "prove @sorting --time 3"),
    ("discover", "discover @gcd gcd --time 3 --mutants 10 --versions @gcd/faulty --output /dev/null"),
    (
        "discoveries",
        "discover @trig sin cos --search enumerate --enumerate-size 2 --forms patterns --time 6 --mutants 10 --fresh 100 --output /dev/null",
    ),
    ("laws", "discover @fib --laws --time 3 --fresh 200 --output /dev/null"),
    ("laws", "discover @codec --laws --time 5 --fresh 200 --output /dev/null"),
    ("compose", "compose @gcd --fresh 100 --mutants 5 --repeats 2 --output /dev/null"),
    ("frames", "frames @specification/meal --each 1 --time 3"),
    ("identify", "identify @specification/meal --each 1 --fresh 50 --time 3"),
    ("generate", "generate @triangle --time 3"),
    ("generate", "generate @gcd --technique random --count 3"),
    ("mutate", "mutate @gcd --operators ROR,SAN --inputs 30 --prove --time 3"),
    ("mutate", "mutate @gcd --operators ROR --inputs 30 --hierarchy --verify"),
    ("mutate", "mutate @gcd --operators CRP --inputs 30 --versions @gcd/faulty"),
    ("mutate", "mutate @gcd --operators ROR --list"),
    ("mutate", "mutate nowhere @triangle --operators ROR --inputs 30 --against inputs"),
    ("hierarchy", "hierarchy @hierarchy/min --operators ROR --inputs 30"),
    ("compare", "compare @gcd gcd --faults --techniques random,adaptive --count 3 --repeats 2"),
    ("compare", "compare @gcd gcd --operators ROR --techniques random,adaptive --count 3 --repeats 3"),
    ("cover", "cover @triangle --inputs 50"),
    ("cover", "cover @codec --inputs 50 --libraries"),
    ("adequacy", "adequacy @triangle --inputs 20"),
    ("select", "select @triangle --inputs 20 --k 2"),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The JSON that a command prints.
fn printed(folder: &Path, command: &str) -> String {
    let subjects = format!("{}/subjects/", root().display());
    let words = command.split(' ').map(|word| match word.strip_prefix('@') {
        Some(subject) => format!("{subjects}{subject}"),
        None => word.to_owned(),
    });
    let is_summary = command.starts_with("generate");
    let format = if is_summary { ["--summary", "json"] } else { ["--format", "json"] };
    let words: Vec<String> = words.chain(format.map(str::to_owned)).collect();
    let output = run(folder, &words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(output.status.code().is_some_and(|code| code <= 3), "{command}: {}", both(&output));
    let json = text(if is_summary { &output.stderr } else { &output.stdout });
    assert!(json.starts_with('{'), "{command}: {}", both(&output));
    json
}

/// What the validator says of a folder, and whether all files in it are right.
fn checked(folder: &Path) -> (bool, String) {
    let python: PathBuf = common::cached("python/bin/python").expect("a home");
    assert!(python.exists(), "{} is missing; run scripts/setup.sh tests", python.display());
    let script = root().join("testdata/schemas/check.py");
    let output = Command::new(python).arg(script).arg(folder).output().expect("runs");
    (output.status.success(), both(&output))
}

#[test]
fn what_commands_print_is_what_their_schemas_say() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [home, right, wrong] = folders.each_ref().map(tempfile::TempDir::path);
    let named: BTreeSet<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        named,
        RecordSchema::ALL.iter().map(|record| record.name).collect(),
        "a record without a command"
    );
    for (number, (name, command)) in COMMANDS.iter().enumerate() {
        let json = printed(home, command);
        std::fs::write(right.join(format!("{name}-{number}.record.json")), &json).expect("written");
        // Under the name of another record the same document is wrong.
        let other = if *name == "check" { "prove" } else { "check" };
        std::fs::write(wrong.join(format!("{other}-{number}.record.json")), &json).expect("written");
    }
    let (is_right, said) = checked(right);
    assert!(is_right && said.contains(&format!("{} files, 0 wrong", COMMANDS.len())), "{said}");
    let (is_right, said) = checked(wrong);
    assert!(!is_right && said.contains(&format!("{0} files, {0} wrong", COMMANDS.len())), "{said}");
}

#[test]
fn every_verb_that_prints_json_has_a_schema() {
    let definition = dodona_cli::definition();
    for verb in definition.get_subcommands() {
        let format = verb.get_arguments().find(|arg| arg.get_long() == Some("format"));
        let values = format.map(clap::Arg::get_possible_values).unwrap_or_default();
        let has_json = values.iter().any(|value| value.get_name() == "json");
        // What a question prints has the columns that it asks for.
        let is_record = has_json && verb.get_name() != "query";
        assert!(!is_record || RecordSchema::find(verb.get_name()).is_some(), "{}", verb.get_name());
    }
    for command in RecordSchema::ALL.iter().flat_map(|record| record.commands) {
        let mut words = command.split(' ').skip(1);
        let verb = definition.find_subcommand(words.next().expect("a verb")).expect("a verb that is known");
        let is_known = |option: &str| verb.get_arguments().any(|arg| arg.get_long() == Some(option));
        let options = words.filter_map(|word| word.strip_prefix("--"));
        options.for_each(|option| assert!(is_known(option), "{command}"));
    }
}

#[test]
fn the_program_prints_the_schemas_of_the_repository() {
    for record in RecordSchema::ALL {
        let file = root().join(format!("testdata/schemas/records/{}.schema.json", record.name));
        let kept = std::fs::read_to_string(file).expect("a schema");
        assert!(exits(root(), &["schema", record.name], 0) == kept, "{}", record.name);
    }
}
