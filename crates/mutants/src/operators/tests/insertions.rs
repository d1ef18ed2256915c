//! ABS AOIU AOIS LOI.

use MutationOperator as M;

use super::*;

#[test]
fn abs_inserts_absolute_values_and_fails_on_zero() {
    let body = "(param i32) (result i32) local.get 0";
    let absolute =
        "LocalGet(0) LocalGet(0) I32Const(31) I32ShrS I32Xor LocalGet(0) I32Const(31) I32ShrS I32Sub";
    assert_eq!(
        proposals(M::Abs, body),
        [
            format!("0 result: {absolute}"),
            format!("0 result: I32Const(0) {absolute} I32Sub"),
            "0 result: LocalGet(0) I32Const(1) LocalGet(0) I32Eqz I32Eqz I32DivU Drop | traps: LocalGet(0) I32Eqz"
                .to_owned(),
        ]
    );
    let sum = "(param f64) (result f64) local.get 0 f64.const 2 f64.div";
    assert_eq!(
        proposals(M::Abs, sum)[3..],
        [
            "3 operands: #0 F64Abs",
            "3 operands: #0 F64Abs F64Neg",
            "3 operands: #0 I32Const(1) #0 F64Const(0.0) F64Eq I32Eqz I32DivU Drop | traps: #0 F64Const(0.0) F64Eq",
        ]
    );
}

#[test]
fn abs_leaves_out_what_cannot_matter() {
    // A condition is zero where its absolute value is; only failing on zero is left.
    let condition = "(param i32) block local.get 0 br_if 0 end";
    assert_eq!(proposals(M::Abs, condition).len(), 1);
    // Booleans, addresses, and numbers that are never negative.
    let boolean = "(param f64 f64) (result i32) local.get 0 local.get 1 f64.lt";
    assert!(proposals(M::Abs, boolean).iter().all(|p| !p.starts_with("3 ")));
    let address = "(param i32) (result i32) local.get 0 i32.load8_u";
    let natural = proposals(M::Abs, address);
    assert!(natural.iter().all(|p| p.starts_with("2 operands")) && natural.len() == 2, "{natural:?}");
}

#[test]
fn aoiu_negates_numbers_where_they_are_used() {
    let body = "(param i32 f64) (result f64) local.get 0 f64.convert_i32_s local.get 1 f64.add";
    assert_eq!(
        proposals(M::Aoiu, body),
        ["0 result: I32Const(0) LocalGet(0) I32Sub", "2 result: LocalGet(1) F64Neg", "4 operands: #0 F64Neg",]
    );
    // What a call returns is computed once.
    let call = "(local i32) call $number local.set 0";
    assert_eq!(proposals(M::Aoiu, call), ["1 operands: I32Const(0) #0 I32Sub"]);
}

#[test]
fn aois_increments_and_decrements_the_value_or_the_variable() {
    assert_eq!(
        proposals(M::Aois, "(param i64) (result i64) local.get 0"),
        [
            "0 result: LocalGet(0) I64Const(1) I64Add",
            "0 result: LocalGet(0) I64Const(1) I64Add LocalTee(0) | reached",
            "0 result: LocalGet(0) LocalGet(0) I64Const(1) I64Add LocalSet(0) | reached",
            "0 result: LocalGet(0) I64Const(-1) I64Add",
            "0 result: LocalGet(0) I64Const(-1) I64Add LocalTee(0) | reached",
            "0 result: LocalGet(0) LocalGet(0) I64Const(-1) I64Add LocalSet(0) | reached",
        ]
    );
    // What is read from memory or assigned in passing is no variable to increment, and a sum is no use at all.
    let load = "(param i32) (result i32) local.get 0 i32.load i32.const 1 i32.add local.tee 0";
    assert_eq!(
        proposals(M::Aois, load)[6..],
        [
            "3 operands: #0 I32Const(1) I32Add #1",
            "3 operands: #0 I32Const(-1) I32Add #1",
            "5 operands: #0 I32Const(1) I32Add",
            "5 operands: #0 I32Const(-1) I32Add",
        ]
    );
}

#[test]
fn loi_complements_integers_that_are_read() {
    assert_eq!(
        proposals(M::Loi, "(param i32 i64 f64) local.get 0 drop local.get 1 drop local.get 2 drop"),
        ["0 result: LocalGet(0) I32Const(-1) I32Xor", "2 result: LocalGet(1) I64Const(-1) I64Xor"]
    );
    assert_eq!(proposals(M::Loi, "(result i32) call $number"), ["1 operands: #0 I32Const(-1) I32Xor"]);
}

#[test]
fn nothing_is_proposed_for_references_and_vectors() {
    let body = "(param externref v128) (result v128) local.get 0 ref.is_null local.get 1 local.get 1 \
                local.get 0 ref.is_null select (result v128) return";
    for definition in DEFINITIONS {
        let made = proposals(definition.operator, body);
        assert!(made.is_empty(), "{}: {made:?}", definition.code);
    }
}
