//! Rows in columns, rows one by one and rows in fresh instances give the same calls.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, Strategy as Run};
use proptest::prelude::*;

/// The law: the same outcomes, outputs, fuel and places for every strategy, and for the same runner again.
fn same_calls(executable: &Executable, arguments: &[Column]) {
    let seen = |strategy| {
        let mut runner = executable.runner();
        let mut twice = || {
            let calls = runner.call_with(strategy, 0, arguments).unwrap();
            let places: Vec<_> = (0..calls.outcomes.len()).map(|row| runner.locate_trap(row)).collect();
            let bits: Vec<_> = calls.outputs.iter().map(bits).collect();
            (calls.outcomes, bits, runner.fuel_used().to_vec(), places)
        };
        let (first, second) = (twice(), twice());
        assert_eq!(first, second, "the second time with {strategy:?}");
        first
    };
    let fresh = seen(Run::Fresh);
    assert_eq!(seen(Run::RowByRow), fresh, "row by row");
    assert_eq!(seen(Run::Columns), fresh, "columns");
}

/// A column with its floats as bits: NaN is compared too, and zeros by their sign.
fn bits(column: &Column) -> Column {
    match column {
        Column::Float(v) => Column::Int(v.iter().map(|x| x.to_bits().into()).collect()),
        other => other.clone(),
    }
}

/// Loads once for all cases of a test.
macro_rules! once {
    ($load:expr) => {{
        static LOADED: std::sync::LazyLock<Executable> = std::sync::LazyLock::new(|| $load);
        &*LOADED
    }};
}

fn reused(module: &Module, function: Function) -> Executable {
    let executable = load_with_fuel(module, &[function], 200_000);
    assert!(executable.isolation(0).is_reused(), "{:?}", executable.isolation(0));
    executable
}

fn fresh(module: &Module, function: Function) -> Executable {
    let executable = load_with_fuel(module, &[function], 200_000);
    assert!(!executable.isolation(0).is_reused());
    executable
}

/// Ends in every way that code without memory can end, by its first argument.
const ENDINGS: &str = r#"(module
    (global $__stack_pointer (mut i32) (i32.const 65536))
    (memory 1)
    (func $deep (param i32) (result i32)
        (i32.add (i32.const 1) (call $deep (i32.add (local.get 0) (i32.const 1)))))
    (func (export "f") (param i32 i32) (result i32)
        (block $spin (block $div (block $trap (block $bounds
            (br_table $spin $div $trap $bounds (i32.and (local.get 0) (i32.const 3))))
            (return (i32.load (i32.shl (local.get 1) (i32.const 14)))))
            (if (i32.gt_s (local.get 1) (i32.const 0)) (then unreachable))
            (return (i32.trunc_f64_s (f64.mul (f64.convert_i32_s (local.get 1)) (f64.const 1e9)))))
            (return (i32.div_s (local.get 0) (local.get 1))))
        (loop $again
            (local.set 1 (i32.sub (local.get 1) (i32.const 1)))
            (br_if $again (local.get 1)))
        (local.get 1)))"#;

/// Reads its frame before writing it.
const PEEK: &str = r#"(module
    (global $__stack_pointer (mut i32) (i32.const 65536))
    (memory 1)
    (func (export "f") (param $at i32) (param $write i32) (result i32) (local $frame i32) (local $seen i32)
        (local.set $frame (i32.add (i32.sub (global.get 0) (i32.const 4096))
            (i32.and (local.get $at) (i32.const 4092))))
        (local.set $seen (i32.load (local.get $frame)))
        (i32.store (local.get $frame) (local.get $write))
        (if (i32.eq (local.get $write) (i32.const 3)) (then unreachable))
        (local.get $seen)))"#;

/// Stores relative to its frame wherever it is told to, and reads from there on the next call.
const STRAY: &str = r#"(module
    (global $__stack_pointer (mut i32) (i32.const 65536))
    (memory 2)
    (func (export "f") (param $at i32) (param $write i32) (result i32) (local $place i32) (local $seen i32)
        (local.set $place (i32.add (i32.sub (global.get 0) (i32.const 64)) (local.get $at)))
        (local.set $seen (i32.load (local.get $place)))
        (i32.store (local.get $place) (local.get $write))
        (i32.add (local.get $seen) (i32.load (local.get $place)))))"#;

/// Makes NaN of many inputs.
const ROOTS: &str = r#"(module (func (export "f") (param f64) (result f64)
    (f64.sub (f64.sqrt (local.get 0)) (f64.div (f64.const 0) (local.get 0)))))"#;

fn picked() -> Executable {
    reused(&testdata("rusty.wasm"), function("picked", &["[i32]", "u32"], returns("i32")))
}

fn residue() -> Executable {
    reused(&testdata("numbers.wasm"), function("residue", &["[i32]", "i32"], returns("i32")))
}

fn c(name: &str) -> Executable {
    fresh(&testdata("numbers.wasm"), function(name, &["i32"], returns("i32")))
}

fn doubled() -> Executable {
    let result = ResultLowering::ReturnPointer("[i32]".parse().unwrap());
    fresh(&testdata("rusty.wasm"), function("doubled", &["[i32]"], result))
}

/// Runs a script of four bits an instruction, the lowest first, from an address on, and gives what its loads saw. Everything that a call can
/// change and the host restores is changed: memory by stores and in bulk, its size, and global variables of each type.
const SCRIPT: &str = r#"(module
    (global $__stack_pointer (mut i32) (i32.const 65536))
    (global $whole (mut i64) (i64.const 5))
    (global $single (mut f32) (f32.const 0.5))
    (global $double (mut f64) (f64.const 0.25))
    (global $small (mut i32) (i32.const 3))
    (memory 2 5)
    (data (i32.const 131060) "\01\02\03\04\05\06\07\08\09\0a\0b\0c")
    (data $bytes "\11\12\13\14\15\16\17\18")
    (func (export "f") (param $script i64) (param $at i32) (param $length i32) (result i64) (local $seen i64)
        (block $end (loop $next
            (block $turn (block $vector (block $back (block $on (block $floats (block $numbers (block $init (block $copy
            (block $fill (block $size (block $grow (block $load8 (block $load (block $store8 (block $store
                (br_table $end $store $store8 $load $load8 $grow $size $fill $copy $init $numbers $floats $on $back $vector
                    $turn (i32.and (i32.wrap_i64 (local.get $script)) (i32.const 15))))
            (i32.store (local.get $at) (i32.add (local.get $at) (i32.const 77))) (br $turn))
            (i64.store8 offset=65530 (local.get $at) (i64.const 200)) (br $turn))
            (local.set $seen (i64.add (local.get $seen) (i64.load32_u (local.get $at)))) (br $turn))
            (local.set $seen (i64.add (local.get $seen) (i64.load8_u offset=65530 (local.get $at)))) (br $turn))
            (local.set $seen (i64.add (local.get $seen) (i64.extend_i32_s
                (memory.grow (i32.and (local.get $length) (i32.const 3)))))) (br $turn))
            (local.set $seen (i64.add (local.get $seen) (i64.extend_i32_u (memory.size)))) (br $turn))
            (memory.fill (local.get $at) (i32.const 9) (local.get $length)) (br $turn))
            (memory.copy (local.get $at) (i32.xor (local.get $at) (i32.const 65536)) (local.get $length)) (br $turn))
            (memory.init $bytes (local.get $at) (i32.const 0) (i32.and (local.get $length) (i32.const 7))) (br $turn))
            (global.set $small (i32.add (global.get $small) (i32.const 1)))
            (global.set $whole (i64.mul (global.get $whole) (i64.extend_i32_u (global.get $small))))
            (local.set $seen (i64.add (local.get $seen) (global.get $whole))) (br $turn))
            (global.set $single (f32.add (global.get $single) (f32.const 1.5)))
            (global.set $double (f64.add (global.get $double) (f64.promote_f32 (global.get $single))))
            (local.set $seen (i64.add (local.get $seen) (i64.trunc_sat_f64_s (global.get $double)))) (br $turn))
            (local.set $at (i32.add (local.get $at) (i32.const 65532))) (br $turn))
            (local.set $at (i32.sub (local.get $at) (i32.const 40000))) (br $turn))
            (v128.store64_lane 1 (local.get $at) (v128.load8_lane offset=3 5 (local.get $at) (v128.const i32x4 1 2 3 4)))
            (v128.store offset=8 (local.get $at) (v128.load16x4_u (local.get $at))) (br $turn))
            (local.set $seen (i64.rotl (local.get $seen) (i64.const 7)))
            (local.set $script (i64.shr_u (local.get $script) (i64.const 4)))
            (br_if $next (i64.ne (local.get $script) (i64.const 0)))))
        (local.get $seen)))"#;

/// The instruction of a script that grows memory.
const GROWS: &str = "(memory.grow (i32.and (local.get $length) (i32.const 3)))";

fn scripted(script: &str) -> Executable {
    fresh(&module(script), function("f", &["i64", "i32", "i32"], returns("i64")))
}

/// Rows of scripts, with addresses and lengths where much differs: at the ends of parts of memory, of pages and of memory.
fn scripts() -> impl Strategy<Value = [Column; 3]> {
    let script = prop_oneof![any::<i64>(), 0..0x1_0000_0000i64];
    let ends = prop_oneof![Just(4096), Just(65_536), Just(131_072), Just(196_608), Just(327_680), Just(0)];
    let at = prop_oneof![3 => (ends, -20..20i32).prop_map(|(end, by)| end + by), 1 => any::<i32>()];
    let length = prop_oneof![4 => 0..40i32, 2 => 0..70_000i32, 1 => any::<i32>()];
    prop::collection::vec((script, at, length), 1..40).prop_map(|rows| {
        let column = |of: fn(&(i64, i32, i32)) -> i128| ints(rows.iter().map(of));
        [column(|row| row.0.into()), column(|row| row.1.into()), column(|row| row.2.into())]
    })
}

fn two_columns(
    f: impl Strategy<Value = i32>,
    g: impl Strategy<Value = i32>,
) -> impl Strategy<Value = [Column; 2]> {
    prop::collection::vec((f, g), 1..40)
        .prop_map(|rows| [ints(rows.iter().map(|r| r.0.into())), ints(rows.iter().map(|r| r.1.into()))])
}

fn rows_of_ints() -> impl Strategy<Value = Column> {
    prop::collection::vec(prop::collection::vec(-100i128..100, 0..20), 1..20).prop_map(|rows| {
        let mut ragged = Ragged::new();
        rows.iter().for_each(|row| ragged.push(row));
        Column::Sequence(SequenceColumn::Int(ragged))
    })
}

fn in_out(name: &str, result: ResultLowering) -> Function {
    let xs = parameter("xs", "[i32]", Lowering::PointerLength(Passing::InOut));
    Function::new(name, vec![xs], result)
}

fn binary(name: &str) -> Function {
    function(name, &["i32", "i32"], returns("i32"))
}

proptest! {
    // Each case runs every row in instances of its own.
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_ending(arguments in two_columns(any::<i32>(), -6i32..6)) {
        same_calls(once!(reused(&module(ENDINGS), binary("f"))), &arguments);
    }

    #[test]
    fn uninitialised_stack(arguments in two_columns(prop_oneof![0i32..4096, 4000i32..4096, Just(0), Just(4000)], 0i32..5)) {
        same_calls(once!(reused(&module(PEEK), binary("f"))), &arguments);
    }

    #[test]
    fn stores_out_of_the_frame(arguments in two_columns(
        prop_oneof![-70_000i32..70_000, -128i32..128, Just(-65_472), Just(60), Just(61)],
        0i32..5,
    )) {
        same_calls(once!(reused(&module(STRAY), binary("f"))), &arguments);
    }

    #[test]
    fn compiled_stray_and_uninitialised(arguments in two_columns(-64i32..64, 1i32..5)) {
        same_calls(once!(reused(&testdata("numbers.wasm"), binary("stray"))), &arguments);
        let [a, b] = arguments;
        same_calls(once!(reused(&testdata("numbers.wasm"), binary("uninitialised"))), &[b, a]);
    }

    #[test]
    fn what_the_allocator_left_on_the_stack(rows in rows_of_ints(), at in 900i128..1024) {
        let count = rows.len() as i128;
        same_calls(once!(residue()), &[rows, ints((0..count).map(|row| (at + row) % 1024))]);
    }

    #[test]
    fn off_by_one_in_an_argument(rows in rows_of_ints()) {
        same_calls(once!(reused(&testdata("numbers.wasm"), in_out("overrun", returns("i32")))), &[rows]);
    }

    #[test]
    fn sorting_in_place(rows in rows_of_ints()) {
        let arguments = [rows];
        let c = once!(reused(&testdata("numbers.wasm"), in_out("sort", ResultLowering::None)));
        let rust = once!(reused(&testdata("rusty.wasm"), in_out("sort", ResultLowering::None)));
        for executable in [c, rust] {
            same_calls(executable, &arguments);
            let calls = executable.runner().call(0, &arguments).unwrap();
            prop_assert_eq!(&calls.outcomes, &returned(calls.outcomes.len()));
            for row in 0..calls.outcomes.len() {
                let Value::Sequence(Sequence::Int(mut expected)) = arguments[0].value(row) else { panic!() };
                expected.sort();
                prop_assert_eq!(calls.outputs[0].value(row), Value::Sequence(Sequence::Int(expected)));
            }
        }
    }

    #[test]
    fn panics_of_rust(rows in rows_of_ints(), index in 0i128..20) {
        let count = rows.len();
        same_calls(once!(picked()), &[rows, ints(vec![index; count])]);
    }

    #[test]
    fn state_in_memory_and_in_the_allocator(xs in prop::collection::vec(0i128..2000, 1..30)) {
        for executable in [once!(c("counted")), once!(c("allocates")), once!(c("prints"))] {
            same_calls(executable, &[ints(xs.clone())]);
        }
        let mut rows = Ragged::new();
        rows.push(&xs);
        rows.push(&[]);
        same_calls(once!(doubled()), &[Column::Sequence(SequenceColumn::Int(rows))]);
    }

    #[test]
    fn whatever_a_call_changes(arguments in scripts()) {
        same_calls(once!(scripted(SCRIPT)), &arguments);
    }

    #[test]
    fn whatever_a_call_changes_where_memory_stays(arguments in scripts()) {
        same_calls(once!(scripted(&SCRIPT.replace(GROWS, "(i32.const 2)"))), &arguments);
    }

    #[test]
    fn floats_keep_their_bits(xs in prop::collection::vec(any::<f64>(), 1..50)) {
        let executable = once!(reused(&module(ROOTS), function("f", &["f64"], returns("f64"))));
        same_calls(executable, &[floats(xs.clone())]);
        let calls = executable.runner().call(0, &[floats(xs.clone())]).unwrap();
        let expected: Vec<f64> = xs.iter().map(|x| x.sqrt() - 0.0 / x).collect();
        prop_assert_eq!(&calls.outputs[0].value(0), &Value::Float(expected[0]));
    }
}

#[test]
fn an_allocator_leaves_no_trace_in_the_stack_or_the_arena() {
    let wat = r#"(module
        (memory 4)
        (global $__stack_pointer (mut i32) (i32.const 65536))
        (func (export "malloc") (param i32) (result i32)
            (i32.store (i32.sub (global.get 0) (i32.const 32)) (i32.const 7))
            (i32.store (i32.const 70000) (i32.const 9))
            (i32.const 65536))
        (func (export "f") (param $p i32) (param $n i32) (result i32) (local $frame i32) (local $seen i32)
            (local.set $frame (i32.sub (global.get 0) (i32.const 64)))
            (local.set $seen (i32.add (i32.load offset=32 (local.get $frame)) (i32.load (i32.const 70000))))
            (i32.store offset=32 (local.get $frame) (local.get $n))
            (local.get $seen)))"#;
    let executable = reused(&module(wat), function("f", &["[i32]"], returns("i32")));
    let arguments = [sequences([&[1], &[2, 3], &[]])];
    same_calls(&executable, &arguments);
    assert_eq!(executable.runner().call(0, &arguments).unwrap().outputs, [ints([0, 0, 0])]);
}

#[test]
fn what_a_panic_wrote_is_gone_after_it() {
    let wat = r#"(module
        (memory 1)
        (func $panic (i32.store (i32.const 8) (i32.const 1)))
        (func (export "f") (param i32) (result i32)
            (if (i32.eqz (local.get 0)) (then (call $panic) unreachable))
            (i32.load (i32.const 8))))"#;
    let executable = reused(&module(wat), function("f", &["i32"], returns("i32")));
    same_calls(&executable, &[ints([1, 0, 1, 1, 0, 0, 1])]);
    let calls = executable.runner().call(0, &[ints([0, 1])]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Trapped(Trap::Unreachable), Outcome::Returned]);
    assert_eq!(calls.outputs, [ints([0, 0])]);
}

#[test]
fn bulk_stores_are_guarded_too() {
    for store in [
        "(memory.fill (local.get 2) (i32.const 1) (local.get 1))",
        "(memory.copy (local.get 2) (i32.const 1024) (local.get 1))",
        "(memory.init $ones (local.get 2) (i32.const 0) (local.get 1))",
    ] {
        let wat = format!(
            r#"(module
                (global $__stack_pointer (mut i32) (i32.const 65536))
                (memory 2)
                (data (i32.const 70000) "\01\01\01\01\01\01\01\01")
                (data $ones "\01\01\01\01\01\01\01\01")
                (func (export "f") (param i32 i32) (result i32) (local i32) (local i32)
                    (local.set 2 (i32.add (i32.sub (global.get 0) (i32.const 64)) (local.get 0)))
                    (local.set 3 (i32.load8_u (local.get 2)))
                    {store}
                    (local.get 3)))"#
        );
        let wat = wat.replace("(i32.const 1024)", "(i32.const 70000)");
        let executable = reused(&module(&wat), binary("f"));
        let places = [0, 0, 56, 56, 57, 57, 57, 64, 64, 1000, 1000, -100, -100, 65_472, 65_530];
        let lengths = [8, 8, 8, 8, 8, 8, 7, 0, 1, 1, 1, 8, 8, 8, 8];
        same_calls(&executable, &[ints(places), ints(lengths)]);
        let calls = executable.runner().call(0, &[ints([57, 57]), ints([8, 8])]).unwrap();
        assert_eq!(calls.outputs, [ints([0, 0])], "{store}");
    }
}

#[test]
fn an_unbalanced_stack_pointer_starts_anew_each_call() {
    let wat = r#"(module (memory 1)
        (global $__stack_pointer (mut i32) (i32.const 65536))
        (func (export "f") (result i32)
            (global.set 0 (i32.sub (global.get 0) (i32.const 16))) (global.get 0)))"#;
    let executable = reused(&module(wat), function("f", &[], returns("i32")));
    same_calls(&executable, &[]);
    assert_eq!(executable.runner().call(0, &[]).unwrap().outputs, [ints([65_520])]);
}

#[test]
fn a_global_counter_starts_anew_each_call() {
    let wat = r#"(module (global $n (mut i64) (i64.const 7))
        (func (export "f") (result i64)
            (global.set $n (i64.add (global.get $n) (i64.const 1))) (global.get $n)))"#;
    let executable = fresh(&module(wat), function("f", &[], returns("i64")));
    same_calls(&executable, &[]);
    assert_eq!(executable.runner().call(0, &[]).unwrap().outputs, [ints([8])]);
}

#[test]
fn what_was_lost_before_a_trap_is_there_in_the_next_call() {
    let wat = r#"(module
        (memory 1)
        (data $bytes "\07")
        (func $panic (data.drop $bytes) unreachable)
        (func (export "f") (param i32) (result i32)
            (i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.const 1)))
            (if (i32.eqz (local.get 0)) (then (call $panic)))
            (memory.init $bytes (i32.const 8) (i32.const 0) (i32.const 1))
            (i32.add (i32.load (i32.const 8)) (i32.load (i32.const 64)))))"#;
    let executable = fresh(&module(wat), function("f", &["i32"], returns("i32")));
    same_calls(&executable, &[ints([1, 0, 1, 1, 0, 0, 1])]);
    let calls = executable.runner().call(0, &[ints([1, 0, 1])]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Returned, Outcome::Trapped(Trap::Unreachable), Outcome::Returned]);
    assert_eq!(calls.outputs, [ints([8, 0, 8])]);
}

#[test]
fn a_store_over_the_end_of_a_part_is_undone() {
    let wat = r#"(module
        (memory 1)
        (func (export "f") (param $at i32) (result i64) (local $seen i64)
            (local.set $seen (i64.or (i64.load (local.get $at)) (i64.load offset=8 (local.get $at))))
            (v128.store (local.get $at) (v128.const i64x2 -1 -1))
            (local.get $seen)))"#;
    let executable = fresh(&module(wat), function("f", &["i32"], returns("i64")));
    let rows = || (4075..4100).flat_map(|at| [at, at]).chain([65_520, 65_520, 0, 0, 15]);
    same_calls(&executable, &[ints(rows())]);
    let calls = executable.runner().call(0, &[ints(rows())]).unwrap();
    assert_eq!(calls.outputs, [ints(rows().map(|_| 0))]);
}

#[test]
fn memory_that_one_call_grew_is_not_there_in_the_next() {
    // Grows, or touches what is behind the end that memory has in a fresh instance.
    for touches in [
        "(drop (i32.load (i32.const 65536)))",
        "(drop (i32.load offset=65530 (i32.const 3)))",
        "(drop (v128.load8_lane 3 (i32.const 65536) (v128.const i64x2 0 0)))",
        "(i32.store (i32.const 65533) (i32.const 5))",
        "(i64.store offset=65536 (i32.const 0) (i64.const 5))",
        "(memory.fill (i32.const 65530) (i32.const 1) (i32.const 7))",
        "(memory.copy (i32.const 0) (i32.const 65530) (i32.const 7))",
        "(memory.copy (i32.const 65530) (i32.const 0) (i32.const 7))",
        "(memory.init $bytes (i32.const 65536) (i32.const 0) (i32.const 1))",
        "(memory.fill (i32.const 65537) (i32.const 1) (i32.const 0))",
    ] {
        let wat = format!(
            r#"(module
                (memory 1)
                (data $bytes "\07")
                (func (export "f") (param $grows i32) (result i32)
                    (i32.store (i32.const 0) (i32.const 1))
                    (if (local.get $grows) (then (drop (memory.grow (i32.const 1)))))
                    {touches}
                    (memory.size)))"#
        );
        let executable = fresh(&module(&wat), function("f", &["i32"], returns("i32")));
        let rows = || (0..30).map(|row| i128::from(row % 3 != 2));
        same_calls(&executable, &[ints(rows())]);
        let calls = executable.runner().call(0, &[ints(rows())]).unwrap();
        for (grows, outcome) in rows().zip(calls.outcomes) {
            let trapped = Outcome::Trapped(Trap::MemoryOutOfBounds);
            assert_eq!(outcome, if grows == 1 { Outcome::Returned } else { trapped }, "{touches}");
        }
    }
}

#[test]
fn unbounded_recursion_ends_alike() {
    let wat = ENDINGS.replace("(export \"f\")", "").replace("(func $deep", "(func $deep (export \"f\")");
    let executable = load(&module(&wat), &[function("f", &["i32"], returns("i32"))]).unwrap();
    same_calls(&executable, &[ints([1, 2, 3])]);
    let calls = executable.runner().call(0, &[ints([1])]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Trapped(Trap::StackOverflow)]);
}

#[test]
fn recursion_just_within_the_stack_ends_alike() {
    // Depths around the very edge: the frames below the call must be the same for every strategy.
    let wat = r#"(module (func $f (export "f") (param i32) (result i32)
        (if (result i32) (local.get 0)
            (then (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))
            (else (i32.const 0)))))"#;
    let executable = load(&module(wat), &[function("f", &["i32"], returns("i32"))]).unwrap();
    let mut runner = executable.runner();
    let mut returns_at = |depth: i128| runner.call(0, &[ints([depth])]).unwrap().outcomes == returned(1);
    let (mut low, mut high) = (0, 1 << 20);
    while high - low > 1 {
        let middle = (low + high) / 2;
        *(if returns_at(middle) { &mut low } else { &mut high }) = middle;
    }
    assert!(low > 1000, "{low}");
    same_calls(&executable, &[ints(low - 20..low + 20)]);
}

#[test]
fn many_chunks_with_stops_between() {
    let executable = reused(&module(ENDINGS), binary("f"));
    let rows = 5000;
    let first = ints((0..rows).map(|i| if i % 700 == 3 { 2 } else { 1 }));
    let second = ints((0..rows).map(|i| if i % 1023 == 0 { 0 } else { 1 }));
    same_calls(&executable, &[first, second]);
}

#[test]
fn arguments_of_many_sizes_keep_their_arenas_apart() {
    let mut rows = Ragged::new();
    for length in [3, 70_000, 3, 200_000, 20_000, 400_000, 70_000, 1_000_000, 3] {
        rows.push_from((0..length).map(|i| i % 251));
    }
    let column = Column::Sequence(SequenceColumn::Int(rows));
    let f = || function("mean", &["[i32]"], returns("f64"));
    let executable = load(&testdata("numbers.wasm"), &[f()]).unwrap();
    same_calls(&executable, &[column]);
}

#[test]
fn a_function_that_always_violates_its_guard_is_still_right() {
    let executable = reused(&module(STRAY), binary("f"));
    let calls = executable.runner().call(0, &[ints(vec![100; 200]), ints(1..=200)]).unwrap();
    assert_eq!(calls.outcomes, returned(200));
    assert_eq!(calls.outputs, [ints(1..=200)]);
}
