//! `domain.x = { … }` and `sample.x = { … }`.

use super::section::{Item, Section};
use crate::diagnostic::nearest;
use crate::{
    Diagnostic, Distribution, Domain, Kind, Number, NumberRange, Numbers, Predicate, Sampling, Scalar,
    Sequence, Type, Value,
};

/// A domain; `least` is what holds of the parameter anyway.
pub(super) fn domain(item: Item<'_>, ty: Type, least: &Domain) -> Option<Domain> {
    let section = item.section("a domain")?;
    let mut domain = Domain { numbers: numbers(&section, ty), ..Domain::default() };
    domain.length = section.get("length").and_then(|i| length(i, ty));
    domain.alphabet = alphabet(&section, ty);
    domain.predicates = predicates(&section, ty);
    let more = least.predicates.iter().filter(|p| !domain.predicates.contains(p)).copied();
    domain.predicates.extend(more.collect::<Vec<_>>());
    if let Some(values) = section.get("values") {
        add_values(values, ty, &mut domain);
    }
    add_nan(&section, ty, &mut domain.numbers);
    section.finish();
    check_not_empty(&item, ty, &domain);
    Some(domain)
}

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

fn numbers(section: &Section<'_>, ty: Type) -> Numbers {
    let one = section.get("range").and_then(|i| range(i, ty));
    let many = section
        .get("ranges")
        .and_then(|i| Some(i.list()?.into_iter().filter_map(|i| range(i, ty)).collect()));
    let except: Option<Vec<Number>> =
        section.get("except").and_then(|i| i.list()?.iter().map(|i| number(i, ty)).collect());
    let (nan, except): (Vec<Number>, Vec<Number>) =
        except.unwrap_or_default().into_iter().partition(|n| n.as_f64().is_nan());
    Numbers {
        ranges: many.unwrap_or_else(|| one.into_iter().collect()),
        except,
        exclude_nan: !nan.is_empty(),
    }
}

/// `nan = …`: whether NaN is inside, beside what the other keys say of numbers.
fn add_nan(section: &Section<'_>, ty: Type, numbers: &mut Numbers) {
    let Some(item) = section.get("nan") else { return };
    let Some(is_inside) = item.boolean() else { return };
    if ty.scalar().is_none_or(|s| s.kind() != Kind::Float) {
        let problem = Diagnostic::new(item.span(), format!("a value of {ty} is never NaN"));
        item.problem(problem.hint("`nan` is for floats"));
    } else if is_inside && numbers.exclude_nan {
        item.problem(Diagnostic::new(item.span(), "NaN is let in here and kept out by `except`; keep one"));
    } else if !is_inside && numbers.ranges.iter().any(NumberRange::is_nan) {
        item.problem(Diagnostic::new(item.span(), "NaN is kept out here and listed in `values`; keep one"));
    } else if is_inside && !numbers.ranges.is_empty() && !numbers.contains_nan() {
        numbers.ranges.push(NumberRange::NAN);
    }
    numbers.exclude_nan |= !is_inside;
}

/// A number that a parameter of this type can hold; of a float type the nearest, with a warning where it is another.
fn number(item: &Item<'_>, ty: Type) -> Option<Number> {
    let Some(scalar) = ty.scalar() else {
        return item.wrong("no number: text has `length`, `alphabet`, `values`");
    };
    let number = item.number()?;
    match (scalar.kind(), number) {
        (Kind::Bool, Number::Int(0 | 1)) => Some(number),
        (Kind::Bool, _) => item.wrong("true or false"),
        (Kind::Int, Number::Float(_)) => item.wrong("an integer"),
        _ if item.is_boolean() => item.wrong("a number"),
        (Kind::Int, Number::Int(i)) => {
            let (low, high) = scalar.integer_range()?;
            if low <= i && i <= high {
                return Some(number);
            }
            let words = format!("{i} is not a value of {scalar} ({low} to {high})");
            item.problem(Diagnostic::new(item.span(), words));
            None
        }
        (Kind::Float, _) => held(item, scalar, number),
    }
}

/// The value of a float type that is nearest to a number. What is beyond all of them is refused.
fn held(item: &Item<'_>, scalar: Scalar, number: Number) -> Option<Number> {
    let exact = number.as_f64();
    let held = if scalar == Scalar::F32 { f64::from(exact as f32) } else { exact };
    if held.is_infinite() && (exact.is_finite() || matches!(number, Number::Int(_))) {
        let problem = Diagnostic::new(item.span(), format!("{} is beyond every {scalar}", written(number)));
        item.problem(problem.hint("write inf for infinity"));
        return None;
    }
    let is_same = match number {
        Number::Int(i) => held as i128 == i,
        Number::Float(x) => crate::same_float(held, x),
    };
    if !is_same {
        let nearest = written(Number::Float(held));
        item.warn(format!("{} is no {scalar}; {nearest}, the nearest, stands for it", written(number)));
    }
    Some(if is_same { number } else { Number::Float(held) })
}

fn written(number: Number) -> String {
    match number {
        Number::Int(i) => i.to_string(),
        Number::Float(x) => crate::Value::Float(x).to_string(),
    }
}

fn range(item: Item<'_>, ty: Type) -> Option<NumberRange> {
    match item.list()?.as_slice() {
        [low, high] => {
            let range = NumberRange { low: number(low, ty)?, high: number(high, ty)? };
            if range.low.as_f64().is_nan() || range.high.as_f64().is_nan() {
                let problem = Diagnostic::new(item.span(), "NaN is no end of a range");
                item.problem(problem.hint("`nan = true` lets NaN in beside the ranges"));
                return None;
            }
            if range.low.as_f64() <= range.high.as_f64() {
                return Some(range);
            }
            let problem = Diagnostic::new(item.span(), "this range contains nothing");
            item.problem(problem.hint("write [least, greatest]; both ends are inside"));
            None
        }
        _ => item.wrong("[least, greatest]"),
    }
}

fn length(item: Item<'_>, ty: Type) -> Option<(u64, u64)> {
    if matches!(ty, Type::Scalar(_)) {
        item.problem(Diagnostic::new(item.span(), format!("a {ty} has no length")));
        return None;
    }
    let wanted = "a length or [least, most], from 0";
    let Some(items) = item.as_list() else {
        let n = item.integer::<u32>(wanted)?;
        return Some((n.into(), n.into()));
    };
    match items.as_slice() {
        [low, high] => {
            let (low, high) = (low.integer::<u32>(wanted)?, high.integer::<u32>(wanted)?);
            if low > high {
                item.problem(Diagnostic::new(
                    item.span(),
                    "no length is at least the first and at most the second",
                ));
            }
            Some((low.into(), high.into()))
        }
        _ => item.wrong(wanted),
    }
}

/// Adds the values that are listed. One that the rest of the domain keeps out is a contradiction.
fn add_values(item: Item<'_>, ty: Type, domain: &mut Domain) {
    if ty == Type::Text {
        domain.texts = texts(&item, domain);
        return;
    }
    let Some(items) = item.list() else { return };
    let listed = |item: &Item<'_>| {
        let number = number(item, ty)?;
        if domain.predicates.contains(&Predicate::NoNul) && number == Number::Int(0) {
            item.problem(Diagnostic::new(item.span(), "0 cannot occur here: it would end the data"));
        }
        Some(match number.as_f64().is_nan() {
            true => NumberRange::NAN,
            false => NumberRange { low: number, high: number },
        })
    };
    let points: Vec<NumberRange> = items.iter().filter_map(listed).collect();
    if domain.numbers.exclude_nan && points.iter().any(NumberRange::is_nan) {
        item.problem(Diagnostic::new(item.span(), "NaN is listed here and kept out by `except`; keep one"));
    }
    domain.numbers.ranges.extend(points);
    if items.is_empty() {
        item.problem(Diagnostic::new(item.span(), "the domain contains nothing: no value is listed"));
    }
}

/// The texts that are listed.
fn texts(item: &Item<'_>, domain: &Domain) -> Option<Vec<String>> {
    let text = |item: &Item<'_>| {
        let text = item.text()?;
        if !domain.contains_text(text.as_bytes()) {
            let words =
                "this text cannot occur: `length`, `alphabet` or `is` of the same domain keeps it out";
            item.problem(Diagnostic::new(item.span(), words));
        }
        Some(text)
    };
    item.list()?.iter().map(text).collect()
}

fn alphabet(section: &Section<'_>, ty: Type) -> Option<Vec<char>> {
    let listed = section.get("alphabet").and_then(|i| i.text());
    let ranges = section.get("alphabet-ranges");
    if listed.is_none() && ranges.is_none() {
        return None;
    }
    if ty != Type::Text {
        let problem = Diagnostic::new(section.span(), format!("an alphabet is for text, not for {ty}"));
        section.problems.add(problem.hint("write `range = [least, greatest]` for numbers"));
        return None;
    }
    let mut alphabet: Vec<char> = listed.unwrap_or_default().chars().collect();
    for item in ranges.and_then(|r| r.list()).unwrap_or_default() {
        let chars: Vec<char> = item.text()?.chars().collect();
        match chars[..] {
            [low, '-', high] if low <= high => alphabet.extend(low..=high),
            _ => return item.wrong("a range of characters such as \"a-z\""),
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    alphabet.retain(|c| seen.insert(*c));
    if alphabet.is_empty() {
        section.problems.add(Diagnostic::new(section.span(), "the alphabet is empty"));
    }
    Some(alphabet)
}

fn predicates(section: &Section<'_>, ty: Type) -> Vec<Predicate> {
    let Some(item) = section.get("is") else { return Vec::new() };
    if matches!(ty, Type::Scalar(_)) {
        item.problem(Diagnostic::new(
            item.span(),
            format!("predicates are for sequences and text, not for {ty}"),
        ));
    }
    let one = |item: &Item<'_>| choose(item, &Predicate::ALL, Predicate::name, "a predicate");
    item.list().unwrap_or_default().iter().filter_map(one).collect()
}

fn distribution(item: Item<'_>) -> Option<Distribution> {
    choose(&item, &Distribution::ALL, Distribution::name, "a distribution")
}

/// One of a few named things, with the nearest name when it is none of them.
pub(super) fn choose<T: Copy>(
    item: &Item<'_>,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    what: &str,
) -> Option<T> {
    let text = item.text()?;
    if let Some(found) = all.iter().find(|t| name(**t) == text) {
        return Some(*found);
    }
    let names: Vec<&str> = all.iter().map(|t| name(*t)).collect();
    let hint = match nearest(&text, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("one of: {}", names.join(", ")),
    };
    item.problem(Diagnostic::new(item.span(), format!("`{text}` is not {what}")).hint(hint));
    None
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

/// A domain that is empty is found here where the parts alone show it; the sampler finds the rest.
fn check_not_empty(item: &Item<'_>, ty: Type, domain: &Domain) {
    let numbers = &domain.numbers;
    let emptied = !numbers.ranges.is_empty()
        && numbers.ranges.iter().all(|r| r.low == r.high && numbers.except.contains(&r.low));
    let may_be_empty = !matches!(ty, Type::Scalar(_)) && domain.length.is_none_or(|(low, _)| low == 0);
    if emptied && !may_be_empty {
        let problem =
            Diagnostic::new(item.span(), "the domain contains nothing: `except` takes every value away");
        item.problem(problem);
    }
}
