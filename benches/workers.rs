//! Calls a second of functions in other processes: of a crate that is built for this machine, of the workers for Python, Node and Java that ship, of a worker that chooses the framing `rows` or
//! lines of JSON, and of a program that is run for each call; in columns of many rows, and of one.
//!
//! `cargo bench --package dodona-benches --bench workers` runs it with the others; `cargo run --release --package dodona-workers --example calls` runs the same
//! file without building the engine.

use std::path::Path;
use std::time::{Duration, Instant};

use dodona_subject::{Manifest, ModuleSource, OutsideKind, build};
use dodona_target::{Column, Target};
use dodona_workers::{CommandOptions, CommandTarget, ProtocolOptions, ProtocolTarget, WorkerTarget};

/// Rows of a column, of as many as a check has in a batch and of more.
const COLUMNS: [usize; 3] = [100_000, 4096, 256];

/// How long each figure is measured, and how often: the best counts, as other work on the machine only makes it worse.
const MEASURED: Duration = Duration::from_millis(700);
const TIMES: usize = 5;

const CODE: &str = "
pub fn add(a: i64, b: i64) -> i64 { a.wrapping_add(b) }
pub fn gcd(a: i64, b: i64) -> i64 { let (mut a, mut b) = (a, b); while b != 0 { (a, b) = (b, a % b); } a.abs() }
";

const SIGNATURES: &str = "
[[function]]
signature = \"add(a: i64, b: i64) -> i64\"
[[function]]
signature = \"gcd(a: i64, b: i64) -> i64\"
";

/// A worker of the protocol in Python. What it costs is the cost of Python, but for what the framing saves.
const WORKER: &str = r#"
import json, math, struct, sys
FRAMES = sys.argv[1] == "rows"
read, write = sys.stdin.buffer, sys.stdout.buffer
read.readline()
write.write(json.dumps({"protocol": 1, "worker": "a bench", **({"framing": "rows"} if FRAMES else {})}).encode() + b"\n")
write.flush()
functions = [lambda a, b: a + b, math.gcd]
while FRAMES:
    head = read.read(20)
    if len(head) < 20:
        break
    _, length, number, function, rows = struct.unpack("<5I", head)
    call = functions[function]
    answer = b"".join([struct.pack("<IBq", 9, 0, call(a, b)) for _, a, b in struct.iter_unpack("<Iqq", read.read(length))])
    write.write(struct.pack("<4I", 1, len(answer), number, rows) + answer)
    write.flush()
while line := read.readline():
    request = json.loads(line)
    call = functions[request["function"]]
    write.write(json.dumps({"id": request["id"], "values": [call(a, b) for a, b in request["rows"]]}).encode() + b"\n")
    write.flush()
"#;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let native = native(home);
    figures("a crate, built for this machine", &native);
    for (what, language, files) in SHIPPED {
        files.iter().for_each(|(name, text)| written(&home.join(name), text));
        if language.starts_with("java") && !is_compiled(home) {
            println!("{what}: a JDK is not installed");
            continue;
        }
        figures(what, &worker(home, what, language));
    }
    for framing in ["rows", "lines"] {
        let language = format!("worker = [\"python3\", \"worker.py\", \"{framing}\"]");
        written(&home.join("worker.py"), WORKER);
        figures(&format!("a worker in Python, {framing}"), &worker(home, framing, &language));
    }
    runs(home);
}

/// A worker that ships: a name, what a manifest says, and the files of the functions.
type Shipped = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const SHIPPED: [Shipped; 3] = [
    (
        "Python",
        "python = \"m\"",
        &[("m.py", "import math\ndef add(a, b): return a + b\ndef gcd(a, b): return math.gcd(a, b)\n")],
    ),
    (
        "Node",
        "node = \"./m.mjs\"",
        &[(
            "m.mjs",
            "export const add = (a, b) => a + b;\nexport function gcd(a, b) { while (b) [a, b] = [b, a % b]; return Math.abs(a); }\n",
        )],
    ),
    (
        "Java",
        "java = \"M\"\nclasspath = [\".\"]",
        &[(
            "M.java",
            "public class M {\n  public static long add(long a, long b) { return a + b; }\n  public static long gcd(long a, long b) { while (b != 0) { long c = a % b; a = b; b = c; } return Math.abs(a); }\n}\n",
        )],
    ),
];

fn is_compiled(home: &Path) -> bool {
    std::process::Command::new("javac").arg("M.java").current_dir(home).status().is_ok_and(|s| s.success())
}

/// Runs a second of a small program, on one thread and on two.
fn runs(home: &Path) {
    let text = "relations = []\n[target]\ncommand = [\"/bin/echo\", \"{a}\"]\n[[function]]\nsignature = \"f(a: i64) -> i64\"\n";
    let path = home.join("command.toml");
    written(&path, text);
    let manifest = Manifest::read(&path).expect("a manifest");
    let ModuleSource::Outside(outside) = &manifest.source else { unreachable!("it declares a program") };
    let OutsideKind::Command(calls) = &outside.kind else { unreachable!("it declares a program") };
    let options = CommandOptions {
        name: manifest.name.clone(),
        declared_in: path,
        signatures: manifest.signatures(),
        calls: calls.clone(),
        folder: home.to_owned(),
        environment: std::env::vars_os().collect(),
        memory: 1 << 30,
        time: manifest.limits.time,
        output: manifest.limits.output,
        processes: manifest.limits.processes,
    };
    let target = CommandTarget::find(options).expect("it is there");
    for threads in [1, 2] {
        let begun = Instant::now();
        let all: u64 = std::thread::scope(|scope| {
            let count = || {
                let mut session = target.open();
                let (rows, mut calls) = ([Column::Int((0..16).collect())], 0);
                while begun.elapsed() < MEASURED * 3 {
                    calls += session.call(0, &rows).expect("runs").outcomes.len() as u64;
                }
                calls
            };
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
            running.into_iter().map(|thread| thread.join().expect("it ends")).sum()
        });
        println!(
            "/bin/echo, {threads} threads\n  {:>12.0} runs/s",
            all as f64 / begun.elapsed().as_secs_f64()
        );
    }
}

fn written(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("written");
}

fn native(home: &Path) -> WorkerTarget {
    written(
        &home.join("code/Cargo.toml"),
        "[package]\nname = \"code\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    written(&home.join("code/src/lib.rs"), CODE);
    let text = format!("relations = []\n[build]\ncrate = {{ path = \"code\" }}\n{SIGNATURES}");
    let path = home.join("dodona.toml");
    written(&path, &text);
    let manifest = Manifest::read(&path).expect("a manifest");
    let program = build::native_program(&manifest, &[]).expect("it builds");
    let signatures = build::native_signatures(&manifest).expect("of a crate");
    WorkerTarget::new("code".to_owned(), path, signatures, program, manifest.limits.memory)
}

fn worker(home: &Path, name: &str, language: &str) -> ProtocolTarget {
    let text = format!("relations = []\n[target]\n{language}\n{SIGNATURES}");
    let path = home.join(format!("{name}.toml"));
    written(&path, &text);
    let manifest = Manifest::read(&path).expect("a manifest");
    let ModuleSource::Outside(outside) = &manifest.source else { unreachable!("it declares a worker") };
    let OutsideKind::Worker(source) = &outside.kind else { unreachable!("it declares a worker") };
    let options = ProtocolOptions {
        name: manifest.name.clone(),
        declared_in: path,
        signatures: manifest.signatures(),
        source: source.clone(),
        environment: std::env::vars_os().collect(),
        memory: manifest.limits.memory,
        time: manifest.limits.time,
    };
    ProtocolTarget::start(options).expect("it starts")
}

fn figures(what: &str, target: &dyn Target) {
    println!("{what}");
    for (function, signature) in target.functions().iter().enumerate() {
        for rows in COLUMNS.into_iter().chain([1]) {
            let best = (0..TIMES).map(|_| calls_a_second(target, function, rows)).fold(0.0, f64::max);
            println!("  {:>12.0} calls/s of {} in columns of {rows}", best, signature.name);
        }
    }
}

fn calls_a_second(target: &dyn Target, function: usize, rows: usize) -> f64 {
    let mut session = target.open();
    let numbers = |step: i128| Column::Int((0..rows as i128).map(|row| row * step % 997 + 1).collect());
    let arguments = [numbers(31), numbers(57)];
    // The process starts, and looks whether the function keeps something.
    let first = session.call(function, &arguments).expect("calls");
    assert!(first.outcomes.iter().all(|outcome| outcome.has_outputs()));
    let (begun, mut calls) = (Instant::now(), 0);
    while begun.elapsed() < MEASURED {
        calls += session.call(function, &arguments).expect("calls").outcomes.len();
    }
    calls as f64 / begun.elapsed().as_secs_f64()
}
