//! A document as a JSON value, in the words of OpenAPI 3.1.

use serde_json::{Map, Value, json};

/// Why a text is no document that can be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum OpenApiError {
    /// The text is neither JSON nor YAML.
    #[error("the document cannot be read: {0}")]
    Unreadable(String),
    /// The text is JSON of something else.
    #[error("this is no OpenAPI document: {0}; one has `openapi = \"3.1.0\"` and `paths` at the top")]
    NotOpenApi(String),
    /// The version is another one than is read here.
    #[error(
        "the document is of OpenAPI {0}, and 3.0 and 3.1 are read; tools such as swagger2openapi convert it"
    )]
    Version(String),
}

/// The document in the words of 3.1, whichever of the two it is of.
///
/// # Errors
/// When the text is neither JSON nor YAML, is of something else, or of another version.
pub(crate) fn document(text: &str) -> Result<Map<String, Value>, OpenApiError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value = parsed(text).map_err(OpenApiError::Unreadable)?;
    let Value::Object(mut document) = value else {
        return Err(OpenApiError::NotOpenApi("it is no object".to_owned()));
    };
    if let Some(old) = document.get("swagger") {
        return Err(OpenApiError::Version(old.as_str().unwrap_or("2.0").to_owned()));
    }
    let Some(version) = document.get("openapi").and_then(Value::as_str).map(str::to_owned) else {
        return Err(OpenApiError::NotOpenApi("it has no text `openapi`".to_owned()));
    };
    match version.split('.').take(2).collect::<Vec<_>>()[..] {
        ["3", "0"] => {
            for part in ["paths", "components"] {
                if let Some(part) = document.get_mut(part) {
                    modernise(part);
                }
            }
        }
        ["3", "1"] => {}
        _ => return Err(OpenApiError::Version(version)),
    }
    match document.get("paths") {
        // A document of 3.1 may have webhooks alone.
        None => Ok(document),
        Some(Value::Object(_)) => Ok(document),
        Some(_) => Err(OpenApiError::NotOpenApi("its `paths` are no object".to_owned())),
    }
}

/// JSON where the text begins as JSON, else YAML. Both readers end at a depth that no document has.
fn parsed(text: &str) -> Result<Value, String> {
    if text.trim_start().starts_with(['{', '[']) {
        return serde_json::from_str(text).map_err(|error| error.to_string());
    }
    // In YAML 1.2, which OpenAPI asks for, `no` and `on` are texts.
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let told = error.to_string();
        told.lines().next().unwrap_or_default().to_owned()
    })
}

/// Rewrites schemas of 3.0 as those of 3.1, which are JSON Schema.
///
/// Every object is looked at, whether or not it is a schema. A property that has the name `nullable` is a schema and no Boolean, so that
/// it is left as it is; a default that looks like a schema is changed, which costs a value that is favoured and nothing else.
fn modernise(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(modernise),
        Value::Object(object) => {
            object.values_mut().for_each(modernise);
            exclusive(object, "minimum", "exclusiveMinimum");
            exclusive(object, "maximum", "exclusiveMaximum");
            nullable(object);
        }
        _ => {}
    }
}

/// `minimum: 0, exclusiveMinimum: true` is `exclusiveMinimum: 0`.
fn exclusive(object: &mut Map<String, Value>, bound: &str, flag: &str) {
    let Some(Value::Bool(is_exclusive)) = object.get(flag) else { return };
    let is_exclusive = *is_exclusive;
    object.remove(flag);
    if is_exclusive && let Some(bound) = object.remove(bound) {
        object.insert(flag.to_owned(), bound);
    }
}

/// `type: string, nullable: true` is `type: [string, null]`.
fn nullable(object: &mut Map<String, Value>) {
    let Some(Value::Bool(is_nullable)) = object.get("nullable") else { return };
    let is_nullable = *is_nullable;
    object.remove("nullable");
    if !is_nullable {
        return;
    }
    if let Some(Value::String(ty)) = object.get("type") {
        let both = json!([ty, "null"]);
        object.insert("type".to_owned(), both);
    } else if !object.contains_key("type") {
        // `nullable` beside `$ref` or `allOf`: 3.0 leaves open what it means, and tools write it for this.
        let inner = Value::Object(std::mem::take(object));
        object.insert("anyOf".to_owned(), json!([inner, {"type": "null"}]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_of_3_0_are_rewritten() {
        let cases = [
            (json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"]})),
            (json!({"type": "string", "nullable": false}), json!({"type": "string"})),
            (json!({"minimum": 0, "exclusiveMinimum": true}), json!({"exclusiveMinimum": 0})),
            (json!({"maximum": 9, "exclusiveMaximum": false}), json!({"maximum": 9})),
            (
                json!({"properties": {"nullable": {"type": "integer"}}}),
                json!({"properties": {"nullable": {"type": "integer"}}}),
            ),
            (json!({"$ref": "#/a", "nullable": true}), json!({"anyOf": [{"$ref": "#/a"}, {"type": "null"}]})),
        ];
        for (mut old, new) in cases {
            modernise(&mut old);
            assert_eq!(old, new);
        }
    }

    #[test]
    fn yaml_is_the_same_document() {
        let yaml = "openapi: 3.1.0\npaths:\n  /on:\n    get:\n      responses:\n        200:\n          description: 'yes'\n        '201': {description: no}\n";
        let json = json!({"openapi": "3.1.0", "paths": {"/on": {"get": {"responses":
            {"200": {"description": "yes"}, "201": {"description": "no"}}}}}});
        assert_eq!(document(yaml).map(Value::Object), Ok(json));
    }

    #[test]
    fn aliases_do_not_multiply_without_end() {
        let mut yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = format!("*a{}", level - 1);
            yaml += &format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", "));
        }
        assert!(matches!(document(&yaml), Err(OpenApiError::Unreadable(_))));
    }

    #[test]
    fn what_is_no_document_is_refused() {
        let version = |v: &str| OpenApiError::Version(v.to_owned());
        assert_eq!(document(r#"{"swagger": "2.0"}"#), Err(version("2.0")));
        assert_eq!(document(r#"{"openapi": "4.0.0", "paths": {}}"#), Err(version("4.0.0")));
        for text in [
            "[]",
            "3",
            "",
            "openapi",
            "a: 1",
            "{}",
            r#"{"openapi": 3.1}"#,
            r#"{"openapi": "3.1.0", "paths": []}"#,
        ] {
            assert!(matches!(document(text), Err(OpenApiError::NotOpenApi(_))), "{text}");
        }
        for text in ["{", "a: [", "\u{feff}\u{0}", "- ".repeat(100_000).as_str(), "a: &a [*a]"] {
            assert!(matches!(document(text), Err(OpenApiError::Unreadable(_))), "{text}");
        }
        assert!(document("\u{feff}{\"openapi\": \"3.1.0\"}").is_ok());
    }
}
