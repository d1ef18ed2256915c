//! Machine code is the same for functions that the compiler makes the same, and for no others.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use dodona_wasm::execute::{LoadError, MachineCode, machine_code};

fn all(wat: &str) -> Result<Vec<MachineCode>, LoadError> {
    machine_code(&wat::parse_str(wat).unwrap())
}

/// Whether two bodies of functions of two i32 and an f64 that return an i32 become the same.
fn same(a: &str, b: &str) -> bool {
    let function = |body| format!("(func (param i32 i32 f64) (result i32) {body})");
    let code = all(&format!(
        r#"(module
            (type $binary (func (param i32 i32) (result i32)))
            (import "m" "f" (func $f (param i32) (result i32)))
            (import "m" "g" (func $g (param i32) (result i32)))
            (memory 1)
            (data $a "a") (data $b "b") (data (i32.const 65530) "c") (data (i32.const 99999999) "d")
            (elem (table $t) (i32.const 1) func $f $g)
            (table $t 4 funcref)
            (table $u 4 funcref)
            (global $x (mut i32) (i32.const 0))
            {}
            (func (result i32) (i32.const 42))
            {})"#,
        function(a),
        function(b)
    ))
    .unwrap();
    assert_eq!(code.len(), 3, "imports and trampolines are not counted");
    code[0] == code[2]
}

#[test]
fn what_the_compiler_folds_is_the_same() {
    assert!(same("local.get 0", "(i32.add (local.get 0) (i32.const 0))"));
    assert!(same("(i32.mul (local.get 0) (i32.const 1))", "(i32.shl (local.get 0) (i32.const 0))"));
    assert!(same(
        "(i32.eqz (i32.lt_s (local.get 0) (local.get 1)))",
        "(i32.ge_s (local.get 0) (local.get 1))"
    ));
    assert!(same("(drop (i32.const 7)) (call $f (local.get 1))", "(call $f (local.get 1))"));
}

#[test]
fn different_computations_differ() {
    let add = "(i32.add (local.get 0) (local.get 1))";
    assert!(!same(add, "(i32.sub (local.get 0) (local.get 1))"));
    assert!(!same("(i32.const 1)", "(i32.const 2)"));
    assert!(!same("(call $f (local.get 0))", "(call $g (local.get 0))"));
    assert!(!same("(i32.load (local.get 0))", "(i32.load offset=4 (local.get 0))"));
    // Constants of floats lie behind the code.
    let floats = |x| format!("(f64.lt (local.get 2) (f64.const {x}))");
    assert!(!same(&floats("1.5"), &floats("2.5")));
    assert!(same(&floats("1.5"), &floats("1.5")));
}

#[test]
fn a_jump_table_is_part_of_the_code() {
    let switch = |first, second| {
        format!(
            "(block (block (block (br_table {first} {second} 2 0 (local.get 0))) (return (i32.const 5)))
                (return (i32.const 6))) (i32.const 7)"
        )
    };
    assert!(same(&switch(0, 1), &switch(0, 1)));
    assert!(!same(&switch(0, 1), &switch(1, 0)));
}

#[test]
fn trap_kinds_differ() {
    assert!(!same("unreachable", "(i32.div_u (i32.const 1) (i32.const 0))"));
    assert!(same("unreachable", "unreachable (i32.const 1)"));
}

#[test]
fn what_the_engine_calls_is_told_apart_and_may_stand_anywhere() {
    let three = |name: &str| format!("({name} (local.get 0) (local.get 1) (local.get 1)) (i32.const 0)");
    let copy = three("memory.copy");
    assert!(same(&copy, &copy));
    assert!(!same(&copy, &three("memory.fill")));
    assert!(!same(&three("memory.init $a"), &three("memory.init $b")));
    assert!(!same("(data.drop $a) (i32.const 0)", "(data.drop $b) (i32.const 0)"));
    let grow = "(memory.grow (local.get 0))";
    assert!(same(grow, grow));
    let grow_table = |table| format!("(table.grow {table} (ref.null func) (local.get 0))");
    assert!(!same(grow, &grow_table("$t")));
    assert!(same(&grow_table("$t"), &grow_table("$t")));
    assert!(!same(&grow_table("$t"), &grow_table("$u")));
    let indirect = |n| format!("(call_indirect (type $binary) (local.get 1) (local.get 1) (i32.const {n}))");
    assert!(same(&indirect(2), &indirect(2)));
    assert!(!same(&indirect(2), &indirect(3)));
}

#[test]
fn modules_with_other_calls_of_the_engine_are_not_confused() {
    // The first added import of each: the same bytes, another meaning.
    let one = |name| {
        let wat = format!(
            "(module (memory 1) (func (param i32) ({name} (local.get 0) (local.get 0) (local.get 0))))"
        );
        all(&wat).unwrap().remove(0)
    };
    assert_eq!(one("memory.copy"), one("memory.copy"));
    assert_ne!(one("memory.copy"), one("memory.fill"));
}

#[test]
fn a_module_without_imports_gets_them_in_place() {
    let code = all(
        r#"(module (memory 1) (table 2 funcref) (elem (i32.const 0) $a $b)
            (func $a (param i32) (result i32) (memory.grow (local.get 0)))
            (func $b (export "b") (param i32) (result i32) (memory.grow (i32.add (local.get 0) (i32.const 0)))))"#,
    )
    .unwrap();
    assert_eq!(code[0], code[1]);
}

#[test]
fn direct_calls_between_functions_are_refused() {
    let error = all("(module (func $a) (func (call $a)))").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the module cannot be compiled: function 0 is called where only imports may be; import it instead; it may use a proposal that is not supported"
    );
}

#[test]
fn what_is_no_module_is_refused() {
    assert!(matches!(machine_code(b"no module"), Err(LoadError::Compile { .. })));
}
