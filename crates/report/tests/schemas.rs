//! The published schemas of records: they are those of the program, and refuse what is no record.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{interrupted, nothing_to_mutate, triangle};
use dodona_report::{RecordSchema, Report as _};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/schemas")
}

/// `DODONA_SCHEMAS=overwrite` writes the files, in place of a comparison.
#[test]
fn the_files_are_what_the_program_writes() {
    let records = folder().join("records");
    let is_written = std::env::var_os("DODONA_SCHEMAS").is_some_and(|value| value == "overwrite");
    let mut named = BTreeSet::new();
    for record in RecordSchema::ALL {
        let name = format!("{}.schema.json", record.name);
        let path = records.join(&name);
        if is_written {
            std::fs::write(&path, record.text()).expect("written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == record.text(),
            "{name} is not what the program writes. If its record was to change, run this test with DODONA_SCHEMAS=overwrite, read the difference, \
             and raise FORMAT_VERSION if a field went away or means something else"
        );
        named.insert(name);
    }
    let files = std::fs::read_dir(&records).expect("a folder");
    let files = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    assert_eq!(files.collect::<BTreeSet<_>>(), named, "a file of no record");
}

/// What the validator says of documents of a record, one a file, and how many of them it refuses.
fn refused(name: &str, documents: &[Value]) -> (String, usize) {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache"))).expect("a home");
    let python = cache.join("dodona/python/bin/python");
    assert!(python.exists(), "{} is missing; run scripts/setup.sh tests", python.display());
    let written = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("refused-{name}"));
    let _ = std::fs::remove_dir_all(&written);
    std::fs::create_dir_all(&written).expect("a folder");
    for (number, document) in documents.iter().enumerate() {
        let file = written.join(format!("{name}-{number}.record.json"));
        std::fs::write(file, document.to_string()).expect("written");
    }
    let output = Command::new(python).arg(folder().join("check.py")).arg(&written).output().expect("runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let count = said.lines().filter(|line| line.contains(".record.json: ValidationError")).count();
    assert!(said.contains(&format!("{} files, {count} wrong", documents.len())), "{said}");
    (said.into_owned(), count)
}

/// The document with another value at a place; without a value the field is taken away.
fn changed(document: &Value, place: &str, value: Option<Value>) -> Value {
    let mut document = document.clone();
    let (of, field) = place.rsplit_once('/').expect("a place");
    let object = document.pointer_mut(of).and_then(Value::as_object_mut).expect("an object");
    let before = match value.clone() {
        Some(value) => object.insert(field.to_owned(), value),
        None => object.remove(field),
    };
    assert_ne!(before, value, "{place} is as it was");
    document
}

#[test]
fn a_schema_refuses_what_is_no_record() {
    let document = |record| serde_json::from_str::<Value>(&[record].json()).expect("JSON");
    let all = [triangle(), interrupted(), nothing_to_mutate()].map(document);
    let (said, count) = refused("mutate", &all);
    assert_eq!(count, 0, "{said}");
    let [right, ..] = all;
    let wrong = [
        // Other types.
        ("/format_version", Some(json!("2"))),
        ("/subjects", Some(json!({}))),
        ("/subjects/0/seed", Some(json!(-1))),
        ("/subjects/0/totals/killed", Some(json!("3"))),
        ("/subjects/0/mutants/0/places/0/line", Some(json!(1.5))),
        // Missing fields: of the document, of what is flattened into it, and of what a variant carries.
        ("/format_version", None),
        ("/subjects/0/stop", None),
        ("/subjects/0/score", None),
        ("/subjects/0/stop/reason", None),
        ("/subjects/0/stop/mutants", None),
        // Unknown variants, with a tag and without.
        ("/subjects/0/mode", Some(json!("fast"))),
        ("/subjects/0/mutants/0/judgement/status", Some(json!("slain"))),
        ("/subjects/0/mutants/0/fate", Some(Value::Null)),
        // What is written by hand.
        ("/subjects/0/mutants/0/id", Some(json!(17))),
        ("/subjects/0/mutants/0/id", Some(json!("M017"))),
        // A field that no schema names, and another version.
        ("/subjects/0/mutants/0/colour", Some(json!("red"))),
        ("/subjects/0/stop/colour", Some(json!("red"))),
        ("/format_version", Some(json!(1))),
    ];
    let documents = wrong.map(|(place, value)| changed(&right, place, value));
    let (said, count) = refused("mutate", &documents);
    assert_eq!(count, documents.len(), "{said}");
}
