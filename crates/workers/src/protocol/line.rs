//! The lines of the protocol: what is sent, and what comes back.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use dodona_sources::json::{from_json, to_json};
use dodona_target::{Calls, Column, Ending, Malformed, Outcome, Shape, Signature, Value};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::framing::Framing;

/// The version of the protocol.
pub(super) const VERSION: u64 = 1;

/// Integers beyond this are written as text: a language whose only numbers are floats of 64 bits would round them.
const EXACT: i128 = 1 << 53;

/// What a worker is told before its first request, besides its functions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Hello<'a> {
    /// Bytes of memory that it may have.
    pub(crate) memory: u64,
    /// How long a call may take, for a worker that can end one.
    pub(crate) time: Duration,
    /// A folder with another version of the code.
    pub(crate) version: Option<&'a Path>,
}

impl Hello<'_> {
    /// The first line to a worker: the functions that it is to call.
    pub(crate) fn line(self, signatures: &[Signature], names: &[String], shapes: &[Option<Shape>]) -> String {
        let function = |((signature, name), shape): ((&Signature, &String), &Option<Shape>)| {
            let parameters: Vec<String> = signature.parameters.iter().map(|p| p.ty.to_string()).collect();
            json!({ "name": name, "parameters": parameters, "returns": shape.as_ref().map(described) })
        };
        let functions: Vec<Json> = signatures.iter().zip(names).zip(shapes).map(function).collect();
        let framings = Framing::OFFERED;
        let mut hello = json!({ "protocol": VERSION, "memory": self.memory, "framings": framings, "functions": functions });
        if !self.time.is_zero() {
            hello["time"] = self.time.as_secs_f64().into();
        }
        if let Some(folder) = self.version {
            hello["version"] = folder.to_string_lossy().into();
        }
        hello.to_string() + "\n"
    }
}

/// A shape as the protocol has it: the name of a type, or a list of what it is and its parts.
fn described(shape: &Shape) -> Json {
    match shape {
        Shape::Value(ty) => ty.to_string().into(),
        Shape::Option(value) => json!(["option", described(value)]),
        Shape::Result(value, error) => json!(["result", described(value), described(error)]),
        Shape::Tuple(parts) => tuple(parts.iter()),
        // Names are for relations alone: a worker gives the parts in their order.
        Shape::Named(parts) => tuple(parts.iter().map(|(_, part)| part)),
    }
}

fn tuple<'s>(parts: impl Iterator<Item = &'s Shape>) -> Json {
    std::iter::once(Json::from("tuple")).chain(parts.map(described)).collect()
}

/// What a worker says first.
#[derive(Debug, PartialEq)]
pub(super) enum Greeting {
    /// It is ready.
    Ready {
        framing: Framing,
        /// Whether it can tell what calls run.
        traces: bool,
        /// Whether it ends calls at their limit of time by itself.
        limits: bool,
    },
    Version(u64),
    Failed {
        kind: String,
        message: String,
        trace: String,
    },
    Garbled(String),
}

pub(super) fn greeting(line: &[u8]) -> Greeting {
    let Ok(said) = serde_json::from_slice::<Json>(line) else {
        return Greeting::Garbled(format!("its first line is no JSON: {}", shortened(line)));
    };
    let text = |value: &Json, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    match (said["protocol"].as_u64(), &said["error"]) {
        (Some(VERSION), Json::Null) => {
            match Framing::of(said["framing"].as_str().or(said.get("framing").map(|_| ""))) {
                Some(framing) => Greeting::Ready {
                    framing,
                    traces: said["traces"] == true && framing == Framing::Lines,
                    limits: said["limits"] == true && framing == Framing::Lines,
                },
                None => {
                    Greeting::Garbled(format!("it chose a framing that was not offered: {}", said["framing"]))
                }
            }
        }
        (Some(VERSION), error) => Greeting::Failed {
            kind: text(error, "type"),
            message: text(error, "message"),
            trace: text(error, "trace"),
        },
        (Some(other), _) => Greeting::Version(other),
        (None, _) => Greeting::Garbled(format!("its first line has no version: {}", shortened(line))),
    }
}

/// A line that asks for the calls of some rows.
pub(super) fn request(
    id: u64,
    function: usize,
    signature: &Signature,
    arguments: &[Column],
    rows: &[u32],
    traced: bool,
) -> String {
    let trace = if traced { "\"trace\":true," } else { "" };
    let mut line = format!("{{\"id\":{id},\"function\":{function},{trace}\"rows\":[");
    for (place, &row) in rows.iter().enumerate() {
        line.push_str(if place == 0 { "[" } else { ",[" });
        for (place, column) in arguments.iter().enumerate().take(signature.parameters.len()) {
            if place > 0 {
                line.push(',');
            }
            put(&mut line, column, row as usize);
        }
        line.push(']');
    }
    line.push_str("]}\n");
    line
}

/// Writes a value. Writing to a `String` cannot fail.
fn put(line: &mut String, column: &Column, row: usize) {
    match column {
        Column::Float(values) if values[row].is_finite() => _ = write!(line, "{:?}", values[row]),
        Column::Int(values) if -EXACT < values[row] && values[row] < EXACT => {
            _ = write!(line, "{}", values[row]);
        }
        _ => _ = write!(line, "{}", exact(&to_json(&column.value(row)))),
    }
}

/// The same JSON with every integer that a float would round as text.
fn exact(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(exact).collect(),
        Json::Number(number) => match number.as_i128() {
            Some(integer) if !(-EXACT < integer && integer < EXACT) => integer.to_string().into(),
            _ => json.clone(),
        },
        other => other.clone(),
    }
}

/// The answer to a request.
#[derive(Debug, PartialEq)]
pub(super) struct Answer {
    /// One value a row; `null` of a row that raised something.
    values: Vec<Json>,
    /// The rows that raised something, by their place.
    raised: Vec<(usize, Raised)>,
    /// What each row ran, where that was asked: its statements, and the edges of branches that it took.
    pub(super) ran: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Answer {
    /// Why the first row did not return: what it raised, or what it returned that is no value of its type.
    pub(super) fn ending(&self) -> Ending {
        match self.raised.first() {
            Some((_, raised)) => Ending {
                location: super::one_line(&raised.place),
                message: super::one_line(raised.malformed.as_deref().unwrap_or(&raised.message)),
            },
            None => {
                let value = self.values.first().map(Json::to_string).unwrap_or_default();
                Ending {
                    location: None,
                    message: Some(format!("it returned {}", shortened(value.as_bytes()))),
                }
            }
        }
    }
}

/// What a row raised, or why what it returned is no value of its type.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub(super) struct Raised {
    /// The type of the exception.
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) message: String,
    /// Where it was raised: `pricing.py:12`.
    #[serde(default)]
    pub(super) place: String,
    /// Where nothing was raised: what is wrong with the value.
    #[serde(default)]
    pub(super) malformed: Option<String>,
    /// Where nothing was raised: the call took longer than it may, and the worker ended it.
    #[serde(default)]
    pub(super) late: bool,
}

#[derive(Deserialize)]
struct Written {
    id: u64,
    values: Vec<Json>,
    #[serde(default)]
    raised: BTreeMap<String, Raised>,
    #[serde(default)]
    ran: Vec<(Vec<u32>, Vec<u32>)>,
}

/// Reads the answer to the request of a number, of so many rows.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn answer(line: &[u8], id: u64, rows: usize) -> Result<Answer, String> {
    let written: Written = serde_json::from_slice(line)
        .map_err(|error| format!("a line that is no answer ({error}): {}", shortened(line)))?;
    if written.id != id {
        return Err(format!("an answer to request {}, where {id} was asked", written.id));
    }
    if written.values.len() != rows {
        return Err(format!("{} values for {rows} rows", written.values.len()));
    }
    let mut raised = Vec::new();
    for (place, one) in written.raised {
        match place.parse::<usize>().ok().filter(|place| *place < rows) {
            Some(place) => raised.push((place, one)),
            None => return Err(format!("row {place:?} raised {}, and there are {rows} rows", one.kind)),
        }
    }
    raised.sort_by_key(|(place, _)| *place);
    Ok(Answer { values: written.values, raised, ran: written.ran })
}

/// Adds the calls of an answer to those before.
pub(super) fn add(answer: &Answer, shape: Option<&Shape>, calls: &mut Calls) {
    let mut raised = answer.raised.iter().peekable();
    for (place, json) in answer.values.iter().enumerate() {
        let outcome = match raised.next_if(|(row, _)| *row == place) {
            Some((_, one)) => super::raised(one),
            None => match values(json, shape) {
                Some(values) => {
                    calls.outcomes.push(Outcome::Returned);
                    for (column, value) in calls.outputs.iter_mut().zip(values) {
                        match value {
                            Some(value) => column.push(&value),
                            None => column.push_default(),
                        }
                    }
                    continue;
                }
                None => Outcome::Malformed(Malformed::Range),
            },
        };
        super::ended(outcome, calls);
    }
}

/// The value of each output, `None` for one that this call does not have; `None` as a whole where it is no value of the shape.
fn values(json: &Json, shape: Option<&Shape>) -> Option<Vec<Option<Value>>> {
    let Some(shape) = shape else { return Some(Vec::new()) };
    if let Shape::Value(ty) = shape {
        return Some(vec![Some(from_json(*ty, json).ok()?)]);
    }
    let mut values = Vec::new();
    read(json, shape, &mut values)?;
    shape.value_first(&mut values);
    Some(values)
}

fn read(json: &Json, shape: &Shape, values: &mut Vec<Option<Value>>) -> Option<()> {
    match shape {
        Shape::Value(ty) => values.push(Some(from_json(*ty, json).ok()?)),
        Shape::Option(value) => {
            let there = match json {
                Json::Null => None,
                Json::Array(items) if items.len() == 1 => Some(&items[0]),
                _ => return None,
            };
            values.push(Some(Value::Bool(there.is_some())));
            read_or_skip(there, value, values)?;
        }
        Shape::Result(value, error) => {
            let (ok, err) = (json.get("ok"), json.get("err"));
            if ok.is_some() == err.is_some() {
                return None;
            }
            values.push(Some(Value::Bool(ok.is_some())));
            read_or_skip(ok, value, values)?;
            read_or_skip(err, error, values)?;
        }
        Shape::Tuple(parts) => read_parts(json, parts.iter(), values)?,
        Shape::Named(parts) => read_parts(json, parts.iter().map(|(_, part)| part), values)?,
    }
    Some(())
}

fn read_parts<'s>(
    json: &Json,
    parts: impl ExactSizeIterator<Item = &'s Shape>,
    values: &mut Vec<Option<Value>>,
) -> Option<()> {
    let items = json.as_array().filter(|items| items.len() == parts.len())?;
    items.iter().zip(parts).try_for_each(|(item, part)| read(item, part, values))
}

/// Reads what is there, and leaves the outputs out of what is not.
fn read_or_skip(json: Option<&Json>, shape: &Shape, values: &mut Vec<Option<Value>>) -> Option<()> {
    match json {
        Some(json) => read(json, shape, values),
        None => {
            values.extend((0..shape.outputs().len()).map(|_| None));
            Some(())
        }
    }
}

/// The beginning of a line, for messages.
pub(super) fn shortened(line: &[u8]) -> String {
    const MOST: usize = 80;
    let text = String::from_utf8_lossy(line);
    let text = dodona_target::on_one_line(&text);
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use dodona_target::{Parameter, Scalar, Sequence, Type};
    use proptest::prelude::*;

    use super::*;

    const FLOAT: Type = Type::Scalar(Scalar::F64);
    const WIDE: Type = Type::Scalar(Scalar::U64);

    /// What a worker gets of a value, and what comes back where it returns the same.
    fn there_and_back(ty: Type, value: &Value) -> Value {
        let signature = Signature::new("f", vec![Parameter::new("x", ty)], Some(ty));
        let column = Column::one(ty, value);
        let line = request(1, 0, &signature, std::slice::from_ref(&column), &[0], false);
        let sent: Json = serde_json::from_str(&line).expect("it is JSON");
        let answered = json!({ "id": 1, "values": [sent["rows"][0][0]] }).to_string();
        let read = answer(answered.as_bytes(), 1, 1).expect("it is an answer");
        let mut calls = Calls { outcomes: Vec::new(), outputs: vec![Column::empty(ty)] };
        add(&read, Some(&Shape::Value(ty)), &mut calls);
        assert_eq!(calls.outcomes, [Outcome::Returned], "{value}");
        calls.outputs[0].value(0)
    }

    #[test]
    fn special_numbers_and_bytes_come_back_as_they_are() {
        for x in [-0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE / 4.0, f64::MAX, 0.1, 1e300] {
            let Value::Float(back) = there_and_back(FLOAT, &Value::Float(x)) else { panic!("{x}") };
            assert_eq!(back.to_bits(), x.to_bits(), "{x}");
        }
        let Value::Float(nan) = there_and_back(FLOAT, &Value::Float(f64::NAN)) else { panic!() };
        assert!(nan.is_nan());
        for n in [0, u64::MAX, 1 << 53, (1 << 53) + 1] {
            assert_eq!(there_and_back(WIDE, &Value::Int(n.into())), Value::Int(n.into()));
        }
        let bytes = Value::Text(b"a\xff\x00".as_slice().into());
        assert_eq!(there_and_back(Type::Text, &bytes), bytes);
        let sequence = Value::Sequence(Sequence::Float(vec![f64::NAN, 1.0]));
        assert_eq!(there_and_back(Type::Sequence(Scalar::F64), &sequence), sequence);
    }

    #[test]
    fn integers_that_a_float_would_round_are_text() {
        let signature = Signature::new("f", vec![Parameter::new("x", WIDE)], Some(WIDE));
        let line = request(3, 0, &signature, &[Column::Int(vec![(1 << 53) + 1, 7])], &[0, 1], false);
        assert_eq!(line, "{\"id\":3,\"function\":0,\"rows\":[[\"9007199254740993\"],[7]]}\n");
    }

    #[test]
    fn parts_are_told_and_missing_ones_are_left_out() {
        let number = || Box::new(Shape::Value(WIDE));
        let shape = Shape::Tuple(vec![Shape::Value(Type::Text), Shape::Option(number())]);
        assert_eq!(described(&shape), json!(["tuple", "text", ["option", "u64"]]));
        let some = values(&json!(["a", [7]]), Some(&shape)).expect("it is one");
        assert_eq!(some, [Some(Value::Text("a".into())), Some(Value::Bool(true)), Some(Value::Int(7))]);
        let none = values(&json!(["a", null]), Some(&shape)).expect("it is one");
        assert_eq!(none, [Some(Value::Text("a".into())), Some(Value::Bool(false)), None]);
        assert_eq!(values(&json!(["a"]), Some(&shape)), None);
        // The value itself comes first.
        let some = values(&json!([7]), Some(&Shape::Option(number()))).expect("it is one");
        assert_eq!(some, [Some(Value::Int(7)), Some(Value::Bool(true))]);
    }

    #[test]
    fn what_is_no_answer_says_why() {
        let why = |line: &str| answer(line.as_bytes(), 2, 1).expect_err("it is none");
        assert!(why("hello").starts_with("a line that is no answer"), "{}", why("hello"));
        assert_eq!(why("{\"id\":1,\"values\":[1]}"), "an answer to request 1, where 2 was asked");
        assert_eq!(why("{\"id\":2,\"values\":[1,2]}"), "2 values for 1 rows");
        let beyond = "{\"id\":2,\"values\":[null],\"raised\":{\"4\":{\"type\":\"E\"}}}";
        assert_eq!(why(beyond), "row \"4\" raised E, and there are 1 rows");
        let ready = |framing, [traces, limits]: [bool; 2]| Greeting::Ready { framing, traces, limits };
        let plain = ready(Framing::Lines, [false; 2]);
        assert_eq!(greeting(b"{\"protocol\":1,\"worker\":\"x\"}"), plain);
        let able = ready(Framing::Lines, [true; 2]);
        assert_eq!(greeting(b"{\"protocol\":1,\"traces\":true,\"limits\":true}"), able);
        let rows = ready(Framing::Rows, [false; 2]);
        assert_eq!(greeting(b"{\"protocol\":1,\"framing\":\"rows\",\"traces\":true}"), rows);
        for unknown in ["{\"protocol\":1,\"framing\":\"columns\"}", "{\"protocol\":1,\"framing\":7}"] {
            assert!(matches!(greeting(unknown.as_bytes()), Greeting::Garbled(_)));
        }
        assert_eq!(greeting(b"{\"protocol\":9}"), Greeting::Version(9));
        assert!(matches!(greeting(b"Hello"), Greeting::Garbled(_)));
    }

    proptest! {
        #[test]
        fn whatever_comes_is_an_answer_or_none(line in prop::collection::vec(any::<u8>(), 0..80)) {
            _ = answer(&line, 1, 1);
            _ = greeting(&line);
        }

        #[test]
        fn all_floats_come_back(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            let Value::Float(back) = there_and_back(FLOAT, &Value::Float(x)) else { panic!("{x}") };
            prop_assert!(back.to_bits() == bits || x.is_nan() && back.is_nan());
        }
    }
}
