//! Arithmetic and comparison of single values.

use std::cmp::Ordering;

use dodona_relations::ast::{BinaryOperator as B, Bound};
use dodona_target::{Kind, Sequence, Type, Value};

use super::sequences;

/// What `~=` allows, and whether a side of it is of single precision.
#[derive(Clone, Copy)]
pub struct Tolerance {
    pub bound: Bound,
    pub single: bool,
}

pub fn truth(value: Value) -> bool {
    match value {
        Value::Bool(b) => b,
        other => panic!("{other:?} is neither true nor false"),
    }
}

/// The integer that a number is, if it is one.
pub fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Int(i) => Some(*i),
        Value::Float(x) => {
            let limit = 2f64.powi(127);
            (x.floor() == *x && -limit <= *x && *x < limit).then_some(*x as i128)
        }
        other => panic!("{other:?} is no number"),
    }
}

pub fn float(value: &Value) -> f64 {
    match value {
        Value::Int(i) => *i as f64,
        Value::Float(x) => *x,
        other => panic!("{other:?} is no number"),
    }
}

/// A value in the form that a parameter of a type takes, without rounding.
pub fn as_type(value: &Value, ty: Type) -> Option<Value> {
    match (ty, value) {
        (Type::Scalar(s), _) if s.kind() == Kind::Int => whole(value).map(Value::Int),
        (Type::Scalar(s), _) if s.kind() == Kind::Float => Some(Value::Float(float(value))),
        (Type::Sequence(s), Value::Sequence(items)) => {
            let items: Option<Vec<Value>> =
                sequences::items(items).iter().map(|v| as_type(v, Type::Scalar(s))).collect();
            Some(Value::Sequence(sequences::of_kind(s.kind(), items?)))
        }
        _ => Some(value.clone()),
    }
}

pub fn negate(value: Value) -> Option<Value> {
    match value {
        Value::Int(i) => i.checked_neg().map(Value::Int),
        Value::Float(x) => Some(Value::Float(-x)),
        Value::Sequence(s) => sequences::each(&s, &Value::Int(0), negate),
        other => panic!("{other:?} has no negative"),
    }
}

pub fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Float(_), Value::Int(_)) => compare(b, a).map(Ordering::reverse),
        (Value::Int(i), Value::Float(x)) => {
            if x.is_nan() {
                return None;
            }
            if *x >= 2f64.powi(127) || *x < -2f64.powi(127) {
                return Some(if *x > 0.0 { Ordering::Less } else { Ordering::Greater });
            }
            // i < x exactly when i < ceil(x), and i > x exactly when i > floor(x).
            let (floor, ceil) = (x.floor() as i128, x.ceil() as i128);
            Some(if *i < ceil {
                Ordering::Less
            } else if *i > floor {
                Ordering::Greater
            } else {
                Ordering::Equal
            })
        }
        other => panic!("{other:?} have no order"),
    }
}

pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Sequence(a), Value::Sequence(b)) => pairwise(a, b, equal),
        (Value::Float(a), Value::Float(b)) if a.is_nan() && b.is_nan() => true,
        _ => compare(a, b) == Some(Ordering::Equal),
    }
}

fn pairwise(a: &Sequence, b: &Sequence, same: impl Fn(&Value, &Value) -> bool) -> bool {
    let (a, b) = (sequences::items(a), sequences::items(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a, b))
}

fn near(a: &Value, b: &Value, bound: Tolerance) -> bool {
    match (a, b) {
        (Value::Sequence(a), Value::Sequence(b)) => pairwise(a, b, |a, b| near(a, b, bound)),
        (Value::Bool(_) | Value::Text(_), _) => equal(a, b),
        _ => near_floats(float(a), float(b), bound),
    }
}

fn near_floats(a: f64, b: f64, bound: Tolerance) -> bool {
    if a == b || (a.is_nan() && b.is_nan()) {
        return true;
    }
    if !a.is_finite() || !b.is_finite() {
        return false;
    }
    match bound.bound {
        Bound::Relative(relative) => (a - b).abs() <= relative * a.abs().max(b.abs()),
        Bound::Either { relative, absolute } => {
            (a - b).abs() <= relative * a.abs().max(b.abs()) || (a - b).abs() <= absolute
        }
        Bound::Ulps(ulps) if bound.single => {
            let (a, b) = (a as f32, b as f32);
            let steps = std::iter::successors(Some(a.min(b)), |x| Some(x.next_up()));
            a.is_finite() && b.is_finite() && steps.take(ulps as usize + 1).any(|x| x >= a.max(b))
        }
        Bound::Ulps(ulps) => {
            let steps = std::iter::successors(Some(a.min(b)), |x| Some(x.next_up()));
            steps.take(ulps as usize + 1).any(|x| x >= a.max(b))
        }
    }
}

/// An operator whose operands both have values.
pub fn binary(operator: B, a: Value, b: Value, bound: Tolerance) -> Option<Value> {
    let ordered = |wanted: &[Ordering]| compare(&a, &b).is_some_and(|found| wanted.contains(&found));
    Some(Value::Bool(match operator {
        B::Equal => equal(&a, &b),
        B::NotEqual => !equal(&a, &b),
        B::Less => ordered(&[Ordering::Less]),
        B::LessEqual => ordered(&[Ordering::Less, Ordering::Equal]),
        B::Greater => ordered(&[Ordering::Greater]),
        B::GreaterEqual => ordered(&[Ordering::Greater, Ordering::Equal]),
        B::Approximate => near(&a, &b, bound),
        _ => return arithmetic(operator, a, b),
    }))
}

fn arithmetic(operator: B, a: Value, b: Value) -> Option<Value> {
    match (&a, &b) {
        (Value::Sequence(s), _) => return sequences::each(s, &b, |x| arithmetic(operator, x, b.clone())),
        (_, Value::Sequence(s)) => return sequences::each(s, &a, |x| arithmetic(operator, a.clone(), x)),
        _ => {}
    }
    match operator {
        B::Quotient => return whole(&a)?.checked_div(whole(&b)?).map(Value::Int),
        B::Remainder => {
            let (a, b) = (whole(&a)?, whole(&b)?);
            return if b == 0 { None } else { Some(Value::Int(a.checked_rem(b).unwrap_or(0))) };
        }
        _ => {}
    }
    if let (Value::Int(a), Value::Int(b)) = (&a, &b) {
        return integers(operator, *a, *b);
    }
    let (a, b) = (float(&a), float(&b));
    Some(Value::Float(match operator {
        B::Add => a + b,
        B::Subtract => a - b,
        B::Multiply => a * b,
        B::Divide if b == 0.0 => return None,
        B::Divide => a / b,
        B::Power if b == 2.0 => a * a,
        B::Power => a.powf(b),
        other => panic!("{other:?} is no arithmetic"),
    }))
}

fn integers(operator: B, a: i128, b: i128) -> Option<Value> {
    match operator {
        B::Add => a.checked_add(b),
        B::Subtract => a.checked_sub(b),
        B::Multiply => a.checked_mul(b),
        B::Divide if b == 0 => None,
        B::Divide => match a.checked_rem(b) {
            Some(0) | None => a.checked_div(b),
            _ => return Some(Value::Float(a as f64 / b as f64)),
        },
        B::Power if b < 0 => return Some(Value::Float((a as f64).powf(b as f64))),
        B::Power => {
            // By repeated multiplication: 1 and -1 and 0 never overflow, all others soon do.
            let steps = if a.unsigned_abs() <= 1 { b % 2 + 2 * i128::from(b > 1) } else { b.min(128) };
            (0..steps).try_fold(1i128, |product, _| product.checked_mul(a))
        }
        other => panic!("{other:?} is no arithmetic"),
    }
    .map(Value::Int)
}
