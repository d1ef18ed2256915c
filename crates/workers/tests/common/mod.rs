//! Workers of the protocol that a test writes in Python.

#![allow(dead_code, reason = "each test takes what it needs")]

use dodona_subject::{Manifest, ModuleSource, OutsideKind};
use dodona_target::{Session, Target as _};
use dodona_workers::{ProtocolOptions, ProtocolTarget, WorkerError};
use tempfile::TempDir;

/// The framing of rows as the book describes it. Rows are answered in parts of four.
pub(crate) const LIBRARY: &str = r#"
import json, os, struct, sys, time

def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

def greet():
    hello = json.loads(sys.stdin.buffer.readline())
    assert "rows" in hello["framings"], hello
    write(b'{"protocol":1,"worker":"a test","framing":"rows"}\n')

def request():
    head = sys.stdin.buffer.read(20)
    return struct.unpack("<BBxxIIII", head) if len(head) == 20 else sys.exit()

def text(words):
    return struct.pack("<I", len(words.encode())) + words.encode()

def serve(call):
    greet()
    while True:
        version, flags, length, number, function, rows = request()
        assert version == 1, version
        body = sys.stdin.buffer.read(length)
        while rows:
            part, answers = min(rows, 4), b""
            for _ in range(part):
                length, = struct.unpack("<I", body[:4])
                row, body = body[4:4 + length], body[4 + length:]
                answer = call(row)
                answers += struct.pack("<I", len(answer)) + answer
            write(struct.pack("<BBHIII", 1, 0, 0, len(answers), number, part) + answers)
            rows -= part
"#;

/// A session of a worker, whose files are in a folder as long as it lasts.
pub(crate) struct Opened {
    pub(crate) session: Box<dyn Session>,
    pub(crate) home: TempDir,
}

/// A worker of one function with this code.
pub(crate) fn opened(signature: &str, code: &str) -> Opened {
    let (target, home) = start(signature, code).expect("it starts");
    Opened { session: target.open(), home }
}

/// Starts a worker of one function with this code.
///
/// # Errors
/// What the target says.
pub(crate) fn start(signature: &str, code: &str) -> Result<(ProtocolTarget, TempDir), WorkerError> {
    let home = tempfile::tempdir().expect("a folder");
    std::fs::write(home.path().join("worker.py"), code).expect("written");
    let text = format!(
        "relations = []\n[target]\nworker = [\"python3\", \"worker.py\"]\n[limits]\ntime = 2\n[[function]]\nsignature = \"{signature}\"\n"
    );
    let target = declared(&home, &text)?;
    Ok((target, home))
}

/// The worker that a manifest in a folder declares.
///
/// # Errors
/// What the target says.
pub(crate) fn declared(home: &TempDir, manifest: &str) -> Result<ProtocolTarget, WorkerError> {
    let path = home.path().join("dodona.toml");
    std::fs::write(&path, manifest).expect("written");
    let manifest = Manifest::read(&path).expect("a manifest");
    let ModuleSource::Outside(outside) = &manifest.source else { unreachable!("it declares a worker") };
    let OutsideKind::Worker(source) = &outside.kind else { unreachable!("it declares a worker") };
    ProtocolTarget::start(ProtocolOptions {
        name: manifest.name.clone(),
        declared_in: path,
        signatures: manifest.signatures(),
        source: source.clone(),
        environment: std::env::vars_os().collect(),
        memory: manifest.limits.memory,
        time: manifest.limits.time,
    })
}
