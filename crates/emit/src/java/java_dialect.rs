//! How Java writes values.

use std::fmt::Write as _;

use dodona_relations::plan::Element;
use dodona_target::{Number, Sequence, Value};

use super::super::names::camel;
use super::super::script::AgainName;
use super::super::write::{Dialect, apply, finite};

/// Java 17 or later.
pub(in super::super) struct Java;

impl Dialect for Java {
    const WORDS: &'static str = "mr";

    fn local(name: &str) -> String {
        name.to_owned()
    }

    fn constant(value: Option<&Value>) -> Result<String, String> {
        Ok(match value {
            None => "MR_UNDEFINED".to_owned(),
            Some(Value::Bool(b)) => b.to_string(),
            Some(Value::Int(i)) => integer(*i),
            Some(Value::Float(x)) => Java::float(*x),
            Some(Value::Text(t)) => text(t),
            Some(Value::Sequence(s)) => match s {
                Sequence::Bool(v) => list(v.iter().map(bool::to_string)),
                Sequence::Int(v) => list(v.iter().map(|i| integer(*i))),
                Sequence::Float(v) => list(v.iter().map(|x| Java::float(*x))),
            },
        })
    }

    fn output(call: &str, output: usize) -> String {
        format!("{call}.output({output})")
    }

    fn about(call: &str, what: &str) -> String {
        format!("{call}.{what}()")
    }

    fn sequence(element: Element, items: &[String]) -> String {
        let list = list(items.iter().cloned());
        if element == Element::Float { apply::<Java>("to_float", &[list]) } else { list }
    }

    fn float(x: f64) -> String {
        match x {
            x if x.is_nan() => "Double.NaN".to_owned(),
            f64::INFINITY => "Double.POSITIVE_INFINITY".to_owned(),
            f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".to_owned(),
            x => finite(x),
        }
    }

    fn word(word: &str) -> String {
        camel(&format!("{}_{word}", Self::WORDS))
    }

    fn repetition() -> &'static str {
        "mrRepetition"
    }

    fn natural(n: u64) -> String {
        long(i64::try_from(n).unwrap_or(i64::MAX))
    }

    fn rounded(near: String, relative: String, again: &AgainName) -> String {
        let repetition = Self::repetition();
        let operands: Vec<&str> = again.variables.iter().map(String::as_str).chain([repetition]).collect();
        let lambda = format!("{repetition} -> {}({})", again.name, operands.join(", "));
        apply::<Java>("within_rounding", &[near, relative, again.made.to_string(), lambda])
    }
}

/// A literal of type `int` where that holds it, else of type `long`.
pub(super) fn long(i: i64) -> String {
    if i32::try_from(i).is_ok() { i.to_string() } else { format!("{i}L") }
}

/// A number as a value of the prelude.
pub(super) fn number(number: Number) -> String {
    match number {
        Number::Int(i) => integer(i),
        Number::Float(x) => Java::float(x),
    }
}

/// An integer as a value of the prelude.
pub(super) fn integer(i: i128) -> String {
    match i64::try_from(i) {
        Ok(i) => apply::<Java>("whole", &[long(i)]),
        Err(_) => format!("new BigInteger(\"{i}\")"),
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    apply::<Java>("list", &[items.collect::<Vec<_>>().join(", ")])
}

/// A text as a string literal of ASCII alone, which every encoding of a source file has. Bytes that are not UTF-8 become lone
/// surrogates, as in the prelude.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut literal = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => literal.push_str("\\\""),
                '\\' => literal.push_str("\\\\"),
                '\n' => literal.push_str("\\n"),
                ' '..='~' => literal.push(c),
                // A character escaped by its number is read before the literal is: a carriage return would end its line.
                '\0'..' ' => {
                    let _ = write!(literal, "\\{:03o}", c as u32);
                }
                c => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = write!(literal, "\\u{unit:04x}");
                    }
                }
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(literal, "\\udc{byte:02x}");
        }
    }
    literal.push('"');
    literal
}
