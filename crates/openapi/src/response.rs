//! What a response holds: records, numbers, texts, and how many records there are in all.

use dodona_target::{Kind, Scalar, Type};
use serde_json::{Map, Value};

use crate::names::identifier;
use crate::resolve::{Resolver, Schema};
use crate::values;

/// A number or text of a response, or one of each record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in relations, as in `list_items(q).total`.
    pub name: String,
    /// The name in the document.
    pub original: String,
    /// Where it is found, as a JSON Pointer in which `*` stands for every element: `/items/*/price`.
    pub pointer: String,
    /// Its type; of a record, the type of one value.
    pub ty: Type,
    /// Whether it is null, or not there, in some records.
    pub may_be_null: bool,
}

impl Field {
    /// The type of the output that a relation sees: what each record has is a sequence of numbers, or lines of a text.
    pub fn output(&self) -> Type {
        match self.ty {
            Type::Scalar(scalar) if self.pointer.contains('*') => Type::Sequence(scalar),
            ty => ty,
        }
    }
}

/// An array of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records {
    /// Where the array is found: empty at the top, `/items` under a key.
    pub pointer: String,
    /// What each record has. Numbers that may be null are floats.
    pub fields: Vec<Field>,
    /// The index of the field that tells records apart.
    pub key: Option<usize>,
}

/// What a call returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The records of a list.
    pub records: Option<Records>,
    /// The number of records beyond one page: `total`, `count`.
    pub total: Option<Field>,
    /// Other numbers and texts, outside the records.
    pub fields: Vec<Field>,
}

/// Keys under which the number of all records stands.
const TOTALS: [&str; 8] = [
    "total",
    "total_count",
    "count",
    "total_items",
    "total_results",
    "total_elements",
    "total_records",
    "num_found",
];

/// Keys under which the records of a list are looked for first.
const LISTS: [&str; 5] = ["items", "data", "results", "records", "content"];

/// The response of an operation, of the codes that mean success.
///
/// # Errors
/// Why it has no value that relations can speak of.
pub(crate) fn response(resolver: &Resolver<'_>, responses: Option<&Value>) -> Result<Response, String> {
    let schema = success(resolver, responses)?;
    let schema = resolver.schema(&schema, None)?;
    if let Ok(ty) = values::ty(&schema.keys) {
        let field = Field {
            name: "value".to_owned(),
            original: "the value".to_owned(),
            pointer: String::new(),
            ty,
            may_be_null: false,
        };
        return Ok(Response { fields: vec![field], ..Response::default() });
    }
    let found = match schema.keys.get("items") {
        Some(items) => {
            Response { records: Some(records(resolver, items, &schema, "")?), ..Response::default() }
        }
        None => of_object(resolver, &schema, "")?,
    };
    match found.records.is_none() && found.total.is_none() && found.fields.is_empty() {
        true => Err("its response has no numbers, texts or records".to_owned()),
        false => Ok(found),
    }
}

/// The schema of what a call returns as JSON.
fn success(resolver: &Resolver<'_>, responses: Option<&Value>) -> Result<Value, String> {
    let responses = responses.and_then(Value::as_object);
    let codes = ["200", "201", "2XX", "default"];
    let response = codes
        .iter()
        .find_map(|code| responses?.get(*code))
        .ok_or("it has no response 200, 201 or default")?;
    let response = follow(resolver, response)?;
    json_schema(response.get("content")).ok_or_else(|| "its response is no JSON".to_owned())
}

/// The schema of the content that is JSON.
pub(crate) fn json_schema(content: Option<&Value>) -> Option<Value> {
    let content = content?.as_object()?;
    let is_json = |name: &str| {
        let name = name.split(';').next().unwrap_or_default().trim();
        name == "application/json" || name.ends_with("+json") || name == "*/*"
    };
    let (_, media) = content.iter().find(|(name, _)| is_json(name))?;
    media.get("schema").cloned()
}

/// An object of the document with its reference followed, for values that do not live in the document.
fn follow(resolver: &Resolver<'_>, value: &Value) -> Result<Map<String, Value>, String> {
    Ok(resolver.schema(value, None)?.keys)
}

/// What an object at this pointer holds. Of the objects in one at the top the records and the total count: `/data/items`, `/meta/total`.
fn of_object(resolver: &Resolver<'_>, schema: &Schema, at: &str) -> Result<Response, String> {
    let properties = properties(schema);
    let mut found = Response::default();
    let (mut lists, mut why): (Vec<(String, Records)>, Option<String>) = (Vec::new(), None);
    for (name, property) in properties {
        let child = match resolver.schema(property, Some(schema)) {
            Ok(child) => child,
            Err(error) => {
                why = Some(error);
                continue;
            }
        };
        let pointer = format!("{at}/{}", escaped(name));
        if let Ok(ty) = values::ty(&child.keys) {
            if child.is_nullable || !is_there(schema, name) {
                continue;
            }
            let field =
                Field { name: identifier(name), original: name.clone(), pointer, ty, may_be_null: false };
            match is_total(name)
                && matches!(ty, Type::Scalar(Scalar::I32 | Scalar::I64))
                && found.total.is_none()
            {
                true => found.total = Some(field),
                false => found.fields.push(field),
            }
        } else if let Some(items) = child.keys.get("items") {
            match records(resolver, items, &child, &pointer) {
                Ok(records) => lists.push((name.clone(), records)),
                Err(error) => why = Some(error),
            }
        } else if at.is_empty()
            && let Ok(inner) = of_object(resolver, &child, &pointer)
        {
            lists.extend(inner.records.map(|records| (name.clone(), records)));
            // Without records a total is the first of the fields.
            let total = || inner.fields.into_iter().find(|field| is_total(&field.original));
            found.total = found.total.or(inner.total).or_else(total);
        }
    }
    choose_list(&mut found, lists);
    match (found.records.is_none() && found.fields.is_empty(), why) {
        (true, Some(why)) => Err(why),
        _ => Ok(found),
    }
}

/// Takes the list under the most usual key; without a list a total is a number like any other.
fn choose_list(found: &mut Response, mut lists: Vec<(String, Records)>) {
    let usual = LISTS.iter().find_map(|usual| lists.iter().position(|(name, _)| name == usual));
    if !lists.is_empty() {
        found.records = Some(lists.swap_remove(usual.unwrap_or(0)).1);
    } else if let Some(total) = found.total.take() {
        found.fields.insert(0, total);
    }
}

/// The records of an array with these elements.
fn records(resolver: &Resolver<'_>, items: &Value, list: &Schema, pointer: &str) -> Result<Records, String> {
    let record = resolver.schema(items, Some(list))?;
    if let Ok(ty) = values::ty(&record.keys) {
        let field = Field {
            name: "value".to_owned(),
            original: "the value".to_owned(),
            pointer: format!("{pointer}/*"),
            ty,
            may_be_null: false,
        };
        return Ok(Records { pointer: pointer.to_owned(), fields: vec![field], key: None });
    }
    let mut fields = Vec::new();
    for (name, property) in properties(&record) {
        let Ok(child) = resolver.schema(property, Some(&record)) else { continue };
        let Ok(ty) = values::ty(&child.keys) else { continue };
        let is_always_there = !child.is_nullable && (is_there(&record, name) || is_key_name(name));
        let Some(ty) = (if is_always_there { Some(ty) } else { with_null(ty) }) else { continue };
        let pointer = format!("{pointer}/*/{}", escaped(name));
        let may_be_null = !is_always_there;
        fields.push(Field { name: identifier(name), original: name.clone(), pointer, ty, may_be_null });
    }
    if fields.is_empty() {
        return Err("its records have no numbers or texts".to_owned());
    }
    // Null tells no record.
    let with = |is: &dyn Fn(&Field) -> bool| fields.iter().position(|field| !field.may_be_null && is(field));
    let key = with(&|field| field.original == "id").or_else(|| with(&|field| is_key_name(&field.original)));
    Ok(Records { pointer: pointer.to_owned(), fields, key })
}

/// The type of values of which some are null: NaN among floats, and a word of its own among texts.
fn with_null(ty: Type) -> Option<Type> {
    match ty {
        Type::Scalar(scalar) if scalar.kind() == Kind::Bool => None,
        Type::Scalar(_) => Some(Type::Scalar(Scalar::F64)),
        ty => Some(ty),
    }
}

fn is_key_name(name: &str) -> bool {
    is_one_of(name, &["id", "uuid", "key", "slug", "sku", "code", "isbn"])
}

fn is_total(name: &str) -> bool {
    is_one_of(name, &TOTALS)
}

/// Whether a name has the words of one of these.
fn is_one_of(name: &str, those: &[&str]) -> bool {
    those.contains(&crate::names::words(name).join("_").as_str())
}

fn properties(schema: &Schema) -> impl Iterator<Item = (&String, &Value)> {
    schema.keys.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// Whether a property is in every object. Where a schema does not say of any property that it is required, nobody thought of it.
fn is_there(schema: &Schema, name: &str) -> bool {
    let required = schema.keys.get("required").and_then(Value::as_array);
    required.is_none_or(|required| required.iter().any(|one| one == name))
}

/// A name in a JSON Pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
