//! Writes the first manifest of a service and its file of relations.

use std::fmt::Write as _;

use dodona_target::{Domain, Number, NumberRange, Sampling, Type, Value, on_one_line};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::candidates::{Candidate, Candidates, Changes, candidates};
use crate::functions::{Function, Step};
use crate::operation::Operation;
use crate::operations::Api;
use crate::parameter::{Parameter, Place};

/// A manifest and a relation file to edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The text of the manifest.
    pub manifest: String,
    /// The text of the relation file.
    pub relations: String,
    /// How many functions were drafted, without those that are commented out.
    pub functions: usize,
    /// The functions and relations that both were written from.
    pub candidates: Candidates,
}

/// How a service is called, besides what its document says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Called<'a> {
    /// Where it is; without it at the first server of the document, or on this machine.
    pub address: Option<&'a str>,
    /// The request that brings it into its first state, if there is one: `POST /reset`.
    pub reset: Option<&'a str>,
}

/// Writes a first manifest of a service with this name; its relations are in `NAME.mr`.
///
/// What changes something (`POST`, `PUT`, `PATCH`, `DELETE`) is commented out where no reset is named, because functions are called hundreds of times with values that are drawn,
/// and relations of it would compare different states.
///
/// ```
/// use dodona_openapi::Called;
///
/// let api = dodona_openapi::read(r#"{"openapi": "3.1.0", "paths": {"/now": {"get":
///     {"responses": {"200": {"content": {"application/json": {"schema": {"type": "number"}}}}}}}}}"#).unwrap();
/// let draft = dodona_openapi::draft(&api, "clock", Called { address: Some("http://127.0.0.1:8000"), reset: None });
/// assert!(draft.manifest.contains("signature = \"get_now() -> f64\"\nrequest = \"GET /now\""));
/// ```
pub fn draft(api: &Api, name: &str, called: Called<'_>) -> Draft {
    let changes = if called.reset.is_some() { Changes::Undone } else { Changes::Kept };
    let found = candidates(api, changes);
    let address = called.address.map_or_else(|| api.address(None), str::to_owned);
    let file = format!("{name}.mr");
    let mut manifest = format!(
        "# {}: drafted from its OpenAPI document. Check domains and what was assumed, then run `dodona check` with this file.\n\
         name = {}\nrelations = [{}]\n\n[target]\nhttp = {}\n",
        on_one_line(&api.title),
        quoted(name),
        quoted(&file),
        quoted(&address)
    );
    if let Some(reset) = called.reset {
        let _ = writeln!(manifest, "reset = {}", quoted(reset));
    }
    let mut functions = 0;
    for function in &found.functions {
        let Some(operation) = api.operations.get(function.operation) else { continue };
        let entry = entry(function, operation, &api.operations);
        match called.reset.is_some() || function.is_safe(&api.operations) {
            true => {
                functions += 1;
                manifest += &entry;
            }
            false => {
                manifest += "\n# It changes what later calls return; remove the `#` where that is meant, and name a `reset` under [target].";
                entry.lines().for_each(|line| _ = write!(manifest, "\n# {line}"));
                manifest.push('\n');
            }
        }
    }
    let has_function =
        |operation: usize| found.functions.iter().any(|function| function.operation == operation);
    for (_, operation) in api.operations.iter().enumerate().filter(|(index, _)| !has_function(*index)) {
        let _ = write!(
            manifest,
            "\n# left out {} {}: its response has no numbers, texts or records; a `setup` can send it",
            operation.method,
            on_one_line(&operation.path)
        );
    }
    for left in &api.left {
        let _ = write!(manifest, "\n# left out {}: {}", on_one_line(&left.what), on_one_line(&left.why));
    }
    if !api.left.is_empty() {
        manifest.push('\n');
    }
    Draft { manifest, relations: relations(name, &found, |_| None), functions, candidates: found }
}

/// The file of relations of a service with this name: candidates, each with what it states and what is `told` of it.
pub fn relations(name: &str, found: &Candidates, told: impl Fn(&Candidate) -> Option<String>) -> String {
    let mut text = format!(
        "# {}.mr: candidate relations, after the output patterns of Segura et al., Metamorphic Testing of RESTful Web APIs (2018).\n\
         # What parameters do was guessed from their names and types: delete what your service does not promise.\n",
        on_one_line(name)
    );
    for relation in &found.relations {
        let _ = writeln!(text, "\n# {}: {}", relation.pattern.name(), on_one_line(&relation.states));
        if let Some(told) = told(relation) {
            let _ = writeln!(text, "# {}", on_one_line(&told));
        }
        text += &relation.text;
    }
    if !found.left.is_empty() {
        text.push('\n');
    }
    for left in &found.left {
        let _ = writeln!(text, "# left out {}: {}", on_one_line(&left.what), on_one_line(&left.why));
    }
    text
}

/// The entry of a function.
fn entry(function: &Function, operation: &Operation, operations: &[Operation]) -> String {
    let mut text = "\n[[function]]\n".to_owned();
    if let Some(about) = operation.about.as_ref().filter(|_| function.setup.is_empty()) {
        let _ = writeln!(text, "# {}", on_one_line(about));
    }
    let _ = writeln!(text, "signature = {}", quoted(&function.written(operations)));
    if !function.setup.is_empty() {
        let steps = function.setup.iter().filter_map(|step| Some((step, operations.get(step.operation)?)));
        let steps: String =
            steps.map(|(step, operation)| format!("  {},\n", written(step, operation))).collect();
        let _ = writeln!(text, "setup = [\n{steps}]");
    }
    let given = function.given.iter().map(|index| (*index, None));
    let fixed = function.fixed.iter().map(|(index, value)| (*index, Some(value.as_str())));
    for line in request_lines(operation, &given.chain(fixed).collect::<Vec<_>>()) {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "output = {{ json = {} }}", quoted(&function.output.pointer));
    for field in &function.outputs {
        let (ty, pointer) = (quoted(&field.output().to_string()), quoted(&field.pointer));
        let _ = writeln!(text, "outputs.{} = {{ type = {ty}, json = {pointer} }}", field.name);
    }
    for parameter in function.parameters(operations) {
        text += &lines(parameter);
    }
    text
}

/// A step of a setup, as a table.
fn written(step: &Step, operation: &Operation) -> String {
    let given = step.given.iter().map(|index| (*index, None));
    let kept: Option<(usize, String)> =
        step.takes.as_ref().map(|(index, name)| (*index, format!("{{{name}}}")));
    let kept = kept.iter().map(|(index, value)| (*index, Some(value.as_str())));
    let mut keys = request_lines(operation, &given.chain(kept).collect::<Vec<_>>());
    keys.extend(
        step.keeps.iter().map(|(name, pointer)| format!("keep.{name} = {{ json = {} }}", quoted(pointer))),
    );
    format!("{{ {} }}", keys.join(", "))
}

/// The keys of a request, in which each of these parameters stands: as itself, or as what is written for it.
fn request_lines(operation: &Operation, given: &[(usize, Option<&str>)]) -> Vec<String> {
    let mut lines = vec![format!("request = {}", quoted(&request(operation, given)))];
    for (place, key) in [(Place::Query, "query"), (Place::Header, "headers"), (Place::Body, "json")] {
        let pairs = sent(operation, given, place);
        if !pairs.is_empty() {
            lines.push(format!("{key} = {{ {} }}", pairs.join(", ")));
        }
    }
    lines
}

/// `GET /items/{item_id}`, with the names of the signature.
fn request(operation: &Operation, given: &[(usize, Option<&str>)]) -> String {
    let mut path = in_address(&operation.path);
    for (index, parameter) in operation.parameters.iter().enumerate().filter(|(_, p)| p.place == Place::Path)
    {
        let original = in_address(&format!("{{{}}}", parameter.original));
        let instead = given.iter().find_map(|(other, value)| value.filter(|_| *other == index));
        path = path
            .replace(&original, &instead.map_or_else(|| format!("{{{}}}", parameter.name), str::to_owned));
    }
    format!("{} {path}", operation.method)
}

/// What stands in no path of an address. Braces do: they are parameters.
const NOT_IN_PATHS: AsciiSet = CONTROLS
    .add(b' ')
    .add(b'#')
    .add(b'?')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'[')
    .add(b']')
    .add(b'|');

/// A path as a request has it.
fn in_address(path: &str) -> String {
    utf8_percent_encode(path, &NOT_IN_PATHS).to_string()
}

/// What stands in a part of the request, as keys with values.
fn sent(operation: &Operation, given: &[(usize, Option<&str>)], place: Place) -> Vec<String> {
    let pairs = given.iter().filter_map(|(index, value)| {
        let parameter = operation.parameters.get(*index).filter(|parameter| parameter.place == place)?;
        let value = value.map_or_else(|| format!("{{{}}}", parameter.name), str::to_owned);
        Some(format!("{} = {}", key(&parameter.original), quoted(&value)))
    });
    pairs.collect()
}

/// The lines of a parameter: what is to be known of it, its domain, and how it is drawn.
fn lines(parameter: &Parameter) -> String {
    let mut text = String::new();
    let Parameter { name, ty, domain, sampling, .. } = parameter;
    for note in &parameter.notes {
        let _ = writeln!(text, "# {name}: {}", on_one_line(note));
    }
    if let Some(list) = &parameter.values_from {
        let _ = writeln!(
            text,
            "# {name}: {list} returns the values that name something; list some of them: domain.{name} = {{ values = [..] }}"
        );
    }
    let domain = domain_keys(*ty, domain);
    if !domain.is_empty() {
        let _ = writeln!(text, "domain.{name} = {{ {} }}", domain.join(", "));
    }
    let sampling = sampling_keys(sampling);
    if !sampling.is_empty() {
        let _ = writeln!(text, "sample.{name} = {{ {} }}", sampling.join(", "));
    }
    text
}

fn domain_keys(ty: Type, domain: &Domain) -> Vec<String> {
    let mut keys = Vec::new();
    let is_bool = ty == Type::Scalar(dodona_target::Scalar::Bool);
    let (points, ranges): (Vec<&NumberRange>, Vec<&NumberRange>) =
        domain.numbers.ranges.iter().partition(|range| range.low == range.high);
    keys.extend(ranges.first().map(|range| format!("range = {}", pair(range))));
    if !points.is_empty() {
        let written = |range: &&NumberRange| match (is_bool, range.low) {
            (true, Number::Int(bit)) => (bit != 0).to_string(),
            (_, low) => number(low),
        };
        keys.push(format!("values = [{}]", points.iter().map(written).collect::<Vec<_>>().join(", ")));
    }
    if !domain.numbers.except.is_empty() {
        let except: Vec<String> = domain.numbers.except.iter().map(|except| number(*except)).collect();
        keys.push(format!("except = [{}]", except.join(", ")));
    }
    keys.extend(domain.length.map(|(low, high)| format!("length = [{low}, {high}]")));
    keys.extend(domain.alphabet.as_deref().map(alphabet));
    if let Some(texts) = &domain.texts {
        keys.push(format!(
            "values = [{}]",
            texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ")
        ));
    }
    keys
}

fn sampling_keys(sampling: &Sampling) -> Vec<String> {
    let mut keys: Vec<String> =
        sampling.range.iter().map(|range| format!("range = {}", pair(range))).collect();
    keys.extend(sampling.length.map(|(low, high)| format!("length = [{low}, {high}]")));
    keys.extend(sampling.alphabet.as_deref().map(alphabet));
    let favoured = sampling.favour.iter().filter_map(|value| match value {
        Value::Int(x) => Some(x.to_string()),
        Value::Float(x) => Some(number(Number::Float(*x))),
        Value::Text(text) => Some(quoted(&text.to_string())),
        _ => None,
    });
    let favoured: Vec<String> = favoured.collect();
    if !favoured.is_empty() {
        keys.push(format!("favour = [{}]", favoured.join(", ")));
    }
    keys
}

fn pair(range: &NumberRange) -> String {
    format!("[{}, {}]", number(range.low), number(range.high))
}

/// A number as TOML has it.
fn number(number: Number) -> String {
    match number {
        Number::Int(x) => x.to_string(),
        Number::Float(x) => format!("{x:?}"),
    }
}

/// An alphabet, as ranges where three characters or more follow each other.
fn alphabet(characters: &[char]) -> String {
    let mut sorted = characters.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut runs: Vec<(char, char)> = Vec::new();
    for c in sorted {
        match runs.last_mut() {
            Some((_, last)) if *last as u32 + 1 == c as u32 => *last = c,
            _ => runs.push((c, c)),
        }
    }
    let (ranges, single): (Vec<_>, Vec<_>) =
        runs.into_iter().partition(|(low, high)| *high as u32 - *low as u32 > 1);
    let single: String = single.into_iter().flat_map(|(low, high)| low..=high).collect();
    let ranges: Vec<String> = ranges.iter().map(|(low, high)| quoted(&format!("{low}-{high}"))).collect();
    let mut keys = Vec::new();
    if !single.is_empty() || ranges.is_empty() {
        keys.push(format!("alphabet = {}", quoted(&single)));
    }
    if !ranges.is_empty() {
        keys.push(format!("alphabet-ranges = [{}]", ranges.join(", ")));
    }
    keys.join(", ")
}

/// A key as TOML has it: bare where it may be.
fn key(name: &str) -> String {
    let is_bare =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if is_bare { name.to_owned() } else { quoted(name) }
}

/// A text as TOML writes it, on one line. The escapes of JSON are those of TOML, which does not have the character DEL as it is.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
