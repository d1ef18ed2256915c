//! The numbers of a domain: `range`, `ranges`, `except`, `nan`.

use super::section::{Item, Section};
use dodona_target::{Diagnostic, Kind, Number, NumberRange, Numbers, Scalar, Type};

pub(super) fn numbers(section: &Section<'_>, ty: Type) -> Numbers {
    let ranges = ranges(section, ty);
    let except: Option<Vec<Number>> =
        section.get("except").and_then(|i| i.list()?.iter().map(|i| number(i, ty)).collect());
    let (nan, except): (Vec<Number>, Vec<Number>) =
        except.unwrap_or_default().into_iter().partition(|n| n.as_f64().is_nan());
    Numbers { ranges, except, exclude_nan: !nan.is_empty() }
}

/// What `range` or `ranges` says. Both at once would leave it open which is meant.
fn ranges(section: &Section<'_>, ty: Type) -> Vec<NumberRange> {
    let (one, many) = (section.get("range"), section.get("ranges"));
    if let (Some(one), Some(many)) = (&one, &many) {
        let second = if one.span().start < many.span().start { many } else { one };
        let problem = Diagnostic::new(second.span(), "both `range` and `ranges` are given");
        let hint = "write all of them as one list: ranges = [[least, greatest], [least, greatest]]";
        second.problem(problem.hint(hint));
    }
    let listed = many.and_then(|item| Some((item, item.list()?)));
    if let Some((item, items)) = &listed
        && items.is_empty()
    {
        let problem = Diagnostic::new(item.span(), "the domain contains nothing: no range is listed");
        item.problem(problem.hint("leave `ranges` out if every value is meant"));
    }
    let items = one.into_iter().chain(listed.into_iter().flat_map(|(_, items)| items));
    items.filter_map(|item| range(item, ty)).collect()
}

/// `nan = …`: whether NaN is inside, beside what the other keys say of numbers.
pub(super) fn add_nan(section: &Section<'_>, ty: Type, numbers: &mut Numbers) {
    let Some(item) = section.get("nan") else { return };
    let Some(is_inside) = item.boolean() else { return };
    if ty.scalar().is_none_or(|s| s.kind() != Kind::Float) {
        let problem = Diagnostic::new(item.span(), format!("a value of {ty} is never NaN"));
        item.problem(problem.hint("`nan` is for floats"));
    } else if is_inside && numbers.exclude_nan {
        item.problem(Diagnostic::new(item.span(), "NaN is let in here and kept out by `except`; keep one"));
    } else if !is_inside && numbers.ranges.iter().any(NumberRange::is_nan) {
        item.problem(Diagnostic::new(item.span(), "NaN is kept out here and listed in `values`; keep one"));
    } else if is_inside && !numbers.ranges.is_empty() && !numbers.contains_nan() {
        numbers.ranges.push(NumberRange::NAN);
    }
    numbers.exclude_nan |= !is_inside;
}

/// A number that a parameter of this type can hold; of a float type the nearest, with a warning where it is another.
pub(super) fn number(item: &Item<'_>, ty: Type) -> Option<Number> {
    let Some(scalar) = ty.scalar() else {
        let problem = Diagnostic::new(item.span(), format!("{ty} has no numbers"));
        item.problem(problem.hint("it has `length`, `alphabet`, `values` and `is`"));
        return None;
    };
    let number = item.number()?;
    match (scalar.kind(), number) {
        (Kind::Bool, Number::Int(0 | 1)) => Some(number),
        (Kind::Bool, _) => item.wrong("true or false"),
        (Kind::Int, Number::Float(_)) => item.wrong("an integer"),
        _ if item.is_boolean() => item.wrong("a number"),
        (Kind::Int, Number::Int(i)) => {
            let (low, high) = scalar.integer_range()?;
            if low <= i && i <= high {
                return Some(number);
            }
            let words = format!("{i} is not a value of {scalar} ({low} to {high})");
            item.problem(Diagnostic::new(item.span(), words));
            None
        }
        (Kind::Float, _) => held(item, scalar, number),
    }
}

/// The value of a float type that is nearest to a number. What is beyond all of them is refused.
pub(super) fn held(item: &Item<'_>, scalar: Scalar, number: Number) -> Option<Number> {
    let exact = number.as_f64();
    let held = if scalar == Scalar::F32 { f64::from(exact as f32) } else { exact };
    if held.is_infinite() && (exact.is_finite() || matches!(number, Number::Int(_))) {
        let problem = Diagnostic::new(item.span(), format!("{} is beyond every {scalar}", written(number)));
        item.problem(problem.hint("write inf for infinity"));
        return None;
    }
    let is_same = match number {
        Number::Int(i) => held as i128 == i,
        Number::Float(x) => dodona_target::same_float(held, x),
    };
    if !is_same {
        let nearest = written(Number::Float(held));
        item.warn(format!("{} is no {scalar}; {nearest}, the nearest, stands for it", written(number)));
    }
    Some(if is_same { number } else { Number::Float(held) })
}

pub(super) fn written(number: Number) -> String {
    match number {
        Number::Int(i) => i.to_string(),
        Number::Float(x) => dodona_target::Value::Float(x).to_string(),
    }
}

pub(super) fn range(item: Item<'_>, ty: Type) -> Option<NumberRange> {
    match item.list()?.as_slice() {
        [low, high] => {
            let range = NumberRange { low: number(low, ty)?, high: number(high, ty)? };
            if range.low.as_f64().is_nan() || range.high.as_f64().is_nan() {
                let problem = Diagnostic::new(item.span(), "NaN is no end of a range");
                item.problem(problem.hint("`nan = true` lets NaN in beside the ranges"));
                return None;
            }
            if at_most(range.low, range.high) {
                return Some(range);
            }
            let problem = Diagnostic::new(item.span(), "this range contains nothing");
            item.problem(problem.hint("write [least, greatest]; both ends are inside"));
            None
        }
        _ => item.wrong("[least, greatest]"),
    }
}

/// Whether one number is at most another; integers beyond the exact ones of a float are told apart.
pub(super) fn at_most(low: Number, high: Number) -> bool {
    match (low, high) {
        (Number::Int(low), Number::Int(high)) => low <= high,
        _ => low.as_f64() <= high.as_f64(),
    }
}

/// Whether `except` names a number. Both zeros count as one.
pub(super) fn is_excepted(numbers: &Numbers, number: Number) -> bool {
    numbers.except.iter().any(|except| at_most(*except, number) && at_most(number, *except))
}
