//! Manifests: what is read, and what each mistake says.

use std::path::Path;

use dodona_subject::{
    Argument, Distribution, Domain, Fuel, Lowering, Manifest, ModuleSource, Number, OutputName, Passing,
    Predicate, ResultLowering, Scalar, Type, Value,
};

fn parse(text: &str) -> Manifest {
    Manifest::parse(Path::new("/s/gcd/dodona.toml"), text).unwrap_or_else(|p| panic!("{p:#?}"))
}

/// The first problem's message, the text at its place, and its hint.
fn problem(text: &str) -> (String, String, String) {
    let problems = Manifest::parse(Path::new("/s/gcd/dodona.toml"), text).expect_err("refused");
    let first = &problems[0];
    (first.message.clone(), text[first.span.clone()].to_owned(), first.hint.clone().unwrap_or_default())
}

const GCD: &str = r#"
specification = "Commons Math"
[build]
c = ["gcd.c"]
flags = ["-lm"]
[limits]
fuel = 1_000
memory = "2 MiB"
[[function]]
signature = "gcd(p: i32, q: i32) -> i32"
relations = ["gcd.mr"]
requires = "p != 0 or q != 0"
domain.p = { range = [-2147483647, 2147483647] }
sample.p = { range = [-1000, 1000], distribution = "uniform", favour = [0, 1] }
"#;

#[test]
fn a_whole_manifest_is_read() {
    let manifest = parse(GCD);
    assert_eq!(manifest.name, "gcd");
    assert_eq!(manifest.limits.fuel, Fuel(1000));
    assert_eq!(manifest.limits.memory, 2 << 20);
    assert_eq!(
        manifest.source,
        ModuleSource::C { files: vec!["/s/gcd/gcd.c".into()], flags: vec!["-lm".into()] }
    );
    assert_eq!(manifest.relations, [Path::new("/s/gcd/gcd.mr")]);
    let (index, gcd) = manifest.function("gcd").expect("declared");
    assert_eq!((index, gcd.export.as_str()), (0, "gcd"));
    assert_eq!(gcd.arguments, [Argument::Value(0), Argument::Value(1)]);
    assert_eq!(gcd.result, ResultLowering::Value(Scalar::I32));
    assert_eq!(gcd.requires.as_deref(), Some("p != 0 or q != 0"));
    let p = &gcd.parameters[0];
    assert!(!p.domain.contains(p.ty, &Value::Int(-2147483648)));
    assert!(p.domain.contains(p.ty, &Value::Int(5)));
    assert_eq!(p.sampling.distribution, Distribution::Uniform);
    assert_eq!(p.sampling.favour, [Value::Int(0), Value::Int(1)]);
    assert!(gcd.parameters[1].domain.is_everything());
}

#[test]
fn lowerings_make_the_usual_arguments() {
    let manifest = parse(
        r#"module = "a.wasm"
[[function]]
signature = "join(sep: text, xs: [bool]) -> text"
lower.sep = "nul-terminated"
lower.xs = "in-out"
[[function]]
signature = "render(n: u64) -> [f32]"
result = "out-buffer"
capacity = 16
[[function]]
signature = "qsort(xs: [u16])"
lower.xs = "in-out"
arguments = ["xs.pointer", "xs.length", 2, "&strcmp"]
[[function]]
signature = "tokens(text: text, n: i32, config: text) -> command"
lower.config = "file:config.txt"
"#,
    );
    let join = &manifest.functions[0];
    let joined = [Argument::ReturnPointer, Argument::Pointer(0), Argument::Pointer(1), Argument::Length(1)];
    assert_eq!(join.arguments, joined);
    assert_eq!(join.parameters[1].lowering, Lowering::PointerLength(Passing::InOut));
    assert_eq!(join.parameters[0].domain.predicates, [Predicate::NoNul]);
    let outputs: Vec<_> = join.outputs().into_iter().map(|o| o.name).collect();
    assert_eq!(outputs, [OutputName::Return, OutputName::Parameter("xs".into())]);
    let render = &manifest.functions[1];
    assert_eq!(render.result, ResultLowering::OutBuffer { ty: Type::Sequence(Scalar::F32), capacity: 16 });
    assert_eq!(render.arguments, [Argument::Value(0), Argument::OutPointer, Argument::OutCapacity]);
    let qsort = &manifest.functions[2];
    assert_eq!(qsort.arguments[2..], [Argument::Constant(2), Argument::FunctionPointer("strcmp".into())]);
    let tokens = &manifest.functions[3];
    assert!(tokens.is_command() && tokens.export == "_start" && tokens.arguments.is_empty());
    let lowered: Vec<_> = tokens.parameters.iter().map(|p| p.lowering.clone()).collect();
    assert_eq!(lowered, [Lowering::Stdin, Lowering::Word, Lowering::File("config.txt".into())]);
}

#[test]
fn domains_are_read() {
    let manifest = parse(
        r#"module = "a.wasm"
[[function]]
signature = "f(a: u64, b: f64, s: text, xs: [i8], t: text)"
domain.a = { range = [0, 18446744073709551615], except = [7] }
domain.b = { values = [0.5, 2], nan = false }
domain.s = { length = [1, 3], alphabet = "xy", alphabet-ranges = ["a-c"] }
domain.xs = { length = 2, range = [0, 9], is = ["sorted", "distinct"] }
domain.t = { values = ["yes", "no"] }
"#,
    );
    let contains = |i: usize, v: Value| {
        let p = &manifest.functions[0].parameters[i];
        p.domain.contains(p.ty, &v)
    };
    assert!(
        contains(0, Value::Int(u64::MAX.into()))
            && !contains(0, Value::Int(7))
            && !contains(0, Value::Int(-1))
    );
    assert!(
        contains(1, Value::Float(0.5)) && contains(1, Value::Float(2.0)) && !contains(1, Value::Float(1.0))
    );
    assert!(!contains(1, Value::Float(f64::NAN)));
    let text = |s: &str| Value::Text(s.into());
    assert!(
        contains(2, text("xab"))
            && !contains(2, text(""))
            && !contains(2, text("d"))
            && !contains(2, text("xxxx"))
    );
    let ints = |v: &[i128]| Value::Sequence(dodona_subject::Sequence::Int(v.to_vec()));
    assert!(contains(3, ints(&[1, 2])) && !contains(3, ints(&[2, 1])) && !contains(3, ints(&[1, 1])));
    assert!(!contains(3, ints(&[1])) && !contains(3, ints(&[1, 10])));
    assert!(contains(4, text("no")) && !contains(4, text("maybe")));
    let range = manifest.functions[0].parameters[0].domain.numbers.ranges[0];
    assert_eq!(range.high, Number::Int(u64::MAX.into()));
}

#[test]
fn nan_is_inside_an_open_float_domain_only() {
    let domain = Domain::default();
    assert!(domain.contains(Type::Scalar(Scalar::F64), &Value::Float(f64::NAN)));
    assert!(!domain.contains(Type::Scalar(Scalar::F32), &Value::Float(1e300)));
}

#[test]
fn mistakes_are_named_at_their_place() {
    let one = |entry: &str| {
        problem(&format!("module = \"a.wasm\"\n[[function]]\nsignature = \"f(x: i8) -> i8\"\n{entry}\n"))
    };
    let is = |found: (String, String, String), message: &str, at: &str, hint: &str| {
        assert_eq!((found.0.as_str(), found.1.as_str(), found.2.as_str()), (message, at, hint));
    };
    is(one("domian.x = {}"), "unknown key `domian` in [[function]]", "domian", "did you mean `domain`?");
    is(one("domain.y = {}"), "`f` has no parameter `y`", "y", "did you mean `x`?");
    is(
        one("domain.x = { rang = [0, 1] }"),
        "unknown key `rang` in a domain",
        "rang",
        "did you mean `range`?",
    );
    is(
        one("domain.x = { range = [5, 1] }"),
        "this range contains nothing",
        "[5, 1]",
        "write [least, greatest]; both ends are inside",
    );
    is(one("domain.x = { range = [0, 300] }"), "300 is not a value of i8 (-128 to 127)", "300", "");
    is(one("domain.x = { range = [0.5, 1] }"), "expected an integer, found float", "0.5", "");
    is(one("domain.x = { length = 3 }"), "a i8 has no length", "3", "");
    is(
        one("domain.x = { values = [4], except = [4] }"),
        "the domain contains nothing: `except` takes every value away",
        "{ values = [4], except = [4] }",
        "",
    );
    is(
        one("sample.x = { distribution = \"unifrom\" }"),
        "`unifrom` is not a distribution",
        "\"unifrom\"",
        "did you mean `uniform`?",
    );
    is(one("sample.x = { favour = [1, 999] }"), "this is not a value of i8", "999", "");
    is(one("lower.x = \"in-out\""), "`in-out` is no lowering of i8 here", "\"in-out\"", "write \"value\"");
    is(
        one("[[function]]\nsignature = \"f() -> i8\""),
        "function `f` stands twice",
        "\"f() -> i8\"",
        "each function has one entry; give the other another name and `export = \"…\"`",
    );
    is(
        problem("module = \"a.wasm\""),
        "no function is declared",
        "m",
        "add [[function]] with signature = \"gcd(p: i32, q: i32) -> i32\"",
    );
    let (message, ..) = problem("[[function]]\nsignature = \"f(x: i8)\"");
    assert_eq!(message, "neither `module` nor `[build]` says where the module is");
    let (message, ..) =
        problem("module = \"a.wasm\"\n[build]\nc = []\n[[function]]\nsignature = \"f(x: i8)\"");
    assert_eq!(message, "both `module` and `[build]` are given; keep one");
    let (message, at, _) =
        problem("module = \"a.wasm\"\n[limits]\nfuel = 0\n[[function]]\nsignature = \"f()\"");
    assert_eq!(
        (message.as_str(), at.as_str()),
        ("expected a number of instructions, at least 1, found integer", "0")
    );
    let (message, ..) = problem("module = ");
    assert!(!message.is_empty());
}

#[test]
fn bad_signatures_point_into_the_string() {
    let at = |signature: &str| {
        let found = problem(&format!("module = \"a.wasm\"\n[[function]]\nsignature = \"{signature}\"\n"));
        (found.0, found.1)
    };
    assert_eq!(at("f(x: i33)").1, "i33");
    assert_eq!(at("f(x)"), ("a parameter needs its type: `x: i32`".into(), "x".into()));
    assert_eq!(at("f(x: i8, x: i8)").0, "parameter `x` stands twice");
    assert_eq!(at("f x: i8").0, "a signature needs `(`: gcd(p: i32, q: i32) -> i32");
    assert_eq!(at("f(x: i8) i8"), ("expected `-> TYPE`, found `i8`".into(), "i8".into()));
    let (message, place) = at("f(when: i8)");
    assert_eq!(place, "when");
    assert!(message.contains("word of the relation language"), "{message}");
    assert!(at("9(x: i8)").0.contains("a function name"));
}

#[test]
fn several_mistakes_are_reported_together_in_order() {
    let text = "module = \"a.wasm\"\nnme = \"x\"\n[[function]]\nsignature = \"f(x: i8)\"\ndomain.x = { rnge = [1, 2] }\n";
    let problems = Manifest::parse(Path::new("d/dodona.toml"), text).expect_err("refused");
    let messages: Vec<_> = problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(messages, ["unknown key `nme` in the manifest", "unknown key `rnge` in a domain"]);
    assert_eq!(problems[0].line_column(text), (2, 1));
    assert_eq!(problems[1].line_column(text), (5, 14));
}

/// A manifest of a function with a parameter of a type and a domain (or another key).
fn with(ty: &str, key: &str) -> String {
    format!("module = \"a.wasm\"\n[[function]]\nsignature = \"f(a: {ty})\"\n{key}\n")
}

/// Whether values are in the domain of the parameter.
fn contains(manifest: &Manifest, values: &[Value]) -> Vec<bool> {
    let p = &manifest.functions[0].parameters[0];
    values.iter().map(|value| p.domain.contains(p.ty, value)).collect()
}

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
