//! Isolation is decided by analysis: both ways, on small modules and on compiled C.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_wasm::execute::{Effect, Isolation, analyse};

fn effects(isolation: &Isolation) -> Vec<Effect> {
    match isolation {
        Isolation::Reused(_) => vec![],
        Isolation::Fresh { because } => because.iter().map(|r| r.effect.clone()).collect(),
    }
}

fn numbers(name: &str, types: &[&str], result: ResultLowering) -> Isolation {
    analyse(&testdata("numbers.wasm"), &function(name, types, result))
}

#[test]
fn library_functions_that_only_use_their_frame_are_reused() {
    assert_eq!(effects(&numbers("sine", &["f64"], returns("f64"))), []);
    assert_eq!(effects(&numbers("add", &["i32", "i32"], returns("i32"))), []);
    assert_eq!(effects(&numbers("mean", &["[i32]"], returns("f64"))), []);
    assert_eq!(effects(&numbers("uninitialised", &["i32", "i32"], returns("i32"))), []);
    assert_eq!(effects(&numbers("overrun", &["[i32]"], returns("i32"))), []);
    assert_eq!(effects(&numbers("stray", &["i32", "i32"], returns("i32"))), []);
}

#[test]
fn qsort_through_a_function_pointer_is_reused() {
    assert_eq!(effects(&numbers("sort", &["[i32]"], ResultLowering::None)), []);
}

#[test]
fn static_state_needs_fresh_instances() {
    assert_eq!(effects(&numbers("counted", &["i32"], returns("i32"))), [Effect::StoresElsewhere]);
    assert!(effects(&numbers("allocates", &["i32"], returns("i32"))).contains(&Effect::StoresElsewhere));
    assert!(effects(&numbers("parses", &["text"], returns("i32"))).contains(&Effect::StoresElsewhere));
    let prints = effects(&numbers("prints", &["i32"], returns("i32")));
    assert!(prints.contains(&Effect::CallsHost("fd_write".into())), "{prints:?}");
}

#[test]
fn rust_with_its_panics_is_reused_where_it_allocates_nothing() {
    let rusty =
        |name: &str, types: &[&str], result| analyse(&testdata("rusty.wasm"), &function(name, types, result));
    assert_eq!(effects(&rusty("sine", &["f64"], returns("f64"))), []);
    assert_eq!(effects(&rusty("sort", &["[i32]"], ResultLowering::None)), []);
    let Isolation::Reused(picked) = rusty("picked", &["[i32]", "u32"], returns("i32")) else { panic!() };
    assert!(picked.discards_after_trap);
    let doubled =
        effects(&rusty("doubled", &["[i32]"], ResultLowering::ReturnPointer("[i32]".parse().unwrap())));
    assert!(doubled.contains(&Effect::StoresElsewhere), "{doubled:?}");
}

/// The effects of a function of no arguments made of this code, in a module with state of every kind.
fn of_code(code: &str) -> Vec<Effect> {
    let wat = format!(
        r#"(module
            (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
            (memory 2)
            (table 2 funcref)
            (data $d "abc")
            (elem $e func $leaf)
            (global $__stack_pointer (mut i32) (i32.const 65536))
            (global $counter (mut i32) (i32.const 0))
            (func $leaf)
            (func $writes_through (param i32) (i32.store (local.get 0) (i32.const 1)))
            (func (export "f") (local i32) {code}))"#
    );
    effects(&analyse(&module(&wat), &function("f", &[], ResultLowering::None)))
}

#[test]
fn each_effect_is_seen_and_told() {
    assert_eq!(of_code("(i32.store (i32.const 8) (i32.const 1))"), [Effect::StoresElsewhere]);
    assert_eq!(of_code("(memory.fill (i32.const 8) (i32.const 1) (i32.const 4))"), [Effect::StoresElsewhere]);
    assert_eq!(of_code("(global.set $counter (i32.const 1))"), [Effect::SetsGlobal(1)]);
    assert_eq!(of_code("(drop (memory.grow (i32.const 1)))"), [Effect::GrowsMemory]);
    assert_eq!(of_code("(table.set 0 (i32.const 0) (ref.null func))"), [Effect::WritesTable]);
    assert_eq!(of_code("(data.drop $d)"), [Effect::DropsSegment]);
    assert_eq!(of_code("(drop (call $yield))"), [Effect::CallsHost("sched_yield".into())]);
}

#[test]
fn what_leaves_no_trace_is_no_effect() {
    assert_eq!(of_code("(drop (i32.load (i32.const 8)))"), []);
    assert_eq!(of_code("(drop (memory.size))"), []);
    let frame = "(local.set 0 (i32.sub (global.get $__stack_pointer) (i32.const 16)))";
    assert_eq!(of_code(&format!("{frame} (i32.store (local.get 0) (i32.const 1))")), []);
    assert_eq!(of_code(&format!("{frame} (call $writes_through (local.get 0))")), []);
    assert_eq!(of_code(&format!("{frame} (global.set $__stack_pointer (local.get 0))")), []);
}

#[test]
fn an_address_is_followed_through_branches_loops_and_calls() {
    let frame = "(local.set 0 (i32.sub (global.get $__stack_pointer) (i32.const 16)))";
    let store = "(i32.store (local.get 0) (i32.const 1))";
    // After the loop the local may still be a constant: that path is foreign to nobody's frame, yet the
    // other path makes it the frame's, and the run-time guard tells them apart.
    assert_eq!(of_code(&format!("(block (br_if 0 (i32.const 1)) {frame}) {store}")), []);
    assert_eq!(of_code(&format!("(loop {store} {frame} (br_if 0 (i32.const 1)))")), []);
    // Joined in the other order the constant wins: no path gives it the frame.
    assert_eq!(of_code(&format!("{frame} (local.set 0 (i32.const 4)) {store}")), [Effect::StoresElsewhere]);
    assert_eq!(of_code("(call $writes_through (i32.const 4))"), [Effect::StoresElsewhere]);
}

#[test]
fn code_that_can_only_trap_costs_no_isolation() {
    // As a panic does: it writes what it likes and never returns.
    let wat = r#"(module
        (memory 1)
        (func $panic (i32.store (i32.const 8) (i32.const 1)) unreachable)
        (func (export "f") (param i32) (result i32)
            (if (i32.eqz (local.get 0)) (then (call $panic) unreachable))
            (i32.div_u (i32.const 100) (local.get 0))))"#;
    let isolation = analyse(&module(wat), &function("f", &["u32"], returns("u32")));
    let Isolation::Reused(reused) = isolation else { panic!("{isolation:?}") };
    assert!(reused.discards_after_trap);
    assert!(!reused.stores);
}

#[test]
fn a_pointer_kept_in_the_frame_is_followed() {
    let wat = r#"(module
        (memory 2)
        (global $__stack_pointer (mut i32) (i32.const 65536))
        (func (export "f") (param $xs i32) (param i32) (local $frame i32)
            (local.set $frame (i32.sub (global.get $__stack_pointer) (i32.const 16)))
            (i32.store (local.get $frame) (local.get $xs))
            (i32.store (i32.load (local.get $frame)) (i32.const 1))))"#;
    let wat_foreign = wat.replace("(local.get $xs))", "(i32.const 1024))");
    let f = function("f", &["[i32]"], ResultLowering::None);
    assert_eq!(effects(&analyse(&module(wat), &f)), []);
    assert_eq!(effects(&analyse(&module(&wat_foreign), &f)), [Effect::StoresElsewhere]);
}

#[test]
fn a_scalar_used_as_an_address_is_no_argument_in_memory() {
    let wat = r#"(module (memory 1)
        (func (export "f") (param i32) (i32.store (local.get 0) (i32.const 1))))"#;
    let isolation = analyse(&module(wat), &function("f", &["i32"], ResultLowering::None));
    assert_eq!(effects(&isolation), [Effect::StoresElsewhere]);
}

#[test]
fn a_reason_names_its_instruction() {
    let wat = r#"(module (memory 1) (func) (func (export "f") nop (i32.store (i32.const 0) (i32.const 1))))"#;
    let isolation = analyse(&module(wat), &function("f", &[], ResultLowering::None));
    let Isolation::Fresh { because } = isolation else { panic!() };
    assert_eq!(because[0].point, Some(CodePoint { function: 1, instruction: 3 }));
}

#[test]
fn a_stack_that_is_not_zero_is_not_reused() {
    // Data right below the stack pointer: nothing to restore zeros into.
    let wat = r#"(module (memory 1)
        (global $__stack_pointer (mut i32) (i32.const 1024))
        (data (i32.const 1020) "abcd")
        (func (export "f") (i32.store (i32.sub (global.get 0) (i32.const 16)) (i32.const 1))))"#;
    let executable = load(&module(wat), &[function("f", &[], ResultLowering::None)]).unwrap();
    assert_eq!(effects(executable.isolation(0)), [Effect::NoStack]);
}

#[test]
fn an_address_is_followed_through_a_long_chain_of_calls_and_back() {
    let chain = |last: &str| {
        let links: String = (1..3_000)
            .map(|i| format!("(func $f{i} (param i32) (result i32) (call $f{} (local.get 0)))", i + 1))
            .collect();
        let wat = format!(
            r#"(module (memory 2) (global $__stack_pointer (mut i32) (i32.const 65536))
                (func (export "f") (i32.store (call $f1 (i32.sub (global.get $__stack_pointer) (i32.const 16))) (i32.const 1)))
                {links}
                (func $f3000 (param i32) (result i32) {last}))"#
        );
        effects(&analyse(&module(&wat), &function("f", &[], ResultLowering::None)))
    };
    assert_eq!(chain("(local.get 0)"), []);
    assert_eq!(chain("(i32.const 8)"), [Effect::StoresElsewhere]);
}

#[test]
fn code_that_would_take_long_to_follow_gets_fresh_instances() {
    // At each of the branches the analysis copies what it knows of every local.
    let (blocks, locals) = (6_000, "i32 ".repeat(49_000));
    let body: String = (0..blocks).map(|depth| format!("local.get 0 br_if {depth} ")).collect();
    let (open, close) = ("block ".repeat(blocks), "end ".repeat(blocks));
    let wat = format!(r#"(module (func (export "f") (param i32) (local {locals}) {open} {body} {close}))"#);
    let found = effects(&analyse(&module(&wat), &function("f", &["i32"], ResultLowering::None)));
    assert_eq!(found, [Effect::TooLong]);
}
