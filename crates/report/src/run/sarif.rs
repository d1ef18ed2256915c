//! A run as SARIF 2.1.0: violated relations as errors at their lines, and source lines with mutants that no accepted relation catches as warnings.

use dodona_records::{RunRecord, RunRelation, SubjectRun, SurvivingLine};
use serde_json::{Value, json};

use crate::sarif_parts::{location, log, uri};
use crate::text::{arguments, counted, one_line};

/// One log: a run for each subject.
pub(super) fn sarif(record: &RunRecord) -> String {
    log(record.subjects.iter().map(run).collect())
}

fn run(subject: &SubjectRun) -> Value {
    let faults = subject.functions.iter().filter_map(|function| function.faults.as_ref());
    let surviving = faults.flat_map(|faults| &faults.surviving);
    let results: Vec<Value> = subject
        .violated()
        .map(violation)
        .chain(surviving.map(|line| survivor(&subject.manifest, line)))
        .collect();
    let note = |level: &str, text: &String| json!({ "level": level, "message": { "text": text } });
    let warnings = subject.warnings.iter().chain(&subject.left).map(|text| note("warning", text));
    let failures = subject.contradictions.iter().chain(&subject.failure).map(|text| note("error", text));
    json!({
        "tool": { "driver": {
            "name": "Dodona",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": [
                { "id": "relation", "shortDescription": { "text": "A relation that is violated" } },
                { "id": "surviving", "shortDescription": { "text": "Mutants of a line that no accepted relation catches" } },
            ],
        }},
        "automationDetails": { "id": format!("dodona-run/{}/", subject.subject) },
        "invocations": [{
            "executionSuccessful": subject.failure.is_none() && subject.left.is_empty() && subject.contradictions.is_empty(),
            "toolExecutionNotifications": warnings.chain(failures).collect::<Vec<Value>>(),
        }],
        "results": results,
    })
}

fn violation(relation: &RunRelation) -> Value {
    let check = &relation.check;
    let counterexample = check.counterexample.as_ref();
    let why = counterexample.map(|found| format!(": {}: {}", arguments(&found.source), one_line(&found.why)));
    json!({
        "ruleId": "relation",
        "ruleIndex": 0,
        "level": "error",
        "message": { "text": format!("{} is violated{}", check.name, why.unwrap_or_default()) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri("", &check.file) },
            "region": { "startLine": check.line.max(1) },
        }}],
        "partialFingerprints": { "dodonaRelation/v1": check.text },
    })
}

fn survivor(manifest: &str, line: &SurvivingLine) -> Value {
    let SurvivingLine { before, after, input, expected, found, .. } = line;
    let mutants = counted(line.mutants.len() as u64, "mutant");
    let text = format!(
        "{mutants} that no accepted relation catches, such as {before} → {after}: for {} it gives {found}, the original {expected}",
        arguments(input)
    );
    json!({
        "ruleId": "surviving",
        "ruleIndex": 1,
        "level": "warning",
        "message": { "text": text },
        "locations": [location(manifest, &line.place)],
        "partialFingerprints": { "dodonaSurviving/v1": format!("{} {before} {after}", line.place.function) },
    })
}
