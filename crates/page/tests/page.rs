//! What a page says, and what it must not do.

use dodona_page::{Beside, Found, Page, PastRun, page};
use dodona_records::{
    AdequacyRecord, Binding, CallRecord, ComparisonRecord, Counterexample, DominatorGroup, Fate, FaultRow,
    FaultyVersions, FunctionRun, HierarchyGraph, HierarchyNode, HierarchyRecord, Judgement, KillMatrix,
    MutantId, MutantRecord, PathShares, Place, Provenance, RelationRecord, RelationState, RequirementRecord,
    RunFaults, RunRecord, RunRelation, Section, SectionKind, SideRecord, Spread, StaticStrength, StopReason,
    SubjectRun, Tally, TechniqueRow,
};

fn relation(name: &str, state: RelationState, tally: Tally) -> RunRelation {
    RunRelation {
        state,
        words: None,
        found_by: None,
        check: RelationRecord {
            name: name.into(),
            text: format!("relation {name}: f(x) < f(x + 1) and \"<script>alert(1)</script>\" == t"),
            file: "f.mr".into(),
            line: 3,
            sources: 100,
            tally,
            counterexample: None,
            skipped: Default::default(),
            outside: None,
            elapsed: Default::default(),
        },
        proof: None,
        caught: None,
    }
}

fn holds() -> Tally {
    Tally { held: 100, ..Tally::default() }
}

fn violated() -> Tally {
    Tally { held: 90, violated: 10, ..Tally::default() }
}

fn run(relations: Vec<RunRelation>, faults: Option<RunFaults>) -> RunRecord {
    let function = FunctionRun { function: "f".into(), relations, faults, ..FunctionRun::default() };
    let subject = SubjectRun { subject: "s & t".into(), functions: vec![function], ..SubjectRun::default() };
    RunRecord { subjects: vec![subject], ..RunRecord::default() }
}

fn of(run: &RunRecord, past: &[PastRun]) -> String {
    page(&Page { run, told: "run 2", next: &[], past, beside: &[], source: &|_, _| None })
}

#[test]
fn a_run_without_a_tested_relation_is_no_success() {
    let html = of(
        &run(
            vec![relation("r", RelationState::Accepted, Tally { out_of_domain: 9, ..Tally::default() })],
            None,
        ),
        &[],
    );
    assert!(html.contains("No accepted relation was tested.") && !html.contains(" hold</strong>"), "{html}");
    assert!(html.contains("never tested"));
    // Nothing of nothing is a dash.
    assert!(
        html.contains("<span class=\"figure\">–</span><a class=\"what\" href=\"#faults\">Faults caught</a>"),
        "{html}"
    );
    let html = of(&RunRecord::default(), &[]);
    assert!(html.contains("No accepted relation was tested.") && html.contains("nothing was run"), "{html}");
}

#[test]
fn what_people_and_programs_write_is_shown_and_never_run() {
    let mut one = relation("r", RelationState::Accepted, violated());
    let bound = |value: &str| vec![Binding { name: "t".into(), value: value.into() }];
    one.check.counterexample = Some(Counterexample {
        source: bound("\"<img src=x onerror=alert(1)>\""),
        found: Vec::new(),
        group: None,
        calls: vec![CallRecord {
            text: "f(t)".into(),
            role: "source".into(),
            arguments: bound("\"</script><script>\""),
            outcome: "trapped: <b>".into(),
            location: None,
            message: Some("<i>panicked</i>".into()),
            outputs: Vec::new(),
            shell: Some("curl 'http://x/?q=<a>'".into()),
        }],
        sides: vec![
            SideRecord { text: "f(t)".into(), value: "<u>".into() },
            SideRecord { text: "2".into(), value: "2".into() },
        ],
        why: "violated: left == right is false".into(),
        shrink_steps: 0,
        shrink_stopped: None,
        provenance: Provenance::File { path: "a.csv".into(), line: 1 },
        kept: Some("dodona-regressions/r.json".into()),
    });
    one.words = Some("a\0b\u{1b}[31mc\u{202e}d".into());
    let html = of(&run(vec![one], None), &[]);
    assert!(
        !html.contains(['\0', '\u{1b}', '\u{202e}']) && html.contains("a\u{fffd}b\u{fffd}[31mc\u{fffd}d")
    );
    for raw in ["<script>alert", "<img", "<b>", "<i>panicked", "<u>", "q=<a>", "s & t"] {
        assert!(!html.contains(raw), "{raw}");
    }
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;")
            && html.contains("dodona replay dodona-regressions/r.json")
    );
    assert!(html.contains("1 of 1 tested relation violated."), "{html}");
}

#[test]
fn nothing_is_fetched() {
    let html = of(&run(vec![relation("r", RelationState::Accepted, holds())], None), &[]);
    assert!(html.contains("default-src 'none'"));
    for from_elsewhere in ["src=\"", "@import", "url(", "fetch(", "XMLHttpRequest", "href=\"http"] {
        assert!(!html.contains(from_elsewhere), "{from_elsewhere}");
    }
}

#[test]
fn what_changed_since_the_run_before_is_told() {
    let with = |tally: Tally, caught: u64| {
        let revealed = (1..=4).map(MutantId).collect();
        let faults = RunFaults { counted: 4, revealed, caught, ..RunFaults::default() };
        run(vec![relation("r", RelationState::Accepted, tally)], Some(faults))
    };
    let past = vec![PastRun { told: "run 1".into(), record: with(holds(), 3) }];
    let html = of(&with(violated(), 4), &past);
    assert!(
        html.contains("newly violated")
            && html.contains("faults caught: 3 of 4 before, 4 of 4 now, of 1 function that both runs judged"),
        "{html}"
    );
    assert!(html.contains("<svg") && html.contains("run 1"), "runs over time");
    // Of another subject nothing is compared.
    let mut other = with(holds(), 1);
    other.subjects[0].subject = "another".into();
    let html = of(&with(holds(), 3), &[PastRun { told: "run 1".into(), record: other }]);
    assert!(!html.contains("Since the run before") && !html.contains("<svg"), "{html}");
    let html = of(&with(holds(), 3), &past);
    assert!(html.contains("Every accepted relation says the same as before"), "{html}");
}

#[test]
fn a_run_that_ended_early_says_what_it_does_not_know() {
    let faults = |caught| RunFaults {
        counted: 4,
        revealed: (1..=4).map(MutantId).collect(),
        caught,
        ..RunFaults::default()
    };
    let judged = |caught| run(vec![relation("r", RelationState::Accepted, holds())], Some(faults(caught)));
    let mut now = judged(4);
    let second = FunctionRun {
        function: "g".into(),
        relations: vec![relation("wrong", RelationState::Accepted, violated())],
        ..FunctionRun::default()
    };
    now.subjects[0].functions.push(second.clone());
    now.subjects[0].left = vec!["mutate of g".into(), "mutate of g".into()];
    let mut before = judged(3);
    before.subjects[0].functions.push(FunctionRun {
        faults: Some(faults(1)),
        relations: Vec::new(),
        ..second
    });
    let html = of(&now, &[PastRun { told: "run 1".into(), record: before }]);
    assert!(
        html.contains("The run ended before everything was done: 2 pieces of work are left for the next."),
        "{html}"
    );
    assert!(html.contains("were not all judged, and are not counted."), "{html}");
    assert!(html.contains("left for the next run: mutate of g<"), "{html}");
    // Of g the last run knew 1 of 4: that it is not known now is no loss and no gain.
    assert!(
        html.contains("faults caught: 3 of 4 before, 4 of 4 now, of 1 function that both runs judged"),
        "{html}"
    );
    assert!(html.contains("<strong>new, and violated</strong>"), "{html}");
}

#[test]
fn a_relation_that_alone_catches_a_fault_says_so() {
    let caught = |name: &str, ids: &[u32]| {
        let ids = ids.iter().map(|id| MutantId(*id)).collect();
        RunRelation { caught: Some(ids), ..relation(name, RelationState::Accepted, holds()) }
    };
    let faults = RunFaults {
        counted: 4,
        revealed: (1..=4).map(MutantId).collect(),
        caught: 3,
        ..RunFaults::default()
    };
    let html = of(&run(vec![caught("a", &[1, 2]), caught("b", &[2, 3])], Some(faults)), &[]);
    // Columns are sorted by who catches them: 1 and 2 by a, 3 by b alone, 4 by none.
    let columns = r#""columns":["fault 1 of f","fault 2 of f","fault 3 of f","fault 4 of f"]"#;
    assert!(html.contains(columns) && html.contains(r#""cells":["c","6"]"#), "{html}");
    assert!(html.contains("3 of 4 faults that inputs reveal, caught by 2 relations"), "{html}");
    // Each catches two, one of them alone.
    assert_eq!(html.matches("<td class=\"number\">2</td><td class=\"number\">1</td>").count(), 2, "{html}");
}

#[test]
fn subjects_of_one_name_are_told_apart_and_what_has_no_faults_says_so() {
    let mut record = run(vec![relation("r", RelationState::Accepted, violated())], None);
    let other = record.subjects[0].clone();
    record.subjects[0].manifest = "one/dodona.toml".into();
    record.subjects.push(SubjectRun { manifest: "other/dodona.toml".into(), ..other });
    let html = of(&record, &[]);
    for folder in ["one", "other"] {
        let row = format!("id=\"relation-{folder}-dodona-toml-r\"");
        assert_eq!(html.matches(&row).count(), 1, "{html}");
        assert!(html.contains(&format!("{folder}/dodona.toml</span></h3>")), "{html}");
    }
    assert!(html.contains("2 of 2 tested relations violated"), "{html}");
    assert!(html.contains("No faults were seeded") && !html.contains("not all judged"), "{html}");
}

#[test]
fn faults_of_two_functions_with_the_same_number_are_two() {
    let caught = |name: &str, ids: &[u32]| {
        let ids = ids.iter().map(|id| MutantId(*id)).collect();
        RunRelation { caught: Some(ids), ..relation(name, RelationState::Accepted, holds()) }
    };
    let faults = || RunFaults {
        counted: 2,
        revealed: vec![MutantId(1), MutantId(2)],
        caught: 1,
        ..RunFaults::default()
    };
    let mut record = run(vec![caught("a", &[1])], Some(faults()));
    record.subjects[0].functions.push(FunctionRun {
        function: "g".into(),
        relations: vec![caught("b", &[1])],
        faults: Some(faults()),
        ..FunctionRun::default()
    });
    let html = of(&record, &[]);
    assert!(html.contains("2 of 4 faults that inputs reveal, caught by 2 relations"), "{html}");
    let columns = r#""columns":["fault 1 of f","fault 1 of g","fault 2 of f","fault 2 of g"]"#;
    assert!(html.contains(columns) && html.contains(r#""cells":["8","4"]"#), "{html}");
    assert_eq!(html.matches("<td class=\"number\">1</td><td class=\"number\">1</td>").count(), 2, "{html}");
}

/// A page with what another command found.
fn beside(found: Found) -> String {
    let run = run(vec![relation("r", RelationState::Accepted, holds())], None);
    let beside = [Beside { file: "a <file>.json".into(), found }];
    page(&Page { run: &run, told: "run 2", next: &[], past: &[], beside: &beside, source: &|_, _| None })
}

fn mutant(id: u32, line: u32) -> MutantRecord {
    MutantRecord {
        id: MutantId(id),
        key: format!("{id:016x}"),
        operator: "ROR".into(),
        places: vec![Place {
            function: "f".into(),
            instruction: 0,
            file: Some("f.c".into()),
            library: None,
            line: Some(line),
            column: Some(3),
        }],
        before: "a < b".into(),
        after: "a <= b".into(),
        source_line: Some("  if (a < b) return a;".into()),
        judgement: Judgement::Alive,
        fate: Fate::Killed,
        reached: 1,
        infected: 1,
        revealed_by: None,
        killed_by: Vec::new(),
        failed: None,
        killed_with: None,
        survivor: None,
        untested: None,
        symbolic: None,
    }
}

#[test]
fn a_hierarchy_shows_dominators_and_what_they_bring_down() {
    let node = |ids: &[u32], layer| HierarchyNode {
        label: String::new(),
        mutants: ids.iter().copied().map(MutantId).collect(),
        layer,
        alive: false,
        note: String::new(),
    };
    // M1 and M2 are killed by the same inputs; they bring down M3, which brings down M4.
    let record = HierarchyRecord {
        format_version: 2,
        subject: "s".into(),
        manifest: "s/dodona.toml".into(),
        seed: 0,
        functions: vec!["f".into()],
        operators: vec!["ROR".into()],
        inputs: 10,
        mutants: vec![mutant(1, 3), mutant(2, 3), mutant(3, 5), mutant(4, 5)],
        statics: StaticStrength::default(),
        classes: Vec::new(),
        misled: 0,
        dominators: vec![DominatorGroup {
            mutants: vec![MutantId(1), MutantId(2)],
            inputs: 1,
            function: "f".into(),
            input: vec![Binding { name: "a".into(), value: "7".into() }],
            subsumes: 2,
            disjoint: true,
        }],
        enough_inputs: 1,
        graph: HierarchyGraph {
            nodes: vec![node(&[1, 2], 0), node(&[3], 1), node(&[4], 2)],
            edges: vec![(0, 1), (1, 2)],
        },
        stop: StopReason::MutantsJudged { mutants: 4 },
        warnings: Vec::new(),
        contradictions: Vec::new(),
    };
    // As a file of the command.
    let json = serde_json::to_vec(&record).expect("it has string keys");
    let html = beside(Found::read(&json).expect("it is a hierarchy"));
    assert!(html.contains("1 group of mutants stands for all 4 that inputs kill"), "{html}");
    assert!(html.contains("Killed by the same inputs: 2 mutants in 1 line"), "{html}");
    assert!(html.contains("Brought down: 2 mutants in 1 line"), "{html}");
    assert!(html.contains("<li>f.c:5: M3 M4</li>") && html.contains("if (a &lt;= b) return a;"), "{html}");
    assert!(html.contains("a &lt;file&gt;.json") && !html.contains("a <file>"), "{html}");
    let none = HierarchyRecord { dominators: Vec::new(), ..record };
    assert!(beside(Found::Hierarchy(Box::new(none))).contains("nothing to put in order"));
}

#[test]
fn a_kill_matrix_shows_families_and_how_soon_inputs_kill() {
    let inputs = Section { kind: SectionKind::Inputs, name: "f".into(), tests: 4 };
    let never = Section { kind: SectionKind::Relation, name: "r".into(), tests: 2 };
    let ids = (1..=4).map(MutantId).collect();
    let mut matrix = KillMatrix::new(vec![inputs, never], ids).expect("it is small");
    // The first input kills nothing, the second and the third M1 and M2, the fourth all but M4.
    for (row, test) in [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)] {
        matrix.set(row, test);
    }
    let mut file = Vec::new();
    matrix.write(&mut file).expect("memory takes it");
    let html = beside(Found::read(&file).expect("it is a matrix"));
    assert!(html.contains("3 of 4 mutants are killed by 4 inputs; 1 input is enough."), "{html}");
    // In the order of the run the faults are found by the tests 2, 2 and 4; best first by the first.
    assert!(
        html.contains("in the order of the run: APFD 0.458") && html.contains("greedily: APFD 0.875"),
        "{html}"
    );
    let rows =
        r#""rows":[{"name":"input 4"},{"name":"input 2 and 1 other"}],"columns":["M3","M1 and 1 other"]"#;
    assert!(html.contains(rows) && html.contains(r#""cells":["c","4"]"#), "{html}");
    assert!(html.contains("None of 2 groups tells one of 4 mutants from the original."), "{html}");
}

#[test]
fn a_comparison_shows_curves_and_dashes_where_nothing_is_known() {
    let spread = |mean| Spread { mean, sd: None };
    let technique = |name: &str, rates: Vec<f64>, apfd| TechniqueRow {
        technique: name.into(),
        order: "path".into(),
        inputs: spread(10.0),
        rates,
        apfd,
        score: None,
        generation: spread(1.0),
        ordering: spread(0.5),
        overhead: None,
    };
    let record = ComparisonRecord {
        format_version: 2,
        subject: "s".into(),
        manifest: "s/dodona.toml".into(),
        function: "f".into(),
        seed: 0,
        repeats: 1,
        count: 10,
        different_inputs: 10,
        relations: vec!["r".into()],
        versions: FaultyVersions::Folders { folders: vec!["faulty/a".into()] },
        candidates: 1,
        faults: vec![FaultRow { fault: "a".into(), detected: vec![1.0, 0.0] }],
        techniques: vec![
            technique("ways", vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], Some(spread(0.55))),
            technique("random", Vec::new(), None),
        ],
        differences: Vec::new(),
        suites: Vec::new(),
        warnings: Vec::new(),
        contradictions: Vec::new(),
    };
    let json = serde_json::to_vec(&record).expect("it has string keys");
    let html = beside(Found::read(&json).expect("it is a comparison"));
    assert!(html.contains("ways by path, APFD 0.550") && html.contains("var(--line-1)"), "{html}");
    assert!(html.contains("<td class=\"number\" data-sort=\"-1\">–</td>"), "{html}");
    let none = ComparisonRecord { faults: Vec::new(), techniques: Vec::new(), ..record };
    let html = beside(Found::Comparison(Box::new(none)));
    assert!(html.contains("No suite detects a fault") && !html.contains("<svg"), "{html}");
}

#[test]
fn what_is_missing_of_an_adequacy_is_named() {
    let requirement = |name: &str, relations, missing, best: Option<&str>, shown: Option<&str>| {
        let bound = |value: &str| vec![Binding { name: "x".into(), value: value.into() }];
        RequirementRecord {
            name: name.into(),
            relations,
            missing,
            best: best.map(bound),
            shown: shown.map(bound),
        }
    };
    let record = AdequacyRecord {
        format_version: 2,
        subject: "s".into(),
        manifest: "s/dodona.toml".into(),
        function: "f".into(),
        criterion: "branch".into(),
        k: 2,
        seed: 0,
        sources: 10,
        relations: 2,
        forms: Vec::new(),
        associations: 20,
        reached: 3,
        whole: 6,
        degree: 0.5,
        reachable: 0,
        greatest: 2,
        requirements: vec![
            requirement("f.c:1 taken", 2, 0, Some("1"), None),
            requirement("f.c:2 taken", 1, 1, Some("2"), None),
            requirement("f.c:3 taken", 0, 2, None, Some("3")),
        ],
        eccem: None,
        paths: Some(PathShares { paths: 4, apcem: 0.5, appcem: 0.25 }),
        violated: Vec::new(),
        warnings: Vec::new(),
    };
    let json = serde_json::to_vec(&record).expect("it has string keys");
    let html = beside(Found::read(&json).expect("it is an adequacy"));
    assert!(html.contains("k = 1: 2 of 3") && html.contains("k = 2: 1 of 3"), "{html}");
    assert!(html.contains("2 requirements lack relations"), "{html}");
    // What lacks most comes first, with an input that no source input is.
    let [third, second] = ["f.c:3 taken", "f.c:2 taken"].map(|name| html.find(name).expect(name));
    assert!(third < second && html.contains("x = 3</code>, which no source input is"), "{html}");
    assert!(!html.contains("f.c:1 taken") && html.contains("50.0 % on average (APCEM)"), "{html}");
    let none = AdequacyRecord { whole: 0, requirements: Vec::new(), ..record };
    assert!(beside(Found::Adequacy(Box::new(none))).contains("nothing was measured"));
}

#[test]
fn a_file_that_is_no_record_says_why() {
    let why = |bytes: &[u8]| Found::read(bytes).expect_err("it is none").to_string();
    assert!(why(b"[1, 2").starts_with("line 1, column 5: "), "{}", why(b"[1, 2"));
    assert!(why(b"{\"dominators\": 3}").contains("line 1"), "{}", why(b"{\"dominators\": 3}"));
    assert!(why(b"{\"subjects\": []}").contains("--format json"));
    assert!(why(b"DODONAKM\x02").contains("not a kill matrix"));
    assert!(why(b"mutant,inputs of f#0\nM1,1\n").contains("compact form"));
    for odd in [&b""[..], b"<!DOCTYPE html>", b"\xef\xbb\xbf{}", b"\xff\xfe{\0}\0"] {
        assert!(why(odd).contains("no JSON in UTF-8"), "{}", why(odd));
    }
    assert!(why(b"{\"format_version\": 99, \"techniques\": []}").contains("the format 99"));
    let long = format!("{{\"techniques\": \"{}\"}}", "x".repeat(100_000));
    assert!(why(long.as_bytes()).len() < 400, "{}", why(long.as_bytes()));
}
