//! Imports that the host does not offer, and how modules start.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, LoadError, Options, Runner, Strategy, TrapPlaces};

const UNOFFERED: &str = r#"(module
    (import "env" "now" (func $now (result i64)))
    (import "env" "log" (func $log (param f32 v128)))
    (memory (export "memory") 1)
    (table funcref (elem $now))
    (func (export "f") (param i32) (result i32)
        (if (i32.eq (local.get 0) (i32.const 3)) (then (drop (call $now))))
        (if (i32.eq (local.get 0) (i32.const 4)) (then (call $log (f32.const 1) (v128.const i64x2 0 0))))
        (if (i32.eq (local.get 0) (i32.const 5)) (then (drop (call_indirect (result i64) (i32.const 0)))))
        (i32.add (local.get 0) (i32.const 1))))"#;

fn called(name: &str) -> Outcome {
    Outcome::Trapped(Trap::UnknownImport(ImportName::new("env", name)))
}

#[test]
fn an_import_that_is_not_offered_traps_when_it_is_called_and_not_before() {
    let f = function("f", &["i32"], returns("i32"));
    let mut runner = runner(&module(UNOFFERED), f);
    for strategy in [Strategy::Columns, Strategy::RowByRow, Strategy::Fresh] {
        let calls = runner.call_with(strategy, 0, &[ints([1, 3, 4, 5, 7])]).unwrap();
        let returned = Outcome::Returned;
        assert_eq!(calls.outcomes, [returned, called("now"), called("log"), called("now"), returned]);
        assert_eq!(calls.outputs, [ints([2, 0, 0, 0, 8])]);
        assert_eq!(runner.locate_trap(1).unwrap().function, 2);
    }
    assert_eq!(called("now").to_string(), "trapped: call of the import env.now");
}

fn diagnose(runner: &mut Runner, arguments: &[Column]) -> Option<String> {
    runner.diagnose(0, arguments).unwrap().message
}

#[test]
fn what_to_do_about_an_import_is_said() {
    let mut runner = runner(&module(UNOFFERED), function("f", &["i32"], returns("i32")));
    let said = diagnose(&mut runner, &[ints([3])]).unwrap();
    assert!(said.contains("define it in the sources, or link it in"), "{said}");
    assert_eq!(runner.diagnose(0, &[ints([1])]).unwrap(), Default::default(), "it returns");
}

#[test]
fn assemblyscript_says_why_it_aborts() {
    let price = testdata("price.wasm");
    let mut runner = runner(&price, function("price", &["i32"], returns("i32")));
    let calls = runner.call(0, &[ints([0, 3, 9])]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Returned, called("abort"), called("abort")]);
    assert_eq!(
        diagnose(&mut runner, &[ints([3])]).unwrap(),
        "abort at ~lib/staticarray.ts:78:41: Index out of range"
    );
    assert_eq!(diagnose(&mut runner, &[ints([9])]).unwrap(), "abort at price.ts:6:17: no zone 9");
}

#[test]
fn the_random_numbers_of_assemblyscript_are_the_same_in_each_run() {
    let luck = || {
        let mut runner = runner(&testdata("price.wasm"), function("luck", &["i32"], returns("f64")));
        runner.call(0, &[ints([1, 2, 2])]).unwrap()
    };
    let calls = luck();
    assert_eq!(calls.outcomes, [Outcome::Returned; 3]);
    let Column::Float(numbers) = &calls.outputs[0] else { panic!("{calls:?}") };
    assert!(numbers[0] != numbers[1] && numbers[1] == numbers[2], "{numbers:?}");
    assert_eq!(luck(), calls);
}

#[test]
fn an_import_named_like_assemblyscripts_with_another_type_is_another() {
    let wat = r#"(module (import "env" "abort" (func $abort)) (func (export "f") (call $abort)))"#;
    let mut runner = runner(&module(wat), function("f", &[], ResultLowering::None));
    assert_eq!(runner.call(0, &[]).unwrap().outcomes, [called("abort")]);
    assert!(diagnose(&mut runner, &[]).unwrap().contains("define it"));
}

#[test]
fn a_library_that_exits_tells_its_code_and_what_it_wrote() {
    let wat = r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (memory (export "memory") 1)
        (data (i32.const 8) "\10\00\00\00\06\00\00\00no way")
        (func (export "f") (drop (call $write (i32.const 2) (i32.const 8) (i32.const 1) (i32.const 0)))
            (call $exit (i32.const 3))))"#;
    let mut runner = runner(&module(wat), function("f", &[], ResultLowering::None));
    let calls = runner.call(0, &[]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Trapped(Trap::Exit(3))]);
    assert_eq!(calls.outcomes[0].to_string(), "trapped: exit with code 3");
    assert_eq!(diagnose(&mut runner, &[]).unwrap(), "no way");
}

#[test]
fn callers_are_known_where_they_are_asked_for() {
    let wat =
        r#"(module (func $deep unreachable) (func $middle (call $deep)) (func (export "f") (call $middle)))"#;
    let places = |trap_places| {
        let options = Options { trap_places, ..Options::default() };
        let f = function("f", &[], ResultLowering::None);
        let executable = Executable::load(&module(wat), &[f], &options).unwrap();
        let places = executable.runner().diagnose(0, &[]).unwrap().places;
        places.into_iter().map(|place| place.function).collect::<Vec<_>>()
    };
    assert_eq!(places(TrapPlaces::WithCallers), [0, 1, 2]);
    assert_eq!(places(TrapPlaces::Known), [0]);
}

fn refused(wat: &str) -> String {
    load(&module(wat), &[function("f", &[], ResultLowering::None)]).unwrap_err().to_string()
}

#[test]
fn what_runs_first_and_does_not_return_is_named_with_its_limit() {
    let endless = r#"(module (func (export "_initialize") (loop (br 0))) (func (export "f")))"#;
    assert_eq!(
        refused(endless),
        "`_initialize`, which runs before the first call, did not return (out of fuel); raise [limits] fuel, \
         which is 10000000, or let it do less"
    );
    let started = |body: &str, rest: &str| {
        refused(&format!(r#"(module {rest} (func $s {body}) (start $s) (func (export "f")))"#))
    };
    let endless = started("(loop (br 0))", "");
    assert!(
        endless.starts_with("the start function, which") && endless.contains("[limits] fuel"),
        "{endless}"
    );
    let grows = started("(loop (drop (memory.grow (i32.const 1000))) (br 0))", "(memory 1)");
    assert!(grows.contains("memory limit reached); raise [limits] memory"), "{grows}");
    let deep = started("(call $s)", "");
    assert!(deep.contains("call stack exhausted); raise [limits] stack"), "{deep}");
    let traps = started("unreachable", "");
    assert!(traps.contains("(trapped: unreachable); nothing can be called before it returns"), "{traps}");
    let calls = started("(call $now)", r#"(import "env" "now" (func $now))"#);
    assert!(
        calls.contains("call of the import env.now); it is not offered; define it in the sources"),
        "{calls}"
    );
    let imported = r#"(module (import "env" "now" (func $now)) (start $now) (func (export "f")))"#;
    assert!(refused(imported).contains("call of the import env.now"), "{}", refused(imported));
}

#[test]
fn a_start_function_may_use_most_of_the_fuel() {
    // Each turn takes a few units of the ten million.
    let wat = r#"(module (global $n (mut i32) (i32.const 0))
        (func $s (loop (global.set $n (i32.add (global.get $n) (i32.const 1)))
            (br_if 0 (i32.lt_u (global.get $n) (i32.const 1000000)))))
        (start $s) (func (export "f") (result i32) (global.get $n)))"#;
    let mut runner = runner(&module(wat), function("f", &[], returns("i32")));
    assert_eq!(runner.call(0, &[]).unwrap().outputs, [ints([1_000_000])]);
}

#[test]
fn a_command_whose_start_depends_on_its_words_ends_for_that_row_alone() {
    // Traps if there are three words: the name and two arguments.
    let wat = r#"(module
        (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
        (memory (export "memory") 1)
        (func $s (drop (call $sizes (i32.const 0) (i32.const 4)))
            (if (i32.gt_u (i32.load (i32.const 4)) (i32.const 7)) (then unreachable)))
        (start $s) (func (export "_start")))"#;
    let word = parameter("word", "text", Lowering::Word);
    let command =
        Function { export: "_start".into(), ..Function::new("tool", vec![word], ResultLowering::Command) };
    let words = texts(["a", "abc", "b"]);
    let calls = runner(&module(wat), command).call(0, &[words]).unwrap();
    let exited = Outcome::Exited(0);
    assert_eq!(calls.outcomes, [exited, Outcome::Trapped(Trap::Unreachable), exited]);
}

#[test]
fn what_is_no_function_cannot_be_imported() {
    for (import, told) in [
        (
            r#"(import "env" "memory" (memory 1))"#,
            "the memory `env.memory`, and only functions can be offered; build it with a memory of its own",
        ),
        (r#"(import "env" "__indirect_function_table" (table 1 funcref))"#, "--import-table"),
        (r#"(import "env" "base" (global i32))"#, "the global `env.base`"),
        (r#"(import "env" "__memory_base" (global i32))"#, "-fPIC"),
        (r#"(import "env" "__cpp_exception" (tag (param i32)))"#, "-fno-exceptions"),
    ] {
        let wat = format!(r#"(module {import} (func (export "f")))"#);
        let error = load(&module(&wat), &[function("f", &[], ResultLowering::None)]).unwrap_err();
        assert!(matches!(error, LoadError::Import { .. }), "{error}");
        assert!(error.to_string().contains(told), "{error}");
    }
}

#[test]
fn functions_of_wasi_have_their_types() {
    let wat =
        r#"(module (import "wasi_snapshot_preview1" "fd_close" (func (param i64))) (func (export "f")))"#;
    let error = refused(wat);
    assert!(error.contains("fd_close") && error.contains("declare the function in the sources"), "{error}");
    let twice =
        r#"(module (import "env" "g" (func (param i64))) (import "env" "g" (func)) (func (export "f")))"#;
    assert!(refused(twice).contains("`env::g`"), "{}", refused(twice));
}

#[test]
fn what_cannot_be_instantiated_is_told_with_what_to_do() {
    for (field, told) in [
        (
            r#"(memory 1) (data (i32.const 65535) "ab")"#,
            "data segments lie outside its memory; build it with a larger",
        ),
        ("(table 1 funcref) (func $g) (elem (i32.const 1) $g)", "element segments lie outside its table"),
        ("(memory 65536)", "past the limit of 67108864; raise [limits] memory"),
        ("(memory i64 1)", "64-bit memory; build it for wasm32"),
        ("(memory 1 1 shared)", "threads must be enabled for shared memories; build it without threads"),
        ("(tag $e) (func (throw $e))", "exceptions proposal not enabled; build it without exceptions"),
        ("(type (struct (field i32)))", "cannot be run"),
        ("(func (param externref))", "references to values of the host (externref)"),
        ("(table 100001 funcref)", "use fewer, or smaller ones"),
        (
            r#"(func (export "dodona:start"))"#,
            "its export `dodona:start` has a name that Dodona uses itself; rename it",
        ),
    ] {
        let error = refused(&format!(r#"(module {field} (func (export "f")))"#));
        assert!(error.contains(told), "{field}: {error}");
    }
}
