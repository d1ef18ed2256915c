//! RSR, return value replacement: 0, 1, -1, a parameter of the same type, and the negative; for Booleans 0, 1 and `!`.
//!
//! PIT Empty, Primitive, True and False Returns. Mothra's RSR replaces another statement by a `RETURN`; here the returned value
//! is changed.

use dodona_subject::wasmparser::{Operator, ValType};
use wasm_encoder::Instruction as I;

use super::code::negated;
use super::constant::Constant;
use super::svr::variables;
use super::value::{is_final_end, takes_operands};
use super::{Definition, MutationOperator};
use crate::kinds::local;
use crate::{Candidate, Infection, Operand, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Rsr,
    code: "RSR",
    title: "return value replacement",
    aliases: &["RVR"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let returns = matches!(scanned.at(at).operator, Operator::Return) || is_final_end(scanned, at);
    if !returns || !takes_operands(scanned, at) {
        return;
    }
    let operands = &scanned.at(at).operands;
    for (position, operand) in (0..).zip(operands) {
        for value in values(scanned, position, operand) {
            let before = (0..position).map(Step::Operand);
            let after = (position + 1..operands.len() as u32).map(Step::Operand);
            let code = before.chain(value).chain(after).collect();
            out.push(Candidate::one(MutationOperator::Rsr, at, Slot::Operands, code, Infection::Differs));
        }
    }
}

/// Code that pushes the value that is returned instead.
fn values(scanned: &Scanned<'_>, position: u32, operand: &Operand) -> Vec<Vec<Step>> {
    let from = operand.from.map(|from| &scanned.at(from).operator);
    let own = from.and_then(Constant::of);
    let is_boolean = operand.from.is_some_and(|from| scanned.is_boolean(from));
    let constants: &[i8] = if is_boolean { &[0, 1] } else { &[0, 1, -1] };
    let small = constants.iter().filter_map(|&value| Constant::small(operand.ty, value));
    let mut values: Vec<Vec<Step>> = small.filter(|c| Some(*c) != own).map(|c| vec![c.step()]).collect();
    if own.is_some() {
        return values;
    }
    let variable = from.and_then(local);
    let parameters =
        variables(scanned, operand.ty).filter(|&v| v < scanned.parameters && Some(v) != variable);
    values.extend(parameters.map(|v| vec![Step::Do(I::LocalGet(v))]));
    values.extend(negative(is_boolean, position, operand.ty));
    values
}

fn negative(is_boolean: bool, position: u32, ty: ValType) -> Option<Vec<Step>> {
    if is_boolean {
        return Some(vec![Step::Operand(position), Step::Do(I::I32Eqz)]);
    }
    negated(ty, vec![Step::Operand(position)])
}
