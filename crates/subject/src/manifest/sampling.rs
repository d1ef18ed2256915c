//! `sample.x = { … }`.

use super::domains::{alphabet, choose, length};
use super::numbers::{at_most, held, is_excepted, range, written};
use super::section::{Item, Section};
use dodona_target::{
    Diagnostic, Distribution, Domain, Kind, Number, NumberRange, Numbers, Sampling, Sequence, Type, Value,
};

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
    warn_of_no_effect(&section, &sampling, domain);
    section.finish();
    Some(sampling)
}

/// The sampler draws from the whole domain where nothing of a sampling is inside; that is told.
fn warn_of_no_effect(section: &Section<'_>, sampling: &Sampling, domain: &Domain) {
    let warn = |key: &'static str, what: &str, is_inside: bool| {
        if let Some(item) = section.get(key).filter(|_| !is_inside) {
            item.warn(format!("this {what} has no effect: all of it is outside of the domain"));
        }
    };
    warn("range", "range", sampling.range.is_none_or(|range| meets_numbers(&range, &domain.numbers)));
    warn("length", "length", sampling.length.is_none_or(|length| meets_lengths(length, domain)));
    let alphabet = sampling.alphabet.as_deref();
    let is_inside = alphabet.is_none_or(|alphabet| meets_characters(alphabet, domain));
    let key = if section.get("alphabet").is_some() { "alphabet" } else { "alphabet-ranges" };
    warn(key, "alphabet", is_inside);
}

fn meets_numbers(sampled: &NumberRange, numbers: &Numbers) -> bool {
    let meets = |range: &NumberRange| at_most(range.low, sampled.high) && at_most(sampled.low, range.high);
    let is_point = at_most(sampled.high, sampled.low);
    (numbers.ranges.is_empty() || numbers.ranges.iter().any(meets))
        && !(is_point && is_excepted(numbers, sampled.low))
}

fn meets_lengths((least, most): (u64, u64), domain: &Domain) -> bool {
    let is_inside = |text: &String| (least..=most).contains(&(text.chars().count() as u64));
    domain.length.is_none_or(|(low, high)| least <= high && low <= most)
        && domain.texts.as_ref().is_none_or(|texts| texts.iter().any(is_inside))
}

fn meets_characters(sampled: &[char], domain: &Domain) -> bool {
    let is_inside = |text: &String| text.chars().all(|c| sampled.contains(&c));
    domain.alphabet.as_ref().is_none_or(|alphabet| sampled.iter().any(|c| alphabet.contains(c)))
        && domain.texts.as_ref().is_none_or(|texts| texts.iter().any(is_inside))
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
    let number = item.number()?;
    match number.as_f64() {
        rate if (0.0..=1.0).contains(&rate) => Some(rate),
        _ => item.other("a share from 0 to 1", &written(number)),
    }
}
