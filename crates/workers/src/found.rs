//! Values that are found in what a program wrote or a web service answered.

use dodona_sources::json::{from_json, to_json};
use dodona_subject::FoundBy;
use dodona_target::{Kind, Scalar, Sequence, Type, Value};
use regex::bytes::Regex;
use serde_json::Value as Json;

/// Finds a value of a type in bytes.
pub(crate) struct Search {
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

impl Search {
    pub(crate) fn new(how: &FoundBy, ty: Type) -> Search {
        let how = match how {
            FoundBy::Whole => How::Whole,
            FoundBy::Pattern(pattern) => How::Pattern(Regex::new(pattern).ok()),
            FoundBy::Json(pointer) => How::Json(pointer.clone()),
            FoundBy::Column(name) => How::Column(name.clone()),
        };
        Search { how, ty }
    }

    /// Says in one line that a place does not have the value, and what is there instead.
    pub(crate) fn missing(&self, place: &str, bytes: &[u8]) -> String {
        let wanted = match &self.how {
            How::Whole => format!("is no {}", self.ty),
            How::Pattern(pattern) => {
                let pattern = pattern.as_ref().map(Regex::as_str).unwrap_or_default();
                format!("has no {} where {pattern:?} matches", self.ty)
            }
            How::Json(pointer) => match serde_json::from_slice::<Json>(bytes) {
                Err(error) => format!("is no JSON ({error})"),
                Ok(json) => match json.pointer(pointer) {
                    Some(Json::Array(_) | Json::Object(_)) | None => {
                        format!("has no {} at {pointer:?} of its JSON", self.ty)
                    }
                    Some(other) => format!("has {other} at {pointer:?} of its JSON, which is no {}", self.ty),
                },
            },
            How::Column(name) => format!("has no {} in a column {name:?}", self.ty),
        };
        let found: String = String::from_utf8_lossy(bytes).chars().take(80).collect();
        format!("{place} {wanted}: {found:?}")
    }

    /// Whether it looks in JSON.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.how, How::Json(_))
    }

    /// [`Search::read`] of JSON that was parsed; `None` where the search is of something else.
    pub(crate) fn read_json(&self, json: &Json) -> Option<Value> {
        match &self.how {
            How::Json(pointer) => at(self.ty, json, pointer),
            _ => None,
        }
    }

    /// The value; `None` where it is not there, or is no value of its type.
    pub(crate) fn read(&self, bytes: &[u8]) -> Option<Value> {
        match &self.how {
            How::Whole => whole(self.ty, bytes),
            How::Pattern(pattern) => {
                let found = pattern.as_ref()?.captures_iter(bytes).map(|groups| {
                    let group = groups.get(1).or_else(|| groups.get(0));
                    group.map_or(&b""[..], |group| group.as_bytes()).to_vec()
                });
                pieces(self.ty, found)
            }
            How::Json(_) => self.read_json(&serde_json::from_slice(bytes).ok()?),
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

/// The value at a pointer. With a step `*`, the elements that it finds: a sequence, or of texts a line for each, so that no text and an empty one are told apart. What an element of
/// a list does not have, and another one has, is null there, for optional fields are left out by some services and null in others: NaN among floats, and no value among integers.
fn at(ty: Type, json: &Json, pointer: &str) -> Option<Value> {
    if !pointer.split('/').any(|step| step == "*") {
        return of_json(ty, json.pointer(pointer)?);
    }
    let mut found = vec![json];
    let mut is_of_list = false;
    for step in pointer.split('/').skip(1) {
        let next: Vec<Option<Vec<&Json>>> = found.iter().map(|json| steps(json, step)).collect();
        let is_somewhere = next.iter().any(Option::is_some) || next.is_empty();
        let null = || is_of_list.then(|| vec![&Json::Null]);
        found = next.into_iter().map(|found| found.or_else(null)).collect::<Option<Vec<_>>>()?.concat();
        if !is_somewhere {
            return None;
        }
        is_of_list |= step == "*";
    }
    match ty {
        Type::Text => {
            let lines: Option<Vec<Vec<u8>>> = found
                .iter()
                .map(|json| match (json, of_json(Type::Text, json)?) {
                    (Json::Null, _) => Some(br"\null".to_vec()),
                    (_, Value::Text(text)) => Some(on_a_line(&text)),
                    _ => None,
                })
                .collect();
            let mut text = Vec::new();
            for line in lines? {
                text.extend(line);
                text.push(b'\n');
            }
            Some(Value::Text(text.into()))
        }
        Type::Sequence(scalar) => {
            let is_float = scalar.kind() == Kind::Float;
            let item = |json: &Json| match json {
                Json::Null if is_float => Some(Value::Float(f64::NAN)),
                json => of_json(Type::Scalar(scalar), json),
            };
            sequence(scalar, found.into_iter().map(item))
        }
        Type::Scalar(_) => None,
    }
}

/// Values of a type as a sequence; `None` where one is missing.
fn sequence(scalar: Scalar, values: impl Iterator<Item = Option<Value>>) -> Option<Value> {
    fn all<T>(
        values: impl Iterator<Item = Option<Value>>,
        of: impl Fn(Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        values.map(|value| of(value?)).collect()
    }
    Some(Value::Sequence(match scalar.kind() {
        Kind::Bool => {
            Sequence::Bool(all(values, |value| if let Value::Bool(b) = value { Some(b) } else { None })?)
        }
        Kind::Int => {
            Sequence::Int(all(values, |value| if let Value::Int(i) = value { Some(i) } else { None })?)
        }
        Kind::Float => {
            Sequence::Float(all(values, |value| if let Value::Float(x) = value { Some(x) } else { None })?)
        }
    }))
}

/// A text as a line of a text: `\n` for a line feed, so that one text with a line feed and two texts are told apart, and `\\` for `\`.
fn on_a_line(text: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'\n' => line.extend(br"\n"),
            b'\\' => line.extend(br"\\"),
            byte => line.push(byte),
        }
    }
    line
}

/// What one step of a pointer finds: with `*` every element of a list. A key `*` of an object is a key as any other.
fn steps<'j>(json: &'j Json, step: &str) -> Option<Vec<&'j Json>> {
    match json {
        Json::Array(items) if step == "*" => Some(items.iter().collect()),
        _ => Some(vec![json.pointer(&format!("/{step}"))?]),
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

    fn read(how: FoundBy, ty: &str, stdout: &str) -> Option<String> {
        let value = Search::new(&how, ty.parse().expect("a type")).read(stdout.as_bytes());
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
    fn a_star_walks_all_elements() {
        let json = r#"{"items": [{"price": 1, "tags": ["a", "b"], "*": 5}, {"price": "2.5", "tags": ["c"], "*": 6}], "none": []}"#;
        let found = |pointer: &str, ty: &str| read(FoundBy::Json(pointer.into()), ty, json);
        assert_eq!(found("/items/*/price", "[f64]").as_deref(), Some("[1.0, 2.5]"));
        assert_eq!(found("/items/*/tags/*", "text").as_deref(), Some("\"a\\nb\\nc\\n\""));
        let hard = r#"["a\nb", "c\\", null, "null", ""]"#;
        let lines = read(FoundBy::Json("/*".into()), "text", hard);
        assert_eq!(lines.as_deref(), Some(r#""a\\nb\nc\\\\\n\\null\nnull\n\n""#));
        assert_eq!(found("/items/*/*", "[i32]").as_deref(), Some("[5, 6]"));
        assert_eq!(found("/none/*", "[f64]").as_deref(), Some("[]"));
        assert_eq!(found("/items/*/cost", "[f64]"), None);
        let json = r#"[{"a": 1, "t": "x"}, {"t": null, "b": {"c": 2}}, {"a": null}, {"a": 4.5, "b": null}]"#;
        let optional = |pointer: &str, ty: &str| read(FoundBy::Json(pointer.into()), ty, json);
        assert_eq!(optional("/*/a", "[f64]").as_deref(), Some("[1.0, nan, nan, 4.5]"));
        assert_eq!(optional("/*/b/c", "[f64]").as_deref(), Some("[nan, 2.0, nan, nan]"));
        assert_eq!(optional("/*/t", "text").as_deref(), Some("\"x\\n\\\\null\\n\\\\null\\n\\\\null\\n\""));
        assert_eq!(optional("/*/a", "[i64]"), None);
        assert_eq!(found("/items/*/tags", "[f64]"), None);
        assert_eq!(found("/items/*/price", "f64"), None);
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
