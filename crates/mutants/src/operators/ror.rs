//! ROR, relational operator replacement: every other relation, and true and false.
//!
//! muJava ROR, Major ROR, PIT Conditionals Boundary, Negate Conditionals and Remove Conditionals, Mothra and Proteum ROR.

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::code::{operands, replace};
use super::lcr::is_connector;
use super::value::{is_condition, is_negation, takes_operands};
use super::{Definition, MutationOperator};
use crate::kinds::is_comparison;
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Ror,
    code: "ROR",
    title: "relational operator replacement",
    aliases: &[],
    propose,
};

/// The relations of one type and signedness: `== != < <= > >=`.
type Family = [I<'static>; 6];

const I32_SIGNED: Family = [I::I32Eq, I::I32Ne, I::I32LtS, I::I32LeS, I::I32GtS, I::I32GeS];
const I32_UNSIGNED: Family = [I::I32Eq, I::I32Ne, I::I32LtU, I::I32LeU, I::I32GtU, I::I32GeU];
const I64_SIGNED: Family = [I::I64Eq, I::I64Ne, I::I64LtS, I::I64LeS, I::I64GtS, I::I64GeS];
const I64_UNSIGNED: Family = [I::I64Eq, I::I64Ne, I::I64LtU, I::I64LeU, I::I64GtU, I::I64GeU];
const F32: Family = [I::F32Eq, I::F32Ne, I::F32Lt, I::F32Le, I::F32Gt, I::F32Ge];
const F64: Family = [I::F64Eq, I::F64Ne, I::F64Lt, I::F64Le, I::F64Gt, I::F64Ge];

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let operator = &scanned.at(at).operator;
    // A comparison with zero has an instruction of its own; the relations that replace it compare with the constant 0.
    match operator {
        // Negations of Booleans belong to COD.
        Operator::I32Eqz if is_negation(scanned, at) => {}
        Operator::I32Eqz => replace_zero_test(at, &I32_SIGNED, &I::I32Const(0), out),
        Operator::I64Eqz => replace_zero_test(at, &I64_SIGNED, &I::I64Const(0), out),
        _ => match family(operator) {
            Some((family, own)) => {
                replace(MutationOperator::Ror, at, &family, own, out);
                push_constants(at, out);
            }
            None => replace_condition(scanned, at, out),
        },
    }
}

/// A change of the result of an instruction.
fn result(at: u32, code: Vec<Step>) -> Candidate {
    Candidate::one(MutationOperator::Ror, at, Slot::Result, code, Infection::Differs)
}

/// True and false.
fn push_constants(at: u32, out: &mut Vec<Candidate>) {
    out.extend([1, 0].map(|value| result(at, vec![Step::Do(I::I32Const(value))])));
}

fn replace_zero_test(at: u32, family: &Family, zero: &I<'static>, out: &mut Vec<Candidate>) {
    let others = family.iter().skip(1);
    let code = |other: &I<'static>| vec![Step::Operand(0), Step::Do(zero.clone()), Step::Do(other.clone())];
    out.extend(others.map(|other| result(at, code(other))));
    push_constants(at, out);
}

/// Conditions that compilers write without `!= 0`. Boolean ones get no relations, but true and false.
fn replace_condition(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(condition) = (scanned.at(at).operands.len() as u32).checked_sub(1) else { return };
    if !is_condition(scanned, at, condition) || !takes_operands(scanned, at) {
        return;
    }
    let from = scanned.at(at).operands[condition as usize].from;
    // Comparisons and connectors are replaced at their own instructions.
    if from.is_some_and(|from| is_comparison(&scanned.at(from).operator) || is_connector(scanned, from)) {
        return;
    }
    let mut push = |condition: Vec<Step>| {
        let code = operands(scanned.at(at).operands.len() as u32 - 1).chain(condition).collect();
        out.push(Candidate::one(MutationOperator::Ror, at, Slot::Operands, code, Infection::Differs));
    };
    if from.is_some_and(|from| !scanned.is_boolean(from)) {
        push(vec![Step::Operand(condition), Step::Do(I::I32Eqz)]);
        for relation in &I32_SIGNED[2..] {
            push(vec![Step::Operand(condition), Step::Do(I::I32Const(0)), Step::Do(relation.clone())]);
        }
    }
    [1, 0].into_iter().for_each(|value| push(vec![Step::Do(I::I32Const(value))]));
}

/// The family that an operator belongs to, and its index in it.
fn family(operator: &Operator<'_>) -> Option<(Family, usize)> {
    use Operator as O;
    Some(match operator {
        // Equality has no sign; the signed relations are more likely to be meant.
        O::I32Eq => (I32_SIGNED, 0),
        O::I32Ne => (I32_SIGNED, 1),
        O::I32LtS => (I32_SIGNED, 2),
        O::I32LeS => (I32_SIGNED, 3),
        O::I32GtS => (I32_SIGNED, 4),
        O::I32GeS => (I32_SIGNED, 5),
        O::I32LtU => (I32_UNSIGNED, 2),
        O::I32LeU => (I32_UNSIGNED, 3),
        O::I32GtU => (I32_UNSIGNED, 4),
        O::I32GeU => (I32_UNSIGNED, 5),
        O::I64Eq => (I64_SIGNED, 0),
        O::I64Ne => (I64_SIGNED, 1),
        O::I64LtS => (I64_SIGNED, 2),
        O::I64LeS => (I64_SIGNED, 3),
        O::I64GtS => (I64_SIGNED, 4),
        O::I64GeS => (I64_SIGNED, 5),
        O::I64LtU => (I64_UNSIGNED, 2),
        O::I64LeU => (I64_UNSIGNED, 3),
        O::I64GtU => (I64_UNSIGNED, 4),
        O::I64GeU => (I64_UNSIGNED, 5),
        O::F32Eq => (F32, 0),
        O::F32Ne => (F32, 1),
        O::F32Lt => (F32, 2),
        O::F32Le => (F32, 3),
        O::F32Gt => (F32, 4),
        O::F32Ge => (F32, 5),
        O::F64Eq => (F64, 0),
        O::F64Ne => (F64, 1),
        O::F64Lt => (F64, 2),
        O::F64Le => (F64, 3),
        O::F64Gt => (F64, 4),
        O::F64Ge => (F64, 5),
        _ => return None,
    })
}
