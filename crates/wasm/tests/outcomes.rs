//! How calls end: every trap kind, fuel, memory, and results that are not of their type.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, Options, Strategy, TrapPlaces};

/// The outcome of a function of one i32 made of this code, the same for every strategy.
fn ends(code: &str, argument: i128) -> Outcome {
    let wat = format!(
        r#"(module
            (memory 1)
            (type $none (func))
            (table 4 funcref)
            (elem (i32.const 0) $other)
            (func $other (param f32))
            (func $self (export "f") (param i32) (result i32) {code}))"#
    );
    of(&module(&wat), "f", argument)
}

fn of(module: &Module, name: &str, argument: i128) -> Outcome {
    let executable = load_with_fuel(module, &[function(name, &["i32"], returns("i32"))], 1_000_000);
    let ended =
        |strategy| executable.runner().call_with(strategy, 0, &[ints([argument])]).unwrap().outcomes[0];
    let outcome = ended(Strategy::Columns);
    assert_eq!(ended(Strategy::RowByRow), outcome);
    assert_eq!(ended(Strategy::Fresh), outcome);
    outcome
}

#[test]
fn each_trap_kind_is_told_apart() {
    let trapped = |code, argument| match ends(code, argument) {
        Outcome::Trapped(trap) => trap,
        other => panic!("{code}: {other}"),
    };
    assert_eq!(trapped("unreachable", 0), Trap::Unreachable);
    assert_eq!(trapped("(i32.rem_u (i32.const 1) (local.get 0))", 0), Trap::DivisionByZero);
    assert_eq!(trapped("(i32.div_s (local.get 0) (i32.const -1))", i32::MIN.into()), Trap::IntegerOverflow);
    let big = "(i32.trunc_f32_s (f32.mul (f32.convert_i32_s (local.get 0)) (f32.const 1e20)))";
    assert_eq!(trapped(big, 1), Trap::IntegerOverflow);
    let nan = "(i32.trunc_f32_s (f32.div (f32.convert_i32_s (local.get 0)) (f32.const 0)))";
    assert_eq!(trapped(nan, 0), Trap::BadConversion);
    assert_eq!(trapped("(i32.load (local.get 0))", 65_533), Trap::MemoryOutOfBounds);
    assert_eq!(trapped("(i32.load (local.get 0))", -1), Trap::MemoryOutOfBounds);
    let indirect = "(call_indirect (type $none) (local.get 0)) (i32.const 0)";
    assert_eq!(trapped(indirect, 4), Trap::TableOutOfBounds);
    assert_eq!(trapped(indirect, 3), Trap::IndirectCallToNull);
    assert_eq!(trapped(indirect, 0), Trap::BadSignature);
    assert_eq!(trapped("(call $self (local.get 0))", 0), Trap::StackOverflow);
    assert_eq!(
        trapped("(loop (br_if 0 (i32.ge_s (memory.grow (i32.const 100)) (i32.const 0)))) (i32.const 0)", 0),
        Trap::MemoryLimit
    );
}

#[test]
fn the_edge_of_memory_does_not_trap() {
    assert_eq!(ends("(i32.load (local.get 0))", 65_532), Outcome::Returned);
}

#[test]
fn work_without_end_runs_out_of_fuel() {
    assert_eq!(ends("(loop (br 0)) (i32.const 0)", 0), Outcome::OutOfFuel);
    // Page by page the fuel ends first, by memory that a bulk operation fills the charge for its length.
    assert_eq!(
        ends("(loop (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536)) (br 0)) (i32.const 0)", 0),
        Outcome::OutOfFuel
    );
    assert_eq!(
        ends("(loop (memory.copy (i32.const 0) (i32.const 1) (i32.const 65535)) (br 0)) (i32.const 0)", 0),
        Outcome::OutOfFuel
    );
    assert_eq!(ends("(loop (drop (memory.grow (i32.const 0))) (br 0)) (i32.const 0)", 0), Outcome::OutOfFuel);
    assert_eq!(ends("(block (loop (br_table 0 1 (i32.const 0)))) (i32.const 0)", 0), Outcome::OutOfFuel);
}

#[test]
fn fuel_is_exact_about_the_amount_left() {
    // One unit less than what the call used is too little; that much is enough.
    let wat = r#"(module (func (export "f") (param i32) (result i32)
        (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) (i32.const 5)))"#;
    let run = |fuel| {
        let executable = load_with_fuel(&module(wat), &[function("f", &["i32"], returns("i32"))], fuel);
        let mut runner = executable.runner();
        let outcome = runner.call(0, &[ints([100])]).unwrap().outcomes[0];
        (outcome, runner.fuel_used()[0])
    };
    let (outcome, used) = run(1_000_000);
    assert_eq!(outcome, Outcome::Returned);
    assert_eq!(run(used), (Outcome::Returned, used));
    assert_eq!(run(used - 1), (Outcome::OutOfFuel, used - 1));
}

#[test]
fn a_declared_maximum_of_memory_fails_without_a_trap() {
    let wat = r#"(module (memory 1 3) (func (export "f") (param i32) (result i32)
        (memory.grow (local.get 0))))"#;
    let executable = load(&module(wat), &[function("f", &["i32"], returns("i32"))]).unwrap();
    let calls = executable.runner().call(0, &[ints([2, 3, 1])]).unwrap();
    assert_eq!(calls.outcomes, returned(3));
    assert_eq!(calls.outputs, [ints([1, -1, 1])]);
}

#[test]
fn memory_is_capped_by_the_limit() {
    let wat = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (memory.grow (local.get 0))))"#;
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let f = function("f", &["i32"], returns("i32"));
    let executable = Executable::load(&module(wat), &[f], &options).unwrap();
    let calls = executable.runner().call(0, &[ints([15, 16])]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Returned, Outcome::Trapped(Trap::MemoryLimit)]);
}

#[test]
fn results_outside_their_type_are_malformed() {
    let wat = r#"(module (func (export "f") (param i32) (result i32) (local.get 0)))"#;
    let module = module(wat);
    let result = |ty: &str, argument: i128| {
        let calls =
            runner(&module, function("f", &["i32"], returns(ty))).call(0, &[ints([argument])]).unwrap();
        (calls.outcomes[0], calls.outputs[0].value(0))
    };
    let malformed = Outcome::Malformed(Malformed::Range);
    for (ty, inside, outside) in [
        ("i8", -128, [-129, 128]),
        ("i16", 32_767, [32_768, -32_769]),
        ("u8", 255, [256, -1]),
        ("u16", 65_535, [65_536, -1]),
    ] {
        assert_eq!(result(ty, inside), (Outcome::Returned, Value::Int(inside)), "{ty}");
        for outside in outside {
            assert_eq!(result(ty, outside), (malformed, Value::Int(0)), "{ty} {outside}");
        }
    }
    assert_eq!(result("u32", -1), (Outcome::Returned, Value::Int(u32::MAX.into())));
    assert_eq!(result("bool", 1), (Outcome::Returned, Value::Bool(true)));
    assert_eq!(result("bool", 0), (Outcome::Returned, Value::Bool(false)));
    assert_eq!(result("bool", 2), (malformed, Value::Bool(false)));
}

#[test]
fn scalars_are_extended_by_their_sign() {
    let wat = r#"(module
        (func (export "i") (param i32) (result i64) (i64.extend_i32_s (local.get 0)))
        (func (export "l") (param i64) (result i64) (local.get 0))
        (func (export "s") (param f32) (result f32) (local.get 0)))"#;
    let module = module(wat);
    let through = |export: &str, ty: &str, x: i128| {
        runner(&module, function(export, &[ty], returns("i64"))).call(0, &[ints([x])]).unwrap().outputs[0]
            .value(0)
    };
    assert_eq!(through("i", "i8", -5), Value::Int(-5));
    assert_eq!(through("i", "u8", 251), Value::Int(251));
    assert_eq!(through("i", "i16", -300), Value::Int(-300));
    assert_eq!(through("i", "u16", 65_000), Value::Int(65_000));
    assert_eq!(through("i", "u32", 4_294_967_295), Value::Int(-1));
    let wide = function("l", &["u64"], returns("u64"));
    let calls = runner(&module, wide).call(0, &[ints([u64::MAX.into()])]).unwrap();
    assert_eq!(calls.outputs, [ints([u64::MAX.into()])]);
    let single = function("s", &["f32"], returns("f32"));
    let calls = runner(&module, single).call(0, &[floats([0.1])]).unwrap();
    assert_eq!(calls.outputs, [floats([f64::from(0.1f32)])]);
}

#[test]
fn nans_are_canonical() {
    let wat = r#"(module (func (export "f") (param f64) (result i64)
        (i64.reinterpret_f64 (f64.div (local.get 0) (local.get 0)))))"#;
    let calls =
        runner(&module(wat), function("f", &["f64"], returns("i64"))).call(0, &[floats([0.0])]).unwrap();
    assert_eq!(calls.outputs, [ints([0x7ff8_0000_0000_0000])]);
}

#[test]
fn a_trap_is_located_in_the_original_module() {
    let wat = r#"(module
        (memory 1)
        (func $leaf (param i32) (result i32)
            (drop (i32.const 1))
            (i32.div_u (i32.const 6) (local.get 0)))
        (func (export "f") (param i32) (result i32)
            (loop (br_if 0 (i32.eq (local.get 0) (i32.const 7))))
            (call $leaf (local.get 0))))"#;
    let module = module(wat);
    let executable = load_with_fuel(&module, &[function("f", &["i32"], returns("i32"))], 1000);
    let mut runner = executable.runner();
    let calls = runner.call(0, &[ints([3, 0, 7])]).unwrap();
    let trap = Outcome::Trapped(Trap::DivisionByZero);
    assert_eq!(calls.outcomes, [Outcome::Returned, trap, Outcome::OutOfFuel]);
    assert_eq!(runner.locate_trap(0), None);
    let at = runner.locate_trap(1).unwrap();
    assert_eq!(at, CodePoint { function: 0, instruction: 4 });
    assert!(matches!(module.operators(0)[4].0, wasmparser::Operator::I32DivU));
    // Fuel ends at the header of the loop.
    assert_eq!(runner.locate_trap(2), Some(CodePoint { function: 1, instruction: 0 }));
}

#[test]
fn without_places_outcomes_are_the_same_and_traps_have_no_place() {
    let wat =
        r#"(module (func (export "f") (param i32) (result i32) (i32.div_u (i32.const 6) (local.get 0))))"#;
    let functions = [function("f", &["i32"], returns("i32"))];
    let calls = |trap_places| {
        let options = Options { trap_places, ..Options::default() };
        let executable = Executable::load(&module(wat), &functions, &options).unwrap();
        let mut runner = executable.runner();
        let calls = runner.call(0, &[ints([3, 0])]).unwrap();
        (calls, runner.locate_trap(1))
    };
    let (known, place) = calls(TrapPlaces::Known);
    let (unknown, no_place) = calls(TrapPlaces::Unknown);
    assert_eq!(known.outcomes, [Outcome::Returned, Outcome::Trapped(Trap::DivisionByZero)]);
    assert_eq!(unknown, known);
    assert_eq!((place, no_place), (Some(CodePoint { function: 0, instruction: 2 }), None));
}

#[test]
fn a_call_without_parameters_is_made_once() {
    let wat = r#"(module (func (export "f") (result i32) (i32.const 4)))"#;
    let calls = runner(&module(wat), function("f", &[], returns("i32"))).call(0, &[]).unwrap();
    assert_eq!(calls, Calls { outcomes: returned(1), outputs: vec![ints([4])] });
}

#[test]
fn no_rows_make_no_calls() {
    let calls = runner(&testdata("numbers.wasm"), function("sine", &["f64"], returns("f64")));
    let calls = { calls }.call(0, &[floats([])]).unwrap();
    assert_eq!(calls, Calls { outcomes: vec![], outputs: vec![floats([])] });
}
