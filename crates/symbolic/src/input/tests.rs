//! Assumptions hold for a value exactly when the value is in the domain.

use std::path::Path;

use dodona_subject::Manifest;
use dodona_target::{Sequence, Value};
use proptest::prelude::*;

use super::*;

fn function(signature: &str, keys: &str) -> Signature {
    let text = format!("name = 's'\n[build]\nc = ['s.c']\n[[function]]\nsignature = '{signature}'\n{keys}\n");
    let manifest = Manifest::parse(Path::new("dodona.toml"), &text).expect("a valid manifest");
    manifest.signatures().into_iter().next().expect("one function")
}

/// Whether the assumptions hold for a value of the first parameter.
fn assumed(function: &Signature, value: &Value) -> bool {
    let Some(shape) = Shape::of(std::slice::from_ref(value)) else { return false };
    let mut terms = Terms::new();
    let inputs = Inputs::new(&mut terms, function, &shape);
    let mut model = Assignment::default();
    inputs.assign(&terms, std::slice::from_ref(value), &mut model).expect("a value of the type");
    assert_eq!(&inputs.values(&terms, &model)[0], value, "values come back");
    inputs.assumptions.iter().all(|a| terms.evaluate(*a, &model) == 1)
}

fn agrees(function: &Signature, value: &Value) {
    let parameter = &function.parameters[0];
    assert_eq!(assumed(function, value), parameter.domain.contains(parameter.ty, value), "{value}");
}

fn lengths(shape: &Shape) -> Vec<usize> {
    shape.sizes.iter().map(Size::length).collect()
}

#[test]
fn lengths_are_each_a_shape_the_shortest_first() {
    let f =
        function("f(xs: [i32], n: i32, t: text) -> i32", "domain.t = { length = [1, 2], alphabet = 'ab' }");
    let (shapes, complete) = Shape::all(&f, 1);
    assert_eq!(shapes.iter().map(lengths).collect::<Vec<_>>(), [vec![0, 0, 1], vec![1, 0, 1]]);
    assert!(!complete, "longer sequences are left out");
    let (shapes, complete) = Shape::all(&function("f(n: i32) -> i32", ""), 4);
    assert_eq!((shapes.len(), complete), (1, true));
}

#[test]
fn each_way_to_make_a_length_of_characters_is_a_shape() {
    let (shapes, complete) = Shape::all(&function("f(t: text) -> i32", ""), 3);
    let widths: Vec<_> = shapes.into_iter().map(|shape| shape.sizes[0].clone()).collect();
    let characters = |widths: &[u8]| Size::Characters(widths.to_vec());
    let expected: [&[u8]; 8] = [&[], &[1], &[1, 1], &[2], &[1, 1, 1], &[1, 2], &[2, 1], &[3]];
    assert_eq!(widths, expected.map(characters));
    assert!(!complete);
    let ascii = function("f(t: text) -> i32", "domain.t = { alphabet = 'xyz', length = [0, 3] }");
    let (shapes, complete) = Shape::all(&ascii, 3);
    assert_eq!((shapes.len(), complete), (4, true));
    let (shapes, _) = Shape::all(&function("f(t: text) -> i32", ""), 12);
    assert!(shapes.len() < 200, "{}", shapes.len());
}

#[test]
fn names_are_those_of_parameters_and_elements() {
    let mut terms = Terms::new();
    let f = function("f(a: i8, xs: [f32]) -> i32", "");
    let shape = |count| Shape { sizes: vec![Size::One, Size::Elements(count)] };
    let first = Inputs::new(&mut terms, &f, &shape(1));
    let second = Inputs::new(&mut terms, &f, &shape(2));
    let names: Vec<_> = terms.variables().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "xs[0]", "xs[1]"]);
    assert_eq!(first.symbols[0], second.symbols[0], "shapes share their variables");
}

#[test]
fn an_infinite_or_subnormal_float_is_an_input_and_nan_is_one() {
    let f = function("f(x: f32) -> f32", "");
    for x in [0.0, -0.0, 1.5, f64::INFINITY, f64::from(f32::from_bits(1)), f64::NAN] {
        agrees(&f, &Value::Float(x));
    }
    agrees(&function("f(x: f64) -> f64", "domain.x = { range = [-1.5, 2] }"), &Value::Float(f64::NAN));
}

proptest! {
    #[test]
    fn integers(x in any::<i8>()) {
        let f = function("f(x: i8) -> i32", "domain.x = { ranges = [[-120, -100], [0, 7], [9, 20]], except = [3, 12] }");
        agrees(&f, &Value::Int(x.into()));
        let f = function("f(x: u64) -> i32", "domain.x = { range = [5, 100] }");
        agrees(&f, &Value::Int(i128::from(x.unsigned_abs())));
    }

    #[test]
    fn floats(x in prop_oneof![-4.0..4.0, Just(1.5), Just(-2.0), Just(0.0), Just(-0.0)]) {
        let keys = "domain.x = { ranges = [[-2, -1.5], [0, 3.25]], except = [1.5] }";
        agrees(&function("f(x: f64) -> f64", keys), &Value::Float(x));
        agrees(&function("f(x: f32) -> f32", keys), &Value::Float((x as f32).into()));
    }

    #[test]
    fn sequences(v in prop::collection::vec(-3i128..4, 0..5)) {
        for keys in ["", "domain.xs = { is = ['sorted'] }", "domain.xs = { is = ['distinct'] }"] {
            agrees(&function("f(xs: [i16]) -> i32", keys), &Value::Sequence(Sequence::Int(v.clone())));
        }
    }

    #[test]
    fn texts(bytes in prop::collection::vec(prop_oneof![
        any::<u8>(), Just(0xc3), Just(0xa9), Just(0xf0), Just(0x9f), Just(0x98), Just(0x80), Just(0xed), Just(b'a'),
    ], 0..6)) {
        let value = Value::Text(bytes.into());
        for keys in ["", "domain.t = { length = [1, 2] }", "domain.t = { alphabet = 'abcxé😀😁' }", "domain.t = { is = ['no-nul'] }"] {
            agrees(&function("f(t: text) -> i32", keys), &value);
        }
    }

    #[test]
    fn listed_texts(text in prop::sample::select(vec!["", "en", "fr", "xx", "deu", "de"])) {
        let f = function("f(t: text) -> i32", "domain.t = { values = ['en', 'deu', 'fr'] }");
        agrees(&f, &Value::Text(text.into()));
    }
}

#[test]
fn listed_floats_and_nan_are_assumed_as_the_domain_has_them() {
    let floats =
        [0.0, -0.0, 0.1, f64::from(0.1f32), 0.5, 1.0, 2.0, f64::INFINITY, f64::NAN, -f64::NAN, 1e-60];
    for keys in [
        "domain.a = { values = [0.1, 0.5] }",
        "domain.a = { values = [nan, 1.0, 0.0] }",
        "domain.a = { values = [nan] }",
        "domain.a = { except = [nan, 0.1] }",
        "domain.a = { range = [0, 0.1], nan = true }",
        "domain.a = { nan = false }",
    ] {
        for scalar in [Scalar::F32, Scalar::F64] {
            let f = function(&format!("f(a: {scalar}) -> i32"), keys);
            for x in floats {
                // What an input has of a type: floats that are no `f32` are none of its inputs.
                let x = if scalar == Scalar::F32 { f64::from(x as f32) } else { x };
                agrees(&f, &Value::Float(x));
            }
        }
    }
}
