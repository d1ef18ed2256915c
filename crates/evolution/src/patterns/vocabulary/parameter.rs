//! The parameters that changes and conditions are about, with the constants of the code that fit them.

use std::cmp::Ordering;

use dodona_subject::{Function, Kind, Number, Parameter, Scalar, Type, Value};

use crate::patterns::atom::compare;

/// The most constants of the code that a parameter is compared with and set to, the most frequent first. The work grows with the square of
/// their number, because conditions have up to two atoms.
const MOST_CONSTANTS: usize = 12;
/// If a parameter has at most so many values, all of them are used as constants.
const FEW_VALUES: i128 = 8;
/// The most numbers that are added to a parameter; each is also subtracted.
const MOST_DIFFERENCES: usize = 6;

/// A parameter that is a scalar or a sequence. For a sequence, `scalar` and `constants` are about its elements.
pub(super) struct ScalarParameter<'f> {
    pub(super) index: usize,
    pub(super) declared: &'f Parameter,
    pub(super) scalar: Scalar,
    /// Values of the scalar, ascending: all of them if they are few, else constants of the code and zero.
    pub(super) constants: Vec<Value>,
    /// Whether `constants` has all values of the scalar.
    pub(super) is_small: bool,
}

/// The parameters of a function that are scalars.
pub(super) fn scalars<'f>(function: &'f Function, code: &[(Value, u64)]) -> Vec<ScalarParameter<'f>> {
    of_type(function, code, |ty| if let Type::Scalar(scalar) = ty { Some(scalar) } else { None })
}

/// The parameters of a function that are sequences.
pub(super) fn sequences<'f>(function: &'f Function, code: &[(Value, u64)]) -> Vec<ScalarParameter<'f>> {
    of_type(function, code, |ty| if let Type::Sequence(scalar) = ty { Some(scalar) } else { None })
}

fn of_type<'f>(
    function: &'f Function,
    code: &[(Value, u64)],
    scalar: fn(Type) -> Option<Scalar>,
) -> Vec<ScalarParameter<'f>> {
    let parameters = function.parameters.iter().enumerate();
    let wanted = parameters.filter_map(|(index, declared)| Some((index, declared, scalar(declared.ty)?)));
    wanted.map(|(index, declared, scalar)| ScalarParameter::new(index, declared, scalar, code)).collect()
}

impl<'f> ScalarParameter<'f> {
    fn new(
        index: usize,
        declared: &'f Parameter,
        scalar: Scalar,
        code: &[(Value, u64)],
    ) -> ScalarParameter<'f> {
        if let Some(constants) = all_values(declared, scalar) {
            return ScalarParameter { index, declared, scalar, constants, is_small: true };
        }
        let zero = match scalar.kind() {
            Kind::Float => Value::Float(0.0),
            _ => Value::Int(0),
        };
        let fits = |value: &&Value| {
            let is_of_kind =
                matches!((value, scalar.kind()), (Value::Int(_), Kind::Int) | (Value::Float(_), Kind::Float));
            is_of_kind && declared.domain.contains(Type::Scalar(scalar), value)
        };
        let all = || code.iter().map(|(value, _)| value).chain([&zero]);
        let mut constants: Vec<Value> = Vec::new();
        for value in all().filter(fits) {
            if constants.len() < MOST_CONSTANTS && !constants.contains(value) {
                constants.push(value.clone());
            }
        }
        constants.sort_by(|a, b| compare(a, b).unwrap_or(Ordering::Equal));
        ScalarParameter { index, declared, scalar, constants, is_small: false }
    }

    pub(super) fn is_number(&self) -> bool {
        self.scalar.kind() != Kind::Bool
    }
}

/// All values of a parameter, if these are few.
fn all_values(declared: &Parameter, scalar: Scalar) -> Option<Vec<Value>> {
    match scalar.kind() {
        Kind::Bool => {
            let both = [false, true].map(Value::Bool);
            Some(both.into_iter().filter(|b| declared.domain.contains(Type::Scalar(scalar), b)).collect())
        }
        Kind::Int => {
            let ranges = &declared.domain.numbers.ranges;
            let (mut values, mut room) = (Vec::new(), FEW_VALUES);
            for range in ranges {
                let (Number::Int(low), Number::Int(high)) = (range.low, range.high) else {
                    return None;
                };
                room -= high.checked_sub(low)?.checked_add(1)?;
                if room < 0 {
                    return None;
                }
                values.extend((low..=high).map(Value::Int));
            }
            values.retain(|value| declared.domain.contains(Type::Scalar(scalar), value));
            (!values.is_empty()).then_some(values)
        }
        Kind::Float => None,
    }
}

/// The numbers that are added to a parameter: 1 and the differences of neighbouring constants, the smallest first, each followed by its
/// negative.
pub(super) fn shifts(parameter: &ScalarParameter<'_>) -> Vec<Value> {
    let numbers: Vec<Value> = match parameter.scalar.kind() {
        Kind::Float => {
            let of = |value: &Value| if let Value::Float(x) = value { Some(*x) } else { None };
            let constants: Vec<f64> = parameter.constants.iter().filter_map(of).collect();
            let mut all: Vec<f64> = vec![1.0];
            all.extend(constants.windows(2).map(|two| two[1] - two[0]).filter(|d| d.is_finite() && *d > 0.0));
            all.sort_by(f64::total_cmp);
            all.dedup();
            all.into_iter().take(MOST_DIFFERENCES).flat_map(|d| [Value::Float(d), Value::Float(-d)]).collect()
        }
        _ => {
            let of = |value: &Value| if let Value::Int(i) = value { Some(*i) } else { None };
            let constants: Vec<i128> = parameter.constants.iter().filter_map(of).collect();
            let mut all: Vec<i128> = vec![1];
            all.extend(constants.windows(2).map(|two| two[1].saturating_sub(two[0])).filter(|d| *d > 0));
            all.sort_unstable();
            all.dedup();
            all.into_iter().take(MOST_DIFFERENCES).flat_map(|d| [Value::Int(d), Value::Int(-d)]).collect()
        }
    };
    let is_possible = |by: &Value| parameter.declared.domain.texts.is_none() && *by != Value::Int(0);
    numbers.into_iter().filter(is_possible).collect()
}
