//! Functions of a crate that is built for this machine, as a target.

use std::path::Path;

use dodona_subject::{Manifest, build};
use dodona_target::{Calls, Column, Outcome, Ragged, SequenceColumn, Session, Target, Trap};
use dodona_workers::WorkerTarget;

const CODE: &str = r#"
use std::sync::atomic::{AtomicU32, Ordering};

pub fn known(x: i32) -> Option<String> { (x % 2 == 0).then(|| format!("{x}")) }
pub fn parsed(x: i64) -> Result<Option<u8>, (bool, String)> {
    match x { 0 => Ok(None), 1..=9 => Ok(Some(x as u8)), _ => Err((x < 0, format!("{x}!"))) }
}
pub fn fill(xs: &mut [i16], x: i16) -> usize { xs.iter_mut().for_each(|y| *y = x); usize::MAX }
pub fn picky(x: u8) -> u8 { if x > 200 { panic!("{x}\n is too much") } println!("it prints"); x }
pub fn leaves(x: u8) -> u8 { if x == 9 { std::process::exit(3) } x }
pub fn aborts(x: u8) -> u8 { if x == 9 { std::process::abort() } x }
pub fn counts(x: u8) -> u32 { static SEEN: AtomicU32 = AtomicU32::new(0); u32::from(x) + SEEN.fetch_add(1, Ordering::Relaxed) }
pub fn long(x: u16) -> Vec<u64> { vec![u64::from(x); 1000] }
pub fn nothing() {}
pub fn deep(x: u8) -> u8 { if x == 9 { down(&mut [x; 64]) } else { x } }
fn down(all: &mut [u8; 64]) -> u8 { all[0] = all[0].wrapping_add(1); let mut next = *all; down(&mut next).wrapping_add(all[1]) + next[2] }
"#;

const SIGNATURES: &[&str] = &[
    "known(x: i32) -> Option<String>\"",
    "parsed(x: i64) -> Result<Option<u8>, (bool, String)>\"",
    "fill(xs: [i16], x: i16) -> usize\"\nlower.xs = \"in-out\"",
    "picky(x: u8) -> u8\"",
    "leaves(x: u8) -> u8\"",
    "aborts(x: u8) -> u8\"",
    "counts(x: u8) -> u32\"",
    "long(x: u16) -> Vec<u64>\"",
    "nothing()\"",
    "deep(x: u8) -> u8\"",
];

fn target(home: &Path) -> WorkerTarget {
    let write = |path: &str, text: &str| std::fs::write(home.join(path), text).expect("written");
    std::fs::create_dir_all(home.join("code/src")).expect("a folder");
    write(
        "code/Cargo.toml",
        "[package]\nname = \"code\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    write("code/src/lib.rs", CODE);
    let functions: String =
        SIGNATURES.iter().map(|one| format!("[[function]]\nsignature = \"{one}\n")).collect();
    write("dodona.toml", &format!("relations = []\n[build]\ncrate = {{ path = \"code\" }}\n{functions}"));
    let path = home.join("dodona.toml");
    let manifest = Manifest::read(&path).expect("a manifest");
    let program = build::native_program(&manifest, &[]).expect("it builds");
    let signatures = build::native_signatures(&manifest).expect("of a crate");
    WorkerTarget::new("code".to_owned(), path, signatures, program, manifest.limits.memory)
}

struct Opened {
    target: WorkerTarget,
    session: Box<dyn Session>,
}

impl Opened {
    fn call(&mut self, name: &str, arguments: &[Column]) -> Calls {
        let calls = self.session.call(self.number(name), arguments);
        calls.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn number(&self, name: &str) -> usize {
        self.target.functions().iter().position(|one| one.name == name).expect("a function")
    }
}

/// Columns of few rows go to a process for each row, and longer ones to one process.
fn integers(least: i128, rows: i128) -> Column {
    Column::Int((least..least + rows).collect())
}

#[test]
fn results_of_all_shapes_come_back_from_one_process_and_from_many() {
    let home = tempfile::tempdir().expect("a folder");
    let target = target(home.path());
    let mut opened = Opened { session: target.open(), target };
    for rows in [3, 50] {
        let known = opened.call("known", &[integers(0, rows)]);
        let Column::Text(texts) = &known.outputs[0] else { panic!("{known:?}") };
        let texts: Vec<&[u8]> = texts.rows().take(3).collect();
        assert_eq!(texts, [&b"0"[..], b"", b"2"]);
        let Column::Bool(there) = &known.outputs[1] else { panic!("{known:?}") };
        assert_eq!(there[..3], [true, false, true]);

        let parsed = opened.call("parsed", &[integers(-1, rows)]);
        let row =
            |place| parsed.outputs.iter().map(|column| column.value(place).to_string()).collect::<Vec<_>>();
        let names: Vec<String> =
            opened.target.functions()[1].outputs.iter().map(|output| format!("{:?}", output.name)).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        assert_eq!(row(0), ["0", "false", "false", "true", "\"-1!\""], "{names:?}");
        assert_eq!(row(1), ["0", "true", "false", "false", "\"\""], "{names:?}");
        assert_eq!(row(2), ["1", "true", "true", "false", "\"\""], "{names:?}");

        let mut sequences = Ragged::new();
        (0..rows).for_each(|row| sequences.push(&vec![5; row as usize]));
        let arguments = [Column::Sequence(SequenceColumn::Int(sequences)), integers(-2, rows)];
        let filled = opened.call("fill", &arguments);
        assert_eq!(filled.outputs[0].value(2).to_string(), u64::MAX.to_string());
        let Column::Sequence(SequenceColumn::Int(filled)) = &filled.outputs[1] else { panic!("{filled:?}") };
        assert_eq!(filled.row(1), [-1]);
        assert_eq!(filled.row(2), [0, 0]);
    }
    assert_eq!(opened.call("nothing", &[]).outcomes, [Outcome::Returned]);
    // Answers come in parts: eight kilobytes a row.
    let long = opened.call("long", &[integers(0, 500)]);
    let Column::Sequence(SequenceColumn::Int(rows)) = &long.outputs[0] else { panic!("no sequences") };
    assert!(rows.rows().enumerate().all(|(place, row)| row == [place as i128; 1000]));
}

#[test]
fn calls_that_end_their_process_are_outcomes_of_their_rows_alone() {
    let home = tempfile::tempdir().expect("a folder");
    let target = target(home.path());
    let mut opened = Opened { session: target.open(), target };
    for (name, end) in [("leaves", Trap::Exit(3)), ("aborts", Trap::Signal(6))] {
        let calls = opened.call(name, &[integers(0, 20)]);
        for (row, outcome) in calls.outcomes.iter().enumerate() {
            let expected = if row == 9 { Outcome::Trapped(end) } else { Outcome::Returned };
            assert_eq!(*outcome, expected, "{name}({row})");
        }
    }
    // It keeps something between calls, which the repeated rows show: each has a process then.
    assert_eq!(opened.call("counts", &[integers(0, 20)]).outputs, [integers(0, 20)]);
    let picky = opened.call("picky", &[integers(190, 20)]);
    assert_eq!(picky.outcomes[10], Outcome::Returned);
    assert_eq!(picky.outcomes[11], Outcome::Trapped(Trap::Panicked));
    assert_eq!(picky.outputs[0].value(12).to_string(), "0");
    let number = opened.number("picky");
    let why = opened.session.why(number, &[Column::Int(vec![250])], picky.outcomes[11]);
    assert_eq!(why.message.as_deref(), Some("250\\n is too much"));
    assert!(why.location.is_some_and(|place| place.contains("lib.rs:9")));
    let deep = opened.call("deep", &[integers(0, 10)]);
    assert!(matches!(deep.outcomes[9], Outcome::Trapped(Trap::Signal(_))), "{:?}", deep.outcomes);
    let number = opened.number("deep");
    let why = opened.session.why(number, &[integers(9, 1)], deep.outcomes[9]);
    assert_eq!(why.message.as_deref(), Some("thread 'main' has overflowed its stack"));
}

#[test]
fn a_program_that_is_no_worker_says_so() {
    let target = |program: &str| {
        let signature = dodona_target::Signature::new("f", Vec::new(), None);
        WorkerTarget::new("f".to_owned(), "dodona.toml".into(), vec![signature], program.into(), 1 << 30)
    };
    // It greets with the hello itself, in which nothing is chosen.
    let error = target("/bin/cat").open().call(0, &[]).expect_err("it is no worker").to_string();
    assert!(
        error.contains("gives no answer that can be used: it does not choose the framing of rows"),
        "{error}"
    );
    let error = target("/nowhere").open().call(0, &[]).expect_err("it is not there").to_string();
    assert!(error.contains("gives no answer that can be used: No such file"), "{error}");
}
