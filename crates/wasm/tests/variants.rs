//! Versions of functions in one module: what is chosen runs, and nothing else changes.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use std::sync::LazyLock;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{
    Additions, Choice, Executable, FunctionCopy, HostError, LoadError, Options, Original, Patch, Runner,
    Variants,
};
use proptest::collection::vec;
use proptest::prelude::*;
use wasm_encoder::{BlockType, Instruction as I, MemArg, ValType};

fn version(version: u32) -> Choice {
    Choice { version, alternative: 0 }
}

fn patch(at: u32, code: impl IntoIterator<Item = I<'static>>, original: Original) -> Patch {
    Patch { at, code: code.into_iter().collect(), original }
}

/// One instruction in place of another.
fn instead(at: u32, instruction: I<'static>) -> Vec<Patch> {
    vec![patch(at, [instruction], Original::Left)]
}

fn copy(version: u32, function: u32, patches: Vec<Patch>) -> FunctionCopy {
    FunctionCopy { version, function, locals: vec![], patches }
}

fn copies(copies: impl IntoIterator<Item = FunctionCopy>) -> Variants {
    Variants { copies: copies.into_iter().collect(), ..Variants::default() }
}

fn with(module: &Module, functions: &[Function], fuel: u64, variants: &Variants) -> Executable {
    let options = Options { limits: Limits { fuel: Fuel(fuel), ..Limits::default() }, ..Options::default() };
    Executable::load_with_variants(module, functions, &options, variants).unwrap()
}

/// The instruction of a function at which this first stands.
fn find(module: &Module, function: u32, wanted: impl Fn(&wasmparser::Operator<'_>) -> bool) -> u32 {
    module.operators(function).iter().position(|(o, _)| wanted(o)).unwrap() as u32
}

fn unary(export: &str) -> Function {
    function(export, &["i32"], returns("i32"))
}

/// The outputs of a function of one i32 in a version.
fn outputs(runner: &mut Runner, choice: Choice, function: usize, inputs: &[i128]) -> Column {
    runner.choose(choice);
    let calls = runner.call(function, &[ints(inputs.iter().copied())]).unwrap();
    assert_eq!(calls.outcomes, returned(inputs.len()));
    calls.outputs.into_iter().next().unwrap()
}

/// A recursive function, called by an export and through a table.
const SUM: &str = r#"(module
    (type $unary (func (param i32) (result i32)))
    (table 1 funcref)
    (elem (i32.const 0) $sum)
    (func $sum (export "sum") (type $unary)
        (if (result i32) (i32.eqz (local.get 0))
            (then (i32.const 0))
            (else (i32.add (local.get 0) (call $sum (i32.sub (local.get 0) (i32.const 1)))))))
    (func $double (type $unary) (i32.mul (local.get 0) (i32.const 2)))
    (func (export "direct") (type $unary) (call $double (call $sum (local.get 0))))
    (func (export "indirect") (type $unary)
        (call $double (call_indirect (type $unary) (local.get 0) (i32.const 0)))))"#;

#[test]
fn the_chosen_version_runs_wherever_it_is_called_from() {
    let module = module(SUM);
    let functions = [unary("sum"), unary("direct"), unary("indirect")];
    let base = find(&module, 0, |o| matches!(o, wasmparser::Operator::I32Const { value: 0 }));
    let twice = find(&module, 1, |o| matches!(o, wasmparser::Operator::I32Mul));
    let variants = copies([
        copy(1, 0, instead(base, I::I32Const(100))),
        copy(3, 0, instead(base, I::I32Const(300))),
        // Two functions share a version.
        copy(3, 1, instead(twice, I::I32Sub)),
        copy(4, 1, instead(twice, I::I32Add)),
    ]);
    let mut runner = with(&module, &functions, 1_000_000, &variants).runner();
    let inputs = [0, 1, 4];
    let sums = [0, 1, 10];
    type Of = fn(i128) -> i128;
    let expected: [(u32, Of, Of); 6] = [
        (0, |s| s, |s| 2 * s),
        (1, |s| s + 100, |s| 2 * (s + 100)),
        // A hole between versions, and a version of nothing.
        (2, |s| s, |s| 2 * s),
        (3, |s| s + 300, |s| s + 300 - 2),
        (4, |s| s, |s| s + 2),
        (u32::MAX, |s| s, |s| 2 * s),
    ];
    // Back and forth: an earlier choice leaves nothing behind.
    for (v, sum, doubled) in expected.iter().chain(expected.iter().rev()) {
        assert_eq!(outputs(&mut runner, version(*v), 0, &inputs), ints(sums.map(sum)), "sum in {v}");
        for caller in [1, 2] {
            let found = outputs(&mut runner, version(*v), caller, &inputs);
            assert_eq!(found, ints(sums.map(doubled)), "{caller} in {v}");
        }
    }
}

#[test]
fn a_copy_takes_no_more_stack_than_the_original() {
    // As deep as the stack allows, in the original and in an unchanged copy.
    let module = module(SUM);
    let mut runner = with(&module, &[unary("sum")], 1 << 40, &copies([copy(1, 0, vec![])])).runner();
    let mut deepest = |choice| {
        runner.choose(choice);
        let depths: Vec<i128> = (1..400).map(|d| d * 100).collect();
        let calls = runner.call(0, &[ints(depths)]).unwrap();
        calls.outcomes.iter().filter(|o| **o == Outcome::Returned).count()
    };
    let (original, copied) = (deepest(version(0)), deepest(version(1)));
    assert!((1..399).contains(&original), "{original}");
    assert!(copied >= original, "{copied} {original}");
}

#[test]
fn a_patch_before_the_final_end_changes_the_result() {
    let module = module(SUM);
    let end = module.operators(1).len() as u32 - 1;
    let code = [I::I32Const(1), I::I32Add];
    let variants = copies([copy(1, 1, vec![patch(end, code, Original::Kept)])]);
    let mut runner = with(&module, &[unary("direct")], 1_000_000, &variants).runner();
    assert_eq!(outputs(&mut runner, version(1), 0, &[4]), ints([21]));
}

/// Ten copies of an addition in one, told apart by the alternative.
fn switched(module: &Module, function: u32, at: u32) -> FunctionCopy {
    let Additions { alternative, .. } = Additions::of(module);
    let local = module.function_type(function).unwrap().params().len() as u32;
    let mut code = vec![I::LocalSet(local)];
    for number in 0..10 {
        code.extend([
            I::GlobalGet(alternative),
            I::I32Const(number),
            I::I32Eq,
            I::If(BlockType::Empty),
            I::LocalGet(local),
            I::I32Const(number),
            I::I32Add,
            I::LocalSet(local),
            I::End,
        ]);
    }
    code.push(I::LocalGet(local));
    FunctionCopy {
        version: 1,
        function,
        locals: vec![ValType::I32],
        patches: vec![patch(at, code, Original::Kept)],
    }
}

#[test]
fn patches_switch_on_the_alternative_and_cost_no_fuel() {
    let module = module(
        r#"(module (func (export "f") (param i32) (result i32) (local i32)
            (loop
                (local.set 1 (i32.add (local.get 1) (i32.const 3)))
                (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
            (local.get 1)))"#,
    );
    let add = find(&module, 0, |o| matches!(o, wasmparser::Operator::I32Add));
    let mut copied = switched(&module, 0, add);
    // Behind the parameter and the function's own local.
    for instruction in &mut copied.patches[0].code {
        if let I::LocalGet(local) | I::LocalSet(local) = instruction {
            *local += 1;
        }
    }
    let mut runner = with(&module, &[unary("f")], 1_000_000, &copies([copied])).runner();
    assert_eq!(outputs(&mut runner, version(0), 0, &[7]), ints([21]));
    let fuel = runner.fuel_used().to_vec();
    for alternative in 0..10 {
        let found = outputs(&mut runner, Choice { version: 1, alternative }, 0, &[7]);
        assert_eq!(found, ints([7 * (3 + i128::from(alternative))]));
        assert_eq!(runner.fuel_used(), fuel);
    }
}

#[test]
fn a_loop_of_a_patch_runs_out_of_fuel() {
    let module = module(SUM);
    let code = [I::Loop(BlockType::Empty), I::Br(0), I::End];
    let variants = copies([copy(1, 1, vec![patch(0, code, Original::Kept)])]);
    let mut runner = with(&module, &[unary("direct")], 100_000, &variants).runner();
    runner.choose(version(1));
    let calls = runner.call(0, &[ints([1])]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::OutOfFuel]);
}

#[test]
fn a_trap_in_a_copy_is_located_at_the_original_instruction() {
    let module = module(SUM);
    let mul = find(&module, 1, |o| matches!(o, wasmparser::Operator::I32Mul));
    let trap = [I::LocalGet(0), I::If(BlockType::Empty), I::Unreachable, I::End];
    let variants = copies([
        copy(
            1,
            1,
            vec![patch(1, [I::Nop, I::Nop, I::Nop], Original::Kept), instead(mul, I::I32DivS).remove(0)],
        ),
        copy(2, 1, vec![patch(mul, trap, Original::Kept)]),
        copy(3, 1, vec![patch(1, [I::I32Const(0)], Original::Left), instead(mul, I::I32DivU).remove(0)]),
    ]);
    let mut runner = with(&module, &[unary("direct")], 100_000, &variants).runner();
    for (v, trap) in [(2, Trap::Unreachable), (3, Trap::DivisionByZero)] {
        runner.choose(version(v));
        let calls = runner.call(0, &[ints([1])]).unwrap();
        assert_eq!(calls.outcomes, [Outcome::Trapped(trap)]);
        assert_eq!(runner.locate_trap(0), Some(CodePoint { function: 1, instruction: mul }), "{v}");
    }
    assert_eq!(outputs(&mut runner, version(1), 0, &[4]), ints([5]));
}

/// Turns a loop as often as it is told.
const TURNS: &str = r#"(module
    (func (export "f") (param i32) (result i32)
        (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) (i32.const 5)))"#;

#[test]
fn each_row_has_its_fuel_limit() {
    let module = module(TURNS);
    for variants in [copies([copy(1, 0, vec![])]), Variants::default()] {
        let mut runner = with(&module, &[unary("f")], 1_000, &variants).runner();
        let turns = [ints([10, 10, 10, 10, 10, 300])];
        assert_eq!(runner.call(0, &turns).unwrap().outcomes[..5], returned(5));
        let used = runner.fuel_used()[0];
        // Enough, too little, none, too little again, more than the executable's, and capped by it.
        let limits = [used, used - 1, 0, 2, u64::MAX, u64::MAX];
        runner.choose(version(1));
        let calls = runner.call_within(0, &turns, &limits).unwrap();
        let out = Outcome::OutOfFuel;
        assert_eq!(calls.outcomes, [Outcome::Returned, out, out, out, Outcome::Returned, out]);
        assert_eq!(runner.fuel_used(), [used, used - 1, 0, 2, used, 1_000]);
        assert!(runner.locate_trap(1).is_some());
        // Limits are of one call only.
        assert_eq!(runner.call(0, &turns).unwrap().outcomes[..5], returned(5));
    }
}

#[test]
fn there_must_be_one_fuel_limit_a_row() {
    let mut runner = with(&module(TURNS), &[unary("f")], 1_000, &Variants::default()).runner();
    let error = runner.call_within(0, &[ints([1, 2])], &[5]).unwrap_err();
    assert_eq!(error, HostError::FuelLimits { function: "f".into(), rows: 2, found: 1 });
}

/// Sets bit `bit` of the row's notes.
fn note(module: &Module, bit: u32) -> Vec<I<'static>> {
    let Additions { notes, memory, .. } = Additions::of(module);
    let at = MemArg { offset: u64::from(bit / 8), align: 0, memory_index: memory };
    vec![
        I::GlobalGet(notes),
        I::GlobalGet(notes),
        I::I32Load8U(at),
        I::I32Const(1 << (bit % 8)),
        I::I32Or,
        I::I32Store8(at),
    ]
}

/// Notes bit 1 in each turn of the loop and bit 70 behind it, then traps for one input.
fn noting(module: &Module, function: u32, bits: u32) -> Variants {
    let branch = find(module, function, |o| matches!(o, wasmparser::Operator::BrIf { .. }));
    let end = module.operators(function).len() as u32 - 1;
    let patches = vec![
        patch(branch, note(module, 1), Original::Kept),
        patch(end, note(module, bits - 1), Original::Kept),
    ];
    Variants { copies: vec![copy(1, function, patches)], note_bits: bits, ..Variants::default() }
}

/// A loop that traps where it is told to turn 13 times, after 3.
const TRAPS: &str = r#"(module
    (global $g (mut i32) (i32.const 0))
    (memory 1)
    (func (export "f") (param i32) (result i32) (local i32)
        (loop
            (local.set 1 (i32.add (local.get 1) (i32.const 1)))
            (br_if 0 (i32.lt_u (local.get 1) (local.get 0)))
            (if (i32.eq (local.get 0) (i32.const 3)) (then unreachable)))
        (local.get 1))
    (func (export "g") (param i32) (result i32) (global.set $g (local.get 0)) (local.get 0)))"#;

#[test]
fn notes_are_kept_of_rows_that_return_and_of_rows_that_trap() {
    let module = module(TRAPS);
    for bits in [71, 128, 1, 64, 65, 5_000, 600_000] {
        let bits: u32 = bits.max(2);
        let executable = with(&module, &[unary("f")], 1_000_000, &noting(&module, 0, bits));
        let mut runner = executable.runner();
        runner.choose(version(1));
        // More rows than a crossing has, with traps in the middle and at both ends.
        let rows = 2_100;
        let inputs: Vec<i128> =
            (0..rows).map(|r| if r % 500 == 0 || r == rows - 1 { 3 } else { r % 7 + 4 }).collect();
        let calls = runner.call_noting(0, &[ints(inputs.clone())]).unwrap();
        for (row, input) in inputs.iter().enumerate() {
            let mut expected = vec![0u64; bits.div_ceil(64) as usize];
            expected[0] = 2;
            if *input == 3 {
                assert_eq!(calls.outcomes[row], Outcome::Trapped(Trap::Unreachable));
            } else {
                expected[(bits as usize - 1) / 64] |= 1 << ((bits - 1) % 64);
                assert_eq!(calls.outcomes[row], Outcome::Returned);
            }
            assert_eq!(runner.notes(row), expected, "row {row} of {bits} bits");
        }
        // The originals note nothing, and what was noted before is forgotten.
        runner.choose(version(0));
        runner.call_noting(0, &[ints([4, 3, 4])]).unwrap();
        assert!((0..3).all(|row| runner.notes(row).iter().all(|word| *word == 0)));
    }
}

#[test]
fn a_call_that_is_not_noting_may_run_noting_code() {
    let module = module(TRAPS);
    let mut runner = with(&module, &[unary("f")], 1_000_000, &noting(&module, 0, 60_000)).runner();
    let inputs = vec![5; 3_000];
    assert_eq!(outputs(&mut runner, version(1), 0, &inputs), ints(inputs));
}

#[test]
fn rows_in_fresh_instances_are_noted() {
    let module = module(TRAPS);
    let end = module.operators(1).len() as u32 - 1;
    let patches = vec![patch(end, note(&module, 3), Original::Kept)];
    let variants = Variants { copies: vec![copy(1, 1, patches)], note_bits: 9, ..Variants::default() };
    let executable = with(&module, &[unary("g")], 1_000, &variants);
    assert!(!executable.isolation(0).is_reused());
    let mut runner = executable.runner();
    runner.choose(version(1));
    runner.call_noting(0, &[ints([1, 2])]).unwrap();
    assert_eq!((runner.notes(0), runner.notes(1)), (&[8][..], &[8][..]));
}

#[test]
fn rows_with_arguments_in_memory_are_noted_and_limited() {
    let module = testdata("numbers.wasm");
    let residue = function("residue", &["[i32]", "i32"], returns("i32"));
    let index = module.export_function("residue").unwrap();
    let end = module.operators(index).len() as u32 - 1;
    let patches = vec![patch(end, note(&module, 5), Original::Kept)];
    let variants = Variants { copies: vec![copy(7, index, patches)], note_bits: 6, ..Variants::default() };
    let executable = with(&module, &[residue], 100_000, &variants);
    assert!(executable.isolation(0).is_reused());
    let mut runner = executable.runner();
    let arguments = [sequences([&[1, 2, 3], &[4], &[5, 6]]), ints([0, 0, 0])];
    let plain = runner.call(0, &arguments).unwrap();
    let used = runner.fuel_used().to_vec();
    runner.choose(version(7));
    assert_eq!(runner.call_noting(0, &arguments).unwrap(), plain);
    assert_eq!(runner.fuel_used(), used);
    let noted: Vec<_> = (0..3).map(|row| runner.notes(row)[0]).collect();
    assert_eq!(noted, [32, 32, 32]);
    let calls = runner.call_within(0, &arguments, &[used[0], used[1] - 1, used[2]]).unwrap();
    assert_eq!(calls.outcomes[1], Outcome::OutOfFuel);
    assert_eq!(calls.outcomes[2], plain.outcomes[2]);
}

#[test]
fn commands_choose_note_and_are_limited() {
    let module = module(
        r#"(module
            (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
            (memory 1)
            (func (export "_start") (local i32)
                (loop (br_if 0 (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 9))))
                (call $exit (i32.const 1))))"#,
    );
    let call = find(&module, 1, |o| matches!(o, wasmparser::Operator::Call { .. }));
    let code = [note(&module, 0), vec![I::Drop, I::I32Const(6)]].concat();
    let variants = Variants {
        copies: vec![copy(1, 1, vec![patch(call, code, Original::Kept)])],
        note_bits: 1,
        ..Variants::default()
    };
    let command = Function { export: "_start".into(), ..Function::new("c", vec![], ResultLowering::Command) };
    let mut runner = with(&module, &[command], 1_000, &variants).runner();
    assert_eq!(runner.call(0, &[]).unwrap().outcomes, [Outcome::Exited(1)]);
    runner.choose(version(1));
    assert_eq!(runner.call_noting(0, &[]).unwrap().outcomes, [Outcome::Exited(6)]);
    assert_eq!(runner.notes(0), [1]);
    let used = runner.fuel_used()[0];
    assert_eq!(runner.call_within(0, &[], &[used]).unwrap().outcomes, [Outcome::Exited(6)]);
    assert_eq!(runner.call_within(0, &[], &[used - 1]).unwrap().outcomes, [Outcome::OutOfFuel]);
    assert_eq!(runner.fuel_used(), [used - 1]);
}

#[test]
fn two_thousand_copies_load_and_run() {
    let module = module(SUM);
    let base = find(&module, 0, |o| matches!(o, wasmparser::Operator::I32Const { value: 0 }));
    let variants = copies((1..=2_000).map(|v| copy(v, 0, instead(base, I::I32Const(v as i32)))));
    let mut runner = with(&module, &[unary("sum")], 1_000_000, &variants).runner();
    for v in [0, 1, 2, 999, 1_999, 2_000] {
        assert_eq!(outputs(&mut runner, version(v), 0, &[3, 0]), ints([6 + i128::from(v), v.into()]));
    }
}

#[test]
fn versions_far_apart_make_no_large_table() {
    let module = module(SUM);
    let base = find(&module, 0, |o| matches!(o, wasmparser::Operator::I32Const { value: 0 }));
    let far = [1, 2, 80, 1 << 20, (1 << 31) + 5, u32::MAX];
    let variants = copies(far.map(|v| copy(v, 0, instead(base, I::I32Const(v as i32)))));
    let mut runner = with(&module, &[unary("sum")], 1_000_000, &variants).runner();
    for v in far {
        assert_eq!(outputs(&mut runner, version(v), 0, &[0]), ints([i128::from(v as i32)]));
        let beside = v ^ 16;
        assert_eq!(outputs(&mut runner, version(beside), 0, &[0]), ints([0]), "{beside}");
    }
}

#[test]
fn what_is_out_of_place_is_refused() {
    let module = module(SUM);
    let problem = |variants: &Variants| match Executable::load_with_variants(
        &module,
        &[unary("sum")],
        &Options::default(),
        variants,
    ) {
        Err(LoadError::Variants { problem }) => problem,
        other => panic!("{other:?}"),
    };
    let nops = |at, original| vec![patch(at, [I::Nop], original)];
    for (variants, expected) in [
        (
            copies([copy(0, 0, vec![])]),
            "the copy of function 0 in version 0 takes the version of the originals",
        ),
        (copies([copy(1, 4, vec![])]), "has no original: the module defines no such function"),
        (copies([copy(1, 0, vec![]), copy(1, 0, vec![])]), "version 1 has two copies of function 0"),
        (copies([copy(1, 1, nops(4, Original::Kept))]), "has a patch at 4, past its end"),
        (copies([copy(1, 1, nops(3, Original::Left))]), "leaves out 3, which opens, divides or ends a block"),
        (
            copies([copy(1, 0, [nops(3, Original::Kept), nops(2, Original::Kept)].concat())]),
            "has a patch at 3 before one at 2",
        ),
        (
            Variants { copies: vec![], note_bits: u32::MAX, ..Variants::default() },
            "4294967295 bits of notes a row are more than",
        ),
        (
            Variants {
                is_always_chosen: true,
                ..copies([copy(1, 0, vec![]), copy(1, 1, vec![]), copy(2, 1, vec![])])
            },
            "version 2 has no copy of function 0, whose original is not compiled",
        ),
    ] {
        let found = problem(&variants);
        assert!(found.contains(expected), "{found}");
    }
    let invalid = copies([copy(1, 1, vec![patch(0, [I::Drop], Original::Kept)])]);
    let refused = Executable::load_with_variants(&module, &[unary("sum")], &Options::default(), &invalid);
    assert!(matches!(refused, Err(LoadError::Compile { .. })));
}

#[test]
fn a_choice_without_variants_changes_nothing() {
    let mut runner = with(&module(TURNS), &[unary("f")], 1_000, &Variants::default()).runner();
    assert_eq!(outputs(&mut runner, version(9), 0, &[4]), ints([5]));
    runner.call_noting(0, &[ints([4])]).unwrap();
    assert_eq!(runner.notes(0), [0; 0]);
}

/// A copy of every function, without patches.
fn unchanged(module: &Module) -> Variants {
    let defined = module.imported_functions()..module.function_count();
    copies(defined.map(|function| copy(1, function, vec![])))
}

/// Executables of a function of one i32 in its module: plain, and with a copy of everything.
fn beside(name: &str, export: &str) -> [Executable; 2] {
    let module = testdata(name);
    let f = function(export, &["i32"], returns("i32"));
    [Variants::default(), unchanged(&module)]
        .map(|variants| with(&module, std::slice::from_ref(&f), 200_000, &variants))
}

/// The law: unpatched copies of all functions are the originals, in outcomes, outputs, fuel and places.
fn same_as_the_originals([plain, beside]: &[Executable; 2], arguments: &[Column]) {
    let seen = |executable: &Executable, choice| {
        let mut runner = executable.runner();
        runner.choose(choice);
        let calls = runner.call(0, arguments).unwrap();
        let places: Vec<_> = (0..calls.outcomes.len()).map(|row| runner.locate_trap(row)).collect();
        (calls, runner.fuel_used().to_vec(), places)
    };
    let expected = seen(plain, version(0));
    assert_eq!(seen(beside, version(0)), expected);
    assert_eq!(seen(beside, version(1)), expected);
    assert_eq!(seen(beside, version(2)), expected);
}

#[test]
fn unpatched_copies_are_the_originals() {
    static LOADED: LazyLock<Vec<[Executable; 2]>> = LazyLock::new(|| {
        ["counted", "allocates", "prints"].map(|export| beside("numbers.wasm", export)).into()
    });
    proptest!(ProptestConfig::with_cases(24), |(inputs in vec(-5..40i32, 1..20))| {
        for executables in LOADED.iter() {
            same_as_the_originals(executables, &[ints(inputs.iter().map(|x| i128::from(*x)))]);
        }
    });
}

#[test]
fn unpatched_copies_of_functions_of_memory_are_the_originals() {
    static LOADED: LazyLock<[Executable; 2]> = LazyLock::new(|| {
        let module = testdata("rusty.wasm");
        let picked = function("picked", &["[i32]", "u32"], returns("i32"));
        [Variants::default(), unchanged(&module)]
            .map(|variants| with(&module, std::slice::from_ref(&picked), 200_000, &variants))
    });
    // Indices past the end panic.
    proptest!(ProptestConfig::with_cases(24), |(rows in vec((vec(-9..9i128, 0..6), 0..8i128), 1..8))| {
        let mut ragged = Ragged::new();
        rows.iter().for_each(|(row, _)| ragged.push(row));
        let items = Column::Sequence(SequenceColumn::Int(ragged));
        same_as_the_originals(&LOADED, &[items, ints(rows.iter().map(|(_, index)| *index))]);
    });
}
