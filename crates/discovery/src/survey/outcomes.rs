//! Each function is called on random inputs before anything is looked for. Relations of one that hardly ever returns, or hardly ever gives a value,
//! would hold because hardly anything was tried.

use dodona_records::RelationRecord;
use dodona_relations::parse;
use dodona_target::{OutputName, Signature};
use dodona_workbench::LabError;

use super::Survey;
use super::survey_tuning::{HARDLY, KNOWN_SHARE};
use crate::tuning::FEWEST;

/// What is known of a function before anything is looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcomes {
    /// Whether it gives a value, and not none or an error, for hardly an input.
    pub(super) hardly_gives: bool,
    /// What a person should know of it.
    pub(super) note: Option<String>,
}

impl Survey<'_, '_> {
    /// Calls each function on random inputs.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    pub(super) fn outcomes(&mut self) -> Result<(), LabError> {
        let until = self.until(KNOWN_SHARE / 2.0);
        let functions = self.workbench.functions();
        for (place, function) in functions.iter().enumerate() {
            let share = until.share(functions.len() - place);
            let outcomes = match probe(function).and_then(|text| parse(&text).ok()) {
                Some(file) => {
                    self.trials.tally(&file.relations[0], &share)?.map(|record| outcomes(function, &record))
                }
                None => None,
            };
            self.outcomes.push(outcomes.unwrap_or_default());
        }
        Ok(())
    }
}

/// The word for what a function gives in place of a value, if it may.
fn absence(function: &Signature) -> Option<&'static str> {
    let tag =
        |name: &str| function.outputs.iter().any(|output| output.name == OutputName::Part(name.to_owned()));
    match (tag("is_some"), tag("is_ok")) {
        (true, _) => Some("none"),
        (false, true) => Some("err"),
        (false, false) => None,
    }
}

/// A relation that holds where a function gives no value, or, where it always gives one, wherever it returns.
fn probe(function: &Signature) -> Option<String> {
    function.outputs.first()?;
    let arguments: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let call = format!("{}({})", function.name, arguments.join(", "));
    let first = function.outputs.first().and_then(|output| output.name.selector());
    Some(match absence(function) {
        Some(word) => format!("relation probe: {call} is {word}"),
        None => {
            let output = first.map(|name| format!("{call}.{name}")).unwrap_or(call);
            format!("relation probe: {output} == {output}")
        }
    })
}

fn outcomes(function: &Signature, record: &RelationRecord) -> Outcomes {
    let tally = &record.tally;
    let (all, returned) = (tally.groups() - tally.out_of_domain, tally.eligible());
    if (returned as f64) < FEWEST * all as f64 {
        let how = record.skipped().next().map(|(outcome, _)| format!(": {outcome}")).unwrap_or_default();
        return Outcomes {
            hardly_gives: true,
            note: Some(format!("returns for {returned} of {all} random inputs{how}")),
        };
    }
    match absence(function) {
        Some(word) if (tally.violated as f64) < HARDLY * returned as f64 => {
            let absent = if word == "err" { "an error" } else { "none" };
            let count = returned - tally.violated;
            Outcomes {
                hardly_gives: true,
                note: Some(format!("gives {absent} for {count} of {returned} random inputs")),
            }
        }
        _ => Outcomes::default(),
    }
}
