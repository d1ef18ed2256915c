//! Every format of every verb that has several, of a subject in a folder with a nasty name, judged by validators that are not ours.

#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{both, copy_of, text};
use dodona_report::RecordSchema;

/// A folder that XML, JSON, CSV, workflow commands and URIs have to quote.
const FOLDER: &str = "odd <&\"'%25::a,b;é ]]>";

/// A subject with lines of source.
const TRIANGLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../subjects/triangle");

/// Each verb with formats, on a subject that is quick.
const VERBS: &[(&str, &[&str])] = &[
    ("run", &["--inputs", "50"]),
    // Of the shard that is made before it.
    ("merge", &["one"]),
    // Of the session that the run before them made.
    ("status", &[]),
    ("query", &["SELECT * FROM piece"]),
    ("check", &["--sources", "50", "--keep", "nothing"]),
    ("cover", &["price", "--inputs", "50"]),
    ("compare", &["price", "--operators", "AOR", "--techniques", "random", "--count", "3", "--repeats", "2"]),
    ("mutate", &["--operators", "CRP,SAN", "--inputs", "30"]),
    ("hierarchy", &["--operators", "CRP", "--inputs", "30"]),
    (
        "discover",
        &[
            "price",
            "--search",
            "enumerate",
            "--enumerate-size",
            "3",
            "--inputs",
            "20",
            "--executions",
            "50",
            "--mutants",
            "10",
            "--fresh",
            "100",
            "--output",
            "/dev/null",
        ],
    ),
    ("compose", &["--fresh", "100", "--mutants", "5", "--repeats", "2", "--output", "/dev/null"]),
    ("frames", &["price", "--each", "3"]),
    ("identify", &["price", "--each", "3", "--fresh", "1000"]),
    ("adequacy", &["price", "--inputs", "50"]),
    ("select", &["price", "--inputs", "50", "--k", "2"]),
    ("prove", &["members"]),
    ("relations", &[]),
];

/// What distinguishes the inputs and outputs of the subject's function.
const FRAMES: &str = r#"
function = "price"
[input.days]
few = "days <= 2"
many = "days > 2"
[output.price]
none = "result <= 0"
some = "result > 0"
"#;

/// The formats of a verb but for the one for people.
fn formats(verb: &clap::Command) -> Vec<String> {
    let format = verb.get_arguments().find(|arg| arg.get_long() == Some("format"));
    let values = format.map(clap::Arg::get_possible_values).unwrap_or_default();
    values.iter().map(|value| value.get_name().to_owned()).filter(|name| name != "terminal").collect()
}

fn ending(verb: &str, format: &str) -> String {
    match (RecordSchema::find(verb), format) {
        (Some(record), "json") => format!("{}.record.json", record.name),
        (_, "junit") => "junit.xml".to_owned(),
        (_, other) => other.to_owned(),
    }
}

/// The Python that has the validators: of the environment that `scripts/setup.sh` makes.
fn python() -> PathBuf {
    let python = common::cached("python/bin/python").expect("a home");
    assert!(python.exists(), "{} is missing; run scripts/setup.sh tests", python.display());
    python
}

#[test]
fn every_format_of_every_verb_is_valid() {
    let (subject, written) = (copy_of("compare.in"), tempfile::tempdir().expect("a folder"));
    std::fs::write(subject.path().join("frames.toml"), FRAMES).expect("written");
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join(FOLDER);
    std::fs::rename(subject.path(), &folder).expect("moved");
    let definition = dodona_cli::definition();
    let mut count = 0;
    for verb in definition.get_subcommands() {
        let formats = formats(verb);
        let known = VERBS.iter().find(|(name, _)| *name == verb.get_name());
        let Some((name, options)) = known else {
            assert!(formats.is_empty(), "say in VERBS how `{}` is run", verb.get_name());
            continue;
        };
        if *name == "merge" {
            let words = ["run", FOLDER, "--inputs", "50", "--shard", "1/1", "--to", "one"];
            common::exits(parent.path(), &words, 0);
        }
        for format in formats {
            let mut command = common::dodona();
            command.current_dir(parent.path()).arg(name).args(["--format", &format]);
            match format.as_str() {
                // What is about lines of source, which a module in the text format has not.
                "lcov" | "cobertura" => command.args([TRIANGLE, "triangle"]),
                _ if ["merge", "status", "query"].contains(name) => command.args(*options),
                _ => command.arg(FOLDER).args(*options),
            };
            let output = command.output().expect("runs");
            let out = text(&output.stdout);
            assert!(
                !out.is_empty() && output.status.code().is_some_and(|code| code <= 3),
                "{name} {format}: {}",
                both(&output)
            );
            std::fs::write(written.path().join(format!("{name}.{}", ending(name, &format))), out)
                .expect("written");
            count += usize::from(format != "dot");
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/schemas/check.py");
    let output = Command::new(python()).arg(script).arg(written.path()).output().expect("runs");
    assert!(output.status.success(), "{}", both(&output));
    assert!(both(&output).contains(&format!("{count} files, 0 wrong")), "{}", both(&output));
}
