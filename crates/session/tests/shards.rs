//! A shard file comes back as it was written, and whatever is wrong with files is told by their names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dodona_session::{
    KeyBuilder, NewRun, RunId, Session, SessionError, ShardError, ShardHead, ShardNumber, ShardPiece,
    ShardReader, ShardSet, ShardSubject, ShardWriter,
};
use proptest::prelude::*;

fn shard(text: &str) -> ShardNumber {
    text.parse().expect("a shard")
}

fn head(number: &str) -> ShardHead {
    ShardHead {
        shard: shard(number),
        version: "1.0".into(),
        command: vec!["run".into(), "s".into()],
        seed: 7,
        subjects: vec![ShardSubject {
            manifest: "s/dodona.toml".into(),
            key: "k".into(),
            kept: [("odd-1f.json".into(), KeyBuilder::new("counterexample").key())].into(),
        }],
        costs: None,
        plan: "p".into(),
    }
}

fn piece(name: &str, record: &str) -> ShardPiece {
    ShardPiece {
        key: KeyBuilder::new("test").with(name).key(),
        kind: "check".into(),
        subject: "s/dodona.toml".into(),
        subject_name: "s".into(),
        about: name.into(),
        seconds: 0.5,
        record: record.into(),
    }
}

fn written(head: &ShardHead, pieces: &[ShardPiece]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ShardWriter::begin(&mut bytes, head).expect("begun");
    pieces.iter().for_each(|piece| writer.piece(piece.clone()).expect("written"));
    writer.end().expect("ended");
    bytes
}

fn read(bytes: &[u8]) -> Result<(ShardHead, Vec<ShardPiece>), ShardError> {
    let mut reader = ShardReader::begin(bytes)?;
    let mut pieces = Vec::new();
    while let Some(piece) = reader.piece()? {
        pieces.push(piece);
    }
    assert!(reader.piece()?.is_none(), "an end stays one");
    Ok((reader.head().clone(), pieces))
}

/// A text as a zstd frame.
fn compressed(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 0).expect("compressed")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn pieces_come_back(records in proptest::collection::vec("(?s).{0,60}", 0..20)) {
        let pieces: Vec<ShardPiece> =
            records.iter().enumerate().map(|(place, record)| piece(&place.to_string(), record)).collect();
        let (found, back) = read(&written(&head("3/16"), &pieces)).expect("read");
        prop_assert_eq!(found, head("3/16"));
        prop_assert_eq!(back, pieces);
    }
}

#[test]
fn a_file_that_is_cut_off_or_changed_anywhere_is_no_whole_one() {
    let bytes = written(&head("1/2"), &[piece("a", "{\"x\":1}"), piece("b", "[]")]);
    assert!(read(&bytes).is_ok());
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
    }
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x10;
        // A bit of the frame's header may mean nothing.
        if let Ok((_, pieces)) = read(&changed) {
            assert_eq!(pieces, read(&bytes).expect("whole").1, "{place}");
        }
    }
}

#[test]
fn what_is_no_shard_is_told_from_what_is_damaged_and_what_is_newer() {
    let said = |bytes: &[u8]| read(bytes).expect_err("an error").to_string();
    assert_eq!(said(b""), "it is damaged: it is empty");
    for bytes in [&b"{}"[..], b"dodona", &[0x1f, 0x8b, 8, 0], &compressed("{}\n"), &compressed("PK\n")] {
        assert_eq!(said(bytes), "it is no shard file", "{bytes:?}");
    }
    let newer = compressed("{\"dodona-shard\":2,\"what\":\"nobody knows\"}\n");
    assert_eq!(said(&newer), "a newer Dodona wrote it: its format is 2, and this one reads up to 1");
    let whole =
        String::from_utf8(zstd::decode_all(&written(&head("1/2"), &[piece("a", "1")])[..]).expect("bytes"));
    let whole = whole.expect("text");
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(lines.len(), 3);
    let of = |lines: &[&str]| compressed(&(lines.join("\n") + "\n"));
    assert!(read(&of(&lines)).is_ok());
    // As if somebody had edited it: a piece is missing, twice there, or another one; it goes on behind its end; it has no end.
    for edited in [
        of(&[lines[0], lines[2]]),
        of(&[lines[0], lines[1], lines[1], lines[2]]),
        of(&[lines[0], &lines[1].replace("0.5", "0.6"), lines[2]]),
        of(&[lines[0], lines[1], lines[2], lines[1]]),
        of(&[lines[0], lines[1]]),
        of(&[lines[0], "{\"piece\":{}}", lines[2]]),
        compressed(whole.trim_end()),
    ] {
        assert!(matches!(read(&edited), Err(ShardError::Damaged(_))), "{:?}", read(&edited));
    }
}

/// Writes shards into a folder and looks them through.
fn set(heads: &[(&str, ShardHead)]) -> (tempfile::TempDir, ShardSet) {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = heads
        .iter()
        .map(|(name, head)| {
            let path = folder.path().join(name);
            std::fs::write(&path, written(head, &[piece(name, "1")])).expect("written");
            path
        })
        .collect();
    let set = ShardSet::of(&files, None);
    (folder, set)
}

/// What is wrong, without the folder.
fn problems(heads: &[(&str, ShardHead)]) -> Vec<String> {
    let (folder, set) = set(heads);
    let folder = format!("{}/", folder.path().display());
    set.problems.iter().map(|problem| problem.to_string().replace(&folder, "")).collect()
}

#[test]
fn a_set_knows_its_missing_shards_in_any_order() {
    let (_folder, found) = set(&[("c", head("3/4")), ("a", head("1/4"))]);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert_eq!(found.missing, [shard("2/4"), shard("4/4")]);
    let numbers: Vec<ShardNumber> = found.files.iter().map(|file| file.head.shard).collect();
    assert_eq!(numbers, [shard("1/4"), shard("3/4")]);
    assert_eq!((found.files[0].pieces, found.files[0].seconds), (1, 0.5));
    let none = ShardSet::of(&[], None);
    assert!(none.files.is_empty() && none.missing.is_empty() && none.problems.is_empty());
}

#[test]
fn double_and_foreign_shards_are_told_by_their_names_all_at_once() {
    let other = |change: &dyn Fn(&mut ShardHead)| {
        let mut other = head("2/3");
        change(&mut other);
        other
    };
    let told = problems(&[
        ("seed", other(&|head| head.seed = 8)),
        ("one", head("1/3")),
        ("two", head("2/3")),
        ("again", head("2/3")),
        ("version", other(&|head| head.version = "2.0".into())),
        ("options", other(&|head| head.command.push("--mutants".into()))),
        ("of", other(&|head| head.shard = shard("2/4"))),
        ("code", other(&|head| head.subjects[0].key = "l".into())),
        ("plan", other(&|head| head.plan = "q".into())),
    ]);
    let wanted = [
        "seed is of another run: its seed is 8 and not 7; leave it out",
        "shard 2/3 is there twice: two and again; leave one of them out",
        "version is of another run: Dodona 2.0 wrote it and not 1.0; leave it out",
        "options is of another run: it is of `run s --mutants` and not of `run s`; leave it out",
        "of is of another run: it is one of 4 shards and not of 3; leave it out",
        "code is of another run: the code, the relations or the counterexamples of s/dodona.toml are others; leave it out",
        "plan is of another run: its work was divided by other costs; leave it out",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn a_file_that_is_no_shard_is_told_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "mine").expect("written");
    let there_is_none = folder.path().join("none");
    let told = ShardSet::of(&[text.clone(), there_is_none], None).problems;
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert!(
        told[0].starts_with(&format!("{}: it is no shard file; leave it out", text.display())),
        "{told:?}"
    );
    assert!(
        told[1].contains("No such file")
            && told[1].ends_with("; name the files of shards, or the folder that they are in"),
        "{told:?}"
    );
}

#[test]
fn where_a_command_is_named_its_shards_are_meant_and_all_others_are_told() {
    let other = ShardHead { seed: 8, ..head("1/2") };
    let code = |head: &ShardHead| {
        let mut other = head.clone();
        other.subjects[0].key = "l".into();
        other
    };
    // Of the number of a shard, the code and the build it is independent, for others merge elsewhere.
    assert_eq!(head("1/2").name(), ShardHead { version: "2.0".into(), ..code(&head("2/2")) }.name());
    for different in [other.clone(), head("1/3"), ShardHead { command: vec!["run".into()], ..head("1/2") }] {
        assert_ne!(head("1/2").name(), different.name(), "{different:?}");
    }
    let (folder, _) =
        set(&[("a", other.clone()), ("b", ShardHead { shard: shard("2/2"), ..other }), ("c", head("1/2"))]);
    let files = ["a", "b", "c"].map(|name| folder.path().join(name));
    let told = |files: &[PathBuf], name: &str| {
        let set = ShardSet::of(files, Some(name));
        let problems: Vec<String> = set.problems.iter().map(ToString::to_string).collect();
        (set.files.len(), set.missing, problems.join("\n").replace(&folder.path().display().to_string(), ""))
    };
    let of_c = told(&files, &head("1/2").name());
    assert_eq!((of_c.0, of_c.1), (1, vec![shard("2/2")]));
    assert_eq!(
        of_c.2,
        "/a is of another run: its seed is 8 and not 7; leave it out\n/b is of another run: its seed is 8 and not 7; leave it out"
    );
    let of_none = told(&files[..1], &head("1/2").name());
    assert_eq!(of_none.0, 0);
    assert!(
        of_none.2.contains("/a is of another run: it is one of 2 shards of `run s`, with seed 8"),
        "{}",
        of_none.2
    );
}

#[test]
fn what_a_parser_says_of_damaged_bytes_is_not_told() {
    let said = |bytes: &[u8]| read(bytes).expect_err("an error").to_string();
    let first = compressed("{\"dodona-shard\":1}\n");
    assert_eq!(said(&first), "it is damaged: one of its lines is not understood");
}

fn session(folder: &Path) -> (Session, RunId) {
    let mut session = Session::open(folder, Duration::ZERO, &mut |_| {}).expect("a session");
    let run = session.begin(&NewRun { version: "1.0", seed: 0, options: "{}" }).expect("a run");
    (session, run)
}

fn pieces_of(session: &Session, run: RunId) -> Vec<ShardPiece> {
    let mut pieces = Vec::new();
    let mut each = |piece| {
        pieces.push(piece);
        Ok::<(), SessionError>(())
    };
    session.each_piece(run, &mut each).expect("read");
    pieces
}

#[test]
fn pieces_go_from_session_to_session_all_or_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, run) = session(folder.path());
    let pieces = [piece("a", "1"), piece("b", "2"), ShardPiece { record: "3".into(), ..piece("a", "1") }];
    let mut given = pieces.iter().cloned();
    session.take_pieces(run, &mut || Ok::<_, SessionError>(given.next())).expect("taken");
    assert_eq!(pieces_of(&session, run), pieces[..2], "of two with one key the first");
    assert_eq!(session.piece(run, pieces[1].key).expect("read").as_deref(), Some("2"));
    // One that is not what it says leaves nothing behind.
    let bad = [piece("c", "1"), ShardPiece { kind: "mutate".into(), ..piece("d", "{}") }];
    let mut given = bad.iter().cloned();
    let failed = session.take_pieces(run, &mut || Ok::<_, SessionError>(given.next()));
    assert!(failed.expect_err("no mutants").to_string().contains("mutate of d"));
    assert_eq!(session.piece(run, bad[0].key).expect("read"), None);
    // Nor does a disk that is full.
    session.limit_to_its_size().expect("limited");
    let large = "x".repeat(100_000);
    let mut given = (0..50).map(|number| piece(&format!("e{number}"), &format!("{large}{number}")));
    let failed = session.take_pieces(run, &mut || Ok::<_, SessionError>(given.next()));
    assert!(failed.expect_err("full").is_about_writing());
    assert_eq!(pieces_of(&session, run), pieces[..2]);
}
