//! One request of a web service: its method, path, query, headers and body.

use std::ops::Range;

use dodona_target::{Diagnostic, on_one_line};

use super::super::section::Item;
use super::found::is_header_name;
use super::json_template::json_template;
use super::template::template;
use crate::outside::{HttpBody, HttpRequest, Template, TemplatePart};

/// The methods of requests.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Headers that the client itself writes, from the address and the body.
const OF_THE_CLIENT: [&str; 4] = ["host", "content-length", "transfer-encoding", "connection"];

type Fields = Vec<(String, Template)>;

/// The keys that say what a request is, of a function or of a step of its setup.
#[derive(Clone, Copy)]
pub(super) struct RequestKeys<'a> {
    pub(super) request: Item<'a>,
    pub(super) query: Option<Item<'a>>,
    pub(super) headers: Option<Item<'a>>,
    pub(super) json: Option<Item<'a>>,
    pub(super) form: Option<Item<'a>>,
}

impl RequestKeys<'_> {
    /// The request, in which values of these names may stand. `common` are the headers of all requests.
    pub(super) fn read(&self, common: Option<Item<'_>>, names: &[String]) -> Option<HttpRequest> {
        let (method, path) = request(&self.request, names)?;
        let query = self.query.map_or(Some(Vec::new()), |item| fields(&item, names))?;
        let headers = headers(common, self.headers, names)?;
        let body = body(&method, self.json, self.form, names)?;
        Some(HttpRequest { method, path, query, headers, body })
    }
}

/// The method and the path of `GET /items/{id}`.
pub(super) fn request(item: &Item<'_>, names: &[String]) -> Option<(String, Template)> {
    let mut template = template(item, names)?;
    let wrong = |said: String, hint: &str| {
        item.problem(Diagnostic::new(item.span(), said).hint(hint));
        None
    };
    let first = match template.parts.first_mut() {
        Some(TemplatePart::Text(first)) => first,
        _ => return wrong("a request begins with its method".to_owned(), "write \"GET /path/{parameter}\""),
    };
    let Some((method, path)) = first.split_once(' ') else {
        return wrong("a request is a method and a path".to_owned(), "write \"GET /path/{parameter}\"");
    };
    if !METHODS.contains(&method) {
        let said = format!("`{}` is no method of a request", on_one_line(method));
        return wrong(said, &format!("write one of {}", METHODS.join(", ")));
    }
    if !path.starts_with('/') {
        return wrong(
            "the path of a request begins with `/`".to_owned(),
            "it stands behind the address of [target] http",
        );
    }
    let method = method.to_owned();
    *first = path.to_owned();
    let texts = template.parts.iter().filter_map(|part| match part {
        TemplatePart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    if let Some(c) = texts.flat_map(str::chars).find(|c| !u8::try_from(*c).is_ok_and(is_of_path)) {
        let said = format!("`{}` cannot stand in a path", on_one_line(&c.to_string()));
        return wrong(said, "percent-encode it; the values of parameters are encoded by themselves");
    }
    Some((method, template))
}

/// The fields of a query or a form.
fn fields(item: &Item<'_>, names: &[String]) -> Option<Fields> {
    let section = item.section("a table of fields")?;
    section.named().map(|(name, _, item)| Some((name.to_owned(), template(&item, names)?))).collect()
}

/// The headers of all requests and those of a function, which stand for them.
fn headers(common: Option<Item<'_>>, own: Option<Item<'_>>, names: &[String]) -> Option<Fields> {
    let mut headers: Fields = Vec::new();
    for item in common.into_iter().chain(own) {
        for (name, span, item) in item.section("a table of headers")?.named() {
            let name = header_name(name, span, &item)?;
            let value = header_value(&item, names)?;
            headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            headers.push((name, value));
        }
    }
    Some(headers)
}

pub(super) fn header_name(name: &str, span: Range<usize>, item: &Item<'_>) -> Option<String> {
    if !is_header_name(name) {
        item.problem(Diagnostic::new(span, format!("`{}` is no name of a header", on_one_line(name))));
        return None;
    }
    if OF_THE_CLIENT.contains(&name.to_ascii_lowercase().as_str()) {
        let problem = Diagnostic::new(span, format!("`{name}` is written by Dodona itself"));
        item.problem(problem.hint("remove it: it follows from the address and the body"));
        return None;
    }
    Some(name.to_owned())
}

fn header_value(item: &Item<'_>, names: &[String]) -> Option<Template> {
    let value = template(item, names)?;
    let problem = |said: &str, hint: &str| {
        item.problem(Diagnostic::new(item.span(), said).hint(hint));
        None
    };
    if value.fixed().is_some_and(|text| text.starts_with("env:")) {
        return problem(
            "a header from the environment stands under `secrets`",
            "write [target] secrets = { Authorization = \"API_TOKEN\" }",
        );
    }
    for part in &value.parts {
        match part {
            TemplatePart::Text(text) if !is_header_text(text) => {
                return problem("a header has visible characters of ASCII and spaces", "encode the others");
            }
            TemplatePart::Words(_) => {
                return problem("a header has one value", "write {xs} for one with commas");
            }
            _ => {}
        }
    }
    Some(value)
}

pub(super) fn is_header_text(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

fn body(method: &str, json: Option<Item<'_>>, form: Option<Item<'_>>, names: &[String]) -> Option<HttpBody> {
    if let (Some(item), "GET" | "HEAD") = (json.or(form), method) {
        let problem = Diagnostic::new(item.span(), format!("a {method} request has no body"));
        item.problem(problem.hint("write `query` in place of it, or another method"));
        return None;
    }
    match (json, form) {
        (None, None) => Some(HttpBody::None),
        (Some(item), None) => Some(HttpBody::Json(json_template(&item, names)?)),
        (None, Some(item)) => Some(HttpBody::Form(fields(&item, names)?)),
        (Some(_), Some(item)) => {
            item.problem(
                Diagnostic::new(item.span(), "a request has one body").hint("keep `json` or `form`"),
            );
            None
        }
    }
}

/// Whether a byte stands in paths and queries as it is.
pub(super) fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte)
}
