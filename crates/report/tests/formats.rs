//! Formats that programs read, of records with the nastiest content, judged by validators that are not ours.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::{interrupted, nothing_to_mutate, triangle};
use dodona_records::{
    AdequacyRecord, Binding, BranchCoverage, CallRecord, CheckRecord, Counterexample, CoverageRecord,
    Elapsed, FORMAT_VERSION, FileCoverage, LineCoverage, MutationRecord, Provenance, RelationRecord, Share,
    StopReason, Tally,
};
use dodona_report::{Format, Report as _, Styles};

/// Texts that formats have trouble with.
fn nasty() -> Vec<String> {
    let controls: String = (0..0x20).chain(0x7f..0xa0).filter_map(char::from_u32).collect();
    let texts = [
        "",
        "]]> <![CDATA[ </system-out> & &amp; &#0;",
        "\u{fffe}\u{ffff}\u{fdd0}\u{1fffe}\u{10ffff}",
        "\u{d7ff}\u{e000}\u{feff}\u{2028}\u{2029}\u{202e}",
        "\"quoted\" 'quoted' `quoted` \\",
        "two\nlines\r\nand\rmore\t",
        "100% %25 %0A ::error file=a,line=1::b\n::set-output name=a::b\n##[error]no",
        "=cmd|' /C calc'!A0,\";",
        "<a href='x'>--></a>",
        "😀 é İ ﬁ \u{301}",
    ];
    let long = "long ]]> ".repeat(30_000);
    texts.iter().map(ToString::to_string).chain([controls, long]).collect()
}

fn relation(text: &str, tally: Tally) -> RelationRecord {
    let binding = || vec![Binding { name: text.to_owned(), value: text.to_owned() }];
    let counterexample = Counterexample {
        source: binding(),
        found: binding(),
        group: Some(text.to_owned()),
        calls: vec![CallRecord {
            text: text.to_owned(),
            role: "source".into(),
            arguments: binding(),
            outcome: text.to_owned(),
            location: Some(text.to_owned()),
            message: Some(text.to_owned()),
            outputs: Vec::new(),
            shell: Some(text.to_owned()),
        }],
        sides: Vec::new(),
        why: text.to_owned(),
        shrink_steps: 1,
        shrink_stopped: Some(text.to_owned()),
        provenance: Provenance::File { path: text.to_owned(), line: 1 },
        kept: Some(text.to_owned()),
    };
    RelationRecord {
        name: text.to_owned(),
        text: text.to_owned(),
        file: text.to_owned(),
        line: 7,
        sources: tally.groups(),
        counterexample: (tally.violated > 0).then_some(counterexample),
        skipped: [(text.to_owned(), text.to_owned())].into(),
        outside: Some(text.to_owned()),
        elapsed: Elapsed(Duration::from_micros(1_234_567)),
        tally,
    }
}

fn check(text: &str) -> CheckRecord {
    let held = Tally { held: 23, skipped: [(text.to_owned(), 977)].into(), ..Tally::default() };
    let violated = Tally { violated: 3, undefined: 1, ..Tally::default() };
    let never = Tally { condition_false: 9, ..Tally::default() };
    CheckRecord {
        format_version: FORMAT_VERSION,
        subject: text.to_owned(),
        manifest: text.to_owned(),
        seed: u64::MAX,
        stop: StopReason::SourcesRun { sources: 1035 },
        relations: [held, violated, never, Tally::default()].map(|tally| relation(text, tally)).into(),
        warnings: vec![text.to_owned(), "second".into()],
        unread: 0,
        min_eligible: None,
        adequacy: Vec::new(),
        schedule: None,
        failure: None,
    }
}

fn adequacy(function: &str, reached: u64, whole: u64) -> AdequacyRecord {
    AdequacyRecord {
        format_version: FORMAT_VERSION,
        subject: "s".into(),
        manifest: "s.toml".into(),
        function: function.to_owned(),
        criterion: "statement".into(),
        k: 3,
        seed: 0,
        sources: 1,
        relations: 1,
        forms: Vec::new(),
        associations: 1,
        reached,
        whole,
        degree: 0.5,
        reachable: 1,
        greatest: 1,
        requirements: Vec::new(),
        eccem: None,
        paths: None,
        violated: Vec::new(),
        warnings: Vec::new(),
    }
}

/// A check of which everything went wrong beside its relations.
fn ended() -> CheckRecord {
    CheckRecord {
        stop: StopReason::Interrupted { run: 1, planned: 2 },
        unread: 2,
        adequacy: vec![adequacy("f", 1, 2), adequacy("g", 2, 2), adequacy("h", 0, 0)],
        ..check("s")
    }
}

/// A record in which every text that code or a person has a say in is this one.
fn mutation(text: &str, mut record: MutationRecord) -> MutationRecord {
    let own = || text.to_owned();
    (record.subject, record.manifest) = (own(), own());
    record.warnings.push(own());
    record.contradictions.push(own());
    record.functions = vec![own()];
    for mutant in &mut record.mutants {
        (mutant.before, mutant.after, mutant.source_line) = (own(), own(), Some(own()));
        mutant.places.iter_mut().for_each(|place| {
            (place.function, place.file, place.library) = (own(), Some(own()), Some(own()));
        });
        mutant.killed_by.iter_mut().for_each(|kill| kill.relation = own());
        mutant.survivor = Some(vec![Binding { name: own(), value: own() }]);
        mutant
            .revealed_by
            .iter_mut()
            .for_each(|revealed| (revealed.expected, revealed.found) = (own(), own()));
        mutant.failed.iter_mut().for_each(|failed| failed.test = own());
    }
    record.skipped.iter_mut().for_each(|site| site.reason = own());
    record.stale.iter_mut().for_each(|stale| stale.reason = own());
    record
}

/// What inputs cover of two files, one of which has nothing to cover.
fn coverage(text: &str) -> CoverageRecord {
    let own = || text.to_owned();
    let branch = |taken: &[u64]| BranchCoverage { function: own(), instruction: 3, taken: taken.into() };
    let line =
        |line, hits, branches: &[BranchCoverage]| LineCoverage { line, hits, branches: branches.into() };
    let lines =
        vec![line(1, u64::MAX, &[branch(&[0, 7])]), line(9, 0, &[branch(&[0, 0, 0])]), line(10, 1, &[])];
    let file = |path: String, lines| FileCoverage { path, library: None, lines, source: None };
    CoverageRecord {
        format_version: FORMAT_VERSION,
        subject: own(),
        manifest: own(),
        function: own(),
        seed: 0,
        stop: StopReason::SourcesRun { sources: 7 },
        statements: Share { covered: 2, total: 3 },
        branches: Share { covered: 1, total: 5 },
        paths: 2,
        files: vec![file(own(), lines), file(format!("{text}/empty"), Vec::new())],
        blocks: Vec::new(),
    }
}

/// The Python that has the validators: of the environment that `scripts/setup.sh` makes.
fn python() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache"))).expect("a home");
    let python = cache.join("dodona/python/bin/python");
    assert!(python.exists(), "{} is missing; run scripts/setup.sh tests", python.display());
    python
}

#[test]
fn formats_of_the_nastiest_content_are_valid() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).expect("writes");
    let mut checks: Vec<Vec<CheckRecord>> = nasty().iter().map(|text| vec![check(text)]).collect();
    checks.extend([vec![], vec![ended(), check("s")]]);
    for (number, records) in checks.iter().enumerate() {
        write(&format!("check-{number}.junit.xml"), records.report(Format::Junit, Styles::plain()));
        write(&format!("check-{number}.record.json"), records.json());
        write(&format!("check-{number}.github"), records.report(Format::Github, Styles::plain()));
    }
    let mut mutations: Vec<Vec<MutationRecord>> =
        nasty().iter().map(|text| vec![mutation(text, triangle())]).collect();
    mutations.extend([vec![], vec![triangle(), interrupted(), nothing_to_mutate()]]);
    for (number, records) in mutations.iter().enumerate() {
        write(&format!("mutate-{number}.sarif"), records.report(Format::Sarif, Styles::plain()));
        write(&format!("mutate-{number}.record.json"), records.json());
        write(&format!("mutate-{number}.csv"), records.report(Format::Csv, Styles::plain()));
    }
    let covers: Vec<Vec<CoverageRecord>> =
        nasty().iter().map(|text| vec![coverage(text), coverage(text)]).chain([vec![]]).collect();
    for (number, records) in covers.iter().enumerate() {
        write(&format!("cover-{number}.cobertura"), records.report(Format::Cobertura, Styles::plain()));
        write(&format!("cover-{number}.record.json"), records.json());
    }
    let files = 3 * (checks.len() + mutations.len()) + 2 * covers.len();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/schemas/check.py");
    let output = Command::new(python()).arg(script).arg(&folder).output().expect("runs");
    let out = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{out}");
    assert!(out.contains(&format!("{files} files, 0 wrong")), "{out}");
}

#[test]
fn warnings_counts_and_reasons_are_in_each_format_of_a_check() {
    let record = CheckRecord { warnings: vec!["the disk is full".into()], unread: 2, ..check("s") };
    for text in [
        std::slice::from_ref(&record).report(Format::Junit, Styles::plain()),
        std::slice::from_ref(&record).report(Format::Github, Styles::plain()),
    ] {
        for words in [
            "the disk is full",
            "23 groups; 977 skipped (s)",
            "2 kept counterexamples could not be run or judged",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
    let json = [record].json();
    assert!(
        json.contains("the disk is full") && json.contains("977") && json.contains("\"unread\": 2"),
        "{json}"
    );
}

#[test]
fn what_is_no_success_is_an_error_for_continuous_integration() {
    let mut passed = CheckRecord { warnings: Vec::new(), ..check("s") };
    passed.relations.truncate(1);
    let has_errors = |record: &CheckRecord| {
        let (xml, annotations) = (
            std::slice::from_ref(record).report(Format::Junit, Styles::plain()),
            std::slice::from_ref(record).report(Format::Github, Styles::plain()),
        );
        assert_eq!(
            annotations.contains("::error "),
            !xml.contains("failures=\"0\" errors=\"0\""),
            "{xml}\n{annotations}"
        );
        annotations.contains("::error ")
    };
    assert!(!has_errors(&passed));
    let stop = StopReason::Interrupted { run: 1, planned: 2 };
    assert!(has_errors(&CheckRecord { stop, ..passed.clone() }));
    assert!(has_errors(&CheckRecord { unread: 1, ..passed.clone() }));
    assert!(has_errors(&CheckRecord { min_eligible: Some(0.5), ..passed.clone() }));
    assert!(!has_errors(&CheckRecord { min_eligible: Some(0.01), ..passed.clone() }));
    assert!(has_errors(&CheckRecord { adequacy: vec![adequacy("f", 0, 0)], ..passed.clone() }));
    assert!(!has_errors(&CheckRecord { adequacy: vec![adequacy("f", 2, 2)], ..passed.clone() }));
    for number in 1..4 {
        let relations = vec![check("s").relations[number].clone()];
        assert!(has_errors(&CheckRecord { relations, ..passed.clone() }), "{number}");
    }
}

#[test]
fn a_name_of_several_lines_is_shown_on_one() {
    let nasty = "na\n::error::x\tr";
    let mut record = CheckRecord { warnings: Vec::new(), ..check("s") };
    (record.subject, record.manifest) = (nasty.to_owned(), nasty.to_owned());
    record.relations.iter_mut().for_each(|relation| nasty.clone_into(&mut relation.file));
    let provenance = Provenance::Regression { path: nasty.to_owned() };
    for relation in &mut record.relations {
        relation.counterexample.iter_mut().for_each(|c| c.provenance = provenance.clone());
    }
    let mut mutants = triangle();
    (mutants.subject, mutants.manifest) = (nasty.to_owned(), nasty.to_owned());
    for text in [[record].terminal(Styles::plain()), [mutants].terminal(Styles::plain())] {
        assert!(text.contains("na\\n::error::x\\tr"), "{text}");
        assert!(text.lines().all(|line| !line.starts_with("::")), "{text}");
    }
}

#[test]
fn an_interrupted_analysis_is_not_successful() {
    let run = |record: MutationRecord| {
        let log: serde_json::Value =
            serde_json::from_str(&[record].report(Format::Sarif, Styles::plain())).expect("JSON");
        log["runs"][0].clone()
    };
    let is_successful = |run: &serde_json::Value| run["invocations"][0]["executionSuccessful"] == true;
    assert!(is_successful(&run(triangle())));
    let cut = run(interrupted());
    assert!(!is_successful(&cut) && cut["properties"]["mutationScore"].is_null(), "{cut}");
    let notes = cut["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(notes.contains("interrupted after 11 of 12 mutants"), "{notes}");
    let contradicting = MutationRecord { contradictions: vec!["M1".into()], ..triangle() };
    assert!(!is_successful(&run(contradicting)));
    let lines = [interrupted()].report(Format::Csv, Styles::plain());
    assert!(lines.contains(",interrupted,interrupted after 11 of 12 mutants"), "{lines}");
    assert!(lines.contains(",warning,relation slow has no eligible group"), "{lines}");
}
