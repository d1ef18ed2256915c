//! The parameters that changes and conditions are about, with the constants of the code that fit them.

use std::cmp::Ordering;

use dodona_target::{Kind, Number, Parameter, Scalar, Signature, Type, Value};

use crate::patterns::atom::compare;
use crate::patterns::pattern_tuning::{
    FEW_VALUES, MOST_CONSTANT_SHIFTS, MOST_CONSTANTS, MOST_DIFFERENCE_SHIFTS,
};

/// A parameter that is a scalar or a sequence. For a sequence, `scalar` and `constants` are about its elements.
pub(super) struct ScalarParameter<'f> {
    pub(super) index: usize,
    pub(super) declared: &'f Parameter,
    pub(super) scalar: Scalar,
    /// Values of the scalar, ascending: all of them if they are few, else constants of the code and zero.
    pub(super) constants: Vec<Value>,
    /// The same constants, the most frequent in the code first; none if the values are few.
    pub(super) frequent: Vec<Value>,
    /// Whether `constants` has all values of the scalar.
    pub(super) is_small: bool,
}

/// The parameters of a function that are scalars.
pub(super) fn scalars<'f>(function: &'f Signature, code: &[(Value, u64)]) -> Vec<ScalarParameter<'f>> {
    of_type(function, code, |ty| if let Type::Scalar(scalar) = ty { Some(scalar) } else { None })
}

/// The parameters of a function that are sequences.
pub(super) fn sequences<'f>(function: &'f Signature, code: &[(Value, u64)]) -> Vec<ScalarParameter<'f>> {
    of_type(function, code, |ty| if let Type::Sequence(scalar) = ty { Some(scalar) } else { None })
}

fn of_type<'f>(
    function: &'f Signature,
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
            let frequent = Vec::new();
            return ScalarParameter { index, declared, scalar, constants, frequent, is_small: true };
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
        let frequent = constants.clone();
        constants.sort_by(|a, b| compare(a, b).unwrap_or(Ordering::Equal));
        ScalarParameter { index, declared, scalar, constants, frequent, is_small: false }
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

/// The numbers that are added to a parameter, each followed by its negative: 1, the least differences between constants of the code, and the
/// constants that are most frequent in the code. A share of a thousandth stands in the code as a division by 1000, and adding 1000 to an amount adds 1 to its share.
pub(super) fn shifts(parameter: &ScalarParameter<'_>) -> Vec<Value> {
    // A domain that lists its values is left by adding something.
    if parameter.declared.domain.texts.is_some() {
        return Vec::new();
    }
    let (one, zero) = match parameter.scalar.kind() {
        Kind::Float => (Value::Float(1.0), Value::Float(0.0)),
        _ => (Value::Int(1), Value::Int(0)),
    };
    let is_positive = |value: &&Value| compare(value, &zero) == Some(Ordering::Greater);
    let neighbours = parameter.constants.windows(2);
    let mut differences: Vec<Value> = neighbours.filter_map(|two| difference(&two[1], &two[0])).collect();
    differences.sort_by(|a, b| compare(a, b).unwrap_or(Ordering::Equal));
    let mut chosen = vec![one];
    let groups: [(&[Value], usize); 2] = [
        (&differences, MOST_DIFFERENCE_SHIFTS),
        (&parameter.frequent, MOST_DIFFERENCE_SHIFTS + MOST_CONSTANT_SHIFTS),
    ];
    for (values, most) in groups {
        for value in values.iter().filter(is_positive) {
            if chosen.len() <= most && !chosen.contains(value) {
                chosen.push(value.clone());
            }
        }
    }
    chosen.into_iter().flat_map(both_ways).collect()
}

/// A number without another one of the same type; `None` for other values, and if the difference is not finite.
fn difference(from: &Value, without: &Value) -> Option<Value> {
    match (from, without) {
        (Value::Int(a), Value::Int(b)) => Some(Value::Int(a.saturating_sub(*b))),
        (Value::Float(a), Value::Float(b)) => Some(a - b).filter(|d| d.is_finite()).map(Value::Float),
        _ => None,
    }
}

/// A number and its negative.
fn both_ways(by: Value) -> [Value; 2] {
    let negative = match by {
        Value::Int(by) => Value::Int(-by),
        Value::Float(by) => Value::Float(-by),
        ref other => other.clone(),
    };
    [by, negative]
}
