//! Checks proofs: a relation that a run violates must never be proved.
//!
//! Half of the relations are false by construction: at one input, the *planted* counterexample, they demand what is not so, in one of
//! many disguises. Of every relation, what the prover says is held against runs on odd inputs.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::inputs::{is_within, odd_row};
use crate::relations::{Grammar, OBSERVERS};
use crate::subject::{OpenedSubject, on_random_module};
use crate::{Case, Choices, Defect, solver};
use dodona_generation::{Bounds, SearchOptions};
use dodona_records::{Binding, Counterexample, ProofVerdict};
use dodona_relations::{Verdict, evaluate_expression, parse_expression};
use dodona_target::{Column, Interruption, Parameter, Signature, Value};
use dodona_wasm::Workbench;
use dodona_workbench::LoadedRelation;

use super::plant::{Planted, planted};

/// The longest sequence or text of a proof.
const LONGEST: usize = 2;

/// Odd inputs on which each relation is run.
const INPUTS: usize = 60;

thread_local! {
    static WORLD: OpenedSubject = OpenedSubject::new(include_str!("world/world.toml"), include_str!("world/world.wat"))
        .unwrap_or_else(|error| panic!("the fixed functions: {error}"));
}

/// Runs one case.
///
/// # Errors
/// When the prover says what a run shows to be false.
pub fn never_proved(bytes: &[u8]) -> Result<Case, Defect> {
    if Choices::new(bytes).one_in(4) {
        return on_random_module(bytes, |choices, workbench| judged(choices, workbench));
    }
    let mut choices = Choices::new(bytes);
    WORLD.with(|world| judged(&mut choices, &world.workbench))
}

fn judged(choices: &mut Choices<'_>, world: &Workbench) -> Result<Case, Defect> {
    let functions = world.functions();
    let called = called(choices, functions);
    let grammar = Grammar::new(functions, &called);
    let (text, point) = if choices.one_in(2) {
        match planted(choices, &grammar, world, &called) {
            Some(Planted { text, point }) => (text, Some(point)),
            None => return Ok(Case::Dropped("nothing could be planted")),
        }
    } else {
        (random(choices, &grammar), None)
    };
    let Ok(workbench) = world.with_relations(&text) else {
        return Ok(Case::Dropped("the relation does not check"));
    };
    let witnesses = witnesses(choices, &workbench, point.as_ref());
    if point.is_some() && witnesses.violated.is_none() {
        return Ok(Case::Dropped("the plant violates nothing"));
    }
    held_against(choices, &workbench, &witnesses).map_err(|defect| defect.with(&text))
}

/// One to three functions: in every second case one through which bits are seen that no word of the language shows.
fn called(choices: &mut Choices<'_>, functions: &[Signature]) -> Vec<usize> {
    let mut called: Vec<usize> = (0..1 + choices.below(2)).map(|_| choices.below(functions.len())).collect();
    if choices.one_in(2) {
        let shows_bits = |&index: &usize| OBSERVERS.contains(&functions[index].name.as_str());
        let all: Vec<usize> = (0..functions.len()).filter(shows_bits).collect();
        called.extend((!all.is_empty()).then(|| choices.one_of(&all)));
    }
    called
}

fn random(choices: &mut Choices<'_>, grammar: &Grammar) -> String {
    let condition = choices.one_in(2).then(|| format!("when {}: ", grammar.conditions().truth(choices, 2)));
    let expected = grammar.truth(choices, 3);
    grammar.relation("r", &condition.unwrap_or_default(), &expected)
}

/// What runs show: the first input that violates the relation, and the first that it speaks of.
#[derive(Default)]
struct Witnesses {
    violated: Option<Vec<Value>>,
    eligible: Option<Vec<Value>>,
}

fn witnesses(
    choices: &mut Choices<'_>,
    workbench: &Workbench,
    point: Option<&BTreeMap<String, Value>>,
) -> Witnesses {
    let loaded = &workbench.relations[0];
    let parameters = variables(workbench, loaded);
    let at_point: Option<Vec<Value>> = point
        .and_then(|point| parameters.iter().map(|parameter| point.get(&parameter.name).cloned()).collect());
    let mut rows: Vec<Vec<Value>> = at_point.into_iter().collect();
    rows.extend((0..INPUTS).filter_map(|_| odd_row(choices, &parameters)));
    rows.retain(|row| is_within(row, LONGEST as u64));
    let mut witnesses = Witnesses::default();
    for group in 0..loaded.relation.group_count() {
        for (row, verdict) in rows.iter().zip(verdicts(workbench, group, &rows)) {
            if verdict.is_violation() {
                witnesses.violated.get_or_insert_with(|| row.clone());
            }
            if !matches!(verdict, Verdict::Ineligible(_)) {
                witnesses.eligible.get_or_insert_with(|| row.clone());
            }
        }
    }
    witnesses
}

/// The parameters that the relation's variables are bound to, named like the variables.
fn variables(workbench: &Workbench, loaded: &LoadedRelation) -> Vec<Parameter> {
    let functions = &workbench.functions();
    let bound = |v: &dodona_relations::Variable| Parameter {
        name: v.name.clone(),
        ..functions[v.function].parameters[v.parameter].clone()
    };
    loaded.relation.variables().iter().map(bound).collect()
}

fn verdicts(workbench: &Workbench, group: usize, rows: &[Vec<Value>]) -> Vec<Verdict> {
    if rows.is_empty() {
        return Vec::new();
    }
    let loaded = &workbench.relations[0];
    let mut columns: Vec<Column> =
        variables(workbench, loaded).iter().map(|parameter| Column::empty(parameter.ty)).collect();
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    loaded.program.evaluate(group, &columns, &mut workbench.caller()).expect("the runtime works")
}

fn held_against(
    choices: &mut Choices<'_>,
    workbench: &Workbench,
    witnesses: &Witnesses,
) -> Result<Case, Defect> {
    let options = options(choices);
    let proof = dodona_generation::prove(workbench, &[0], &options, &Interruption::default(), &mut |_| {});
    let mut record = match proof {
        Ok(record) => record,
        Err(error) => return Err(Defect::new(format!("prove ends with an error: {error}"))),
    };
    if let Some(contradiction) = record.contradictions.first() {
        return Err(Defect::new(contradiction.clone()));
    }
    match (record.relations.remove(0).verdict, &witnesses.violated, &witnesses.eligible) {
        (ProofVerdict::Proved { .. }, Some(input), _) => {
            Err(Defect::new(format!("proved, and violated at {}", list(input))))
        }
        (ProofVerdict::Vacuous, _, Some(input)) => {
            Err(Defect::new(format!("said to be vacuous, and {} is eligible", list(input))))
        }
        (ProofVerdict::Refuted { counterexample }, ..) => run_again(workbench, &counterexample),
        (ProofVerdict::Proved { .. }, ..) => Ok(Case::Checked("proved, and no input violates it")),
        (ProofVerdict::Vacuous, ..) => Ok(Case::Checked("vacuous, and no input is eligible")),
        (_, Some(_), _) => Ok(Case::Checked("unknown, and violated")),
        _ => Ok(Case::Checked("unknown")),
    }
}

fn list(values: &[Value]) -> String {
    format!("({})", values.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
}

/// Solvers count their work, and small proofs are many: what takes longer is unknown. The clock is far off, so that the same case
/// ends alike on a busy machine.
fn options(choices: &mut Choices<'_>) -> SearchOptions {
    let solver = solver(choices.below(2));
    SearchOptions {
        longest: LONGEST,
        bounds: Bounds { queries: 24, ..Bounds::default() },
        time: Some(Duration::from_secs(30)),
        query_time: Some(Duration::from_millis(100)),
        solver,
        ..SearchOptions::default()
    }
}

/// The counterexample as it is shown violates the relation as a column evaluates it.
fn run_again(workbench: &Workbench, counterexample: &Counterexample) -> Result<Case, Defect> {
    let loaded = &workbench.relations[0];
    for bindings in [&counterexample.found, &counterexample.source] {
        // They are told in the order in which people read them.
        let value = |parameter: &Parameter| read(bindings.iter().find(|b| b.name == parameter.name)?);
        let Some(row) = variables(workbench, loaded).iter().map(value).collect::<Option<Vec<Value>>>() else {
            return Err(Defect::new(format!("no values: {}", Binding::list(bindings))));
        };
        let violates = |group| {
            let rows = std::slice::from_ref(&row);
            verdicts(workbench, group, rows).iter().any(|verdict| verdict.is_violation())
        };
        if !(0..loaded.relation.group_count()).any(violates) {
            return Err(Defect::new(format!(
                "refuted by {}, which violates nothing",
                Binding::list(bindings)
            )));
        }
    }
    Ok(Case::Checked("refuted by an input that violates it"))
}

fn read(binding: &Binding) -> Option<Value> {
    let expression = parse_expression(&binding.value).ok()?;
    evaluate_expression(&expression, &[], &mut NoCalls).ok()?.value
}

struct NoCalls;

impl dodona_target::Caller for NoCalls {
    fn call(&mut self, _: usize, _: &[Column]) -> Result<dodona_target::Calls, dodona_target::CallError> {
        Err(dodona_target::CallError::new("a value calls nothing"))
    }
}
