//! Outputs that are found in what a run left.

use dodona_sources::json::{from_json, to_json};
use dodona_subject::{Found, FoundBy, FoundIn};
use dodona_target::{Kind, Scalar, Type, Value};
use regex::bytes::Regex;
use serde_json::Value as Json;

use super::run::{Ended, Ran};

/// Reads one output.
pub(super) struct Reader {
    place: FoundIn,
    how: How,
    ty: Type,
}

enum How {
    Whole,
    /// A pattern that the manifest has checked; none finds nothing.
    Pattern(Option<Regex>),
    Json(String),
    Column(String),
}

impl Reader {
    pub(super) fn new(found: &Found, ty: Type) -> Reader {
        let how = match &found.how {
            FoundBy::Whole => How::Whole,
            FoundBy::Pattern(pattern) => How::Pattern(Regex::new(pattern).ok()),
            FoundBy::Json(pointer) => How::Json(pointer.clone()),
            FoundBy::Column(name) => How::Column(name.clone()),
        };
        Reader { place: found.place.clone(), how, ty }
    }

    /// Where the value is not there: what was looked for, and what is there instead, in one line.
    pub(super) fn missing(&self, ran: &Ran) -> Option<String> {
        if self.read(ran).is_some() {
            return None;
        }
        let place = match &self.place {
            FoundIn::Stdout => "standard output".to_owned(),
            FoundIn::Stderr => "standard error".to_owned(),
            FoundIn::Exit => "the exit code".to_owned(),
            FoundIn::File(name) if self.bytes(ran).is_none() => {
                return Some(format!("there is no file {name}, or it is larger than [limits] output allows"));
            }
            FoundIn::File(name) => format!("the file {name}"),
        };
        let wanted = match &self.how {
            How::Whole => format!("is no {}", self.ty),
            How::Pattern(pattern) => {
                let pattern = pattern.as_ref().map(Regex::as_str).unwrap_or_default();
                format!("has no {} where {pattern:?} matches", self.ty)
            }
            How::Json(pointer) => format!("has no {} at {pointer:?} of its JSON", self.ty),
            How::Column(name) => format!("has no {} in a column {name:?}", self.ty),
        };
        let found = String::from_utf8_lossy(self.bytes(ran).unwrap_or_default()).into_owned();
        let found: String = found.chars().take(80).collect();
        Some(format!("{place} {wanted}: {found:?}"))
    }

    /// What is looked at.
    fn bytes<'r>(&self, ran: &'r Ran) -> Option<&'r [u8]> {
        match &self.place {
            FoundIn::Exit => None,
            FoundIn::Stdout => Some(&ran.stdout),
            FoundIn::Stderr => Some(&ran.stderr),
            FoundIn::File(name) => Some(&ran.files.iter().find(|(known, _)| known == name)?.1),
        }
    }

    /// The value; `None` where it is not there, or is no value of its type.
    pub(super) fn read(&self, ran: &Ran) -> Option<Value> {
        if let (FoundIn::Exit, Ended::Exited(code)) = (&self.place, ran.ended) {
            return Some(Value::Int(code.into()));
        }
        let bytes = self.bytes(ran)?;
        match &self.how {
            How::Whole => whole(self.ty, bytes),
            How::Pattern(pattern) => {
                let found = pattern.as_ref()?.captures_iter(bytes).map(|groups| {
                    let group = groups.get(1).or_else(|| groups.get(0));
                    group.map_or(&b""[..], |group| group.as_bytes()).to_vec()
                });
                pieces(self.ty, found)
            }
            How::Json(pointer) => {
                let json: Json = serde_json::from_slice(bytes).ok()?;
                of_json(self.ty, json.pointer(pointer)?)
            }
            How::Column(name) => {
                let mut table = csv::Reader::from_reader(bytes);
                let place = table.byte_headers().ok()?.iter().position(|cell| cell == name.as_bytes())?;
                let rows: Vec<csv::ByteRecord> = table.into_byte_records().collect::<Result<_, _>>().ok()?;
                let cells: Option<Vec<Vec<u8>>> =
                    rows.iter().map(|row| row.get(place).map(<[u8]>::to_vec)).collect();
                pieces(self.ty, cells?.into_iter())
            }
        }
    }
}

/// A whole stream or file as a value: a text as it is, numbers between white space and commas.
fn whole(ty: Type, bytes: &[u8]) -> Option<Value> {
    if ty == Type::Text {
        return Some(Value::Text(bytes.into()));
    }
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']');
    let parts = bytes.split(is_between).filter(|part| !part.is_empty()).map(<[u8]>::to_vec);
    match ty {
        Type::Scalar(scalar) => scalar_of(scalar, bytes),
        _ => pieces(ty, parts),
    }
}

/// A value of the pieces that were found: the first of them, or of a sequence all.
fn pieces(ty: Type, mut found: impl Iterator<Item = Vec<u8>>) -> Option<Value> {
    match ty {
        Type::Text => Some(Value::Text(found.next()?.into())),
        Type::Scalar(scalar) => scalar_of(scalar, &found.next()?),
        Type::Sequence(scalar) => {
            let items: Vec<Json> = found.map(|piece| scalar_json(scalar, &piece)).collect::<Option<_>>()?;
            from_json(ty, &Json::Array(items)).ok()
        }
    }
}

fn scalar_of(scalar: Scalar, bytes: &[u8]) -> Option<Value> {
    from_json(Type::Scalar(scalar), &scalar_json(scalar, bytes)?).ok()
}

/// A number or Boolean as programs write it, as JSON.
fn scalar_json(scalar: Scalar, bytes: &[u8]) -> Option<Json> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    Some(match scalar.kind() {
        Kind::Bool => match text {
            "true" | "True" | "TRUE" | "1" | "yes" => true.into(),
            "false" | "False" | "FALSE" | "0" | "no" => false.into(),
            _ => return None,
        },
        Kind::Int => text.strip_prefix('+').unwrap_or(text).into(),
        Kind::Float => to_json(&Value::Float(text.parse().ok()?)),
    })
}

/// A value of JSON; a number may be written as text, and any value is text where text is wanted.
fn of_json(ty: Type, json: &Json) -> Option<Value> {
    match (ty, json) {
        (Type::Scalar(scalar), Json::String(text)) => scalar_of(scalar, text.as_bytes()),
        (Type::Text, Json::String(text)) => Some(Value::Text(text.as_str().into())),
        (Type::Text, other) => Some(Value::Text(other.to_string().into())),
        _ => from_json(ty, json).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(stdout: &str) -> Ran {
        Ran { ended: Ended::Exited(0), stdout: stdout.into(), stderr: Vec::new(), files: Vec::new() }
    }

    fn read(how: FoundBy, ty: &str, stdout: &str) -> Option<String> {
        let found = Found { place: FoundIn::Stdout, how };
        let value = Reader::new(&found, ty.parse().expect("a type")).read(&ran(stdout));
        value.map(|value| value.to_string())
    }

    #[test]
    fn outputs_are_found_in_each_way() {
        let found = |how, ty, stdout| read(how, ty, stdout).unwrap_or_default();
        assert_eq!(found(FoundBy::Whole, "f64", " 12.50\n"), "12.5");
        assert_eq!(found(FoundBy::Whole, "[i32]", "1, 2\n3"), "[1, 2, 3]");
        assert_eq!(found(FoundBy::Whole, "text", "a b\n"), "\"a b\\n\"");
        assert_eq!(found(FoundBy::Whole, "bool", "True\n"), "true");
        assert_eq!(found(FoundBy::Whole, "f64", "inf"), "inf");
        let price = || FoundBy::Pattern("price: ([0-9.]+)".into());
        assert_eq!(found(price(), "f64", "the price: 3.25 net"), "3.25");
        assert_eq!(found(price(), "[f64]", "price: 1 price: 2"), "[1.0, 2.0]");
        let json = r#"{"a": [1, 2], "b": "7", "c": {"d": null}}"#;
        assert_eq!(found(FoundBy::Json("/a".into()), "[u8]", json), "[1, 2]");
        assert_eq!(found(FoundBy::Json("/a/1".into()), "i64", json), "2");
        assert_eq!(found(FoundBy::Json("/b".into()), "i64", json), "7");
        assert_eq!(found(FoundBy::Json("/c".into()), "text", json), "\"{\\\"d\\\":null}\"");
        let table = "id,total\n1,\"2.5\"\n2,4\n";
        assert_eq!(found(FoundBy::Column("total".into()), "[f64]", table), "[2.5, 4.0]");
        assert_eq!(found(FoundBy::Column("total".into()), "f64", table), "2.5");
    }

    #[test]
    fn what_is_not_there_is_no_value() {
        let none = |how, ty, stdout| assert_eq!(read(how, ty, stdout), None, "{stdout}");
        none(FoundBy::Whole, "f64", "");
        none(FoundBy::Whole, "u8", "300");
        none(FoundBy::Whole, "f64", "1 2");
        none(FoundBy::Pattern("x=(.*)".into()), "f64", "y=1");
        none(FoundBy::Json("/a".into()), "f64", "{}");
        none(FoundBy::Json("/a".into()), "f64", "no json");
        none(FoundBy::Column("b".into()), "f64", "a\n1\n");
        none(FoundBy::Column("a".into()), "f64", "a\n");
    }
}
