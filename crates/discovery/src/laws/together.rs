//! Groups of functions whose laws are searched for together.

use super::law_tuning::{MOST_FUNCTIONS_OF_NUMBERS, MOST_PARAMETERS_OF_NUMBERS};
use dodona_target::{Kind, Number, Scalar, Signature, Type};
use dodona_workbench::Workbench;

/// The bounds between which variables are drawn, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A group of functions of the same kind of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Together {
    /// Their indices.
    pub(super) functions: Vec<usize>,
    pub(super) kind: Kind,
    /// The bounds between which variables are drawn: a small part of the intersection of all parameters' domains.
    pub(super) window: Window,
    /// For a group of functions whose windows differ, the window of each function. The group reports only laws that combine
    /// functions with different windows, because the others are found in the groups of one window.
    pub(super) across: Option<Vec<Window>>,
}

/// The windows that are used if the domains allow it. For floats near 0 rounding errors are small and functions differ enough
/// from each other. The integers are small enough that products of outputs do not overflow, and there are enough of them that
/// few values are equal.
const FLOATS: Window = Window { low: -4.0, high: 4.0 };
const INTEGERS: Window = Window { low: -30.0, high: 30.0 };

/// The groups of functions. Second, the functions that have no polynomial laws, each with the reason.
pub(super) fn groups(
    workbench: &Workbench,
    functions: &[usize],
) -> (Vec<Together>, Vec<(usize, &'static str)>) {
    let (mut groups, mut skipped): (Vec<Together>, Vec<_>) = (Vec::new(), Vec::new());
    for &index in functions {
        let function = &workbench.functions()[index];
        match kind(function) {
            Ok(kind) => {
                let Some(window) = window(function, kind) else {
                    skipped.push((index, "no number lies in the domains of all its parameters"));
                    continue;
                };
                let joins = |group: &&mut Together| {
                    group.kind == kind
                        && group.window == window
                        && group.functions.len() < MOST_FUNCTIONS_OF_NUMBERS
                };
                match groups.iter_mut().find(joins) {
                    Some(group) => group.functions.push(index),
                    None => groups.push(Together { functions: vec![index], kind, window, across: None }),
                }
            }
            Err(why) => skipped.push((index, why)),
        }
    }
    let across = [Kind::Float, Kind::Int].map(|kind| across(workbench, &groups, kind));
    groups.extend(across.into_iter().flatten());
    (groups, skipped)
}

/// A group of functions of one parameter that have different windows. One of them may be the inverse of another, as the
/// logarithm is of the exponential function.
fn across(workbench: &Workbench, groups: &[Together], kind: Kind) -> Option<Together> {
    let (mut functions, mut windows) = (Vec::new(), Vec::new());
    let mut all: Option<Window> = None;
    for group in groups.iter().filter(|group| group.kind == kind) {
        for &function in &group.functions {
            let is_unary = workbench.functions()[function].parameters.len() == 1;
            let both = all.map_or(Some(group.window), |window| common(window, group.window, kind));
            if let (true, Some(both), true) = (is_unary, both, functions.len() < MOST_FUNCTIONS_OF_NUMBERS) {
                functions.push(function);
                windows.push(group.window);
                all = Some(both);
            }
        }
    }
    let is_mixed = windows.iter().any(|window| Some(window) != windows.first());
    all.filter(|_| is_mixed).map(|window| Together { functions, kind, window, across: Some(windows) })
}

/// The kind of numbers that a function takes and gives, or why it has no polynomial laws.
fn kind(function: &Signature) -> Result<Kind, &'static str> {
    let scalar = |ty: Type| match ty {
        Type::Scalar(scalar) if scalar.kind() != Kind::Bool => Some(scalar.kind()),
        _ => None,
    };
    let result = function.returned_scalar().ok_or("it does not return a number")?;
    let outputs = &function.outputs;
    if function.parameters.is_empty() || outputs.len() != 1 {
        return Err("it has no parameter, or more than one output");
    }
    if function.parameters.len() > MOST_PARAMETERS_OF_NUMBERS {
        return Err("it has more than three parameters");
    }
    let kinds: Option<Vec<Kind>> = function.parameters.iter().map(|parameter| scalar(parameter.ty)).collect();
    let kinds = kinds.ok_or("a parameter is no number")?;
    let result = scalar(Type::Scalar(result)).ok_or("it does not return a number")?;
    match kinds.iter().all(|kind| *kind == result) {
        true => Ok(result),
        false => Err("it has both integers and floats"),
    }
}

/// The window of a single function.
fn window(function: &Signature, kind: Kind) -> Option<Window> {
    let usual = if kind == Kind::Float { FLOATS } else { INTEGERS };
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for parameter in &function.parameters {
        let Type::Scalar(scalar) = parameter.ty else { return None };
        let domain = hull(&parameter.domain.numbers.ranges, scalar);
        (low, high) = (low.max(domain.low), high.min(domain.high));
    }
    if low > high {
        return None;
    }
    let inside = Window { low: usual.low.max(low), high: usual.high.min(high) };
    let width = usual.high - usual.low;
    Some(match inside.low < inside.high {
        true => inside,
        // The domain and the usual window do not overlap.
        false if low > usual.high => Window { low, high: high.min(low + width) },
        false => Window { low: low.max(high - width), high },
    })
}

/// The least and the greatest number of a domain.
fn hull(ranges: &[dodona_target::NumberRange], scalar: Scalar) -> Window {
    let whole = match scalar {
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Window { low: 0.0, high: f64::INFINITY },
        _ => Window { low: f64::NEG_INFINITY, high: f64::INFINITY },
    };
    let of = |number: Number| number.as_f64();
    let numbers = || ranges.iter().filter(|range| !range.is_nan());
    match numbers().next() {
        None => whole,
        Some(_) => Window {
            low: numbers().map(|range| of(range.low)).fold(f64::INFINITY, f64::min),
            high: numbers().map(|range| of(range.high)).fold(f64::NEG_INFINITY, f64::max),
        },
    }
}

/// The part that two windows have in common, if it is wide enough to draw from.
fn common(a: Window, b: Window, kind: Kind) -> Option<Window> {
    let both = Window { low: a.low.max(b.low), high: a.high.min(b.high) };
    let least = if kind == Kind::Float { 1.0 } else { 10.0 };
    (both.high - both.low >= least).then_some(both)
}
