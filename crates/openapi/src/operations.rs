//! The operations of a document, each with typed parameters, or with the reason why it has none.

use serde_json::{Map, Value as Json};

use crate::names::{Names, identifier, words};
use crate::operation::Operation;
use crate::parameter::{Parameter, Place, sent};
use crate::resolve::Resolver;
use crate::response::{Response, json_schema, response};
use crate::values::{Values, values};

/// What a document says of a service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// The title of the document.
    pub title: String,
    /// The address of the first server, if it is one that can be called: `https://shop.example/v1`, or a path on the host that gave the document, `/v1`.
    pub server: Option<String>,
    /// Those that can be called, in the order of their paths.
    pub operations: Vec<Operation>,
    /// Those that cannot, and optional parameters that cannot be given.
    pub left: Vec<Left>,
}

/// Something of a document that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// `GET /items`, with the parameter if it is one alone.
    pub what: String,
    /// What stands in the way.
    pub why: String,
}

impl Api {
    /// Where the service is called: the first server of the document, where it is a path on `host` or else on this machine.
    pub fn address(&self, host: Option<&str>) -> String {
        let host = host.unwrap_or("http://127.0.0.1:8000");
        match self.server.as_deref() {
            Some(server) if !server.starts_with('/') => server.to_owned(),
            path => format!("{host}{}", path.unwrap_or_default()),
        }
    }
}

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The operations of a document of 3.1.
pub(crate) fn api(document: &Map<String, Json>) -> Api {
    let resolver = Resolver::new(document);
    let title = document.get("info").and_then(|info| info.get("title")).and_then(Json::as_str);
    let mut api =
        Api { title: title.unwrap_or("api").to_owned(), server: server(document), ..Api::default() };
    let mut names = Names::default();
    for (path, item) in document.get("paths").and_then(Json::as_object).into_iter().flatten() {
        let item = match resolver.object(item) {
            Ok(item) => item,
            Err(why) => {
                api.left.push(Left { what: path.clone(), why });
                continue;
            }
        };
        for method in METHODS {
            let Some(operation) = item.get(method).and_then(Json::as_object) else { continue };
            let mut reader = Reader {
                resolver: &resolver,
                what: format!("{} {path}", method.to_uppercase()),
                left: Vec::new(),
            };
            match reader.operation(method, path, item, operation) {
                Ok(mut operation) => {
                    operation.name = names.free(&operation.name);
                    api.operations.push(operation);
                }
                Err(why) => reader.left.push(Left { what: reader.what.clone(), why }),
            }
            api.left.append(&mut reader.left);
        }
    }
    identify(&mut api.operations);
    for operation in &mut api.operations {
        crate::roles::habits(operation);
    }
    api
}

/// The address of the first server, with the defaults of its variables.
fn server(document: &Map<String, Json>) -> Option<String> {
    let server = document.get("servers")?.as_array()?.first()?;
    let mut url = server.get("url")?.as_str()?.to_owned();
    for (name, variable) in server.get("variables").and_then(Json::as_object).into_iter().flatten() {
        if let Some(default) = variable.get("default").and_then(Json::as_str) {
            url = url.replace(&format!("{{{name}}}"), default);
        }
    }
    // A variable without a default, or a name with a password, is nothing that a manifest can have.
    if url.contains(['{', '@', '?', '#']) {
        return None;
    }
    let is_address = url.starts_with("http://") || url.starts_with("https://");
    let is_path = url.starts_with('/') && !url.starts_with("//");
    (is_address || is_path).then(|| url.trim_end_matches('/').to_owned())
}

/// Reads one operation.
struct Reader<'r, 'd> {
    resolver: &'r Resolver<'d>,
    what: String,
    left: Vec<Left>,
}

impl<'d> Reader<'_, 'd> {
    fn operation(
        &mut self,
        method: &str,
        path: &str,
        item: &'d Map<String, Json>,
        operation: &'d Map<String, Json>,
    ) -> Result<Operation, String> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let own = operation.get("parameters").and_then(Json::as_array).into_iter().flatten();
        let common = item.get("parameters").and_then(Json::as_array).into_iter().flatten();
        let mut seen: Vec<(&str, &str)> = Vec::new();
        for declared in own.chain(common) {
            let declared = self.resolver.object(declared).map_err(|why| format!("a parameter: {why}"))?;
            let text = |key: &str| declared.get(key).and_then(Json::as_str).unwrap_or_default();
            // A parameter of the operation stands in place of one of its path.
            if seen.contains(&(text("name"), text("in"))) {
                continue;
            }
            seen.push((text("name"), text("in")));
            // A path may lack a parameter that is declared for several paths.
            if text("in") == "path" && !path.contains(&format!("{{{}}}", text("name"))) {
                continue;
            }
            parameters.extend(self.parameter(declared, text("name"), text("in"))?);
        }
        // What a GET request has for a body means nothing (RFC 9110, section 9.3.1).
        if let Some(body) = operation.get("requestBody").filter(|_| method != "get") {
            parameters.extend(self.body(body)?);
        }
        every_part_is_given(path, &parameters)?;
        let mut names = Names::default();
        for parameter in &mut parameters {
            parameter.name = names.free(&parameter.original);
        }
        let response = match response(self.resolver, operation.get("responses")) {
            // What changes something need not say anything.
            Err(_) if method != "get" => Response::default(),
            response => response?,
        };
        let line = |key: &str| operation.get(key).and_then(Json::as_str).and_then(|text| text.lines().next());
        let about = line("summary").or_else(|| line("description")).filter(|line| !line.is_empty());
        Ok(Operation {
            name: name(operation, method, path),
            method: method.to_uppercase(),
            path: path.to_owned(),
            about: about.map(str::to_owned),
            parameters,
            response,
        })
    }

    /// A parameter; none if it cannot be given and need not be.
    fn parameter(
        &mut self,
        declared: &Map<String, Json>,
        name: &str,
        place: &str,
    ) -> Result<Option<Parameter>, String> {
        let is_required = place == "path" || declared.get("required") == Some(&Json::Bool(true));
        // The specification has these ignored: other keys say them.
        let is_told_elsewhere =
            ["accept", "content-type", "authorization"].contains(&name.to_lowercase().as_str());
        if place == "header" && is_told_elsewhere {
            return Ok(None);
        }
        let place = match place {
            "path" => Ok(Place::Path),
            "query" => Ok(Place::Query),
            "header" if cannot_be_given(name) => {
                Err("it is no header that a request can be given".to_owned())
            }
            "header" => Ok(Place::Header),
            other => Err(format!("it stands in `{other}`")),
        };
        let schema = declared.get("schema").cloned().or_else(|| json_schema(declared.get("content")));
        let found = place.and_then(|place| {
            let schema = schema.ok_or("it has no schema")?;
            let mut keys = self.resolver.schema(&schema, None)?;
            // An example of the parameter counts as one of its schema.
            if let Some(example) = declared.get("example") {
                keys.keys.entry("example").or_insert_with(|| example.clone());
            }
            Ok((place, values(&keys)?))
        });
        self.given(name, is_required, found)
    }

    /// A parameter with values; the reason if it has none, which matters if it is required.
    fn given(
        &mut self,
        name: &str,
        is_required: bool,
        found: Result<(Place, Values), String>,
    ) -> Result<Option<Parameter>, String> {
        let (place, values) = match found {
            Ok(found) => found,
            Err(why) if is_required => return Err(format!("parameter {name}: {why}")),
            Err(why) => {
                self.left.push(Left { what: format!("{}, parameter {name}", self.what), why });
                return Ok(None);
            }
        };
        Ok(Some(Parameter {
            name: identifier(name),
            original: name.to_owned(),
            place,
            is_required,
            ty: values.ty,
            domain: sent(place, values.ty, values.domain),
            sampling: values.sampling,
            values_from: None,
            notes: values.notes,
        }))
    }

    /// The properties of a flat JSON object that is sent.
    fn body(&mut self, body: &'d Json) -> Result<Vec<Parameter>, String> {
        let body = self.resolver.object(body).map_err(|why| format!("its body: {why}"))?;
        let is_required = body.get("required") == Some(&Json::Bool(true));
        let Some(schema) = json_schema(body.get("content")) else {
            return if is_required { Err("its body is no JSON".to_owned()) } else { Ok(Vec::new()) };
        };
        let schema = self.resolver.schema(&schema, None).map_err(|why| format!("its body: {why}"))?;
        let Some(properties) = schema.keys.get("properties").and_then(Json::as_object) else {
            return Err("its body is no object of properties".to_owned());
        };
        let required: Vec<&str> = schema
            .keys
            .get("required")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .filter_map(Json::as_str)
            .collect();
        let mut parameters = Vec::new();
        for (name, property) in properties {
            let found = self.resolver.schema(property, Some(&schema)).and_then(|schema| values(&schema));
            parameters.extend(self.given(
                name,
                required.contains(&name.as_str()),
                found.map(|found| (Place::Body, found)),
            )?);
        }
        Ok(parameters)
    }
}

/// Whether a header is none (a token of RFC 9110), or one that follows from the address and the body.
fn cannot_be_given(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let of_clients = ["host", "content-length", "transfer-encoding", "connection"];
    name.is_empty() || !name.bytes().all(is_token) || of_clients.contains(&name.to_lowercase().as_str())
}

/// # Errors
/// When a part of the path is in braces and no parameter.
fn every_part_is_given(path: &str, parameters: &[Parameter]) -> Result<(), String> {
    if !path.starts_with('/') || path.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("its path is no path of an address".to_owned());
    }
    for part in path.split('{') {
        if part.matches('}').count() > 1 || (path.starts_with(part) && part.contains('}')) {
            return Err("a brace of its path has no other one".to_owned());
        }
    }
    for part in path.split('{').skip(1) {
        let name = part.split('}').next().unwrap_or_default();
        if !parameters.iter().any(|p| p.place == Place::Path && p.original == name) {
            return Err(format!("the part {{{name}}} of its path is no parameter"));
        }
    }
    Ok(())
}

/// The name of an operation: its `operationId` without what FastAPI adds, or its method and path.
fn name(operation: &Map<String, Json>, method: &str, path: &str) -> String {
    let of_path = words(path).join("_");
    match operation.get("operationId").and_then(Json::as_str).filter(|id| !words(id).is_empty()) {
        Some(id) => {
            let id = words(id).join("_");
            let added = format!("_{of_path}_{method}");
            id.strip_suffix(&added).filter(|own| !own.is_empty()).unwrap_or(&id).to_owned()
        }
        None => format!("{method}_{of_path}"),
    }
}

/// Says of parameters that end a path which list has their values: `item_id` of `/items/{item_id}` is an `id` of `GET /items`.
fn identify(operations: &mut [Operation]) {
    let lists: Vec<(String, String, Vec<String>)> = operations
        .iter()
        .filter(|operation| operation.is_safe())
        .filter_map(|operation| {
            let records = operation.response.records.as_ref()?;
            let fields = records.fields.iter().map(|field| field.original.clone()).collect();
            Some((operation.path.trim_end_matches('/').to_owned(), operation.name.clone(), fields))
        })
        .collect();
    for operation in operations {
        for parameter in operation.parameters.iter_mut().filter(|parameter| parameter.place == Place::Path) {
            let part = format!("/{{{}}}", parameter.original);
            let Some((before, _)) = operation.path.split_once(&part) else { continue };
            let found = lists.iter().find(|(path, _, fields)| {
                let is_field = |name: &str| fields.iter().any(|field| field == name);
                path == before && (is_field("id") || is_field(&parameter.original))
            });
            parameter.values_from = found.map(|(_, name, _)| name.clone());
        }
    }
}
