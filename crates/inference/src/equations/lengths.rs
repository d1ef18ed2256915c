//! Integers that rise in steps with another integer: the length of base64 is `4 * ((len(b) + 2) div 3)`, and where lines end after 72
//! characters `4 * ((len(b) + 2) div 3) + len(b) div 54`.

use dodona_target::Column;

use super::equation_term::{TermId, Terms};
use super::equation_tuning::{GREATEST_STEP, LEAST_ARGUMENTS, LEAST_LINES, WIDTHS};
use super::head::Head;
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
    // The last is the greatest.
    last.0.checked_add(shift)?;
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

/// Steps of the groups in which data is read, and further steps where lines end:
/// `4 * ((n + 2) div 3) + n div 54 + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSteps {
    /// Both starts are in the steps of the groups.
    groups: Steps,
    lines: Steps,
}

impl LineSteps {
    /// The steps that go through these points, which are pairs of an argument and a result. The arguments have to be consecutive
    /// integers from 0 on or from a small number on. `None` if there are no such steps, or if steps of one width go through all
    /// points.
    ///
    /// ```
    /// use dodona_inference::equations::LineSteps;
    ///
    /// let points: Vec<(i64, i64)> = (0..200).map(|n| (n, 2 * n + n / 40)).collect();
    /// let steps = LineSteps::of(&points).expect("a line ends after each 40");
    /// assert_eq!(steps.text("len(b)"), "2 * len(b) + len(b) div 40");
    /// ```
    pub fn of(points: &[(i64, i64)]) -> Option<LineSteps> {
        let is_consecutive = points.windows(2).all(|two| two[0].0.checked_add(1) == Some(two[1].0));
        if points.len() < LEAST_ARGUMENTS || points[0].0 < 0 || !is_consecutive {
            return None;
        }
        let shifts = WIDTHS.iter().flat_map(|&width| (0..width).map(move |shift| (width, shift)));
        shifts.filter_map(|(width, shift)| LineSteps::with(points, width, shift)).next()
    }

    /// The steps whose groups have this width.
    fn with(points: &[(i64, i64)], width: i64, shift: i64) -> Option<LineSteps> {
        let step = |x: i64| (x + shift) / width;
        let first = points[0];
        // A line may begin with the first group, so the smaller one of two rises is that of a group alone.
        let at = |steps: i64| points.iter().find(|(x, _)| step(*x) == step(first.0) + steps).map(|(_, y)| *y);
        let (one, two) = (at(1)?, at(2)?);
        let height = one.checked_sub(first.1)?.min(two.checked_sub(one)?);
        let rest = |&(x, y): &(i64, i64)| y.checked_sub(height.checked_mul(step(x))?);
        let rests: Vec<i64> = points.iter().map(rest).collect::<Option<_>>()?;
        let ends: Vec<usize> = (1..rests.len()).filter(|&i| rests[i] != rests[i - 1]).collect();
        let (&one, &two) = (ends.first()?, ends.get(1)?);
        let line = (two - one) as i64;
        if ends.len() < LEAST_LINES || height == 0 || line <= width {
            return None;
        }
        let lines = Steps {
            height: rests[one].checked_sub(rests[one - 1])?,
            shift: (-points[one].0).rem_euclid(line),
            width: line,
            start: 0,
        };
        let of_lines = |x: i64| lines.height.checked_mul((x + lines.shift) / line);
        let start = rests[0].checked_sub(of_lines(first.0)?)?;
        let fits = points
            .iter()
            .zip(&rests)
            .all(|(point, rest)| of_lines(point.0).and_then(|h| h.checked_add(start)) == Some(*rest));
        let is_small = [height, lines.height, start].iter().all(|number| number.abs() <= GREATEST_STEP);
        (fits && is_small).then_some(LineSteps { groups: Steps { height, shift, width, start }, lines })
    }

    /// The steps of an argument in the language of relations.
    pub fn text(&self, argument: &str) -> String {
        let mut text = self.groups.rise(argument);
        let lines = Steps { height: self.lines.height.abs(), ..self.lines };
        let mut add = |sign: i64, term: &str| {
            text.push_str(if sign < 0 { " - " } else { " + " });
            text.push_str(term);
        };
        add(self.lines.height, &lines.rise(argument));
        if self.groups.start != 0 {
            add(self.groups.start, &self.groups.start.abs().to_string());
        }
        text
    }
}

impl Steps {
    /// The steps of an argument without their start.
    fn rise(self, argument: &str) -> String {
        let Steps { height, shift, width, .. } = self;
        let shifted = if shift == 0 { argument.to_owned() } else { format!("({argument} + {shift})") };
        match (height, width) {
            (1, 1) => shifted,
            (_, 1) => format!("{height} * {shifted}"),
            (1, _) => format!("{shifted} div {width}"),
            _ => format!("{height} * ({shifted} div {width})"),
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

    fn lines(f: impl Fn(i64) -> i64) -> Option<String> {
        let points: Vec<(i64, i64)> = (0..300).map(|x| (x, f(x))).collect();
        LineSteps::of(&points).map(|steps| steps.text("n"))
    }

    #[test]
    fn lines_of_formats_are_found() {
        // libb64: a line ends after 72 characters, and the data ends with a line.
        let found = lines(|n| 4 * ((n + 2) / 3) + n / 54 + 1);
        assert_eq!(found.as_deref(), Some("4 * ((n + 2) div 3) + n div 54 + 1"));
        let found = lines(|n| 2 * n + (n + 31) / 32);
        assert_eq!(found.as_deref(), Some("2 * n + (n + 31) div 32"));
    }

    #[test]
    fn steps_of_one_width_and_what_rises_otherwise_have_no_lines() {
        assert_eq!(lines(|n| 4 * ((n + 2) / 3)), None);
        assert_eq!(lines(|n| n), None);
        assert_eq!(lines(|n| n * n), None);
        assert_eq!(lines(|_| 5), None);
        // One line end, which may be a single exception.
        assert_eq!(lines(|n| 2 * n + n / 200), None);
        // MIME: the last line does not end, and an empty text has none, so that its length is no sum of two steps.
        assert_eq!(lines(|n| 4 * ((n + 2) / 3) + if n == 0 { 0 } else { 2 * ((n - 1) / 57) }), None);
        let points: Vec<(i64, i64)> = (0..100).map(|n| (2 * n, 2 * n + n / 10)).collect();
        assert_eq!(LineSteps::of(&points), None);
    }
}
