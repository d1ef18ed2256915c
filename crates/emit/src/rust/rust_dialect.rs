//! How Rust writes values.

use dodona_relations::plan::Element;
use dodona_target::{Sequence, Value};

use super::super::script::AgainName;
use super::super::write::{Dialect, apply, finite};

/// Rust; the words of the prelude are in the module `mr`.
pub(in super::super) struct Rust;

impl Dialect for Rust {
    const WORDS: &'static str = "mr::";

    fn local(name: &str) -> String {
        format!("&{name}")
    }

    fn constant(value: Option<&Value>) -> Result<String, String> {
        Ok(match value {
            None => "Value::Undefined".to_owned(),
            Some(Value::Bool(b)) => b.to_string(),
            Some(Value::Int(i)) => integer(*i),
            Some(Value::Float(x)) => Rust::float(*x),
            Some(Value::Text(t)) => match std::str::from_utf8(t) {
                Ok(text) => format!("{text:?}"),
                Err(_) => return Err("a `str` holds only UTF-8, and one of its texts is not".to_owned()),
            },
            Some(Value::Sequence(s)) => match s {
                Sequence::Bool(v) => list("bool", v.iter().map(bool::to_string)),
                Sequence::Int(v) => list("i128", v.iter().map(i128::to_string)),
                Sequence::Float(v) => list("f64", v.iter().map(|x| Rust::float(*x))),
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
        let word = match element {
            Element::Bool => "bools",
            Element::Int | Element::Nothing => "ints",
            Element::Float => "floats",
        };
        let items: Vec<String> = items.iter().map(|item| format!("Value::from({item})")).collect();
        apply::<Rust>(word, &[format!("&[{}]", items.join(", "))])
    }

    fn float(x: f64) -> String {
        match x {
            x if x.is_nan() => "f64::NAN".to_owned(),
            f64::INFINITY => "f64::INFINITY".to_owned(),
            f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
            x => finite(x),
        }
    }

    fn rounded(near: String, relative: String, again: &AgainName) -> String {
        apply::<Rust>(
            "within_rounding",
            &[near, relative, again.made.to_string(), format!("&{}", again.name)],
        )
    }
}

fn integer(i: i128) -> String {
    match i32::try_from(i) {
        Ok(i) => i.to_string(),
        Err(_) => format!("{i}i128"),
    }
}

fn list(element: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items[..] {
        [] => format!("Vec::<{element}>::new()"),
        _ => format!("Vec::<{element}>::from([{}])", items.join(", ")),
    }
}
