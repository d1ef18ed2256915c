//! Whatever document comes: it is read or refused, and what is drafted of it can be read.

mod common;

use dodona_openapi::{Changes, Draft, read};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Drafts with a reset and without; the latter is the draft.
fn drafted(text: &str) -> Option<Draft> {
    let api = read(text).ok()?;
    common::drafted(&api, Changes::Undone);
    Some(common::drafted(&api, Changes::Kept))
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "id|price|min_price|max_price|maxPrice|limit|offset|page|size|sort|order|q|category|total|items|more|in|distinct|value",
        1 => any::<String>(),
    ]
}

/// Values that stand where a schema has a bound, a list or a text.
fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        (-9..9_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        name().prop_map(Value::from),
        Just(Value::Null),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        4 => "minimum|maximum|exclusiveMinimum|exclusiveMaximum|minLength|maxLength|multipleOf|default|example|nullable|const",
        1 => any::<String>(),
    ];
    let ty = prop_oneof![
        5 => "integer|number|string|boolean|array|object|null".prop_map(Value::from),
        1 => leaf(),
        1 => Just(json!(["string", "null"])),
    ];
    let leaves = (
        ty,
        prop::collection::vec((key, leaf()), 0..4),
        prop::option::of(prop::collection::vec(leaf(), 0..4)),
    );
    let plain = (leaves, "|int32|date|uuid|byte", "|\\^\\[a-c\\]\\{2,3\\}\\$|\\^\\(asc\\|desc\\)\\$|.*")
        .prop_map(|((ty, keys, list), format, pattern)| {
            let mut schema = json!({"type": ty});
            keys.into_iter().for_each(|(key, value)| schema[key] = value);
            if let Some(list) = list {
                schema["enum"] = Value::Array(list);
            }
            if !format.is_empty() {
                schema["format"] = Value::from(format);
            }
            if !pattern.is_empty() {
                schema["pattern"] = Value::from(pattern);
            }
            schema
        });
    let reference = "[abc]".prop_map(|name| json!({"$ref": format!("#/components/schemas/{name}")}));
    prop_oneof![3 => plain, 1 => reference, 1 => leaf()].prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec((name(), inner.clone()), 0..5).prop_map(|properties| {
                json!({"type": "object", "properties": Value::Object(properties.into_iter().collect())})
            }),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            ("allOf|anyOf|oneOf", prop::collection::vec(inner, 0..3)).prop_map(|(key, parts)| {
                let mut schema = json!({});
                schema[key] = Value::Array(parts);
                schema
            }),
        ]
    })
}

fn document() -> impl Strategy<Value = Value> {
    let parameter = (name(), "query|path|header|cookie", any::<bool>(), schema()).prop_map(|(name, place, required, schema)| {
        json!({"name": name, "in": place, "required": required, "schema": schema})
    });
    let operation = (prop::collection::vec(parameter, 0..6), schema(), prop::option::of(schema()), name());
    let path = (prop_oneof!["/[a-c]{1,3}", "/[a-c]/\\{id\\}", any::<String>()], "get|post", operation);
    let schemas = prop::collection::vec(schema(), 3);
    (prop::collection::vec(path, 0..4), schemas, "3\\.0\\.1|3\\.1\\.0").prop_map(
        |(paths, schemas, version)| {
            let mut document = json!({"openapi": version, "paths": {}});
            for (path, method, (parameters, response, body, id)) in paths {
                let response = json!({"200": {"content": {"application/json": {"schema": response}}}});
                let mut operation =
                    json!({"operationId": id, "parameters": parameters, "responses": response});
                if let Some(body) = body {
                    operation["requestBody"] =
                        json!({"required": true, "content": {"application/json": {"schema": body}}});
                }
                document["paths"][path][method] = operation;
            }
            for (name, schema) in ["a", "b", "c"].into_iter().zip(schemas) {
                document["components"]["schemas"][name] = schema;
            }
            document
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn whatever_the_document_the_draft_can_be_read(document in document()) {
        drafted(&document.to_string());
    }

    #[test]
    fn whatever_the_bytes_nothing_panics(text in any::<String>()) {
        drafted(&text);
    }

    #[test]
    fn a_document_that_is_damaged_is_read_or_refused(at in 0..9_000_usize, length in 0..40_usize, new in "[\\[\\]{}:,0-9a-z\" -]{0,6}") {
        let mut text = include_str!("../testdata/shop.json").to_owned();
        let start = at.min(text.len());
        let end = (start + length).min(text.len());
        text.replace_range(start..end, &new);
        drafted(&text);
    }
}
