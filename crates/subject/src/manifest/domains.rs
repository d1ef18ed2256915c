//! `domain.x = { … }`.

use super::numbers::{add_nan, is_excepted, number, numbers, written};
use super::section::{Item, Section};
use dodona_target::{Diagnostic, Domain, Number, NumberRange, Predicate, Type, nearest};

/// A domain; `least` is what holds of the parameter anyway.
pub(super) fn domain(item: Item<'_>, ty: Type, least: &Domain) -> Option<Domain> {
    let section = item.section("a domain")?;
    let mut domain = Domain { numbers: numbers(&section, ty), ..Domain::default() };
    domain.length = section.get("length").and_then(|i| length(i, ty));
    domain.alphabet = alphabet(&section, ty);
    domain.predicates = predicates(&section, ty);
    let more = least.predicates.iter().filter(|p| !domain.predicates.contains(p)).copied();
    domain.predicates.extend(more.collect::<Vec<_>>());
    match section.get("values") {
        Some(values) => add_values(values, ty, &mut domain),
        None => check_not_empty(&item, ty, &domain),
    }
    add_nan(&section, ty, &mut domain.numbers);
    section.finish();
    Some(domain)
}

pub(super) fn length(item: Item<'_>, ty: Type) -> Option<(u64, u64)> {
    if matches!(ty, Type::Scalar(_)) {
        item.problem(Diagnostic::new(item.span(), format!("a {ty} has no length")));
        return None;
    }
    let one = |item: &Item<'_>, wanted| item.integer::<u32>(wanted, 0..=u32::MAX.into()).map(u64::from);
    let wanted = "a length or [least, most]";
    let Some(items) = item.as_list() else {
        let wanted = if item.is_integer() { "a length" } else { wanted };
        let n = one(&item, wanted)?;
        return Some((n, n));
    };
    let [low, high] = items.as_slice() else { return item.wrong(wanted) };
    let (low, high) = (one(low, "a length")?, one(high, "a length")?);
    if low > high {
        let words = "no length is at least the first and at most the second";
        item.problem(Diagnostic::new(item.span(), words));
    }
    Some((low, high))
}

/// Adds the values that are listed. One that the rest of the domain keeps out is a contradiction.
fn add_values(item: Item<'_>, ty: Type, domain: &mut Domain) {
    let Some(items) = item.list() else { return };
    if items.is_empty() {
        item.problem(Diagnostic::new(item.span(), "the domain contains nothing: no value is listed"));
    }
    if ty == Type::Text {
        domain.texts = texts(&items, domain);
        return;
    }
    let listed = |item: &Item<'_>| {
        let number = number(item, ty)?;
        if domain.predicates.contains(&Predicate::NoNul) && number == Number::Int(0) {
            item.problem(Diagnostic::new(item.span(), "0 cannot occur here: it would end the data"));
        }
        if is_excepted(&domain.numbers, number) {
            let words = format!("{} is listed here and kept out by `except`; keep one", written(number));
            item.problem(Diagnostic::new(item.span(), words));
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
}

/// The texts that are listed.
fn texts(items: &[Item<'_>], domain: &Domain) -> Option<Vec<String>> {
    let text = |item: &Item<'_>| {
        let text = item.text()?;
        if !domain.contains_text(text.as_bytes()) {
            let words =
                "this text cannot occur: `length`, `alphabet` or `is` of the same domain keeps it out";
            item.problem(Diagnostic::new(item.span(), words));
        }
        Some(text)
    };
    items.iter().map(text).collect()
}

pub(super) fn alphabet(section: &Section<'_>, ty: Type) -> Option<Vec<char>> {
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
        let (low, high) = characters(&item)?;
        alphabet.extend(low..=high);
    }
    let mut seen = std::collections::BTreeSet::new();
    alphabet.retain(|c| seen.insert(*c));
    if alphabet.is_empty() {
        section.problems.add(Diagnostic::new(section.span(), "the alphabet is empty"));
    }
    Some(alphabet)
}

/// The first and the last of a range of characters.
fn characters(item: &Item<'_>) -> Option<(char, char)> {
    let text = item.text()?;
    let problem = match text.chars().collect::<Vec<char>>()[..] {
        [low, '-', high] if low <= high => return Some((low, high)),
        [low, '-', high] => Diagnostic::new(item.span(), format!("no character is from `{low}` to `{high}`"))
            .hint(format!("write \"{high}-{low}\"")),
        _ => Diagnostic::new(item.span(), format!("`{text}` is not a range of characters")).hint(
            "write each range by itself, as in [\"a-z\", \"0-9\"]; single characters stand in `alphabet`",
        ),
    };
    item.problem(problem);
    None
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
    let near = nearest(&text, names.iter().copied()).map(|near| format!("did you mean `{near}`? "));
    let hint = format!("{}one of: {}", near.unwrap_or_default(), names.join(", "));
    item.problem(Diagnostic::new(item.span(), format!("`{text}` is not {what}")).hint(hint));
    None
}

/// A domain without `values` that is empty is found here where the parts alone show it; the sampler finds the rest.
fn check_not_empty(item: &Item<'_>, ty: Type, domain: &Domain) {
    let numbers = &domain.numbers;
    let emptied = !numbers.ranges.is_empty()
        && numbers.ranges.iter().all(|r| r.low == r.high && is_excepted(numbers, r.low));
    let may_be_empty = !matches!(ty, Type::Scalar(_)) && domain.length.is_none_or(|(low, _)| low == 0);
    if emptied && !may_be_empty {
        let problem =
            Diagnostic::new(item.span(), "the domain contains nothing: `except` takes every value away");
        item.problem(problem);
    }
}
