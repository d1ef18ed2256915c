//! SARIF 2.1.0, the interchange format of static analysis: alive mutants as warnings at their lines.
//!
//! The structures are those of the format that a mutant needs; names are the format's.

use dodona_records::{Judgement, MutantRecord, MutationRecord, SameCodeAs, StopReason, VersionRecord};
use serde::Serialize;
use serde_json::{Value, json};

use super::survivor::why_alive;
use super::{because, how, killers, proof_words, status, stopped, version};
use crate::sarif_parts::{location, log, uri};

/// The rule of faulty versions.
const VERSION: &str = "version";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: String,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Value>,
    partial_fingerprints: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Value>,
    properties: Value,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

/// One SARIF 2.1.0 log: a run a subject, a rule a mutation operator, a result a mutant. Faulty versions are results of the rule `version`.
///
/// | a mutant or version that is | kind | level |
/// | --- | --- | --- |
/// | alive, untested | `fail` | `warning` |
/// | killed, crashed, timed out | `pass` | `none` |
/// | equivalent, duplicate | `notApplicable` | `none` |
/// | accepted | `fail`, with a suppression that gives the reason | `warning` |
/// | not run | `open` | `none` |
///
/// Code that was skipped, stale entries, warnings, a failure of the subject, an interruption and the lack of a score are notifications of the run, which was successful where every
/// mutant was judged.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub(super) fn sarif(records: &[MutationRecord]) -> String {
    let runs: Vec<Value> = records.iter().map(run).collect();
    log(runs)
}

fn run(record: &MutationRecord) -> Value {
    let mut operators = record.operators.clone();
    for mutant in &record.mutants {
        if !operators.contains(&mutant.operator) {
            operators.push(mutant.operator.clone());
        }
    }
    let mut rules: Vec<Value> = operators.iter().map(|name| rule(name)).collect();
    let mut results: Vec<SarifResult> =
        record.mutants.iter().map(|m| result(record, m, &operators)).collect();
    if !record.versions.is_empty() {
        let text = "A faulty version that no test tells from the original";
        rules.push(json!({ "id": VERSION, "shortDescription": { "text": text } }));
        results.extend(record.versions.iter().map(|version| of_version(record, version, operators.len())));
    }
    let mut run = json!({
        "tool": { "driver": {
            "name": "Dodona",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }},
        "automationDetails": { "id": format!("dodona-mutate/{}/", record.subject) },
        "invocations": [{
            "executionSuccessful": stopped(record).is_none() && record.contradictions.is_empty(),
            "toolExecutionNotifications": notifications(record),
        }],
        "results": results,
        "properties": {
            "subject": record.subject,
            "manifest": record.manifest,
            "seed": record.seed,
            "mutationScore": record.score(),
            "suiteScore": record.suite_score(),
        },
    });
    if !record.versions.is_empty() {
        run["properties"]["versionsDetected"] = json!(record.versions_detected());
    }
    run
}

fn rule(operator: &str) -> Value {
    let text = format!("A mutant of the operator {operator} that no test tells from the original");
    json!({ "id": operator, "shortDescription": { "text": text } })
}

fn kind_and_level(judgement: &Judgement) -> (&'static str, &'static str) {
    match judgement {
        Judgement::Alive | Judgement::Untested | Judgement::Accepted { .. } => ("fail", "warning"),
        Judgement::Killed | Judgement::Crashed | Judgement::TimedOut => ("pass", "none"),
        Judgement::Equivalent { .. } | Judgement::Duplicate { .. } => ("notApplicable", "none"),
        Judgement::NotRun => ("open", "none"),
    }
}

fn result(record: &MutationRecord, mutant: &MutantRecord, operators: &[String]) -> SarifResult {
    let (kind, level) = kind_and_level(&mutant.judgement);
    let suppressions = match &mutant.judgement {
        Judgement::Accepted { reason } => vec![json!({ "kind": "external", "justification": reason })],
        _ => Vec::new(),
    };
    let copies = mutant.places.iter().skip(1);
    SarifResult {
        rule_id: mutant.operator.clone(),
        rule_index: operators.iter().position(|o| *o == mutant.operator).unwrap_or_default(),
        kind,
        level,
        message: Message { text: message(record, mutant) },
        locations: first_location(record, mutant).into_iter().collect(),
        related_locations: copies.map(|place| location(&record.manifest, place)).collect(),
        partial_fingerprints: json!({ "dodonaMutant/v1": mutant.key }),
        suppressions,
        properties: json!({
            "mutant": mutant.id,
            "status": status(mutant),
            "fate": mutant.fate,
            "reached": mutant.reached,
            "infected": mutant.infected,
            "kind": how(mutant),
        }),
    }
}

/// A faulty version as a result of the rule with this number.
fn of_version(record: &MutationRecord, version: &VersionRecord, rule_index: usize) -> SarifResult {
    let VersionRecord { name, path, judgement, .. } = version;
    let (kind, level) = match version.same_as {
        Some(SameCodeAs::Version { .. }) => ("notApplicable", "none"),
        _ => kind_and_level(judgement),
    };
    let because = version::because(record, version);
    let colon = if because.is_empty() { "" } else { ": " };
    SarifResult {
        rule_id: VERSION.to_owned(),
        rule_index,
        kind,
        level,
        message: Message {
            text: format!("faulty version {name} is {}{colon}{because}", version::status(version)),
        },
        locations: vec![json!({ "physicalLocation": { "artifactLocation": { "uri": uri("", path) } } })],
        related_locations: Vec::new(),
        partial_fingerprints: json!({ "dodonaVersion/v1": name }),
        suppressions: Vec::new(),
        properties: json!({ "version": name, "status": version::status(version) }),
    }
}

/// `M17: a + b <= c → a + b < c is alive: …`.
fn message(record: &MutationRecord, mutant: &MutantRecord) -> String {
    let MutantRecord { id, before, after, .. } = mutant;
    let what = match &mutant.judgement {
        Judgement::Alive => format!("is alive: {}", why_alive(record, mutant)),
        Judgement::Untested => format!("is untested: {}", because(mutant)),
        Judgement::Crashed => format!("crashes {}", because(mutant)),
        Judgement::TimedOut => format!("times out {}", because(mutant)),
        Judgement::Killed if mutant.killed_by.is_empty() => "is killed by the inputs".to_owned(),
        Judgement::Killed => format!("is killed by {}", killers(mutant)),
        Judgement::Equivalent { proof } => format!("is equivalent: {}", proof_words(*proof)),
        Judgement::Duplicate { .. } => format!("is a duplicate {}", because(mutant)),
        Judgement::Accepted { .. } => format!("is accepted: {}", because(mutant)),
        Judgement::NotRun => "was not run".to_owned(),
    };
    format!("{id}: {before} → {after} {what}")
}

/// The place that represents a mutant, with the source line.
fn first_location(record: &MutationRecord, mutant: &MutantRecord) -> Option<Value> {
    let mut location = location(&record.manifest, mutant.places.first()?);
    let line = location.pointer("/physicalLocation/region/startLine").cloned();
    if let (Some(text), Some(line)) = (&mutant.source_line, line) {
        location["physicalLocation"]["contextRegion"] =
            json!({ "startLine": line, "snippet": { "text": text } });
    }
    Some(location)
}

fn notifications(record: &MutationRecord) -> Vec<Value> {
    let note = |level: &str, text: String| json!({ "level": level, "message": { "text": text } });
    let skipped = record.skipped.iter().map(|site| {
        let operator = site.operator.as_ref().map(|o| format!(" by {o}")).unwrap_or_default();
        let mut note = note("note", format!("not mutated{operator}: {}", site.reason));
        note["locations"] = json!([location(&record.manifest, &site.place)]);
        note
    });
    let stale = record
        .stale
        .iter()
        .map(|s| note("warning", format!("{}:{}: {}: {}", s.file, s.line, s.entry, s.reason)));
    let warnings = record.warnings.iter().map(|warning| note("warning", warning.clone()));
    let stopped = stopped(record).map(|words| note("error", words));
    let contradictions = record.contradictions.iter().map(|words| note("error", words.clone()));
    let is_listed = matches!(record.stop, StopReason::MutantsListed { .. });
    let no_score = record.no_score().filter(|_| !is_listed);
    let no_score = no_score.map(|why| note("warning", format!("no mutation score: {why}")));
    skipped.chain(stale).chain(warnings).chain(stopped).chain(contradictions).chain(no_score).collect()
}
