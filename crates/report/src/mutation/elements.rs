//! The mutants in the format of mutation-testing-elements, which dashboards and extensions of editors read.
//!
//! Its schema is <https://github.com/stryker-mutator/mutation-testing-elements>, version 2. It has no word for a mutant that is equivalent, a duplicate or accepted by a person: these are
//! ignored, with the reason. A mutant whose calls trap is killed there, for by its words a runtime error is no result. So the score that it shows is Dodona's.

use std::collections::BTreeMap;

use dodona_records::{Fate, Judgement, MutantRecord, MutationRecord, Place};
use serde_json::{Value, json};

use super::because;
use super::survivor::why_alive;
use crate::format::pretty;

/// One document of all records. `source` gives the text of a source file that a record names; without it a file has empty lines.
pub fn elements(
    records: &[MutationRecord],
    source: &dyn Fn(&MutationRecord, &str) -> Option<String>,
) -> String {
    let several = records.len() > 1;
    let (mut files, mut tests) = (serde_json::Map::new(), serde_json::Map::new());
    for record in records {
        // Two subjects may have files of one name.
        let named = |file: &str| if several { format!("{}/{file}", record.subject) } else { file.to_owned() };
        for (file, mutants) in by_file(record) {
            let text = source(record, &file);
            files.insert(named(&file), file_of(record, &file, text, &mutants));
        }
        for relation in &record.relations {
            let file = tests.entry(named(&relation.file)).or_insert_with(|| json!({"tests": []}));
            let test = json!({
                "id": test_id(record, &relation.name),
                "name": relation.name,
                "location": {"start": {"line": relation.line.max(1), "column": 1}},
            });
            if let Some(Value::Array(tests)) = file.get_mut("tests") {
                tests.push(test);
            }
        }
    }
    pretty(&json!({
        "schemaVersion": "2",
        // From these scores on a dashboard shows green and yellow; the format asks for them.
        "thresholds": {"high": 80, "low": 60},
        "framework": {"name": "Dodona", "version": env!("CARGO_PKG_VERSION")},
        "files": files,
        "testFiles": tests,
    }))
}

/// The mutants by the file that they change first; those of code without lines by their function.
fn by_file(record: &MutationRecord) -> BTreeMap<String, Vec<&MutantRecord>> {
    let mut files: BTreeMap<String, Vec<&MutantRecord>> = BTreeMap::new();
    for mutant in &record.mutants {
        let place = mutant.places.first();
        let file = place.map_or("?", |place| place.file.as_deref().unwrap_or(&place.function));
        files.entry(file.to_owned()).or_default().push(mutant);
    }
    files
}

fn file_of(record: &MutationRecord, file: &str, text: Option<String>, mutants: &[&MutantRecord]) -> Value {
    let last = mutants.iter().filter_map(|mutant| mutant.places.first()?.line).max().unwrap_or(1);
    let text = text.unwrap_or_else(|| "\n".repeat(last as usize));
    let lines: Vec<&str> = text.lines().collect();
    let language = match file.rsplit_once('.') {
        Some((_, "rs")) => "rust",
        Some((_, "c" | "h")) => "c",
        Some((_, "cc" | "cpp" | "hpp")) => "cpp",
        Some((_, "py")) => "python",
        Some((_, "js" | "mjs")) => "javascript",
        Some((_, "java")) => "java",
        _ => "text",
    };
    let mutants: Vec<Value> = mutants.iter().map(|mutant| mutant_of(record, mutant, &lines)).collect();
    json!({"language": language, "source": text, "mutants": mutants})
}

fn mutant_of(record: &MutationRecord, mutant: &MutantRecord, lines: &[&str]) -> Value {
    let (status, reason) = status(record, mutant);
    let killed: Vec<String> = mutant.killed_by.iter().map(|kill| test_id(record, &kill.relation)).collect();
    let mut value = json!({
        "id": format!("{}:{}", record.subject, mutant.id),
        "mutatorName": mutant.operator,
        "description": format!("{} → {}", mutant.before, mutant.after),
        "replacement": mutant.after,
        "location": location(mutant, lines),
        "status": status,
        "killedBy": killed,
    });
    if !reason.is_empty()
        && let Some(fields) = value.as_object_mut()
    {
        fields.insert("statusReason".to_owned(), reason.into());
    }
    value
}

/// A test is known by its name within all subjects.
fn test_id(record: &MutationRecord, relation: &str) -> String {
    format!("{}:{relation}", record.subject)
}

/// The word of the format, with why.
fn status(record: &MutationRecord, mutant: &MutantRecord) -> (&'static str, String) {
    match &mutant.judgement {
        Judgement::Killed => ("Killed", String::new()),
        Judgement::Crashed => ("Killed", format!("crashed: {}", because(mutant))),
        Judgement::TimedOut => ("Timeout", because(mutant)),
        Judgement::Alive if mutant.fate == Fate::Unreached => ("NoCoverage", why_alive(record, mutant)),
        Judgement::Alive => ("Survived", why_alive(record, mutant)),
        Judgement::Untested => ("Survived", format!("untested: {}", because(mutant))),
        Judgement::Equivalent { .. } => ("Ignored", format!("equivalent: {}", because(mutant))),
        Judgement::Duplicate { .. } => ("Ignored", format!("duplicate {}", because(mutant))),
        Judgement::Accepted { .. } => ("Ignored", format!("accepted: {}", because(mutant))),
        Judgement::NotRun => ("Pending", String::new()),
    }
}

/// From the column to the end of the changed code where that stands there, else the rest of the line. Lines and columns are counted from 1, and the end is behind the last character.
fn location(mutant: &MutantRecord, lines: &[&str]) -> Value {
    let Some(Place { line: Some(line), column, .. }) = mutant.places.first() else {
        return json!({"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}});
    };
    let line = (*line).max(1);
    let text = lines.get(line as usize - 1).copied().unwrap_or_default();
    let characters = text.chars().count() as u32;
    // The debug information counts bytes, and has the column of an operator: the code begins before it.
    let code = (!mutant.before.is_empty()).then(|| text.find(&mutant.before)).flatten();
    let (start, end) = match code {
        Some(at) => {
            let start = text[..at].chars().count() as u32 + 1;
            (start, start + mutant.before.chars().count() as u32)
        }
        None => {
            let start = column.unwrap_or(1).clamp(1, characters.max(1));
            (start, characters + 1)
        }
    };
    json!({"start": {"line": line, "column": start}, "end": {"line": line, "column": end.max(start + 1)}})
}
