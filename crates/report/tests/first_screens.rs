//! First screens: at most 25 lines however much there is, what matters first, and where the rest is.

// The records of other tests are there too.
#[allow(dead_code)]
mod common;

use std::time::Duration;

use dodona_records::{
    BlockCoverage, BranchCoverage, CheckRecord, Counterexample, CoverageRecord, DominatorGroup, Elapsed,
    FORMAT_VERSION, FileCoverage, HierarchyGraph, HierarchyRecord, LineCoverage, MutantClass, MutantId,
    MutantRecord, Provenance, RelationRecord, Share, StaticStrength, StopReason, Tally,
};
use dodona_report::{Format, Report, Styles};

use crate::common::{input, triangle};

fn screen(record: &(impl Report + ?Sized), width: usize) -> String {
    let text = record.report(Format::Terminal, Styles::plain().within(width));
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(width), "{text}");
    assert!(text.lines().count() <= 25, "{text}");
    text
}

fn hierarchy(groups: u32) -> HierarchyRecord {
    let all = triangle().mutants;
    let killed = all.iter().find(|mutant| mutant.before == "a == b").expect("one is killed").clone();
    let class = MutantClass {
        representative: MutantId(1),
        function: "triangle".into(),
        input: input([1, 2, 3]),
        observed: (2..=groups).map(MutantId).collect(),
        proved: Vec::new(),
        strong: vec![MutantId(1)],
    };
    let group = |number: u32| DominatorGroup {
        mutants: vec![MutantId(number)],
        inputs: u64::from(number),
        function: "triangle".into(),
        input: input([3, 4, i64::from(number)]),
        subsumes: u64::from(groups - number),
        disjoint: false,
    };
    HierarchyRecord {
        format_version: FORMAT_VERSION,
        subject: "triangle".into(),
        manifest: "triangle/dodona.toml".into(),
        seed: 0,
        functions: vec!["triangle".into()],
        operators: Vec::new(),
        inputs: 1000,
        mutants: (1..=groups).map(|number| MutantRecord { id: MutantId(number), ..killed.clone() }).collect(),
        statics: StaticStrength { blocks: 3, unknown: 2, ..StaticStrength::default() },
        classes: vec![class],
        misled: 0,
        dominators: (1..=groups).map(group).collect(),
        enough_inputs: 24,
        graph: HierarchyGraph { nodes: Vec::new(), edges: Vec::new() },
        stop: StopReason::SourcesRun { sources: 1000 },
        warnings: (1..=5).map(|number| format!("warning number {number}")).collect(),
        contradictions: Vec::new(),
    }
}

#[test]
fn a_hierarchy_has_the_groups_that_bring_down_most() {
    let record = hierarchy(40);
    insta::assert_snapshot!("hierarchy", screen(&record, 100));
    screen(&record, 60);
    let whole = record.whole(Styles::plain());
    assert_eq!(whole.matches("1 input kills it and 39 others").count(), 1, "{whole}");
    assert!(
        whole.contains("M30") && whole.contains("warning number 5") && !whole.contains("--all"),
        "{whole}"
    );
}

#[test]
fn a_hierarchy_of_one_group_shows_it() {
    let record = HierarchyRecord { warnings: Vec::new(), enough_inputs: 1, ..hierarchy(1) };
    insta::assert_snapshot!("hierarchy_of_one_group", screen(&record, 100));
    let nothing = HierarchyRecord { classes: Vec::new(), dominators: Vec::new(), ..record };
    assert!(screen(&nothing, 100).contains("no input kills a mutant"));
}

fn branch(instruction: u32, taken: &[u64]) -> BranchCoverage {
    BranchCoverage { function: "work".into(), instruction, taken: taken.to_vec() }
}

fn line(line: u32, hits: u64, branches: Vec<BranchCoverage>) -> LineCoverage {
    LineCoverage { line, hits, branches }
}

fn coverage(function: &str, lines: Vec<LineCoverage>) -> CoverageRecord {
    let text: String = (1..=200).map(|number| format!("    code of line {number};\n")).collect();
    let mut statements = Share::default();
    lines.iter().for_each(|line| statements.count(line.hits > 0));
    let mut branches = Share::default();
    let taken = lines.iter().flat_map(|line| &line.branches).flat_map(|branch| &branch.taken);
    taken.for_each(|taken| branches.count(*taken > 0));
    let file = FileCoverage { path: "work.c".into(), library: None, lines, source: Some(text) };
    CoverageRecord {
        format_version: FORMAT_VERSION,
        subject: "work".into(),
        manifest: "work.toml".into(),
        function: function.into(),
        seed: 0,
        stop: StopReason::SourcesRun { sources: 1000 },
        statements,
        branches,
        paths: 3,
        files: vec![file],
        blocks: Vec::new(),
    }
}

#[test]
fn coverage_has_the_places_that_nothing_runs() {
    let lines = vec![
        line(3, 1000, vec![branch(1, &[1000, 0]), branch(2, &[4, 996])]),
        line(4, 0, vec![branch(3, &[0, 0])]),
        line(6, 0, Vec::new()),
        line(8, 1, Vec::new()),
        line(9, 0, Vec::new()),
    ];
    insta::assert_snapshot!("coverage", screen(&[coverage("work", lines)][..], 100));
}

#[test]
fn what_one_function_does_not_run_and_another_does_is_run() {
    let one = coverage("one", vec![line(3, 0, vec![branch(1, &[0, 0])]), line(4, 0, Vec::new())]);
    let other = coverage("other", vec![line(3, 2, vec![branch(1, &[1, 1])])]);
    let text = screen(&[one.clone(), other.clone()][..], 100);
    assert!(text.contains("  1 statement is never run:\n  work.c:4  never run  code of line 4;\n"), "{text}");
    let text = screen(&[other][..], 100);
    assert!(text.contains("every statement is run, and every branch edge is taken"), "{text}");
    assert!(one.statements.covered == 0);
}

#[test]
fn coverage_of_much_code_is_a_screen() {
    let odd = |function: u32| {
        let lines =
            (1..=180).map(|number| line(number, u64::from(number % 2), vec![branch(number, &[1, 0])]));
        coverage(&format!("function_{function}"), lines.collect())
    };
    let records: Vec<CoverageRecord> = (0..30).map(odd).collect();
    for width in [100, 60] {
        let text = screen(&records[..], width);
        assert!(text.contains("and 25 more functions"), "{text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let never = "90 statements are never run and 180 branch edges are never taken; the first";
        assert!(words.contains(never) && words.contains("of 180 places:"), "{text}");
    }
    assert!(records[..].whole(Styles::plain()).lines().count() > 30 * 180);
}

#[test]
fn blocks_without_lines_are_named_by_their_instruction() {
    let block = |instruction, hits| BlockCoverage {
        function: "bound".into(),
        instruction,
        hits,
        branches: Vec::new(),
    };
    let record = CoverageRecord {
        files: Vec::new(),
        blocks: vec![block(0, 3), block(4, 0)],
        ..coverage("bound", Vec::new())
    };
    let text = screen(&[record][..], 100);
    assert!(text.contains("  1 block is never run:\n  bound+4  never run\n"), "{text}");
}

fn relation(name: &str, tally: Tally) -> RelationRecord {
    let counterexample = Counterexample {
        source: input([3, 4, 5]),
        found: input([3, 4, 5]),
        group: None,
        calls: Vec::new(),
        sides: Vec::new(),
        why: "violated: 1 is not 2".into(),
        shrink_steps: 0,
        shrink_stopped: None,
        provenance: Provenance::File { path: "inputs.csv".into(), line: 1 },
        kept: None,
    };
    RelationRecord {
        name: name.to_owned(),
        text: format!("relation {name}: triangle(a, b, c) == triangle(b, a, c)"),
        file: "triangle.mr".into(),
        line: 7,
        sources: tally.groups(),
        counterexample: (tally.violated > 0).then_some(counterexample),
        skipped: [].into(),
        outside: None,
        elapsed: Elapsed(Duration::ZERO),
        tally,
    }
}

fn check(holds: usize, violated: usize) -> CheckRecord {
    let held = |_| relation("same", Tally { held: 1000, ..Tally::default() });
    let broken = |_| relation("other", Tally { held: 990, violated: 10, ..Tally::default() });
    CheckRecord {
        format_version: FORMAT_VERSION,
        subject: "triangle".into(),
        manifest: "triangle/dodona.toml".into(),
        seed: 0,
        stop: StopReason::SourcesRun { sources: 1000 },
        schedule: None,
        failure: None,
        relations: (0..holds).map(held).chain((0..violated).map(broken)).collect(),
        adequacy: Vec::new(),
        unread: 0,
        min_eligible: None,
        warnings: Vec::new(),
    }
}

#[test]
fn a_check_of_many_relations_shows_those_that_are_violated() {
    let record = check(60, 2);
    let text = screen(&[record.clone()][..], 100);
    assert_eq!(text.matches("  VIOLATED  ").count(), 2, "{text}");
    assert!(text.contains("  holds     60 relations\n"), "{text}");
    assert!(text.contains("  each relation: --all\n62 relations: 60 hold, 2 violated"), "{text}");
    assert!(text.contains("      violated: "), "a counterexample is there: {text}");
    let whole = [record][..].whole(Styles::plain());
    assert_eq!(whole.matches("  holds     ").count(), 60, "{whole}");
    assert!(!whole.contains("--all"), "{whole}");
    let text = screen(&[check(0, 12)][..], 100);
    assert_eq!(text.matches("  VIOLATED  ").count(), 12, "{text}");
    assert!(text.contains(" counterexamples (--all)\n12 relations: 0 hold, 12 violated"), "{text}");
}
