//! Modules that cannot be run, and what the messages say.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, LoadError, Options};

fn refused(wat: &str, f: Function) -> String {
    load(&module(wat), &[f]).unwrap_err().to_string()
}

#[test]
fn a_missing_export_names_the_nearest() {
    let wat = r#"(module (func (export "gcd")) (func (export "lcm")) (memory (export "gcf") 1))"#;
    assert_eq!(
        refused(wat, function("gdc", &[], ResultLowering::None)),
        "the module exports no function `gdc` (did you mean `gcd`?); it exports `gcd`, `lcm`"
    );
    assert_eq!(
        refused("(module)", function("f", &[], ResultLowering::None)),
        "the module exports no function `f`; it exports no function"
    );
}

#[test]
fn a_wrong_type_shows_both() {
    let wat = r#"(module (func (export "gcd") (param i32) (result i64) (i64.const 0)))"#;
    assert_eq!(
        refused(wat, function("gcd", &["i32", "i32"], returns("i32"))),
        "declared gcd(i32, i32) -> i32, but the module exports gcd: (i32) -> i64; correct the signature, the lowerings or `arguments`"
    );
    assert!(refused(wat, function("gcd", &["f64"], returns("i64"))).contains("declared gcd(f64) -> i64"));
    // A result that nobody asks for is dropped.
    assert!(load(&module(wat), &[function("gcd", &["i32"], ResultLowering::None)]).is_ok());
}

#[test]
fn a_library_is_no_command() {
    let wat = r#"(module (func (export "run")))"#;
    let command = Function { export: "_start".into(), ..function("tool", &[], ResultLowering::Command) };
    assert_eq!(
        refused(wat, command.clone()),
        "`tool` is declared as a command, but the module exports no function `_start`; build it as a program with `main`, or declare an exported function: `run`"
    );
    let wat = r#"(module (func (export "_start") (param i32)))"#;
    assert!(matches!(load(&module(wat), &[command]), Err(LoadError::WrongType { .. })));
}

#[test]
fn sequences_need_a_memory() {
    let wat = r#"(module (func (export "f") (param i32 i32)))"#;
    assert_eq!(
        refused(wat, function("f", &["[i32]"], ResultLowering::None)),
        "`f` takes or returns [i32] in linear memory, but the module has no memory; correct the signature"
    );
}

#[test]
fn an_allocator_must_be_one() {
    let wat = r#"(module (memory 1) (func (export "take") (param i64)) (func (export "f")))"#;
    let with = |name: &str| {
        let options = Options { allocator: Some(name.into()), ..Options::default() };
        let f = function("f", &[], ResultLowering::None);
        Executable::load(&module(wat), &[f], &options).unwrap_err().to_string()
    };
    assert!(with("give").starts_with("the allocator `give` is not exported; it must be"), "{}", with("give"));
    assert!(with("take").starts_with("the allocator `take` has another type"), "{}", with("take"));
}

#[test]
fn lowerings_must_fit_types() {
    let wat = r#"(module (memory 1) (func (export "f") (param i32)))"#;
    let p = |ty: &str, lowering| Function::new("f", vec![parameter("x", ty, lowering)], ResultLowering::None);
    for f in [
        p("i32", Lowering::PointerLength(Passing::In)),
        p("text", Lowering::Value),
        p("text", Lowering::Stdin),
        Function { arguments: vec![Argument::Length(0)], ..p("i32", Lowering::Value) },
        Function { arguments: vec![Argument::Value(3)], ..p("i32", Lowering::Value) },
        function("f", &[], ResultLowering::ReturnPointer(Type::Scalar(Scalar::I32))),
    ] {
        assert!(matches!(load(&module(wat), &[f]), Err(LoadError::Lowering { .. })));
    }
}

#[test]
fn a_function_pointer_to_nothing_is_a_missing_export() {
    let wat = r#"(module (func (export "f") (param i32)))"#;
    let f = Function {
        arguments: vec![Argument::FunctionPointer("g".into())],
        ..function("f", &[], ResultLowering::None)
    };
    assert!(matches!(load(&module(wat), &[f]), Err(LoadError::MissingExport { .. })));
}

#[test]
fn proposals_that_are_not_supported_are_refused() {
    for (wat, word) in [
        (r#"(module (memory i64 1) (func (export "f")))"#, "64-bit memory"),
        (r#"(module (table i64 1 funcref) (func (export "f")))"#, "64"),
        (r#"(module (memory 1 1 shared) (func (export "f")))"#, "threads"),
        (
            r#"(module (tag $e) (func (export "f")
                (block $caught (try_table (catch $e $caught) (throw $e)))))"#,
            "exceptions",
        ),
    ] {
        let error = refused(wat, function("f", &[], ResultLowering::None));
        assert!(error.contains("cannot be compiled") && error.contains(word), "{error}");
    }
}

#[test]
fn limits_have_bounds() {
    let with = |limits| {
        let f = function("f", &[], ResultLowering::None);
        let wat = r#"(module (memory 1) (func (export "f")))"#;
        Executable::load(&module(wat), &[f], &Options { limits, ..Options::default() }).map(|_| ())
    };
    let standard = Limits::default();
    assert!(matches!(
        with(Limits { stack: 8 << 20, ..standard }),
        Err(LoadError::Limit { what: "stack", .. })
    ));
    assert!(matches!(
        with(Limits { memory: 3 << 30, ..standard }),
        Err(LoadError::Limit { what: "memory", .. })
    ));
    assert!(matches!(
        with(Limits { fuel: Fuel(u64::MAX), ..standard }),
        Err(LoadError::Limit { what: "fuel", .. })
    ));
    assert_eq!(with(Limits { stack: 0, memory: 65_536, fuel: Fuel(0), ..Limits::default() }), Ok(()));
}

#[test]
fn a_module_that_starts_larger_than_the_limit_is_refused() {
    let f = function("f", &[], ResultLowering::None);
    let limits = Limits { memory: 65_536, ..Limits::default() };
    let wat = r#"(module (memory 2) (func (export "f")))"#;
    let error = Executable::load(&module(wat), &[f], &Options { limits, ..Options::default() }).unwrap_err();
    assert!(error.to_string().contains("past the limit of 65536"), "{error}");
}

#[test]
fn a_module_that_traps_when_it_starts_is_refused() {
    for wat in [
        r#"(module (func $start unreachable) (start $start) (func (export "f")))"#,
        r#"(module (func (export "_initialize") (loop (br 0))) (func (export "f")))"#,
    ] {
        let error = load(&module(wat), &[function("f", &[], ResultLowering::None)]).unwrap_err();
        assert!(matches!(error, LoadError::Start { .. }), "{error}");
    }
}

#[test]
fn a_reactor_is_initialised_once_an_instance() {
    let wat = r#"(module (global $g (mut i32) (i32.const 0))
        (func (export "_initialize") (global.set $g (i32.add (global.get $g) (i32.const 41))))
        (func (export "f") (result i32)
            (global.set $g (i32.add (global.get $g) (i32.const 1))) (global.get $g)))"#;
    let mut runner = runner(&module(wat), function("f", &[], returns("i32")));
    for _ in 0..2 {
        assert_eq!(runner.call(0, &[]).unwrap().outputs, [ints([42])]);
    }
}
