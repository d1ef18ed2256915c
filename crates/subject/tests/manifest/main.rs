//! Manifests: what is read, and what each mistake says.

mod ignored;
mod mistakes;
mod numbers;
mod sampling;
mod targets;
mod web_services;

use std::path::Path;

use dodona_subject::{Argument, Fuel, Lowering, Manifest, ModuleSource, Passing, ResultLowering};
use dodona_target::{Distribution, Domain, Number, OutputName, Predicate, Scalar, Type, Value};

fn parse(text: &str) -> Manifest {
    Manifest::parse(Path::new("/s/gcd/dodona.toml"), text).unwrap_or_else(|p| panic!("{p:#?}"))
}

/// The first problem's message, the text at its place, and its hint.
fn problem(text: &str) -> (String, String, String) {
    let problems = Manifest::parse(Path::new("/s/gcd/dodona.toml"), text).expect_err("refused");
    let first = &problems[0];
    (first.message.clone(), text[first.span.clone()].to_owned(), first.hint.clone().unwrap_or_default())
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
    let ModuleSource::C(source) = &manifest.source else { panic!("{:?}", manifest.source) };
    assert_eq!(source.files, [Path::new("/s/gcd/gcd.c")]);
    assert_eq!(source.flags, ["-lm"]);
    assert!(!source.has_calls());
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
    assert_eq!(join.lowerings[1], Lowering::PointerLength(Passing::InOut));
    assert_eq!(join.parameters[0].domain.predicates, [Predicate::NoNul]);
    let outputs: Vec<_> = join.outputs.iter().cloned().map(|o| o.name).collect();
    assert_eq!(outputs, [OutputName::Return, OutputName::Parameter("xs".into())]);
    let render = &manifest.functions[1];
    assert_eq!(render.result, ResultLowering::OutBuffer { ty: Type::Sequence(Scalar::F32), capacity: 16 });
    assert_eq!(render.arguments, [Argument::Value(0), Argument::OutPointer, Argument::OutCapacity]);
    let qsort = &manifest.functions[2];
    assert_eq!(qsort.arguments[2..], [Argument::Constant(2), Argument::FunctionPointer("strcmp".into())]);
    let tokens = &manifest.functions[3];
    assert!(tokens.is_command() && tokens.export == "_start" && tokens.arguments.is_empty());
    let lowered: Vec<_> = tokens.lowerings.clone();
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
    let ints = |v: &[i128]| Value::Sequence(dodona_target::Sequence::Int(v.to_vec()));
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
