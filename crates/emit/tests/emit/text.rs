//! The text itself, and what cannot be written.

use dodona_emit::{EmitContext, EmitError, Language, emit};
use dodona_relations::{Relation, check, parse};
use dodona_subject::{Function, Manifest};
use dodona_target::{Number, NumberRange};

use crate::common::{context, written};

const LANGUAGES: [Language; 4] = [Language::Rust, Language::C, Language::Python, Language::Java];

fn functions() -> Vec<Function> {
    let text = "name = 's'\nmodule = 's.wasm'\n\
        [[function]]\nsignature = 'pow(k: i32, e: i32) -> i32'\nsample.k = { range = [-12, 12] }\nsample.e = { range = [0, 8], favour = [30] }\n\
        [[function]]\nsignature = 'type(fn: text, n: u8) -> text'\ndomain.fn = { length = [0, 4], alphabet = 'ab' }\n\
        [[function]]\nsignature = 'tokens(text: text) -> command'\nlower.text = 'stdin'\n\
        [[function]]\nsignature = 'none(x: i8) -> i8'\n";
    let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), text);
    let mut functions = manifest.unwrap_or_else(|p| panic!("{p:?}")).functions;
    // A manifest would refuse it.
    let none = NumberRange { low: Number::Int(200), high: Number::Int(300) };
    functions[3].signature.parameters[0].domain.numbers.ranges = vec![none];
    functions
}

fn checked(text: &str) -> (Vec<Relation>, Vec<Function>) {
    let functions = functions();
    let file = parse(text).unwrap_or_else(|p| panic!("{p:?}"));
    (check(&file, &dodona_subject::signatures(&functions)).unwrap_or_else(|p| panic!("{p:?}")), functions)
}

/// Without what the words mean, which other tests look at.
fn tests_alone(language: Language, text: &str) -> String {
    let (relations, functions) = checked(text);
    let module = match language {
        Language::Rust => "numbers::integers",
        Language::C => "numbers.h",
        Language::Python => "numbers.wasm",
        Language::Java => "",
    };
    let all = written(language, &relations, &functions, module);
    let (head, rest) = match language {
        Language::Rust => return all.split("/// What the words").next().unwrap_or_default().to_owned(),
        Language::Python => return all.split("# What the words").next().unwrap_or_default().to_owned(),
        Language::Java => return all.split("    // What the words").next().unwrap_or_default().to_owned(),
        Language::C => (all.split("__extension__").next(), all.find("/* pow(")),
    };
    format!("{}[…]\n\n{}", head.unwrap_or_default(), &all[rest.unwrap_or(0)..])
}

#[test]
fn files_read_well() {
    let text = "relation successor: for j in {1, 2}: when e > j: pow(k, e - j) == pow(k, e) / k^j\n\
        relation fn: len(type(concat(fn, \"é\\\"\"), n)) ~= len(type(fn, n)) + 1.5 within 4 ulp\n\
        relation refuses: pow(k, -1 - abs(e)) traps";
    for language in LANGUAGES {
        insta::assert_snapshot!(format!("{}", language.name()), tests_alone(language, text));
    }
}

#[test]
fn the_same_relations_give_the_same_bytes() {
    let (relations, functions) = checked("relation commutes: pow(k, e) == pow(k, e)");
    for language in LANGUAGES {
        let once = written(language, &relations, &functions, "m");
        assert_eq!(once, written(language, &relations, &functions, "m"));
    }
}

fn refused(language: Language, text: &str, module: &str, cases: u32) -> String {
    let (relations, functions) = checked(text);
    let mut context = context(&functions, module);
    context.cases = cases;
    emit(language, &relations, &context).expect_err("cannot be written").to_string()
}

#[test]
fn what_a_language_cannot_say_is_told() {
    let command = "relation silent: tokens(text).stderr == \"\"";
    let why = "is a command and no function; Python tests can run it";
    for language in [Language::Rust, Language::C, Language::Java] {
        let told = refused(language, command, "m", 1);
        assert_eq!(
            told,
            format!("relation `silent` cannot be written in {}: `tokens` {why}", language.name())
        );
    }
    let bytes = refused(Language::Rust, "relation bytes: type(fn, n) != \"\\xff\"", "m", 1);
    assert!(bytes.contains("relation `bytes`") && bytes.contains("UTF-8"), "{bytes}");
    for language in LANGUAGES {
        let empty = refused(language, "relation nothing: none(x) == none(x + 0)", "m", 1);
        assert!(
            empty.contains("`nothing`") && empty.contains("the domain of its parameter `x` is empty"),
            "{empty}"
        );
        assert_eq!(refused(language, command, "m", 0), EmitError::NoCases.to_string());
    }
    assert_eq!(refused(Language::Rust, command, " ", 1), EmitError::NoModule.to_string());
    let functions = functions();
    assert_eq!(emit(Language::C, &[], &context(&functions, "m")), Err(EmitError::Nothing));
}

#[test]
fn what_no_method_of_java_takes_is_told() {
    let (relations, functions) = checked("relation commutes: pow(k, e) == pow(k, e)");
    let of = |path: &str| {
        let methods = ["pow", "type", "tokens", "none"].map(|name| match name {
            "pow" => format!("org.example.Model:{path}"),
            name => format!("org.example.Model:{name}"),
        });
        let context = EmitContext { methods: &methods, ..context(&functions, "") };
        emit(Language::Java, &relations, &context).map_err(|error| error.to_string())
    };
    let written = of("power(long, Integer)").expect("it can be written");
    assert!(written.contains("org.example.Model.power(mrLongOf(k), mrIntOf(e))"), "{written}");
    assert_eq!(
        of("power(long)"),
        Err("relation `commutes` cannot be written in Java: `pow` has 2 parameters, and its path in the manifest spells out 1".to_owned())
    );
    let told = of("power(String,int)").expect_err("a number is no text");
    assert!(told.contains("a value of type `i32` is no `String` of Java"), "{told}");
    let elsewhere = context(&functions, "my.Adapters");
    let written = emit(Language::Java, &relations, &elsewhere).expect("it can be written");
    assert!(
        written.starts_with("package my;\n") && written.contains("my.Adapters.pow(mrIntOf(k), mrIntOf(e))"),
        "{written}"
    );
}
