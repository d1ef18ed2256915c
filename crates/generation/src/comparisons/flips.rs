//! Where a truth value changes: two neighbouring values of one parameter, all else being equal, found by bisection.

use dodona_symbolic::input::{Inputs, bits, float, integer};
use dodona_symbolic::term::{Assignment, Term, Terms, Variable};
use dodona_target::{Kind, Parameter, Scalar, Signature, Type, Value};

/// Two neighbouring values of a parameter between which a truth value changes.
pub(super) struct Flip {
    pub(super) variable: Variable,
    /// The number for which it is true.
    pub(super) number: Value,
    /// The bits of this number.
    pub(super) bits: u128,
    /// Whether it is true of this number and of neither neighbour.
    pub(super) is_point: bool,
    /// Values of all variables on both sides; it is true of the first.
    pub(super) sides: [Assignment; 2],
}

/// A parameter that is a number, and its variable.
#[derive(Clone, Copy)]
struct NumberVariable {
    variable: Variable,
    scalar: Scalar,
}

/// The places where a term changes its truth between two models in which it differs, and between each model and the ends of the domains.
pub(super) fn flips(
    terms: &Terms,
    function: &Signature,
    inputs: &Inputs,
    term: Term,
    models: &[Assignment],
) -> Vec<Flip> {
    let (Some(first), Some(last)) = (models.first(), models.last()) else { return Vec::new() };
    let mut found: Vec<Flip> = Vec::new();
    let mut add = |flip: Option<Flip>| {
        found.extend(flip.filter(|flip| {
            // The same place may be met from several sides.
            found.iter().all(|other: &Flip| other.sides != flip.sides)
        }));
    };
    let mut mixed = first.clone();
    for group in inputs.by_parameter(terms) {
        let parameter = &function.parameters[group.parameter];
        for &variable in &group.variables {
            let next = last.get(variable);
            if let Some(number) = number(parameter, variable) {
                add(bisected(terms, term, &mixed, number, next));
                if terms.variables_of(term).contains(&variable) {
                    for end in ends(parameter, number.scalar) {
                        models.iter().for_each(|model| add(bisected(terms, term, model, number, end)));
                    }
                }
            }
            mixed.set(variable, next);
        }
    }
    found
}

/// The variable of a parameter that is a number.
fn number(parameter: &Parameter, variable: Variable) -> Option<NumberVariable> {
    match parameter.ty {
        Type::Scalar(scalar) if scalar.kind() != Kind::Bool => Some(NumberVariable { variable, scalar }),
        _ => None,
    }
}

/// The bits of the least and the greatest number of a parameter.
fn ends(parameter: &Parameter, scalar: Scalar) -> Vec<u128> {
    let of_type = match scalar.integer_range() {
        Some((low, high)) => [low, high].map(Value::Int),
        None => {
            let most = if scalar == Scalar::F32 { f64::from(f32::MAX) } else { f64::MAX };
            [-most, most].map(Value::Float)
        }
    };
    let ranges = parameter.domain.numbers.ranges.iter().filter(|range| !range.is_nan());
    let of_domain = ranges.flat_map(|range| [range.low, range.high]).map(|number| match scalar.kind() {
        Kind::Float => Value::Float(number.as_f64()),
        _ => Value::Int(number.as_f64() as i128),
    });
    let inside = |value: &Value| parameter.domain.contains(parameter.ty, value);
    of_type
        .into_iter()
        .chain(of_domain)
        .filter(inside)
        .filter_map(|value| bits(parameter.ty, &value))
        .collect()
}

/// The place between a model and the same with another value of one variable; `None` if the term has the same truth at both.
fn bisected(
    terms: &Terms,
    term: Term,
    model: &Assignment,
    NumberVariable { variable, scalar }: NumberVariable,
    far: u128,
) -> Option<Flip> {
    let with = |place: i128| {
        let mut other = model.clone();
        other.set(variable, bits_at(scalar, place));
        other
    };
    let is_true = |place: i128| terms.evaluate(term, &with(place)) == 1;
    let (mut near, mut far) = (place_of(scalar, model.get(variable))?, place_of(scalar, far)?);
    let truth = is_true(near);
    if is_true(far) == truth {
        return None;
    }
    while near.abs_diff(far) > 1 {
        let middle = near + (far - near) / 2;
        if is_true(middle) == truth { near = middle } else { far = middle }
    }
    let (yes, no) = if truth { (near, far) } else { (far, near) };
    let bits = bits_at(scalar, yes);
    let beyond = yes + (yes - no);
    Some(Flip {
        variable,
        number: match scalar.kind() {
            Kind::Float => Value::Float(float(scalar, bits)),
            _ => Value::Int(integer(scalar, bits)),
        },
        bits,
        is_point: is_place(scalar, beyond) && !is_true(beyond),
        sides: [with(yes), with(no)],
    })
}

/// The place of a number among all numbers of its type; `None` for NaN. Both zeros have places, beside each other.
fn place_of(scalar: Scalar, bits: u128) -> Option<i128> {
    match scalar.kind() {
        Kind::Float if float(scalar, bits).is_nan() => None,
        Kind::Float => {
            let sign = 1_u128 << (8 * scalar.bytes() as u32 - 1);
            Some(if bits & sign == 0 { bits as i128 } else { -1 - (bits ^ sign) as i128 })
        }
        _ => Some(integer(scalar, bits)),
    }
}

/// The bits of the number at a place.
fn bits_at(scalar: Scalar, place: i128) -> u128 {
    let width = 8 * scalar.bytes() as u32;
    let mask = u128::MAX >> (128 - width);
    match scalar.kind() {
        Kind::Float if place < 0 => ((-1 - place) as u128 & mask) | 1 << (width - 1),
        _ => place as u128 & mask,
    }
}

/// Whether there is a number at a place.
fn is_place(scalar: Scalar, place: i128) -> bool {
    match scalar.integer_range() {
        Some((low, high)) => (low..=high).contains(&place),
        None => place_of(scalar, bits_at(scalar, place)) == Some(place),
    }
}
