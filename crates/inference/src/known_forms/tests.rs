use std::collections::BTreeSet;

use dodona_relations::parse;
use dodona_target::{Given, Output, OutputName, Parameter, Scalar, Signature, Type};

use super::form::STEPS;
use super::*;

fn function(name: &str, parameters: &[(&str, &str)], result: &str) -> Signature {
    let ty = |name: &str| name.parse().expect("a type");
    let parameters = parameters.iter().map(|(name, of)| Parameter::new(*name, ty(of))).collect();
    Signature::new(name, parameters, Some(ty(result)))
}

/// The relations of functions without their names, each once.
fn texts(functions: &[Signature]) -> BTreeSet<String> {
    known_forms(functions).iter().map(KnownForm::says).collect()
}

fn has(functions: &[Signature], wanted: &[&str]) {
    let found = texts(functions);
    for one in wanted {
        assert!(found.contains(*one), "{one} is missing in {found:#?}");
    }
}

#[test]
fn every_form_is_of_the_language_and_has_words() {
    let mut names = BTreeSet::new();
    for (about, forms) in FORMS {
        for form in forms {
            assert!(names.insert((format!("{about:?}"), form.name)), "{} twice", form.name);
            assert!(parse(&format!("relation r: {}", form.says)).is_ok(), "{}", form.says);
            let known = |name: &&str| {
                FORMS
                    .iter()
                    .flat_map(|(_, forms)| *forms)
                    .chain(STEPS.iter().map(|(_, form)| form))
                    .any(|other| other.name == *name)
            };
            assert!(form.follows_from.iter().all(known), "{} follows from what there is not", form.name);
            assert!(!form.words.is_empty() && !form.words.ends_with('.'));
        }
    }
}

#[test]
fn every_form_can_be_said_of_some_function() {
    let ints = |name| function(name, &[("a", "i32"), ("b", "i32")], "i32");
    let texts = |name, result| function(name, &[("s", "text")], result);
    let bools = |name: &str, a: &str, b: &str| function(name, &[("a", a), ("b", b)], "bool");
    let subjects = [
        vec![ints("gcd"), ints("lcm")],
        vec![
            texts("to_snake", "text"),
            texts("from_snake", "text"),
            texts("is_snake", "bool"),
            texts("to_kebab", "text"),
        ],
        vec![bools("starts", "text", "text"), bools("less", "i32", "i32"), bools("over", "text", "bool")],
        vec![
            function("distance", &[("a", "text"), ("b", "text")], "u32"),
            function("other", &[("a", "text"), ("b", "text")], "u32"),
        ],
        vec![function("similar", &[("a", "text"), ("b", "text")], "f64")],
        vec![function("mean", &[("xs", "[f64]")], "f64"), function("sort", &[("xs", "[i32]")], "[i32]")],
        vec![
            function("price", &[("days", "i32"), ("member", "bool")], "i32"),
            function("member", &[("age", "i32")], "bool"),
        ],
        vec![
            function("crc", &[("seed", "u32"), ("data", "[u8]")], "u32"),
            function("list", &[("a", "[u8]"), ("b", "[u8]")], "[u8]"),
        ],
        vec![
            function("join", &[("s", "text"), ("end", "text")], "text"),
            function("big", &[("s", "text")], "bool"),
            function("small", &[("s", "text")], "bool"),
        ],
        vec![function("difference", &[("a", "[u8]"), ("b", "[u8]")], "u32")],
        vec![function("x_reads_back", &[("x", "i32")], "bool")],
        vec![
            function("pad", &[("s", "text"), ("width", "u32")], "text"),
            function("root", &[("x", "f64")], "f64"),
        ],
    ];
    let said: BTreeSet<&str> =
        subjects.iter().flat_map(|functions| known_forms(functions)).map(|one| one.form.name).collect();
    let missing: Vec<&str> = FORMS
        .iter()
        .flat_map(|(_, forms)| *forms)
        .map(|form| form.name)
        .filter(|name| !said.contains(name))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn the_type_checker_says_which_forms_a_function_has() {
    has(
        &[function("snake", &[("s", "text")], "text")],
        &["snake(snake(s)) == snake(s)", "lower(snake(s)) == snake(s)", "len(snake(s)) <= len(s)"],
    );
    has(
        &[function("distance", &[("a", "text"), ("b", "text")], "u32")],
        &[
            "distance(b, a) == distance(a, b)",
            "(distance(a, b) == 0) == (a == b)",
            "distance(a, more) <= distance(a, b) + distance(b, more)",
            "distance(concat(more, a), concat(more, b)) == distance(a, b)",
            "distance(a, b) <= max(len(a), len(b))",
        ],
    );
    has(&[function("mean", &[("xs", "[f64]")], "f64")], &["mean(sorted(xs)) ~= mean(xs)"]);
    has(
        &[function("adler", &[("start", "u32"), ("data", "[u8]")], "u32")],
        &["adler(adler(start, data), more) == adler(start, concat(data, more))"],
    );
    has(
        &[function("shipping", &[("grams", "i32"), ("zone", "i32"), ("express", "bool")], "i32")],
        &[
            "when grams <= other: shipping(grams, zone, express) <= shipping(other, zone, express)",
            "shipping(grams, zone, false) <= shipping(grams, zone, true)",
        ],
    );
    // An unsigned number has no negative.
    let found = texts(&[function("f", &[("x", "u32")], "u32")]);
    assert!(!found.contains("f(-x) == f(x)") && found.contains("f(f(x)) == x"), "{found:?}");
    // What a function hides is not a word of the language there.
    let found = known_forms(&[function("reverse", &[("s", "text")], "text")]);
    assert!(found.iter().any(|one| one.says() == "reverse(reverse(s)) == s"));
    assert!(found.iter().all(|one| !one.form.says.contains("reverse(")), "{found:?}");
}

#[test]
fn functions_are_put_together_by_types_and_names() {
    let codec = [
        function("encode", &[("data", "[u8]")], "text"),
        function("decode", &[("data", "text")], "[u8]"),
        function("width", &[("s", "text")], "u32"),
    ];
    let found = known_forms(&codec);
    assert!(found[0].by_name);
    assert_eq!(
        found[0].to_string(),
        "relation decode_undoes_encode(data: encode.data): decode(encode(data)) == data"
    );
    has(
        &[
            function("to_snake_case", &[("s", "text")], "text"),
            function("is_snake_case", &[("s", "text")], "bool"),
        ],
        &["is_snake_case(to_snake_case(s))"],
    );
    let pair = |name: &str| function(name, &[("a", "u64"), ("b", "u64")], "u64");
    has(&[pair("gcd"), pair("lcm")], &["gcd(a, b) * lcm(a, b) == a * b", "gcd(a, lcm(a, b)) == a"]);
    // Functions of the same types are compared for the same arguments, whatever these are called.
    has(
        &[
            function("osa", &[("a", "text"), ("b", "text")], "u32"),
            function("levenshtein", &[("from", "text"), ("to", "text")], "u32"),
        ],
        &["osa(a, b) <= levenshtein(a, b)"],
    );
}

#[test]
fn what_may_be_missing_is_asked_for_first() {
    let mut to = function("to", &[("n", "i32")], "text");
    to.outputs[0].given = Some(Given { output: 1, is: true });
    to.outputs.push(Output::new(OutputName::Part("is_some".to_owned()), Type::Scalar(Scalar::Bool)));
    let from = function("from", &[("text", "text")], "i32");
    has(&[to, from], &["when to(n) is some: from(to(n)) == n", "to(-n) == to(n)"]);
}

#[test]
fn what_follows_from_others_is_left_out() {
    let left = |wanted: &[&str], functions: &[Signature]| {
        let mut held = known_forms(functions);
        held.retain(|one| wanted.contains(&one.form.name));
        without_what_follows(&mut held);
        held.iter().map(KnownForm::says).collect::<Vec<_>>()
    };
    let snake = [function("snake", &[("s", "text")], "text")];
    assert_eq!(left(&["again", "three_times"], &snake), ["snake(snake(s)) == snake(s)"]);
    assert_eq!(left(&["is_its_argument", "again", "and_back", "keeps_length"], &snake), ["snake(s) == s"]);
    let gcd = [function("gcd", &[("a", "i32"), ("b", "i32")], "i32")];
    assert_eq!(
        left(&["of_exchanged", "divides"], &gcd),
        ["gcd(b, a) == gcd(a, b)", "when gcd(a, b) != 0: a mod gcd(a, b) == 0"]
    );
    let day = [function("day", &[("y", "i32"), ("d", "i32")], "i32")];
    let mut held: Vec<KnownForm> = [(0, (4, 1461)), (0, (400, 146_100)), (1, (1, 1)), (1, (7, 7))]
        .into_iter()
        .filter_map(|(parameter, adds)| step(&day, 0, parameter, adds))
        .collect();
    without_what_follows(&mut held);
    assert_eq!(
        held.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "relation day_y_plus_4_adds_1461: day(y + 4, d) == day(y, d) + 1461",
            "relation day_d_plus_1_adds_1: day(y, d + 1) == day(y, d) + 1"
        ]
    );
}

#[test]
fn parameters_with_other_domains_are_not_exchanged() {
    let mut shipping = function("shipping", &[("grams", "i32"), ("zone", "i32")], "i32");
    shipping.parameters[1].domain.numbers.ranges = vec![(1..=9).into()];
    let found = texts(&[shipping]);
    assert!(!found.contains("shipping(zone, grams) == shipping(grams, zone)"), "{found:?}");
    assert!(!found.contains("shipping(grams, -zone) == shipping(grams, zone)"), "{found:?}");
}

#[test]
fn of_a_function_without_a_result_nothing_is_said() {
    let silent = Signature { outputs: Vec::new(), ..function("silent", &[("x", "i32")], "i32") };
    let found = known_forms(&[silent, function("f", &[("x", "i32")], "i32")]);
    assert!(!found.is_empty() && found.iter().all(|one| !one.says().contains("silent")), "{found:?}");
}

#[test]
fn of_points_is_said_what_geometry_says_of_them() {
    let number = |name: &'static str| (name, "f64");
    let orientation = function("orient", &["ax", "ay", "bx", "by", "cx", "cy"].map(number), "f64");
    let found: Vec<String> = of_points(&[orientation], 0).iter().map(KnownForm::says).collect();
    for wanted in [
        "given ax' = bx, ay' = by, bx' = ax, by' = ay expect out' ~= -out",
        "given bx' = cx, by' = cy, cx' = bx, cy' = by expect out' ~= out",
        "orient(ax, ay, ax, ay, cx, cy) ~= 0",
        "for k in {1, 10}: given ax' = ax + k, bx' = bx + k, cx' = cx + k expect out' ~= out",
        "for k in {2, 10}: given ax' = k * ax, ay' = k * ay, bx' = k * bx, by' = k * by, cx' = k * cx, cy' = k * cy expect out' ~= k ^ 2 * out",
    ] {
        assert!(found.iter().any(|one| one.ends_with(wanted)), "{wanted} is missing in {found:#?}");
    }
    // One coordinate makes no point, and neither do coordinates of different kinds.
    let others = [
        function("add", &["x1", "x2"].map(number), "f64"),
        function("f", &[("x1", "f64"), ("y1", "i32"), ("x2", "f64"), ("y2", "i64")], "f64"),
        function("gcd", &["a", "b"].map(number), "f64"),
    ];
    assert!((0..others.len()).all(|one| of_points(&others, one).is_empty()));
}

#[test]
fn a_step_follows_from_one_that_divides_it_and_an_order_from_a_step_of_one() {
    let day = [function("day", &[("y", "i32")], "i32")];
    let mut held: Vec<KnownForm> = [(30, 10631), (60, 21262), (90, 31893), (7, 2)]
        .into_iter()
        .filter_map(|found| step(&day, 0, 0, found))
        .collect();
    without_what_follows(&mut held);
    let says: Vec<String> = held.iter().map(KnownForm::says).collect();
    assert_eq!(says, ["day(y + 30) == day(y) + 10631", "day(y + 7) == day(y) + 2"]);
    let always_higher = known_forms(&day).into_iter().filter(|form| form.form.name == "always_higher");
    let mut held: Vec<KnownForm> = step(&day, 0, 0, (1, 2)).into_iter().chain(always_higher).collect();
    assert_eq!(held.len(), 2);
    without_what_follows(&mut held);
    assert_eq!(held.iter().map(KnownForm::says).collect::<Vec<_>>(), ["day(y + 1) == day(y) + 2"]);
}
