//! A session of two million verdicts: how large its file is, and how long it takes to keep a piece, to show the last run, and to answer questions about all of it.
//!
//! `cargo bench --package dodona-benches --bench session` runs it with the others; `cargo run --release --package dodona-session --example session` runs the same
//! file without building the engine.

use std::time::{Duration, Instant};

use dodona_records::{
    Elapsed, FunctionRun, RelationRecord, RelationState, RunRecord, RunRelation, SubjectRun, Tally,
};
use dodona_session::{
    EndedRun, KeyBuilder, NewPiece, NewRun, RunState, Session, ask, file_in, last_run_with_record,
};

const RUNS: usize = 2_000;
const RELATIONS: usize = 1_000;
const PIECES: usize = 5_000;

const QUESTIONS: [(&str, &str); 4] = [
    ("verdicts by kind", "SELECT verdict, count(*) FROM verdict GROUP BY verdict"),
    ("the runs of one relation", "SELECT run, held FROM verdict JOIN relation ON relation = relation.id WHERE name = 'r500'"),
    (
        "what changed between the last two runs",
        "SELECT name FROM verdict AS now JOIN verdict AS before ON before.relation = now.relation AND before.run = now.run - 1
         JOIN relation ON relation.id = now.relation WHERE now.run = (SELECT max(id) FROM run) AND now.verdict <> before.verdict",
    ),
    ("groups of each relation in all runs", "SELECT relation, sum(held) FROM verdict GROUP BY relation"),
];

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = Session::open(folder.path(), Duration::ZERO, &mut |_| {}).expect("a session");
    let mut record = record();
    let started = Instant::now();
    for _ in 0..RUNS {
        let run = session.begin(&NewRun { version: "0.1.0", seed: 0, options: "{}" }).expect("begun");
        record.seed += 1;
        let ended =
            EndedRun { state: RunState::Finished, took: Duration::from_secs(1), record: &record, name: None };
        session.finish(run, &ended).expect("finished");
    }
    let took = started.elapsed().as_secs_f64();
    println!(
        "{} verdicts in {RUNS} runs: {:.1} µs a verdict",
        RUNS * RELATIONS,
        took / (RUNS * RELATIONS) as f64 * 1e6
    );
    let run = session.begin(&NewRun { version: "0.1.0", seed: 0, options: "{}" }).expect("begun");
    let started = Instant::now();
    for number in 0..PIECES {
        let key = KeyBuilder::new("check").with(number.to_le_bytes()).key();
        let about = format!("r{number}");
        let text = serde_json::to_string(&record.subjects[0].functions[0].relations[0]).expect("JSON");
        let piece = NewPiece {
            key,
            kind: "check",
            subject: "s/dodona.toml",
            subject_name: "s",
            about: &about,
            took: Duration::from_millis(1),
            record: &text,
            mutation: None,
            coverage: None,
        };
        session.keep(run, &piece).expect("kept");
    }
    println!("a piece is kept in {:.0} µs", started.elapsed().as_secs_f64() / PIECES as f64 * 1e6);
    drop(session);
    let size = file_in(folder.path()).metadata().expect("the file").len();
    println!("the file has {:.0} MB", size as f64 / 1e6);
    let started = Instant::now();
    let last = last_run_with_record(folder.path()).expect("read").expect("a run");
    let relations = last.record.map_or(0, |record| record.subjects[0].relations().count());
    println!(
        "the last run, of {relations} relations, is read in {:.1} ms",
        started.elapsed().as_secs_f64() * 1e3
    );
    for (what, question) in QUESTIONS {
        let started = Instant::now();
        let rows = ask(folder.path(), question, usize::MAX).expect("an answer").rows.len();
        println!("{what}: {rows} rows in {:.1} ms", started.elapsed().as_secs_f64() * 1e3);
    }
    let started = Instant::now();
    drop(Session::open(folder.path(), Duration::ZERO, &mut |_| {}).expect("a session"));
    println!("the session is opened in {:.1} ms", started.elapsed().as_secs_f64() * 1e3);
}

/// What a run with many relations found.
fn record() -> RunRecord {
    let relation = |number: usize| RunRelation {
        state: if number.is_multiple_of(3) { RelationState::Found } else { RelationState::Accepted },
        words: None,
        found_by: None,
        proof: None,
        check: RelationRecord {
            name: format!("r{number}"),
            text: format!("relation r{number}: f(x + {number}) == f(x) + {number}"),
            file: "s.mr".into(),
            line: number + 1,
            sources: 1000,
            tally: Tally { held: 1000 + number as u64, ..Tally::default() },
            counterexample: None,
            skipped: Default::default(),
            outside: None,
            elapsed: Elapsed::default(),
        },
        caught: None,
    };
    let function = FunctionRun {
        function: "f".into(),
        relations: (0..RELATIONS).map(relation).collect(),
        ..FunctionRun::default()
    };
    let subject = SubjectRun {
        subject: "s".into(),
        manifest: "s/dodona.toml".into(),
        functions: vec![function],
        ..SubjectRun::default()
    };
    RunRecord { format_version: 2, seed: 0, repeated: Default::default(), subjects: vec![subject] }
}
