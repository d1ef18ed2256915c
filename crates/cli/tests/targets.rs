//! Functions outside of WebAssembly, as people use them: Python, Node, workers of their own, and programs that are run for each call.

mod common;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{both, dodona, exits, run, text, unbroken};
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

/// The value of a call, which is the last line, or what the command says instead.
fn call(folder: &Path, expression: &str) -> String {
    let output = run(folder, &["call", ".", expression]);
    match output.status.success() {
        true => text(&output.stdout).lines().last().unwrap_or_default().to_owned(),
        false => both(&output),
    }
}

/// A subject of Python functions.
fn python(module: &str, functions: &str, relations: &str) -> TempDir {
    let manifest = format!("relations = [\"m.mr\"]\n[target]\npython = \"m\"\n{functions}");
    folder(&[("m.py", module), ("dodona.toml", &manifest), ("m.mr", relations)])
}

const OF_NUMBER: &str = "[[function]]\nsignature = \"f(x: f64) -> f64\"\n";

#[test]
fn a_planted_fault_of_a_python_function_is_found_and_shrunk() {
    let module = "import math\ndef f(x):\n    return math.sin(x) if x < 100 else math.cos(x)\n";
    let subject = python(
        module,
        &format!("{OF_NUMBER}domain.x = {{ range = [-1000, 1000] }}\n"),
        "relation odd: f(-x) ~= -f(x)\n",
    );
    let out = exits(subject.path(), &["check", "."], 1);
    assert!(out.contains("VIOLATED  odd"), "{out}");
    assert!(out.contains("x = 100") || out.contains("x = -100"), "shrunk to the border: {out}");
    let kept = std::fs::read_dir(subject.path().join("dodona-regressions")).expect("a folder").count();
    assert_eq!(kept, 1);
    let out = exits(subject.path(), &["replay", "dodona-regressions"], 1);
    assert!(out.contains("odd"), "{out}");
}

#[test]
fn values_of_all_kinds_cross_to_python_and_back_exactly() {
    let module = "
import dataclasses
def same(x): return x
def kind(x): return type(x).__name__
def wide(x): return x + 1
def parts(x): return (x, None if x < 0 else x * 2)
@dataclasses.dataclass
class Point:
    a: float
    b: float
def point(x): return Point(x, -x)
def total(xs): return sum(xs)
def raw(t): return t.encode('utf-8', 'surrogateescape')
def lines(t): return t.split(',')
def huge(x): return 10 ** 40
def words(t): return 'no number'
def maybe(x): return None if x < 0 else x
def whole(x): return float(x)
";
    let functions = "[[function]]\nsignature = \"same(x: f64) -> f64\"\n[[function]]\nsignature = \"kind(x: f64) -> text\"\n\
        [[function]]\nsignature = \"wide(x: u64) -> u64\"\n[[function]]\nsignature = \"parts(x: i64) -> (i64, Option<i64>)\"\n\
        [[function]]\nsignature = \"point(x: f64) -> (f64, f64)\"\n[[function]]\nsignature = \"total(xs: [i64]) -> i64\"\n\
        [[function]]\nsignature = \"raw(t: text) -> text\"\n[[function]]\nsignature = \"lines(t: text) -> text\"\n\
        [[function]]\nsignature = \"huge(x: i64) -> i64\"\n[[function]]\nsignature = \"words(t: text) -> f64\"\n\
        [[function]]\nsignature = \"maybe(x: f64) -> Option<f64>\"\n[[function]]\nsignature = \"whole(x: i64) -> i64\"\n";
    let subject = python(module, functions, "");
    let of = |expression: &str| call(subject.path(), expression);
    assert_eq!(
        [of("same(-0.0)"), of("same(nan)"), of("same(inf)"), of("same(1e300)")],
        ["-0.0", "nan", "inf", "1e300"]
    );
    assert_eq!([of("kind(2.0)"), of("kind(-inf)")], ["\"float\"", "\"float\""]);
    assert_eq!(of("wide(18446744073709551614)"), "18446744073709551615");
    assert_eq!([of("parts(-3).0"), of("parts(3).1"), of("parts(-3) == parts(-3)")][..2], ["-3", "6"]);
    assert_eq!(of("point(2.5).1"), "-2.5");
    assert_eq!(of("total([9007199254740993, 1])"), "9007199254740994");
    assert_eq!([of("raw(\"ä\\x00\")"), of("lines(\"a,b\")")], ["\"ä\\0\"", "\"a\\nb\""]);
    assert_eq!([of("maybe(2.5)"), of("maybe(-1.0) is none"), of("whole(2)")], ["2.5", "true", "2"]);
    let malformed = |expression: &str| both(&run(subject.path(), &["call", ".", expression]));
    let huge = malformed("huge(1)");
    assert!(huge.contains("returned number outside its declared type"), "{huge}");
    assert!(malformed("words(\"\")").contains("malformed output"), "{}", malformed("words(\"\")"));
}

#[test]
fn what_a_function_does_besides_is_an_outcome_of_its_row_alone() {
    let module = "
import os, sys, time
class Odd(Exception):
    def __str__(self): raise RuntimeError('no words')
def f(x):
    print('noise', x)
    sys.stdout.write('{\"id\": 1, \"values\": []}\\n')
    if x == 1: raise ValueError('one is not allowed')
    if x == 2: os._exit(3)
    if x == 3: os.abort()
    if x == 4: time.sleep(60)
    if x == 5: return bytearray(1 << 45)
    if x == 6: sys.exit('leaving')
    if x == 7: raise Odd()
    if x == 8: raise ValueError('half \\ud83d')
    if x == 9: os.fork()
    return x
";
    let functions = "[limits]\ntime = 0.6\n[[function]]\nsignature = \"f(x: i64) -> i64\"\n";
    let subject = python(module, functions, "relation same: f(x) == x\n");
    let rows: String = (0..40).map(|x| format!("{x}\n")).collect();
    std::fs::write(subject.path().join("rows.csv"), format!("x\n{rows}")).expect("written");
    let out = exits(subject.path(), &["check", ".", "--from", "rows.csv", "--format", "json"], 0);
    for wanted in [
        "raised ValueError",
        "one is not allowed",
        "m.py:8",
        "exit with code 3",
        "ended by signal 6 (SIGABRT)",
        "out of time",
        "raised MemoryError",
        "raised SystemExit",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    assert!(out.contains("\"held\": 32"), "{out}");
    let one = call(subject.path(), "f(1)");
    assert!(one.contains("trapped: raised ValueError") && !one.contains("undefined"), "{one}");
    assert!(call(subject.path(), "f(1) + 1").contains("undefined"));
}

#[test]
fn what_keeps_a_worker_from_being_used_is_told_with_what_to_do() {
    let relations = "relation same: f(x) == f(x)\n";
    let says = |subject: &TempDir, wanted: &[&str]| {
        let out = unbroken(&exits(subject.path(), &["check", "."], 4));
        wanted.iter().for_each(|wanted| assert!(out.contains(wanted), "{wanted}: {out}"));
    };
    let broken = python("import nowhere_at_all\ndef f(x): return x\n", OF_NUMBER, relations);
    says(
        &broken,
        &["cannot load m:f", "ModuleNotFoundError", "No module named 'nowhere_at_all'", "m.py\", line 1"],
    );
    let absent = python("def g(x): return x\n", OF_NUMBER, relations);
    says(&absent, &["cannot load m:f", "has no attribute 'f'"]);
    let manifest =
        format!("relations = [\"m.mr\"]\n[target]\npython = \"m\"\ninterpreter = \"no-python\"\n{OF_NUMBER}");
    let missing = folder(&[("dodona.toml", &manifest), ("m.mr", relations)]);
    says(&missing, &["no-python cannot be started", "No such file"]);
    let random = python("import random\ndef f(x): return random.random()\n", OF_NUMBER, relations);
    says(&random, &["f(", "the same call once more gives", "draws at random or keeps something"]);
    let late = "def f(x, kept=[]):\n    kept.append(x)\n    return x if len(kept) < 700 else x + 1\n";
    says(&python(late, OF_NUMBER, relations), &["the same call once more gives"]);
    let counting = python("n = 0\ndef f(x):\n    global n\n    n += 1\n    return n\n", OF_NUMBER, relations);
    says(&counting, &["the same call once more gives"]);
}

/// A subject whose worker is a script.
fn own(script: &str) -> TempDir {
    let manifest = format!(
        "relations = [\"m.mr\"]\n[target]\nworker = [\"python3\", \"w.py\"]\n[limits]\ntime = 0.6\n{OF_NUMBER}"
    );
    folder(&[("w.py", script), ("dodona.toml", &manifest), ("m.mr", "relation same: f(x) == f(x)\n")])
}

#[test]
fn a_worker_that_does_not_speak_the_protocol_is_named_with_what_it_said() {
    let start = "import json, sys\nhello = json.loads(sys.stdin.readline())\nsay = lambda message: print(json.dumps(message), flush=True)\n";
    let answering = |answer: &str| {
        own(&format!(
            "{start}say({{'protocol': 1, 'worker': 'w'}})\nfor line in sys.stdin:\n    request = json.loads(line)\n    rows = request['rows']\n    {answer}\n"
        ))
    };
    let says = |subject: &TempDir, wanted: &str| {
        let begun = Instant::now();
        let out = exits(subject.path(), &["check", "."], 4);
        assert!(out.contains(wanted), "{wanted}: {out}");
        assert!(begun.elapsed() < Duration::from_secs(50), "{wanted}");
    };
    says(&own("import sys\nsys.exit('no license')\n"), "no license");
    says(&own(&format!("{start}say({{'protocol': 7}})\n")), "speaks version 7 of the protocol");
    says(&own(&format!("{start}print('Welcome!', flush=True)\n")), "its first line is no JSON: Welcome!");
    says(&answering("say({'id': request['id'] + 1, 'values': rows})"), "an answer to request");
    says(&answering("say({'id': request['id'], 'values': []})"), "0 values for");
    says(&answering("print('x' * 100, flush=True)"), "a line that is no answer");
    // One that prints without end, and one that starts others and hangs.
    says(&answering("\n    while True: sys.stdout.write('x' * 1000000)"), "a line of more than");
    let forks =
        answering("import subprocess; subprocess.Popen(['sleep', '600']); import time; time.sleep(600)");
    let out = exits(forks.path(), &["check", ".", "--sources", "3"], 2);
    assert!(out.contains("out of time"), "{out}");
}

#[test]
fn the_worker_that_the_book_shows_works() {
    let book =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/worker-protocol.md"))
            .expect("a page");
    let script =
        book.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    assert!(script.lines().count() <= 30, "thirty lines: {}", script.lines().count());
    let subject = own(script);
    let out = exits(subject.path(), &["check", "."], 0);
    assert!(out.contains("holds     same"), "{out}");
}

#[test]
fn laws_of_python_functions_are_discovered_and_frames_and_compositions_work() {
    let module = "def f(x): return 3 * x\n";
    let subject = python(
        module,
        &format!("{OF_NUMBER}domain.x = {{ range = [-5, 5] }}\n"),
        "relation odd: f(-x) ~= -f(x)\nrelation doubled: f(2 * x) ~= 2 * f(x)\n",
    );
    let out = exits(subject.path(), &["discover", ".", "--time", "20"], 0);
    assert!(out.contains("f(x)"), "{out}");
    let out = exits(subject.path(), &["compose", ".", "--fresh", "1000"], 0);
    assert!(out.contains("odd_then_doubled"), "{out}");
    std::fs::write(
        subject.path().join("frames.toml"),
        "[input.sign]\nnegative = \"x < 0\"\nother = \"x >= 0\"\n",
    )
    .expect("written");
    let out = exits(subject.path(), &["frames", "."], 0);
    assert!(out.contains("negative"), "{out}");
    let proof = both(&run(subject.path(), &["prove", "."]));
    assert!(proof.contains("works on the code of a WebAssembly module"), "{proof}");
}

/// A subject of a program.
fn program(target: &str, functions: &str, relations: &str, files: &[(&str, &str)]) -> TempDir {
    let manifest = format!("relations = [\"m.mr\"]\n[target]\n{target}\n{functions}");
    let all = [&[("dodona.toml", manifest.as_str()), ("m.mr", relations)], files].concat();
    folder(&all)
}

#[test]
fn programs_are_run_with_words_input_and_files_in_a_fresh_folder() {
    let script = "
import json, os, sys
strike, vol = float(sys.argv[1]), float(sys.argv[2].split('=')[1])
assert os.listdir('.') == ['in.csv'], os.listdir('.')
assert 'SECRET' not in os.environ and os.environ['TZ'] == 'UTC'
open('out.csv', 'w').write('a,total\\n1,%r\\n' % (strike * vol))
print(json.dumps({'price': strike * vol, 'lines': len(open('in.csv').read().split())}))
print('warning: rounded', file=sys.stderr)
";
    let functions = "[[function]]\nsignature = \"price(strike: f64, vol: f64) -> f64\"\ndomain.strike = { range = [0, 1000] }\n\
        domain.vol = { range = [0, 1] }\noutput = { json = \"/price\" }\noutputs.total = { type = \"f64\", file = \"out.csv\", column = \"total\" }\n\
        outputs.warned = { type = \"text\", stream = \"stderr\", pattern = \"warning: (.*)\" }\n";
    let target = "command = [\"python3\", \"price.py\", \"{strike}\", \"--vol={vol}\"]\nfiles = { \"in.csv\" = \"{strike}\\n{vol}\\n\" }\nenvironment = { TZ = \"UTC\" }";
    let relations = "relation scaled: price(2 * strike, vol) ~= 2 * price(strike, vol)\nrelation written: price(strike, vol).total ~= price(strike, vol)\n";
    let subject = program(target, functions, relations, &[("price.py", script)]);
    let mut check = dodona();
    let output =
        check.args(["check", ".", "--sources", "12"]).current_dir(subject.path()).env("SECRET", "x").output();
    let output = output.expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}", both(&output));
    assert!(text(&output.stdout).contains("2 relations: 2 hold"), "{}", both(&output));
    assert_eq!(call(subject.path(), "price(2.0, 0.5).warned"), "\"rounded\"");
}

#[test]
fn whatever_a_program_does_is_an_outcome() {
    let script = "#!/bin/sh\ncase $1 in 1) echo oops >&2; exit 3;; 2) kill -9 $$;; 3) sleep 60;; 4) yes;; 5) sleep 60 & echo 5;; 6) echo;; 8) for i in 1 2 3 4 5 6 7 8 9; do sleep 60 & done; wait;; *) echo $1;; esac\n";
    let functions = "[limits]\ntime = 0.6\nprocesses = 6\n[[function]]\nsignature = \"f(x: i64) -> i64\"\n";
    let subject = program(
        "command = [\"sh\", \"f.sh\", \"{x}\"]",
        functions,
        "relation same: f(x) == x\n",
        &[("f.sh", script)],
    );
    std::fs::write(subject.path().join("rows.csv"), "x\n0\n1\n2\n3\n4\n5\n6\n7\n8\n").expect("written");
    let begun = Instant::now();
    let out = exits(subject.path(), &["check", ".", "--from", "rows.csv", "--format", "json"], 0);
    for wanted in [
        "exit with code 3",
        "oops",
        "SIGKILL",
        "out of time",
        "more output than [limits] output allows",
        "more processes than [limits] processes allows",
        "no output where the manifest looks for it",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    // What it left running does not keep anybody waiting.
    assert!(out.contains("\"held\": 3") && begun.elapsed() < Duration::from_secs(30), "{out}");
    let missing = program(
        "command = [\"./nowhere\", \"{x}\"]",
        "[[function]]\nsignature = \"f(x: i64) -> i64\"\n",
        "relation same: f(x) == x\n",
        &[],
    );
    let out = exits(missing.path(), &["check", "."], 4);
    assert!(out.contains("./nowhere is not there") && out.contains("the folder of the manifest"), "{out}");
}

#[test]
fn equal_calls_are_made_once_unless_somebody_asks() {
    let module = "import os\ndef f(x):\n    open('calls', 'a').write('.')\n    return x\n";
    let subject =
        python(module, "[[function]]\nsignature = \"f(x: i8) -> i8\"\n", "relation same: f(x) == f(x)\n");
    let calls = || std::fs::read_to_string(subject.path().join("calls")).unwrap_or_default().len();
    exits(subject.path(), &["check", ".", "--sources", "2000", "--jobs", "1"], 0);
    let cached = calls();
    assert!((256..300).contains(&cached), "256 inputs, and a few calls once more: {cached}");
    exits(subject.path(), &["check", ".", "--sources", "2000", "--jobs", "1", "--no-cache"], 0);
    assert!(calls() - cached >= 2000, "{}", calls() - cached);
}

#[test]
fn functions_of_node_are_called_where_node_is_installed() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("left out: node is not installed");
        return;
    }
    let module = "
export const encode = (t) => Buffer.from(t).toString('base64');
export const decode = (t) => Buffer.from(t, 'base64').toString();
export const twice = (x) => BigInt(x) * 2n;
export const zero = (x) => -0;
export const half = (x) => 'a\\ud83d';
export const pair = (x) => 'a😀';
export function root(x) { console.log('noise'); if (x < 0) throw new RangeError('below zero'); return [Math.floor(x), x]; }
";
    let functions = "[[function]]\nsignature = \"encode(t: text) -> text\"\n[[function]]\nsignature = \"decode(t: text) -> text\"\n\
        [[function]]\nsignature = \"twice(x: i64) -> i64\"\ndomain.x = { range = [-4611686018427387904, 4611686018427387903] }\n\
        [[function]]\nsignature = \"zero(x: f64) -> f64\"\n[[function]]\nsignature = \"root(x: f64) -> (f64, f64)\"\n\
        [[function]]\nsignature = \"half(x: f64) -> text\"\n[[function]]\nsignature = \"pair(x: f64) -> text\"\n";
    let relations = "relation round_trip: decode(encode(t)) == t\nrelation doubled: twice(x) == 2 * x\nrelation raises: when x < 0: root(x) traps\n";
    let subject = program("node = \"./m.mjs\"", functions, relations, &[("m.mjs", module)]);
    let out = exits(subject.path(), &["check", "."], 0);
    assert!(out.contains("3 relations: 3 hold"), "{out}");
    assert_eq!(call(subject.path(), "zero(1.0)"), "-0.0");
    let halves = [call(subject.path(), "half(1.0)"), call(subject.path(), "pair(1.0)")];
    assert_eq!(halves, ["\"a\\xed\\xa0\\xbd\"", "\"a😀\""]);
    std::fs::write(subject.path().join("m.mjs"), "export const encode = ;").expect("written");
    let out = exits(subject.path(), &["check", "."], 4);
    assert!(out.contains("SyntaxError"), "{out}");
}

#[test]
fn a_manifest_is_drafted_from_the_annotations_of_a_module() {
    let module = "
from typing import Optional
def price(strike: float, vol: float = 0.2, label='x') -> float:
    \"\"\"The price.

    More.\"\"\"
    return strike * vol
def mod(xs: list[float], div: int) -> Optional[tuple[float, int]]:
    return (sum(xs), div) if xs else None
def untold(x): return x
def odd(x: dict) -> int: return 1
def _hidden(x: int) -> int: return x
async def later(x: int) -> int: return x
def größe(x: int) -> int: return x
def many(x: int, *more: int, deep: bool = False) -> int: return x
";
    let subject = folder(&[("pricing.py", module)]);
    let out = exits(subject.path(), &["init", "--python", "pricing"], 0);
    assert!(
        out.contains("left out untold: `x` has no annotation") && out.contains("left out odd: `x` is a dict"),
        "{out}"
    );
    let manifest = std::fs::read_to_string(subject.path().join("dodona.toml")).expect("written");
    for wanted in [
        "python = \"pricing\"",
        "# The price.\n",
        "\"price(strike: f64, vol: f64, label: text) -> f64\"",
        "\"mod_(xs: [f64], div_: i64) -> Option<(f64, i64)>\"\npath = \"mod\"",
    ] {
        assert!(manifest.contains(wanted), "{wanted}: {manifest}");
    }
    assert!(
        !manifest.contains("hidden") && manifest.contains("# with the defaults of more, deep\n"),
        "{manifest}"
    );
    assert!(
        out.contains("left out later: ") && out.contains("left out größe: a signature cannot have its names"),
        "{out}"
    );
    assert_eq!(call(subject.path(), "mod_([1.0, 2.5], 7).0"), "3.5");
    std::fs::write(
        subject.path().join("pricing.mr"),
        "relation sum: mod_(xs, div_) is some implies mod_(xs, div_).0 ~= sum(xs)\n",
    )
    .expect("written");
    let again = exits(subject.path(), &["init", "--python", "pricing"], 2);
    assert!(again.contains("dodona.toml"), "{again}");
    let broken = folder(&[("b.py", "import nowhere_at_all\n")]);
    let out = exits(broken.path(), &["init", "--python", "b"], 4);
    assert!(out.contains("cannot import b") && out.contains("nowhere_at_all"), "{out}");
}

#[test]
fn one_run_checks_what_is_accepted_and_finds_laws_where_nothing_is() {
    let module = "def f(x): return 3 * x\ndef g(x): return abs(x)\n";
    let functions = "[[function]]\nsignature = \"f(x: f64) -> f64\"\ndomain.x = { range = [-1000, 1000] }\n\
        [[function]]\nsignature = \"g(x: f64) -> f64\"\ndomain.x = { range = [-1000, 1000] }\n";
    let subject = python(module, functions, "relation odd: f(-x) ~= -f(x)\n");
    let words = ["run", ".", "--time", "30s"];
    let out = exits(subject.path(), &words, 0);
    assert!(out.contains("f: 1 relation holds") && out.contains("found, not accepted"), "{out}");
    let out = exits(subject.path(), &["accept"], 0);
    assert!(out.contains("accepted g_"), "{out}");
    // No mutant was run, and nobody says that relations catch all of them.
    let out = exits(subject.path(), &words, 0);
    assert!(!out.contains("catch every mutant"), "{out}");
    // What the session has of it can be asked for.
    let question = "SELECT count(*) AS n FROM verdict WHERE run = 1";
    let rows = exits(subject.path(), &["query", question, "--format", "csv"], 0);
    let count: u32 = rows.lines().last().and_then(|line| line.parse().ok()).expect("a number");
    assert!(count >= 2, "{rows}");
    // A fault is seen by the next run, whatever was kept.
    let faulty = "def f(x): return 3 * x + (x > 900)\ndef g(x): return abs(x)\n";
    std::fs::write(subject.path().join("m.py"), faulty).expect("written");
    let out = exits(subject.path(), &words, 1);
    assert!(out.contains("violated: odd"), "{out}");
}

#[test]
fn methods_of_java_are_called_where_a_jdk_is_installed() {
    if Command::new("javac").arg("--version").output().is_err() {
        eprintln!("left out: a JDK is not installed");
        return;
    }
    let class = r#"
package shop;
import java.util.*;
public class Price {
    public static int gcd(int p, int q) { return q == 0 ? Math.abs(p) : gcd(q, p % q); }
    public static long gcd(long p, long q) { return q == 0 ? Math.abs(p) : gcd(q, p % q); }
    public static double root(double x) { System.out.println("noise"); if (x < 0) throw new IllegalArgumentException("below \ud83d zero"); return Math.sqrt(x); }
    public static String flip(String t) { return new StringBuilder(t).reverse().toString(); }
    public static double[] sorted(double[] xs) { double[] ys = xs.clone(); Arrays.sort(ys); return ys; }
    public static List<Integer> twice(List<Integer> xs) { List<Integer> ys = new ArrayList<>(); for (Number x : xs) ys.add(2 * x.intValue()); return ys; }
    public Optional<Long> half(long x) { return x % 2 == 0 ? Optional.of(x / 2) : Optional.empty(); }
    public static Object[] parts(double x) { return new Object[] { Math.floor(x), x - Math.floor(x) }; }
    public static int deep(int n) { return n < 0 ? n : deep(n + 1) + 1; }
    public static double zero(double x) { return -0.0; }
}
"#;
    let functions = "[[function]]\nsignature = \"gcd(p: i32, q: i32) -> i32\"\n[[function]]\nsignature = \"wide(p: i64, q: i64) -> i64\"\npath = \"gcd(long,long)\"\n\
        [[function]]\nsignature = \"root(x: f64) -> f64\"\n[[function]]\nsignature = \"flip(t: text) -> text\"\n[[function]]\nsignature = \"sorted(xs: [f64]) -> [f64]\"\n\
        [[function]]\nsignature = \"twice(xs: [i32]) -> [i32]\"\n[[function]]\nsignature = \"half(x: i64) -> Option<i64>\"\n[[function]]\nsignature = \"parts(x: f64) -> (f64, f64)\"\n\
        [[function]]\nsignature = \"deep(n: i32) -> i32\"\ndomain.n = { range = [0, 9] }\n[[function]]\nsignature = \"zero(x: f64) -> f64\"\n";
    let relations = "relation commutative: wide(p, q) == wide(q, p)\nrelation raises: when x < 0: root(x) traps\nrelation deep: deep(n) traps\n";
    let subject = program("java = \"shop.Price\"", functions, relations, &[("Price.java", class)]);
    let compiled = Command::new("javac")
        .args(["-d", ".", "Price.java"])
        .current_dir(subject.path())
        .output()
        .expect("runs");
    assert!(compiled.status.success(), "{}", both(&compiled));
    let out = exits(subject.path(), &["check", ".", "--sources", "200"], 0);
    assert!(out.contains("3 relations: 3 hold"), "{out}");
    let of = |expression: &str| call(subject.path(), expression);
    assert_eq!(of("wide(9223372036854775806, 4)"), "2");
    assert_eq!([of("flip(\"a\\x00ä\")"), of("sorted([2.0, nan, -0.0])")], ["\"ä\\0a\"", "[-0.0, 2.0, nan]"]);
    assert_eq!(
        [of("twice([3])"), of("half(3) is none"), of("half(8)"), of("parts(2.5).1"), of("zero(1.0)")],
        ["[6]", "true", "4", "0.5", "-0.0"]
    );
    let raised = both(&run(subject.path(), &["call", ".", "root(-1.0)"]));
    assert!(
        raised.contains("raised IllegalArgumentException") && raised.contains("Price.java:7"),
        "{raised}"
    );
    let manifest = std::fs::read_to_string(subject.path().join("dodona.toml")).expect("read");
    std::fs::write(subject.path().join("dodona.toml"), manifest.replace("gcd(long,long)", "gcd(text)"))
        .expect("written");
    let out = exits(subject.path(), &["check", "."], 4);
    assert!(out.contains("there are gcd("), "{out}");
}

#[test]
fn a_budget_of_calls_is_kept_and_spent_by_a_schedule() {
    let module =
        "import os\ndef f(x):\n    open('calls', 'a').write('.')\n    return 2 * x if x < 900 else x\n";
    let functions = format!("{OF_NUMBER}domain.x = {{ range = [-1000, 1000] }}\n");
    let relations = "relation odd: f(-x) == -f(x)\nrelation plus: f(x + 1) > f(x)\n";
    for schedule in ["round-robin", "feedback", "bandit"] {
        let subject = python(module, &functions, relations);
        let words = ["check", ".", "--runs", "40", "--schedule", schedule, "--format", "json"];
        let output = run(subject.path(), &words);
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let record = &record["subjects"][0];
        let spent = record["schedule"]["runs"].as_u64().expect("a number");
        let violated = record["relations"].as_array().expect("a list").iter();
        let violated = violated.filter(|one| one["counterexample"].is_object()).count();
        assert_eq!(output.status.code(), Some(i32::from(violated > 0)), "{}", both(&output));
        assert!(spent <= 40 && (spent >= 39 || violated == 2), "{record}");
        let beside = record["schedule"]["beside"].as_u64().expect("a number");
        let calls = std::fs::read(subject.path().join("calls")).expect("calls").len() as u64;
        // Some calls are made twice, and equal ones once.
        assert!(calls <= (spent + beside) * 2 + 8, "{calls} {record}");
    }
    let subject = python(module, &functions, relations);
    let out = exits(subject.path(), &["check", ".", "--runs", "1"], 3);
    assert!(out.contains("1 of 1") || out.contains("runs"), "{out}");
    exits(subject.path(), &["check", ".", "--runs", "5", "--sources", "5"], 2);
    exits(subject.path(), &["check", ".", "--schedule", "bandit"], 2);
}
