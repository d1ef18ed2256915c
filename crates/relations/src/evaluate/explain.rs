//! Explains the verdict on a single source input.

use dodona_target::{Calls, Column, Outcome, Output, OutputName, Value};

use super::run::{Outside, Record, Run};
use super::schedule::{Site, Variable};
use super::verdict::Verdict;
use crate::apply::number::Nearness;
use crate::check::Role;
use crate::op::Op;
use dodona_target::{CallError, Caller};

/// The verdict on a single source input, with everything that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The verdict.
    pub verdict: Verdict,
    /// The calls in the order in which they were made; an ineligible source input ends them early.
    pub calls: Vec<CallExplanation>,
    /// Both sides of the expectation, if it is a single comparison and was reached.
    pub comparison: Option<Comparison>,
    /// Describes the source input or argument that was out of domain, if there was one.
    pub outside: Option<String>,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct CallExplanation {
    /// The index of the call in [`crate::Relation::calls`].
    pub site: usize,
    /// The function called, as an index into the functions that the relation was checked with.
    pub function: usize,
    /// Whether the call took the source input.
    pub role: Role,
    /// The call as it is written: `gcd(q, p)`.
    pub text: String,
    /// The arguments, in the order of the parameters.
    pub arguments: Vec<Value>,
    /// How the call ended.
    pub outcome: Outcome,
    /// The outputs of the call; empty if it did not return.
    pub outputs: Vec<(OutputName, Value)>,
}

/// A comparison, with the values on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The word or sign between the sides, such as `==`.
    pub operator: &'static str,
    /// The left side.
    pub left: Side,
    /// The right side.
    pub right: Side,
    /// For `~=` between finite numbers, the difference of the sides as a share of the difference that the tolerance or the rounding on
    /// the way to the sides permits; an estimate if the tolerance counts units in the last place.
    pub share_of_tolerance: Option<f64>,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The side as it is written.
    pub text: String,
    /// The value; `None` if it is undefined.
    pub value: Option<Value>,
}

impl Run<'_> {
    /// Runs all steps on a single row and records what happened.
    pub(super) fn explanation(
        mut self,
        variables: &[Variable],
        caller: &mut dyn Caller,
    ) -> Result<Explanation, CallError> {
        self.record = Some(Record::default());
        self.sources_in_domain(variables);
        self.steps(caller)?;
        let record = self.record.take().unwrap_or_default();
        let outside = record.outside.clone().map(|outside| self.outside(outside));
        Ok(Explanation {
            verdict: self.verdict(),
            // An ineligible row has been dropped from the run, so its registers are empty.
            comparison: if self.verdict().is_eligible() { self.comparison(record.allowance) } else { None },
            calls: explained(record.calls, self.sites),
            outside,
        })
    }

    fn comparison(&self, allowance: f64) -> Option<Comparison> {
        let sides = self.plan.group.sides.as_ref()?;
        let (left, right) = sides.nodes;
        if !self.is_computed(left) || !self.is_computed(right) {
            return None;
        }
        let side = |text: &str, node| Side { text: text.to_owned(), value: self.register(node).value(0) };
        let (left, right) = (side(&sides.texts.0, left), side(&sides.texts.1, right));
        let graph = &self.plan.group.graph;
        let share_of_tolerance = match graph.nodes[self.plan.group.expect].op {
            Op::Approximate { single } => number(&left)
                .zip(number(&right))
                .and_then(|(a, b)| Nearness::new(graph.bound, single).share(a, b, allowance)),
            _ => None,
        };
        Some(Comparison { operator: sides.operator, left, right, share_of_tolerance })
    }

    fn outside(&self, outside: Outside) -> String {
        match outside {
            Outside::Source(words) => words,
            Outside::Requires(call, values) => {
                let site = &self.sites[call];
                let named = site.parameters.iter().zip(&values);
                let named: Vec<String> = named
                    .map(|((name, ..), value)| format!("{name} = {}", written(value.as_ref())))
                    .collect();
                format!("the precondition of `{}` does not hold for {}", site.text, named.join(", "))
            }
            Outside::Argument(call, argument, value) => {
                let site = &self.sites[call];
                let (name, ty, _) = &site.parameters[argument];
                let value = written(value.as_ref());
                format!("`{name}: {ty}` of `{}` is {value}, outside its type or domain", site.text)
            }
        }
    }
}

fn number(side: &Side) -> Option<f64> {
    match side.value {
        Some(Value::Int(i)) => Some(i as f64),
        Some(Value::Float(x)) => Some(x),
        _ => None,
    }
}

fn written(value: Option<&Value>) -> String {
    value.map_or_else(|| "undefined".to_owned(), Value::to_string)
}

/// The calls of a record, with names and values instead of indices and columns.
pub(super) fn explained(calls: Vec<(usize, Vec<Column>, Calls)>, sites: &[Site]) -> Vec<CallExplanation> {
    let one = |(site, arguments, answer): (usize, Vec<Column>, Calls)| {
        let Site { function, role, text, outputs, .. } = &sites[site];
        let outcome = answer.outcomes[0];
        let is_there = |index: &usize| Output::is_there(outputs, &answer.outputs, *index, 0);
        let values = (0..answer.outputs.len())
            .filter(is_there)
            .map(|index| (outputs[index].name.clone(), answer.outputs[index].value(0)));
        CallExplanation {
            site,
            function: *function,
            role: *role,
            text: text.clone(),
            arguments: arguments.iter().map(|column| column.value(0)).collect(),
            outcome,
            outputs: if outcome.has_outputs() { values.collect() } else { Vec::new() },
        }
    };
    calls.into_iter().map(one).collect()
}
