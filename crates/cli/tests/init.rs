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
    let module = r#"(module (func (export "pair\0a") (result i32 v128) i32.const 0 v128.const i64x2 0 0))"#;
    std::fs::write(folder.path().join("m.wat"), module).expect("written");
    let out = run(folder.path(), &["init", "m.wat"], 2);
    assert!(out.contains("left out pair\\n: it takes or returns v128"), "{out}");
}

#[test]
fn several_values_of_webassembly_are_checked_proved_and_mutated() {
    let folder = tempfile::tempdir().expect("a folder");
    let module = r#"(module (func (export "divided") (param i32 i32) (result i32 i32)
        (i32.div_u (local.get 0) (local.get 1)) (i32.rem_u (local.get 0) (local.get 1))))"#;
    std::fs::write(folder.path().join("m.wat"), module).expect("written");
    run(folder.path(), &["init", "m.wat"], 0);
    let path = folder.path().join("m.toml");
    let manifest = std::fs::read_to_string(&path).expect("written");
    assert!(manifest.contains("divided(a: i32, b: i32) -> (r0: i32, r1: i32)"), "{manifest}");
    let of_words =
        manifest.replace("a: i32, b: i32) -> (r0: i32, r1: i32)", "a: u32, b: u32) -> (r0: u32, r1: u32)");
    std::fs::write(&path, of_words).expect("written");
    let relations = "relation whole: when b > 0: divided(a, b).r0 * b + divided(a, b).r1 == a\n\
                     relation less: when b > 0: divided(a, b).r1 < b\n\
                     relation swapped: when b > 0: divided(a, b).r1 == divided(a, b).r0\n";
    std::fs::write(folder.path().join("m.mr"), relations).expect("written");
    let out = run(folder.path(), &["check", "m.toml"], 1);
    for verdict in ["holds     whole", "holds     less", "VIOLATED  swapped"] {
        assert!(out.contains(verdict), "{verdict}: {out}");
    }
    let eighth = "relation eighth: when a >= 0: divided(a, 8).r1 + 8 * divided(a, 8).r0 == a\n";
    std::fs::write(folder.path().join("less.mr"), eighth).expect("written");
    let proved = run(folder.path(), &["prove", "m.toml", "--relations", "less.mr"], 0);
    assert!(proved.contains("proved"), "{proved}");
    let killed = run(folder.path(), &["mutate", "m.toml", "--relations", "less.mr"], 0);
    assert!(killed.contains("killed"), "{killed}");
}

/// A folder with these files.
fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).expect("written"));
    folder
}

#[test]
fn outputs_of_all_kinds_cross_in_calls_of_c() {
    let folder = folder_of(&[
        (
            "dodona.toml",
            "relations = ['s.mr']\n[build]\nc = ['s.c']\nheaders = ['s.h']\n\
             [[function]]\nsignature = 'f(a: i8, b: i16, c: u8, d: bool, e: f32) -> (ao: i8, bo: i16, co: u8, io: bool, eo: f32, wide: i64)'\n\
             call = '''\nstruct all s = { a, b, c, d, e, a };\nstruct all t = same(&s);\n\
             ao = t.a; bo = t.b; co = t.c; io = t.d; eo = t.e; wide = t.wide;'''\n\
             [[function]]\nsignature = 'g(xs: [i16], t: text) -> (back: [i16], kept: text, first: Option<text>)'\n\
             call = '''\nback = xs; back_length = xs_length; kept = t; kept_length = t_length;\nif (t_length) { first = t; first_length = t_length; } // no more\n'''\n",
        ),
        (
            "s.h",
            "#include <stdbool.h>\nstruct all { signed char a; short b; unsigned char c; bool d; float e; long long wide; };\nstruct all same(const struct all *s);\n",
        ),
        ("s.c", "#include \"s.h\"\nstruct all same(const struct all *s) { return *s; }\n"),
        (
            "s.mr",
            "relation numbers: f(a, b, c, d, e).ao == a and f(a, b, c, d, e).bo == b and f(a, b, c, d, e).co == c\n\
             relation others: f(a, b, c, d, e).io == d and f(a, b, c, d, e).eo == e and f(a, b, c, d, e).wide == a\n\
             relation sequences: g(xs, t).back == xs and g(xs, t).kept == t\n\
             relation there: when len(t) > 0: g(xs, t).first == t\n",
        ),
    ]);
    let told = run(folder.path(), &["check", ".", "--all"], 0);
    assert!(told.contains("4 relations: 4 hold"), "{told}");
}

#[test]
fn what_stands_in_the_way_of_functions_of_c_is_told() {
    let folder = folder_of(&[
        ("broken.h", "int f(int;\n"),
        ("macro.h", "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint g(int x);\n"),
        ("notes.txt", "mine\n"),
        ("jump.c", "#include <setjmp.h>\nint h(int x) { jmp_buf b; return setjmp(b) + x; }\n"),
    ]);
    let told = |words: &[&str], code: i32| run(folder.path(), &[&["init", "--c"], words].concat(), code);
    let said = told(&["broken.h"], 4);
    assert!(said.contains("broken.h:1:10: error: expected ')'"), "{said}");
    let said = told(&["macro.h", "--functions", "MAX"], 2);
    assert!(said.contains("no function `MAX` is declared there; if it is a macro"), "{said}");
    let said = told(&["macro.h"], 2);
    assert!(said.contains("the `call` of `g` needs `g`, which no file of `c` defines"), "{said}");
    assert!(told(&["nowhere.h"], 2).contains("nowhere.h does not exist"));
    assert!(told(&["notes.txt"], 2).contains("neither a header nor a source of C or C++"));
    assert!(said.contains("no function of it compiles when it is called: g\n"), "{said}");
    assert!(told(&["macro.h", "--exclude", "["], 2).contains("--exclude ["));
    assert!(told(&["macro.h", "--exclude", ""], 2).contains("--exclude is empty, and names no file"));
    assert!(told(&["macro.h", "-I", "nofolder"], 2).contains("-I nofolder: there is no such folder"));
    let said = told(&["macro.h", "./macro.h", "--list"], 0);
    assert!(said.contains("macro.h: 1 function can be called, 0 cannot"), "{said}");
    assert!(said.contains("no call was compiled: what does not compile is left out"), "{said}");
    let said = told(&["jump.c"], 4);
    assert!(said.contains("jump.c uses setjmp, which does not work in WebAssembly"), "{said}");
    assert!(!folder.path().join("dodona.toml").exists(), "nothing is written");
}

#[test]
fn sources_of_both_languages_without_a_header_link() {
    let folder = folder_of(&[
        (
            "a.cpp",
            "namespace geo { double area(double a, double b) { return a * b; } }\nint twice(int x) { return 2 * x; }\n",
        ),
        (
            "b.cpp",
            "extern \"C\" long thrice(long x) { return 3 * x; }\nint digit(int c) { if (c > 9) throw 5; return c; }\n",
        ),
        ("c.c", "int plain(int x) { return x; }\n"),
    ]);
    if run_any(folder.path(), &["init", "--c", "a.cpp", "b.cpp", "c.c"])
        .contains("libc++ for wasm32-wasi is not installed")
        && std::env::var_os("DODONA_NO_SKIPS").is_none()
    {
        return eprintln!("skipped: C++ has no standard library for WebAssembly here");
    }
    let called = |call: &str| run(folder.path(), &["call", ".", call], 0);
    assert_eq!(called("area(2, 3)").trim(), "6.0");
    let said = called("twice(thrice(plain(2)))");
    assert_eq!(said.lines().last(), Some("12"), "{said}");
    assert!(called("digit(12)").contains("uncaught exception int"), "{}", called("digit(12)"));
}

fn run_any(folder: &std::path::Path, arguments: &[&str]) -> String {
    both(&dodona().args(arguments).current_dir(folder).output().expect("runs"))
}
