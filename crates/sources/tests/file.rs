//! Source inputs from files: what is read, and what each mistake says.

use std::fs;
use std::path::PathBuf;

use dodona_sources::file::{Row, Wanted, columns, read};
use dodona_target::{Sequence, Value};
use tempfile::TempDir;

fn wanted(list: &[(&str, &str)]) -> Vec<Wanted> {
    list.iter().map(|(name, ty)| Wanted { name: (*name).into(), ty: ty.parse().expect("a type") }).collect()
}

fn written(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("written");
    (folder, path)
}

fn rows(name: &str, content: &str, list: &[(&str, &str)]) -> Vec<(u64, Vec<String>)> {
    let (_folder, path) = written(name, content);
    let rows = read(&path, &wanted(list)).expect("readable");
    let shown = |row: Row| (row.line, row.values.iter().map(Value::to_string).collect());
    rows.map(|row| shown(row.expect("a row"))).collect()
}

#[test]
fn a_table_gives_typed_values_in_the_order_asked_for() {
    let content = "\u{feff}p , flag,note,xs,x\n-12,true, as it stands ,\"[1, 2]\",-0.0\n\n7,false,\"two\nlines, \"\"quoted\"\"\",[],-inf\n+3,true,,\"[ 5 ]\",nan\n";
    let list = [("x", "f64"), ("xs", "[u8]"), ("note", "text"), ("p", "i16"), ("flag", "bool")];
    let expected = [
        (2, ["-0.0", "[1, 2]", "\" as it stands \"", "-12", "true"]),
        (4, ["-inf", "[]", "\"two\\nlines, \\\"quoted\\\"\"", "7", "false"]),
        (6, ["nan", "[5]", "\"\"", "3", "true"]),
    ];
    let expected: Vec<_> = expected.map(|(l, v)| (l, v.map(String::from).to_vec())).into();
    assert_eq!(rows("inputs.csv", content, &list), expected);
}

#[test]
fn lines_are_counted_through_carriage_returns_and_empty_lines() {
    let content = "t\r\n\r\n\r\na\r\n\"b\r\nc\"\r\nd\r\n\r\ne";
    let lines =
        |content: &str| rows("a.csv", content, &[("t", "text")]).iter().map(|r| r.0).collect::<Vec<_>>();
    assert_eq!(lines(content), [4, 5, 7, 9]);
    assert_eq!(lines(&content.replace('\r', "")), [4, 5, 7, 9]);
    let long = "a".repeat(30_000);
    assert_eq!(lines(&format!("t\n{long}\n\n{long}\n{long}\n")), [2, 4, 5]);
}

#[test]
fn lines_of_json_give_typed_values_whatever_else_they_hold() {
    let content = "\u{feff}{\"x\": 1, \"xs\": [0.5, \"nan\"], \"more\": {}}\n\n{\"xs\": [], \"x\": 18446744073709551615}";
    let expected = vec![
        (1, vec!["1".to_owned(), "[0.5, nan]".to_owned()]),
        (3, vec!["18446744073709551615".to_owned(), "[]".to_owned()]),
    ];
    assert_eq!(rows("inputs.jsonl", content, &[("x", "u64"), ("xs", "[f32]")]), expected);
    assert_eq!(rows("inputs.NDJSON", content, &[("x", "u64"), ("xs", "[f32]")]), expected);
}

#[test]
fn floats_read_as_written_to_the_last_bit() {
    for x in [0.1, 1e-320, f64::MAX, f64::from_bits(0x3ff0_0000_0000_0001), -2.5e-8] {
        let (_a, table) = written("a.csv", format!("x\n{x:?}\n"));
        let (_b, lines) = written("b.jsonl", format!("{{\"x\": {x:?}}}\n"));
        for path in [table, lines] {
            let row =
                read(&path, &wanted(&[("x", "f64")])).expect("readable").next().expect("one").expect("row");
            let Value::Float(back) = row.values[0] else { panic!("a float") };
            assert_eq!(back.to_bits(), x.to_bits());
        }
    }
}

#[test]
fn columns_are_the_header_or_the_keys_of_the_first_object() {
    let (_folder, path) = written("a.csv", "q, p\n1,2\n");
    assert_eq!(columns(&path).expect("a header"), ["q", "p"]);
    let (_folder, path) = written("a.jsonl", "\n{\"q\": 1, \"p\": 2}\n{\"r\": 1}\n");
    assert_eq!(columns(&path).expect("an object"), ["p", "q"]);
}

#[test]
fn a_file_is_read_as_rows_are_asked_for() {
    let (_folder, path) = written("a.csv", "x\n1\n2\nthree\n4\n");
    let mut rows = read(&path, &wanted(&[("x", "i32")])).expect("readable");
    assert_eq!(rows.next().expect("one").expect("row").values, [Value::Int(1)]);
    assert_eq!(rows.next().expect("one").expect("row").line, 3);
    assert_eq!(rows.next().expect("one").expect_err("three is no number").line(), Some(4));
    assert!(rows.next().is_none());
}

#[test]
fn a_value_outside_its_domain_is_read_all_the_same() {
    assert_eq!(rows("a.csv", "x\n-5\n", &[("x", "i32")]), [(2, vec!["-5".to_owned()])]);
}

/// The message without the folder.
#[track_caller]
fn refused(name: &str, content: impl AsRef<[u8]>, list: &[(&str, &str)], message: &str) {
    let (folder, path) = written(name, content);
    let error = match read(&path, &wanted(list)) {
        Err(error) => error,
        Ok(mut rows) => rows.find_map(Result::err).expect("a mistake in a row"),
    };
    let home = format!("{}/", folder.path().display());
    assert_eq!(error.to_string().replace(&home, ""), message);
}

#[test]
fn every_mistake_has_its_place_and_what_to_do() {
    let x = [("x", "u8")];
    let empty =
        "no source inputs in an empty file; write a header of variables (.csv) or an object a line (.jsonl)";
    refused("a.csv", "", &x, &format!("a.csv: {empty}"));
    refused("a.jsonl", "", &x, &format!("a.jsonl: {empty}"));
    refused("a.csv", "x\n", &x, "a.csv: no source inputs after the header; write one a line");
    refused("a.csv", "y,z\n1,2\n", &x, "a.csv:1: no column `x`; the header has y, z");
    refused("a.csv", "x,x\n1,2\n", &x, "a.csv:1: column `x` stands there twice; rename one");
    refused("a.txt", "x\n1\n", &x, "a.txt: source inputs are read from files that end in .csv or .jsonl");
    refused(
        "a.csv",
        "x\n1\n300\n",
        &x,
        "a.csv:3: column `x`: `300` is not a u8 (write an integer in 0 to 255)",
    );
    refused(
        "a.csv",
        "y,xs\n1,\"[1, 2.5]\"\n",
        &[("xs", "[i32]")],
        "a.csv:2: column `xs`: element 1: `2.5` is not an i32 (write an integer in -2147483648 to 2147483647)",
    );
    refused(
        "a.csv",
        "xs\n1 2\n",
        &[("xs", "[i32]")],
        "a.csv:2: column `xs`: `1 2` is not a sequence [i32] (write a list such as [1, 2])",
    );
    refused(
        "a.csv",
        "xs,y\n[1, 2],3\n",
        &[("xs", "[i32]")],
        "a.csv:2: 3 cells where the header has 2; quote cells that hold commas, such as \"[1, 2]\"",
    );
    refused(
        "a.csv",
        b"t\nok\n\xff\n",
        &[("t", "text")],
        "a.csv:3: column `t`: not UTF-8; save the file as UTF-8",
    );
    refused("a.csv", b"\xff\n1\n", &x, "a.csv:1: not UTF-8; save the file as UTF-8");
    refused(
        "a.jsonl",
        b"{\"x\": 1}\n{\"x\": \"\xff\"}\n",
        &x,
        "a.jsonl:2: not UTF-8; save the file as UTF-8",
    );
    refused("a.jsonl", "{\"x\": 1}\n{\"x\": }\n", &x, "a.jsonl:2:7: not JSON: expected value");
    refused(
        "a.jsonl",
        "{\"x\": 1, \"y\": 0, \"x\": 2}\n",
        &x,
        "a.jsonl:1:20: `x` stands there twice; leave one out",
    );
    refused("a.jsonl", "[1]\n", &x, "a.jsonl:1: not an object; write one a line, such as {\"x\": 1}");
    refused("a.jsonl", "{\"y\": 1}\n", &x, "a.jsonl:1: no value for `x`");
    refused(
        "a.jsonl",
        "{\"x\": 1}\n\n{\"x\": -1}\n",
        &x,
        "a.jsonl:3: column `x`: -1 is not a u8 (write an integer in 0 to 255)",
    );
    refused(
        "a.csv",
        "x\n1e39\n",
        &[("x", "f32")],
        "a.csv:2: column `x`: `1e39` is not an f32 (write a number, nan, inf or -inf)",
    );
}

#[test]
fn a_file_that_is_missing_is_named() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("none.csv");
    let error = read(&path, &[]).err().expect("no file").to_string();
    let expected =
        format!("{}: cannot read the source inputs: No such file or directory (os error 2)", path.display());
    assert_eq!(error, expected);
}

#[test]
fn sequences_of_every_kind_are_read() {
    let (_folder, path) = written("a.csv", "b,f\n\"[true, false]\",\"[0.5,nan , -inf]\"\n");
    let row = read(&path, &wanted(&[("b", "[bool]"), ("f", "[f64]")])).expect("readable").next();
    let values = row.expect("one").expect("row").values;
    let floats = Sequence::Float(vec![0.5, f64::NAN, f64::NEG_INFINITY]);
    assert_eq!(values, [Value::Sequence(Sequence::Bool(vec![true, false])), Value::Sequence(floats)]);
}
