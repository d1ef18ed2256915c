//! ACR ASR CAR CNR SAR.

use MutationOperator as M;

use super::*;

/// `xs[i] + p->y + n`, of an array, an index, a pointer and a number.
const BODY: &str = "(param $xs i32) (param $i i32) (param $p i32) (param $n i32) (result i32) \
     local.get $xs local.get $i i32.const 2 i32.shl i32.add i32.load \
     local.get $p i32.load offset=8 i32.add local.get $n i32.add";

const ELEMENT: &str = "LocalGet(0) LocalGet(1) I32Const(2) I32Shl I32Add I32Load(MemArg { offset: 0, align: 2, memory_index: 0 })";
const FIELD: &str = "LocalGet(2) I32Load(MemArg { offset: 8, align: 2, memory_index: 0 })";

/// What a load from an address says of its bounds.
fn bounds(address: &str, end: u32) -> String {
    format!(
        " | traps: {address} I64ExtendI32U I64Const({end}) I64Add MemorySize(0) I64ExtendI32U I64Const(16) I64Shl I64GtU"
    )
}

fn element(at: u32) -> String {
    format!("{at} result: {ELEMENT}{}", bounds("LocalGet(0) LocalGet(1) I32Const(2) I32Shl I32Add", 4))
}

fn field(at: u32) -> String {
    format!("{at} result: {FIELD}{}", bounds("LocalGet(2)", 12))
}

#[test]
fn acr_replaces_a_constant_by_what_the_function_loads() {
    assert_eq!(proposals(M::Acr, BODY), [element(2), field(2)]);
    // Nothing is loaded of the constant's type.
    assert!(proposals(M::Acr, "(param i32) (result f64) local.get 0 i32.load drop f64.const 1").is_empty());
}

#[test]
fn asr_replaces_scalars_and_not_the_names_of_arrays() {
    // Of i (at 1) and n (at 9), not of xs and p.
    assert_eq!(proposals(M::Asr, BODY), [element(1), field(1), field(9), element(9)]);
}

#[test]
fn car_replaces_what_is_loaded_by_constants_of_its_type() {
    assert_eq!(proposals(M::Car, BODY), ["5 result: I32Const(2)", "7 result: I32Const(2)"]);
    // A store loads nothing.
    assert!(proposals(M::Car, "(param i32) local.get 0 i32.const 7 i32.store").is_empty());
}

#[test]
fn sar_replaces_what_is_loaded_by_scalars_of_its_type() {
    let expected =
        ["5 result: LocalGet(1)", "5 result: LocalGet(3)", "7 result: LocalGet(1)", "7 result: LocalGet(3)"];
    assert_eq!(proposals(M::Sar, BODY), expected);
    // The only variable of its type is the name of an array, or there is none.
    assert!(proposals(M::Sar, "(param i32) (result f64) local.get 0 f64.load").is_empty());
}

#[test]
fn cnr_replaces_one_array_by_another_and_leaves_indices() {
    assert_eq!(proposals(M::Cnr, BODY), ["0 result: LocalGet(2)", "6 result: LocalGet(0)"]);
    // A pointer that is no base here is no name of an array.
    let passed = "(param i32 i32) local.get 0 i32.load drop local.get 1 i32.load drop local.get 0 call $void";
    assert_eq!(proposals(M::Cnr, passed), ["0 result: LocalGet(1)", "3 result: LocalGet(0)"]);
    assert!(
        proposals(M::Cnr, "(param i32 i32) (result i32) local.get 0 i32.load local.get 1 i32.add").is_empty()
    );
}

#[test]
fn only_the_nearest_array_references_replace() {
    let loads: String =
        (0..6).map(|field| format!("local.get 0 i32.load offset={} drop ", 4 * field)).collect();
    let body = format!("(param i32) {loads} i32.const 9 drop");
    let at = |offset: u32| {
        let load = format!(
            "18 result: LocalGet(0) I32Load(MemArg {{ offset: {offset}, align: 2, memory_index: 0 }})"
        );
        format!("{load}{}", bounds("LocalGet(0)", offset + 4))
    };
    assert_eq!(proposals(M::Acr, &body), [at(20), at(16), at(12), at(8)]);
}

#[test]
fn an_address_that_cannot_be_computed_again_makes_no_array_reference() {
    // It was called for, or loaded itself.
    for address in ["call $number", "local.get 0 i32.load"] {
        let body = format!("(param i32) (result i64) {address} i64.load i64.const 5 i64.add");
        assert!(proposals(M::Acr, &body).is_empty(), "{address}");
    }
    // What the compiler kept in a local is read from there.
    let kept = "(param i32) (result i64) (local i32) local.get 0 i32.const 4 i32.add local.tee 1 i64.load i64.const 5 i64.add";
    let load = "LocalGet(1) I64Load(MemArg { offset: 0, align: 3, memory_index: 0 })";
    assert_eq!(proposals(M::Acr, kept), [format!("5 result: {load}{}", bounds("LocalGet(1)", 8))]);
}
