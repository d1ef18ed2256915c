//! `domain.x = { … }` and `sample.x = { … }`.

use super::section::{Item, Section};
use crate::diagnostic::nearest;
use crate::{
    Diagnostic, Distribution, Domain, Kind, Number, NumberRange, Numbers, Predicate, Sampling, Type, Value,
};

pub(super) fn domain(item: Item<'_>, ty: Type) -> Option<Domain> {
    let section = item.section("a domain")?;
    let mut domain = Domain { numbers: numbers(&section, ty), ..Domain::default() };
    if let Some(values) = section.get("values") {
        add_values(values, ty, &mut domain);
    }
    domain.length = section.get("length").and_then(|i| length(i, ty));
    domain.alphabet = alphabet(&section, ty);
    domain.predicates = predicates(&section, ty);
    section.finish();
    check_not_empty(&item, ty, &domain);
    Some(domain)
}

pub(super) fn sampling(item: Item<'_>, ty: Type) -> Option<Sampling> {
    let section = item.section("a sampling")?;
    let sampling = Sampling {
        range: section.get("range").and_then(|i| range(i, ty)),
        distribution: section.get("distribution").and_then(distribution).unwrap_or_default(),
        length: section.get("length").and_then(|i| length(i, ty)),
        alphabet: alphabet(&section, ty),
        favour: section.get("favour").and_then(|i| favour(i, ty)).unwrap_or_default(),
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
    let except = section.get("except").and_then(|i| i.list()?.iter().map(|i| number(i, ty)).collect());
    let nan = section.get("nan").and_then(|i| i.boolean());
    Numbers {
        ranges: many.unwrap_or_else(|| one.into_iter().collect()),
        except: except.unwrap_or_default(),
        exclude_nan: nan == Some(false),
    }
}

/// A number that a parameter of this type can hold.
fn number(item: &Item<'_>, ty: Type) -> Option<Number> {
    let number = item.number()?;
    match (ty.scalar(), number) {
        (None, _) => item.wrong("no number: text has `length`, `alphabet`, `values`"),
        (Some(s), Number::Float(_)) if s.kind() == Kind::Int => item.wrong("an integer"),
        (Some(s), Number::Int(i)) if s.integer_range().is_some_and(|(low, high)| i < low || i > high) => {
            let (low, high) = s.integer_range()?;
            item.problem(Diagnostic::new(
                item.span(),
                format!("{i} is not a value of {s} ({low} to {high})"),
            ));
            None
        }
        _ => Some(number),
    }
}

fn range(item: Item<'_>, ty: Type) -> Option<NumberRange> {
    match item.list()?.as_slice() {
        [low, high] => {
            let range = NumberRange { low: number(low, ty)?, high: number(high, ty)? };
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

fn add_values(item: Item<'_>, ty: Type, domain: &mut Domain) {
    if ty == Type::Text {
        domain.texts = item.texts();
        return;
    }
    let Some(items) = item.list() else { return };
    let points = items.iter().filter_map(|i| number(i, ty)).map(|n| NumberRange { low: n, high: n });
    domain.numbers.ranges.extend(points);
    if items.is_empty() {
        item.problem(Diagnostic::new(item.span(), "the domain contains nothing: no value is listed"));
    }
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

fn favour(item: Item<'_>, ty: Type) -> Option<Vec<Value>> {
    let items = item.list()?;
    Some(items.iter().filter_map(|i| favoured(i, ty)).collect())
}

/// A whole value of the parameter's type; integers stand for floats where floats are wanted.
fn favoured(item: &Item<'_>, ty: Type) -> Option<Value> {
    let value = as_type(item.value()?, ty);
    if value.as_ref().is_none_or(|v| !Domain::default().contains(ty, v)) {
        item.problem(Diagnostic::new(item.span(), format!("this is not a value of {ty}")));
        return None;
    }
    value
}

fn as_type(value: Value, ty: Type) -> Option<Value> {
    use crate::Sequence;
    let kind = ty.scalar().map(crate::Scalar::kind);
    Some(match (ty, value) {
        (Type::Scalar(_), Value::Int(i)) if kind == Some(Kind::Float) => Value::Float(i as f64),
        (Type::Sequence(_), Value::Sequence(Sequence::Int(v))) if kind == Some(Kind::Float) => {
            Value::Sequence(Sequence::Float(v.into_iter().map(|i| i as f64).collect()))
        }
        (Type::Sequence(_), Value::Sequence(s)) if s.is_empty() => Value::Sequence(match kind? {
            Kind::Bool => Sequence::Bool(vec![]),
            Kind::Int => Sequence::Int(vec![]),
            Kind::Float => Sequence::Float(vec![]),
        }),
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
