//! Comparisons in the disguises that compilers give them.

use dodona_generation::{Bounds, ComparisonBorders, SearchOptions, comparison_borders};
use dodona_subject::Manifest;
use dodona_target::{Until, Value};

/// What is found of a function of `i32`s whose body is given.
fn found(parameters: &str, body: &str) -> ComparisonBorders {
    let names = parameters.split(", ");
    let (mut locals, mut signature) = (String::new(), Vec::new());
    for name in names {
        locals += &format!("(param ${name} i32) ");
        signature.push(format!("{name}: i32"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let wat = format!("(module (func (export \"f\") {locals} (result i32) {body}))");
    let manifest =
        format!("module = 'f.wat'\n[[function]]\nsignature = 'f({}) -> i32'\n", signature.join(", "));
    std::fs::write(folder.path().join("f.wat"), wat).expect("written");
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    let workbench = dodona_wasm::open(Manifest::find(folder.path()).expect("a manifest")).expect("it opens");
    let bounds = Bounds { queries: 500, paths: 100, ..Bounds::default() };
    let options = SearchOptions { bounds, time: None, ..SearchOptions::default() };
    comparison_borders(&workbench, 0, &options, &Until::default())
}

fn ints(values: &[i128]) -> Vec<Value> {
    values.iter().copied().map(Value::Int).collect()
}

/// The numbers that are found, in their order.
fn numbers(parameters: &str, body: &str) -> Vec<i128> {
    let number = |value: &Value| match value {
        Value::Int(i) => *i,
        other => panic!("{other:?}"),
    };
    let mut all: Vec<i128> = found(parameters, body).numbers.iter().map(number).collect();
    all.sort_unstable();
    all
}

#[test]
fn two_equations_that_are_one_exclusive_or() {
    let body = "(select (i32.const 5) (i32.const 0) (i32.eqz (i32.or
        (i32.xor (local.get $km) (i32.const 4321)) (i32.xor (local.get $kg) (i32.const 37)))))";
    let ComparisonBorders { inputs, numbers } = found("km, kg", body);
    assert!(inputs.contains(&ints(&[4321, 37])), "{inputs:?}");
    assert!(inputs.contains(&ints(&[4320, 37])) || inputs.contains(&ints(&[4322, 37])), "{inputs:?}");
    assert!(inputs.contains(&ints(&[4321, 36])) || inputs.contains(&ints(&[4321, 38])), "{inputs:?}");
    for number in ints(&[4321, 37]) {
        assert!(numbers.contains(&number), "{numbers:?}");
    }
}

#[test]
fn an_equation_of_two_parameters_has_no_constant() {
    let body = "(select (i32.const 5) (i32.const 0) (i32.eqz (i32.sub (local.get $a) (local.get $b))))";
    let ComparisonBorders { inputs, numbers } = found("a, b", body);
    assert_eq!(numbers, []);
    assert!(inputs.iter().any(|input| input[0] == input[1]), "{inputs:?}");
}

#[test]
fn a_range_that_is_one_comparison_without_a_sign() {
    let body = "(i32.lt_u (i32.sub (local.get $x) (i32.const 100)) (i32.const 50))";
    assert_eq!(numbers("x", body), [100, 149]);
    let inputs = found("x", body).inputs;
    for x in [99, 100, 149, 150] {
        assert!(inputs.contains(&ints(&[x])), "{x}: {inputs:?}");
    }
}

#[test]
fn differences_rotations_shifts_and_masks() {
    assert_eq!(numbers("x", "(i32.eqz (i32.sub (local.get $x) (i32.const 12345)))"), [12345]);
    let rotated = "(i32.eq (i32.rotl (local.get $x) (i32.const 7)) (i32.const 1280))";
    // The parts of the rotation have borders of their own.
    assert!(numbers("x", rotated).contains(&10));
    let shifted = "(i32.eq (i32.shr_u (local.get $x) (i32.const 4)) (i32.const 300))";
    assert_eq!(numbers("x", shifted), [4800, 4815]);
    let masked = "(i32.eq (i32.and (local.get $x) (i32.const 255)) (i32.const 37))";
    let masked = numbers("x", masked);
    assert!(!masked.is_empty() && masked.iter().all(|x| x & 255 == 37), "{masked:?}");
}

#[test]
fn a_multiplication_by_an_inverse() {
    // `x % 7 == 0`, as LLVM writes it.
    let body = "(i32.lt_u (i32.mul (local.get $x) (i32.const -1227133513)) (i32.const 613566757))";
    let inputs = found("x", body).inputs;
    let remainders = |wanted: fn(i128) -> bool| {
        inputs
            .iter()
            .filter(|input| matches!(input[0], Value::Int(x) if wanted((x as u32 % 7).into())))
            .count()
    };
    assert!(remainders(|r| r == 0) > 0 && remainders(|r| r != 0) > 0, "{inputs:?}");
}

#[test]
fn cases_of_a_table() {
    let body = "(block $c (block $b (block $a
        (br_table $a $b $c (i32.sub (local.get $x) (i32.const 1000))))
        (return (i32.const 7))) (return (i32.const 8))) (i32.const 9)";
    let inputs = found("x", body).inputs;
    for x in [1000, 1001] {
        assert!(inputs.contains(&ints(&[x])), "{x}: {inputs:?}");
    }
}

#[test]
fn a_function_that_decides_nothing_has_no_border() {
    let ComparisonBorders { inputs, numbers } = found("x", "(i32.add (local.get $x) (i32.const 7))");
    assert_eq!((inputs.len(), numbers.len()), (0, 0));
}
