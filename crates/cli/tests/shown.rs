//! What people are shown has no character that nobody sees, wherever it comes from.

mod common;

use common::{both, dodona, text};

const SUBJECT: &str =
    "module = \"m.wat\"\nrelations = [\"m.mr\"]\n[[function]]\nsignature = \"id(x: i32) -> i32\"\n";

const MODULE: &str = r#"(module (func (export "id") (param i32) (result i32) (local.get 0)))"#;

/// A folder with a subject whose relations are these.
fn subject(relations: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("dodona.toml", SUBJECT), ("m.wat", MODULE), ("m.mr", relations)] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

/// What a command prints on both streams.
#[track_caller]
fn shown(folder: &tempfile::TempDir, arguments: &[&str], code: i32) -> String {
    let output = dodona().args(arguments).current_dir(folder.path()).output().expect("runs");
    assert_eq!(output.status.code(), Some(code), "{}", both(&output));
    let out = both(&output);
    let hidden = |c: &char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{ad}' | '\u{feff}' | '\u{1b}' | '\u{301}');
    assert_eq!(out.chars().find(hidden), None, "{out:?}");
    out
}

#[test]
fn values_are_shown_as_literals_that_are_read_back() {
    let folder = subject("relation same: id(x) == x\n");
    let written = r#""a\u{200b}\u{202e}\u{ad}\u{feff}""#;
    assert_eq!(shown(&folder, &["call", ".", written], 0), format!("{written}\n"));
    // The characters themselves are the same text.
    let raw = "\"a\u{200b}\u{202e}\u{ad}\u{feff}\"";
    assert_eq!(shown(&folder, &["call", ".", raw], 0), format!("{written}\n"));
    assert_eq!(shown(&folder, &["call", ".", &format!("{raw} == {written}")], 0), "true\n");
    assert_eq!(shown(&folder, &["call", ".", "\"\u{301}a\""], 0), "\"\\u{301}a\"\n");
}

#[test]
fn messages_and_source_lines_are_shown_with_escapes() {
    let folder = subject("relation \u{202e}same: id(x) == x\n");
    let out = shown(&folder, &["check", "."], 2);
    assert!(out.contains("relation \\u{202e}same: id(x) == x"), "{out}");
    // The caret stands below the character.
    let lines: Vec<&str> = out.lines().collect();
    let at = lines.iter().position(|line| line.contains("relation \\u{202e}same")).expect("the line");
    let column = |line: &str, of: &str| line.find(of).map(|byte| line[..byte].chars().count());
    let caret = lines[at + 1].chars().position(|c| matches!(c, '┬' | '▲' | '─')).expect("a caret");
    assert_eq!(Some(caret), column(lines[at], "\\u{202e}"), "{out}");

    let folder = subject("relation same: id(x) == x\n");
    for name in ["no\u{202e}where", "\u{1b}[2Jgone", "zero\u{200b}"] {
        let out = shown(&folder, &["check", name], 2);
        assert!(out.contains("\\u{"), "{out}");
    }
    assert!(shown(&folder, &["chec\u{200b}k"], 2).contains("chec\\u{200b}k"));
}

#[test]
fn formats_for_programs_have_the_text_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let named = "sub\u{200b}ject";
    std::fs::create_dir(folder.path().join(named)).expect("made");
    for (name, text) in [("dodona.toml", SUBJECT), ("m.wat", MODULE), ("m.mr", "relation same: id(x) == x\n")]
    {
        std::fs::write(folder.path().join(named).join(name), text).expect("written");
    }
    let arguments = ["check", named, "--sources", "5", "--format", "json"];
    let output = dodona().args(arguments).current_dir(folder.path()).output().expect("runs");
    assert!(text(&output.stdout).contains(named), "{}", both(&output));
    assert!(shown(&folder, &["check", named, "--sources", "5"], 0).contains("sub\\u{200b}ject"));
}

/// A line break in a name would begin a line that the name wrote, such as a command to the program that shows the report.
#[test]
fn names_of_several_lines_are_shown_on_one() {
    let folder = subject("relation same: id(x) == x\n");
    let named = format!("name = \"na\\n::error::x\"\n{SUBJECT}export = \"id\\n::error::x\"\n");
    std::fs::write(folder.path().join("m.wat"), MODULE.replace("\"id\"", "\"id\\n::error::x\""))
        .expect("written");
    std::fs::write(folder.path().join("dodona.toml"), named).expect("written");
    for words in [
        &["check", ".", "--sources", "5"][..],
        &["check", ".", "--sources", "5", "--format", "github"],
        &["mutate", ".", "--inputs", "5", "--operators", "AOIS"],
        &["cover", ".", "--inputs", "5"],
        &["build", "."],
        &["hierarchy", ".", "--inputs", "5"],
    ] {
        let output = dodona().args(words).current_dir(folder.path()).output().expect("runs");
        let out = both(&output);
        assert!(out.lines().all(|line| !line.starts_with("::error::x")), "{words:?}: {out}");
    }
}

#[test]
fn the_name_of_an_import_is_shown_on_one_line_by_proofs_too() {
    let folder = subject("relation same: id(x) == x\n");
    let module = "(module (import \"e\\n::error::y\" \"now\" (func $now (result i32)))
        (func (export \"id\") (param i32) (result i32) (call $now)))";
    std::fs::write(folder.path().join("m.wat"), module).expect("written");
    for words in [&["prove", "."][..], &["check", ".", "--sources", "5"]] {
        let output = dodona().args(words).current_dir(folder.path()).output().expect("runs");
        let out = both(&output);
        assert!(out.contains("e\\n::error::y.now"), "{words:?}: {out}");
    }

    // Nor do the names of exports, where the one that is wanted is missing, nor that of an imported memory.
    for (module, shown) in [
        ("(module (func (export \"no\\n::error::z\")))", "it exports `no\\n::error::z`"),
        ("(module (import \"e\\n::error::z\" \"m\" (memory 1)))", "the memory `e\\n::error::z.m`"),
    ] {
        std::fs::write(folder.path().join("m.wat"), module).expect("written");
        let output = dodona().args(["check", "."]).current_dir(folder.path()).output().expect("runs");
        assert!(both(&output).contains(shown), "{}", both(&output));
    }
}

#[test]
fn a_precondition_that_calls_a_function_is_told_that_it_cannot() {
    let folder = subject("relation same: id(x) == x\n");
    std::fs::write(folder.path().join("dodona.toml"), format!("{SUBJECT}requires = \"id(x) != 0\"\n"))
        .expect("written");
    let out = shown(&folder, &["check", "."], 2);
    assert!(
        out.contains("unknown function `id`") && out.contains("it cannot call functions under test"),
        "{out}"
    );
    assert!(!out.contains("neither a function that the manifest declares"), "{out}");
}
