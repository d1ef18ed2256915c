//! What a page says, and what it must not do.

use dodona_page::{Page, PastRun, page};
use dodona_records::{
    Binding, CallRecord, Counterexample, FunctionRun, MutantId, Provenance, RelationRecord, RelationState,
    RunFaults, RunRecord, RunRelation, SideRecord, SubjectRun, Tally,
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
    page(&Page { run, told: "run 2", next: &[], past, source: &|_, _| None })
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
        html.contains("<span class=\"figure\">–</span><span class=\"what\">Faults caught</span>"),
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
    assert!(html.contains("1 of 1 relation violated."), "{html}");
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
    assert!(html.contains("No verdict on an accepted relation is another one"), "{html}");
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
    assert!(html.contains(r#""rows":["a","b"],"columns":[1,2,3,4],"cells":["c","6"]"#), "{html}");
    assert!(html.contains("3 of 4 faults that inputs reveal, caught by 2 relations"), "{html}");
}
