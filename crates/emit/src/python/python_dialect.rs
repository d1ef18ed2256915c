//! How Python writes values.

use std::fmt::Write as _;

use dodona_relations::plan::Element;
use dodona_target::{Sequence, Value, seen};

use super::super::script::AgainName;
use super::super::write::{Dialect, apply, finite};

/// Python 3.9 or later.
pub(in super::super) struct Python;

impl Dialect for Python {
    const WORDS: &'static str = "mr_";

    fn local(name: &str) -> String {
        name.to_owned()
    }

    fn constant(value: Option<&Value>) -> Result<String, String> {
        Ok(match value {
            None => "None".to_owned(),
            Some(Value::Bool(b)) => truth(*b).to_owned(),
            Some(Value::Int(i)) => i.to_string(),
            Some(Value::Float(x)) => Python::float(*x),
            Some(Value::Text(t)) => text(t),
            Some(Value::Sequence(s)) => match s {
                Sequence::Bool(v) => list(v.iter().map(|b| truth(*b).to_owned())),
                Sequence::Int(v) => list(v.iter().map(i128::to_string)),
                Sequence::Float(v) => list(v.iter().map(|x| Python::float(*x))),
            },
        })
    }

    fn output(call: &str, output: usize) -> String {
        format!("{call}[{output}]")
    }

    fn about(call: &str, what: &str) -> String {
        format!("{call}.{what}")
    }

    fn sequence(element: Element, items: &[String]) -> String {
        let list = format!("[{}]", items.join(", "));
        let every = apply::<Python>("every", &[list]);
        if element == Element::Float { apply::<Python>("to_float", &[every]) } else { every }
    }

    fn float(x: f64) -> String {
        match x {
            x if x.is_nan() => "math.nan".to_owned(),
            f64::INFINITY => "math.inf".to_owned(),
            f64::NEG_INFINITY => "-math.inf".to_owned(),
            x => finite(x),
        }
    }

    fn truth(b: bool) -> &'static str {
        truth(b)
    }

    fn rounded(near: String, relative: String, again: &AgainName) -> String {
        apply::<Python>(
            "within_rounding",
            &[near, relative, Self::truth(again.made).to_owned(), again.name.clone()],
        )
    }
}

pub(super) fn truth(b: bool) -> &'static str {
    if b { "True" } else { "False" }
}

pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A text as a string literal. Bytes that are not UTF-8 become lone surrogates, as Python decodes them.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut literal = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for (c, is_seen) in seen(chunk.valid()) {
            match c {
                '"' => literal.push_str("\\\""),
                '\\' => literal.push_str("\\\\"),
                '\n' => literal.push_str("\\n"),
                c if !is_seen => {
                    let _ = write!(literal, "\\U{:08x}", c as u32);
                }
                c => literal.push(c),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(literal, "\\udc{byte:02x}");
        }
    }
    literal.push('"');
    literal
}
