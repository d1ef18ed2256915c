//! Relations that are false by construction: at one input they demand what is not so.

use std::collections::BTreeMap;

use crate::relations::{Grammar, ValueKind, marked, with_values};
use crate::{Choices, inputs::odd_row};
use dodona_relations::{evaluate_expression, parse_expression};
use dodona_target::Value;
use dodona_wasm::Workbench;

/// A relation with the input that is to violate it.
pub(crate) struct Planted {
    /// The relation.
    pub(crate) text: String,
    /// A value for each variable that the relation may have.
    pub(crate) point: BTreeMap<String, Value>,
}

/// Plants a counterexample; none where the domains have no odd value, or what is demanded has no value.
pub(crate) fn planted(
    choices: &mut Choices<'_>,
    grammar: &Grammar,
    world: &Workbench,
    called: &[usize],
) -> Option<Planted> {
    let functions = world.functions();
    let mut point = BTreeMap::new();
    for &function in called {
        let parameters = &functions[function].parameters;
        let values = odd_row(choices, parameters)?;
        for (parameter, value) in parameters.iter().zip(values) {
            point.entry(parameter.name.clone()).or_insert(value);
        }
    }
    let demand = match choices.below(3) {
        0 => format!("not ({})", here(choices, &point)?),
        _ => not_so(choices, grammar, world, &point)?,
    };
    let condition = condition(choices, grammar, world, &point);
    let text = grammar.relation("r", &condition, &disguised(choices, grammar, &demand));
    Some(Planted { text, point })
}

/// Demands that an expression has not the value that it has at the point.
fn not_so(
    choices: &mut Choices<'_>,
    grammar: &Grammar,
    world: &Workbench,
    point: &BTreeMap<String, Value>,
) -> Option<String> {
    let is = choices.one_of(&[
        ValueKind::Int,
        ValueKind::Int,
        ValueKind::Float,
        ValueKind::Float,
        ValueKind::Truth,
        ValueKind::Ints,
        ValueKind::Floats,
        ValueKind::Text,
    ]);
    let expression = match grammar.observed(choices, 3).filter(|_| choices.one_in(2)) {
        Some(observed) => observed,
        None => grammar.expression(choices, is, 4),
    };
    let value = value(world, &with_values(&expression, point))?;
    Some(match choices.below(4) {
        0 if matches!(value, Value::Int(_)) => format!("({expression} < {value} or {expression} > {value})"),
        1 => format!("({expression} == ({value}) implies false)"),
        2 => format!("not ({expression} == ({value}))"),
        _ => format!("({expression} != ({value}))"),
    })
}

/// The value of an expression without variables.
fn value(world: &Workbench, text: &str) -> Option<Value> {
    let expression = parse_expression(text).ok()?;
    evaluate_expression(&expression, world.functions(), &mut world.caller()).ok()?.value
}

/// A condition that is true at the point, or none.
fn condition(
    choices: &mut Choices<'_>,
    grammar: &Grammar,
    world: &Workbench,
    point: &BTreeMap<String, Value>,
) -> String {
    match choices.below(4) {
        0 => return String::new(),
        1 => {}
        // What is demanded is wrong at the point, and must not be hidden by another input at which it is wrong as well.
        _ => return here(choices, point).map(|here| format!("when {here}: ")).unwrap_or_default(),
    }
    let condition = grammar.conditions().truth(choices, 2);
    match value(world, &with_values(&condition, point)) {
        Some(Value::Bool(true)) => format!("when {condition}: "),
        Some(Value::Bool(false)) => format!("when not {condition}: "),
        _ => String::new(),
    }
}

/// What says that the input is the point: all variables, or some of them.
fn here(choices: &mut Choices<'_>, point: &BTreeMap<String, Value>) -> Option<String> {
    let some = choices.one_in(3);
    let parts: Vec<String> = point
        .iter()
        .filter(|_| !some || choices.one_in(2))
        .map(|(name, value)| (marked(name), value))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(name, value)| equal(choices, &name, value))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

/// That a variable has a value, in one of many ways to say so.
fn equal(choices: &mut Choices<'_>, name: &str, value: &Value) -> String {
    let plainly = format!("{name} == ({value})");
    match value {
        Value::Float(x) if x.is_nan() => {
            choices.one_of(&["is_nan(@)", "@ == nan", "not (@ <= inf)"]).replace('@', name)
        }
        Value::Float(x) if x.is_infinite() => plainly,
        Value::Int(_) | Value::Float(_) => {
            let forms = [
                "@ == #",
                "@ - # == 0",
                "not (@ != #)",
                "(@ <= # and @ >= #)",
                "min(@, #) == max(@, #)",
                "abs(@ - #) <= 0",
                "not (@ < # or # < @)",
                "(-@) == (-#)",
                "[@] == [#]",
                "[1, @] contains #",
            ];
            choices.one_of(&forms).replace('@', name).replace('#', &format!("({value})"))
        }
        Value::Bool(true) => name.to_owned(),
        Value::Bool(false) => format!("(not {name})"),
        Value::Text(_) | Value::Sequence(_) => {
            let forms = [
                "@ == #",
                "(@ is_prefix_of # and len(@) == len(#))",
                "(# is_suffix_of @ and len(@) <= len(#))",
                "reverse(@) == reverse(#)",
            ];
            choices.one_of(&forms).replace('@', name).replace('#', &format!("({value})"))
        }
    }
}

/// A demand among others that change nothing at the point where they are true.
fn disguised(choices: &mut Choices<'_>, grammar: &Grammar, demand: &str) -> String {
    match choices.below(5) {
        0 => format!("{} and {demand}", grammar.truth(choices, 2)),
        1 => format!("{demand} or not (1 < 2)"),
        2 => {
            let same = grammar.expression(choices, ValueKind::Float, 2);
            format!("{same} == {same} and {demand}")
        }
        3 => format!("not (not ({demand}))"),
        _ => demand.to_owned(),
    }
}
