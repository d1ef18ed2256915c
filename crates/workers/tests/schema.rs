//! What Dodona and the workers that ship with it say to each other, against the schema of their lines.

mod common;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::declared;
use dodona_target::{Column, Outcome, Session, Target as _, Type, Value};
use tempfile::TempDir;

/// Keeps what is said on both sides, and then passes it on: once the other side has had a line, it is kept.
const KEEPS: &str = r#"#!/bin/sh
keep() { while IFS= read -r line; do printf '%s\n' "$line" >> "$1"; printf '%s\n' "$line"; done; }
keep sent | PROGRAM "$@" | keep said
"#;

const SIGNATURES: [&str; 4] = [
    "half(x: f64) -> f64",
    "wide(x: u64, y: bool) -> Option<u64>",
    "both(a: text, xs: [f32]) -> (text, [f32])",
    "fails(x: i32) -> i32",
];

const PYTHON: &str = "
def half(x): return x / 2
def wide(x, y): return x if y else None
def both(a, xs): return a, xs
def fails(x):
    if x == 1: raise KeyError('no\\n')
    return 'none'
";

const NODE: &str = "
export const half = (x) => x / 2;
export const wide = (x, y) => (y ? x : null);
export const both = (a, xs) => [a, xs];
export const fails = (x) => { if (x === 1) throw new RangeError('no\\n'); return 'none'; };
";

const JAVA: &str = "
import java.util.*;
public class M {
    public static double half(double x) { return x / 2; }
    public static Optional<Long> wide(long x, boolean y) { return y ? Optional.of(x) : Optional.empty(); }
    public static Object[] both(String a, float[] xs) { return new Object[] { a, xs }; }
    public static int fails(int x) { throw new IllegalStateException(\"no\\n\"); }
}
";

/// The Python of `scripts/setup.sh tests`, which has the validators.
fn python() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache"))).expect("a home");
    let python = cache.join("dodona/python/bin/python");
    assert!(python.exists(), "{} is missing; run scripts/setup.sh tests", python.display());
    python
}

/// What the validator says of conversations, and whether they are right.
fn checked(folder: &Path) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/schemas/check.py");
    let output = Command::new(python()).arg(script).arg(folder).output().expect("runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said.into_owned())
}

/// A target of the functions, started through what keeps the lines.
fn manifest(home: &TempDir, shipped: &Shipped) -> String {
    let keeps = home.path().join("keeps");
    std::fs::write(&keeps, KEEPS.replace("PROGRAM", shipped.program)).expect("written");
    std::fs::set_permissions(&keeps, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let functions = SIGNATURES.map(|signature| format!("[[function]]\nsignature = \"{signature}\"\n"));
    let functions = functions.concat();
    format!("relations = []\n[target]\n{}\ninterpreter = \"./keeps\"\n{functions}", shipped.target)
}

fn column(ty: Type, values: &[Value]) -> Column {
    let mut column = Column::empty(ty);
    values.iter().for_each(|value| column.push(value));
    column
}

/// Calls of all functions that are there, with the values that are hardest to write.
fn calls(session: &mut dyn Session, functions: &[dodona_target::Signature]) {
    for (number, function) in functions.iter().enumerate() {
        let arguments: Vec<Column> = match function.name.as_str() {
            "half" => vec![Column::Float(vec![f64::NAN, f64::NEG_INFINITY, -0.0, 1e300])],
            "wide" => vec![Column::Int(vec![1, u64::MAX.into()]), Column::Bool(vec![false, true])],
            "fails" => vec![Column::Int(vec![1, 2])],
            _ => {
                let texts = [&b"a\xff"[..], "é\n".as_bytes()].map(|text| Value::Text(text.into()));
                let floats = [vec![], vec![f64::INFINITY, 0.5]];
                let floats = floats.map(|row| Value::Sequence(dodona_target::Sequence::Float(row)));
                let [a, b] = [0, 1].map(|place| function.parameters[place].ty);
                vec![column(a, &texts), column(b, &floats)]
            }
        };
        let outcomes = session.call(number, &arguments).expect("calls").outcomes;
        let fails = outcomes.iter().all(|outcome| *outcome != Outcome::Returned);
        assert_eq!(function.name == "fails", fails, "{}: {outcomes:?}", function.name);
        let code = session.traced_code(number).expect("it answers");
        let traced = session.call_traced(number, &arguments).expect("it answers");
        assert_eq!(code.is_some(), traced.is_some());
        if let Some((calls, traces)) = traced {
            assert_eq!((calls.outcomes, traces.len()), (outcomes.clone(), outcomes.len()));
            assert!(traces.iter().all(|trace| !trace.statements.is_empty()), "{traces:?}");
        }
    }
}

/// Writes what was said in a folder, in turn.
fn keep(home: &TempDir, name: &str, to: &Path) {
    let lines = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(home.path().join(name)).expect("it was kept");
        text.lines().map(str::to_owned).collect()
    };
    let (sent, said) = (lines("sent"), lines("said"));
    assert_eq!(sent.len(), said.len(), "{sent:?} {said:?}");
    let turns = sent.iter().zip(&said).map(|(sent, said)| format!("{sent}\n{said}\n"));
    std::fs::write(to.join(format!("{name}.worker.jsonl")), turns.collect::<String>()).expect("written");
}

/// A worker that ships with Dodona, and a file with the functions for it.
struct Shipped {
    program: &'static str,
    target: &'static str,
    file: &'static str,
    code: &'static str,
}

const SHIPPED: [Shipped; 3] = [
    Shipped { program: "python3", target: "python = \"m\"", file: "m.py", code: PYTHON },
    Shipped { program: "node", target: "node = \"./m.mjs\"", file: "m.mjs", code: NODE },
    Shipped { program: "java", target: "java = \"M\"\nclasspath = [\".\"]", file: "M.java", code: JAVA },
];

/// What a worker and Dodona say to each other is kept in a folder: where it calls the functions, and where it cannot load them.
fn talk(shipped: &Shipped, to: &Path) {
    let home = tempfile::tempdir().expect("a folder");
    std::fs::write(home.path().join(shipped.file), shipped.code).expect("written");
    if shipped.program == "java" {
        let compiled = Command::new("javac").arg("M.java").current_dir(home.path()).status();
        assert!(compiled.expect("a JDK").success());
    }
    let target = declared(&home, &manifest(&home, shipped)).expect("it starts");
    calls(&mut *target.open(), target.functions());
    keep(&home, shipped.program, to);
    let home = tempfile::tempdir().expect("a folder");
    assert!(declared(&home, &manifest(&home, shipped)).is_err());
    keep(&home, &format!("{}-not-loaded", shipped.program), to);
}

#[test]
fn lines_of_all_workers_that_ship_are_those_of_the_schema() {
    let written = tempfile::tempdir().expect("a folder");
    let mut files = 0;
    for shipped in &SHIPPED {
        let compiler = if shipped.program == "java" { "javac" } else { shipped.program };
        if Command::new(compiler).arg("--version").output().is_err() {
            println!("skipped: {compiler} is not there");
            continue;
        }
        talk(shipped, written.path());
        files += 2;
    }
    let (right, said) = checked(written.path());
    assert!(right && said.contains(&format!("{files} files, 0 wrong")), "{said}");
}

#[test]
fn the_schema_refuses_what_is_no_conversation() {
    let hello = r#"{"protocol":1,"memory":9,"framings":["rows"],"functions":[{"name":"f","parameters":["f64"],"returns":["option","u8"]}]}"#;
    let greeting = r#"{"protocol":1,"worker":"x"}"#;
    let request = r#"{"id":1,"function":0,"rows":[[1.5],["nan"]]}"#;
    let answer = r#"{"id":1,"values":[[3],null],"raised":{"1":{"type":"E","message":"m","place":"f:1"}}}"#;
    let right = [hello, greeting, request, answer];
    let wrong: [(usize, &str, &str); 11] = [
        (0, "\"protocol\":1", "\"protocol\":2"),
        (0, "\"u8\"", "\"u128\""),
        (0, "[\"rows\"]", "[\"columns\"]"),
        (1, "\"worker\":\"x\"", "\"framing\":\"columns\""),
        (1, "\"worker\":\"x\"", "\"error\":{\"type\":\"E\"}"),
        (2, "\"nan\"", "{\"nan\":1}"),
        (2, "\"function\":0", "\"function\":\"f\""),
        (3, "\"id\":1", "\"id\":2"),
        (3, ",null", ""),
        (3, "\"1\":", "\"x\":"),
        (3, "\"place\"", "\"where\""),
    ];
    let written = tempfile::tempdir().expect("a folder");
    let write = |name: String, lines: &[String]| {
        std::fs::write(written.path().join(format!("{name}.worker.jsonl")), lines.join("\n") + "\n")
            .expect("written");
    };
    let right = right.map(str::to_owned);
    write("right".to_owned(), &right);
    for (place, (line, from, to)) in wrong.iter().enumerate() {
        let mut lines = right.clone();
        assert!(lines[*line].contains(from), "{from}");
        lines[*line] = lines[*line].replace(from, to);
        write(format!("wrong-{place}"), &lines);
    }
    let (is_right, said) = checked(written.path());
    assert!(!is_right && said.contains("12 files, 11 wrong") && !said.contains("right.worker"), "{said}");
}
