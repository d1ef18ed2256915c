//! Numbers of domains and samplings: which are inside, which are others than they are written, which are refused.

use dodona_target::Value;

use crate::{contains, parse, problem, with};

#[test]
fn a_listed_number_is_the_nearest_of_its_type_and_a_warning_says_so() {
    let manifest = parse(&with("f32", "domain.a = { values = [0.1, 0.5] }"));
    let single = f64::from(0.1f32);
    let floats = [0.1, single, 0.5, 0.2, 0.1f64.next_up()].map(Value::Float);
    assert_eq!(contains(&manifest, &floats), [true, true, true, false, true]);
    let said = "4:24: 0.1 is no f32; 0.10000000149011612, the nearest, stands for it";
    assert_eq!(manifest.warnings, [said]);
    for (key, count) in [
        ("domain.a = { except = [0.1, 0.25] }", 1),
        ("domain.a = { range = [0.1, 0.7] }", 2),
        ("domain.a = { ranges = [[-1, 16777217], [3e7, 1e30]] }", 2),
        ("sample.a = { favour = [0.1, 0.5, 16777217] }", 2),
        ("sample.a = { range = [0, 0.3] }", 1),
        ("domain.a = { values = [0.5, inf, -inf, nan, -0.0, 16777216] }", 0),
    ] {
        assert_eq!(parse(&with("f32", key)).warnings.len(), count, "{key}");
    }
    let wide = parse(&with("f64", "domain.a = { values = [9007199254740993, 0.1] }"));
    let said = "4:24: 9007199254740993 is no f64; 9007199254740992.0, the nearest, stands for it";
    assert_eq!(wide.warnings, [said]);
    let favoured = parse(&with("[f32]", "sample.a = { favour = [[0.1, 1], [2, 3]] }"));
    assert_eq!(favoured.warnings.len(), 1);
    let favour = &favoured.functions[0].parameters[0].sampling.favour;
    assert_eq!(favour[0].to_string(), "[0.10000000149011612, 1.0]");
}

#[test]
fn nan_in_a_list_is_nan() {
    let floats = [f64::NAN, -f64::NAN, 1.0, 2.0].map(Value::Float);
    for (key, inside) in [
        ("domain.a = { values = [nan, 1.0] }", [true, true, true, false]),
        ("domain.a = { values = [-nan] }", [true, true, false, false]),
        ("domain.a = { except = [nan] }", [false, false, true, true]),
        ("domain.a = { except = [nan, 2] }", [false, false, true, false]),
        ("domain.a = { nan = false }", [false, false, true, true]),
        ("domain.a = { range = [0, 1] }", [false, false, true, false]),
        ("domain.a = { range = [0, 1], nan = true }", [true, true, true, false]),
        ("domain.a = { range = [2, 3], values = [nan] }", [true, true, false, true]),
    ] {
        for ty in ["f32", "f64"] {
            assert_eq!(contains(&parse(&with(ty, key)), &floats), inside, "{ty}: {key}");
        }
    }
}

#[test]
fn values_that_a_type_or_domain_does_not_have_are_refused_where_they_stand() {
    for (ty, key, message, place) in [
        ("i8", "domain.a = { values = [300] }", "300 is not a value of i8 (-128 to 127)", "300"),
        ("u8", "domain.a = { except = [-1] }", "-1 is not a value of u8 (0 to 255)", "-1"),
        ("i32", "domain.a = { values = [1, 0.5] }", "expected an integer, found float", "0.5"),
        ("i32", "domain.a = { values = [true] }", "expected a number, found boolean", "true"),
        ("i32", "domain.a = { range = [0.5, 2] }", "expected an integer, found float", "0.5"),
        ("i32", "domain.a = { except = [nan] }", "expected an integer, found float", "nan"),
        ("i32", "domain.a = { nan = true }", "a value of i32 is never NaN", "true"),
        ("bool", "domain.a = { values = [2] }", "expected true or false, found integer", "2"),
        ("bool", "domain.a = { values = [0.5] }", "expected true or false, found float", "0.5"),
        ("f32", "domain.a = { values = [1e39] }", "1e39 is beyond every f32", "1e39"),
        ("f64", "domain.a = { values = [1e999] }", "1e999 is beyond every float", "1e999"),
        ("f32", "sample.a = { favour = [1e39] }", "1e39 is beyond every f32", "1e39"),
        ("f64", "domain.a = { range = [nan, 1] }", "NaN is no end of a range", "[nan, 1]"),
        ("f64", "domain.a = { values = [nan], nan = false }", "NaN is kept out here and listed", "false"),
        ("f64", "domain.a = { values = [nan], except = [nan] }", "NaN is listed here and kept out", "[nan]"),
        (
            "f64",
            "domain.a = { values = [0.5], except = [0.5], range = [0, 1] }",
            "0.5 is listed here and kept out by `except`; keep one",
            "0.5",
        ),
        (
            "f64",
            "domain.a = { values = [1, 0], except = [-0.0] }",
            "0 is listed here and kept out by `except`; keep one",
            "0",
        ),
        (
            "u64",
            "domain.a = { range = [18446744073709551615, 18446744073709551614] }",
            "this range contains nothing",
            "[18446744073709551615, 18446744073709551614]",
        ),
        ("f64", "domain.a = { except = [nan], nan = true }", "NaN is let in here and kept out", "true"),
        (
            "text",
            "domain.a = { values = ['abc', 'abd'], alphabet = 'abc' }",
            "this text cannot occur",
            "'abd'",
        ),
        ("text", "domain.a = { values = ['abc'], length = 2 }", "this text cannot occur", "'abc'"),
        ("text", "domain.a = { values = ['ba'], is = ['sorted'] }", "this text cannot occur", "'ba'"),
        (
            "text",
            "domain.a = { values = [\"a\\u0000\"] }\nlower.a = 'nul-terminated'",
            "this text cannot occur",
            "\"a\\u0000\"",
        ),
        ("[u8]", "domain.a = { values = [0, 1] }\nlower.a = 'nul-terminated'", "0 cannot occur here", "0"),
    ] {
        let (found, at, _) = problem(&with(ty, key));
        assert!(found.starts_with(message) && at == place, "{key}: {found} at {at}");
    }
}

#[test]
fn a_favoured_value_outside_of_the_domain_is_told() {
    let manifest = parse(&with("i32", "domain.a = { range = [0, 9] }\nsample.a = { favour = [5, 10] }"));
    assert_eq!(manifest.warnings, ["5:27: 10 is never drawn: it is outside of the domain"]);
}

#[test]
fn ranges_stand_in_one_list() {
    let one_list = "write all of them as one list: ranges = [[least, greatest], [least, greatest]]";
    for (ty, key, message, place, hint) in [
        (
            "f64",
            "domain.a = { range = [0, 1], ranges = [[5, 6]] }",
            "both `range` and `ranges` are given",
            "[[5, 6]]",
            one_list,
        ),
        (
            "[i32]",
            "domain.a = { ranges = [[5, 6]], range = [0, 1] }",
            "both `range` and `ranges` are given",
            "[0, 1]",
            one_list,
        ),
        (
            "i32",
            "domain.a = { ranges = [] }",
            "the domain contains nothing: no range is listed",
            "[]",
            "leave `ranges` out if every value is meant",
        ),
    ] {
        let (found, at, help) = problem(&with(ty, key));
        assert_eq!((found.as_str(), at.as_str(), help.as_str()), (message, place, hint), "{key}");
    }
}

#[test]
fn a_list_of_no_values_is_refused_for_text_too() {
    for ty in ["i32", "text"] {
        let (message, at, _) = problem(&with(ty, "domain.a = { values = [] }"));
        assert_eq!(
            (message.as_str(), at.as_str()),
            ("the domain contains nothing: no value is listed", "[]")
        );
    }
}

#[test]
fn a_float_too_small_for_every_float_is_told() {
    let said = |text: &str, zero: &str| format!("{text} is no float; {zero}, the nearest, stands for it");
    for ty in ["f32", "f64"] {
        for (key, told) in [
            ("domain.a = { range = [1e-400, 1] }", vec![said("1e-400", "0.0")]),
            ("domain.a = { ranges = [[-1, -1E-400]] }", vec![said("-1E-400", "-0.0")]),
            ("domain.a = { values = [0.000_1e-400, 2] }", vec![said("0.0001e-400", "0.0")]),
            ("domain.a = { except = [1e-400] }", vec![said("1e-400", "0.0")]),
            ("sample.a = { range = [1e-400, 1] }", vec![said("1e-400", "0.0")]),
            ("sample.a = { favour = [1e-400] }", vec![said("1e-400", "0.0")]),
            ("domain.a = { values = [0.0, -0.0, 0e-400, 0.000, 1e-30] }", vec![]),
        ] {
            let mut warnings = parse(&with(ty, key)).warnings;
            if ty == "f32" {
                warnings.retain(|warning| !warning.contains("is no f32"));
            }
            let messages = warnings.iter().map(|w| w.splitn(3, ':').last().unwrap_or("").trim());
            assert_eq!(messages.collect::<Vec<_>>(), told, "{ty}: {key}");
        }
    }
    let manifest = parse(&with("[f64]", "sample.a = { favour = [[1e-400, 1]] }"));
    assert_eq!(manifest.warnings, ["4:25: 1e-400 is no float; 0.0, the nearest, stands for it"]);
}
