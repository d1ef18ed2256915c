//! `sample.x = { … }`.

use super::domains::{alphabet, choose, length};
use super::numbers::{held, range};
use super::section::Item;
use crate::{Diagnostic, Distribution, Domain, Kind, Number, Sampling, Sequence, Type, Value};

/// How values of a domain are drawn.
pub(super) fn sampling(item: Item<'_>, ty: Type, domain: &Domain) -> Option<Sampling> {
    let section = item.section("a sampling")?;
    let sampling = Sampling {
        range: section.get("range").and_then(|i| range(i, ty)),
        distribution: section.get("distribution").and_then(distribution).unwrap_or_default(),
        length: section.get("length").and_then(|i| length(i, ty)),
        alphabet: alphabet(&section, ty),
        favour: section.get("favour").and_then(|i| favour(i, ty, domain)).unwrap_or_default(),
        favour_rate: section.get("favour-rate").and_then(rate),
    };
    section.finish();
    Some(sampling)
}

fn distribution(item: Item<'_>) -> Option<Distribution> {
    choose(&item, &Distribution::ALL, Distribution::name, "a distribution")
}

fn favour(item: Item<'_>, ty: Type, domain: &Domain) -> Option<Vec<Value>> {
    let items = item.list()?;
    Some(items.iter().filter_map(|i| favoured(i, ty, domain)).collect())
}

/// A whole value of the parameter's type, numbers of a float type the nearest that it has.
fn favoured(item: &Item<'_>, ty: Type, domain: &Domain) -> Option<Value> {
    let value = as_type(item, ty, item.value()?)?;
    if !Domain::default().contains(ty, &value) {
        item.problem(Diagnostic::new(item.span(), format!("this is not a value of {ty}")));
        return None;
    }
    if !domain.contains(ty, &value) {
        item.warn(format!("{value} is never drawn: it is outside of the domain"));
    }
    Some(value)
}

fn as_type(item: &Item<'_>, ty: Type, value: Value) -> Option<Value> {
    let Some(scalar) = ty.scalar() else { return Some(value) };
    let float = |number| held(item, scalar, number).map(Number::as_f64);
    let is_float = scalar.kind() == Kind::Float;
    Some(match (ty, value) {
        (Type::Scalar(_), Value::Int(i)) if is_float => Value::Float(float(Number::Int(i))?),
        (Type::Scalar(_), Value::Float(x)) if is_float => Value::Float(float(Number::Float(x))?),
        (Type::Sequence(_), Value::Sequence(s)) if s.is_empty() => Value::Sequence(match scalar.kind() {
            Kind::Bool => Sequence::Bool(vec![]),
            Kind::Int => Sequence::Int(vec![]),
            Kind::Float => Sequence::Float(vec![]),
        }),
        (Type::Sequence(_), Value::Sequence(Sequence::Int(v))) if is_float => {
            let floats: Option<Vec<f64>> = v.into_iter().map(|i| float(Number::Int(i))).collect();
            Value::Sequence(Sequence::Float(floats?))
        }
        (Type::Sequence(_), Value::Sequence(Sequence::Float(v))) if is_float => {
            let floats: Option<Vec<f64>> = v.into_iter().map(|x| float(Number::Float(x))).collect();
            Value::Sequence(Sequence::Float(floats?))
        }
        (_, value) => value,
    })
}

fn rate(item: Item<'_>) -> Option<f64> {
    match item.number()?.as_f64() {
        rate if (0.0..=1.0).contains(&rate) => Some(rate),
        _ => item.wrong("a share from 0 to 1"),
    }
}
