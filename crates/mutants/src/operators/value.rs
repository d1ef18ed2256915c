//! Uses of numbers, and changes of the number that is used.

use dodona_subject::wasmparser::{Operator, ValType};

use super::MutationOperator;
use super::code::step_of;
use crate::kinds::{is_number, local};
use crate::{Candidate, Infection, Scanned, Slot, Step};

/// A number that an instruction uses. A variable is changed where it is read, any other expression where it is an operand, so
/// that the code that computes it runs once.
pub(super) struct Use {
    /// The number's type.
    pub ty: ValType,
    /// Pushes the number.
    pub value: Step,
    /// The local, if it is read here.
    pub variable: Option<u32>,
    /// The instruction that computes the number; `None` if paths meet.
    pub from: Option<u32>,
    /// The instruction that uses it, and the index of the operand there; `None` if paths meet.
    pub user: Option<(u32, u32)>,
    at: u32,
    slot: Slot,
    operands: u32,
}

impl Use {
    /// The same with the number replaced by the value that the code leaves.
    pub(super) fn replaced(
        &self,
        operator: MutationOperator,
        code: Vec<Step>,
        infection: Infection,
    ) -> Candidate {
        let code = match (self.slot, self.user) {
            (Slot::Operands, Some((_, position))) => {
                let before = (0..position).map(Step::Operand);
                let after = (position + 1..self.operands).map(Step::Operand);
                before.chain(code).chain(after).collect()
            }
            _ => code,
        };
        Candidate::one(operator, self.at, self.slot, code, infection)
    }

    /// Whether it only matters if it is zero.
    pub(super) fn is_condition(&self, scanned: &Scanned<'_>) -> bool {
        self.user.is_some_and(|(user, position)| {
            is_condition(scanned, user, position)
                || matches!(scanned.at(user).operator, Operator::I32Eqz | Operator::I64Eqz)
        })
    }

    /// Whether it is 0 or 1, as far as is known.
    pub(super) fn is_boolean(&self, scanned: &Scanned<'_>) -> bool {
        self.from.is_some_and(|from| scanned.is_boolean(from))
    }

    /// Whether it is an address, as far as is known.
    pub(super) fn is_address(&self, scanned: &Scanned<'_>) -> bool {
        let is_base = self.user.is_some_and(|(user, position)| {
            position == 0 && crate::emit::access(&scanned.at(user).operator).is_some()
        });
        is_base || self.from.is_some_and(|from| is_address(scanned, from, 4))
    }

    /// Whether it is read from a variable, from memory or from a function, and not computed here.
    pub(super) fn is_simple(&self, scanned: &Scanned<'_>) -> bool {
        use Operator as O;
        self.variable.is_some()
            || self.from.map(|from| &scanned.at(from).operator).is_some_and(|operator| {
                matches!(
                    operator,
                    O::LocalTee { .. } | O::GlobalGet { .. } | O::Call { .. } | O::CallIndirect { .. }
                ) || crate::emit::access(operator).is_some()
            })
    }
}

/// The numbers that are used at an instruction: the variable that it reads, and its operands that other instructions compute.
/// Constants, casts, comparisons and addresses of the stack frame are left out.
pub(super) fn uses(scanned: &Scanned<'_>, at: u32) -> Vec<Use> {
    let scan = scanned.at(at);
    if let Some(variable) = read(scanned, at) {
        let ty = scanned.locals[variable as usize];
        let value = step_of(&scan.operator);
        let used = value.filter(|_| is_number(ty)).map(|value| Use {
            ty,
            value,
            variable: Some(variable),
            from: Some(at),
            user: scan.user,
            at,
            slot: Slot::Result,
            operands: 0,
        });
        return used.into_iter().collect();
    }
    if !takes_operands(scanned, at) {
        return Vec::new();
    }
    let of = |(position, operand): (u32, &crate::Operand)| Use {
        ty: operand.ty,
        value: Step::Operand(position),
        variable: None,
        from: operand.from,
        user: Some((at, position)),
        at,
        slot: Slot::Operands,
        operands: scan.operands.len() as u32,
    };
    let changed = |operand: &crate::Operand| operand.from.is_none_or(|from| is_computed(scanned, from));
    (0..).zip(&scan.operands).filter(|(_, operand)| changed(operand)).map(of).collect()
}

/// The variable that an instruction reads.
pub(super) fn read(scanned: &Scanned<'_>, at: u32) -> Option<u32> {
    match scanned.at(at).operator {
        Operator::LocalGet { local_index } if scanned.is_variable(local_index) => Some(local_index),
        _ => None,
    }
}

/// Whether the operands of an instruction may be changed. It has to compute with numbers, and must not merely delimit a block.
pub(super) fn takes_operands(scanned: &Scanned<'_>, at: u32) -> bool {
    use Operator as O;
    let scan = scanned.at(at);
    let is_border = match scan.operator {
        O::End => !is_final_end(scanned, at),
        O::Block { .. } | O::Loop { .. } | O::Else | O::Br { .. } | O::Drop => true,
        _ => false,
    };
    !is_border && !scan.operands.is_empty() && scan.operands.iter().all(|o| is_number(o.ty))
}

/// Whether an instruction is the `end` of the function.
pub(super) fn is_final_end(scanned: &Scanned<'_>, at: u32) -> bool {
    at as usize + 1 == scanned.instructions.len()
}

/// Whether an operand is a condition: of a branch or a `select`.
pub(super) fn is_condition(scanned: &Scanned<'_>, at: u32, position: u32) -> bool {
    let scan = scanned.at(at);
    let last = position as usize + 1 == scan.operands.len();
    last && branches(&scan.operator)
}

fn branches(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(operator, O::BrIf { .. } | O::If { .. } | O::Select | O::TypedSelect { .. })
}

/// Whether an instruction computes a number, and has no operators of its own for that.
fn is_computed(scanned: &Scanned<'_>, at: u32) -> bool {
    use Operator as O;
    let scan = scanned.at(at);
    let is_other = match scan.operator {
        O::LocalGet { .. } | O::I32Const { .. } | O::I64Const { .. } | O::F32Const { .. } => true,
        O::F64Const { .. } | O::MemorySize { .. } | O::MemoryGrow { .. } => true,
        _ => is_cast(&scan.operator) || crate::kinds::is_comparison(&scan.operator),
    };
    !is_other && scan.artefact.is_none() && local(&scan.operator).is_none_or(|l| scanned.is_variable(l))
}

/// Whether an operator only changes the type of a number.
fn is_cast(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::I32WrapI64
            | O::I64ExtendI32S
            | O::I64ExtendI32U
            | O::I32Extend8S
            | O::I32Extend16S
            | O::I64Extend8S
            | O::I64Extend16S
            | O::I64Extend32S
            | O::F32ConvertI32S
            | O::F32ConvertI32U
            | O::F32ConvertI64S
            | O::F32ConvertI64U
            | O::F64ConvertI32S
            | O::F64ConvertI32U
            | O::F64ConvertI64S
            | O::F64ConvertI64U
            | O::F32DemoteF64
            | O::F64PromoteF32
            | O::I32ReinterpretF32
            | O::I64ReinterpretF64
            | O::F32ReinterpretI32
            | O::F64ReinterpretI64
    )
}

/// Whether an instruction pushes an address: a pointer, or a sum with one.
fn is_address(scanned: &Scanned<'_>, at: u32, depth: u32) -> bool {
    let scan = scanned.at(at);
    if let Some(local) = local(&scan.operator) {
        let is_pointer = scanned.facts.pointers.get(local as usize) == Some(&true);
        return is_pointer || !scanned.is_variable(local);
    }
    let is_sum = matches!(scan.operator, Operator::I32Add | Operator::I32Sub);
    let mut terms = scan.operands.iter().filter_map(|o| o.from);
    depth > 0 && is_sum && terms.any(|term| is_address(scanned, term, depth - 1))
}

/// Whether an instruction negates a Boolean.
pub(super) fn is_negation(scanned: &Scanned<'_>, at: u32) -> bool {
    let scan = scanned.at(at);
    let operand = scan.operands.first().and_then(|o| o.from);
    matches!(scan.operator, Operator::I32Eqz) && operand.is_some_and(|from| scanned.is_boolean(from))
}
