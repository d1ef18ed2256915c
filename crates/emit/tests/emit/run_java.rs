//! Java classes for JUnit 5 against methods, with and without a fault.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dodona_emit::{EmitContext, Language, emit};
use dodona_relations::{Relation, check, parse};
use dodona_subject::{Function, Manifest, ModuleSource, Outside, OutsideKind, WorkerSource};

use crate::common::{context, every, folder, manifest, relations, run, said, written_to_run};

/// The archives of JUnit 5 that tests are compiled with, where Debian's package `junit5` has them.
const COMPILING: [&str; 4] =
    ["junit-jupiter-api.jar", "apiguardian-api.jar", "junit-platform-commons.jar", "opentest4j.jar"];

/// Those that run them besides. They name archives that Debian lacks, of which the compiler would warn.
const RUNNING: [&str; 6] = [
    "junit-jupiter-engine.jar",
    "junit-platform-console.jar",
    "junit-platform-engine.jar",
    "junit-platform-launcher.jar",
    "junit-platform-reporting.jar",
    "picocli.jar",
];

/// Where an archive is.
fn archive(name: &str) -> PathBuf {
    Path::new("/usr/share/java").join(name)
}

/// Whether tests can be compiled and run here; says so where there is no JDK or no JUnit.
pub(crate) fn has_junit(test: &str) -> bool {
    let missing = COMPILING.iter().chain(&RUNNING).map(|name| archive(name)).find(|path| !path.exists());
    let why = match missing {
        _ if Command::new("javac").arg("--version").output().is_err() => "a JDK is not installed".to_owned(),
        Some(archive) => format!("JUnit 5 is not installed: {} is missing", archive.display()),
        None => return true,
    };
    println!("skipped: {test}: {why}");
    assert!(std::env::var_os("DODONA_NO_SKIPS").is_none(), "{test} cannot be run: {why}");
    false
}

fn joined<'n>(names: impl IntoIterator<Item = &'n &'n str>) -> String {
    let archives = names.into_iter().map(|name| archive(name));
    std::env::join_paths(archives).unwrap().into_string().unwrap()
}

/// Compiles files with every warning as an error, into the folder `classes` of the folder that is returned.
fn compiled(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = folder("java").join(name);
    // A class of an earlier run is none of these tests.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut javac = Command::new("javac");
    javac.current_dir(&folder).args(["--release", "17", "-encoding", "UTF-8", "-Xlint:all", "-Werror"]);
    javac.arg("-cp").arg(joined(&COMPILING)).args(["-d", "classes"]);
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
        javac.arg(file);
    }
    let output = run(&mut javac);
    assert!(output.status.success(), "{name}: {}", said(&output));
    folder
}

/// Compiles files and runs their tests.
pub(crate) fn tested(name: &str, files: &[(&str, &str)]) -> Output {
    let folder = compiled(name, files);
    let mut junit = Command::new("java");
    junit.current_dir(&folder).arg("-cp").arg(joined(COMPILING.iter().chain(&RUNNING)));
    junit.args(["org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--disable-ansi-colors"]);
    run(junit.args([
        "--details",
        "tree",
        "--details-theme",
        "ascii",
        "--scan-class-path",
        "classes",
        "-cp",
        "classes",
    ]))
}

/// The class with the functions of `every`.
pub(crate) const EVERY: (&str, &str) = ("Adapters.java", include_str!("every/Adapters.java"));

fn count(output: &Output, what: &str) -> String {
    let said = said(output);
    let line = said.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{said}"));
    line.trim_matches(|c: char| !c.is_ascii_digit()).to_owned()
}

#[test]
fn java_tests_pass_values_in_every_way() {
    if !has_junit("java_tests_pass_values_in_every_way") {
        return;
    }
    let subject = every("java");
    let relations = relations(&subject, &[]);
    let text = written_to_run(Language::Java, &relations, &subject.functions, "every.Adapters");
    let output = tested("every", &[EVERY, ("MetamorphicTest.java", &text)]);
    assert!(output.status.success(), "{}", said(&output));
    assert_ne!(count(&output, "tests successful"), "0");
    assert_eq!(count(&output, "tests failed"), "0");
}

#[test]
fn java_tests_fail_on_a_fault_with_its_inputs() {
    if !has_junit("java_tests_fail_on_a_fault_with_its_inputs") {
        return;
    }
    let subject = every("java_faulty");
    let relations = relations(&subject, &[]);
    let text = written_to_run(Language::Java, &relations, &subject.functions, "every.Adapters");
    let faulty = EVERY
        .1
        .replace("return ranks", "return 1 + ranks")
        .replace("            if (ranks[i] == rank) {", "            if (ranks[i] >= rank) {");
    let output = tested("every_faulty", &[(EVERY.0, &faulty), ("MetamorphicTest.java", &text)]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("placeThere()") && said.contains("what is expected is false for ranks = ["),
        "{said}"
    );
}

/// Methods of a class that the manifest names, with overloads that only their types tell apart.
const MODEL: &str = r#"package org.example;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

public final class Model {
    private Model() { }

    public static int twice(int n) { return 2 * n; }
    public static long twice(long n) { return 3 * n; }
    public static BigInteger big(BigInteger n) { return n.add(BigInteger.ONE); }
    public static List<Integer> firsts(List<Integer> items, int count) { return new ArrayList<>(items.subList(0, Math.min(count, items.size()))); }
    public static String lines(String[] lines) { return String.join("|", lines); }
    public static char next(char unit) { return (char) (unit + 1); }
    public static int sign(byte small) { return Integer.signum(small); }
    public static boolean isLetter(char unit) { return Character.isLetter(unit); }
    public static String half(String text) { return text.substring(0, text.length() / 2); }
    static double hidden(double x) { return x == 0 ? 0 : 1 / x; }
    public static int[] nothing(int n) { return n > 0 ? new int[n % 4] : null; }

    public static final class Inner {
        private Inner() { }

        public static Integer boxed(Integer org) { return org; }
    }
}
"#;

/// The manifest of these methods, and their relations.
fn model() -> (Manifest, Vec<Relation>, Vec<String>) {
    let functions = [
        ("twice(n: i32) -> i32", "twice(int)"),
        ("thrice(n: i64) -> i64", "twice(long)"),
        ("big(n: u64) -> u64", "big(BigInteger)"),
        ("firsts(items: [i32], count: u8) -> [i32]", "firsts(List,int)"),
        ("lines(text: text) -> text", "lines(String[])"),
        ("next(unit: u16) -> u16", "next"),
        ("sign(small: u8) -> i8", "sign(byte)"),
        ("letter(one: text) -> bool", "isLetter(char)"),
        ("half(all: text) -> text", "half"),
        ("hidden(x: f64) -> f64", "hidden"),
        ("nothing(m: i32) -> [i32]", "nothing"),
        ("boxed(org: i32) -> i32", "org.example.Model$Inner:boxed(Integer)"),
    ];
    let mut text = "[target]\njava = \"org.example.Model\"\n".to_owned();
    for (signature, path) in functions {
        text += &format!("[[function]]\nsignature = \"{signature}\"\npath = \"{path}\"\n");
    }
    let manifest = Manifest::parse(Path::new("dodona.toml"), &text).unwrap_or_else(|p| panic!("{p:?}"));
    let ModuleSource::Outside(Outside { kind: OutsideKind::Worker(WorkerSource { names, .. }), .. }) =
        &manifest.source
    else {
        panic!("{:?}", manifest.source)
    };
    let names = names.clone();
    let file = parse(
        "relation twice_more: for k in {1, 2}: when abs(n) < 2^29: twice(n * k) == k * twice(n)\n\
         relation thrice_more: when abs(n) < 2^40: thrice(n) == 3 * n\n\
         relation big_next: when n < 18446744073709551615: big(n) == n + 1\n\
         relation big_malformed: big(18446744073709551615) == 0 or true\n\
         relation firsts_prefix: firsts(items, count) is_prefix_of items\n\
         relation lines_joined: lines(\"a\\nb\\n\") == \"a|b|\" and lines(\"\") == \"\"\n\
         relation next_more: when unit < 65535: next(unit) == unit + 1\n\
         relation sign_wraps: (sign(small) == -1) iff small > 127\n\
         relation letter_known: letter(\"a\") and not letter(\"1\")\n\
         relation letter_long: letter(\"ab\") traps\n\
         relation half_whole: half(\"\\u{1f600}\") == \"\\xed\\xa0\\xbd\"\n\
         relation hidden_back: when x != 0 and abs(x) < 1e300 and abs(x) > 1e-300: hidden(hidden(x)) ~= x\n\
         relation nothing_given: when m <= 0: not defined(nothing(m)) and not (nothing(m) traps)\n\
         relation boxed_same: boxed(org) == org\n",
    )
    .unwrap_or_else(|p| panic!("{p:?}"));
    let relations = check(&file, &manifest.signatures()).unwrap_or_else(|p| panic!("{p:?}"));
    (manifest, relations, names)
}

fn written_with(methods: &[String], name: &str, relations: &[Relation], functions: &[Function]) -> String {
    let context = EmitContext { methods, name, cases: 30, ..context(functions, "") };
    emit(Language::Java, relations, &context).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn java_tests_call_the_methods_that_a_manifest_names() {
    if !has_junit("java_tests_call_the_methods_that_a_manifest_names") {
        return;
    }
    let (manifest, relations, methods) = model();
    let text = written_with(&methods, "model_tests", &relations, &manifest.functions);
    assert!(text.starts_with("package org.example;\n") && text.contains("\nclass ModelTests {\n"), "{text}");
    let output = tested("model", &[("Model.java", MODEL), ("ModelTests.java", &text)]);
    let said = said(&output);
    assert_eq!(count(&output, "tests successful"), "14", "{said}");
    assert!(said.contains("bigMalformed()") && said.contains("gives what is not of its type"), "{said}");
}

#[test]
fn what_is_not_connected_says_so() {
    if !has_junit("what_is_not_connected_says_so") {
        return;
    }
    let subject = manifest("gcd");
    let text = written_with(&[], "", &relations(&subject, &[]), &subject.functions);
    let output = tested("gcd_stubs", &[("MetamorphicTest.java", &text)]);
    let all = said(&output);
    assert!(all.contains("MrMissing: write in Functions.gcd which method is called"), "{all}");
    assert_eq!(count(&output, "tests successful"), "0", "{all}");
    let stub = "throw new MrMissing(\"gcd\");";
    assert!(text.contains(stub), "{text}");
    let filled = text.replace(
        stub,
        "return java.math.BigInteger.valueOf(p).gcd(java.math.BigInteger.valueOf(q)).intValueExact();",
    );
    let output = tested("gcd", &[("MetamorphicTest.java", &filled)]);
    assert!(output.status.success(), "{}", said(&output));
}

/// The first line of each member of the class that is a word of the prelude.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |line: &&str| {
        line.starts_with("    private ") && line.contains(" mr") && !line.contains("mrRepetition")
    };
    text.lines().filter(is_word)
}

// A word or an import that one relation lacks would be an error. Each word of the prelude is in a file that has one relation alone.
#[test]
fn a_java_test_of_any_relation_alone_compiles_without_a_warning() {
    if !has_junit("a_java_test_of_any_relation_alone_compiles_without_a_warning") {
        return;
    }
    let mut files: Vec<(String, String)> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for subject in [every("java_alone"), manifest("genmorph")] {
        for relation in &relations(&subject, &[]) {
            let name = format!("Alone{}Test", files.len());
            let text = written_with(&[], &name, std::slice::from_ref(relation), &subject.functions);
            let before = seen.len();
            seen.extend(words(&text).map(str::to_owned));
            if seen.len() > before {
                files.push((format!("{name}.java"), text));
            }
        }
    }
    assert!(files.len() > 20, "{} files", files.len());
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    compiled("alone", &files);
}
