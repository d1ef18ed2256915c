//! Parameters: where they stand in a request, and the values that they have.

use dodona_target::{Domain, Number, NumberRange, Numbers, Sampling, Type, Value};

/// Where a parameter stands in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the places")]
pub enum Place {
    Path,
    Query,
    Header,
    Body,
}

/// A parameter with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name in the signature.
    pub name: String,
    /// The name in the request.
    pub original: String,
    /// Where it stands in the request.
    pub place: Place,
    /// Whether each request has to have it.
    pub is_required: bool,
    /// Its type.
    pub ty: Type,
    /// The values that the document allows.
    pub domain: Domain,
    /// How source inputs are drawn.
    pub sampling: Sampling,
    /// The operation whose records have the values that name something, for a parameter of a path.
    pub values_from: Option<String>,
    /// What was assumed, for people.
    pub notes: Vec<String>,
}

impl Parameter {
    /// Leaves these values of its domain, or all of it where none of them can be one.
    ///
    /// ```
    /// use dodona_target::Value;
    ///
    /// let mut api = dodona_openapi::read(r#"{"openapi": "3.1.0", "paths": {"/items/{id}": {"get": {
    ///     "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
    ///     "responses": {"200": {"content": {"application/json": {"schema": {"type": "number"}}}}}}}}}"#).unwrap();
    /// api.operations[0].parameters[0].takes(&[Value::Int(7), Value::Int(9)]);
    /// let draft = dodona_openapi::draft(&api, "shop", dodona_openapi::Called::default());
    /// assert!(draft.manifest.contains("domain.id = { values = [7, 9] }"));
    /// ```
    pub fn takes(&mut self, values: &[Value]) {
        let fits = |value: &&Value| self.domain.contains(self.ty, value);
        let fitting: Vec<&Value> = values.iter().filter(fits).take(MOST_VALUES).collect();
        let texts = fitting.iter().filter_map(|value| match value {
            Value::Text(text) => String::from_utf8(text.to_vec()).ok(),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        let number = |value: &&Value| match value {
            Value::Int(x) => Some(Number::Int(*x)),
            Value::Float(x) => Some(Number::Float(*x)),
            _ => None,
        };
        let point = |number: Number| NumberRange { low: number, high: number };
        let ranges: Vec<NumberRange> = fitting.iter().filter_map(number).map(point).collect();
        if !texts.is_empty() {
            self.domain = Domain { texts: Some(texts), ..Domain::default() };
        } else if !ranges.is_empty() {
            self.domain = Domain { numbers: Numbers { ranges, ..Numbers::default() }, ..Domain::default() };
        } else {
            return;
        }
        self.sampling = Sampling::default();
        self.notes.clear();
    }
}

/// The most values of a parameter that are taken from a service: twenty can be read, and a list that changes with the service is no domain.
const MOST_VALUES: usize = 20;

/// Texts of a path are not empty and have no `/`, because another path would be meant; those of headers are of ASCII, as RFC 9110 has it.
pub(crate) fn sent(place: Place, ty: Type, domain: Domain) -> Domain {
    if ty != Type::Text || domain.texts.is_some() {
        return domain;
    }
    match place {
        Place::Path => {}
        Place::Header if domain.alphabet.is_none() => {
            return Domain {
                alphabet: Some(('!'..='~').collect()),
                length: domain.length.or(Some((1, 16))),
                ..domain
            };
        }
        _ => return domain,
    }
    let (least, most) = domain.length.unwrap_or((1, 16));
    let plain = || ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['-', '_']).collect();
    let mut alphabet: Vec<char> = domain.alphabet.unwrap_or_else(plain);
    alphabet.retain(|c| !matches!(c, '/' | '?' | '#' | '.'));
    Domain { length: Some((least.max(1), most.max(1))), alphabet: Some(alphabet), ..Domain::default() }
}
