//! CDL VDL AOD COD VCR SDL DER SAN.

use MutationOperator as M;

use super::*;

#[test]
fn cdl_vdl_and_aod_keep_one_operand() {
    let body = "(param i32 i32) (result i32) local.get 0 i32.const 4 i32.sub local.get 1 i32.shl";
    assert_eq!(proposals(M::Cdl, body), ["2 result: #0"]);
    assert_eq!(proposals(M::Vdl, body), ["2 result: #1", "4 result: #0"]);
    assert_eq!(proposals(M::Aod, body), ["2 result: #0", "2 result: #1", "4 result: #0", "4 result: #1"]);
    assert_eq!(proposals(M::Aod, "(param f64) (result f64) local.get 0 f64.neg"), ["1 result: #0"]);
    // A comparison's operands are no conditions.
    assert!(proposals(M::Aod, "(param i32 i32) (result i32) local.get 0 local.get 1 i32.lt_s").is_empty());
}

#[test]
fn cod_drops_negations() {
    let boolean = "(param f64 f64) (result i32) local.get 0 local.get 1 f64.lt i32.eqz";
    assert_eq!(proposals(M::Cod, boolean), ["3 result: #0"]);
    let condition = "(param i32) block local.get 0 i32.eqz br_if 0 end";
    assert_eq!(proposals(M::Cod, condition), ["2 result: #0"]);
    // The value of `x == 0` is no negation of `x`.
    assert!(proposals(M::Cod, "(param i32) (result i32) local.get 0 i32.eqz").is_empty());
}

#[test]
fn sdl_drops_statements() {
    let body = "(param i32) (local i32) i32.const 1 local.set 1 local.get 1 call $void \
                local.get 0 i32.const 8 local.tee 1 i32.store8 i32.const 2 global.set $g";
    assert_eq!(
        proposals(M::Sdl, body),
        [
            "1 result: | assigned 1",
            "3 result: | reached",
            "6 result: #0 | assigned 1",
            "7 result: | stored",
            "9 result: | reached",
        ]
    );
    assert_eq!(proposals(M::Vcr, body), ["3 result: | reached"]);
    assert!(proposals(M::Vcr, "(result i32) call $number").is_empty());
    // A `break` out of a loop can be dropped, a jump that something must replace cannot.
    let jump = "block loop br 1 end end";
    assert_eq!(proposals(M::Sdl, jump), ["2 operands: I32Const(0)"]);
    let needed = "(result i32) block (result i32) i32.const 1 br 0 end";
    assert!(proposals(M::Sdl, needed).is_empty());
}

#[test]
fn der_ends_loops_at_once_or_never() {
    let until = "(param i32) loop local.get 0 br_if 0 end";
    assert_eq!(proposals(M::Der, until), ["2 operands: I32Const(0)", "2 operands: I32Const(1)"]);
    let forever = "(param i32) block loop local.get 0 br_if 1 br 0 end end";
    assert_eq!(proposals(M::Der, forever), ["4 operands: I32Const(0)"]);
    assert!(proposals(M::Der, "(param i32) block local.get 0 br_if 0 end").is_empty());
}

#[test]
fn san_traps_once_in_each_straight_piece_of_code() {
    let body = "(param i32) (result i32) (local i32) i32.const 1 local.set 1 i32.const 2 local.set 1 \
                block local.get 0 br_if 0 i32.const 3 local.set 1 local.get 1 return end local.get 1";
    assert_eq!(
        proposals(M::San, body),
        [
            "1 operands: Unreachable | reached",
            "8 operands: Unreachable | reached",
            "13 operands: Unreachable | reached",
        ]
    );
}
