//! Laws of values as JSON: they read back bit for bit.

use dodona_sources::NamedValue;
use dodona_sources::json::{from_json, to_json};
use dodona_target::{Scalar, Sequence, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;

fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        select(vec![0.0, -0.0, f64::MIN_POSITIVE, f64::from_bits(1), f64::MAX, f64::INFINITY, 5.0, 1e21])
    ]
}

fn value() -> impl Strategy<Value = (Type, Value)> {
    let ints = |t: Scalar| {
        let (low, high) = t.integer_range().expect("an integer type");
        prop_oneof![low..=high, select(vec![low, high])].prop_map(move |i| (t, i))
    };
    let int = prop_oneof![ints(Scalar::I8), ints(Scalar::I64), ints(Scalar::U64)];
    let text =
        prop_oneof![any::<String>().prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..9),];
    prop_oneof![
        any::<bool>().prop_map(|b| (Type::Scalar(Scalar::Bool), Value::Bool(b))),
        int.prop_map(|(t, i)| (Type::Scalar(t), Value::Int(i))),
        float().prop_map(|x| (Type::Scalar(Scalar::F64), Value::Float(x))),
        any::<f32>().prop_map(|x| (Type::Scalar(Scalar::F32), Value::Float(x.into()))),
        text.prop_map(|t| (Type::Text, Value::Text(t.into()))),
        prop::collection::vec(any::<bool>(), 0..5)
            .prop_map(|v| (Type::Sequence(Scalar::Bool), Value::Sequence(Sequence::Bool(v)))),
        prop::collection::vec(0..=i128::from(u64::MAX), 0..5)
            .prop_map(|v| (Type::Sequence(Scalar::U64), Value::Sequence(Sequence::Int(v)))),
        prop::collection::vec(float(), 0..5)
            .prop_map(|v| (Type::Sequence(Scalar::F64), Value::Sequence(Sequence::Float(v)))),
    ]
}

/// The bits of a value, any NaN alike.
fn bits(value: &Value) -> String {
    let float = |x: &f64| if x.is_nan() { 1 } else { x.to_bits() };
    match value {
        Value::Float(x) => format!("{:x}", float(x)),
        Value::Sequence(Sequence::Float(v)) => format!("{:x?}", v.iter().map(float).collect::<Vec<_>>()),
        other => format!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_value_reads_back_bit_for_bit((ty, value) in value()) {
        let text = serde_json::to_string(&to_json(&value)).expect("JSON");
        let back = from_json(ty, &serde_json::from_str(&text).expect("JSON")).expect("a value of its type");
        prop_assert_eq!(bits(&back), bits(&value));
    }

    #[test]
    fn a_named_value_reads_back((ty, value) in value(), name in "[a-z]{0,5}") {
        let named = NamedValue { name, ty, value };
        let text = serde_json::to_string_pretty(&named).expect("JSON");
        let back: NamedValue = serde_json::from_str(&text).expect("a named value");
        prop_assert_eq!(back, named);
    }
}

#[test]
fn integers_past_64_bits_are_decimal_strings() {
    assert_eq!(to_json(&Value::Int(u64::MAX.into())), serde_json::json!(u64::MAX));
    assert_eq!(to_json(&Value::Int(1 << 64)), serde_json::json!("18446744073709551616"));
    assert_eq!(to_json(&Value::Int(i128::from(i64::MIN) - 1)), serde_json::json!("-9223372036854775809"));
}

#[test]
fn text_that_is_not_utf_8_is_bytes_in_hex() {
    let value = Value::Text(b"a\xff".as_slice().into());
    let json = to_json(&value);
    assert_eq!(json, serde_json::json!({ "bytes": "61ff" }));
    assert_eq!(from_json(Type::Text, &json), Ok(value));
}

#[track_caller]
fn refused(ty: &str, json: serde_json::Value, message: &str) {
    let error = from_json(ty.parse().expect("a type"), &json).expect_err("not of the type");
    assert_eq!(error.to_string(), message);
}

#[test]
fn json_of_another_type_is_refused_with_what_to_write() {
    use serde_json::json;
    refused("u8", json!(300), "300 is not a u8 (write an integer in 0 to 255)");
    refused("i8", json!(1.5), "1.5 is not an i8 (write an integer in -128 to 127)");
    refused("bool", json!(1), "1 is not a bool (write true or false)");
    refused("f64", json!("NaN?"), "\"NaN?\" is not an f64 (write a number, nan, inf or -inf)");
    refused("f32", json!(1e300), "1e+300 is not an f32 (write a number, nan, inf or -inf)");
    refused("text", json!({ "bytes": "6" }), "{\"bytes\":\"6\"} is not text (write a string)");
    refused("[i32]", json!(3), "3 is not a sequence [i32] (write a list such as [1, 2])");
    refused("[u8]", json!([1, -2]), "element 1: -2 is not a u8 (write an integer in 0 to 255)");
}
