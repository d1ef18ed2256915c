//! Cobertura XML of what the inputs of several functions cover.

use std::collections::BTreeMap;

use dodona_records::{
    BranchCoverage, CoverageRecord, FORMAT_VERSION, FileCoverage, LineCoverage, Share, StopReason,
};
use dodona_report::{Format, Report as _, Styles};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

fn branch(instruction: u32, taken: &[u64]) -> BranchCoverage {
    BranchCoverage { function: "f".into(), instruction, taken: taken.into() }
}

fn line(line: u32, hits: u64, branches: &[BranchCoverage]) -> LineCoverage {
    LineCoverage { line, hits, branches: branches.into() }
}

fn file(path: &str, lines: &[LineCoverage]) -> FileCoverage {
    FileCoverage { path: path.into(), library: None, lines: lines.into(), source: None }
}

fn record(function: &str, files: Vec<FileCoverage>) -> CoverageRecord {
    CoverageRecord {
        format_version: FORMAT_VERSION,
        subject: "s".into(),
        manifest: "folder/dodona.toml".into(),
        function: function.into(),
        seed: 0,
        stop: StopReason::SourcesRun { sources: 3 },
        statements: Share::default(),
        branches: Share::default(),
        paths: 1,
        files,
        blocks: Vec::new(),
    }
}

/// The elements of a document in order, with their attributes.
type Elements = Vec<(String, BTreeMap<String, String>)>;

fn element(start: &BytesStart<'_>) -> (String, BTreeMap<String, String>) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.expect("an attribute");
        let value = text(&attribute.value);
        (text(attribute.key.as_ref()), quick_xml::escape::unescape(&value).expect("escaped").into_owned())
    });
    (text(start.name().as_ref()), attributes.collect())
}

fn elements(records: &[CoverageRecord]) -> Elements {
    let xml = records.report(Format::Cobertura, Styles::plain());
    let (mut reader, mut found) = (Reader::from_str(&xml), Elements::new());
    loop {
        match reader.read_event().expect("XML") {
            Event::Start(start) | Event::Empty(start) => found.push(element(&start)),
            Event::Eof => return found,
            _ => {}
        }
    }
}

/// The attributes of all elements of a name, as words in this order.
fn all(found: &Elements, name: &str, attributes: &[&str]) -> Vec<String> {
    let words = |of: &BTreeMap<String, String>| {
        let value = |key: &&str| of.get(*key).map_or("-", String::as_str).to_owned();
        attributes.iter().map(value).collect::<Vec<_>>().join(" | ")
    };
    found.iter().filter(|one| one.0 == name).map(|(_, of)| words(of)).collect()
}

#[test]
fn what_several_functions_run_of_a_file_is_added_up() {
    let one = record(
        "one",
        vec![
            file("a.c", &[line(2, 5, &[branch(4, &[0, 5])]), line(3, 0, &[])]),
            file("b.c", &[line(1, 0, &[branch(9, &[0, 0, 0]), branch(2, &[0, 0])])]),
        ],
    );
    let two = record("two", vec![file("a.c", &[line(2, 1, &[branch(4, &[1, 0])]), line(7, 1, &[])])]);
    let found = elements(&[one, two]);
    let class = ["filename", "line-rate", "branch-rate"];
    let expected = ["folder/a.c | 0.6666666666666666 | 1", "folder/b.c | 0 | 0"];
    assert_eq!(all(&found, "class", &class), expected);
    let line = ["number", "hits", "branch", "condition-coverage"];
    let expected = [
        "2 | 6 | true | 100% (2/2)",
        "3 | 0 | false | -",
        "7 | 1 | false | -",
        // Its branches were never decided.
        "1 | 0 | true | 0% (0/5)",
    ];
    assert_eq!(all(&found, "line", &line), expected);
    let condition = ["number", "type", "coverage"];
    // In the order of the code.
    assert_eq!(all(&found, "condition", &condition), ["0 | jump | 100%", "0 | jump | 0%", "1 | switch | 0%"]);
    let counts =
        ["lines-covered", "lines-valid", "line-rate", "branches-covered", "branches-valid", "branch-rate"];
    assert_eq!(all(&found, "coverage", &counts), ["2 | 4 | 0.5 | 2 | 7 | 0.2857142857142857"]);
    assert_eq!(all(&found, "package", &["name", "line-rate"]), ["s | 0.5"]);
}

#[test]
fn nothing_of_nothing_is_no_success() {
    let rates = ["line-rate", "branch-rate"];
    for files in [vec![], vec![file("a.c", &[])]] {
        let found = elements(&[record("f", files)]);
        assert_eq!(all(&found, "coverage", &rates), ["0 | 0"]);
        assert_eq!(all(&found, "package", &rates), ["0 | 0"]);
    }
    let found = elements(&[record("f", vec![file("a.c", &[line(1, 1, &[])])])]);
    assert_eq!(all(&found, "coverage", &rates), ["1 | 0"], "lines without a branch");
}

#[test]
fn only_all_is_a_rate_of_one() {
    let mut lines: Vec<LineCoverage> = (1..100_000).map(|number| line(number, 1, &[])).collect();
    lines.push(line(100_000, 0, &[]));
    let found = elements(&[record("f", vec![file("a.c", &lines)])]);
    assert_eq!(all(&found, "coverage", &["line-rate"]), ["0.99999"]);
}

#[test]
fn counts_that_a_number_cannot_hold_stay_the_greatest() {
    let of = |name| record(name, vec![file("a.c", &[line(1, u64::MAX, &[branch(1, &[u64::MAX, 0])])])]);
    let found = elements(&[of("one"), of("two")]);
    let expected = [format!("1 | {} | 50% (1/2)", u64::MAX)];
    assert_eq!(all(&found, "line", &["number", "hits", "condition-coverage"]), expected);
}

#[test]
fn paths_and_names_that_xml_has_to_quote_read_back() {
    let nasty = "odd <&\"'>]]> é \u{1}\u{fffe}\r.c";
    let mut one = record("f", vec![file(nasty, &[line(1, 1, &[])])]);
    one.subject = nasty.to_owned();
    let found = elements(&[one]);
    let shown = "odd <&\"'>]]> é \\u{1}\\u{fffe}\\u{d}.c";
    assert_eq!(all(&found, "package", &["name"]), [shown]);
    assert_eq!(all(&found, "class", &["name", "filename"]), [format!("{shown} | folder/{shown}")]);
}

#[test]
fn a_file_of_a_library_is_where_it_was_compiled() {
    let mut of_library = file("libm-0.2.16/src/lib.rs", &[line(1, 1, &[])]);
    of_library.library = Some("/home/me/.cargo/registry/src/libm-0.2.16/src/lib.rs".into());
    let found = elements(&[record("f", vec![of_library])]);
    let expected = ["libm-0.2.16/src/lib.rs | /home/me/.cargo/registry/src/libm-0.2.16/src/lib.rs"];
    assert_eq!(all(&found, "class", &["name", "filename"]), expected);
}

#[test]
fn the_document_is_this_one() {
    let lines = [line(2, 5, &[branch(4, &[0, 5])]), line(3, 0, &[])];
    let xml = [record("one", vec![file("a.c", &lines)])].report(Format::Cobertura, Styles::plain());
    let version = env!("CARGO_PKG_VERSION");
    insta::assert_snapshot!(xml.replace(&format!("dodona {version}"), "dodona VERSION"));
}
