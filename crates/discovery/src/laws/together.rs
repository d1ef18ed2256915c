//! Which functions laws are searched over together.

use dodona_subject::{Function, Kind, Number, ResultLowering, Scalar, Type};
use dodona_workbench::Workbench;

/// The most parameters of a function: the arguments of calls grow with a power of them.
const MOST_PARAMETERS: usize = 3;
/// The most functions of a group: products of calls grow with their square.
const MOST_FUNCTIONS: usize = 6;

/// Functions of the same kind of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Together {
    /// Their indices.
    pub(super) functions: Vec<usize>,
    pub(super) kind: Kind,
    /// Where variables are drawn: a small part of what lies in the domains of all parameters.
    pub(super) window: (f64, f64),
    /// Where functions of several windows are looked at together: the windows of each function alone. Only laws of functions with different ones are told, for
    /// the others are found in the group of their window.
    pub(super) across: Option<Vec<(f64, f64)>>,
}

/// Where variables are drawn if the domains allow it. Floats near 0 have small rounding errors, and a function differs enough there from others; integers
/// are small enough that their products are seen, and large enough that few of them are equal.
const FLOATS: (f64, f64) = (-4.0, 4.0);
const INTEGERS: (f64, f64) = (-30.0, 30.0);

/// Groups of functions, and those that have no polynomial laws, with the reason.
pub(super) fn groups(
    workbench: &Workbench,
    functions: &[usize],
) -> (Vec<Together>, Vec<(usize, &'static str)>) {
    let (mut groups, mut skipped): (Vec<Together>, Vec<_>) = (Vec::new(), Vec::new());
    for &index in functions {
        let function = &workbench.manifest.functions[index];
        match kind(function) {
            Ok(kind) => {
                let Some(window) = window(function, kind) else {
                    skipped.push((index, "no number lies in the domains of all its parameters"));
                    continue;
                };
                let joins = |group: &&mut Together| {
                    group.kind == kind && group.window == window && group.functions.len() < MOST_FUNCTIONS
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

/// Functions of one parameter from groups of different windows, which may undo each other: exponential and logarithm.
fn across(workbench: &Workbench, groups: &[Together], kind: Kind) -> Option<Together> {
    let (mut functions, mut windows) = (Vec::new(), Vec::new());
    let mut all: Option<(f64, f64)> = None;
    for group in groups.iter().filter(|group| group.kind == kind) {
        for &function in &group.functions {
            let is_unary = workbench.manifest.functions[function].parameters.len() == 1;
            let both = all.map_or(Some(group.window), |window| common(window, group.window, kind));
            if let (true, Some(both), true) = (is_unary, both, functions.len() < MOST_FUNCTIONS) {
                functions.push(function);
                windows.push(group.window);
                all = Some(both);
            }
        }
    }
    let is_mixed = windows.iter().any(|window| Some(window) != windows.first());
    all.filter(|_| is_mixed).map(|window| Together { functions, kind, window, across: Some(windows) })
}

/// The kind of numbers that a function is about.
fn kind(function: &Function) -> Result<Kind, &'static str> {
    let scalar = |ty: Type| match ty {
        Type::Scalar(scalar) if scalar.kind() != Kind::Bool => Some(scalar.kind()),
        _ => None,
    };
    let ResultLowering::Value(result) = &function.result else {
        return Err("it does not return a number");
    };
    let outputs = function.outputs();
    if function.parameters.is_empty() || outputs.len() != 1 {
        return Err("it has no parameter, or more than one output");
    }
    if function.parameters.len() > MOST_PARAMETERS {
        return Err("it has more than three parameters");
    }
    let kinds: Option<Vec<Kind>> = function.parameters.iter().map(|parameter| scalar(parameter.ty)).collect();
    let kinds = kinds.ok_or("a parameter is no number")?;
    let result = scalar(Type::Scalar(*result)).ok_or("it does not return a number")?;
    match kinds.iter().all(|kind| *kind == result) {
        true => Ok(result),
        false => Err("it has both integers and floats"),
    }
}

/// Where variables are drawn for a function alone.
fn window(function: &Function, kind: Kind) -> Option<(f64, f64)> {
    let usual = if kind == Kind::Float { FLOATS } else { INTEGERS };
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for parameter in &function.parameters {
        let Type::Scalar(scalar) = parameter.ty else { return None };
        let (least, greatest) = hull(&parameter.domain.numbers.ranges, scalar);
        (low, high) = (low.max(least), high.min(greatest));
    }
    if low > high {
        return None;
    }
    let (least, greatest) = (usual.0.max(low), usual.1.min(high));
    let width = usual.1 - usual.0;
    Some(match least < greatest {
        true => (least, greatest),
        // The domain lies beside the usual window.
        false if low > usual.1 => (low, high.min(low + width)),
        false => (low.max(high - width), high),
    })
}

/// The least and the greatest number of a domain.
fn hull(ranges: &[dodona_subject::NumberRange], scalar: Scalar) -> (f64, f64) {
    let whole = match scalar {
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => (0.0, f64::INFINITY),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let of = |number: Number| number.as_f64();
    let numbers = || ranges.iter().filter(|range| !range.is_nan());
    match numbers().next() {
        None => whole,
        Some(_) => (
            numbers().map(|range| of(range.low)).fold(f64::INFINITY, f64::min),
            numbers().map(|range| of(range.high)).fold(f64::NEG_INFINITY, f64::max),
        ),
    }
}

/// The part that two windows have in common, if it is wide enough to draw from.
fn common(a: (f64, f64), b: (f64, f64), kind: Kind) -> Option<(f64, f64)> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    let least = if kind == Kind::Float { 1.0 } else { 10.0 };
    (both.1 - both.0 >= least).then_some(both)
}
