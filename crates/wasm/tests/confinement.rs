//! Whatever a version does, its calls leave no trace in those that follow.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{
    Choice, Executable, FunctionCopy, Options, Original, Patch, Strategy as Run, Variants,
};
use wasm_encoder::{Instruction as I, MemArg};

const STORE: MemArg = MemArg { offset: 0, align: 2, memory_index: 0 };

fn instead(at: u32, code: impl IntoIterator<Item = I<'static>>) -> Vec<Patch> {
    vec![Patch { at, code: code.into_iter().collect(), original: Original::Left }]
}

fn before(at: u32, code: impl IntoIterator<Item = I<'static>>) -> Vec<Patch> {
    vec![Patch { at, code: code.into_iter().collect(), original: Original::Kept }]
}

fn find(module: &Module, function: u32, wanted: impl Fn(&wasmparser::Operator<'_>) -> bool) -> u32 {
    module.operators(function).iter().position(|(o, _)| wanted(o)).unwrap() as u32
}

fn load(module: &Module, functions: &[Function], copies: Vec<(u32, Vec<Patch>)>) -> Executable {
    let copies = copies.into_iter().zip(1..);
    let copies = copies.map(|((function, patches), version)| FunctionCopy {
        version,
        function,
        locals: vec![],
        patches,
    });
    let variants = Variants { copies: copies.collect(), ..Variants::default() };
    Executable::load_with_variants(module, functions, &Options::default(), &variants).unwrap()
}

/// The law: in every version, calls are those of fresh instances; also those of the original between them.
fn leaves_no_trace(executable: &Executable, versions: u32, arguments: &[Column]) {
    for function in 0..executable.functions().len() {
        let mut runner = executable.runner();
        assert!(executable.isolation(function).is_reused(), "{:?}", executable.isolation(function));
        for version in (0..=versions).flat_map(|v| [v, 0]) {
            let mut seen = |strategy| {
                runner.choose(Choice { version, alternative: 0 });
                let calls = runner.call_with(strategy, function, arguments).unwrap();
                let places: Vec<_> = (0..calls.outcomes.len()).map(|row| runner.locate_trap(row)).collect();
                (calls, runner.fuel_used().to_vec(), places)
            };
            let fresh = seen(Run::Fresh);
            assert_eq!(seen(Run::Columns), fresh, "columns of {function} in version {version}");
            assert_eq!(seen(Run::RowByRow), fresh, "rows of {function} in version {version}");
            assert_eq!(seen(Run::Columns), fresh, "columns again of {function} in version {version}");
        }
    }
}

/// Counts in its own frame; the word at address 8 must stay zero, and is added in.
const FRAME: &str = r#"(module
    (global $__stack_pointer (mut i32) (i32.const 65536))
    (global $other (mut i32) (i32.const 0))
    (memory 2)
    (table 3 funcref)
    (elem (i32.const 0) $nothing $writes)
    (type $unary (func (param i32) (result i32)))
    (func $nothing (type $unary) (local.get 0))
    (func $writes (type $unary)
        (global.set $other (i32.add (global.get $other) (i32.const 1)))
        (i32.store (i32.const 8) (i32.const 5))
        (local.get 0))
    (func (export "f") (param i32) (result i32) (local $frame i32)
        (local.set $frame (i32.sub (global.get $__stack_pointer) (i32.const 16)))
        (i32.store (local.get $frame) (i32.add (i32.load (local.get $frame)) (local.get 0)))
        (if (i32.eqz (local.get 0)) (then
            (drop (call $writes (i32.const 1)))
            (unreachable)))
        (i32.add (global.get $other)
            (i32.add (i32.load (local.get $frame)) (i32.load (i32.const 8))))))"#;

const F: u32 = 2;

#[test]
fn a_store_that_goes_wild_is_run_again_in_a_fresh_instance() {
    let module = module(FRAME);
    let store = find(&module, F, |o| matches!(o, wasmparser::Operator::I32Store { .. }));
    let address = find(&module, F, |o| matches!(o, wasmparser::Operator::LocalGet { local_index: 1 }));
    let executable = load(
        &module,
        &[function("f", &["i32"], returns("i32"))],
        vec![
            // To address 8, and there by an offset; past memory; a bulk operation; beside the original's store.
            (F, instead(address, [I::I32Const(8)])),
            (F, instead(store, [I::I32Store(MemArg { offset: 9, ..STORE })])),
            (F, instead(store, [I::I32Store(MemArg { offset: 1 << 20, ..STORE })])),
            (F, before(0, [I::I32Const(8), I::I32Const(1), I::I32Const(4), I::MemoryFill(0)])),
            (F, before(0, [I::I32Const(8), I::I32Const(77), I::I32Store(STORE)])),
        ],
    );
    leaves_no_trace(&executable, 5, &[ints(1..200)]);
    leaves_no_trace(&executable, 5, &[ints([1, 0, 2, 0, 3])]);
}

#[test]
fn the_wild_choice_is_kept_in_the_fresh_instance() {
    let module = module(FRAME);
    let address = find(&module, F, |o| matches!(o, wasmparser::Operator::LocalGet { local_index: 1 }));
    let executable = load(
        &module,
        &[function("f", &["i32"], returns("i32"))],
        vec![(F, instead(address, [I::I32Const(8)]))],
    );
    let mut runner = executable.runner();
    runner.choose(Choice { version: 1, alternative: 0 });
    let calls = runner.call(0, &[ints(1..100)]).unwrap();
    // It stores at address 8 what it read from its frame, which is empty, and adds both.
    assert_eq!(calls.outputs, [ints(1..100)]);
    runner.choose(Choice::default());
    assert_eq!(runner.call(0, &[ints([5, 6])]).unwrap().outputs, [ints([5, 6])]);
}

#[test]
fn what_would_have_trapped_may_return() {
    let module = module(FRAME);
    let unreachable = find(&module, F, |o| matches!(o, wasmparser::Operator::Unreachable));
    let executable =
        load(&module, &[function("f", &["i32"], returns("i32"))], vec![(F, instead(unreachable, [I::Nop]))]);
    leaves_no_trace(&executable, 1, &[ints([1, 0, 2, 0, 0, 3])]);
    let mut runner = executable.runner();
    runner.choose(Choice { version: 1, alternative: 0 });
    let calls = runner.call(0, &[ints([0, 1, 0])]).unwrap();
    // In each call the global was 1 and the word 5: nobody counts on.
    assert_eq!(calls.outcomes, returned(3));
    assert_eq!(calls.outputs, [ints([6, 1, 6])]);
}

#[test]
fn effects_in_patches_are_confined() {
    let module = module(FRAME);
    let unary = module.function_type_index(0).unwrap();
    let grow = [I::I32Const(1), I::MemoryGrow(0), I::Drop];
    let executable = load(
        &module,
        &[function("f", &["i32"], returns("i32"))],
        vec![
            (F, before(0, [I::GlobalGet(1), I::I32Const(1), I::I32Add, I::GlobalSet(1)])),
            (F, before(0, [I::I32Const(0), I::RefNull(wasm_encoder::HeapType::FUNC), I::TableSet(0)])),
            (F, before(0, grow)),
            // Another function of the table than any that the original calls.
            (
                F,
                before(
                    0,
                    [
                        I::LocalGet(0),
                        I::I32Const(1),
                        I::CallIndirect { type_index: unary, table_index: 0 },
                        I::LocalSet(0),
                    ],
                ),
            ),
            // The stack pointer is the row's own.
            (F, before(0, [I::I32Const(4096), I::GlobalSet(0)])),
        ],
    );
    leaves_no_trace(&executable, 5, &[ints(1..100)]);
}

#[test]
fn stores_of_patches_to_the_stack_are_cleaned_up() {
    // The original stores nothing, so its rows would need no cleaning.
    let module = module(
        r#"(module
            (global $__stack_pointer (mut i32) (i32.const 65536))
            (memory 1)
            (func (export "f") (param i32) (result i32)
                (i32.load (i32.sub (global.get $__stack_pointer) (i32.const 16)))))"#,
    );
    let end = module.operators(0).len() as u32 - 1;
    let code = [I::GlobalGet(0), I::I32Const(16), I::I32Sub, I::LocalGet(0), I::I32Store(STORE)];
    let functions = [function("f", &["i32"], returns("i32"))];
    let executable = load(&module, &functions, vec![(0, before(end, code))]);
    leaves_no_trace(&executable, 1, &[ints(1..100)]);
    let mut runner = executable.runner();
    runner.choose(Choice { version: 1, alternative: 0 });
    assert_eq!(runner.call(0, &[ints([4, 5, 6])]).unwrap().outputs, [ints([0, 0, 0])]);
}

#[test]
fn compiled_code_with_its_panics_is_confined() {
    let module = testdata("rusty.wasm");
    let picked = module.export_function("picked").unwrap();
    let traps: Vec<u32> = module
        .operators(picked)
        .iter()
        .zip(0..)
        .filter(|((o, _), _)| matches!(o, wasmparser::Operator::Unreachable))
        .map(|(_, at)| at)
        .collect();
    assert!(!traps.is_empty());
    let result = returns("i32");
    let executable = load(&module, &[function("picked", &["[i32]", "u32"], result)], vec![(picked, vec![])]);
    let arguments = [sequences([&[1, 2, 3], &[4, 5], &[], &[6]]), ints([1, 2, 0, 0])];
    leaves_no_trace(&executable, 1, &arguments);
}

#[test]
fn a_row_that_is_run_again_has_its_notes_and_its_fuel_limit() {
    let module = module(FRAME);
    let dodona_wasm::execute::Additions { notes, memory, .. } = dodona_wasm::execute::Additions::of(&module);
    let at = MemArg { offset: 0, align: 2, memory_index: memory };
    // Notes its input, goes wild for odd ones, and notes again.
    let code = [
        vec![I::GlobalGet(notes), I::LocalGet(0), I::I32Store(at)],
        vec![I::LocalGet(0), I::I32Const(1), I::I32And, I::If(wasm_encoder::BlockType::Empty)],
        vec![I::I32Const(8), I::I32Const(7), I::I32Store(STORE), I::End],
        vec![I::GlobalGet(notes), I::I32Const(1), I::I32Store(MemArg { offset: 4, ..at })],
    ];
    let copy = FunctionCopy { version: 1, function: F, locals: vec![], patches: before(0, code.concat()) };
    let variants = Variants { copies: vec![copy], note_bits: 64, ..Variants::default() };
    let functions = [function("f", &["i32"], returns("i32"))];
    let executable =
        Executable::load_with_variants(&module, &functions, &Options::default(), &variants).unwrap();
    let mut runner = executable.runner();
    runner.choose(Choice { version: 1, alternative: 0 });
    runner.call_noting(0, &[ints(1..200)]).unwrap();
    for row in 0..199 {
        assert_eq!(runner.notes(row), [(row as u64 + 1) | (1 << 32)]);
    }
    let used = runner.fuel_used()[0];
    let calls = runner.call_within(0, &[ints([1, 1, 2, 3])], &[used, used - 1, used - 1, used]).unwrap();
    let (returned, out) = (Outcome::Returned, Outcome::OutOfFuel);
    assert_eq!(calls.outcomes, [returned, out, out, returned]);
    assert_eq!(runner.fuel_used(), [used, used - 1, used - 1, used]);
}
