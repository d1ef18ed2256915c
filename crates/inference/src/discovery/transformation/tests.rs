//! Transformations of functions with several signatures.

use std::path::Path;

use dodona_subject::Manifest;

use super::*;

fn functions(signatures: &[&str]) -> Vec<Signature> {
    let declare = |signature: &&str| format!("[[function]]\nsignature = \"{signature}\"\n");
    let text = format!("module = \"m.wasm\"\n{}", signatures.iter().map(declare).collect::<String>());
    Manifest::parse(Path::new("dodona.toml"), &text).expect("a manifest").signatures()
}

fn of(signature: &str, constants: &[(Value, u64)], most: usize) -> Vec<Transformation> {
    transformations(&functions(&[signature]), 0, constants, most, 1)
}

fn given(list: &[Transformation]) -> Vec<String> {
    list.iter().map(Transformation::given).collect()
}

#[test]
fn genmorph_comes_first_with_its_own_constants() {
    let list = of("pow(k: i32, e: i32) -> i32", &[], 64);
    let names: Vec<&str> = list.iter().map(|t| t.name.as_str()).take(5).collect();
    assert_eq!(
        names,
        [
            "PermuteParameters(k, e)",
            "NumericAddition(k, -1)",
            "NumericMultiplication(k, -1)",
            "NumericAddition(e, -1)",
            "NumericMultiplication(e, -1)",
        ]
    );
    let permuted = &list[0];
    assert_eq!(permuted.given(), "k' = e, e' = k");
    assert_eq!(permuted.changed(), [0, 1]);
    assert_eq!(list[2].given(), "k' = -k, e' = e");
}

#[test]
fn constants_of_the_code_go_by_how_often_they_occur() {
    let constants = [(Value::Int(7), 1), (Value::Int(3), 5), (Value::Int(1 << 20), 9), (Value::Int(0), 9)];
    let list = of("f(x: i32) -> i32", &constants, 64);
    let place = |name: &str| list.iter().position(|t| t.name == name).unwrap_or_else(|| panic!("{name}"));
    assert!(place("NumericAddition(x, 1)") < place("NumericAddition(x, 3)"));
    assert!(place("NumericAddition(x, 3)") < place("NumericAddition(x, 7)"));
    assert!(place("NumericMultiplication(x, 3)") < place("NumericAddition(x, 7)"));
    assert_eq!(list[place("NumericAddition(x, 3)")].weight, 5);
    assert!(!list.iter().any(|t| t.name.contains("1048576") || t.name.contains("x, 0)")));
}

#[test]
fn constants_beyond_the_domain_are_left_out() {
    let text = "module = \"m.wasm\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\ndomain.x = { range = [0, 5] }\n";
    let manifest = Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest");
    let list = transformations(&manifest.signatures(), 0, &[(Value::Int(50), 9), (Value::Int(4), 1)], 64, 1);
    assert!(list.iter().any(|t| t.name == "NumericAddition(x, 4)"));
    assert!(!list.iter().any(|t| t.name == "NumericAddition(x, 50)"));
}

#[test]
fn periods_and_reflections_of_angles() {
    let list = given(&of("sin(x: f64) -> f64", &[], 64));
    for wanted in
        ["x' = -x", "x' = x + pi", "x' = x + 2 * pi", "x' = x + pi / 2", "x' = pi - x", "x' = sin(x)"]
    {
        assert!(list.iter().any(|g| g == wanted), "{wanted} in {list:?}");
    }
}

#[test]
fn every_template_of_sequences_and_texts() {
    let list = given(&of("f(s: text, t: text) -> text", &[], 200));
    let wanted = [
        "s' = t, t' = s",
        "s' = remove(s, 0), t' = t",
        "s' = remove(s, -1), t' = t",
        "s' = reverse(s), t' = t",
        "s' = concat(s, \"a\"), t' = t",
        "s' = concat(\"a\", s), t' = t",
        "s' = concat(truncate(s, 1), concat(\"a\", s[1..])), t' = t",
        "s' = concat(s, s), t' = t",
        "s' = concat(s, t), t' = t",
        "s' = s, t' = truncate(t, 1)",
        "s' = s, t' = sorted(t)",
        "s' = upper(s), t' = t",
        "s' = s, t' = lower(t)",
        "s' = s, t' = f(s, t)",
        "s' = reverse(s), t' = reverse(t)",
        "s' = upper(s), t' = upper(t)",
    ];
    for wanted in wanted {
        assert!(list.iter().any(|g| g == wanted), "{wanted} in {list:#?}");
    }
    let list = given(&of("g(xs: [i32], b: bool) -> i32", &[], 64));
    let wanted = ["xs' = xs + 1, b' = b", "xs' = xs * 2, b' = b", "xs' = xs * -1, b' = b"];
    for wanted in wanted.into_iter().chain(["xs' = concat(xs, [1]), b' = b", "xs' = xs, b' = not b"]) {
        assert!(list.iter().any(|g| g == wanted), "{wanted} in {list:#?}");
    }
}

#[test]
fn the_same_change_of_both_comes_first_of_two_in_a_row() {
    let list = of("gcd(p: i32, q: i32) -> i32", &[], 64);
    let first = list.iter().position(|t| t.template == Template::Sequence).expect("two in a row");
    assert!(list[first..].iter().all(|t| t.template == Template::Sequence), "they come last");
    let both = given(&list);
    for wanted in
        ["p' = 2 * p, q' = 2 * q", "p' = -p, q' = -q", "p' = p, q' = q + p", "p' = p - 1, q' = q - 1"]
    {
        assert!(both.iter().any(|g| g == wanted), "{wanted} in {both:#?}");
    }
}

#[test]
fn none_twice_none_without_a_change_and_no_more_than_asked_for() {
    for signature in [
        "f(b: bool) -> bool",
        "f(a: i32, b: i64, c: [u8], d: text) -> text",
        "f() -> i32",
        "f(x: f32) -> f32",
    ] {
        for most in [0, 1, 5, 64, 1000] {
            let list = of(signature, &[(Value::Int(2), 1), (Value::Float(0.5), 3)], most);
            assert!(list.len() <= most, "{signature}");
            let mut seen = HashSet::new();
            assert!(list.iter().all(|t| seen.insert(t.given()) && !t.changed().is_empty()), "{signature}");
            assert_eq!(list, of(signature, &[(Value::Int(2), 1), (Value::Float(0.5), 3)], most));
        }
    }
}

#[test]
fn one_boolean_parameter_is_flipped_and_fed_back() {
    assert_eq!(given(&of("f(b: bool) -> bool", &[], 64)), ["b' = not b", "b' = f(b)", "b' = not f(b)"]);
    assert_eq!(given(&of("f(b: bool) -> i32", &[], 64)), ["b' = not b"]);
}

#[test]
fn who_asks_for_some_gets_as_many_of_these() {
    let all = functions(&["gcd(p: i32, q: i32) -> i32"]);
    let mut asked = 0;
    let kept = transformations_where(&all, 0, &[], 20, 1, &mut |t| {
        asked += 1;
        !t.name.contains("Addition")
    });
    assert_eq!(kept.len(), 20);
    assert!(kept.iter().all(|t| !t.name.contains("Addition")) && asked < 120, "{asked}");
    let none = transformations_where(&all, 0, &[], 20, 1, &mut |_| false);
    assert!(none.is_empty());
}

#[test]
fn a_sequence_grows_with_a_number() {
    let list = of("repeat(s: text, n: i32) -> text", &[], 64);
    let first = list.iter().find(|t| t.template == Template::Sequence).expect("two in a row");
    assert_eq!(first.given(), "s' = remove(s, 0), n' = n - 1");
    let both = given(&list);
    assert!(both.iter().any(|g| g == "s' = concat(s, \"a\"), n' = n + 1"), "{both:#?}");
}

#[test]
fn words_that_a_function_hides_are_not_written() {
    let all = functions(&[
        "reverse(s: text) -> text",
        "f(s: text) -> i32",
        "truncate(s: text, n: i32, t: text) -> text",
    ]);
    let list = transformations(&all, 1, &[], 200, 1);
    assert!(!list.iter().any(|t| t.given().contains("reverse")));
    assert!(
        list.iter().any(|t| t.given() == "s' = truncate(s, 1)"),
        "a word with fewer arguments is not hidden"
    );
}

#[test]
fn what_depends_on_the_source_call_says_so() {
    let list = of("f(x: i32, y: i32) -> i32", &[], 64);
    let fed: Vec<String> = list.iter().filter(|t| t.feeds_back()).map(Transformation::given).collect();
    assert!(fed.contains(&"x' = f(x, y), y' = y".to_owned()), "{fed:?}");
    assert!(list.iter().filter(|t| t.template == Template::FeedBack).all(Transformation::feeds_back));
}

#[test]
fn every_follow_up_call_checks() {
    let signatures = [
        "f(a: i8, b: u64, c: f32, d: f64) -> f64",
        "g(s: text, n: i32, xs: [f64], ys: [bool], zs: [i16]) -> text",
        "h(pi: f64, e: i32, b: bool) -> bool",
        "concat(xs: [i32], ys: [i32]) -> [i32]",
    ];
    let all = functions(&signatures);
    for function in 0..all.len() {
        for t in transformations(&all, function, &[(Value::Int(3), 1), (Value::Float(2.5), 1)], 300, 7) {
            let text = format!("relation probe: {} == {}", t.source(), t.follow_up());
            let file = dodona_relations::parse(&text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            dodona_relations::check(&file, &all).unwrap_or_else(|e| panic!("{}: {text}: {e:?}", t.name));
            let primed =
                format!("relation probe of {}: given {} expect out' == out", all[function].name, t.given());
            let file = dodona_relations::parse(&primed).unwrap_or_else(|e| panic!("{primed}: {e:?}"));
            dodona_relations::check(&file, &all).unwrap_or_else(|e| panic!("{}: {primed}: {e:?}", t.name));
        }
    }
}
