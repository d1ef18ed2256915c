//! ROR COI LCR.

use MutationOperator as M;

use super::*;

#[test]
fn ror_replaces_relations_and_knows_true_and_false() {
    let body = "(param i64 i64) (result i32) local.get 0 local.get 1 i64.le_u";
    assert_eq!(
        proposals(M::Ror, body),
        [
            "2 result: #0 #1 I64Eq",
            "2 result: #0 #1 I64Ne",
            "2 result: #0 #1 I64LtU",
            "2 result: #0 #1 I64GtU",
            "2 result: #0 #1 I64GeU",
            "2 result: I32Const(1)",
            "2 result: I32Const(0)",
        ]
    );
}

#[test]
fn ror_reads_a_zero_test_and_a_plain_condition_as_relations_to_zero() {
    let test = "(param i32) (result i32) local.get 0 i32.eqz";
    assert_eq!(
        proposals(M::Ror, test),
        [
            "1 result: #0 I32Const(0) I32Ne",
            "1 result: #0 I32Const(0) I32LtS",
            "1 result: #0 I32Const(0) I32LeS",
            "1 result: #0 I32Const(0) I32GtS",
            "1 result: #0 I32Const(0) I32GeS",
            "1 result: I32Const(1)",
            "1 result: I32Const(0)",
        ]
    );
    let condition = "(param i32) (result i32) i32.const 2 i32.const 3 local.get 0 select";
    assert_eq!(
        proposals(M::Ror, condition),
        [
            "3 operands: #0 #1 #2 I32Eqz",
            "3 operands: #0 #1 #2 I32Const(0) I32LtS",
            "3 operands: #0 #1 #2 I32Const(0) I32LeS",
            "3 operands: #0 #1 #2 I32Const(0) I32GtS",
            "3 operands: #0 #1 #2 I32Const(0) I32GeS",
            "3 operands: #0 #1 I32Const(1)",
            "3 operands: #0 #1 I32Const(0)",
        ]
    );
}

#[test]
fn ror_has_nothing_to_say_of_negations_and_only_true_and_false_of_flags() {
    let negation = "(param f64) (result i32) local.get 0 f64.const 0 f64.lt i32.eqz";
    assert!(proposals(M::Ror, negation).iter().all(|p| p.starts_with("2 ")));
    let flag =
        "(param f64) (local i32) block local.get 0 f64.const 0 f64.lt local.set 1 local.get 1 br_if 0 end";
    assert_eq!(proposals(M::Ror, flag)[7..], ["6 operands: I32Const(1)", "6 operands: I32Const(0)"]);
}

#[test]
fn coi_negates_conditions_once() {
    let comparison = "(param f64 f64) block local.get 0 local.get 1 f64.lt br_if 0 end";
    assert_eq!(proposals(M::Coi, comparison), ["3 result: #0 #1 F64Lt I32Eqz"]);
    let number = "(param i32) block local.get 0 br_if 0 end";
    assert_eq!(proposals(M::Coi, number), ["2 operands: #0 I32Eqz"]);
    let block = "(param i32) block block (result i32) local.get 0 end br_if 0 end";
    assert_eq!(proposals(M::Coi, block), ["4 operands: #0 I32Eqz"]);
    // A negation is COD's, and so is what it negates; so is a test for zero that is a condition.
    let zero = "(param i32) block local.get 0 i32.eqz br_if 0 end";
    assert!(proposals(M::Coi, zero).is_empty());
    let value = "(param i64) (result i32) local.get 0 i64.eqz";
    assert_eq!(proposals(M::Coi, value), ["1 result: #0 I64Eqz I32Eqz"]);
    let negation = "(param f64 f64) block local.get 0 local.get 1 f64.lt i32.eqz br_if 0 end";
    assert!(proposals(M::Coi, negation).is_empty());
    let flag = "(param f64) (result i32) (local i32) local.get 0 f64.const 0 f64.lt local.set 1 local.get 1";
    assert_eq!(proposals(M::Coi, flag), ["2 result: #0 #1 F64Lt I32Eqz", "4 result: LocalGet(1) I32Eqz"]);
}

#[test]
fn lcr_replaces_bitwise_connectors_of_booleans() {
    let body = "(param i32 i32) (result i32) local.get 0 i32.eqz local.get 1 i32.eqz i32.or";
    assert_eq!(
        proposals(M::Lcr, body),
        [
            "4 result: #0 #1 I32And",
            "4 result: #0 #1 I32Eq",
            "4 result: #0 #1 I32Xor",
            "4 result: #0",
            "4 result: #1",
            "4 result: I32Const(1)",
            "4 result: I32Const(0)",
        ]
    );
    assert!(proposals(M::Lcr, "(param i32 i32) (result i32) local.get 0 local.get 1 i32.or").is_empty());
}

#[test]
fn lcr_replaces_connectors_in_selects() {
    // c ? q : 0 is c && q.
    let body = "(param i32 i32) (result i32) local.get 1 i32.eqz i32.const 0 local.get 0 select";
    assert_eq!(
        proposals(M::Lcr, body),
        [
            "4 result: #2 I32Eqz I32Eqz #0 I32Or",
            "4 result: #2 I32Eqz I32Eqz #0 I32Eq",
            "4 result: #2 I32Eqz I32Eqz #0 I32Xor",
            "4 result: #2 I32Eqz I32Eqz",
            "4 result: #0",
            "4 result: I32Const(1)",
            "4 result: I32Const(0)",
        ]
    );
    // c ? 0 : q is !c && q.
    let negated = "(param i32 i32) (result i32) i32.const 0 local.get 1 i32.eqz local.get 0 select";
    assert_eq!(proposals(M::Lcr, negated)[0], "4 result: #2 I32Eqz #1 I32Or");
}

#[test]
fn lcr_replaces_connectors_in_nested_selects() {
    // a ? (b ? 10 : 20) : 20 is a && b ? 10 : 20; with v = 20, it is !a || !b ? v : 10.
    let body = "(param i32 i32) (result i32) \
                i32.const 10 i32.const 20 local.get 1 select i32.const 20 local.get 0 select";
    assert_eq!(
        proposals(M::Lcr, body),
        [
            "3 result: #2 I32Eqz keep #0; 6 result: #1 #0 #2 I32Eqz kept I32And Select",
            "3 result: #2 I32Eqz keep #0; 6 result: #1 #0 #2 I32Eqz kept I32Eq Select",
            "3 result: #2 I32Eqz keep #0; 6 result: #1 #0 #2 I32Eqz kept I32Xor Select",
            "3 result: #0",
            "3 result: #0; 6 result: #0",
            "6 result: #0",
            "6 result: #1",
        ]
    );
    let unshared = "(param i32 i32) (result i32) \
                    i32.const 10 i32.const 20 local.get 1 select i32.const 30 local.get 0 select";
    assert!(proposals(M::Lcr, unshared).is_empty());
}

#[test]
fn lcr_replaces_connectors_in_branches_to_one_place() {
    let body = "(param i32 i32) block local.get 0 br_if 0 local.get 1 br_if 0 i32.const 1 call $void end";
    assert_eq!(
        proposals(M::Lcr, body),
        [
            "2 operands: #0 I32Eqz I32Eqz keep I32Const(0); 4 operands: kept #0 I32Eqz I32Eqz I32And",
            "2 operands: #0 I32Eqz I32Eqz keep I32Const(0); 4 operands: kept #0 I32Eqz I32Eqz I32Eq",
            "2 operands: #0 I32Eqz I32Eqz keep I32Const(0); 4 operands: kept #0 I32Eqz I32Eqz I32Xor",
            "2 operands: I32Const(0)",
            "2 operands: I32Const(1)",
            "2 operands: I32Const(0); 4 operands: I32Const(0)",
            "4 operands: I32Const(0)",
        ]
    );
}

#[test]
fn lcr_knows_the_other_shapes_of_connectors_in_branches() {
    let count = |body: &str| proposals(M::Lcr, body).len();
    // p && q jumps only when both hold: the first goes on where the second falls through.
    let and = "(param i32 i32) block block local.get 0 br_if 0 local.get 1 br_if 1 end call $number drop end";
    assert_eq!(count(and), 7);
    assert_eq!(
        proposals(M::Lcr, and)[0],
        "3 operands: #0 I32Eqz I32Eqz keep I32Const(0); 5 operands: kept #0 I32Eqz I32And I32Eqz"
    );
    // Both return the same.
    let returns = "(param i32 i32) (result i32) block local.get 0 br_if 0 i32.const 0 return end \
                   block local.get 1 br_if 0 i32.const 0 return end i32.const 5";
    assert_eq!(count(returns), 7);
    let others = returns.replacen("i32.const 0", "i32.const 1", 1);
    assert_eq!(count(&others), 0);
    // `if` in `if`.
    let nested = "(param i32 i32) local.get 0 if local.get 1 if call $number drop end end";
    assert_eq!(count(nested), 7);
}

#[test]
fn lcr_leaves_branches_alone_that_are_no_connector() {
    let count = |body: &str| proposals(M::Lcr, body).len();
    // Something happens in between.
    let statement =
        "(param i32 i32) block local.get 0 br_if 0 i32.const 1 call $void local.get 1 br_if 0 end";
    assert_eq!(count(statement), 0);
    // To different places.
    let apart = "(param i32 i32) block block local.get 0 br_if 0 local.get 1 br_if 1 call $number drop end \
                 i32.const 1 call $void end";
    assert_eq!(count(apart), 0);
    // The second is reached from elsewhere as well.
    let joined = "(param i32 i32) block block local.get 1 br_if 0 call $number drop local.get 0 br_if 0 \
                  i32.const 1 call $void return end local.get 1 br_if 0 i32.const 1 call $void return end";
    assert_eq!(count(joined), 0);
    // A loop's turns.
    assert_eq!(count("(param i32) loop local.get 0 br_if 0 end"), 0);
    // The second stands in a loop of its own.
    let looped =
        "(param i32 i32) block local.get 0 br_if 0 loop local.get 1 br_if 1 call $number br_if 0 end end";
    assert_eq!(count(looped), 0);
}
