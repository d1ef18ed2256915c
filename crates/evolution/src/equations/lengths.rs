//! Integers that rise in steps with another integer: the length of base64 is `4 * ((len(b) + 2) div 3)`.

use dodona_subject::Column;

use super::head::Head;
use super::term::{TermId, Terms};
use super::tuning::{GREATEST_STEP, LEAST_ARGUMENTS, WIDTHS};
use super::values::Values;
use super::vocabulary::Vocabulary;
use crate::discovery::Operator;

/// `height * ((x + shift) div width) + start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    height: i64,
    shift: i64,
    width: i64,
    start: i64,
}

/// The steps, of the least width, in which one integer rises with another.
pub(super) fn steps(of: &Column, by: &Column, of_values: &Values, by_values: &Values) -> Option<Steps> {
    let (Column::Int(of), Column::Int(by)) = (of, by) else { return None };
    let defined = of_values.defined().zip(by_values.defined()).map(|(a, b)| a && b);
    let mut points: Vec<(i64, i64)> = Vec::new();
    for ((x, y), is_defined) in by.iter().zip(of).zip(defined) {
        if is_defined {
            points.push((i64::try_from(*x).ok()?, i64::try_from(*y).ok()?));
        }
    }
    points.sort_unstable();
    points.dedup();
    // One argument has two results.
    let is_function = points.windows(2).all(|two| two[0].0 != two[1].0);
    if !is_function || points.len() < LEAST_ARGUMENTS || points[0].0 < 0 {
        return None;
    }
    let shifts = WIDTHS.iter().flat_map(|&width| (0..width).map(move |shift| (width, shift)));
    shifts.filter_map(|(width, shift)| fit(&points, width, shift)).find(|steps| steps.height != 0)
}

/// The steps of this width that go through all points.
fn fit(points: &[(i64, i64)], width: i64, shift: i64) -> Option<Steps> {
    let step = |x: i64| (x + shift) / width;
    let (first, last) = (points[0], points[points.len() - 1]);
    let steps = step(last.0) - step(first.0);
    let rise = last.1.checked_sub(first.1)?;
    if steps == 0 || rise % steps != 0 {
        return None;
    }
    let height = rise / steps;
    let start = first.1.checked_sub(height.checked_mul(step(first.0))?)?;
    let found = Steps { height, shift, width, start };
    let fits =
        |&(x, y): &(i64, i64)| height.checked_mul(step(x)).and_then(|h| h.checked_add(start)) == Some(y);
    (height.abs() <= GREATEST_STEP && start.abs() <= GREATEST_STEP && points.iter().all(fits))
        .then_some(found)
}

impl Steps {
    /// The steps of a term, as a term.
    pub(super) fn term(self, terms: &mut Terms, vocabulary: &Vocabulary, argument: TermId) -> TermId {
        let mut with = |operator, term, number: i64| {
            let number = terms.insert(vocabulary, Head::Int(number), &[]).expect("numbers have no operands");
            let operands = if operator == Operator::Multiply { [number, term] } else { [term, number] };
            terms.insert(vocabulary, Head::Word(operator), &operands).expect("these are integers")
        };
        let mut term = argument;
        if self.shift != 0 {
            term = with(Operator::Add, term, self.shift);
        }
        if self.width != 1 {
            term = with(Operator::Quotient, term, self.width);
        }
        if self.height != 1 {
            term = with(Operator::Multiply, term, self.height);
        }
        match self.start {
            0 => term,
            start if start < 0 => with(Operator::Subtract, term, -start),
            start => with(Operator::Add, term, start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(f: impl Fn(i64) -> i64) -> Option<Steps> {
        let x: Vec<i128> = (0..40).collect();
        let y = x.iter().map(|x| f(*x as i64).into()).collect();
        let values = |column: &Column| Values::new(column.clone(), &[true; 40]);
        let (x, y) = (Column::Int(x), Column::Int(y));
        steps(&y, &x, &values(&y), &values(&x))
    }

    #[test]
    fn lines_and_steps_are_found_and_nothing_else() {
        assert_eq!(of(|x| 2 * x), Some(Steps { height: 2, shift: 0, width: 1, start: 0 }));
        assert_eq!(of(|x| 4 * ((x + 2) / 3)), Some(Steps { height: 4, shift: 2, width: 3, start: 0 }));
        assert_eq!(of(|x| x / 2 + 1), Some(Steps { height: 1, shift: 0, width: 2, start: 1 }));
        assert_eq!(of(|x| x * x), None);
        assert_eq!(of(|_| 7), None);
    }
}
