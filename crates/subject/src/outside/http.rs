//! Web services: how each call becomes a request, and what a service as a whole needs.

use super::{Found, NamedOutput, Template};

/// A web service as a manifest declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpService {
    /// The scheme, the host and its port, and the path that all requests begin with, without a slash at the end: `http://127.0.0.1:8000/api`.
    pub base: String,
    /// Headers whose values come from the environment.
    pub secrets: Vec<HttpSecret>,
    /// The most requests in a second; `None` without a bound.
    pub rate: Option<f64>,
    /// The request that brings the service into its first state.
    pub reset: Option<HttpReset>,
    /// The request of each function, in order.
    pub calls: Vec<HttpCall>,
}

/// How a call becomes a request, or several in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HttpCall {
    /// What is done before its own request, in order, so that a relation can be about what an answer is *after* something.
    pub setup: Vec<HttpStep>,
    /// Its own request.
    pub request: HttpRequest,
    /// Where the outputs are found in the answer of its own request, one entry for each of the first outputs of the signature. Those of the setup follow.
    pub found: Vec<Found>,
}

/// A request before that of the call itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HttpStep {
    /// The request.
    pub request: HttpRequest,
    /// Where outputs of the call are found in its answer.
    pub found: Vec<Found>,
    /// Values of its answer that later requests of the call have. In templates they are numbered behind the parameters of the function, in the order of the steps.
    pub kept: Vec<NamedOutput>,
}

/// A request with the values of parameters in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HttpRequest {
    /// The method: `GET`.
    pub method: String,
    /// The path behind the base, with a slash first. Values of parameters are percent-encoded.
    pub path: Template,
    /// The query, in the order of its keys. [`TemplatePart::Words`](super::TemplatePart::Words) repeats the key for each element.
    pub query: Vec<(String, Template)>,
    /// Headers with fixed names.
    pub headers: Vec<(String, Template)>,
    /// The body.
    pub body: HttpBody,
}

/// The body of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum HttpBody {
    /// There is none.
    #[default]
    None,
    /// JSON.
    Json(JsonTemplate),
    /// The fields of a form, `application/x-www-form-urlencoded`, in the order of their keys.
    Form(Vec<(String, Template)>),
}

/// JSON with the values of parameters in it.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonTemplate {
    /// As it is: a number or a Boolean.
    Fixed(serde_json::Value),
    /// The value of the parameter of this index, as JSON of its type.
    Parameter(usize),
    /// A string.
    Text(Template),
    /// A list.
    List(Vec<JsonTemplate>),
    /// An object.
    Object(Vec<(String, JsonTemplate)>),
}

/// A header whose value is not to be seen: it comes from a variable of the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSecret {
    /// The name of the header.
    pub header: String,
    /// What stands before the value of the variable: `Bearer `.
    pub before: String,
    /// The name of the variable.
    pub variable: String,
    /// What stands behind it.
    pub after: String,
}

/// A request that brings a service into its first state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpReset {
    /// The method.
    pub method: String,
    /// The path behind the base.
    pub path: String,
    /// When it is sent.
    pub before: ResetBefore,
}

/// When a service is brought into its first state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResetBefore {
    /// Before each call, so that no call sees what another one left.
    #[default]
    Call,
    /// Before each column of calls of one function: calls of one column see each other.
    Column,
}

impl JsonTemplate {
    /// The parameters that stand in it.
    pub fn parameters(&self) -> Vec<usize> {
        match self {
            JsonTemplate::Fixed(_) => Vec::new(),
            JsonTemplate::Parameter(index) => vec![*index],
            JsonTemplate::Text(text) => text.parameters().collect(),
            JsonTemplate::List(items) => items.iter().flat_map(JsonTemplate::parameters).collect(),
            JsonTemplate::Object(fields) => fields.iter().flat_map(|(_, field)| field.parameters()).collect(),
        }
    }
}

impl HttpCall {
    /// All requests of a call, in order.
    pub fn requests(&self) -> impl Iterator<Item = &HttpRequest> {
        self.setup.iter().map(|step| &step.request).chain([&self.request])
    }

    /// The parameters that stand in its requests. Numbers behind those of the parameters are of values that steps keep.
    pub fn parameters(&self) -> Vec<usize> {
        self.requests().flat_map(HttpRequest::parameters).collect()
    }
}

impl HttpRequest {
    /// The parameters that stand in it.
    pub fn parameters(&self) -> Vec<usize> {
        let fields = |fields: &[(String, Template)]| -> Vec<usize> {
            fields.iter().flat_map(|(_, template)| template.parameters()).collect()
        };
        let body = match &self.body {
            HttpBody::None => Vec::new(),
            HttpBody::Json(json) => json.parameters(),
            HttpBody::Form(form) => fields(form),
        };
        let path = self.path.parameters().collect();
        [path, fields(&self.query), fields(&self.headers), body].concat()
    }
}
