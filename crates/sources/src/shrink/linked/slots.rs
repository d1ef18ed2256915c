//! Reads and writes the numbers and characters of a source input, whether they are values of their own or elements.

use dodona_target::{Domain, Scalar, Sequence, Type, Value};

use super::super::{floats, order, simpler_text};
use crate::set::Set;

/// A number or a character. Booleans are left out: there is nothing between `true` and `false`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unit {
    Int(i128),
    Float(f64),
    Character(char),
}

/// A place in a source input that holds a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    /// The index of the value.
    pub(super) variable: usize,
    /// The index of the element; `None` if the value itself is the number.
    pub(super) at: Option<usize>,
    pub(super) unit: Unit,
}

/// What determines the simpler units of one parameter.
#[derive(Clone, Debug)]
pub(super) struct Units {
    ty: Type,
    /// For numbers: those that the domain allows.
    set: Option<Set>,
    /// For text: the characters that are always tried.
    characters: Vec<char>,
}

impl Units {
    pub(super) fn new(ty: Type, domain: &Domain) -> Units {
        let set = match ty {
            Type::Scalar(scalar) => Some(Set::of_domain(scalar, domain)),
            Type::Sequence(scalar) => Some(Set::of_elements(scalar, domain)),
            Type::Text => None,
        };
        let characters = if ty == Type::Text { simpler_text::simplest(domain) } else { Vec::new() };
        Units { ty, set, characters }
    }

    /// A unit as the type represents it: an `f32` has fewer digits.
    pub(super) fn rounded(&self, unit: Unit) -> Unit {
        match (unit, self.ty) {
            (Unit::Float(x), Type::Scalar(Scalar::F32) | Type::Sequence(Scalar::F32)) => {
                Unit::Float(f64::from(x as f32))
            }
            (unit, _) => unit,
        }
    }

    /// The units to try in place of one, the boldest first. All of them are simpler.
    pub(super) fn simpler(&self, unit: Unit) -> Vec<Unit> {
        match (unit, self.ty, &self.set) {
            (Unit::Int(x), _, Some(set)) => {
                let target = set.nearest_zero().unwrap_or(0);
                steps(x.saturating_sub(target)).map(|d| Unit::Int(x.saturating_sub(d))).collect()
            }
            (Unit::Float(x), Type::Scalar(scalar) | Type::Sequence(scalar), Some(set)) => {
                floats::candidates(scalar, set, x).into_iter().map(Unit::Float).collect()
            }
            (Unit::Character(c), ..) => {
                let simpler = simpler_text::simpler_characters(c, &self.characters);
                simpler.into_iter().map(Unit::Character).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The whole distance, a half of it, a quarter, and so on to 1. If the bits of numbers are linked, such a step changes
/// several of them, so the powers of two up to the distance follow, largest first.
pub(super) fn steps(distance: i128) -> impl Iterator<Item = i128> {
    let halves = (0..127).map(move |k| distance / (1i128 << k)).take_while(|d| *d != 0);
    let powers =
        (1..127).rev().map(|k| 1i128 << k).filter(move |p| p.unsigned_abs() < distance.unsigned_abs());
    halves.chain(powers.map(move |p| p * distance.signum()))
}

/// The numbers or characters of a value; none of Booleans, and none of text that is not UTF-8.
pub(super) fn units(value: &Value) -> Vec<Unit> {
    match value {
        Value::Int(x) => vec![Unit::Int(*x)],
        Value::Float(x) => vec![Unit::Float(*x)],
        Value::Sequence(Sequence::Int(v)) => v.iter().copied().map(Unit::Int).collect(),
        Value::Sequence(Sequence::Float(v)) => v.iter().copied().map(Unit::Float).collect(),
        Value::Text(bytes) => std::str::from_utf8(bytes)
            .map_or_else(|_| Vec::new(), |t| t.chars().map(Unit::Character).collect()),
        Value::Bool(_) | Value::Sequence(Sequence::Bool(_)) => Vec::new(),
    }
}

/// Whether a value is a number, and not a sequence or a text.
pub(super) fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_))
}

/// The value with some of its units replaced; `None` if a unit is of another kind.
pub(super) fn replaced(value: &Value, changes: &[(Option<usize>, Unit)]) -> Option<Value> {
    let mut value = value.clone();
    let mut characters = Vec::new();
    if let Value::Text(bytes) = &value {
        characters = std::str::from_utf8(bytes).ok()?.chars().collect();
    }
    for &(at, unit) in changes {
        match (&mut value, at, unit) {
            (Value::Int(old), None, Unit::Int(new)) => *old = new,
            (Value::Float(old), None, Unit::Float(new)) => *old = new,
            (Value::Sequence(Sequence::Int(v)), Some(at), Unit::Int(new)) => v[at] = new,
            (Value::Sequence(Sequence::Float(v)), Some(at), Unit::Float(new)) => v[at] = new,
            (Value::Text(_), Some(at), Unit::Character(new)) => characters[at] = new,
            _ => return None,
        }
    }
    if matches!(value, Value::Text(_)) {
        value = Value::Text(characters.into_iter().collect::<String>().into());
    }
    Some(value)
}

/// The value without some of its elements, whose indices increase; `None` if it has no elements, or not these.
pub(super) fn without(value: &Value, removed: &[usize]) -> Option<Value> {
    fn left<T: Clone>(items: &[T], removed: &[usize]) -> Option<Vec<T>> {
        let mut left = Vec::with_capacity(items.len().checked_sub(removed.len())?);
        let mut next = 0;
        for &at in removed {
            left.extend_from_slice(items.get(next..at)?);
            next = at + 1;
        }
        left.extend_from_slice(items.get(next..)?);
        Some(left)
    }
    Some(match value {
        Value::Sequence(Sequence::Bool(v)) => Value::Sequence(Sequence::Bool(left(v, removed)?)),
        Value::Sequence(Sequence::Int(v)) => Value::Sequence(Sequence::Int(left(v, removed)?)),
        Value::Sequence(Sequence::Float(v)) => Value::Sequence(Sequence::Float(left(v, removed)?)),
        Value::Text(bytes) => {
            let characters: Vec<char> = std::str::from_utf8(bytes).ok()?.chars().collect();
            Value::Text(left(&characters, removed)?.into_iter().collect::<String>().into())
        }
        _ => return None,
    })
}

/// How many elements a sequence has, or how many characters a text; `None` of a number, and of text that is not UTF-8.
pub(super) fn length(value: &Value) -> Option<usize> {
    match value {
        Value::Sequence(items) => Some(items.len()),
        Value::Text(bytes) => std::str::from_utf8(bytes).ok().map(|t| t.chars().count()),
        _ => None,
    }
}

/// Whether two units are equal. Both zeros of floats differ, and NaN equals itself.
pub(super) fn is_same(a: Unit, b: Unit) -> bool {
    match (a, b) {
        (Unit::Float(a), Unit::Float(b)) => order::floats(&a, &b).is_eq(),
        (a, b) => a == b,
    }
}
