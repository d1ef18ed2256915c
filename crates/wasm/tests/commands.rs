//! Commands: words, streams, files, exit codes, and sources of time and randomness, all in memory.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, Isolation, Options};

fn command(parameters: Vec<(Parameter, Lowering)>) -> Function {
    Function { export: "_start".into(), ..Function::new("tool", parameters, ResultLowering::Command) }
}

fn word(name: &str, ty: &str) -> (Parameter, Lowering) {
    parameter(name, ty, Lowering::Word)
}

fn system(parameters: Vec<(Parameter, Lowering)>) -> Executable {
    let limits = Limits { fuel: Fuel(1_000_000), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    Executable::load(&testdata("system.wasm"), &[command(parameters)], &options).unwrap()
}

struct Ran {
    outcome: Outcome,
    stdout: String,
    stderr: String,
    exit: i128,
}

fn run(executable: &Executable, arguments: &[Column]) -> Ran {
    let calls = executable.runner().call(0, arguments).unwrap();
    let text = |column: usize| match calls.outputs[column].value(0) {
        Value::Text(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    let Value::Int(exit) = calls.outputs[2].value(0) else { panic!() };
    Ran { outcome: calls.outcomes[0], stdout: text(0), stderr: text(1), exit }
}

fn task(name: &str) -> Ran {
    run(&system(vec![word("task", "text")]), &[texts([name])])
}

#[test]
fn words_come_in_the_order_of_the_signature() {
    let executable =
        system(vec![word("task", "text"), word("n", "i32"), word("x", "f64"), word("s", "text")]);
    let ran = run(&executable, &[texts(["args"]), ints([-7]), floats([0.5]), texts(["a b"])]);
    assert_eq!((ran.outcome, ran.stdout.as_str()), (Outcome::Exited(0), "[args][-7][0.5][a b]"));
}

#[test]
fn streams_are_read_and_written() {
    let executable = system(vec![word("task", "text"), parameter("text", "text", Lowering::Stdin)]);
    let text = "first\nsecond, longer than the buffer of the program, which holds sixty-four characters\nend";
    let ran = run(&executable, &[texts(["copy"]), texts([text])]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.exit), (text, "copied", 0));
}

#[test]
fn each_row_is_a_process_of_its_own() {
    let executable = system(vec![word("task", "text"), parameter("text", "text", Lowering::Stdin)]);
    let tasks = texts(["copy", "copy", "abort", "copy"]);
    let calls = executable.runner().call(0, &[tasks, texts(["a", "", "x", "b"])]).unwrap();
    let exited = Outcome::Exited(0);
    assert_eq!(calls.outcomes, [exited, exited, Outcome::Trapped(Trap::Unreachable), exited]);
    assert_eq!(calls.outputs[0], texts(["a", "", "", "b"]));
}

#[test]
fn files_live_in_an_in_memory_directory() {
    let input = parameter("input", "text", Lowering::File("input.txt".into()));
    let executable = system(vec![word("task", "text"), input]);
    for _ in 0..2 {
        let ran = run(&executable, &[texts(["files"]), texts(["contents"])]);
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        let expected =
            "8:contents;No such file or directory;two;13;.,..,input.txt,moved.txt,;outside refused";
        assert_eq!(ran.stdout, expected);
    }
}

#[test]
fn time_and_randomness_are_the_same_each_time() {
    let (first, second) = (task("sources"), task("sources"));
    assert_eq!(first.outcome, Outcome::Exited(0));
    assert_eq!(first.stdout, second.stdout);
    let (random, rest) = first.stdout.split_once(';').unwrap();
    // The first outputs of SplitMix64 from zero, low byte first.
    assert_eq!(random, "af cd 1d 7b 39 a8 20 e2 f4 65 b9 a1 6a 9e 78 6e".replace(' ', ""));
    assert_eq!(rest, "0 0;1000000;slept 0;no environment");
}

#[test]
fn exit_codes_are_told() {
    let executable = system(vec![word("task", "text"), word("code", "i32")]);
    for code in [0, 1, 7, 255] {
        let ran = run(&executable, &[texts(["exit"]), ints([code])]);
        assert_eq!((ran.outcome, ran.exit), (Outcome::Exited(code as i32), code));
    }
}

#[test]
fn commands_that_do_not_end_are_stopped() {
    assert_eq!(task("loop").outcome, Outcome::OutOfFuel);
    assert_eq!(task("flood").outcome, Outcome::OutOfFuel);
    assert_eq!(task("abort").outcome, Outcome::Trapped(Trap::Unreachable));
}

#[test]
fn a_trap_in_a_command_is_located() {
    let executable = system(vec![word("task", "text")]);
    let mut runner = executable.runner();
    runner.call(0, &[texts(["abort"])]).unwrap();
    let module = testdata("system.wasm");
    let at = runner.locate_trap(0).unwrap();
    assert_eq!(module.function_name(at.function), "abort");
}

#[test]
fn a_small_lexer_counts() {
    let stdin = parameter("text", "text", Lowering::Stdin);
    let executable = load(&testdata("words.wasm"), &[command(vec![stdin])]).unwrap();
    assert!(matches!(executable.isolation(0), Isolation::Fresh { .. }));
    let ran = run(&executable, &[texts(["one 22 (three)\n"])]);
    assert_eq!(ran.stdout, "2 words\n1 numbers\n2 marks\n");
}

#[test]
fn output_without_end_is_bounded_where_fuel_is_not() {
    let limits = Limits { fuel: Fuel(1 << 40), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    // Ignores errors of fd_write and stops when one comes.
    let wat = r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (memory (export "memory") 17)
        (data (i32.const 0) "\00\00\01\00\00\00\10\00")
        (func (export "_start") (local $error i32)
            (loop
                (local.set $error (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 64)))
                (br_if 0 (i32.eqz (local.get $error))))
            (call $exit (local.get $error))))"#;
    let executable = Executable::load(&module(wat), &[command(vec![])], &options).unwrap();
    let ran = run(&executable, &[]);
    // EFBIG, after sixteen times a mebibyte.
    assert_eq!((ran.exit, ran.stdout.len()), (22, 16 << 20));
}

/// Calls of the interface made directly: what each answers to bad arguments.
#[test]
fn bad_arguments_are_answered_with_error_numbers() {
    let answer = |import: &str, parameters: &str, call: &str| {
        let wat = format!(
            r#"(module
                (import "wasi_snapshot_preview1" "{import}" (func $f (param {parameters}) (result i32)))
                (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
                (memory (export "memory") 1)
                (data (i32.const 16) "..")
                (func (export "_start") (call $exit (call $f {call}))))"#
        );
        run(&load(&module(&wat), &[command(vec![])]).unwrap(), &[]).exit
    };
    let (badf, fault, inval, nosys, notcapable) = (8, 21, 28, 52, 76);
    assert_eq!(answer("fd_close", "i32", "(i32.const 9)"), badf);
    assert_eq!(answer("fd_close", "i32", "(i32.const 1)"), 0);
    assert_eq!(answer("random_get", "i32 i32", "(i32.const 65535) (i32.const 2)"), fault);
    assert_eq!(answer("random_get", "i32 i32", "(i32.const -1) (i32.const -1)"), fault);
    assert_eq!(answer("args_get", "i32 i32", "(i32.const 0) (i32.const 65535)"), fault);
    assert_eq!(answer("clock_time_get", "i32 i64 i32", "(i32.const 9) (i64.const 0) (i32.const 0)"), inval);
    assert_eq!(
        answer("poll_oneoff", "i32 i32 i32 i32", "(i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)"),
        inval
    );
    assert_eq!(
        answer("poll_oneoff", "i32 i32 i32 i32", "(i32.const 0) (i32.const 0) (i32.const -1) (i32.const 0)"),
        inval
    );
    assert_eq!(answer("sock_shutdown", "i32 i32", "(i32.const 0) (i32.const 0)"), nosys);
    let write = "(i32.const 1) (i32.const 65532) (i32.const 1) (i32.const 0)";
    assert_eq!(answer("fd_write", "i32 i32 i32 i32", write), fault);
    let write = "(i32.const 1) (i32.const 0) (i32.const -1) (i32.const 0)";
    assert_eq!(answer("fd_write", "i32 i32 i32 i32", write), fault);
    let above = "(i32.const 3) (i32.const 16) (i32.const 2)";
    assert_eq!(answer("path_create_directory", "i32 i32 i32", above), notcapable);
    assert_eq!(
        answer("fd_seek", "i32 i64 i32 i32", "(i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0)"),
        70
    );
}

#[test]
fn a_library_function_may_print() {
    let numbers = testdata("numbers.wasm");
    let calls =
        runner(&numbers, function("prints", &["i32"], returns("i32"))).call(0, &[ints([1234, 5])]).unwrap();
    assert_eq!(calls.outcomes, returned(2));
    assert_eq!(calls.outputs, [ints([5, 2])]);
}

#[test]
fn a_library_function_that_exits_is_a_trap() {
    let wat = r#"(module
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (memory (export "memory") 1)
        (func (export "f") (param i32) (result i32)
            (if (local.get 0) (then (call $exit (i32.const 3)) unreachable)) (i32.const 1)))"#;
    let executable = load(&module(wat), &[function("f", &["i32"], returns("i32"))]).unwrap();
    assert!(executable.isolation(0).is_reused());
    let calls = executable.runner().call(0, &[ints([0, 1, 0])]).unwrap();
    let trap = Outcome::Trapped(Trap::Exit(3));
    assert_eq!(calls.outcomes, [Outcome::Returned, trap, Outcome::Returned]);
}
