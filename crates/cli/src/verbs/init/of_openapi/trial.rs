//! Tries candidate relations on their service, and says what came of each.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dodona::Memory;
use dodona_openapi::{Api, Candidates};
use dodona_records::{Binding, CheckRecord, RelationRecord, RelationVerdict};
use dodona_subject::Manifest;
use dodona_target::{Caller, Column, Sequence, Until, Value, on_one_line};
use dodona_workbench::check::check_until;
use dodona_workbench::{CheckOptions, LabError, Regressions, Relations, Workbench};

use super::SHOWN;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, open};

/// How long candidates are tried. A draft is edited by hand: what is known after a minute is enough to begin with.
const TRYING: Duration = Duration::from_secs(60);

/// Source inputs with which each candidate is tried: of twenty, often none had a page that was not full, and a hundred take twice as long.
const INPUTS: u64 = 50;

/// What became of candidates.
pub(super) enum Tried {
    /// They were not tried: why.
    Not(String),
    Checked(Box<CheckRecord>),
}

impl Tried {
    /// Tries relations, which are given as text, on a service.
    pub(super) fn of(workbench: &Workbench, name: &str, relations: &str) -> Result<Tried, Failure> {
        let loaded = Relations::of_text(relations, workbench.functions()).map_err(open::lab_failure)?;
        let options =
            CheckOptions { sources: INPUTS, regressions: Regressions::Ignore, ..CheckOptions::default() };
        let until = Until::after(Some(TRYING), interrupt::listen());
        let mut bar = Progress::new("sources");
        let checked = check_until(workbench.about(loaded), &options, &until, &mut |p| {
            bar.update(name, p.run, p.planned)
        });
        bar.finish();
        match checked {
            Ok(record) => Ok(Tried::Checked(Box::new(record))),
            Err(LabError::CutShort(record)) => Ok(Tried::Checked(record)),
            Err(error) if error.is_stopped() => Ok(Tried::Not("nothing was answered in time".to_owned())),
            Err(error) => Err(open::lab_failure(error)),
        }
    }

    /// What is told of each relation, by its name.
    pub(super) fn verdicts(&self) -> HashMap<&str, String> {
        match self {
            Tried::Not(_) => HashMap::new(),
            Tried::Checked(record) => {
                record.relations.iter().map(|relation| (relation.name.as_str(), verdict(relation))).collect()
            }
        }
    }
}

/// What a trial says of a relation.
fn verdict(relation: &RelationRecord) -> String {
    let groups = relation.tally.groups();
    match relation.verdict() {
        RelationVerdict::Holds if relation.tally.held == groups => {
            format!("held on {groups} of {groups} inputs when it was drafted")
        }
        RelationVerdict::Holds => format!(
            "held on {} of {groups} inputs when it was drafted; the others did not fulfil its conditions",
            relation.tally.held
        ),
        RelationVerdict::Violated => {
            let with = source(relation)
                .filter(|source| !source.is_empty())
                .map(|source| format!(", as with {source}"));
            format!(
                "VIOLATED on {} of {groups} inputs when it was drafted{}",
                relation.tally.violated,
                with.unwrap_or_default()
            )
        }
        RelationVerdict::NotRun => "not tried: the time was up".to_owned(),
        RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed => {
            let why = reason(relation).map(|why| format!(": {why}")).unwrap_or_default();
            format!("never eligible on {groups} inputs when it was drafted, so nothing is known of it{why}")
        }
    }
}

/// The source input that violates a relation.
fn source(relation: &RelationRecord) -> Option<String> {
    relation.counterexample.as_ref().map(|found| Binding::list(&found.source))
}

/// Why no group of a relation was eligible, where a call or a domain was the reason.
fn reason(relation: &RelationRecord) -> Option<String> {
    relation.outside.clone().or_else(|| relation.skipped().next().map(|(outcome, _)| outcome.to_owned()))
}

/// How many candidates held, and which did not.
pub(super) fn summary(record: &CheckRecord, address: &str) -> String {
    let of = |wanted: &[RelationVerdict]| -> Vec<&RelationRecord> {
        record.relations.iter().filter(|relation| wanted.contains(&relation.verdict())).collect()
    };
    let held = of(&[RelationVerdict::Holds]).len();
    let violated = of(&[RelationVerdict::Violated]);
    let never = of(&[RelationVerdict::NeverEligible, RelationVerdict::OnlyAllowed]);
    let not = of(&[RelationVerdict::NotRun]);
    let mut text = format!(
        "tried on {address} with {INPUTS} inputs each: {held} held, {} violated, {} never eligible",
        violated.len(),
        never.len()
    );
    if !not.is_empty() {
        text += &format!(", {} not tried in {} s", not.len(), TRYING.as_secs());
    }
    text.push('\n');
    if let Some(failure) = &record.failure {
        text += &format!("  it ended early: {}\n", on_one_line(failure));
    }
    for (word, relations) in [("violated", violated), ("never eligible", never)] {
        for relation in relations.iter().take(SHOWN) {
            let why = source(relation).or_else(|| reason(relation)).unwrap_or_default();
            let why = on_one_line(&why).into_owned();
            let why: String = why.chars().take(100).collect();
            text += format!("  {word}: {}  {why}", relation.name).trim_end();
            text.push('\n');
        }
        if relations.len() > SHOWN {
            text += &format!("  {word}: {} more\n", relations.len() - SHOWN);
        }
    }
    text
}

/// The service of a manifest that was not written yet, without relations.
pub(super) fn opened(manifest: &str) -> Result<Arc<Workbench>, LabError> {
    let path = Path::new("dodona.toml");
    let parsed = Manifest::parse(path, manifest).map_err(|problems| LabError::Relations {
        path: path.to_owned(),
        text: manifest.to_owned(),
        problems,
    })?;
    dodona::open_outside(&Manifest { relations: Vec::new(), ..parsed }, &[], Memory::Kept)
}

/// A list that a service gave.
pub(super) struct Listed {
    /// What tells its records apart.
    pub(super) keys: Vec<Value>,
    /// Words of its texts.
    words: Vec<String>,
}

/// The most words that a search is made to look for, and how many of them one output gives: the first output may be a category, and the names come behind it.
const WORDS: usize = 8;
const OF_ONE: usize = 3;

/// The lists that the service gives without parameters, by the names of operations.
pub(super) fn lists(api: &Api, found: &Candidates, workbench: &Workbench) -> BTreeMap<String, Listed> {
    let mut caller = workbench.caller();
    let mut lists = BTreeMap::new();
    for function in found.functions.iter().filter(|function| function.given.is_empty()) {
        let Some(operation) = api.operations.get(function.operation) else { continue };
        if operation.response.records.is_none() || lists.contains_key(&operation.name) {
            continue;
        }
        let Ok(index) = workbench.function(&function.name) else { continue };
        let Ok(calls) = caller.call(index, &[]) else { continue };
        let is_value = calls.outcomes.first().is_some_and(|outcome| outcome.has_outputs());
        if let Some(output) = calls.outputs.first().filter(|_| is_value) {
            let listed = Listed { keys: elements(output), words: words(&calls.outputs) };
            lists.insert(operation.name.clone(), listed);
        }
    }
    lists
}

/// Takes the values of identifiers, and words to search for, from lists. Whether there were any.
pub(super) fn take_values(api: &mut Api, lists: &BTreeMap<String, Listed>) -> bool {
    let mut any = false;
    for operation in &mut api.operations {
        let listed = lists.get(&operation.name).filter(|listed| !listed.words.is_empty());
        any |= listed.is_some_and(|listed| operation.searches_for(&listed.words));
    }
    for parameter in api.operations.iter_mut().flat_map(|operation| &mut operation.parameters) {
        let listed = parameter.values_from.as_ref().and_then(|list| lists.get(list));
        if let Some(listed) = listed.filter(|listed| !listed.keys.is_empty()) {
            parameter.takes(&listed.keys);
            any = true;
        }
    }
    any
}

/// Some words of texts, each once.
fn words(outputs: &[Column]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for output in outputs {
        let Value::Text(text) = output.value(0) else { continue };
        let text = String::from_utf8_lossy(&text).into_owned();
        let most = WORDS.min(found.len() + OF_ONE);
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 1) {
            if found.len() < most && !found.iter().any(|other| other == word) {
                found.push(word.to_owned());
            }
        }
    }
    found
}

/// The elements of a sequence, or the lines of a text.
fn elements(output: &Column) -> Vec<Value> {
    match output.value(0) {
        Value::Sequence(Sequence::Int(values)) => values.into_iter().map(Value::Int).collect(),
        Value::Sequence(Sequence::Float(values)) => values.into_iter().map(Value::Float).collect(),
        Value::Text(text) => {
            String::from_utf8_lossy(&text).lines().map(|line| Value::Text(line.into())).collect()
        }
        _ => Vec::new(),
    }
}
