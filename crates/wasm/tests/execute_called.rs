//! Loading a module for calls of some of its functions: these behave as if all were loaded, and the others cannot be called.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{
    Called, Choice, Executable, FunctionCopy, Options, Original, Patch, Runner, Variants, analyse,
};
use wasm_encoder::Instruction;

/// Each export reaches a function that adds a constant of its own, in another way each.
const WAYS: &str = r#"(module
    (type $unary (func (param i32) (result i32)))
    (table $t 8 funcref)
    (table $at_start 1 funcref (ref.func $from_table))
    (global $held funcref (ref.func $from_global))
    (global $base (mut i32) (i32.const 0))
    (elem (table $t) (i32.const 1) func $from_element)
    (elem declare func $from_code)
    (func $from_element (type $unary) (i32.add (local.get 0) (i32.const 1)))
    (func $from_global (type $unary) (i32.add (local.get 0) (i32.const 2)))
    (func $from_table (type $unary) (i32.add (local.get 0) (i32.const 3)))
    (func $from_code (type $unary) (i32.add (local.get 0) (i32.const 4)))
    (func $directly (type $unary) (i32.add (local.get 0) (i32.const 5)))
    (func $in_the_end (type $unary) (i32.add (local.get 0) (i32.const 6)))
    (func $at_the_start (global.set $base (i32.const 100)))
    (func $by_a_patch (type $unary) (i32.add (local.get 0) (i32.const 7)))
    (start $at_the_start)
    (func (export "_initialize") (call $more_of_the_base))
    (func $more_of_the_base (global.set $base (i32.add (global.get $base) (i32.const 10))))
    (func (export "element") (type $unary) (call_indirect $t (type $unary) (local.get 0) (i32.const 1)))
    (func (export "global") (type $unary)
        (table.set $t (i32.const 2) (global.get $held))
        (call_indirect $t (type $unary) (local.get 0) (i32.const 2)))
    (func (export "table") (type $unary)
        (call_indirect $at_start (type $unary) (local.get 0) (i32.const 0)))
    (func (export "code") (type $unary)
        (table.set $t (i32.const 3) (ref.func $from_code))
        (call_indirect $t (type $unary) (local.get 0) (i32.const 3)))
    (func (export "direct") (type $unary) (call $directly (local.get 0)))
    (func (export "tail") (type $unary) (return_call $in_the_end (local.get 0)))
    (func (export "base") (type $unary) (i32.add (local.get 0) (global.get $base))))"#;

const EXPORTS: [(&str, i128); 7] =
    [("element", 1), ("global", 2), ("table", 3), ("code", 4), ("direct", 5), ("tail", 6), ("base", 110)];

fn functions() -> Vec<Function> {
    EXPORTS.map(|(export, _)| function(export, &["i32"], returns("i32"))).into()
}

fn only(function: usize) -> Options {
    Options { called: Called::Only([function].into()), ..Options::default() }
}

fn output(runner: &mut Runner, function: usize, input: i128) -> Column {
    let calls = runner.call(function, &[ints([input])]).unwrap();
    assert_eq!(calls.outcomes, returned(1), "function {function}");
    calls.outputs.into_iter().next().unwrap()
}

#[test]
fn what_a_function_reaches_runs_when_it_alone_is_called() {
    let module = module(WAYS);
    for (index, (name, added)) in EXPORTS.into_iter().enumerate() {
        let executable = Executable::load(&module, &functions(), &only(index)).unwrap();
        assert_eq!(output(&mut executable.runner(), index, 1000), ints([1000 + added]), "{name}");
        assert_eq!(*executable.isolation(index), analyse(&module, &functions()[index]), "{name}");
    }
}

#[test]
fn what_a_patch_calls_runs() {
    let module = module(WAYS);
    let direct = EXPORTS.iter().position(|(name, _)| *name == "direct").unwrap();
    let function = module.export_function("direct").unwrap();
    let by_a_patch = (0..module.function_count()).find(|f| module.function_name(*f) == "by_a_patch").unwrap();
    // `local.get 0` stays, and another function is called in place of the first.
    let patch = Patch { at: 1, code: vec![Instruction::Call(by_a_patch)], original: Original::Left };
    let copy = FunctionCopy { version: 1, function, locals: vec![], patches: vec![patch] };
    let variants = Variants { copies: vec![copy], ..Variants::default() };
    let executable = Executable::load_with_variants(&module, &functions(), &only(direct), &variants).unwrap();
    let mut runner = executable.runner();
    assert_eq!(output(&mut runner, direct, 1000), ints([1005]));
    runner.choose(Choice { version: 1, alternative: 0 });
    assert_eq!(output(&mut runner, direct, 1000), ints([1007]));
}

#[test]
#[should_panic(expected = "`tail` is called, and the module was loaded for calls of other functions")]
fn another_function_cannot_be_called() {
    let executable = Executable::load(&module(WAYS), &functions(), &only(0)).unwrap();
    assert_eq!(executable.functions().len(), EXPORTS.len());
    let _ = executable.runner().call(5, &[ints([1])]);
}
