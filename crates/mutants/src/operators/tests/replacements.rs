//! AOR LOR SOR ASRS AAR CRP SVR SCR CSR RSR.

use MutationOperator as M;

use super::*;

#[test]
fn aor_replaces_arithmetic_and_says_when_division_traps() {
    let body = "(param i32 i32) (result i32) local.get 0 local.get 1 i32.mul";
    assert_eq!(
        proposals(M::Aor, body),
        [
            "2 result: #0 #1 I32Add",
            "2 result: #0 #1 I32Sub",
            "2 result: #0 #1 I32DivS | traps: #1 I32Eqz #0 I32Const(-2147483648) I32Eq #1 I32Const(-1) I32Eq I32And I32Or",
            "2 result: #0 #1 I32RemS | traps: #1 I32Eqz",
        ]
    );
    let unsigned = "(param i64 i64) (result i64) local.get 0 local.get 1 i64.rem_u";
    assert_eq!(
        proposals(M::Aor, unsigned),
        [
            "2 result: #0 #1 I64Add",
            "2 result: #0 #1 I64Sub",
            "2 result: #0 #1 I64Mul",
            "2 result: #0 #1 I64DivU | traps: #1 I64Eqz",
        ]
    );
    let float = "(param f64 f64) (result f64) local.get 0 local.get 1 f64.add";
    assert_eq!(
        proposals(M::Aor, float),
        ["2 result: #0 #1 F64Sub", "2 result: #0 #1 F64Mul", "2 result: #0 #1 F64Div"]
    );
}

#[test]
fn lor_replaces_bitwise_operators_but_not_connectors_of_booleans() {
    let body = "(param i32 i32) (result i32) local.get 0 local.get 1 i32.and";
    assert_eq!(proposals(M::Lor, body), ["2 result: #0 #1 I32Or", "2 result: #0 #1 I32Xor"]);
    let connector = "(param i32 i32) (result i32) local.get 0 i32.eqz local.get 1 i32.eqz i32.and";
    assert!(proposals(M::Lor, connector).is_empty());
}

#[test]
fn sor_replaces_shifts_by_shifts_and_rotations_by_rotations() {
    let body = "(param i64 i64) (result i64) local.get 0 local.get 1 i64.shr_u";
    assert_eq!(proposals(M::Sor, body), ["2 result: #0 #1 I64Shl", "2 result: #0 #1 I64ShrS"]);
    let rotation = "(param i32 i32) (result i32) local.get 0 local.get 1 i32.rotl";
    assert_eq!(proposals(M::Sor, rotation), ["2 result: #0 #1 I32Rotr"]);
}

#[test]
fn asrs_assigns_plainly_where_a_variable_or_a_place_in_memory_is_updated() {
    let local = "(param i32 i32) local.get 1 local.get 0 i32.add local.set 0";
    assert_eq!(proposals(M::Asrs, local), ["2 result: #0"]);
    let memory =
        "(param i32) local.get 0 local.get 0 i32.load offset=4 i32.const 3 i32.mul i32.store offset=4";
    assert_eq!(proposals(M::Asrs, memory), ["4 result: #1"]);
    let other_field = "(param i32) local.get 0 local.get 0 i32.load i32.const 3 i32.mul i32.store offset=4";
    assert!(proposals(M::Asrs, other_field).is_empty());
    let other_local = "(param i32 i32) local.get 0 i32.const 1 i32.add local.set 1";
    assert!(proposals(M::Asrs, other_local).is_empty());
}

#[test]
fn aar_moves_a_load_by_an_element_or_to_another_field() {
    let body = "(param i32) (result i32) local.get 0 i32.load local.get 0 i32.load offset=12 i32.add";
    let bounds = |end: u32| {
        format!(
            " | traps: #0 I64ExtendI32U I64Const({end}) I64Add MemorySize(0) I64ExtendI32U I64Const(16) I64Shl I64GtU"
        )
    };
    let load = |at: u32, offset: u32| {
        format!(
            "{at} result: #0 I32Load(MemArg {{ offset: {offset}, align: 2, memory_index: 0 }}){}",
            bounds(offset + 4)
        )
    };
    assert_eq!(
        proposals(M::Aar, body),
        [
            load(1, 4),
            // In front of the first field there is no offset.
            "1 operands: #0 I32Const(-4) I32Add".to_owned(),
            load(1, 12),
            load(3, 16),
            load(3, 8),
            load(3, 0),
        ]
    );
}

#[test]
fn aar_moves_the_address_of_a_store_and_changes_strides() {
    let body = "(param i32 i32) local.get 0 local.get 1 i32.const 2 i32.shl i32.add i64.const 5 i64.store32";
    assert_eq!(
        proposals(M::Aar, body),
        [
            "2 result: I32Const(3)",
            "2 result: I32Const(1)",
            "6 operands: #0 I32Const(4) I32Add #1",
            "6 operands: #0 I32Const(-4) I32Add #1",
        ]
    );
    // A shift that feeds no address has no stride.
    assert!(proposals(M::Aar, "(param i32) (result i32) local.get 0 i32.const 2 i32.shl").is_empty());
}

#[test]
fn crp_replaces_constants_without_repeating_itself() {
    let body = "(result i32) i32.const 5 i32.const 9 i32.add i32.const 9 i32.add";
    let five = ["0", "1", "-1", "6", "4", "-5", "9"].map(|c| format!("0 result: I32Const({c})"));
    assert_eq!(proposals(M::Crp, body)[..7], five);
    // 1 - 1 = 0 and -1 are there already.
    let one = ["0", "-1", "2"].map(|c| format!("0 result: I32Const({c})"));
    assert_eq!(proposals(M::Crp, "(result i32) i32.const 1"), one);
    let half = ["0.0", "1.0", "-1.0", "1.5", "-0.5"].map(|c| format!("0 result: F64Const({c})"));
    assert_eq!(proposals(M::Crp, "(result f64) f64.const 0.5"), half);
    let least = ["0", "1", "-1", "-9223372036854775807", "9223372036854775807"];
    let least = least.map(|c| format!("0 result: I64Const({c})"));
    assert_eq!(proposals(M::Crp, "(result i64) i64.const -9223372036854775808"), least);
}

#[test]
fn svr_scr_and_csr_exchange_variables_and_constants_of_one_type() {
    let body =
        "(param i32 i32 f64) (local i32 i32) local.get 0 i32.const 7 i32.add local.set 3 local.get 2 drop";
    // Local 1 and 4 are used by nobody, 2 is of another type.
    assert_eq!(proposals(M::Svr, body), ["0 result: LocalGet(3)"]);
    assert_eq!(proposals(M::Scr, body), ["1 result: LocalGet(0)", "1 result: LocalGet(3)"]);
    assert_eq!(proposals(M::Csr, body), ["0 result: I32Const(7)"]);
}

#[test]
fn csr_takes_the_most_frequent_constants() {
    let constants: String = (10..30).map(|c| format!("i32.const {c} drop ")).collect();
    let body = format!("(param i32) {constants} i32.const 29 drop local.get 0 drop");
    let csr = proposals(M::Csr, &body);
    assert_eq!(csr.len(), 8);
    assert_eq!(csr[..2], ["42 result: I32Const(29)", "42 result: I32Const(10)"]);
}

#[test]
fn rsr_replaces_what_is_returned() {
    let body = "(param i32 i32) (result i32) local.get 0 local.get 1 i32.add";
    assert_eq!(
        proposals(M::Rsr, body),
        [
            "3 operands: I32Const(0)",
            "3 operands: I32Const(1)",
            "3 operands: I32Const(-1)",
            "3 operands: LocalGet(0)",
            "3 operands: LocalGet(1)",
            "3 operands: I32Const(0) #0 I32Sub",
        ]
    );
    let boolean = "(param f64) (result i32) local.get 0 f64.const 0 f64.lt return";
    assert_eq!(
        proposals(M::Rsr, boolean),
        ["3 operands: I32Const(0)", "3 operands: I32Const(1)", "3 operands: #0 I32Eqz"]
    );
    assert!(proposals(M::Rsr, "(param i32)").is_empty());
    // Each of several results, the others as they are.
    let two = "(param f64) (result i32 f64) i32.const 1 local.get 0";
    assert_eq!(
        proposals(M::Rsr, two),
        [
            "2 operands: I32Const(0) #1",
            "2 operands: #0 F64Const(0.0)",
            "2 operands: #0 F64Const(1.0)",
            "2 operands: #0 F64Const(-1.0)",
            "2 operands: #0 #1 F64Neg",
        ]
    );
}
