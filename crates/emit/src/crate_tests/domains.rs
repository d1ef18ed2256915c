//! Where a function is meant to work, and how its inputs are drawn, as a test says it.

use dodona_subject::Spelling;
use dodona_target::{Distribution, Domain, NumberRange, Parameter, Sampling, Scalar};

use super::literals::{library_number, number, text, value};

/// What stands behind the type of a parameter: ` in 0..=9`, or nothing.
pub(super) fn within(parameter: &Parameter, spelling: &Spelling) -> String {
    let (domain, least) = (&parameter.domain, spelling.domain());
    if let Some(texts) = &domain.texts {
        let texts: Vec<String> = texts.iter().map(|one| text(one)).collect();
        return format!(" in [{}]", texts.join(", "));
    }
    let Some(scalar) = parameter.ty.scalar() else { return String::new() };
    let ranges = &domain.numbers.ranges;
    match ranges.as_slice() {
        // In a module they have 32 bits, which relations were checked with.
        [] => match spelling.scalar.as_str() {
            "usize" => " in 0..=u32::MAX as usize".to_owned(),
            "isize" => " in i32::MIN as isize..=i32::MAX as isize".to_owned(),
            _ => String::new(),
        },
        ranges if ranges == least.numbers.ranges => String::new(),
        [one] if one.low != one.high && !one.is_nan() => format!(" in {}", range(one, scalar)),
        several if several.iter().all(|one| one.low == one.high || one.is_nan()) => {
            let values: Vec<String> = several.iter().map(|one| number(one.low, scalar)).collect();
            format!(" in [{}]", values.join(", "))
        }
        several => {
            let ranges: Vec<String> = several.iter().map(|one| range(one, scalar)).collect();
            format!(" in [{}]", ranges.join(", "))
        }
    }
}

fn range(range: &NumberRange, scalar: Scalar) -> String {
    format!("{}..={}", number(range.low, scalar), number(range.high, scalar))
}

/// What is said of a parameter behind the declaration of its function.
pub(super) fn steps(parameter: &Parameter, spelling: &Spelling) -> Vec<String> {
    let name = format!("{:?}", parameter.name);
    let least = spelling.domain();
    let mut steps = Vec::new();
    if let Some((low, high)) = parameter.domain.length.filter(|_| parameter.domain.length != least.length) {
        steps.push(format!(".length({name}, {low}..={high})"));
    }
    steps.extend(closure("domain", &name, &of_domain(&parameter.domain, &least)));
    steps.extend(closure("sampling", &name, &of_sampling(&parameter.sampling)));
    steps
}

/// A step that changes what is known of a parameter.
fn closure(method: &str, name: &str, changes: &[String]) -> Option<String> {
    match changes {
        [] => None,
        [one] => Some(format!(".{method}({name}, |it| it.{one})")),
        all => {
            let all: String = all.iter().map(|change| format!("    it.{change};\n")).collect();
            Some(format!(".{method}({name}, |it| {{\n{all}}})"))
        }
    }
}

fn of_domain(domain: &Domain, least: &Domain) -> Vec<String> {
    let mut changes = Vec::new();
    let except: Vec<String> = domain
        .numbers
        .except
        .iter()
        .filter(|number| !least.numbers.except.contains(number))
        .map(|number| library_number(*number))
        .collect();
    if !except.is_empty() {
        changes.push(format!("numbers.except = vec![{}]", except.join(", ")));
    }
    if domain.numbers.exclude_nan && domain.numbers.ranges.is_empty() {
        changes.push("numbers.exclude_nan = true".to_owned());
    }
    changes.extend(alphabet(domain.alphabet.as_deref()));
    if !domain.predicates.is_empty() {
        let names = domain.predicates.iter().map(|it| format!("dodona::target::Predicate::{it:?}"));
        changes.push(format!("predicates = vec![{}]", names.collect::<Vec<_>>().join(", ")));
    }
    changes
}

fn alphabet(characters: Option<&[char]>) -> Option<String> {
    let characters: String = characters?.iter().collect();
    Some(format!("alphabet = Some({}.chars().collect())", text(&characters)))
}

fn of_sampling(sampling: &Sampling) -> Vec<String> {
    let mut changes = Vec::new();
    changes.extend(sampling.range.map(|range| {
        let (low, high) = (library_number(range.low), library_number(range.high));
        format!("range = Some(dodona::target::NumberRange {{ low: {low}, high: {high} }})")
    }));
    if sampling.distribution != Distribution::default() {
        changes.push(format!("distribution = dodona::target::Distribution::{:?}", sampling.distribution));
    }
    changes.extend(sampling.length.map(|(low, high)| format!("length = Some(({low}, {high}))")));
    changes.extend(alphabet(sampling.alphabet.as_deref()));
    if !sampling.favour.is_empty() {
        let favour: Vec<String> = sampling.favour.iter().map(value).collect();
        changes.push(format!("favour = vec![{}]", favour.join(", ")));
    }
    changes.extend(sampling.favour_rate.map(|rate| format!("favour_rate = Some({rate:?})")));
    changes
}
