//! Every lowering of a parameter and every lowering of a result, with what makes each malformed.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, HostError, Options};

/// Functions over memory: sums, copies, and results of every form, well and badly made.
const WAT: &str = r#"(module
    (memory (export "memory") 2)
    (data (i32.const 1024) "hello\00\00\00\01\02\00\00\03\00\00\00\00\00\00\00")
    (data (i32.const 131068) "tail")
    ;; The sum of the bytes that a pointer and a length in bytes give.
    (func (export "sum_bytes") (param $p i32) (param $n i32) (result i32) (local $sum i32)
        (block (loop
            (br_if 1 (i32.eqz (local.get $n)))
            (local.set $sum (i32.add (local.get $sum) (i32.load8_u (local.get $p))))
            (local.set $p (i32.add (local.get $p) (i32.const 1)))
            (local.set $n (i32.sub (local.get $n) (i32.const 1)))
            (br 0)))
        (local.get $sum))
    ;; The length of NUL-terminated bytes.
    (func (export "strlen") (param $p i32) (result i32) (local $n i32)
        (loop
            (if (i32.load8_u (i32.add (local.get $p) (local.get $n)))
                (then (local.set $n (i32.add (local.get $n) (i32.const 1))) (br 1))))
        (local.get $n))
    (func (export "fill") (param $p i32) (param $n i32) (param $x i32)
        (memory.fill (local.get $p) (local.get $x) (local.get $n)))
    (func (export "poke") (param $p i32) (param $at i32) (param $x i32)
        (i32.store8 (i32.add (local.get $p) (local.get $at)) (local.get $x)))
    (func (export "peek") (param $p i32) (param $at i32) (result i32)
        (i32.load8_u (i32.add (local.get $p) (local.get $at))))
    (func (export "address") (param $p i32) (result i32) (local.get $p))
    ;; Writes its arguments as the pair of a result.
    (func (export "pair") (param $out i32) (param $p i32) (param $n i32)
        (i32.store (local.get $out) (local.get $p))
        (i32.store offset=4 (local.get $out) (local.get $n)))
    ;; Fills an out buffer with the value and returns the length that it is told to.
    (func (export "buffer") (param $says i32) (param $value i32) (param $out i32) (param $capacity i32) (result i32)
        (memory.fill (local.get $out) (local.get $value) (local.get $capacity))
        (local.get $says))
    (func (export "itself") (param i32) (result i32) (local.get 0))
    (func (export "many") (param $p i32) (param $n i32) (param $x i64) (param $f i32) (result i32)
        (i32.add (i32.load (local.get $p))
            (i32.add (i32.mul (local.get $n) (i32.const 1000))
                (i32.add (i32.wrap_i64 (local.get $x)) (i32.mul (local.get $f) (i32.const 100000)))))))"#;

fn call(f: Function, arguments: &[Column]) -> Calls {
    let executable = load(&module(WAT), &[f]).unwrap();
    executable.runner().call(0, arguments).unwrap()
}

fn one(f: Function, arguments: &[Column]) -> (Outcome, Vec<Value>) {
    let calls = call(f, arguments);
    (calls.outcomes[0], calls.outputs.iter().map(|c| c.value(0)).collect())
}

fn int(x: i128) -> Value {
    Value::Int(x)
}

fn ints_of(items: &[i128]) -> Value {
    Value::Sequence(Sequence::Int(items.to_vec()))
}

fn text(bytes: &[u8]) -> Value {
    Value::Text(bytes.into())
}

fn bools(rows: &[bool]) -> Column {
    let mut ragged = Ragged::new();
    ragged.push(rows);
    Column::Sequence(SequenceColumn::Bool(ragged))
}

fn float_rows(rows: &[f64]) -> Column {
    let mut ragged = Ragged::new();
    ragged.push(rows);
    Column::Sequence(SequenceColumn::Float(ragged))
}

#[test]
fn every_element_type_is_written_at_its_width() {
    // The bytes of the elements, summed over the length in bytes that the constant gives.
    let sum = |ty: &str, column: Column, bytes: i64| {
        let mut f = function("sum_bytes", &[ty], returns("i32"));
        f.arguments = vec![Argument::Pointer(0), Argument::Constant(bytes)];
        one(f, &[column])
    };
    let returned = |sum| (Outcome::Returned, vec![int(sum)]);
    assert_eq!(sum("[i8]", sequences([&[-1, 2]]), 2), returned(257));
    assert_eq!(sum("[u8]", sequences([&[255, 2]]), 2), returned(257));
    assert_eq!(sum("[i16]", sequences([&[-1, 2]]), 4), returned(512));
    assert_eq!(sum("[u16]", sequences([&[65535, 2]]), 4), returned(512));
    assert_eq!(sum("[i32]", sequences([&[-1, 2]]), 8), returned(1022));
    assert_eq!(sum("[u32]", sequences([&[4_294_967_295, 2]]), 8), returned(1022));
    assert_eq!(sum("[i64]", sequences([&[-1, 2]]), 16), returned(2042));
    assert_eq!(sum("[u64]", sequences([&[u64::MAX.into(), 2]]), 16), returned(2042));
    assert_eq!(sum("[bool]", bools(&[true, false, true]), 3), returned(2));
    assert_eq!(sum("[f32]", float_rows(&[1.0]), 4), returned(0x3f + 0x80));
    assert_eq!(sum("[f64]", float_rows(&[1.0]), 8), returned(0x3f + 0xf0));
    assert_eq!(sum("text", texts(["ab"]), 2), returned(195));
}

#[test]
fn lengths_count_elements_and_bytes_of_text() {
    let length = |ty: &str, column: Column| {
        let mut f = function("itself", &[ty], returns("i32"));
        f.arguments = vec![Argument::Length(0)];
        one(f, &[column]).1
    };
    assert_eq!(length("[i64]", sequences([&[1, 2, 3]])), [int(3)]);
    assert_eq!(length("text", texts(["äx"])), [int(3)]);
    assert_eq!(length("[i8]", sequences([&[]])), [int(0)]);
}

#[test]
fn nul_terminated_text_ends_in_a_zero_element() {
    let p = parameter("s", "text", Lowering::NulTerminated(Passing::In));
    let calls = call(Function::new("strlen", vec![p], returns("i32")), &[texts(["hello", "", "hi"])]);
    assert_eq!(calls.outputs, [ints([5, 0, 2])]);
}

#[test]
fn in_out_sequences_keep_their_length() {
    let p = parameter("xs", "[u8]", Lowering::PointerLength(Passing::InOut));
    let f = Function::new("fill", vec![p, parameter("x", "i32", Lowering::Value)], ResultLowering::None);
    let calls = call(f, &[sequences([&[1, 2, 3], &[]]), ints([7, 7])]);
    assert_eq!(calls.outcomes, returned(2));
    assert_eq!(calls.outputs, [sequences([&[7, 7, 7], &[]])]);
}

fn poke(lowering: Lowering, ty: &str) -> Function {
    let x = |name| parameter(name, "i32", Lowering::Value);
    let parameters = vec![parameter("s", ty, lowering), x("at"), x("x")];
    let mut f = Function::new("poke", parameters, ResultLowering::None);
    f.arguments = vec![Argument::Pointer(0), Argument::Value(1), Argument::Value(2)];
    f
}

#[test]
fn in_out_text_ends_at_the_first_nul() {
    let f = poke(Lowering::NulTerminated(Passing::InOut), "text");
    let calls = call(f, &[texts(["hello", "hello", "hi"]), ints([1, 0, 2]), ints([0, 106, 33])]);
    // The last one overwrites the terminator; the arena behind it is zero.
    assert_eq!(calls.outputs, [texts(["h", "jello", "hi!"])]);
    // With a length, NUL is a character as any other.
    let f = poke(Lowering::PointerLength(Passing::InOut), "text");
    let calls = call(f, &[texts(["hello"]), ints([1]), ints([0])]);
    assert_eq!(calls.outputs, [texts(["h\0llo"])]);
}

#[test]
fn an_in_out_boolean_that_is_neither_is_malformed() {
    let f = poke(Lowering::PointerLength(Passing::InOut), "[bool]");
    let (outcome, _) = one(f, &[bools(&[true, true]), ints([1]), ints([2])]);
    assert_eq!(outcome, Outcome::Malformed(Malformed::Range));
}

#[test]
fn arguments_start_zeroed_and_aligned_whatever_came_before() {
    let two = |result| function("peek", &["text", "i32"], result);
    let mut f = two(returns("i32"));
    f.arguments = vec![Argument::Pointer(0), Argument::Value(1)];
    // The second row must not see the first one's longer text, nor what lies far behind.
    let calls = call(f, &[texts(["long text here", "x", "x"]), ints([13, 13, 60_000])]);
    assert_eq!(calls.outputs, [ints(["e".as_bytes()[0].into(), 0, 0])]);
    let mut f = function("address", &["text", "text"], returns("u32"));
    f.arguments = vec![Argument::Pointer(1)];
    let calls = call(f, &[texts(["a", "a", "0123456789abcdefg"]), texts(["b", "", "b"])]);
    let Column::Int(at) = &calls.outputs[0] else { panic!() };
    assert_eq!((at[0] % 16, at[1] - at[0], at[2] - at[0]), (0, 0, 16));
}

#[test]
fn a_pair_through_the_return_pointer_is_read() {
    let result = |ty: &str| ResultLowering::ReturnPointer(ty.parse().unwrap());
    let pair = |ty: &str, at: i128, n: i128| {
        one(function("pair", &["u32", "u32"], result(ty)), &[ints([at]), ints([n])])
    };
    assert_eq!(pair("text", 1024, 5), (Outcome::Returned, vec![text(b"hello")]));
    assert_eq!(pair("[u8]", 1032, 3), (Outcome::Returned, vec![ints_of(&[1, 2, 0])]));
    assert_eq!(pair("[i16]", 1032, 2), (Outcome::Returned, vec![ints_of(&[0x201, 0])]));
    assert_eq!(pair("[i32]", 1032, 2), (Outcome::Returned, vec![ints_of(&[0x201, 3])]));
    assert_eq!(pair("[i64]", 1032, 1), (Outcome::Returned, vec![ints_of(&[0x3_0000_0201])]));
    assert_eq!(pair("[u32]", 4, 0), (Outcome::Returned, vec![ints_of(&[])]));
    let (outcome, outputs) = pair("[f32]", 1032, 1);
    assert_eq!(
        (outcome, outputs),
        (Outcome::Returned, vec![Value::Sequence(Sequence::Float(vec![f32::from_bits(0x201).into()]))])
    );
    // An empty slice of Rust points nowhere.
    assert_eq!(pair("[i32]", 4_294_967_292, 0), (Outcome::Returned, vec![ints_of(&[])]));
    let malformed = |why| (Outcome::Malformed(why), vec![text(b"")]);
    assert_eq!(pair("text", 196_608 - 4, 70_000).0, Outcome::Malformed(Malformed::Pointer));
    assert_eq!(pair("text", 4_294_967_290, 100), malformed(Malformed::Pointer));
    assert_eq!(pair("text", 1024, 4_294_967_295), malformed(Malformed::Length));
    assert_eq!(pair("[bool]", 1032, 2).0, Outcome::Malformed(Malformed::Range));
}

/// Functions that return several values.
const SEVERAL: &str = r#"(module (memory 1) (global $n (mut i32) (i32.const 0))
    (func (export "all") (param i32 i64 f32 f64) (result f64 i32 f32 i64)
        (local.get 3) (local.get 0) (local.get 2) (local.get 1))
    (func (export "two") (param i32 i32) (result i32 i32) (local.get 1) (local.get 0))
    ;; Where an instance is not used again.
    (func (export "counted") (param i32) (result i32 i32)
        (global.set $n (i32.add (global.get $n) (i32.const 1))) (global.get $n) (local.get 0))
    ;; The first byte and the last of what stands in memory, which is written.
    (func (export "ends") (param $p i32) (param $n i32) (result i32 i32)
        (i32.load8_u (local.get $p)) (i32.load8_u (i32.add (local.get $p) (i32.sub (local.get $n) (i32.const 1))))
        (i32.store8 (local.get $p) (i32.const 65))))"#;

fn several(name: &str, parameters: Vec<(Parameter, Lowering)>, outputs: &[(&str, &str)]) -> Function {
    let output =
        |(name, ty): &(&str, &str)| Output::new(OutputName::Part((*name).to_owned()), ty.parse().unwrap());
    Function::new(name, parameters, ResultLowering::MultiValue(outputs.iter().map(output).collect()))
}

fn by_value(types: &[&str]) -> Vec<(Parameter, Lowering)> {
    (0..).zip(types).map(|(i, ty)| parameter(&format!("p{i}"), ty, Lowering::Value)).collect()
}

#[test]
fn several_values_are_outputs_of_their_own() {
    let module = module(SEVERAL);
    let all = several(
        "all",
        by_value(&["i32", "i64", "f32", "f64"]),
        &[("d", "f64"), ("a", "i32"), ("c", "f32"), ("b", "i64")],
    );
    let arguments = [ints([1, -2]), ints([1 << 40, -1]), floats([0.5, -0.25]), floats([1e300, -3.5])];
    let calls = runner(&module, all).call(0, &arguments).unwrap();
    let [a, b, c, d] = arguments;
    assert_eq!((calls.outcomes, calls.outputs), (returned(2), vec![d, a, c, b]));
    let counted = several("counted", by_value(&["i32"]), &[("n", "i32"), ("x", "i32")]);
    let calls = runner(&module, counted).call(0, &[ints([7, 8])]).unwrap();
    assert_eq!(calls.outputs, [ints([1, 1]), ints([7, 8])]);
    let text = parameter("s", "text", Lowering::PointerLength(Passing::InOut));
    let ends = several("ends", vec![text], &[("first", "u8"), ("last", "u8")]);
    let calls = runner(&module, ends).call(0, &[texts(["xyz"])]).unwrap();
    assert_eq!(calls.outputs, [ints([120]), ints([122]), texts(["Ayz"])]);
}

#[test]
fn one_of_several_values_that_is_not_of_its_type_is_malformed() {
    let two = several("two", by_value(&["i32", "i32"]), &[("a", "bool"), ("b", "u8")]);
    let calls = runner(&module(SEVERAL), two).call(0, &[ints([7, 256, 9]), ints([1, 0, 2])]).unwrap();
    let malformed = Outcome::Malformed(Malformed::Range);
    assert_eq!(calls.outcomes, [Outcome::Returned, malformed, malformed]);
    assert_eq!(calls.outputs[0], Column::Bool(vec![true, false, false]));
    assert_eq!(calls.outputs[1], ints([7, 0, 0]), "nothing is said of a call that is malformed");
}

#[test]
fn several_values_are_told_where_one_is_declared() {
    let refused = |f: Function| load(&module(SEVERAL), &[f]).unwrap_err().to_string();
    let one = refused(function("two", &["i32", "i32"], returns("i32")));
    assert!(one.contains("write -> (r0: i32, r1: i32) and result = \"multi-value\""), "{one}");
    let three = several("two", by_value(&["i32", "i32"]), &[("a", "i32"), ("b", "i32"), ("c", "i32")]);
    let three = refused(three);
    assert!(three.contains("declared two(i32, i32) -> i32, i32, i32"), "{three}");
    let other = refused(several("two", by_value(&["i32", "i32"]), &[("a", "i32"), ("b", "i64")]));
    let ended = load(&module(WAT), &[function("strlen", &["text"], returns("i32"))]).unwrap_err().to_string();
    assert!(ended.contains("write lower.p0 = \"nul-terminated\""), "{ended}");
    assert!(other.contains("exports two: (i32, i32) -> i32, i32"), "{other}");
}

#[test]
fn outputs_of_more_elements_than_the_fuel_limit_are_not_read() {
    let f = function("pair", &["u32", "u32"], ResultLowering::ReturnPointer("text".parse().unwrap()));
    let mut runner = load(&module(WAT), &[f]).unwrap().runner();
    let lengths = [ints([1024, 1024, 1024]), ints([60_000, 60_000, 5])];
    let limits = [60_000, 59_999, 59_999];
    let calls = runner.call_within(0, &lengths, &limits).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Returned, Outcome::OutOfFuel, Outcome::Returned]);
    assert_eq!(runner.fuel_used()[1], limits[1]);
    assert_eq!((calls.outputs[0].elements(0), calls.outputs[0].elements(1)), (60_000, 0));
    assert_eq!(calls.outputs[0].value(2), text(b"hello"));
    // Without limits of their own they are what the function returns.
    assert_eq!(runner.call(0, &lengths).unwrap().outcomes, returned(3));
}

#[test]
fn an_out_buffer_is_read_to_the_returned_length() {
    let f = || {
        let result = ResultLowering::OutBuffer { ty: "text".parse().unwrap(), capacity: 8 };
        function("buffer", &["i32", "i32"], result)
    };
    let says = |length: i128| one(f(), &[ints([length]), ints([65])]);
    assert_eq!(says(3), (Outcome::Returned, vec![text(b"AAA")]));
    assert_eq!(says(8), (Outcome::Returned, vec![text(b"AAAAAAAA")]));
    assert_eq!(says(0), (Outcome::Returned, vec![text(b"")]));
    assert_eq!(says(9), (Outcome::Malformed(Malformed::Length), vec![text(b"")]));
    assert_eq!(says(-1).0, Outcome::Malformed(Malformed::Length));
}

#[test]
fn a_nul_terminated_result_is_read_to_its_nul() {
    let at = |ty: &str, address: i128| {
        one(
            function("itself", &["u32"], ResultLowering::NulTerminated(ty.parse().unwrap())),
            &[ints([address])],
        )
    };
    assert_eq!(at("text", 1024), (Outcome::Returned, vec![text(b"hello")]));
    assert_eq!(at("[u8]", 1032), (Outcome::Returned, vec![ints_of(&[1, 2])]));
    assert_eq!(at("[i32]", 1032), (Outcome::Returned, vec![ints_of(&[0x201, 3])]));
    assert_eq!(at("text", 0).0, Outcome::Malformed(Malformed::Pointer));
    assert_eq!(at("text", 10_000_000).0, Outcome::Malformed(Malformed::Pointer));
}

#[test]
fn a_result_without_its_nul_is_malformed() {
    let wat = r#"(module (memory 4) (func (export "malloc") (param i32) (result i32) (i32.const 16))
        (func (export "f") (result i32)
            (memory.fill (i32.const 260000) (i32.const 65) (i32.const 2144)) (i32.const 260000)))"#;
    let f = function("f", &[], ResultLowering::NulTerminated(Type::Text));
    let calls = load(&module(wat), &[f]).unwrap().runner().call(0, &[]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Malformed(Malformed::Unterminated)]);
    assert_eq!(calls.outputs, [texts([""])]);
}

#[test]
fn arguments_in_any_order_with_constants_and_function_pointers() {
    let mut f = function("many", &["[i32]"], returns("i32"));
    f.arguments = vec![
        Argument::Pointer(0),
        Argument::Length(0),
        Argument::Constant(7),
        Argument::FunctionPointer("strlen".into()),
    ];
    // 5 + 2 * 1000 + 7 + the first place in the table that is not the null pointer.
    assert_eq!(one(f, &[sequences([&[5, 6]])]).1, [int(102_012)]);
}

#[test]
fn function_pointers_are_called_through_the_table() {
    let apply = |table: &str| {
        format!(
            r#"(module {table}
                (type $f (func (param i32) (result i32)))
                (func (export "twice") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
                (func (export "next") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
                (func (export "apply") (param i32 i32) (result i32)
                    (call_indirect (type $f) (local.get 1) (local.get 0))))"#
        )
    };
    for table in ["(table 0 funcref)", "(table 5 5 funcref)", "(table 2 funcref) (elem (i32.const 1) 0)"] {
        let f = |export: &str| {
            let mut f = function("apply", &["i32"], returns("i32"));
            f.arguments = vec![Argument::FunctionPointer(export.into()), Argument::Value(0)];
            f
        };
        let executable = load(&module(&apply(table)), &[f("twice"), f("next")]).unwrap();
        let mut runner = executable.runner();
        assert_eq!(runner.call(0, &[ints([21])]).unwrap().outputs, [ints([42])], "{table}");
        assert_eq!(runner.call(1, &[ints([21])]).unwrap().outputs, [ints([22])], "{table}");
        assert!(executable.isolation(0).is_reused());
    }
}

#[test]
fn memory_comes_from_the_allocator_that_the_module_exports() {
    let with = |allocator: &str| {
        format!(
            r#"(module (memory 4)
                (global $next (mut i32) (i32.const 1000))
                {allocator}
                (func (export "address") (param i32) (result i32) (local.get 0)))"#
        )
    };
    let address = |allocator: &str, name: Option<&str>| {
        let mut f = function("address", &["[i32]"], returns("u32"));
        f.arguments = vec![Argument::Pointer(0)];
        let options = Options { allocator: name.map(Into::into), ..Options::default() };
        let executable = Executable::load(&module(&with(allocator)), &[f], &options).unwrap();
        let calls = executable.runner().call(0, &[sequences([&[1]])]).unwrap();
        (calls.outcomes[0], calls.outputs[0].value(0))
    };
    let malloc = r#"(func (export "malloc") (param i32) (result i32) (global.get $next))"#;
    assert_eq!(address(malloc, None), (Outcome::Returned, int(1008)));
    let realloc = r#"(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        (i32.add (global.get $next) (local.get 2)))"#;
    assert_eq!(address(realloc, None), (Outcome::Returned, int(1024)));
    let named = malloc.replace("malloc", "get_memory");
    assert_eq!(address(&named, Some("get_memory")), (Outcome::Returned, int(1008)));
    assert_eq!(address("", None), (Outcome::Returned, int(4 << 16)));
    let none = malloc.replace("(global.get $next)", "(i32.const 0)");
    assert_eq!(address(&none, None).0, Outcome::Malformed(Malformed::Allocation));
    let wild = malloc.replace("(global.get $next)", "(i32.const -8)");
    assert_eq!(address(&wild, None).0, Outcome::Malformed(Malformed::Allocation));
}

#[test]
fn arguments_larger_than_memory_are_malformed_not_fatal() {
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let f = function("sum_bytes", &["[i64]"], returns("i32"));
    let executable = Executable::load(&module(WAT), &[f], &Options { limits, ..Options::default() }).unwrap();
    let mut rows = Ragged::new();
    rows.push(&[1]);
    rows.push(&vec![1; 200_000]);
    rows.push(&[2]);
    let calls = executable.runner().call(0, &[Column::Sequence(SequenceColumn::Int(rows))]).unwrap();
    let none = Outcome::Malformed(Malformed::Allocation);
    assert_eq!(calls.outcomes, [Outcome::Returned, none, Outcome::Returned]);
}

#[test]
fn values_outside_their_type_are_refused_by_the_host() {
    let mut runner = runner(&module(WAT), function("itself", &["i32"], returns("i32")));
    let error = runner.call(0, &[ints([1, 1 << 40])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the value of parameter 0 of `itself` is not of its declared type i32"
    );
    let error = runner.call(0, &[ints([1]), ints([2])]).unwrap_err();
    assert!(matches!(error, HostError::Columns { expected: 1, .. }), "{error}");
    let mut runner = common::runner(&module(WAT), function("sum_bytes", &["[i8]"], returns("i32")));
    assert!(runner.call(0, &[sequences([&[1, 128]])]).is_err());
    // The runner is as good as before.
    assert_eq!(runner.call(0, &[sequences([&[1, 127]])]).unwrap().outputs, [ints([128])]);
}
