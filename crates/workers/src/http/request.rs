//! Requests: what a call becomes.

use dodona_sources::json::to_json;
use dodona_subject::{HttpBody, HttpRequest, JsonTemplate, Template, TemplatePart};
use dodona_target::{Column, Value};
use serde_json::Value as Json;

use super::encode::{encoded, encoded_in_path};
use crate::filled::{elements, filled};

/// A request to a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    /// The path with its query, behind the base.
    pub(super) path: String,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    /// The type of the body, and the body.
    pub(super) body: Option<(&'static str, Vec<u8>)>,
}

impl Request {
    /// A request without headers and body.
    pub(super) fn new(method: &str, path: &str) -> Request {
        Request { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: None }
    }

    /// The request of a row of arguments.
    pub(super) fn of(request: &HttpRequest, arguments: &[Column], row: usize) -> Request {
        let mut path = in_path(&request.path, arguments, row);
        let query = fields(&request.query, arguments, row);
        if !query.is_empty() {
            path.push(if path.contains('?') { '&' } else { '?' });
            path += &query;
        }
        let header = |(name, value): &(String, Template)| (name.clone(), filled(value, arguments, row));
        let body = match &request.body {
            HttpBody::None => None,
            HttpBody::Json(json) => {
                Some(("application/json", json_body(json, arguments, row).to_string().into_bytes()))
            }
            HttpBody::Form(form) => {
                Some(("application/x-www-form-urlencoded", fields(form, arguments, row).into_bytes()))
            }
        };
        let headers = request.headers.iter().map(header).collect();
        Request { method: request.method.clone(), path, headers, body }
    }

    /// Whether it may be made once more without a change of what it means (RFC 9110, 9.2.2).
    pub(super) fn is_idempotent(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "PUT" | "DELETE" | "OPTIONS")
    }
}

/// A path with encoded values in it. What the manifest writes stands as it is.
fn in_path(template: &Template, arguments: &[Column], row: usize) -> String {
    let parts = template.parts.iter().map(|part| match part {
        TemplatePart::Text(text) => text.clone(),
        TemplatePart::Parameter(index) | TemplatePart::Words(index) => {
            encoded_in_path(&elements(&arguments[*index].value(row)).join(&b','))
        }
    });
    parts.collect()
}

/// Fields of a query or a form: `key=value`, once for each element where the template says so.
fn fields(fields: &[(String, Template)], arguments: &[Column], row: usize) -> String {
    let mut pairs = Vec::new();
    for (key, template) in fields {
        let values = match template.parts.as_slice() {
            [TemplatePart::Words(index)] => elements(&arguments[*index].value(row)),
            _ => vec![filled(template, arguments, row)],
        };
        let pair = |value: Vec<u8>| format!("{}={}", encoded(key.as_bytes()), encoded(&value));
        pairs.extend(values.into_iter().map(pair));
    }
    pairs.join("&")
}

/// A body of JSON. JSON has texts of UTF-8 alone: other bytes become U+FFFD.
fn json_body(template: &JsonTemplate, arguments: &[Column], row: usize) -> Json {
    let text = |bytes: &[u8]| Json::from(String::from_utf8_lossy(bytes).into_owned());
    match template {
        JsonTemplate::Fixed(json) => json.clone(),
        JsonTemplate::Parameter(index) => match arguments[*index].value(row) {
            Value::Text(bytes) => text(&bytes),
            value => to_json(&value),
        },
        JsonTemplate::Text(template) => text(&filled(template, arguments, row)),
        JsonTemplate::List(items) => items.iter().map(|item| json_body(item, arguments, row)).collect(),
        JsonTemplate::Object(fields) => {
            let fields = fields.iter().map(|(name, field)| (name.clone(), json_body(field, arguments, row)));
            Json::Object(fields.collect())
        }
    }
}
