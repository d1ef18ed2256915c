//! One metamorphic group of a check with a budget: its calls are counted, and refused where the budget is spent.

use std::collections::HashMap;

use dodona_relations::{Comparison, Role, Verdict};
use dodona_target::{CallError, Caller, Calls, Column, Outcome, Value};

use super::pool::Source;
use crate::plan::Origin;
use crate::{LoadedRelation, SubjectCaller};

/// A call of a group.
#[derive(Clone, Debug)]
pub(super) struct ObservedCall {
    pub(super) function: usize,
    pub(super) is_follow_up: bool,
    pub(super) arguments: Vec<Column>,
    pub(super) answer: Calls,
}

impl ObservedCall {
    pub(super) fn outcome(&self) -> Outcome {
        self.answer.outcomes[0]
    }
}

/// What was seen of a group.
pub(super) struct Seen {
    /// None where the budget was spent before there was a verdict.
    pub(super) verdict: Option<Verdict>,
    /// Calls that were made, those that tell how much rounding explains included.
    pub(super) runs: u64,
    /// The calls of the group, by the number of the call in the relation.
    pub(super) calls: Vec<(usize, ObservedCall)>,
}

/// Makes calls as long as there is a budget.
struct Budgeted<'a> {
    caller: &'a mut SubjectCaller,
    relation: &'a LoadedRelation,
    left: u64,
    made: u64,
    is_refused: bool,
    calls: Vec<(usize, ObservedCall)>,
}

impl Caller for Budgeted<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let rows = arguments.first().map_or(1, Column::len) as u64;
        if rows > self.left - self.made {
            self.is_refused = true;
            return Err(CallError::Stopped);
        }
        // Counted before it is made: a call that is given up was one.
        self.made += rows;
        self.caller.call(function, arguments)
    }

    fn call_at(
        &mut self,
        call: usize,
        _: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let answer = self.call(function, arguments)?;
        let is_follow_up = self.relation.relation.calls()[call].role == Role::FollowUp;
        let (arguments, noted) = (arguments.to_vec(), answer.clone());
        self.calls.push((call, ObservedCall { function, is_follow_up, arguments, answer: noted }));
        Ok(answer)
    }
}

/// Runs a group within what is left of a budget. There is an error beside what was seen when the target fails, or calls were given up because the time was up or somebody
/// interrupted.
pub(super) fn run(
    relation: &LoadedRelation,
    group: usize,
    source: &Source,
    caller: &mut SubjectCaller,
    left: u64,
) -> (Seen, Option<CallError>) {
    let mut budgeted = Budgeted { caller, relation, left, made: 0, is_refused: false, calls: Vec::new() };
    let verdicts = match source.origin {
        Origin::Random { .. } => relation.program.evaluate_drawn(group, &source.columns, &mut budgeted),
        Origin::Regressions | Origin::Given { .. } => {
            relation.program.evaluate(group, &source.columns, &mut budgeted)
        }
    };
    let Budgeted { made, is_refused, calls, .. } = budgeted;
    let seen = |verdict| Seen { verdict, runs: made, calls };
    match verdicts {
        Ok(verdicts) => (seen(verdicts.first().copied()), None),
        Err(_) if is_refused => (seen(None), None),
        Err(error) => (seen(None), Some(error)),
    }
}

/// How near a group that holds is to a violation, from 0 to 1; none where that cannot be told. No call is made for it.
///
/// For `~=` it is the share of the tolerance that the difference of the sides takes. For comparisons of order and for `!=` it is 1 less the relative distance of both sides. Sides that
/// have to be equal, and are, tell nothing.
pub(super) fn nearness(
    relation: &LoadedRelation,
    group: usize,
    source: &Source,
    calls: &[(usize, ObservedCall)],
) -> Option<f64> {
    let mut again = Again { calls: calls.iter().map(|(call, seen)| (*call, seen)).collect() };
    let explanation = relation.program.explain(group, &source.values(), &mut again).ok()?;
    near(&explanation.comparison?)
}

fn near(comparison: &Comparison) -> Option<f64> {
    if let Some(share) = comparison.share_of_tolerance {
        return share.is_finite().then(|| share.clamp(0.0, 1.0));
    }
    if !["<", "<=", ">", ">=", "!="].contains(&comparison.operator) {
        return None;
    }
    let number = |value: &Option<Value>| match value {
        Some(Value::Int(x)) => Some(*x as f64),
        Some(Value::Float(x)) if x.is_finite() => Some(*x),
        _ => None,
    };
    let (a, b) = number(&comparison.left.value).zip(number(&comparison.right.value))?;
    let largest = a.abs().max(b.abs());
    // The difference of two large numbers of different signs may be no number.
    let distance = if largest == 0.0 { 0.0 } else { (a / largest - b / largest).abs() };
    Some(1.0 - distance.min(1.0))
}

/// Answers with the calls of a group that was run. What would be called again to see how much rounding explains is answered alike, as if rounding
/// explained nothing: nearness is then that to the tolerance.
struct Again<'a> {
    calls: HashMap<usize, &'a ObservedCall>,
}

impl Again<'_> {
    fn answer(&self, call: usize, rows: usize) -> Result<Calls, CallError> {
        let known = self.calls.get(&call).ok_or(CallError::Stopped)?;
        Ok(known.answer.select(&vec![0; rows]))
    }
}

impl Caller for Again<'_> {
    fn call(&mut self, _: usize, _: &[Column]) -> Result<Calls, CallError> {
        Err(CallError::Stopped)
    }

    fn call_at(
        &mut self,
        call: usize,
        _: &dyn Fn(usize) -> usize,
        _: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        self.answer(call, arguments.first().map_or(1, Column::len))
    }

    fn call_moved(
        &mut self,
        call: usize,
        _: &dyn Fn(usize) -> usize,
        _: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        self.answer(call, arguments.first().map_or(1, Column::len))
    }
}

#[cfg(test)]
mod tests {
    use dodona_relations::Side;

    use super::*;

    fn compared(operator: &'static str, a: f64, b: f64, share_of_tolerance: Option<f64>) -> Option<f64> {
        let side = |x| Side { text: String::new(), value: Some(Value::Float(x)) };
        near(&Comparison { operator, left: side(a), right: side(b), share_of_tolerance })
    }

    #[test]
    fn nearness_is_a_share() {
        assert_eq!(compared("~=", 1.0, 1.0, Some(0.25)), Some(0.25));
        assert_eq!(compared("~=", 1.0, 2.0, Some(7.0)), Some(1.0));
        assert_eq!(compared("<=", 3.0, 4.0, None), Some(0.75));
        assert_eq!(compared("<=", 4.0, 4.0, None), Some(1.0));
        assert_eq!(compared("<", 0.0, 0.0, None), Some(1.0));
        assert_eq!(compared("<", -1.0, 1.0, None), Some(0.0));
        assert_eq!(compared(">", f64::MAX, f64::MIN, None), Some(0.0));
        assert_eq!(compared("==", 4.0, 4.0, None), None);
        assert_eq!(compared("<", f64::INFINITY, 4.0, None), None);
    }
}
