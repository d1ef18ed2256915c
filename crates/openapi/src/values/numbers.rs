//! Bounds of numbers.

use dodona_target::{Domain, Number, NumberRange, Numbers, Sampling, Scalar, Type, Value as Drawn};
use serde_json::{Map, Value};

use super::{Values, points_of};

/// How far numbers reach beyond 0 and beyond a bound, where a document does not say. The whole of a type is seldom where a service is meant to work.
const REACH: f64 = 1000.0;

/// The most multiples of a number that are listed.
const MULTIPLES: usize = 64;

/// The numbers within the bounds of a schema.
pub(super) fn values(
    keys: &Map<String, Value>,
    scalar: Scalar,
    listed: Option<Vec<Value>>,
) -> Result<Values, String> {
    let bounds = Bounds::of(keys);
    let mut notes = Vec::new();
    let numbers = match listed {
        Some(listed) => points(&listed, scalar, &bounds)?,
        None if scalar == Scalar::F64 => floats(&bounds, &mut notes)?,
        None => integers(&bounds, scalar, &mut notes)?,
    };
    let numbers = multiples(keys.get("multipleOf"), scalar, numbers, &mut notes)?;
    let domain = Domain { numbers, ..Domain::default() };
    Ok(Values { ty: Type::Scalar(scalar), domain, sampling: Sampling::default(), notes })
}

/// The least and the greatest number, and whether each is excluded.
struct Bounds {
    low: Option<(f64, bool)>,
    high: Option<(f64, bool)>,
}

impl Bounds {
    fn of(keys: &Map<String, Value>) -> Bounds {
        let bound = |name: &str| keys.get(name).and_then(Value::as_f64);
        let low = match (bound("minimum"), bound("exclusiveMinimum")) {
            (Some(closed), Some(open)) if open < closed => Some((closed, false)),
            (_, Some(open)) => Some((open, true)),
            (closed, None) => closed.map(|closed| (closed, false)),
        };
        let high = match (bound("maximum"), bound("exclusiveMaximum")) {
            (Some(closed), Some(open)) if open > closed => Some((closed, false)),
            (_, Some(open)) => Some((open, true)),
            (closed, None) => closed.map(|closed| (closed, false)),
        };
        Bounds { low, high }
    }

    fn contains(&self, x: f64) -> bool {
        self.low.is_none_or(|(low, open)| if open { x > low } else { x >= low })
            && self.high.is_none_or(|(high, open)| if open { x < high } else { x <= high })
    }

    /// Both bounds, of which what is missing is assumed.
    fn assumed(&self, notes: &mut Vec<String>) -> ((f64, bool), (f64, bool)) {
        let (low, high) = (self.low, self.high);
        let reach = |bound: f64| REACH.max(9.0 * bound.abs());
        let assumed = match (low, high) {
            (Some(low), Some(high)) => return (low, high),
            (Some(low), None) => (low, ((low.0 + reach(low.0)).min(f64::MAX), false)),
            (None, Some(high)) => (((-REACH).min(high.0 - reach(high.0)).max(f64::MIN), false), high),
            (None, None) => ((-REACH, false), (REACH, false)),
        };
        let missing = match (low, high) {
            (None, None) => "no bounds",
            (None, _) => "no least value",
            _ => "no greatest value",
        };
        notes.push(format!("the document has {missing}, so that one is assumed"));
        match (low, high) {
            // The greatest value may be so great that the usual ones are among those below it.
            (None, Some(high)) if high.0 > REACH => ((-REACH, false), high),
            _ => assumed,
        }
    }
}

const NOTHING: &str = "no value fits: nothing is within its bounds";

fn floats(bounds: &Bounds, notes: &mut Vec<String>) -> Result<Numbers, String> {
    let ((low, above), (high, below)) = bounds.assumed(notes);
    if !(low <= high && low.is_finite() && high.is_finite()) || (low == high && (above || below)) {
        return Err(NOTHING.to_owned());
    }
    let mut numbers = range(short(low), short(high));
    // An end that is excluded stays one: the float beside it is no number that anybody would write.
    let excluded = [(low, above), (high, below)].into_iter().filter(|(_, is_excluded)| *is_excluded);
    numbers.except = excluded.map(|(end, _)| short(end)).collect();
    Ok(numbers)
}

/// A whole number as one, so that a manifest has `0` where the document has it.
fn short(x: f64) -> Number {
    match x.fract() == 0.0 && x.abs() < 1e15 {
        true => Number::Int(x as i128),
        false => Number::Float(x),
    }
}

fn integers(bounds: &Bounds, scalar: Scalar, notes: &mut Vec<String>) -> Result<Numbers, String> {
    let ((low, above), (high, below)) = bounds.assumed(notes);
    let (least, greatest) = scalar.integer_range().ok_or(NOTHING)?;
    // Conversions saturate, and so does the step beside an end that is excluded; what is outside the type is cut off after them.
    let low = if above { (low.floor() as i128).saturating_add(1) } else { low.ceil() as i128 };
    let high = if below { (high.ceil() as i128).saturating_sub(1) } else { high.floor() as i128 };
    let (low, high) = (low.max(least), high.min(greatest));
    match low <= high {
        true => Ok(range(Number::Int(low), Number::Int(high))),
        false => Err(NOTHING.to_owned()),
    }
}

fn range(low: Number, high: Number) -> Numbers {
    Numbers { ranges: vec![NumberRange { low, high }], ..Numbers::default() }
}

/// Those of the listed values that are of the type and within the bounds.
fn points(listed: &[Value], scalar: Scalar, bounds: &Bounds) -> Result<Numbers, String> {
    let ty = Type::Scalar(scalar);
    let everything = Domain::default();
    let mut points = Vec::new();
    for value in listed {
        let Some(float) = value.as_f64().filter(|x| x.is_finite() && bounds.contains(*x)) else { continue };
        let (number, drawn) = match (scalar, value.as_i64()) {
            (Scalar::F64, _) => (short(float), Drawn::Float(float)),
            (_, Some(integer)) => (Number::Int(integer.into()), Drawn::Int(integer.into())),
            (_, None) => continue,
        };
        if everything.contains(ty, &drawn) && !points.contains(&number) {
            points.push(number);
        }
    }
    match points.is_empty() {
        true => Err("no value fits: none of those that are listed is within its type and bounds".to_owned()),
        false => Ok(points_of(points.into_iter())),
    }
}

/// The first multiples of an integer within a range. Multiples of fractions are left to be drawn, because no float is one of 0.01.
fn multiples(
    of: Option<&Value>,
    scalar: Scalar,
    numbers: Numbers,
    notes: &mut Vec<String>,
) -> Result<Numbers, String> {
    let Some(of) = of.and_then(Value::as_f64).filter(|of| *of != 1.0 || scalar == Scalar::F64) else {
        return Ok(numbers);
    };
    if of.fract() != 0.0 || !(1.0..=1e15).contains(&of) {
        notes.push(format!("what is drawn need not be a multiple of {of}"));
        return Ok(numbers);
    }
    let step = of as i128;
    let mut found = Vec::new();
    for range in &numbers.ranges {
        let (low, high) = (range.low.as_f64().ceil() as i128, range.high.as_f64().floor() as i128);
        let mut next = low.div_euclid(step) * step;
        if next < low {
            next += step;
        }
        while next <= high && found.len() < MULTIPLES {
            found.push(Number::Int(next));
            next += step;
        }
    }
    match found.is_empty() {
        true => Err(format!("no value fits: no multiple of {of} is within its bounds")),
        false => Ok(points_of(found.into_iter())),
    }
}
