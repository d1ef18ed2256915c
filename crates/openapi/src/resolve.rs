//! Schemas with their references followed and their parts put together, one level at a time.
//!
//! # Decisions
//! * **Only what is asked for is resolved.** A schema may hold itself (a tree has trees for branches), and a document that is resolved as a whole has
//!   no end. So a [`Schema`] is resolved when somebody asks for it, knows through which references it was reached, and a child that
//!   goes through one of them again is refused as a cycle. The price is that a part which is asked for twice is resolved twice.
//! * **A bound on the steps of one schema.** `allOf` with two references to a schema with `allOf` with two references doubles at each level,
//!   which a document of a few kilobytes can do a hundred times.

use std::cell::Cell;

use serde_json::{Map, Value};

/// The most objects that are put together to one schema.
const STEPS: u32 = 2_000;

/// The parts of a document that references lead to.
#[derive(Debug)]
pub(crate) struct Resolver<'d> {
    document: &'d Map<String, Value>,
    steps: Cell<u32>,
}

/// An object of a document with its references followed, and its `allOf`, `anyOf` and `oneOf` put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schema {
    /// Its keys.
    pub(crate) keys: Map<String, Value>,
    /// Whether null is a value of it.
    pub(crate) is_nullable: bool,
    /// What was decided on the way, for people.
    pub(crate) notes: Vec<String>,
    /// The references through which it was reached. Those of its `allOf` are no part of them: several parts may have one base, and what is inside of a
    /// part comes to its own reference one level later.
    pub(crate) trail: Vec<String>,
}

impl<'d> Resolver<'d> {
    pub(crate) fn new(document: &'d Map<String, Value>) -> Resolver<'d> {
        Resolver { document, steps: Cell::new(0) }
    }

    /// The schema that a value of the document is; `parent` is the schema that it stands in.
    ///
    /// # Errors
    /// Why it is none: a reference leads nowhere, or back to where it came from.
    pub(crate) fn schema(&self, value: &Value, parent: Option<&Schema>) -> Result<Schema, String> {
        self.steps.set(0);
        let trail = parent.map(|schema| schema.trail.clone()).unwrap_or_default();
        self.put_together(value, trail)
    }

    /// An object that is no schema, such as a parameter, with its reference followed.
    ///
    /// # Errors
    /// As [`Resolver::schema`].
    pub(crate) fn object(&self, value: &'d Value) -> Result<&'d Map<String, Value>, String> {
        let mut value = value;
        let mut trail: Vec<&str> = Vec::new();
        loop {
            let Value::Object(object) = value else { return Err("it is no object".to_owned()) };
            let Some(Value::String(reference)) = object.get("$ref") else { return Ok(object) };
            if trail.contains(&reference.as_str()) {
                return Err(format!("{reference} refers to itself"));
            }
            trail.push(reference);
            value = self.target(reference)?;
        }
    }

    fn target(&self, reference: &str) -> Result<&'d Value, String> {
        let Some(path) = reference.strip_prefix("#/") else {
            return Err(format!("{reference} leads out of the document"));
        };
        let mut parts = path.split('/').map(|part| {
            // Fragments of an address write a brace as `%7B`, and JSON Pointer writes `/` as `~1`.
            let part = part.replace("%7B", "{").replace("%7D", "}").replace("%20", " ");
            part.replace("~1", "/").replace("~0", "~")
        });
        let nowhere = || format!("{reference} leads nowhere");
        let first = parts.next().and_then(|part| self.document.get(&part)).ok_or_else(nowhere)?;
        parts
            .try_fold(first, |value, part| match value {
                Value::Array(items) => items.get(part.parse::<usize>().ok()?),
                value => value.get(&part),
            })
            .ok_or_else(nowhere)
    }

    fn put_together(&self, value: &Value, mut trail: Vec<String>) -> Result<Schema, String> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > STEPS {
            return Err(format!("its schema has more than {STEPS} parts"));
        }
        let object = match value {
            Value::Object(object) => object,
            Value::Bool(true) => return Ok(Schema { trail, ..Schema::default() }),
            Value::Bool(false) => return Err("no value fits: its schema is `false`".to_owned()),
            _ => return Err("its schema is no object".to_owned()),
        };
        let mut schema = match object.get("$ref") {
            Some(Value::String(reference)) => {
                if trail.contains(reference) {
                    return Err(format!("{reference} refers to itself"));
                }
                trail.push(reference.clone());
                self.put_together(self.target(reference)?, trail)?
            }
            _ => Schema { trail, ..Schema::default() },
        };
        let own =
            object.iter().filter(|(key, _)| !["$ref", "allOf", "anyOf", "oneOf"].contains(&key.as_str()));
        let own: Map<String, Value> = own.map(|(key, value)| (key.clone(), value.clone())).collect();
        merge(&mut schema.keys, own);
        self.all_of(object, &mut schema)?;
        for key in ["anyOf", "oneOf"] {
            self.one_of(object.get(key), &mut schema)?;
        }
        take_null(&mut schema);
        Ok(schema)
    }

    fn all_of(&self, object: &Map<String, Value>, schema: &mut Schema) -> Result<(), String> {
        for part in object.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let part = self.put_together(part, schema.trail.clone())?;
            merge(&mut schema.keys, part.keys);
            schema.is_nullable |= part.is_nullable;
            schema.notes.extend(part.notes);
        }
        Ok(())
    }

    /// One branch of several stands for all: the only one besides null, or the first that is plain.
    fn one_of(&self, branches: Option<&Value>, schema: &mut Schema) -> Result<(), String> {
        let Some(branches) = branches.and_then(Value::as_array) else { return Ok(()) };
        let mut found = Vec::new();
        let mut why = None;
        for branch in branches {
            match self.put_together(branch, schema.trail.clone()) {
                Ok(branch) if is_null(&branch) => schema.is_nullable = true,
                Ok(branch) => found.push(branch),
                Err(error) => why = Some(error),
            }
        }
        let others = found.len().saturating_sub(1);
        let plain =
            found.iter().position(is_plain).or(if others == 0 { found.first().map(|_| 0) } else { None });
        let Some(index) = plain else {
            return match (why, branches.is_empty()) {
                (Some(why), _) => Err(why),
                // `anyOf: [null]` and an empty list say nothing of the other keys.
                (None, _) if found.is_empty() => Ok(()),
                (None, _) => Err("none of the branches of its schema is plain".to_owned()),
            };
        };
        let branch = found.swap_remove(index);
        if others > 0 {
            schema.notes.push(format!("of {} forms that the document allows, one is drawn", others + 1));
        }
        merge(&mut schema.keys, branch.keys);
        schema.is_nullable |= branch.is_nullable;
        schema.notes.extend(branch.notes);
        schema.trail = branch.trail;
        Ok(())
    }
}

fn is_null(schema: &Schema) -> bool {
    schema.keys.get("type").and_then(Value::as_str) == Some("null")
        || schema.keys.get("const") == Some(&Value::Null)
}

/// Whether its values are numbers, Booleans or texts.
fn is_plain(schema: &Schema) -> bool {
    let ty = schema.keys.get("type").and_then(Value::as_str);
    ty.is_some_and(|ty| ["integer", "number", "string", "boolean"].contains(&ty))
        || schema.keys.get("enum").and_then(Value::as_array).is_some_and(|values| !values.is_empty())
}

/// `type: [string, null]` is the type string of values that may be missing.
fn take_null(schema: &mut Schema) {
    let Some(Value::Array(types)) = schema.keys.get_mut("type") else { return };
    let before = types.len();
    types.retain(|ty| ty.as_str() != Some("null"));
    schema.is_nullable |= types.len() < before;
    let one = match types.as_slice() {
        [one] => Some(one.clone()),
        // Every integer is a number.
        [a, b]
            if a != b && [a, b].iter().all(|ty| ["integer", "number"].map(Some).contains(&ty.as_str())) =>
        {
            Some(Value::from("number"))
        }
        [] if before > 0 => Some(Value::from("null")),
        _ => None,
    };
    if let Some(one) = one {
        schema.keys.insert("type".to_owned(), one);
    }
}

/// Adds the keys of a part. Both have to be satisfied: bounds are the closer ones, properties and what is required come together, and of
/// lists of values those that both have are left.
fn merge(whole: &mut Map<String, Value>, part: Map<String, Value>) {
    for (key, value) in part {
        let Some(present) = whole.get_mut(&key) else {
            whole.insert(key, value);
            continue;
        };
        match (key.as_str(), present, value) {
            ("properties", Value::Object(present), Value::Object(more)) => present.extend(more),
            ("required", Value::Array(present), Value::Array(more)) => present.extend(more),
            ("enum", Value::Array(present), Value::Array(more)) => {
                present.retain(|value| more.contains(value))
            }
            ("minimum" | "exclusiveMinimum" | "minLength", present, value) => {
                if value.as_f64() > present.as_f64() {
                    *present = value;
                }
            }
            ("maximum" | "exclusiveMaximum" | "maxLength", present, value) => {
                if value.as_f64() < present.as_f64() {
                    *present = value;
                }
            }
            // The closer word stands nearer to the place: of a title or a default the later one.
            (_, present, value) => *present = value,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resolved(document: Value, schema: Value) -> Result<Schema, String> {
        let Value::Object(document) = document else { panic!("an object") };
        Resolver::new(&document).schema(&schema, None)
    }

    #[test]
    fn references_are_followed_and_parts_put_together() {
        let document = json!({"c": {"a": {"type": "integer", "minimum": 1}, "x/y": {"maximum": 9}}});
        let schema =
            json!({"allOf": [{"$ref": "#/c/a"}, {"$ref": "#/c/x~1y"}, {"minimum": 3}, {"minimum": 2}]});
        let schema = resolved(document, schema).expect("a schema");
        assert_eq!(Value::Object(schema.keys), json!({"type": "integer", "minimum": 3, "maximum": 9}));
    }

    #[test]
    fn a_branch_besides_null_is_taken() {
        let schema = json!({"anyOf": [{"type": "null"}, {"type": "number"}], "default": 3});
        let schema = resolved(json!({}), schema).expect("a schema");
        assert!(schema.is_nullable && schema.notes.is_empty());
        assert_eq!(Value::Object(schema.keys), json!({"type": "number", "default": 3}));
        let schema = json!({"oneOf": [{"type": "object"}, {"type": "string"}]});
        let schema = resolved(json!({}), schema).expect("a schema");
        assert_eq!((schema.keys["type"].as_str(), schema.notes.len()), (Some("string"), 1));
    }

    #[test]
    fn a_cycle_is_told() {
        let document = json!({"a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}, "c": {"allOf": [{"$ref": "#/c"}]}});
        for name in ["a", "c"] {
            let why = resolved(document.clone(), json!({"$ref": format!("#/{name}")})).expect_err("a cycle");
            assert_eq!(why, format!("#/{name} refers to itself"));
        }
    }

    #[test]
    fn one_base_of_two_parts_is_no_cycle() {
        let document = json!({
            "base": {"properties": {"id": {"type": "integer"}}},
            "a": {"allOf": [{"$ref": "#/base"}]},
            "b": {"allOf": [{"$ref": "#/base"}], "properties": {"of": {"$ref": "#/base"}}}
        });
        let Value::Object(document) = document else { panic!("an object") };
        let resolver = Resolver::new(&document);
        let both = json!({"allOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]});
        let both = resolver.schema(&both, None).expect("no cycle");
        assert!(resolver.schema(&both.keys["properties"]["of"], Some(&both)).is_ok());
    }

    #[test]
    fn a_child_that_is_its_parent_is_told() {
        let document = json!({"node": {"properties": {"next": {"$ref": "#/node"}}}});
        let Value::Object(document) = document else { panic!("an object") };
        let resolver = Resolver::new(&document);
        let node = resolver.schema(&json!({"$ref": "#/node"}), None).expect("a node");
        assert!(resolver.schema(&node.keys["properties"]["next"], Some(&node)).is_err());
    }

    #[test]
    fn what_doubles_at_each_level_is_cut() {
        let mut document = Map::new();
        for level in 0..64 {
            let next = format!("#/{}", level + 1);
            document.insert(level.to_string(), json!({"allOf": [{"$ref": next}, {"$ref": next}]}));
        }
        document.insert("64".to_owned(), json!({}));
        let why = Resolver::new(&document).schema(&json!({"$ref": "#/0"}), None).expect_err("too many parts");
        assert!(why.contains("2000 parts"), "{why}");
    }
}
