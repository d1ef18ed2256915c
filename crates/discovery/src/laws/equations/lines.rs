//! Laws of the length of output that is broken into lines: `len(encode(b)) == 4 * ((len(b) + 2) div 3) + len(b) div 54`.
//!
//! The recorded executions of terms are of short data, in which hardly any line ends. So a function is run on all beginnings of a
//! long input.

use dodona_inference::equations::LineSteps;
use dodona_records::{DiscoveryProof, LawRecord};
use dodona_target::{Caller as _, Column, Outcome, Sequence, Signature, Type, Value};
use dodona_workbench::inputs::{eligible_rows, sampler};
use dodona_workbench::{LabError, Workbench};

use super::super::found::FoundLaw;
use super::super::law_tuning::LONG_DRAWN;
use super::super::trial::{FreshTests, LawVerdict};
use super::cost;

/// The laws of lengths in two steps that hold of functions, given by their indices, of which none of these laws says the length on all inputs.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(super) fn line_lengths(
    trial: FreshTests<'_>,
    functions: &[usize],
    laws: &[FoundLaw],
) -> Result<Vec<FoundLaw>, LabError> {
    let mut found = Vec::new();
    for &index in functions.iter().take_while(|_| trial.until.goes_on()) {
        let function = &trial.workbench.functions()[index];
        let Some((argument, result)) = lengths(function) else { continue };
        let is_known = |law: &FoundLaw| {
            law.record.text.starts_with(&format!("relation {}: {result} == ", law.record.name))
        };
        if laws.iter().any(is_known) {
            continue;
        }
        // Without longer data than usual there is nothing that the terms have not seen.
        let Some(points) = trial.longer.map(|longer| points(longer, index, trial)).transpose()? else {
            continue;
        };
        let Some(steps) = LineSteps::of(&points) else { continue };
        let relation = format!(": {result} == {}", steps.text(&argument));
        let functions = vec![function.name.clone()];
        let LawVerdict::Accepted(accepted) = trial.test(&relation, cost::fresh(trial, &functions))? else {
            continue;
        };
        let name = format!("{}_length", function.name);
        let record = LawRecord {
            text: format!("relation {name}{relation}"),
            name,
            words: format!("how long results of {} are, with the ends of lines", function.name),
            functions,
            held: accepted.held,
            ineligible: accepted.ineligible,
            proof: DiscoveryProof::TestedOn { groups: accepted.held },
            kills: Vec::new(),
        };
        found.push(FoundLaw { record, price: 0, reads_well: true });
    }
    Ok(found)
}

/// The lengths of the argument and of the result, in the language of relations, of a function that takes data and gives data.
fn lengths(function: &Signature) -> Option<(String, String)> {
    let has_length = |ty: Type| matches!(ty, Type::Sequence(_) | Type::Text);
    match (&function.parameters[..], &function.outputs[..]) {
        ([parameter], [output]) if has_length(parameter.ty) && has_length(output.ty) => {
            let argument = &parameter.name;
            Some((format!("len({argument})"), format!("len({})", call(function, argument))))
        }
        _ => None,
    }
}

/// The lengths of the beginnings of a long input with the lengths of their results, up to the first call that does not return. Empty
/// if there is no time.
fn points(workbench: &Workbench, index: usize, trial: FreshTests<'_>) -> Result<Vec<(i64, i64)>, LabError> {
    let function = &workbench.functions()[index];
    let parameter = &function.parameters[0];
    let sampler = sampler(function, parameter, &parameter.sampling)?;
    let name = format!("long inputs of {}", function.name);
    let drawn = sampler.column(&mut trial.options.seed.stream(&name, 0), LONG_DRAWN);
    let longest = (0..drawn.len()).map(|row| drawn.value(row)).max_by_key(length);
    let mut beginnings = Column::empty(parameter.ty);
    if let Some(longest) = &longest {
        (0..=length(longest)).for_each(|items| beginnings.push(&beginning(longest, items)));
    }
    let eligible = eligible_rows(function, std::slice::from_ref(&beginnings));
    let beginnings = beginnings.select(&eligible);
    let mut caller = workbench.caller().until(trial.until);
    let ran = caller.call(index, std::slice::from_ref(&beginnings));
    let calls = match ran.map_err(LabError::from) {
        Ok(calls) => calls,
        Err(error) if error.is_stopped() => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let returned = calls.outcomes.iter().take_while(|outcome| **outcome == Outcome::Returned).count();
    let point = |row: usize| {
        let pair = [&beginnings, &calls.outputs[0]].map(|column| length(&column.value(row)) as i64);
        (pair[0], pair[1])
    };
    Ok((0..returned).map(point).collect())
}

/// How many bytes or elements a value has.
fn length(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Sequence(sequence) => sequence.len(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    }
}

/// The first bytes or elements of a value.
fn beginning(value: &Value, items: usize) -> Value {
    match value {
        Value::Text(text) => Value::Text(text[..items].into()),
        Value::Sequence(Sequence::Bool(all)) => Value::Sequence(Sequence::Bool(all[..items].to_vec())),
        Value::Sequence(Sequence::Int(all)) => Value::Sequence(Sequence::Int(all[..items].to_vec())),
        Value::Sequence(Sequence::Float(all)) => Value::Sequence(Sequence::Float(all[..items].to_vec())),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => value.clone(),
    }
}

/// A call in the language of relations.
fn call(function: &Signature, argument: &str) -> String {
    let outputs = &function.outputs;
    let selector = outputs.first().and_then(|output| output.name.selector());
    let selector = selector.map(|name| format!(".{name}")).unwrap_or_default();
    format!("{}({argument}){selector}", function.name)
}
