//! Rows written again, in another order or form.

use std::path::Path;

use dodona_sources::file::{Format, Records, Wanted, read};
use dodona_sources::json::to_json;
use dodona_target::Value;
use proptest::prelude::*;

fn wanted() -> Vec<Wanted> {
    let one = |(name, ty): (&str, &str)| Wanted { name: name.into(), ty: ty.parse().expect("a type") };
    [("x", "f64"), ("xs", "[i32]"), ("t", "text")].map(one).to_vec()
}

/// Reads a file of this name and content, and writes rows of it.
fn again(name: &str, content: &str, order: &[usize], format: Format) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("written");
    let records = Records::read(&path, &wanted()).expect("readable");
    let mut out = Vec::new();
    records.write(order, format, &mut out).expect("memory takes it");
    String::from_utf8(out).expect("text")
}

const LINES: &str = "\u{feff}{\"from\": {\"path\": 123456789012345678901234567890}, \"x\": 1.50, \"xs\": [1, 2],  \"t\": \"a\"}\r\n\n{\"t\": \"\", \"xs\": [], \"x\": \"nan\", \"z\": \"b,c\"}\n";

const TABLE: &str = "note,x,xs,t\n\"two\nlines\",1.50,\"[1, 2]\",a\n\n,nan,[],\n";

#[test]
fn rows_in_the_form_that_they_had_stay_as_they_were() {
    let swapped = again("a.jsonl", LINES, &[1, 0], Format::Jsonl);
    let lines: Vec<&str> = LINES.trim_start_matches('\u{feff}').split_terminator('\n').collect();
    assert_eq!(swapped, format!("{}\n{}\n", lines[2], lines[0].trim_end()));
    let swapped = again("a.csv", TABLE, &[1, 0], Format::Csv);
    assert_eq!(swapped, "note,x,xs,t\n,nan,[],\n\"two\nlines\",1.50,\"[1, 2]\",a\n");
}

#[test]
fn rows_change_their_form_and_keep_what_stands_beside_the_values() {
    let table = again("a.jsonl", LINES, &[0, 1], Format::Csv);
    let expected =
        "x,xs,t,from,z\n1.5,\"[1, 2]\",a,\"{\"\"path\"\":1.2345678901234568e+29}\",\nnan,[],,,\"b,c\"\n";
    assert_eq!(table, expected);
    let lines = again("a.csv", TABLE, &[1], Format::Jsonl);
    assert_eq!(lines, "{\"x\":\"nan\",\"xs\":[],\"t\":\"\",\"note\":\"\"}\n");
}

#[test]
fn text_that_is_not_utf8_is_no_cell() {
    let empty = Value::Sequence(dodona_target::Sequence::Int(vec![]));
    let row = (vec![Value::Float(1.0), empty, Value::Text(vec![0xff].into())], serde_json::Map::new());
    let records = Records::new(&wanted(), vec![row]);
    let error = records.write(&[0], Format::Csv, &mut Vec::new()).expect_err("no cell");
    assert!(error.to_string().contains(".jsonl"), "{error}");
    let mut out = Vec::new();
    records.write(&[0], Format::Jsonl, &mut out).expect("JSON has it as bytes");
    assert_eq!(String::from_utf8(out).expect("text"), "{\"x\":1.0,\"xs\":[],\"t\":{\"bytes\":\"ff\"}}\n");
}

#[test]
fn the_form_is_told_by_the_name() {
    assert_eq!(Format::of(Path::new("a.CSV")).expect("a table"), Format::Csv);
    assert_eq!(Format::of(Path::new("a.ndjson")).expect("lines"), Format::Jsonl);
    let error = Format::of(Path::new("a.txt")).expect_err("neither");
    assert!(error.to_string().starts_with("a.txt: "), "{error}");
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        rows in prop::collection::vec((any::<f64>(), prop::collection::vec(any::<i32>(), 0..4), "[ -~\r\n,\"é]{0,6}"), 1..8),
        format in prop::sample::select(vec![Format::Csv, Format::Jsonl]),
    ) {
        let values = |(x, xs, t): &(f64, Vec<i32>, String)| {
            let xs = dodona_target::Sequence::Int(xs.iter().map(|x| i128::from(*x)).collect());
            vec![Value::Float(*x), Value::Sequence(xs), Value::Text(t.as_str().into())]
        };
        let rows: Vec<Vec<Value>> = rows.iter().map(values).collect();
        let whole = rows.iter().map(|row| (row.clone(), serde_json::Map::new())).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(if format == Format::Csv { "a.csv" } else { "a.jsonl" });
        let order: Vec<usize> = (0..rows.len()).rev().collect();
        dodona_sources::write_atomically_with(&path, |out| Records::new(&wanted(), whole).write(&order, format, out)).expect("written");
        let found = read(&path, &wanted()).expect("readable").map(|row| row.expect("a row").values);
        let shown = |row: &Vec<Value>| row.iter().map(|v| to_json(v).to_string()).collect::<Vec<_>>();
        let found: Vec<_> = found.map(|row| shown(&row)).collect();
        prop_assert_eq!(found, rows.iter().rev().map(shown).collect::<Vec<_>>());
    }
}
