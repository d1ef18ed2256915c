//! What is kept comes back, and whatever happens to the file, nothing is lost without a word.

use std::path::Path;
use std::time::Duration;

use dodona_records::{
    Elapsed, FunctionRun, RelationRecord, RelationState, RunRecord, RunRelation, SubjectRun, Tally,
};
use dodona_session::{
    Cell, Cleaned, EndedRun, KEPT_RUNS, Key, KeyBuilder, NewPiece, NewRun, RunId, RunState, SCHEMA_VERSION,
    Session, SessionError, ask, file_in, last_run, named_run,
};

fn open(folder: &Path) -> Session {
    Session::open(folder, Duration::ZERO, &mut |_| {}).expect("a session")
}

fn begin(session: &mut Session) -> RunId {
    session.begin(&NewRun { version: "1.0", seed: u64::MAX, options: "{}" }).expect("a run")
}

fn key(name: &str) -> Key {
    KeyBuilder::new("test").with(name).key()
}

fn keep(session: &mut Session, run: RunId, name: &str) {
    let piece = NewPiece {
        key: key(name),
        kind: "check",
        subject: "s/dodona.toml",
        subject_name: "s",
        about: name,
        took: Duration::from_millis(5),
        record: &format!("\"{name}\""),
        mutation: None,
        coverage: None,
    };
    session.keep(run, &piece).expect("kept");
}

fn record(relations: usize) -> RunRecord {
    let relation = |number: usize| {
        let name = format!("r{number}");
        RunRelation {
            state: if number == 0 { RelationState::Accepted } else { RelationState::Found },
            words: None,
            found_by: None,
            proof: None,
            check: RelationRecord {
                text: format!("relation {name}: f(x) == {number}"),
                name,
                file: "s.mr".into(),
                line: number + 1,
                sources: 10,
                tally: Tally { held: 10, ..Tally::default() },
                counterexample: None,
                skipped: Default::default(),
                outside: None,
                elapsed: Elapsed::default(),
            },
            caught: None,
        }
    };
    let relations = (0..relations).map(relation).collect();
    let function =
        FunctionRun { function: "f".into(), relations, faults: None, coverage: None, adequacy: None };
    let subject = SubjectRun {
        subject: "s".into(),
        manifest: "s/dodona.toml".into(),
        functions: vec![function],
        ..SubjectRun::default()
    };
    RunRecord { format_version: 2, seed: u64::MAX, repeated: Default::default(), subjects: vec![subject] }
}

fn ended(took: Duration, record: &RunRecord) -> EndedRun<'_> {
    EndedRun { state: RunState::Finished, took, record, name: None }
}

fn number(folder: &Path, question: &str) -> i64 {
    match ask(folder, question, 10).expect("an answer").rows[0][0] {
        Cell::Integer(number) => number,
        ref other => panic!("{other:?} is no number"),
    }
}

#[test]
fn a_piece_comes_back_in_later_runs_and_is_noted_as_done_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    let first = begin(&mut session);
    assert_eq!(session.piece(first, key("a")).expect("read"), None);
    keep(&mut session, first, "a");
    // To keep it twice is to keep it once.
    keep(&mut session, first, "a");
    drop(session);
    let mut session = open(folder.path());
    let second = begin(&mut session);
    assert_eq!(session.piece(second, key("a")).expect("read").as_deref(), Some("\"a\""));
    assert_eq!(session.piece(second, key("b")).expect("read"), None);
    assert_eq!(number(folder.path(), "SELECT count(*) FROM run_piece WHERE reused = 0"), 1);
    assert_eq!(number(folder.path(), "SELECT count(*) FROM run_piece WHERE reused = 1"), 1);
}

#[test]
fn a_run_ends_with_its_record_and_one_that_was_killed_counts_as_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    let run = begin(&mut session);
    session.finish(run, &ended(Duration::from_secs(2), &record(3))).expect("finished");
    let last = last_run(folder.path()).expect("read").expect("a run");
    assert_eq!((last.id, last.record, last.state.as_str()), (run, Some(record(3)), "finished"));
    assert_eq!(last.took, Some(Duration::from_secs(2)));
    begin(&mut session);
    drop(session);
    drop(open(folder.path()));
    let last = last_run(folder.path()).expect("read").expect("a run");
    assert_eq!((last.state.as_str(), last.record), ("interrupted", None));
    assert_eq!(number(folder.path(), "SELECT seed FROM run WHERE id = 1"), -1, "the same bits, with a sign");
}

#[test]
fn the_same_statement_under_another_name_is_the_same_relation() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    for name in ["r0", "renamed"] {
        let mut record = record(1);
        let relation = &mut record.subjects[0].functions[0].relations[0].check;
        relation.text = relation.text.replace("r0", name);
        relation.name = name.to_owned();
        let run = begin(&mut session);
        session.finish(run, &ended(Duration::ZERO, &record)).expect("finished");
    }
    assert_eq!(number(folder.path(), "SELECT count(*) FROM relation WHERE name = 'renamed'"), 1);
    assert_eq!(number(folder.path(), "SELECT count(*) FROM relation"), 1);
    assert_eq!(number(folder.path(), "SELECT count(*) FROM verdict"), 2);
}

#[test]
fn a_newer_session_is_refused_with_both_versions() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(open(folder.path()));
    let newer = SCHEMA_VERSION + 1;
    let connection = rusqlite::Connection::open(file_in(folder.path())).expect("a database");
    connection.pragma_update(None, "user_version", newer).expect("written");
    drop(connection);
    let before = std::fs::read(file_in(folder.path())).expect("the file");
    let Err(error) = Session::open(folder.path(), Duration::ZERO, &mut |_| {}) else { panic!("it opened") };
    assert!(
        matches!(error, SessionError::Newer { found, known, .. } if found == newer && known == SCHEMA_VERSION)
    );
    assert!(matches!(last_run(folder.path()), Err(SessionError::Newer { .. })));
    assert_eq!(std::fs::read(file_in(folder.path())).expect("the file"), before, "it is left as it was");
}

#[test]
fn a_damaged_session_is_set_aside_and_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file_in(folder.path());
    // Text, a file that is cut short, and pages overwritten in the middle.
    let mut session = open(folder.path());
    let run = begin(&mut session);
    (0..400).for_each(|number| keep(&mut session, run, &format!("{number:0200}")));
    drop(session);
    let whole = std::fs::read(&path).expect("the file");
    assert!(whole.len() > 40_000, "{} bytes", whole.len());
    let mut overwritten = whole.clone();
    overwritten[8192..24_576].fill(0x5a);
    let cases = [
        b"this is no database, whatever its name says, and it is long enough".to_vec(),
        whole[..10_000].to_vec(),
        overwritten,
    ];
    for (number, damaged) in cases.iter().enumerate() {
        std::fs::write(&path, damaged).expect("written");
        let mut session = open(folder.path());
        let aside = format!("session.db.damaged-{}", number + 1);
        assert!(session.warnings[0].contains(&aside), "{:?}", session.warnings);
        assert_eq!(&std::fs::read(folder.path().join(aside)).expect("set aside"), damaged);
        // The new one works.
        let run = begin(&mut session);
        keep(&mut session, run, "a");
    }
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file_in(folder.path());
    let connection = rusqlite::Connection::open(&path).expect("a database");
    connection.execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)").expect("written");
    drop(connection);
    let before = std::fs::read(&path).expect("the file");
    let Err(error) = Session::open(folder.path(), Duration::ZERO, &mut |_| {}) else { panic!("it opened") };
    assert!(matches!(error, SessionError::Foreign(_)), "{error}");
    assert_eq!(std::fs::read(&path).expect("the file"), before);
}

#[test]
fn the_second_waits_and_is_told_who_holds_the_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = open(folder.path());
    let mut told = Vec::new();
    let again =
        Session::open(folder.path(), Duration::from_millis(250), &mut |holder| told.push(holder.to_owned()));
    let Err(SessionError::Held { holder, .. }) = again else { panic!("two hold it") };
    assert_eq!(holder, format!("process {}", std::process::id()));
    assert_eq!(told, [holder]);
    // Readers do not wait.
    assert!(last_run(folder.path()).expect("read").is_none());
    let waiting = std::thread::spawn({
        let folder = folder.path().to_owned();
        move || Session::open(&folder, Duration::from_secs(60), &mut |_| {}).is_ok()
    });
    drop(first);
    assert!(waiting.join().expect("no panic"), "it goes on when the first ends");
}

#[test]
fn a_copied_session_works_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    let run = begin(&mut session);
    keep(&mut session, run, "a");
    drop(session);
    std::fs::copy(file_in(folder.path()), file_in(elsewhere.path())).expect("copied");
    let mut session = open(elsewhere.path());
    let run = begin(&mut session);
    assert!(session.piece(run, key("a")).expect("read").is_some());
}

#[test]
fn old_runs_are_forgotten_with_what_only_they_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    for number in 0..5 {
        let run = begin(&mut session);
        keep(&mut session, run, &format!("of run {number}"));
        match session.piece(run, key("shared")).expect("read") {
            Some(_) => {}
            None => keep(&mut session, run, "shared"),
        }
        session.finish(run, &ended(Duration::ZERO, &record(number + 1))).expect("finished");
    }
    assert_eq!(session.clean(2).expect("cleaned"), Cleaned { runs: 3, pieces: 3 });
    assert_eq!(number(folder.path(), "SELECT count(*) FROM piece"), 3);
    assert_eq!(number(folder.path(), "SELECT count(*) FROM relation"), 5, "the last run has five");
    assert_eq!(session.clean(0).expect("cleaned"), Cleaned { runs: 2, pieces: 3 });
    assert_eq!(number(folder.path(), "SELECT count(*) FROM verdict"), 0);
    assert!(last_run(folder.path()).expect("read").is_none());
}

#[test]
fn a_run_with_a_name_is_never_forgotten_and_a_later_one_takes_the_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    for (relations, name) in [(1, Some("release")), (2, Some("release")), (3, None)] {
        let run = begin(&mut session);
        let record = record(relations);
        session.finish(run, &EndedRun { name, ..ended(Duration::ZERO, &record) }).expect("finished");
    }
    assert_eq!(session.clean(0).expect("cleaned").runs, 2);
    let named = named_run(folder.path(), "release").expect("read").expect("it is kept");
    assert_eq!((named.id, named.record), (RunId(2), Some(record(2))));
    assert!(named_run(folder.path(), "other").expect("read").is_none());
}

#[test]
fn a_question_is_answered_or_refused_with_its_place_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(matches!(ask(folder.path(), "SELECT 1", 1), Err(SessionError::Missing(_))));
    drop(open(folder.path()));
    let answer = ask(folder.path(), "SELECT 1 AS a, 2.5, 'x', x'ff', NULL UNION SELECT 2, 0, '', '', 0", 1);
    let answer = answer.expect("an answer");
    assert_eq!(answer.columns[0], "a");
    assert!(answer.is_cut && answer.rows.len() == 1);
    let twice = ask(folder.path(), "SELECT 1 AS a, 2 AS a, 3 AS a_2", 1).expect("an answer");
    assert_eq!(twice.columns, ["a", "a_2", "a_2_2"]);
    let refused = |question| match ask(folder.path(), question, 1) {
        Err(SessionError::Question(why)) => why,
        other => panic!("{question}: {other:?}"),
    };
    assert_eq!(
        refused("SELECT absent FROM run"),
        "no such column: absent\n  SELECT absent FROM run\n         ^"
    );
    for question in
        ["DELETE FROM run", "SELECT 1; SELECT 2", "ATTACH 'x.db' AS x", "PRAGMA user_version = 7", ""]
    {
        refused(question);
    }
    drop(open(folder.path()));
    assert!(!folder.path().join("x.db").exists());
}

#[test]
fn what_cannot_be_kept_is_not_half_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    let run = begin(&mut session);
    // The disk is full: there may be no more pages than there are.
    session.limit_to_its_size().expect("limited");
    let large = "x".repeat(1 << 20);
    let piece = NewPiece {
        key: key("large"),
        kind: "check",
        subject: "t/dodona.toml",
        subject_name: "t",
        about: "large",
        took: Duration::ZERO,
        record: &large,
        mutation: None,
        coverage: None,
    };
    let error = session.keep(run, &piece).expect_err("there is no room");
    assert!(error.to_string().contains("full"), "{error}");
    assert_eq!(number(folder.path(), "SELECT count(*) FROM subject WHERE name = 't'"), 0);
    assert_eq!(session.piece(run, key("large")).expect("read"), None);
}

#[test]
fn a_session_keeps_the_last_runs_and_those_with_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = open(folder.path());
    for number in 0..KEPT_RUNS + 3 {
        let run = begin(&mut session);
        keep(&mut session, run, &format!("p{number}"));
        let record = record(1);
        let name = (number == 1).then_some("release");
        let ended = EndedRun { name, ..ended(Duration::ZERO, &record) };
        session.finish(run, &ended).expect("finished");
        session.retain().expect("forgotten");
    }
    assert_eq!(number(folder.path(), "SELECT count(*) FROM run"), KEPT_RUNS as i64 + 1);
    assert_eq!(number(folder.path(), "SELECT min(id) FROM run"), 2);
    let first = session.peek(key("p0")).expect("read");
    assert_eq!((first, session.peek(key("p1")).expect("read").is_some()), (None, true));
}
