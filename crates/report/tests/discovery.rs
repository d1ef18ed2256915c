//! Reports of relations that were found, as they are printed.

use dodona_records::{
    DiscoveredRelation, DiscoveryPairs, DiscoveryProof, DiscoveryRecord, DiscoverySources, DiscoveryStop,
    DiscoveryVersion, DiscoveryWork, FORMAT_VERSION, FilterStep, FoundBy, LawRecord, LawsRecord, LawsStop,
    LeftOut, MutantId, RefutedRelation, UnconfirmedRelation,
};
use dodona_report::{Explained as _, Format, Report as _, Styles, discovered_file, laws_file};

const COMMAND: &str = "dodona discover subjects/genmorph pow --seed 7 --hold-out 0.1";

fn ids(numbers: &[u32]) -> Vec<MutantId> {
    numbers.iter().copied().map(MutantId).collect()
}

fn step(name: &str, tried: u64, passed: u64) -> FilterStep {
    FilterStep { name: name.into(), tried, passed }
}

fn less() -> DiscoveredRelation {
    DiscoveredRelation {
        name: "pow_less".into(),
        text: "relation pow_less: when k != 0 and e > 0: pow(k, e - 1) == pow(k, e) / k".into(),
        words: "where k != 0 and e > 0, taking 1 from e divides the result by k".into(),
        transformation: "NumericAddition(e, -1)".into(),
        given: "k' = k, e' = e - 1".into(),
        found_by: FoundBy::Enumeration,
        sources_tried: 1100,
        held: 1080,
        ineligible: 20,
        proof: DiscoveryProof::TestedOn { groups: 1080 },
        caught: ids(&[1, 2, 3, 5, 8]),
        only: ids(&[1, 2, 3]),
        held_out_caught: 1,
        caught_versions: Vec::new(),
    }
}

fn even() -> DiscoveredRelation {
    DiscoveredRelation {
        name: "pow_even".into(),
        text: "relation pow_even: abs(pow(-k, e)) == abs(pow(k, e))".into(),
        words: "the results before and after negating k are related so".into(),
        transformation: "Negate(k)".into(),
        given: "k' = -k, e' = e".into(),
        found_by: FoundBy::Evolution { generation: 12 },
        held: 1100,
        ineligible: 0,
        proof: DiscoveryProof::ProvedWithin { longest: Some(4), loop_bound: 30, random_source: false },
        caught: ids(&[5, 8, 9]),
        only: ids(&[9]),
        held_out_caught: 0,
        ..less()
    }
}

fn pow() -> DiscoveryRecord {
    let refuted = RefutedRelation {
        text: "relation candidate: pow(k, e + 1) > pow(k, e)".into(),
        counterexample: "k = -2, e = 2: pow(k, e + 1) = -8, pow(k, e) = 4".into(),
        step: "fresh inputs".into(),
    };
    DiscoveryRecord {
        format_version: FORMAT_VERSION,
        subject: "genmorph".into(),
        manifest: "subjects/genmorph/dodona.toml".into(),
        function: "pow".into(),
        seed: 7,
        stop: DiscoveryStop::TimeSpent { seconds: 30.0 },
        time_decided: true,
        sources: DiscoverySources { files: 0, paths: 12, adaptive: 88, random: 1000, ..Default::default() },
        transformations: 14,
        searched_mutants: ids(&[1, 2, 3, 5, 8, 9, 10]),
        held_out: ids(&[4, 6, 7]),
        held_out_caught: ids(&[6]),
        revealed: ids(&[1, 2, 3, 5, 6, 7, 8, 9]),
        not_run: ids(&[10]),
        versions: Vec::new(),
        pairs: DiscoveryPairs { correct: 12345, incorrect: 6789 },
        work: DiscoveryWork { enumerated: 4321, evaluated: 1_234_567, generations: 40, seconds: 30.04 },
        searches: Vec::new(),
        filter: vec![
            step("fresh inputs", 4, 3),
            step("counterexample search", 3, 2),
            step("symbolic execution", 0, 0),
        ],
        relations: vec![less(), even()],
        left_out: LeftOut { unreadable: 2, unreadable_catch: 3, without_room: 0 },
        unconfirmed: Vec::new(),
        refuted: vec![refuted; 6],
        warnings: vec!["no input along paths: no solver was found".into()],
        contradictions: Vec::new(),
    }
}

fn nothing() -> DiscoveryRecord {
    DiscoveryRecord {
        stop: DiscoveryStop::NothingGained { rounds: 1 },
        time_decided: false,
        held_out: Vec::new(),
        held_out_caught: Vec::new(),
        revealed: Vec::new(),
        relations: Vec::new(),
        refuted: Vec::new(),
        filter: Vec::new(),
        warnings: Vec::new(),
        ..pow()
    }
}

#[test]
fn terminal_of_relations_that_were_found() {
    insta::assert_snapshot!(pow().terminal(Styles::plain()));
}

#[test]
fn explanation_of_relations_that_were_found() {
    insta::assert_snapshot!(pow().explained(Styles::plain()));
}

#[test]
fn the_first_screen_has_few_relations_and_says_how_many_more_there_are() {
    let relation = |number: u32| DiscoveredRelation {
        name: format!("pow_{number}"),
        text: format!("relation pow_{number}: pow(k, {number}) == k ^ {number}"),
        caught: (1..=number.min(7)).map(MutantId).collect(),
        ..less()
    };
    let record = DiscoveryRecord { relations: (1..=24).map(relation).collect(), ..pow() };
    for (width, fit) in [(100, 5), (60, 3), (200, 8)] {
        let shown = record.report(Format::Terminal, Styles::plain().within(width));
        assert!(shown.lines().count() <= 24, "below it stands which file was written: {shown}");
        assert_eq!(shown.matches("  relation pow_").count(), fit, "{shown}");
        assert!(shown.contains(&format!("  and {} more in the file (--explain)\n", 24 - fit)), "{shown}");
    }
    assert_eq!(record.explained(Styles::plain()).matches("  relation pow_").count(), 24);
}

#[test]
fn terminal_of_nothing() {
    insta::assert_snapshot!(nothing().terminal(Styles::plain()));
}

#[test]
fn file_of_relations() {
    insta::assert_snapshot!(discovered_file(&pow(), COMMAND));
}

#[test]
fn mutants_that_were_not_run_are_no_score() {
    let all = || pow().searched_mutants;
    let unmeasured = |relation: DiscoveredRelation| DiscoveredRelation {
        caught: Vec::new(),
        only: Vec::new(),
        held_out_caught: 0,
        ..relation
    };
    let record = DiscoveryRecord {
        not_run: [all(), pow().held_out].concat(),
        revealed: Vec::new(),
        held_out_caught: Vec::new(),
        relations: vec![unmeasured(less()), unmeasured(even())],
        ..pow()
    };
    let not_measured = "what they catch was not measured, because no mutant was run on them";
    let shown = record.explained(Styles::plain());
    assert!(shown.contains(&format!("2 relations; {not_measured}\n")), "{shown}");
    let row: Vec<&str> =
        shown.lines().filter(|line| line.starts_with("  pow_less")).flat_map(str::split_whitespace).collect();
    assert_eq!(row, ["pow_less", "-", "-", "-", "tested"], "{shown}");
    let file = discovered_file(&record, COMMAND);
    assert!(file.contains(not_measured) && file.contains("# what it catches was not measured\n"), "{file}");
    for text in [&shown, &file] {
        assert!(!text.contains("of 0 mutants") && !text.contains("0 of "), "{text}");
    }
    // What was measured is told: here the mutants that were held out were not run.
    let record = DiscoveryRecord { not_run: pow().held_out, held_out_caught: Vec::new(), ..pow() };
    let shown = record.explained(Styles::plain());
    assert!(shown.contains("2 relations catch 6 of 7 mutants (0.85)\n"), "{shown}");
    let row: Vec<&str> =
        shown.lines().filter(|line| line.starts_with("  pow_less")).flat_map(str::split_whitespace).collect();
    assert_eq!(row, ["pow_less", "5", "3", "-", "tested"], "{shown}");
}

#[test]
fn json_is_the_record() {
    let json: serde_json::Value = serde_json::from_str(&pow().json()).expect("it is JSON");
    assert_eq!(json["relations"][1]["name"], "pow_even");
    assert_eq!(json["held_out"].as_array().map(Vec::len), Some(3));
}

#[test]
fn only_comments_and_relations_are_in_a_file() {
    let command = format!("{COMMAND} --output 'a\nrelation b: x'");
    let file = discovered_file(&pow(), &command);
    let others: Vec<&str> = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert_eq!(others, [less().text, even().text]);
    let comments = file.lines().filter(|line| line.starts_with("# "));
    assert!(
        comments.filter(|line| !line.contains("dodona discover")).all(|line| line.chars().count() <= 120)
    );
}

#[test]
fn text_in_relations_is_kept() {
    let text = "relation spaced: f(concat(\"a  b\", s)) == s";
    let record =
        DiscoveryRecord { relations: vec![DiscoveredRelation { text: text.into(), ..less() }], ..pow() };
    assert!(discovered_file(&record, COMMAND).contains(text));
    assert!(record.explained(Styles::plain()).contains(text));
}

fn symmetric() -> UnconfirmedRelation {
    UnconfirmedRelation {
        name: "pow_symmetric".into(),
        text: "relation pow_symmetric: pow(k, e) == pow(e, k)".into(),
        words: "pow is symmetric".into(),
        held: 2000,
        ineligible: 3,
    }
}

/// Lines of a file of relations that are no comments.
fn relations_of(file: &str) -> Vec<&str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

#[test]
fn what_is_not_confirmed_stands_apart() {
    let record = DiscoveryRecord { unconfirmed: vec![symmetric()], ..pow() };
    let shown = record.explained(Styles::plain());
    let (found, apart) = shown.split_once("not confirmed:").expect("a heading");
    assert!(!found.contains("pow_symmetric"), "{shown}");
    assert!(apart.contains("pow(k, e) == pow(e, k)") && apart.contains("held on 2,000 groups, 3 ineligible"));
    assert!(shown.contains("2 relations catch"), "it does not count: {shown}");
    let file = discovered_file(&record, COMMAND);
    assert_eq!(relations_of(&file), relations_of(&discovered_file(&pow(), COMMAND)));
    assert!(file.contains("\n#   relation pow_symmetric: pow(k, e) == pow(e, k)\n"), "{file}");
    let json: serde_json::Value = serde_json::from_str(&record.json()).expect("JSON");
    assert_eq!(json["unconfirmed"][0]["name"], "pow_symmetric");
    assert_eq!(json["relations"].as_array().map(Vec::len), Some(2));
    let nothing = DiscoveryRecord { unconfirmed: vec![symmetric()], ..nothing() };
    let shown = nothing.explained(Styles::plain());
    assert!(shown.contains("no relation was confirmed; 1 relation is not confirmed"), "{shown}");
}

#[test]
fn a_law_says_whether_it_is_proved_and_one_that_is_not_confirmed_is_no_relation_of_the_file() {
    let law = LawRecord {
        name: "pow_odd".into(),
        text: "relation pow_odd: pow(-k, 3) == -pow(k, 3)".into(),
        words: "pow is odd".into(),
        functions: vec!["pow".into()],
        held: 500_000,
        ineligible: 0,
        proof: DiscoveryProof::ProvedWithin { longest: None, loop_bound: 30, random_source: false },
        kills: Vec::new(),
    };
    let record = LawsRecord {
        format_version: FORMAT_VERSION,
        subject: "genmorph".into(),
        manifest: "dodona.toml".into(),
        seed: 0,
        groups: Vec::new(),
        laws: vec![law],
        unconfirmed: vec![symmetric()],
        refuted: Vec::new(),
        skipped: Vec::new(),
        mutants: Vec::new(),
        stop: LawsStop::TimeSpent,
        seconds: 1.0,
        warnings: Vec::new(),
        contradictions: Vec::new(),
    };
    let shown = record.explained(Styles::plain());
    assert!(shown.contains("pow is odd; proved; held on 500,000 groups"), "{shown}");
    assert!(shown.contains("not confirmed:") && shown.contains("1 law in"), "{shown}");
    let file = laws_file(&record, COMMAND);
    assert_eq!(relations_of(&file), ["relation pow_odd: pow(-k, 3) == -pow(k, 3)"]);
    assert!(file.contains("proved; held on 500,000 groups") && file.contains("#   relation pow_symmetric"));
    let json: serde_json::Value = serde_json::from_str(&record.json()).expect("JSON");
    assert_eq!(json["laws"][0]["proof"]["kind"], "proved-within");
    assert_eq!(json["unconfirmed"][0]["held"], 2000);
}

/// [`pow`] with three faulty versions, one of which a relation catches.
fn pow_with_versions() -> DiscoveryRecord {
    let version = |name: &str, is_fault, is_caught| DiscoveryVersion {
        name: name.into(),
        path: format!("faulty/{name}"),
        is_fault,
        was_run: true,
        is_revealed: is_caught,
        is_caught,
    };
    let versions =
        vec![version("lang-1", true, true), version("lang-2", true, false), version("copy", false, false)];
    let caught = DiscoveredRelation { caught_versions: vec!["lang-1".into()], ..less() };
    DiscoveryRecord { versions, relations: vec![caught, even()], ..pow() }
}

#[test]
fn faulty_versions_are_told_by_name_and_counted_apart_from_mutants() {
    let record = pow_with_versions();
    let shown = record.explained(Styles::plain());
    assert!(shown.contains("3 more held out, 3 faulty versions"), "{shown}");
    assert!(shown.contains("  version lang-1  caught by pow_less\n"), "{shown}");
    assert!(
        shown.contains("  version lang-2  not caught: it does as the subject on all inputs of the evidence"),
        "{shown}"
    );
    assert!(
        shown.contains("  version copy    has the code of the subject or of a version before it"),
        "{shown}"
    );
    assert!(shown.contains("held out, and 1 of 2 faulty versions (0.50)"), "{shown}");
    let file = discovered_file(&record, COMMAND);
    assert!(file.contains("# catches the faulty versions lang-1\n"), "{file}");
    let json: serde_json::Value = serde_json::from_str(&record.json()).expect("JSON");
    assert_eq!(json["versions"][0]["is_caught"], true);
    assert_eq!(json["relations"][0]["caught_versions"][0], "lang-1");
}

#[test]
fn versions_without_mutants_are_a_score_of_their_own() {
    let none = |relation: DiscoveredRelation| DiscoveredRelation {
        caught: Vec::new(),
        only: Vec::new(),
        held_out_caught: 0,
        ..relation
    };
    let with = pow_with_versions();
    let relations = with.relations.iter().cloned().map(none).collect();
    let record = DiscoveryRecord {
        relations,
        searched_mutants: Vec::new(),
        held_out: Vec::new(),
        held_out_caught: Vec::new(),
        revealed: Vec::new(),
        not_run: Vec::new(),
        ..with
    };
    let shown = record.explained(Styles::plain());
    assert!(shown.contains("2 relations catch 1 of 2 faulty versions (0.50)\n"), "{shown}");
    assert!(!discovered_file(&record, COMMAND).contains("mutants (0"), "{shown}");
}
