//! The values that a schema allows, as a type with a domain.

mod numbers;
mod texts;

use dodona_target::{Domain, Number, NumberRange, Numbers, Sampling, Scalar, Type, Value as Drawn};
use serde_json::{Map, Value};

use crate::resolve::Schema;

/// A type with its domain, and how values are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Values {
    pub(crate) ty: Type,
    pub(crate) domain: Domain,
    pub(crate) sampling: Sampling,
    /// What was assumed, for people.
    pub(crate) notes: Vec<String>,
}

/// The values of a schema.
///
/// # Errors
/// Why there are none that can be drawn: nothing fits, or they are no numbers, Booleans or texts.
pub(crate) fn values(schema: &Schema) -> Result<Values, String> {
    let ty = ty(&schema.keys)?;
    let listed = listed(&schema.keys);
    let mut values = match (ty, listed) {
        (Type::Text, listed) => texts::values(&schema.keys, listed)?,
        (Type::Scalar(Scalar::Bool), listed) => booleans(listed)?,
        (Type::Scalar(scalar), listed) => numbers::values(&schema.keys, scalar, listed)?,
        (Type::Sequence(_), _) => return Err("its values are lists".to_owned()),
    };
    values.notes.extend(schema.notes.iter().cloned());
    favour(&schema.keys, &mut values);
    Ok(values)
}

/// The type that a schema names, or that its values have.
///
/// # Errors
/// When it is none of numbers, Booleans and texts.
pub(crate) fn ty(keys: &Map<String, Value>) -> Result<Type, String> {
    let format = keys.get("format").and_then(Value::as_str).unwrap_or_default();
    match keys.get("type") {
        Some(Value::String(name)) => match name.as_str() {
            "integer" if format == "int32" => Ok(Type::Scalar(Scalar::I32)),
            "integer" => Ok(Type::Scalar(Scalar::I64)),
            "number" => Ok(Type::Scalar(Scalar::F64)),
            "boolean" => Ok(Type::Scalar(Scalar::Bool)),
            "string" => Ok(Type::Text),
            "array" => Err("its values are lists".to_owned()),
            "object" => Err("its values are objects".to_owned()),
            "null" => Err("null is its only value".to_owned()),
            _ => Err("its type is unknown".to_owned()),
        },
        Some(_) => Err("it has several types".to_owned()),
        None => of_listed(keys),
    }
}

/// Without a type, the values that are listed say it, and else the keys that only one type has.
fn of_listed(keys: &Map<String, Value>) -> Result<Type, String> {
    let has = |names: &[&str]| names.iter().any(|name| keys.contains_key(*name));
    let Some(listed) = listed(keys) else {
        return match () {
            () if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) => {
                Ok(Type::Scalar(Scalar::F64))
            }
            () if has(&["pattern", "minLength", "maxLength", "format"]) => Ok(Type::Text),
            () => Err("it has no type".to_owned()),
        };
    };
    let all = |is: fn(&Value) -> bool| !listed.is_empty() && listed.iter().all(is);
    match () {
        () if all(Value::is_string) => Ok(Type::Text),
        () if all(Value::is_boolean) => Ok(Type::Scalar(Scalar::Bool)),
        () if all(|value| value.is_i64() || value.is_u64()) => Ok(Type::Scalar(Scalar::I64)),
        () if all(Value::is_number) => Ok(Type::Scalar(Scalar::F64)),
        () => Err("the values that it lists are of several types".to_owned()),
    }
}

/// The values of `enum` and `const`, but for null, which is no value that can be sent.
fn listed(keys: &Map<String, Value>) -> Option<Vec<Value>> {
    let one = keys.get("const").map(|value| vec![value.clone()]);
    let all = keys.get("enum").and_then(Value::as_array);
    let both = match (one, all) {
        (Some(one), Some(all)) => one.into_iter().filter(|value| all.contains(value)).collect(),
        (Some(one), None) => one,
        (None, Some(all)) => all.clone(),
        (None, None) => return None,
    };
    Some(both.into_iter().filter(|value| !value.is_null()).collect())
}

fn booleans(listed: Option<Vec<Value>>) -> Result<Values, String> {
    let mut values = Values {
        ty: Type::Scalar(Scalar::Bool),
        domain: Domain::default(),
        sampling: Sampling::default(),
        notes: Vec::new(),
    };
    let Some(listed) = listed else { return Ok(values) };
    let mut points: Vec<i128> = listed.iter().filter_map(Value::as_bool).map(i128::from).collect();
    points.sort_unstable();
    points.dedup();
    if points.is_empty() {
        return Err("no value fits: none of those that are listed is a Boolean".to_owned());
    }
    if points.len() < 2 {
        values.domain.numbers = points_of(points.into_iter().map(Number::Int));
    }
    Ok(values)
}

/// The numbers that are listed.
fn points_of(points: impl Iterator<Item = Number>) -> Numbers {
    let ranges = points.map(|point| NumberRange { low: point, high: point }).collect();
    Numbers { ranges, ..Numbers::default() }
}

/// Values that the document shows are drawn more often than by chance.
fn favour(keys: &Map<String, Value>, values: &mut Values) {
    if values.domain.texts.is_some() {
        return;
    }
    let many = keys.get("examples").and_then(Value::as_array).into_iter().flatten();
    for shown in keys.get("default").into_iter().chain(keys.get("example")).chain(many) {
        let drawn = match (values.ty, shown) {
            (Type::Text, Value::String(text)) => Drawn::Text(text.as_str().into()),
            (Type::Scalar(Scalar::F64), Value::Number(number)) => match number.as_f64() {
                Some(float) => Drawn::Float(float),
                None => continue,
            },
            (Type::Scalar(_), Value::Number(number)) => match number.as_i64() {
                Some(integer) => Drawn::Int(integer.into()),
                None => continue,
            },
            _ => continue,
        };
        let is_new = !values.sampling.favour.contains(&drawn);
        if is_new && values.domain.contains(values.ty, &drawn) {
            values.sampling.favour.push(drawn);
        }
    }
}

#[cfg(test)]
mod tests {
    use dodona_target::describe_domain;
    use serde_json::json;

    use super::*;

    fn described(schema: Value) -> Result<String, String> {
        let Value::Object(keys) = schema else { panic!("an object") };
        let values = values(&Schema { keys, ..Schema::default() })?;
        Ok(format!("{}: {}", values.ty, describe_domain(values.ty, &values.domain)))
    }

    #[test]
    fn types_and_bounds_become_domains() {
        let cases = [
            (json!({"type": "integer", "minimum": 1, "maximum": 9}), "i64: range = [1, 9]"),
            (json!({"type": "integer", "format": "int32", "minimum": 1}), "i32: range = [1, 1001]"),
            (
                json!({"type": "integer", "format": "int32", "maximum": 9999999999_i64}),
                "i32: range = [-1000, 2147483647]",
            ),
            (
                json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}),
                "i64: range = [1, 9]",
            ),
            (json!({"type": "integer", "minimum": 0.5, "maximum": 2.5}), "i64: range = [1, 2]"),
            (json!({"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 4}), "i64: values = [4, 8]"),
            (json!({"type": "number", "minimum": 0, "maximum": 0.5}), "f64: range = [0, 0.5]"),
            (
                json!({"type": "number", "exclusiveMinimum": 1, "maximum": 2}),
                "f64: range = [1, 2], except = [1]",
            ),
            (json!({"type": "number"}), "f64: range = [-1000, 1000]"),
            (json!({"type": "number", "minimum": 1e6}), "f64: range = [1000000, 10000000]"),
            (json!({"type": "boolean"}), "bool: any bool"),
            (json!({"type": "boolean", "const": true}), "bool: values = [1]"),
            (json!({"type": "integer", "enum": [3, 1, 3, null, "x"], "minimum": 2}), "i64: values = [3]"),
            (json!({"enum": [1, 2.5]}), "f64: values = [1, 2.5]"),
            (json!({"type": "string"}), "text: any text"),
            (json!({"type": "string", "minLength": 2, "maxLength": 4}), "text: length = [2, 4]"),
            (json!({"type": "string", "minLength": 2}), "text: length = [2, 34]"),
            (json!({"type": "string", "pattern": "^[A-C]{3}$"}), "text: length = [3, 3], alphabet = \"ABC\""),
            (json!({"type": "string", "pattern": "^(asc|desc)$"}), "text: values = [\"asc\", \"desc\"]"),
            (json!({"enum": ["a", "bb", "a"], "maxLength": 1}), "text: values = [\"a\"]"),
        ];
        for (schema, words) in cases {
            assert_eq!(described(schema.clone()).as_deref(), Ok(words), "{schema}");
        }
    }

    #[test]
    fn formats_give_values() {
        for format in
            ["date", "date-time", "time", "uuid", "email", "uri", "ipv4", "ipv6", "hostname", "byte"]
        {
            let words = described(json!({"type": "string", "format": format})).expect("values");
            assert!(words.starts_with("text: values = ["), "{format}: {words}");
        }
    }

    #[test]
    fn what_no_value_fits_is_told() {
        let cases = [
            json!({"type": "integer", "minimum": 2, "maximum": 1}),
            json!({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}),
            json!({"type": "integer", "exclusiveMaximum": -1e300}),
            json!({"type": "integer", "exclusiveMinimum": 1e300}),
            json!({"type": "integer", "minimum": 1, "maximum": 3, "multipleOf": 4}),
            json!({"type": "integer", "format": "int32", "minimum": 99999999999_i64}),
            json!({"type": "number", "minimum": 2, "exclusiveMaximum": 2}),
            json!({"type": "string", "minLength": 3, "maxLength": 2}),
            json!({"type": "string", "pattern": "^[a-z]{3}$", "maxLength": 2}),
            json!({"type": "string", "enum": [1, null]}),
            json!({"enum": ["a"], "const": "b", "type": "string"}),
            json!({"type": "boolean", "enum": ["true"]}),
            json!({"type": "string", "format": "uuid", "maxLength": 3}),
        ];
        for schema in cases {
            let why = described(schema.clone()).expect_err("nothing fits");
            assert!(why.contains("no value fits"), "{schema}: {why}");
        }
    }

    #[test]
    fn what_is_shown_is_favoured() {
        let keys =
            json!({"type": "integer", "minimum": 1, "maximum": 9, "default": 3, "examples": [4, 3, 12, "x"]});
        let Value::Object(keys) = keys else { panic!("an object") };
        let values = values(&Schema { keys, ..Schema::default() }).expect("values");
        assert_eq!(values.sampling.favour, [Drawn::Int(3), Drawn::Int(4)]);
    }
}
