//! Describes a domain in the words of the manifest.

use std::fmt::Write;

use crate::{Domain, Number, NumberRange, Type, write_float, write_text};

/// The most ranges, values or texts that are shown.
const SHOWN: usize = 4;

/// The most characters of an alphabet that are shown.
const SHOWN_CHARACTERS: usize = 32;

/// A domain as the keys of the manifest that make it; `any i32` if every value of the type is inside.
///
/// ```
/// use dodona_target::{Domain, Number, NumberRange, Scalar, Type, describe_domain};
///
/// let (ty, mut domain) = (Type::Scalar(Scalar::F64), Domain::default());
/// assert_eq!(describe_domain(ty, &domain), "any f64");
/// domain.numbers.ranges.push(NumberRange { low: Number::Float(0.0), high: Number::Int(3) });
/// domain.length = Some((1, 9));
/// assert_eq!(describe_domain(ty, &domain), "range = [0.0, 3], length = [1, 9]");
/// ```
pub fn describe_domain(ty: Type, domain: &Domain) -> String {
    let mut keys = Vec::new();
    let (points, ranges): (Vec<&NumberRange>, Vec<&NumberRange>) =
        domain.numbers.ranges.iter().partition(|r| r.low == r.high || r.is_nan());
    match ranges.as_slice() {
        [] => {}
        [range] => keys.push(format!("range = {}", pair(range))),
        ranges => keys.push(format!("ranges = {}", list(ranges.iter().map(|r| pair(r))))),
    }
    if !points.is_empty() {
        keys.push(format!("values = {}", list(points.iter().map(|r| number(r.low)))));
    }
    if !domain.numbers.except.is_empty() {
        keys.push(format!("except = {}", list(domain.numbers.except.iter().map(|n| number(*n)))));
    }
    if domain.numbers.exclude_nan {
        keys.push("without nan".into());
    }
    keys.extend(domain.length.map(|(low, high)| format!("length = [{low}, {high}]")));
    keys.extend(domain.alphabet.as_ref().map(|a| format!("alphabet = {}", characters(a))));
    keys.extend(domain.texts.as_ref().map(|t| format!("values = {}", list(t.iter().map(|t| quoted(t))))));
    keys.extend(domain.predicates.iter().map(|p| format!("is = {:?}", p.name())));
    if keys.is_empty() { format!("any {ty}") } else { keys.join(", ") }
}

fn pair(range: &NumberRange) -> String {
    format!("[{}, {}]", number(range.low), number(range.high))
}

fn number(n: Number) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = match n {
        Number::Int(i) => write!(out, "{i}"),
        Number::Float(x) => write_float(&mut out, x),
    };
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut out, text.as_bytes());
    out
}

fn characters(alphabet: &[char]) -> String {
    let shown: String = alphabet.iter().take(SHOWN_CHARACTERS).collect();
    let more = if alphabet.len() > SHOWN_CHARACTERS { " …" } else { "" };
    format!("{}{more}", quoted(&shown))
}

fn list(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = if items.len() > SHOWN { ", …" } else { "" };
    format!("[{}{more}]", items.take(SHOWN).collect::<Vec<_>>().join(", "))
}
