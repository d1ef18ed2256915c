//! Source inputs where the output changes most: beside jumps and poles, and where slopes are steep. Random inputs seldom come near, and
//! rounding shows there first.
//!
//! Of random inputs of a tangent, one in 100,000 lies so near a pole that rounding shows. So intervals between source inputs are halved
//! towards the half in which the output changes more, which ends beside a pole, a jump or a border of the code. A relation that fails
//! only there is restricted to small outputs (`crates/discovery/src/bounded.rs`) instead of being lost: the textbook's period is such a
//! relation.

use dodona_target::{Caller, Calls, Column, Scalar, Signature, Type, Value};
use dodona_workbench::inputs::{columns, eligible_rows};
use dodona_workbench::{LabError, SubjectCaller};

use crate::margin::number;
use crate::tuning::{STEEP_HALVINGS, STEEP_INTERVALS, STEEP_INTERVALS_IF_FRESH};

/// An interval of one parameter that is halved again and again; the other parameters keep their values.
struct Interval {
    parameter: usize,
    low: Point,
    high: Point,
}

/// The inputs that were found; one column for each parameter.
pub(super) struct SteepInputs {
    pub(super) columns: Vec<Column>,
    /// Whether the caller was stopped before the last halving.
    pub(super) is_cut: bool,
}

/// An input and its output.
#[derive(Clone)]
struct Point {
    input: Vec<Value>,
    output: f64,
}

/// Inputs where the output of a function changes most; one column for each parameter. Between two source inputs an interval of one
/// parameter is halved, and of the two halves that goes on in which the output changes more, until its ends are neighbours. The middles
/// of all halvings are returned, so that a pole is approached from afar: each is half as far from it as the one before.
///
/// There are none if the output is not a number, or no parameter is one. A call that does not return ends its interval. If the caller is
/// stopped, what was found until then is returned.
///
/// # Errors
/// When the host fails.
pub(super) fn steep_inputs(
    function: &Signature,
    index: usize,
    starts: &[Vec<Value>],
    is_fresh: bool,
    caller: &mut SubjectCaller,
) -> Result<SteepInputs, LabError> {
    let is_number = |ty: Type| matches!(ty, Type::Scalar(_));
    let most = if is_fresh { STEEP_INTERVALS_IF_FRESH } else { STEEP_INTERVALS };
    let (mut found, mut is_cut) = (Vec::<Vec<Value>>::new(), false);
    if matches!(function.outputs[..], [ref output] if is_number(output.ty)) {
        let parameters = (0..function.parameters.len()).filter(|&p| is_number(function.parameters[p].ty));
        let ends: Vec<_> = parameters.flat_map(|p| ends(starts, p).into_iter().take(most)).collect();
        match halved(function, index, ends, caller, &mut found) {
            Err(error) if error.is_stopped() => is_cut = true,
            ended => ended?,
        }
    }
    Ok(SteepInputs { columns: columns(function, found.iter().map(Vec::as_slice)), is_cut })
}

/// The ends of intervals between one value of a parameter and the next one, as the parameter and two inputs that differ in it alone.
fn ends(starts: &[Vec<Value>], parameter: usize) -> Vec<(usize, Vec<Value>, Vec<Value>)> {
    let mut sorted: Vec<(f64, &Vec<Value>)> =
        starts.iter().filter_map(|input| Some((scalar(&input[parameter])?, input))).collect();
    sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let interval = |pair: &[(f64, &Vec<Value>)]| {
        let [(low, input), (high, other)] = pair else { return None };
        let mut end = (*input).clone();
        end[parameter] = other[parameter].clone();
        (low < high).then(|| (parameter, (*input).clone(), end))
    };
    sorted.windows(2).filter_map(interval).collect()
}

/// Halves all intervals, and adds the inputs in their middles to `found`.
fn halved(
    function: &Signature,
    index: usize,
    ends: Vec<(usize, Vec<Value>, Vec<Value>)>,
    caller: &mut SubjectCaller,
    found: &mut Vec<Vec<Value>>,
) -> Result<(), LabError> {
    let both: Vec<Vec<Value>> = ends.iter().flat_map(|(_, low, high)| [low.clone(), high.clone()]).collect();
    let points = run(function, index, both, caller)?;
    let mut intervals: Vec<Interval> = ends
        .iter()
        .zip(points.chunks(2))
        .filter_map(|(&(parameter, ..), points)| {
            let [Some(low), Some(high)] = points else { return None };
            Some(Interval { parameter, low: low.clone(), high: high.clone() })
        })
        .collect();
    for _ in 0..STEEP_HALVINGS {
        let middles = intervals.iter().map(|interval| interval.middle(function)).collect::<Vec<_>>();
        let mut halving = intervals.into_iter().zip(middles).filter_map(|(i, middle)| Some((i, middle?)));
        let (halves, middles): (Vec<Interval>, Vec<Vec<Value>>) = halving.by_ref().unzip();
        if halves.is_empty() {
            break;
        }
        let points = run(function, index, middles, caller)?;
        found.extend(points.iter().flatten().map(|point| point.input.clone()));
        let half = |(interval, middle): (Interval, Option<Point>)| interval.steeper_half(middle?);
        intervals = halves.into_iter().zip(points).filter_map(half).collect();
    }
    Ok(())
}

impl Interval {
    /// The input in the middle; `None` if the ends are neighbours.
    fn middle(&self, function: &Signature) -> Option<Vec<Value>> {
        let parameter = &function.parameters[self.parameter];
        let value = match (&self.low.input[self.parameter], &self.high.input[self.parameter]) {
            (Value::Int(low), Value::Int(high)) => {
                (high - low > 1).then(|| Value::Int(low + (high - low) / 2))?
            }
            (&Value::Float(low), &Value::Float(high)) => {
                let middle = low / 2.0 + high / 2.0;
                let is_single = parameter.ty == Type::Scalar(Scalar::F32);
                let middle = if is_single { f64::from(middle as f32) } else { middle };
                (low < middle && middle < high).then_some(Value::Float(middle))?
            }
            _ => return None,
        };
        let mut input = self.low.input.clone();
        input[self.parameter] = value;
        Some(input)
    }

    /// The half in which the output changes more; `None` if it changes in neither.
    fn steeper_half(self, middle: Point) -> Option<Interval> {
        let change = |a: &Point, b: &Point| match (a.output - b.output).abs() {
            // Of two infinities of one sign.
            change if change.is_nan() => 0.0,
            change => change,
        };
        let (left, right) = (change(&self.low, &middle), change(&middle, &self.high));
        let Interval { parameter, low, high } = self;
        match left.max(right) > 0.0 {
            true if left > right => Some(Interval { parameter, low, high: middle }),
            true => Some(Interval { parameter, low: middle, high }),
            false => None,
        }
    }
}

/// Runs a function on inputs. `None` for each that is not eligible, or whose call does not return a number.
fn run(
    function: &Signature,
    index: usize,
    inputs: Vec<Vec<Value>>,
    caller: &mut SubjectCaller,
) -> Result<Vec<Option<Point>>, LabError> {
    let is_in_domain = |input: &[Value]| {
        function.parameters.iter().zip(input).all(|(p, value)| p.domain.contains(p.ty, value))
    };
    let all = columns(function, inputs.iter().map(Vec::as_slice));
    let rows: Vec<u32> = eligible_rows(function, &all)
        .into_iter()
        .filter(|&row| is_in_domain(&inputs[row as usize]))
        .collect();
    let mut points = vec![None; inputs.len()];
    if rows.is_empty() {
        return Ok(points);
    }
    let some: Vec<Column> = all.iter().map(|column| column.select(&rows)).collect();
    let Calls { outcomes, outputs } = caller.call(index, &some)?;
    for (i, &row) in rows.iter().enumerate() {
        let output = outcomes[i].has_outputs().then(|| scalar(&outputs[0].value(i))).flatten();
        points[row as usize] = output
            .filter(|output| !output.is_nan())
            .map(|output| Point { input: inputs[row as usize].clone(), output });
    }
    Ok(points)
}

/// An output or parameter as a float; a Boolean is 0 or 1.
fn scalar(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(b) => Some(f64::from(u8::from(*b))),
        other => number(other),
    }
}

#[cfg(test)]
mod tests {
    use dodona_subject::Manifest;

    use super::*;
    use crate::near::row_of;

    const MODULE: &str = r#"(module
        (func (export "pole") (param f64) (result f64)
            (f64.div (f64.const 1) (f64.sub (local.get 0) (f64.const 0.3))))
        (func (export "step") (param i32 i32) (result i32)
            (i32.ge_s (local.get 0) (i32.const 1234)))
        (func (export "constant") (param f64) (result f64) (f64.const 1)))"#;

    const MANIFEST: &str = r#"module = "m.wat"
        function = [
            { signature = "pole(x: f64) -> f64" },
            { signature = "step(a: i32, b: i32) -> i32" },
            { signature = "constant(x: f64) -> f64" },
        ]"#;

    /// The steep inputs of a function of the module.
    fn steep(index: usize, starts: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.wat"), MODULE).expect("written");
        let path = folder.path().join("dodona.toml");
        std::fs::write(&path, MANIFEST).expect("written");
        let workbench = dodona_wasm::open(Manifest::read(&path).expect("a manifest")).expect("it opens");
        let function = &workbench.functions()[index];
        let found = steep_inputs(function, index, starts, true, &mut workbench.caller());
        let found = found.expect("it runs").columns;
        (0..found[0].len()).map(|row| row_of(&found, row)).collect()
    }

    #[test]
    fn a_pole_is_approached_from_afar_until_no_number_is_nearer() {
        let starts = [-5.0, 0.0, 7.0].map(|x| vec![Value::Float(x)]);
        let near: Vec<f64> =
            steep(0, &starts).iter().filter_map(|x| Some((number(&x[0])? - 0.3).abs())).collect();
        for distance in [1e-2, 1e-4, 1e-8, 1e-12] {
            assert!(
                near.iter().any(|d| (distance / 8.0..distance * 8.0).contains(d)),
                "{distance}: {near:?}"
            );
        }
        assert!(near.iter().any(|d| *d <= 2.0 * f64::EPSILON), "{near:?}");
    }

    #[test]
    fn both_sides_of_a_jump_are_found_and_other_parameters_keep_their_values() {
        let starts = [vec![Value::Int(-90_000), Value::Int(3)], vec![Value::Int(90_000), Value::Int(3)]];
        let found = steep(1, &starts);
        for side in [1233, 1234] {
            assert!(found.contains(&vec![Value::Int(side), Value::Int(3)]), "{side}: {found:?}");
        }
    }

    #[test]
    fn a_constant_has_no_steep_places() {
        let starts = [-5.0, 7.0].map(|x| vec![Value::Float(x)]);
        assert!(steep(2, &starts).len() <= 1);
    }
}
