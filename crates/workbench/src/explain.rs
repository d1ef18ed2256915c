//! A record of one metamorphic group: every call with its inputs and outputs.

use dodona_records::{Binding, CallRecord, SideRecord};
use dodona_relations::{
    Allowance, CallExplanation, Comparison, Explanation, Ineligible, Role, Side, Verdict, Violation,
};
use dodona_target::{Column, Ending, Value};

use crate::difference::difference;
use crate::{LabError, LoadedRelation, SubjectCaller, Workbench};

/// Everything about one group.
#[derive(Debug)]
pub struct Told {
    /// The verdict on the group.
    pub verdict: Verdict,
    /// The verdict in words, with the values that were compared.
    pub why: String,
    /// The calls that the group made, in order.
    pub calls: Vec<CallRecord>,
    /// The sides of the comparison that failed.
    pub sides: Vec<SideRecord>,
    /// What was out of domain, in words.
    pub(crate) outside: Option<String>,
}

/// Names with their values, which are written as literals.
pub fn bindings<'a>(named: impl IntoIterator<Item = (&'a str, &'a Value)>) -> Vec<Binding> {
    named
        .into_iter()
        .map(|(name, value)| Binding { name: name.to_owned(), value: value.to_string() })
        .collect()
}

/// The source input of a relation, with names.
pub fn source(relation: &LoadedRelation, values: &[Value]) -> Vec<Binding> {
    let mut named: Vec<_> = relation.relation.variables().iter().zip(values).collect();
    // In the order of the signature, which may differ from the order of their use in the relation.
    named.sort_by_key(|(v, _)| (v.function, v.parameter));
    bindings(named.into_iter().map(|(v, value)| (v.name.as_str(), value)))
}

/// Runs one group and records everything about it.
pub fn tell(
    workbench: &Workbench,
    relation: &LoadedRelation,
    group: usize,
    values: &[Value],
    caller: &mut SubjectCaller,
) -> Result<Told, LabError> {
    let explanation = relation.program.explain(group, values, caller)?;
    let calls = explanation.calls.iter().map(|call| call_record(workbench, call, caller)).collect();
    let sides = sides(&explanation);
    Ok(Told {
        verdict: explanation.verdict,
        why: why(&explanation),
        calls,
        sides,
        outside: explanation.outside,
    })
}

/// A call as a record. If it did not return, it is made again, to find the place in the source and what the program said.
pub fn call_record(workbench: &Workbench, call: &CallExplanation, caller: &mut SubjectCaller) -> CallRecord {
    let function = &workbench.functions()[call.function];
    let parameters = function.parameters.iter().map(|p| p.name.as_str());
    let outputs = call.outputs.iter().map(|(name, value)| (name.selector().unwrap_or(""), value));
    let types = function.parameters.iter().map(|p| p.ty);
    let columns: Vec<Column> =
        call.arguments.iter().zip(types).map(|(value, ty)| Column::one(ty, value)).collect();
    let Ending { location, message } = match call.outcome.has_outputs() {
        true => Ending::default(),
        false => caller.session().why(call.function, &columns, call.outcome),
    };
    CallRecord {
        text: call.text.clone(),
        role: match call.role {
            Role::Source => "source".into(),
            Role::FollowUp => "follow-up".into(),
        },
        arguments: bindings(parameters.zip(&call.arguments)),
        outcome: call.outcome.to_string(),
        location,
        message,
        outputs: bindings(outputs),
        shell: caller.session().shell(call.function, &columns),
    }
}

fn sides(explanation: &Explanation) -> Vec<SideRecord> {
    let record = |side: &Side| SideRecord {
        text: side.text.clone(),
        value: side.value.as_ref().map_or_else(|| "undefined".into(), Value::to_string),
    };
    explanation.comparison.iter().flat_map(|c| [record(&c.left), record(&c.right)]).collect()
}

/// Floats that differ by less than this share are equal up to rounding: the tolerance of `~=`.
const ROUNDING: f64 = 1e-9;

/// Whether the sides are floats that `==` finds different and `~=` would not.
fn is_rounded(comparison: &Comparison) -> bool {
    match (comparison.operator, &comparison.left.value, &comparison.right.value) {
        ("==", Some(Value::Float(a)), Some(Value::Float(b))) => {
            (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
        }
        _ => false,
    }
}

fn why(explanation: &Explanation) -> String {
    match explanation.verdict {
        Verdict::Holds => "holds".into(),
        Verdict::Allowed(Allowance::Rounding) => "holds: the sides are equal up to rounding only".into(),
        Verdict::Allowed(Allowance::Absolute) => "holds by the absolute tolerance only".into(),
        Verdict::Undefined => {
            "violated: what is expected is undefined (a value that is missing, a division by zero, an index out of range, an overflow)"
                .into()
        }
        Verdict::Violated(Violation::FollowUp(outcome)) => {
            format!("violated: the source calls returned, a follow-up call did not ({outcome})")
        }
        Verdict::Violated(Violation::False) => match &explanation.comparison {
            Some(comparison) if is_rounded(comparison) => {
                "violated: left == right is false, but only in the last digits; `~=` compares up to rounding"
                    .into()
            }
            Some(comparison) => {
                let Comparison { operator, left, right, .. } = comparison;
                let values = left.value.as_ref().zip(right.value.as_ref());
                // The elements of lines are hashes, which say nothing; the calls above have the lines.
                let is_hashed = left.text.contains("lines(") || right.text.contains("lines(");
                let values = values.filter(|_| !is_hashed);
                let why = values.and_then(|(left, right)| difference(operator, left, right));
                let why = why.map(|why| format!(": {why}")).unwrap_or_default();
                format!("violated: left {operator} right is false{why}")
            }
            None => "violated: what is expected is false".into(),
        },
        Verdict::Ineligible(why) => match why {
            Ineligible::Condition => "ineligible: the `when` condition is false".into(),
            Ineligible::ConditionUndefined => "ineligible: the `when` condition is undefined".into(),
            Ineligible::OutOfDomain => {
                format!(
                    "ineligible: {}",
                    explanation.outside.as_deref().unwrap_or("an input is out of domain")
                )
            }
            Ineligible::Skipped(outcome) => format!("ineligible: a source call did not return ({outcome})"),
        },
    }
}
