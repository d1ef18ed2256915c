//! What `init` writes, `check` takes: whatever the exports and the parameters are called.

mod common;

use common::{both, dodona};

/// Words of the language, words that may be called, and names that are none.
const EXPORTS: [&str; 30] = [
    "relation", "when", "for", "in", "given", "expect", "within", "ulp", "and", "or", "not", "traps",
    "defined", "div", "mod", "true", "nan", "out", "contains", "len", "upper", "reverse", "abs", "of", "a b",
    "a_b", "a\"b\nc", "9", "", "\u{202e}",
];

#[track_caller]
fn run(folder: &std::path::Path, arguments: &[&str], code: i32) -> String {
    let output = dodona().args(arguments).current_dir(folder).output().expect("runs");
    assert_eq!(output.status.code(), Some(code), "{}", both(&output));
    both(&output)
}

#[test]
fn a_draft_with_all_its_examples_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let hex = |name: &str| name.bytes().map(|byte| format!("\\{byte:02x}")).collect::<String>();
    let function =
        |name: &&str| format!(r#"(func (export "{}") (param i64 i64) (result i64) i64.const 0)"#, hex(name));
    let module = format!("(module {})", EXPORTS.iter().map(function).collect::<String>());
    std::fs::write(folder.path().join("it's \"m\" #1.wat"), module).expect("written");
    let words = include_bytes!("../../subject/testdata/words.wasm");
    std::fs::write(folder.path().join("words.wasm"), words).expect("written");
    for (module, stem, functions) in
        [("it's \"m\" #1.wat", "it's \"m\" #1", EXPORTS.len()), ("words.wasm", "words", 2)]
    {
        run(folder.path(), &["init", module], 0);
        let manifest = format!("{stem}.toml");
        let relations = folder.path().join(format!("{stem}.mr"));
        let text = std::fs::read_to_string(&relations).expect("written");
        assert!(text.matches("# relation ").count() >= 3 * functions, "{text}");
        std::fs::write(&relations, text.replace("# relation ", "relation ")).expect("written");
        // Whether they hold is another question; `words` has some that do not.
        let code = if functions == 2 { 1 } else { 0 };
        let out = run(folder.path(), &["check", &manifest, "--sources", "20", "--keep", "nothing"], code);
        assert!(out.contains(&format!("{} relations: ", 3 * functions)), "{out}");
        assert!(
            run(folder.path(), &["init", module], 2).contains("exists and is kept; --overwrite replaces it")
        );
        run(folder.path(), &["init", module, "--overwrite"], 0);
    }
}

#[test]
fn without_a_function_it_is_told_what_was_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let module = r#"(module (func (export "pair\0a") (result i32 i32) i32.const 0 i32.const 0))"#;
    std::fs::write(folder.path().join("m.wat"), module).expect("written");
    let out = run(folder.path(), &["init", "m.wat"], 2);
    assert!(out.contains("left out pair\\n: it returns 2 values"), "{out}");
}
