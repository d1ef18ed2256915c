//! What was never seen before in a check: outcomes of a function, and classes of its outputs.

use std::collections::HashSet;

use dodona_target::{Column, Outcome, Value};

use super::observed::ObservedCall;

/// Bits of the magnitude of numbers, and of lengths, that are one class: a hexadecimal digit. One bit would make each of the first hundred outputs a new one.
const BITS: u32 = 4;

/// What was seen of the functions under test.
#[derive(Default)]
pub(super) struct Novelty {
    outcomes: HashSet<(usize, Outcome)>,
    outputs: HashSet<(usize, Vec<i64>)>,
}

/// Whether calls showed something that none before did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct New {
    pub(super) outcome: bool,
    pub(super) outputs: bool,
}

impl Novelty {
    /// Notes calls.
    pub(super) fn note<'a>(&mut self, calls: impl Iterator<Item = &'a ObservedCall>) -> New {
        let mut new = New::default();
        for call in calls {
            new.outcome |= self.outcomes.insert((call.function, call.outcome()));
            if call.outcome().has_outputs() {
                let classes = call.answer.outputs.iter().flat_map(class).collect();
                new.outputs |= self.outputs.insert((call.function, classes));
            }
        }
        new
    }
}

/// The class of the first row.
fn class(column: &Column) -> [i64; 2] {
    let length = |items: usize| i64::from((usize::BITS - items.leading_zeros()).div_ceil(BITS));
    match column.value(0) {
        Value::Bool(x) => [i64::from(x), 0],
        Value::Int(x) => {
            let bits = i128::BITS - x.unsigned_abs().leading_zeros();
            [x.signum() as i64, i64::from(bits.div_ceil(BITS))]
        }
        Value::Float(x) if x.is_nan() => [2, 0],
        Value::Float(0.0) => [0, 0],
        // The exponent is in the bits: a logarithm would differ from machine to machine.
        Value::Float(x) => {
            [if x > 0.0 { 1 } else { -1 }, ((x.to_bits() >> 52) & 0x7ff) as i64 / i64::from(BITS)]
        }
        Value::Text(text) => [i64::from(text.is_ascii()), length(text.len())],
        Value::Sequence(items) => [0, length(items.len())],
    }
}

#[cfg(test)]
mod tests {
    use dodona_target::{Calls, Trap};

    use super::*;

    fn call(outcome: Outcome, output: i128) -> ObservedCall {
        let answer = Calls { outcomes: vec![outcome], outputs: vec![Column::Int(vec![output])] };
        ObservedCall { function: 0, is_follow_up: false, arguments: Vec::new(), answer }
    }

    #[test]
    fn what_was_seen_is_not_new_again() {
        let mut seen = Novelty::default();
        let mut note = |call: &ObservedCall| {
            let New { outcome, outputs } = seen.note([call].into_iter());
            (outcome, outputs)
        };
        assert_eq!(note(&call(Outcome::Returned, 3)), (true, true));
        assert_eq!(note(&call(Outcome::Returned, 4)), (false, false));
        assert_eq!(note(&call(Outcome::Returned, -3)), (false, true));
        assert_eq!(note(&call(Outcome::Returned, 0)), (false, true));
        assert_eq!(note(&call(Outcome::Returned, 1_000_000)), (false, true));
        assert_eq!(note(&call(Outcome::Trapped(Trap::Panicked), 0)), (true, false));
        assert_eq!(note(&call(Outcome::Trapped(Trap::Panicked), 7)), (false, false));
    }
}
