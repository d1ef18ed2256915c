//! Modules of AssemblyScript: strings and arrays cross through generated code, which fits the types of the functions.

use std::path::{Path, PathBuf};
use std::process::Command;

use dodona_subject::build::{BuildError, Rebuild, build};
use dodona_subject::{Manifest, ModuleSource};

use super::Files;

/// What stands for Dodona: it lays out arguments and reads slots.
const HOST: &str = include_str!("assemblyscript_host.js");

const WORDS: &str = r#"
import { half } from "./lib/half";
export { Bag, half } from "./lib/half";
export * from "./lib/more";
export function greet(name: string, times: i32 = 2): string { let all = ""; for (let i = 0; i < times; i++) all += name; return all; }
export function found(text: string, what: string): string | null { return text.includes(what) ? what : null; }
export function half_of(x: f64): f64 { return half(x); }
export function both(x: i32, y: i32 = 40): i32 { return x + y; }
export function sum(xs: Float64Array): f64 { let s = 0.0; for (let i = 0; i < xs.length; i++) s += xs[i]; return s; }
export function backwards(xs: Array<i32>): Array<i32> { return xs.reverse(); }
export function doubled(xs: StaticArray<u16>): StaticArray<u16> { for (let i = 0; i < xs.length; i++) xs[i] *= 2; return xs; }
export function bytes(b: ArrayBuffer): ArrayBuffer { return b.slice(1); }
export function flags(xs: bool[]): bool[] { return xs.map<bool>((x) => !x); }
export function some(xs: Int64Array): Int64Array | null { return xs.length ? xs.subarray(1) : null; }
export function scale(xs: Float32Array, by: f32): void { for (let i = 0; i < xs.length; i++) xs[i] *= by; }
export function grow(xs: i32[]): void { xs.push(1); }
export function fill(n: i32): Uint8ClampedArray { return new Uint8ClampedArray(n).fill(300 % 256); }
export function many(n: i32): string { let all = ""; for (let i = 0; i < n; i++) all += i.toString() + ","; return all; }
export function bag(b: Bag): Bag { return b; }
export function lines(xs: string[]): i32 { return xs.length; }
export function same<T>(x: T): T { return x; }
export function nothing(text: string): void {}
export const twice = (x: i32): i32 => 2 * x;
import { Bag } from "./lib/half";
"#;

const HALF: &str = "export function half(x: f64): f64 { return x / 2; }\n\
    export class Bag { count: i32 = 0; add(n: i32): Bag { this.count += n; return this; } }\n";

const MORE: &str = "export function shout(text: string): string { return text.toUpperCase(); }\n\
    export enum Size { Small, Large }\nexport let counter: i32 = 0;\nexport interface Area { area(): f64; }\n\
    export namespace inner { export function next(): i32 { return ++counter; } }\n@external('env', 'now') export declare function now(): f64;\nexport type Words = string[];\n";

/// A subject with these functions: their signatures with further keys.
fn of(functions: &[&str]) -> Files {
    let files = Files::new(&[
        ("subject/src/words.ts", WORDS),
        ("subject/src/lib/half.ts", HALF),
        ("subject/src/lib/more/index.ts", MORE),
    ]);
    files.write("subject/dodona.toml", &manifest_of("", functions));
    if let Some(asc) = cached() {
        let folder = files.path("node_modules/.bin");
        std::fs::create_dir_all(&folder).expect("made");
        std::os::unix::fs::symlink(asc, folder.join("asc")).expect("linked");
    }
    files
}

fn manifest_of(build: &str, functions: &[&str]) -> String {
    let functions: String = functions.iter().map(|keys| format!("[[function]]\n{keys}\n")).collect();
    format!("name = 's'\n[build]\nassemblyscript = 'src/words.ts'\n{build}\n{functions}")
}

/// The compiler that `scripts/setup.sh languages` installs.
fn cached() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("dodona/languages/bin/asc")).filter(|path| path.is_file())
}

/// The module of a subject; nothing where there is no compiler.
fn built(files: &Files) -> Option<Result<PathBuf, BuildError>> {
    built_of(&Manifest::read(&files.subject).unwrap_or_else(|error| panic!("{error:?}")))
}

fn built_of(manifest: &Manifest) -> Option<Result<PathBuf, BuildError>> {
    match build(manifest, Rebuild::WhenStale) {
        Err(BuildError::ToolMissing { tool, hint }) => {
            assert!(hint.contains("npm install -g assemblyscript"), "{hint}");
            assert!(std::env::var_os("DODONA_NO_SKIPS").is_none(), "{tool} is not installed");
            eprintln!("skipped: {tool} is not installed");
            None
        }
        built => Some(built),
    }
}

/// What a script says that calls a module.
fn run(module: &Path, script: &str) -> String {
    let output = Command::new("node")
        .args(["-e", &format!("{HOST}\n{script}"), "--"])
        .arg(module)
        .output()
        .expect("asc runs in node, so that node is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is said of a subject that is refused.
fn refused(files: &Files) -> Option<String> {
    Some(built(files)?.expect_err("refused").to_string())
}

#[test]
fn strings_and_arrays_cross() {
    let files = of(&[
        "signature = 'greet(name: text, times: i32) -> text'",
        "signature = 'greet_once(name: text) -> text'\nexport = 'greet'",
        "signature = 'found(text: text, what: text) -> Option<text>'",
        "signature = 'half_of(x: f64) -> f64'",
        "signature = 'both(x: i32) -> i32'",
        "signature = 'sum(xs: [f64]) -> f64'",
        "signature = 'backwards(xs: [i32]) -> [i32]'\nlower.xs = 'in-out'",
        "signature = 'doubled(xs: [u16]) -> [u16]'",
        "signature = 'bytes(b: [u8]) -> [u8]'",
        "signature = 'flags(xs: [bool]) -> [bool]'",
        "signature = 'some(xs: [i64]) -> Option<[i64]>'",
        "signature = 'scale(xs: [f32], by: f32)'\nlower.xs = 'in-out'",
        "signature = 'grow(xs: [i32])'\nlower.xs = 'in-out'",
        "signature = 'fill(n: i32) -> [u8]'",
        "signature = 'many(n: i32) -> text'",
        "signature = 'shout(text: text) -> text'",
    ]);
    let Some(module) = built(&files) else { return };
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    let said = run(
        &module,
        r#"
        const s = slots(2);
        e.dodona_glue_greet(s, ...text("hé😀\0"), 3); show(textAt(s, 0));
        e.dodona_glue_greet(s, ...text(""), 3); show(textAt(s, 0));
        e.dodona_glue_greet_once(s, ...text("a")); show(textAt(s, 0));
        e.dodona_glue_found(s, ...text("haystack"), ...text("st")); show(textAt(s, 0), word(s, 1));
        e.dodona_glue_found(s, ...text("haystack"), ...text("x")); show(word(s, 0), word(s, 1));
        show(e.half_of(3), e.both(2), e.dodona_glue_sum(...array(new Float64Array([1.5, 2, -9]))));
        show(e.dodona_glue_sum(...array(new Float64Array(0))));
        const xs = array(new Int32Array([1, 2, 3]));
        e.dodona_glue_backwards(s, ...xs); show(arrayAt(Int32Array, s, 0), read(Int32Array, ...xs));
        e.dodona_glue_doubled(s, ...array(new Uint16Array([1, 40000]))); show(arrayAt(Uint16Array, s, 0));
        e.dodona_glue_bytes(s, ...array(new Uint8Array([7, 8, 255]))); show(arrayAt(Uint8Array, s, 0));
        e.dodona_glue_flags(s, ...array(new Uint8Array([1, 0]))); show(arrayAt(Uint8Array, s, 0));
        e.dodona_glue_some(s, ...array(new BigInt64Array([1n, -2n]))); show(arrayAt(BigInt64Array, s, 0), word(s, 1));
        e.dodona_glue_some(s, ...array(new BigInt64Array(0))); show(word(s, 0), word(s, 1));
        const ys = array(new Float32Array([1, 2]));
        e.dodona_glue_scale(...ys, 0.5); show(read(Float32Array, ...ys));
        show(stops(() => e.dodona_glue_grow(...array(new Int32Array([1])))));
        e.dodona_glue_fill(s, 3); show(arrayAt(Uint8Array, s, 0));
        e.dodona_glue_many(s, 3000); show(textAt(s, 0).length);
        e.dodona_glue_shout(s, ...text("straße")); show(textAt(s, 0));
        "#,
    );
    let wanted = [
        r#"["hé😀\u0000hé😀\u0000hé😀\u0000"]"#,
        r#"[""]"#,
        r#"["aa"]"#,
        r#"["st",1]"#,
        "[0,0]",
        "[1.5,42,-5.5]",
        "[0]",
        "[[3,2,1],[3,2,1]]",
        "[[2,14464]]",
        "[[8,255]]",
        "[[0,1]]",
        r#"[["-2"],1]"#,
        "[0,0]",
        "[[0.5,1]]",
        r#"["abort: an array that is an output has another length after the call"]"#,
        "[[44,44,44]]",
        "[13890]",
        r#"["STRASSE"]"#,
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), wanted);
}

/// Calls of the functions below, each line of them with what it shows.
const CALLS: &str = r#"
        const s = slots(8);
        show(e.dodona_glue_counted(3, 4), e.dodona_glue_nexts(), e.dodona_glue_three(5), e.dodona_glue_lines(...text("a\nb")));
        e.dodona_glue_same(s, ...text("é")); show(textAt(s, 0));
        show(e.dodona_glue_sum(...array(new Float64Array([1, 2]))));
        e.dodona_glue_evens(s, ...array(new Int32Array([1, 2, -4]))); show(arrayAt(Int32Array, s, 0));
        e.dodona_glue_parts(s, ...text("ab c"));
        show(word(s, 0), textAt(s, 1), textAt(s, 2), number(s, 3), word(s, 4), arrayAt(Int32Array, s, 5), word(s, 6), arrayAt(Uint8Array, s, 7));
        e.dodona_glue_parts(s, ...text("")); show(word(s, 0), word(s, 1), textAt(s, 2), number(s, 3), word(s, 6));
        const long = text("word ".repeat(200));
        for (let i = 0; i < 3000; i++) {
          e.dodona_glue_parts(s, ...long);
          if (textAt(s, 1) !== "word" || textAt(s, 2) !== "WORD ".repeat(200) || length(s, 5) !== 1000) throw new Error("collected");
        }
        const xs = array(new Uint8Array([3, 1, 2]));
        e.dodona_glue_sorted(...xs); show(read(Uint8Array, ...xs));
        "#;

/// What they show.
const CALLED: [&str; 7] = [
    "[7,11,15,2]",
    r#"["é"]"#,
    "[3]",
    "[[2,-4]]",
    r#"[1,"ab","AB C","-2",1,[97,98,32,99],1,[1,2]]"#,
    r#"[0,0,"","-1",0]"#,
    "[[1,2,3]]",
];

#[test]
fn calls_have_all_that_the_module_exports() {
    let files = of(&[
        "signature = 'counted(n: i32, m: i32) -> i32'\ncall = 'new Bag().add(n).add(m).count'",
        "signature = 'same(text: text) -> text'\ncall = 'same<string>(text)'",
        "signature = 'sum(xs: [f64]) -> f64'\ncall = 'sum(dodona_as<Float64Array>(xs))'",
        "signature = 'evens(xs: [i32]) -> [i32]'\ncall = 'dodona_as<StaticArray<i32>>(xs.filter((x) => (x & 1) == 0))'",
        "signature = 'parts(text: text) -> (first: Option<text>, shouted: text, count: i64, size: i32, codes: [i32], rest: Option<[u8]>)'\ncall = '''\n\
         const words: Words = text.split(\" \");\nif (words.length > 1) { first = words[0]; rest = [1, 2]; }\nshouted = shout(text); count = -words.length;\nsize = Size.Large;\n\
         for (let i = 0; i < text.length; i++) codes.push(text.charCodeAt(i));'''",
        "signature = 'three(x: i32) -> i32'\ncall = 'thrice(x)'",
        "signature = 'sorted(xs: [u8])'\nlower.xs = 'in-out'\ncall = 'xs.sort()'",
        "signature = 'nexts() -> i32'\ncall = 'inner.next() * 10 + counter'",
        "signature = 'lines(text: text) -> i32'\ncall = 'lines(text.split(\"\\n\"))'",
    ]);
    let manifest = std::fs::read_to_string(&files.subject).expect("a manifest");
    let prelude = "prelude = 'function thrice(x: i32): i32 { return 3 * x; }'\n[[function]]";
    files.write("subject/dodona.toml", &manifest.replacen("[[function]]", prelude, 1));
    let Some(module) = built(&files) else { return };
    let called = |module: Result<PathBuf, BuildError>| {
        let said = run(&module.unwrap_or_else(|error| panic!("{error}")), CALLS);
        assert_eq!(said.lines().collect::<Vec<_>>(), CALLED);
    };
    called(module);
    // Objects that are collected while others are made.
    let manifest = std::fs::read_to_string(&files.subject).expect("a manifest");
    let flags = "flags = ['--runtime', 'incremental']\nprelude";
    files.write("subject/dodona.toml", &manifest.replacen("prelude", flags, 1));
    called(built(&files).expect("there is a compiler"));
}

#[test]
fn what_does_not_fit_is_refused_for_each_function() {
    let files = of(&[
        "signature = 'hidden(x: i32) -> i32'",
        "signature = 'greets(x: text) -> text'",
        "signature = 'sum(xs: [f32]) -> f64'",
        "signature = 'both(x: f64) -> i32'",
        "signature = 'scale(xs: [f32]) -> f64'",
        "signature = 'half_of(x: f64) -> f32'",
        "signature = 'bag(b: text) -> text'",
        "signature = 'lines(text: text) -> i32'",
        "signature = 'same(x: i32) -> i32'",
        "signature = 'twice(x: i32) -> i32'",
        "signature = 'found(text: text, what: text) -> text'",
        "signature = 'shout(text: text) -> Option<text>'",
        "signature = 'nothing(text: text) -> i32'",
        "signature = 'taken(n: i32) -> text'\nexport = 'bag'",
        "signature = 'one(x: i32) -> i32'\nexport = 'both'",
        "signature = 'two(x: i32, y: i32) -> i32'\nexport = 'both'",
    ]);
    let Some(said) = refused(&files) else { return };
    let wanted = [
        "the module does not export `hidden`; write `export` before it, or a `call` in the manifest",
        "the module does not export `greets`; did you mean `greet`? Beside the signature write export = \"greet\"",
        "`sum`: the signature says [f32] for `xs`, but the function takes `Float64Array`; write [f64]",
        "`both`: the signature says f64 for `x`, but the function takes `i32`; write i32",
        "`scale`: the signature has 1 parameter, but the function takes 2: scale(xs: Float32Array, by: f32)",
        "`half_of`: the signature says f32, but the function gives `f64`; write f64",
        "`bag`: no value of a signature becomes a `Bag`, which the function takes as `b`; beside the signature write a `call` that makes it",
        "`lines`: no value of a signature becomes a `Array<string>`, which the function takes as `xs`; beside the signature write a `call` that makes it",
        "`same` has parameters for types; beside the signature write the call with them: call = \"same<i32>(x)\"",
        "`twice` is no function; beside the signature write a `call` with what is to be computed of it",
        "`found`: the signature says text, but the function gives `string | null`; write Option<text>",
        "`shout`: the signature says Option<text>, but the function gives `string`; write text",
        "`nothing`: the signature says i32, but the function gives `void`; write no result",
        "`taken`: the signature says i32 for `n`",
        "`two`: several functions call `both`; give each a `call`",
    ];
    for (line, wanted) in said.lines().zip(wanted) {
        assert!(line.starts_with(wanted) || line.contains("`taken`"), "{line}\n{wanted}");
    }
    assert_eq!(said.lines().count(), wanted.len(), "{said}");
}

#[test]
fn what_does_not_compile_is_told_of_the_call() {
    let files = of(&[
        "signature = 'f(x: i32) -> i32'\ncall = \"x +\\n  missing(x)\"",
        "signature = 'g(x: f64) -> i32'\ncall = 'out = 1; out = x;'",
        "signature = 'h(x: f64) -> i32'\ncall = 'x'",
        "signature = 'i(xs: [f64]) -> [f32]'\ncall = 'xs'",
        "signature = 'j(x: i32) -> [i32]'\ncall = 'x'",
        "signature = 'fine(x: i32) -> i32'\ncall = 'x'",
        "signature = 'k(text: text) -> [u32]'\ncall = 'text.split(\"\")'",
    ]);
    let Some(said) = refused(&files) else { return };
    let wanted = [
        "the `call` of `f` does not compile: line 2, column 3: Cannot find name 'missing'; the code has the parameters, and what the module exports",
        "the `call` of `g` does not compile: line 1, column 16: Conversion from type 'f64' to 'i32' requires an explicit cast",
        "the `call` of `h` does not compile: line 1, column 1: Conversion from type 'f64' to 'i32' requires an explicit cast",
        "`i` cannot be called: its `call` gives no array of f32",
        "`j` cannot be called: its `call` gives no array of i32",
        "`k` cannot be called: its `call` gives no array of u32",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), wanted);
    let said_of = |build: &str, call: &str| {
        files.write(
            "subject/dodona.toml",
            &manifest_of(build, &[&format!("signature = 'f(xs: [f64]) -> i32'\ncall = '{call}'")]),
        );
        refused(&files).expect("there is a compiler")
    };
    assert!(said_of("", "xs[0] +").starts_with("the `call` of `f` does not compile: line 2"));
    let said = said_of("prelude = 'let y: i32 = z;'", "1");
    assert!(
        said.starts_with("`prelude` does not compile: line 1, column 14: Cannot find name 'z'"),
        "{said}"
    );
    let said = said_of("", "dodona_as<Bag>(xs).count");
    assert!(!said.contains(".dodona") && !said.contains("calls.ts"), "{said}");
}

#[test]
fn mistakes_of_the_subject_are_told_with_its_paths() {
    let files = of(&["signature = 'half_of(x: f64) -> f64'"]);
    files.write(
        "subject/src/lib/half.ts",
        "export type F = f64;\nexport function half(x: f64): f64 { return y; }\nexport class Bag {}\n",
    );
    let Some(said) = refused(&files) else { return };
    assert!(said.contains("Cannot find name 'y'.") && said.contains("in src/lib/half.ts(2,44)"), "{said}");
    assert!(
        said.contains("asc src/words.ts failed:") && !said.contains("WARNING") && !said.contains(".dodona"),
        "{said}"
    );
    files.write(
        "subject/dodona.toml",
        &manifest_of("", &["signature = 'f() -> f64'"]).replace("words.ts", "no.ts"),
    );
    let said = refused(&files).expect("there is a compiler");
    assert!(said.starts_with("cannot read ") && said.contains("src/no.ts"), "{said}");
}

#[test]
fn a_module_is_built_again_when_a_file_of_it_changes() {
    let files = of(&["signature = 'half_of(x: f64) -> f64'", "signature = 'shout(text: text) -> text'"]);
    let Some(module) = built(&files) else { return };
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    let bytes = || std::fs::read(&module).expect("a module");
    let first = bytes();
    let again = |what: &str| {
        built(&files).expect("there is a compiler").unwrap_or_else(|error| panic!("{what}: {error}"));
        bytes()
    };
    let time = || {
        std::fs::metadata(files.path("subject/.dodona/s.stamp"))
            .and_then(|about| about.modified())
            .expect("a time")
    };
    let before = time();
    assert!(again("nothing changed") == first && time() == before);
    files.replace_unseen("subject/src/lib/half.ts", &HALF.replace("x / 2", "x / 4"));
    let second = again("an imported file");
    assert_eq!(run(&module, "show(e.half_of(8))"), "[2]\n");
    assert_ne!(second, first);
    files.write("subject/src/lib/more.ts", &MORE.replace("text.toUpperCase()", "\"?\""));
    assert_ne!(again("a file that is found earlier"), second);
    files.remove("subject/src/lib/more.ts");
    files.write("subject/asconfig.json", "{\"targets\": {\"release\": {\"optimizeLevel\": 3}}}");
    assert_eq!(again("settings that nobody named"), second);
    let flags = manifest_of(
        "flags = ['--config', 'asconfig.json']",
        &["signature = 'half_of(x: f64) -> f64'", "signature = 'shout(text: text) -> text'"],
    );
    files.write("subject/dodona.toml", &flags);
    let optimised = again("settings");
    assert!(optimised.len() < second.len());
    files.replace_unseen("subject/asconfig.json", "{\"targets\": {\"release\": {\"optimizeLevel\": 0}}}");
    assert_eq!(again("other settings"), second);
}

#[test]
fn modules_are_the_same_in_every_folder_and_name_no_folder() {
    let functions = ["signature = 'greet(name: text, times: i32) -> text'"];
    let (one, other) = (of(&functions), of(&functions));
    let Some(first) = built(&one) else { return };
    let first = std::fs::read(first.unwrap_or_else(|error| panic!("{error}"))).expect("a module");
    let second = built(&other).expect("there is a compiler").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(first, std::fs::read(second).expect("a module"));
    let left = std::fs::read_dir(one.path("subject/.dodona")).expect("products");
    let left: Vec<_> = left.map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_subject_may_lie_anywhere() {
    let files = of(&[]);
    let absolute = files.path("subject/src/words.ts").display().to_string();
    for file in ["../src/words.ts", &absolute] {
        let function = "[[function]]\nsignature = 'shout(text: text) -> text'";
        files.write("subject/tests/t.toml", &format!("[build]\nassemblyscript = '{file}'\n{function}\n"));
        let manifest = files.path("subject/tests/t.toml");
        let manifest = Manifest::read(&manifest).unwrap_or_else(|error| panic!("{error:?}"));
        let Some(module) = built_of(&manifest) else { return };
        let module = module.unwrap_or_else(|error| panic!("{error}"));
        let said =
            run(&module, "const s = slots(1); e.dodona_glue_shout(s, ...text('a')); show(textAt(s, 0));");
        assert_eq!(said, "[\"A\"]\n");
    }
}

#[test]
fn what_glue_cannot_pass_is_refused_where_it_stands() {
    let problems = |function: &str| {
        let text = format!("[build]\nassemblyscript = 'a.ts'\n[[function]]\n{function}\n");
        match Manifest::parse(Path::new("/s/dodona.toml"), &text) {
            Ok(_) => panic!("accepted: {function}"),
            Err(problems) => {
                problems.iter().map(|problem| problem.message.clone() + "\n").collect::<String>()
            }
        }
    };
    for (function, why) in [
        ("signature = 'f(x: text) -> command'", "`f` is a command"),
        ("signature = 'f(x: text)'\nlower.x = 'nul-terminated'", "`x` of `f` cannot end with NUL"),
        ("signature = 'f(x: text)'\nlower.x = 'in-out'", "a string of AssemblyScript never changes"),
        (
            "signature = 'f(x: i32) -> text'\nresult = 'out-buffer'",
            "`result` and `arguments` say nothing of `f`",
        ),
        (
            "signature = 'f(x: text) -> i32'\narguments = ['x.length', 'x.pointer']",
            "`result` and `arguments` say nothing of `f`",
        ),
        ("signature = 'f(x: i32) -> (a: i32, b: i32)'", "a function of AssemblyScript gives one value"),
        ("signature = 'f(x: i32) -> Result<i32, text>'", "a function of AssemblyScript gives one value"),
        ("signature = 'f(x: i32) -> Option<i32>'", "a function of AssemblyScript gives one value"),
        ("signature = 'f(x: i32) -> i32'\ncall = ' '", "`call` is empty"),
        (
            "signature = 'f(x: i32) -> (i32, i32)'\ncall = 'g(x)'",
            "a call in AssemblyScript cannot give (i32, i32)",
        ),
        ("signature = 'f(x: i32) -> i32'\npath = 'a::f'", "`path` has no effect here"),
    ] {
        assert!(problems(function).contains(why), "{function}: {}", problems(function));
    }
    let whole = |text: &str| {
        let problems = Manifest::parse(Path::new("/s/dodona.toml"), text).expect_err("refused");
        problems[0].message.clone()
    };
    let function = "[[function]]\nsignature = 'f(x: i32) -> i32'\n";
    assert!(
        whole(&format!("allocator = 'm'\n[build]\nassemblyscript = 'a.ts'\n{function}"))
            .starts_with("`allocator` says nothing")
    );
    assert!(
        whole(&format!("[build]\nc = ['a.c']\nassemblyscript = 'a.ts'\n{function}"))
            .contains("exactly one of")
    );
    assert!(
        whole(&format!("[build]\nassemblyscript = 'a.ts'\nversion = '1'\n{function}"))
            .contains("`version` has no effect")
    );
}

#[test]
fn exports_are_those_of_the_glue_where_objects_cross() {
    let text = "name = 's'\n[build]\nassemblyscript = 'src/a.ts'\nflags = ['-O3']\n[[function]]\nsignature = 'f(x: text) -> i32'\nexport = 'g'\n\
                [[function]]\nsignature = 'h(x: bool) -> u8'\nexport = 'k'\n[[function]]\nsignature = 'l(x: bool) -> u8'\ncall = 'm(x)'\n";
    let manifest =
        Manifest::parse(Path::new("/s/dodona.toml"), text).unwrap_or_else(|problems| panic!("{problems:?}"));
    let exports: Vec<&str> = manifest.functions.iter().map(|function| function.export.as_str()).collect();
    assert_eq!(exports, ["dodona_glue_f", "k", "dodona_glue_l"]);
    assert_eq!(manifest.allocator.as_deref(), Some("dodona_malloc"));
    let ModuleSource::AssemblyScript(source) = &manifest.source else { panic!("{:?}", manifest.source) };
    assert_eq!(
        (source.file.as_path(), source.flags.as_slice()),
        (Path::new("/s/src/a.ts"), &["-O3".to_owned()][..])
    );
    assert_eq!(source.exports, ["g", "k", "l"]);
    assert_eq!(source.calls, [None, None, Some("m(x)".to_owned())]);
    let numbers = "[build]\nassemblyscript = 'a.ts'\n[[function]]\nsignature = 'f(x: i32) -> i32'\n";
    let manifest = Manifest::parse(Path::new("/s/dodona.toml"), numbers)
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(manifest.allocator, None);
}
