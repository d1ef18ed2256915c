//! From a value to simpler ones, for making a counterexample small.

mod floats;
mod integers;
mod order;
mod rows;
mod text;

use dodona_subject::{Domain, Kind, Scalar, Sequence, Type, Value};

pub use order::simpler;

use crate::set::Set;

/// Simpler values of the domain to try in place of one, the most simplified first: numbers towards
/// zero (or towards the domain's simplest member), shorter sequences before simpler elements, text
/// towards `a` and the space.
///
/// Every candidate is in the domain and [`simpler`] than the value, so that taking candidates again
/// and again ends. A value of another type than `ty` has none. Of sequences longer than about 500
/// not every candidate is listed, only so many that a step stays affordable.
///
/// ```
/// use dodona_sources::shrink::candidates;
/// use dodona_subject::{Domain, Scalar, Type, Value};
///
/// let ty = Type::Scalar(Scalar::I32);
/// let mut value = Value::Int(-123_456);
/// // The first candidate that still violates is taken, until none does.
/// while let Some(next) = candidates(ty, &Domain::default(), &value)
///     .into_iter()
///     .find(|v| matches!(v, Value::Int(i) if i.abs() > 1000))
/// {
///     value = next;
/// }
/// assert_eq!(value, Value::Int(1001));
/// ```
pub fn candidates(ty: Type, domain: &Domain, value: &Value) -> Vec<Value> {
    let mut candidates = match (ty, value) {
        (Type::Scalar(_), Value::Bool(true)) => vec![Value::Bool(false)],
        (Type::Scalar(s), Value::Int(x)) if s.kind() == Kind::Int => {
            integers::candidates(&Set::of_domain(s, domain), *x).into_iter().map(Value::Int).collect()
        }
        (Type::Scalar(s), Value::Float(x)) if s.kind() == Kind::Float => {
            floats::candidates(s, &Set::of_domain(s, domain), *x).into_iter().map(Value::Float).collect()
        }
        (Type::Sequence(s), Value::Sequence(items)) => sequences(s, domain, items),
        (Type::Text, Value::Text(bytes)) => text::candidates(domain, bytes),
        _ => Vec::new(),
    };
    candidates.retain(|candidate| domain.contains(ty, candidate) && simpler(candidate, value));
    candidates
}

fn sequences(s: Scalar, domain: &Domain, items: &Sequence) -> Vec<Value> {
    let set = Set::of_elements(s, domain);
    let least = usize::try_from(domain.length.map_or(0, |(low, _)| low)).unwrap_or(usize::MAX);
    let rows: Vec<Sequence> = match items {
        Sequence::Bool(v) => {
            let element = |b: &bool| if *b { vec![false] } else { vec![] };
            rows::candidates(v, least, element, bool::cmp).into_iter().map(Sequence::Bool).collect()
        }
        Sequence::Int(v) => {
            let element = |x: &i128| integers::candidates(&set, *x);
            rows::candidates(v, least, element, order::integers).into_iter().map(Sequence::Int).collect()
        }
        Sequence::Float(v) => {
            let element = |x: &f64| floats::candidates(s, &set, *x);
            rows::candidates(v, least, element, order::floats).into_iter().map(Sequence::Float).collect()
        }
    };
    rows.into_iter().map(Value::Sequence).collect()
}

#[cfg(test)]
mod tests;
