//! Workers of the protocol that choose the framing of rows, written from `book/worker-protocol.md` alone.

mod common;

use std::path::Path;
use std::process::Command;

use common::{LIBRARY, Opened, declared, opened, start};
use dodona_target::{Column, Ending, ImportName, Malformed, Outcome, Target as _, Trap};

/// A worker with this code for each row, which gets `row` (its bytes) and gives bytes: how the call ended, and what is told of it.
fn worker(signature: &str, code: &str) -> Opened {
    opened(signature, &format!("{LIBRARY}\ndef call(row):\n{code}\nserve(call)\n"))
}

fn integers(values: &[i128]) -> Column {
    Column::Int(values.to_vec())
}

const NUMBER: &str = "f(x: i64) -> i64";

#[test]
fn rows_go_out_and_come_back() {
    let code = "    x, = struct.unpack(\"<q\", row)\n    return b\"\\0\" + struct.pack(\"<q\", -x)";
    let mut worker = worker(NUMBER, code);
    let many: Vec<i128> = (0..50_000).map(|x| x * 184_467_440_737_095).collect();
    let calls = worker.session.call(0, &[integers(&many)]).expect("calls");
    assert!(calls.outcomes.iter().all(|outcome| *outcome == Outcome::Returned));
    assert_eq!(calls.outputs, [integers(&many.iter().map(|x| -x).collect::<Vec<_>>())]);
}

#[test]
fn shapes_and_special_values_come_back() {
    let code = r#"
    length, = struct.unpack("<I", row[:4])
    text, x = row[4:4 + length], struct.unpack("<d", row[4 + length:])[0]
    if x != x:
        return b"\0\0"
    # A NaN with a payload, in the place of which the one NaN comes.
    nan = bytes([0x34, 0x12, 0, 0, 0, 0, 0xf8, 0xff])
    return b"\0\1" + struct.pack("<I", 2) + struct.pack("<d", x) + nan + struct.pack("<I", length) + text[::-1] + struct.pack("<Q", 2**64 - 1)"#;
    let mut worker = worker("f(a: text, x: f64) -> Option<([f64], text, u64)>", code);
    let mut texts = Column::empty(dodona_target::Type::Text);
    for text in [&b"ab\xff"[..], b"", b"c"] {
        texts.push(&dodona_target::Value::Text(text.into()));
    }
    let floats = Column::Float(vec![-0.0, f64::NAN, f64::INFINITY]);
    let calls = worker.session.call(0, &[texts, floats]).expect("calls");
    assert_eq!(calls.outcomes, [Outcome::Returned; 3]);
    let [Column::Bool(there), sequences, Column::Text(texts), Column::Int(wide)] = &calls.outputs[..] else {
        panic!("{calls:?}")
    };
    assert_eq!(there, &[true, false, true]);
    assert_eq!(texts.rows().collect::<Vec<_>>(), [&b"\xffba"[..], b"", b"c"]);
    assert_eq!(wide, &[u64::MAX.into(), 0, u64::MAX.into()]);
    let Column::Sequence(dodona_target::SequenceColumn::Float(rows)) = sequences else { panic!("{calls:?}") };
    let bits: Vec<u64> = rows.row(0).iter().map(|x| x.to_bits()).collect();
    assert_eq!(bits, [(-0.0_f64).to_bits(), f64::NAN.to_bits()]);
    assert!(rows.row(1).is_empty() && rows.row(2)[0] == f64::INFINITY);
}

#[test]
fn what_is_raised_and_what_is_malformed_are_told() {
    let code = r#"
    x, = struct.unpack("<q", row)
    if x == 1:
        return b"\1" + text("KeyError") + text("no such\n key") + text("f.py:12")
    if x == 2:
        return b"\5" + text("it is no integer")
    if x == 3:
        return b"\1" + text("") + text("it panicked") + text("")
    return b"\0" + row"#;
    let mut worker = worker(NUMBER, code);
    let calls = worker.session.call(0, &[integers(&[0, 1, 2, 3, 4])]).expect("calls");
    let raised = Outcome::Trapped(Trap::Raised(ImportName::of("KeyError")));
    let malformed = Outcome::Malformed(Malformed::Range);
    let panicked = Outcome::Trapped(Trap::Panicked);
    assert_eq!(calls.outcomes, [Outcome::Returned, raised, malformed, panicked, Outcome::Returned]);
    assert_eq!(calls.outputs, [integers(&[0, 0, 0, 0, 4])]);
    let mut why = |x: i128, outcome| worker.session.why(0, &[integers(&[x])], outcome);
    let told = |location: Option<&str>, message: &str| Ending {
        location: location.map(str::to_owned),
        message: Some(message.to_owned()),
    };
    assert_eq!(why(1, raised), told(Some("f.py:12"), "no such\\n key"));
    assert_eq!(why(2, malformed), told(None, "it is no integer"));
    assert_eq!(why(3, panicked), told(None, "it panicked"));
}

#[test]
fn a_row_that_ends_the_worker_is_found_and_rows_before_it_are_not_asked_for_again() {
    let code = r#"
    x, = struct.unpack("<q", row)
    with open("called", "a") as file:
        file.write(f"{x}\n")
    if x == 11:
        os._exit(7)
    return b"\0" + row"#;
    let mut worker = worker(NUMBER, code);
    let all: Vec<i128> = (0..16).collect();
    let calls = worker.session.call(0, &[integers(&all)]).expect("calls");
    for (row, outcome) in calls.outcomes.iter().enumerate() {
        let expected = if row == 11 { Outcome::Trapped(Trap::Exit(7)) } else { Outcome::Returned };
        assert_eq!(*outcome, expected, "{row}");
    }
    let called = std::fs::read_to_string(worker.home.path().join("called")).expect("it called");
    // The library sends the answer to each fourth row.
    assert_eq!(called.lines().filter(|line| *line == "3").count(), 1, "{called}");
}

#[test]
fn a_worker_that_hangs_is_ended() {
    let code = r#"
    x, = struct.unpack("<q", row)
    if x == 1:
        time.sleep(60)
    return b"\0" + row"#;
    let mut worker = worker(NUMBER, code);
    let calls = worker.session.call(0, &[integers(&[0, 1, 2])]).expect("calls");
    assert_eq!(calls.outcomes, [Outcome::Returned, Outcome::OutOfTime, Outcome::Returned]);
}

/// What is said of a worker that answers a request of one row by these bytes and ends.
fn said_of(answer: &str) -> String {
    let code = format!(
        "{LIBRARY}\ngreet()\nversion, flags, length, number, function, rows = request()\nwrite({answer})\nsys.stdin.buffer.read()\n"
    );
    let calls = opened(NUMBER, &code).session.call(0, &[integers(&[5])]);
    calls.expect_err("it is no answer").to_string()
}

#[test]
fn what_is_no_answer_ends_the_check_with_what_came() {
    let frame = |id: &str, rows: &str, body: &str| {
        format!("struct.pack(\"<BBHIII\", 1, 0, 0, len({body}), {id}, {rows}) + {body}")
    };
    let row = "struct.pack(\"<IBq\", 9, 0, 7)";
    let other = said_of(&frame("number + 1", "1", row));
    assert!(other.ends_with("an answer to request 2, where 1 was asked"), "{other}");
    let more = said_of(&frame("number", "2", &format!("{row} * 2")));
    assert!(more.ends_with("answers to 2 rows, where 1 were to be answered"), "{more}");
    let cut = said_of(&frame("number", "1", &format!("{row}[:-2]")));
    assert!(cut.ends_with("an answer of which row 0 cannot be read: it ends before its values do"), "{cut}");
    let version = said_of("b\"\\2\" + bytes(15)");
    assert!(version.contains("begins with the byte 2 and no frame of version 1"), "{version}");
    let printed = said_of("b\"7\\n\"");
    assert!(printed.ends_with("no frame of version 1: 7"), "{printed}");
    let long = said_of("struct.pack(\"<BBHIII\", 1, 0, 0, 2**31, 1, 1)");
    assert!(long.ends_with("a frame of 2147483648 bytes, where 268435456 are the most"), "{long}");
    assert!(long.contains("python3: "), "{long}");
}

#[test]
fn an_answer_that_ends_in_the_middle_is_the_end_of_the_worker() {
    let code = format!("{LIBRARY}\ngreet()\nrequest()\nwrite(b\"\\1\\0\\0\\0\\x20\\0\\0\\0\\1\")\n");
    let calls = opened(NUMBER, &code).session.call(0, &[integers(&[5])]).expect("calls");
    assert_eq!(calls.outcomes, [Outcome::Trapped(Trap::Exit(0))]);
}

#[test]
fn a_framing_that_was_not_offered_is_refused() {
    let code = "print('{\"protocol\":1,\"framing\":\"columns\"}', flush=True)\ninput()\ninput()";
    let error = start(NUMBER, code).err().expect("it cannot be used").to_string();
    assert!(error.contains("it chose a framing that was not offered: \"columns\""), "{error}");
}

#[test]
fn the_worker_in_c_of_the_book_answers() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/worker-protocol.md");
    let book = std::fs::read_to_string(book).expect("the book");
    let code = book.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a worker in C");
    let home = tempfile::tempdir().expect("a folder");
    std::fs::write(home.path().join("worker.c"), code).expect("written");
    let words = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", "worker", "worker.c"];
    let Ok(output) = Command::new("cc").args(words).current_dir(home.path()).output() else {
        println!("skipped: cc is not there");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let manifest =
        "relations = []\n[target]\nworker = [\"./worker\"]\n[[function]]\nsignature = \"f(x: f64) -> f64\"\n";
    let target = declared(&home, manifest).expect("it starts");
    let numbers: Vec<f64> = (0..10_000).map(f64::from).collect();
    let doubled = numbers.iter().map(|x| 2.0 * x + 1.0).collect();
    let calls = target.open().call(0, &[Column::Float(numbers)]).expect("calls");
    assert_eq!(calls.outputs, [Column::Float(doubled)]);
}
