//! Reports of mutation analysis, as they are printed.

mod common;

use common::{interrupted, nothing_to_mutate, triangle};
use dodona_records::{Against, Judgement, MutationRecord, Proof, SameCodeAs, VersionRecord};
use dodona_report::{Format, Report as _, Styles, brief_mutation, terminal_mutants};
use serde_json::Value;

fn terminal(records: &[MutationRecord]) -> String {
    records.terminal(Styles::plain())
}

#[test]
fn terminal_of_every_kind_of_mutant() {
    insta::assert_snapshot!(terminal(&[triangle()]));
}

fn brief(records: &[MutationRecord]) -> String {
    brief_mutation(records, Styles::plain()).to_string()
}

#[test]
fn mutants_in_the_format_of_dashboards() {
    let mut record = triangle();
    for mutant in &mut record.mutants {
        for place in &mut mutant.places {
            (place.file, place.line, place.column) = (Some("triangle.c".into()), Some(2), Some(14));
        }
    }
    let source = "int triangle(int a, int b, int c) {\n    /* é */ if (a <= 0) return 0;\n}\n";
    let text = dodona_report::elements(&[record.clone()], &|_, _| Some(source.to_owned()));
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&value["schemaVersion"], &value["files"]["triangle.c"]["language"]),
        (&"2".into(), &"c".into())
    );
    let mutants = value["files"]["triangle.c"]["mutants"].as_array().expect("a list");
    assert_eq!(mutants.len(), record.mutants.len());
    let count = |status: &str| mutants.iter().filter(|one| one["status"] == status).count() as u64;
    let totals = record.totals();
    // The score of the format is that of the record.
    assert_eq!(count("Killed"), totals.killed + totals.crashed);
    assert_eq!(count("Timeout"), totals.timed_out);
    assert_eq!(count("Survived") + count("NoCoverage"), totals.alive + totals.untested);
    assert_eq!(count("Ignored"), totals.equivalent + totals.duplicates + totals.accepted);
    let compared = mutants.iter().find(|one| one["description"] == "a <= 0 → a < 0").expect("a mutant");
    assert_eq!(
        compared["location"]["start"]["column"], 17,
        "characters and not bytes, where the code begins"
    );
    assert_eq!(compared["location"]["end"]["column"], 23);
    let tests = value["testFiles"].as_object().expect("tests").values();
    let ids: Vec<&Value> =
        tests.flat_map(|file| file["tests"].as_array().expect("a list")).map(|test| &test["id"]).collect();
    let killers = mutants.iter().flat_map(|one| one["killedBy"].as_array().expect("a list"));
    assert!(killers.into_iter().all(|killer| ids.contains(&killer)));
    // Nobody has the source: the lines are there all the same.
    let text = dodona_report::elements(&[record], &|_, _| None);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["files"]["triangle.c"]["source"], "\n\n");
}

#[test]
fn the_first_screen_has_the_lines_that_matter() {
    insta::assert_snapshot!(brief(&[triangle(), nothing_to_mutate(), interrupted()]));
}

#[test]
fn the_first_screen_of_a_thousand_mutants_is_25_lines_of_100_characters() {
    let mut record = triangle();
    let alive = record
        .mutants
        .iter()
        .find(|mutant| mutant.revealed_by.is_some() && mutant.judgement == Judgement::Alive);
    let one = alive.expect("a survivor that inputs reveal").clone();
    for number in 0..1000_u32 {
        let mut mutant = one.clone();
        mutant.id = dodona_records::MutantId(1000 + number);
        for place in &mut mutant.places {
            (place.file, place.line) = (Some("triangle.c".into()), Some(1 + number / 9));
        }
        mutant.before = format!("a_long_name_of_something({number}) + another_name_that_is_long({number})");
        mutant.after = format!("a_long_name_of_something({number}) - another_name_that_is_long({number})");
        record.mutants.push(mutant);
    }
    record.warnings = (0..30).map(|number| format!("warning {number}")).collect();
    let said = brief(&[record.clone()]);

    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.chars().count() > 100 && !line.starts_with("mutation score"))
        .collect();
    // The score is one line, the last, for whoever reads it with a program.
    assert_eq!(lines, [""; 0]);
    assert!(said.contains("in 113 lines, 9 of which are:") && said.contains("28 more (--all)"), "{said}");
    record.warnings.clear();
    record.versions.clear();
    record.stale.clear();
    for mutant in record.mutants.iter_mut().filter(|mutant| mutant.judgement == Judgement::Untested) {
        mutant.judgement = Judgement::Killed;
    }
    let said = brief(&[record]);
    assert!(said.lines().count() <= 25, "{said}");
}

#[test]
fn terminal_of_a_function_without_sites() {
    insta::assert_snapshot!(terminal(&[nothing_to_mutate()]));
}

#[test]
fn terminal_of_a_run_without_relations() {
    let mut record = interrupted();
    record.against = Against::Inputs;
    record.relations.clear();
    for mutant in &mut record.mutants {
        mutant.killed_by.clear();
        if mutant.is_scored() {
            mutant.judgement = mutant.judged_by(Against::Inputs);
        }
    }
    insta::assert_snapshot!(terminal(&[record]));
}

#[test]
fn list_of_mutants() {
    let mut record = triangle();
    for mutant in &mut record.mutants {
        if mutant.is_scored() {
            mutant.judgement = Judgement::NotRun;
        }
    }
    insta::assert_snapshot!(terminal_mutants(&[record, nothing_to_mutate()], Styles::plain()));
}

#[test]
fn colours_are_all_that_styles_change() {
    let coloured = [triangle()].terminal(Styles::coloured());
    let mut plain = String::new();
    let mut codes = 0;
    for (i, part) in coloured.split('\u{1b}').enumerate() {
        codes += usize::from(i > 0);
        plain += if i == 0 { part } else { part.split_once('m').expect("a code ends in m").1 };
    }
    assert!(codes > 10);
    assert_eq!(plain, terminal(&[triangle()]));
}

/// The names and shapes of the fields are part of the interface.
#[test]
fn json_of_every_kind_of_mutant() {
    insta::assert_snapshot!([triangle()].json());
}

#[test]
fn csv_of_every_kind_of_mutant() {
    insta::assert_snapshot!([triangle()].report(Format::Csv, Styles::plain()));
}

#[test]
fn csv_of_nothing_has_its_columns() {
    let of = |records: &[MutationRecord]| {
        records.report(Format::Csv, Styles::plain()).lines().next().map(str::to_owned)
    };
    let none: [MutationRecord; 0] = [];
    assert_eq!(none.report(Format::Csv, Styles::plain()).lines().count(), 1);
    assert_eq!(of(&[]), of(&[triangle()]));
}

#[test]
fn sarif_of_every_kind_of_mutant() {
    insta::assert_snapshot!([triangle()].report(Format::Sarif, Styles::plain()));
}

#[test]
fn every_mutant_is_in_every_report() {
    let record = triangle();
    let text = terminal(&[triangle()]);
    let json: Value = serde_json::from_str(&[triangle()].json()).expect("JSON");
    let log: Value =
        serde_json::from_str(&[triangle()].report(Format::Sarif, Styles::plain())).expect("JSON");
    let table = [triangle()].report(Format::Csv, Styles::plain());
    for mutant in &record.mutants {
        let id = mutant.id.to_string();
        assert!(json["subjects"][0]["mutants"].as_array().is_some_and(|m| m.iter().any(|m| m["id"] == *id)));
        let results = log["runs"][0]["results"].as_array().expect("results");
        assert_eq!(results.iter().filter(|r| r["properties"]["mutant"] == *id).count(), 1, "{id}");
        assert_eq!(table.lines().filter(|l| l.starts_with(&format!("triangle,{id},"))).count(), 1, "{id}");
        let words = text.split([' ', ':', '\n']);
        assert!(
            words.clone().any(|w| w == id || w.starts_with(&format!("{id}=")) || in_range(w, mutant.id.0)),
            "{id}"
        );
    }
}

/// Whether a number lies in `M1-M5`.
fn in_range(word: &str, number: u32) -> bool {
    let ends = word.split_once('-').map(|(first, last)| (number_of(first), number_of(last)));
    matches!(ends, Some((Some(first), Some(last))) if first <= number && number <= last)
}

fn number_of(word: &str) -> Option<u32> {
    word.strip_prefix('M')?.parse().ok()
}

/// What the specification (sections 3.13 to 3.59) requires of the objects that are written.
#[test]
fn sarif_has_what_its_specification_requires() {
    let log: Value = serde_json::from_str(
        &[triangle(), nothing_to_mutate(), with_versions()].report(Format::Sarif, Styles::plain()),
    )
    .expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 3);
    for run in runs {
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string());
        let rules = driver["rules"].as_array().expect("rules");
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        for note in run["invocations"][0]["toolExecutionNotifications"].as_array().expect("notifications") {
            assert!(note["message"]["text"].is_string());
        }
        for result in run["results"].as_array().expect("results") {
            check_result(result, rules);
        }
    }
}

fn check_result(result: &Value, rules: &[Value]) {
    assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    let index = result["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let kind = result["kind"].as_str().expect("a kind");
    assert!(["pass", "open", "notApplicable", "fail"].contains(&kind));
    let level = if kind == "fail" { "warning" } else { "none" };
    assert_eq!(result["level"], level, "a level other than none is for failures alone");
    for suppression in result["suppressions"].as_array().into_iter().flatten() {
        assert_eq!(suppression["kind"], "external");
    }
    let places = ["locations", "relatedLocations"].into_iter().filter_map(|k| result[k].as_array()).flatten();
    for place in places {
        let Some(physical) = place.get("physicalLocation") else { continue };
        let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI");
        assert!(!uri.contains([' ', '\\']), "{uri}");
        if let Some(region) = physical.get("region") {
            assert!(region["startLine"].as_u64().is_some_and(|line| line > 0));
        }
    }
}

#[test]
fn sarif_places_lie_where_the_manifest_does() {
    let uri = |manifest: &str, file: &str| {
        let mut record = triangle();
        record.manifest = manifest.to_owned();
        record.mutants[0].places[0].file = Some(file.to_owned());
        let log: Value =
            serde_json::from_str(&[record].report(Format::Sarif, Styles::plain())).expect("JSON");
        let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        location["artifactLocation"]["uri"].as_str().expect("a URI").to_owned()
    };
    assert_eq!(uri("subjects/gcd/dodona.toml", "gcd.c"), "subjects/gcd/gcd.c");
    assert_eq!(uri("dodona.toml", "src/lib.rs"), "src/lib.rs");
    assert_eq!(uri("./dodona.toml", "a b.c"), "a%20b.c");
    assert_eq!(uri("s/dodona.toml", "/usr/é.h"), "file:///usr/%C3%A9.h");
}

/// [`triangle`] with faulty versions of every kind.
fn with_versions() -> MutationRecord {
    let mut record = triangle();
    let by_name = |name: &str, number: usize| {
        let like = &triangle().mutants[number];
        VersionRecord {
            name: name.to_owned(),
            path: format!("faulty/{name}"),
            same_as: None,
            judgement: like.judgement.clone(),
            revealed_by: like.revealed_by.clone(),
            killed_by: like.killed_by.clone(),
            failed: like.failed.clone(),
            untested: like.untested.clone(),
        }
    };
    let alive = VersionRecord { revealed_by: None, ..by_name("alive", 4) };
    let copy = |name: &str, same_as, judgement| VersionRecord {
        same_as: Some(same_as),
        judgement,
        ..by_name(name, 4)
    };
    let proof = Proof::SameCode;
    record.versions = vec![
        by_name("lang-1", 0),
        by_name("lang-27", 11),
        alive,
        copy("twice", SameCodeAs::Version { name: "lang-1".into() }, Judgement::Killed),
        copy("itself", SameCodeAs::Subject, Judgement::Equivalent { proof }),
    ];
    record
}

#[test]
fn faulty_versions_have_lines_of_their_own() {
    let shown = terminal(&[with_versions()]);
    let lines: Vec<&str> = shown.lines().collect();
    let first = lines.iter().position(|line| *line == "  5 faulty versions:").expect("they are listed");
    assert!(
        lines[first + 1].starts_with("    lang-1   killed     by symmetric, scale, e.g. a = "),
        "{shown}"
    );
    assert!(lines[first + 2].starts_with("    lang-27  crashed    in a test of triangle: a = 3"), "{shown}");
    assert_eq!(
        lines[first + 3],
        "    alive    alive      it does as the subject on all of 1,000 inputs, and no relation is violated"
    );
    assert_eq!(lines[first + 4], "    twice    duplicate  it has the code of lang-1, and is counted once");
    assert_eq!(lines[first + 5], "    itself   equivalent it has the code of the subject, and is no fault");
    assert_eq!(
        lines[lines.len() - 2],
        "2 of 3 faulty versions detected; a mutation score counts mutants alone"
    );
    let score = |shown: &str| shown.lines().last().map(str::to_owned);
    assert_eq!(score(&shown), score(&terminal(&[triangle()])), "versions do not change the mutation score");
    let row = lines.iter().find(|line| line.starts_with("  symmetric  ")).expect("its row");
    assert!(row.ends_with(" 1"), "one version is killed by it: {row}");
}

#[test]
fn every_version_is_in_every_report() {
    let record = with_versions();
    let csv = [record.clone()].report(Format::Csv, Styles::plain());
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let lines: Vec<csv::StringRecord> = reader.records().map(|line| line.expect("valid")).collect();
    let json: Value = serde_json::from_str(&[record.clone()].json()).expect("JSON");
    let sarif: Value =
        serde_json::from_str(&[record.clone()].report(Format::Sarif, Styles::plain())).expect("JSON");
    let subject = &json["subjects"][0];
    for (place, VersionRecord { name, path, .. }) in record.versions.iter().enumerate() {
        let line = lines.iter().find(|line| &line[1] == name).expect("a line");
        assert_eq!((&line[3], &line[6]), ("version", path.as_str()));
        assert_eq!(subject["versions"][place]["name"], name.as_str());
        let results = sarif["runs"][0]["results"].as_array().expect("results");
        let result = results.iter().find(|result| result["properties"]["version"] == name.as_str());
        assert_eq!(result.expect("a result")["ruleId"], "version");
    }
    assert_eq!(subject["versions_detected"], serde_json::json!({ "covered": 2, "total": 3 }));
    let without: Value = serde_json::from_str(&[triangle()].json()).expect("JSON");
    assert_eq!(subject["score"], without["subjects"][0]["score"]);
    assert!(without["subjects"][0].get("versions").is_none());
    let kinds: Vec<&Value> = sarif["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| &result["kind"])
        .collect();
    assert_eq!(kinds[kinds.len() - 5..], ["pass", "pass", "fail", "notApplicable", "notApplicable"]);
}

#[test]
fn a_function_without_parameters_is_told_with_its_empty_arguments() {
    let mut record = triangle();
    for mutant in &mut record.mutants {
        mutant.revealed_by.iter_mut().for_each(|revealed| revealed.first.clear());
        mutant.survivor.iter_mut().for_each(Vec::clear);
    }
    let (brief, all) = (brief(&[record.clone()]), terminal(&[record]));
    assert!(brief.contains(", for ()"), "{brief}");
    assert!(all.contains("no relation does: () gives"), "{all}");
    for text in [brief, all] {
        let is_cut = |line: &str| {
            line.trim_end().ends_with(" for") || line.contains("e.g. ;") || line.contains(":  gives")
        };
        assert_eq!(text.lines().find(|line| is_cut(line)), None);
    }
}
