//! What is not mutated: what compilers put into code that no programmer wrote, and code that is not under test.

use dodona_subject::wasmparser::{Operator, ValType};

use crate::scan::Scanned;

/// Why an instruction is not mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Artefact {
    /// It moves the stack pointer at the start or the end of a function.
    StackPointer,
    /// It masks a Boolean with `& 1`.
    BooleanMask,
    /// It is generated code around the crate under test.
    Glue,
    /// It is inlined from a crate that is not under test.
    Library,
    /// It is of the standard library.
    Standard,
    /// It is inlined from where the standard library manages memory, writes text or reports a panic.
    Runtime,
    /// Nothing tells whether it is of the crate under test.
    NoPlace,
}

impl std::fmt::Display for Artefact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Artefact::StackPointer => "it moves the stack pointer",
            Artefact::BooleanMask => "it masks a Boolean with `& 1`",
            Artefact::Glue => "generated glue around the crate",
            Artefact::Library => "inlined code of another crate; --callees=CRATE mutates it too",
            Artefact::Standard => "code of the standard library; --callees=core mutates that of core",
            Artefact::Runtime => {
                "inlined code that manages memory or writes text; --callees=alloc,core mutates it too"
            }
            Artefact::NoPlace => "no debug information tells whose code it is",
        })
    }
}

/// Marks the artefacts of a function, and the locals that hold addresses of its stack frame.
pub(crate) fn mark(scanned: &mut Scanned<'_>) {
    scanned.frames = vec![false; scanned.locals.len()];
    if let Some(stack) = scanned.module.stack_pointer() {
        mark_stack(scanned, stack);
    }
    let masks: Vec<u32> = (0..scanned.instructions.len() as u32).filter(|&at| is_mask(scanned, at)).collect();
    for mask in masks {
        mark_tree(scanned, mask, Artefact::BooleanMask, &|operator| {
            matches!(operator, Operator::I32And | Operator::I32Const { value: 1 })
        });
    }
}

/// Everything that computes a new value of the stack pointer, and the locals that hold its value.
fn mark_stack(scanned: &mut Scanned<'_>, stack: u32) {
    loop {
        let sets: Vec<u32> = (0..scanned.instructions.len() as u32)
            .filter(|&at| scanned.instructions[at as usize].artefact.is_none())
            .filter(|&at| match scanned.at(at).operator {
                Operator::GlobalSet { global_index } | Operator::GlobalGet { global_index } => {
                    global_index == stack
                }
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    !scanned.frames[local_index as usize] && frame_address(scanned, at, stack, 8)
                }
                _ => false,
            })
            .collect();
        if sets.is_empty() {
            return;
        }
        for at in sets {
            if let Operator::LocalSet { local_index } | Operator::LocalTee { local_index } =
                scanned.at(at).operator
            {
                scanned.frames[local_index as usize] = true;
            }
            mark_tree(scanned, at, Artefact::StackPointer, &|_| true);
        }
    }
}

/// Whether an instruction's value is the stack pointer plus or minus constants.
fn frame_address(scanned: &Scanned<'_>, at: u32, stack: u32, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let from = |position: usize| {
        let from = scanned.at(at).operands.get(position).and_then(|o| o.from);
        from.is_some_and(|from| frame_address(scanned, from, stack, depth - 1))
    };
    let constant = |position: usize| {
        scanned.operand(at, position).is_some_and(|s| matches!(s.operator, Operator::I32Const { .. }))
    };
    match scanned.at(at).operator {
        Operator::GlobalGet { global_index } => global_index == stack,
        Operator::LocalSet { .. } | Operator::LocalTee { .. } => from(0),
        Operator::I32Sub => from(0) && constant(1),
        // The address of an object in the frame is a value of the program; only alignment is not.
        Operator::I32And => from(0) && constant(1),
        _ => false,
    }
}

/// Marks an instruction and what computes its operands, as far as it is of the kinds named.
fn mark_tree(scanned: &mut Scanned<'_>, at: u32, artefact: Artefact, kinds: &dyn Fn(&Operator<'_>) -> bool) {
    // Not by recursion: expressions may be as deep as the function is long.
    let mut rest = vec![at];
    while let Some(at) = rest.pop() {
        if kinds(&scanned.at(at).operator) {
            scanned.instructions[at as usize].artefact = Some(artefact);
            rest.extend(scanned.at(at).operands.iter().filter_map(|operand| operand.from));
        }
    }
}

fn is_mask(scanned: &Scanned<'_>, at: u32) -> bool {
    let masked = matches!(scanned.at(at).operator, Operator::I32And)
        && scanned.operand(at, 1).is_some_and(|s| matches!(s.operator, Operator::I32Const { value: 1 }));
    masked && scanned.at(at).operands[0].from.is_some_and(|from| is_boolean(scanned, from, 8))
}

/// Whether an instruction pushes 0 or 1, looked at to a bounded depth.
pub(crate) fn is_boolean(scanned: &Scanned<'_>, at: u32, depth: u32) -> bool {
    use Operator as O;
    let scan = scanned.at(at);
    let operand = |position: usize| {
        depth > 0
            && scan
                .operands
                .get(position)
                .and_then(|o| o.from)
                .is_some_and(|f| is_boolean(scanned, f, depth - 1))
    };
    match &scan.operator {
        O::I32Const { value } => matches!(value, 0 | 1),
        O::I32And => operand(0) || operand(1),
        O::I32Or | O::I32Xor | O::Select => operand(0) && operand(1),
        O::LocalTee { .. } => operand(0),
        O::LocalGet { local_index } => scanned.booleans.get(*local_index as usize) == Some(&true),
        operator => is_comparison(operator),
    }
}

/// Whether an operator compares.
pub(crate) fn is_comparison(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::I32Eqz
            | O::I32Eq
            | O::I32Ne
            | O::I32LtS
            | O::I32LtU
            | O::I32GtS
            | O::I32GtU
            | O::I32LeS
            | O::I32LeU
            | O::I32GeS
            | O::I32GeU
            | O::I64Eqz
            | O::I64Eq
            | O::I64Ne
            | O::I64LtS
            | O::I64LtU
            | O::I64GtS
            | O::I64GtU
            | O::I64LeS
            | O::I64LeU
            | O::I64GeS
            | O::I64GeU
            | O::F32Eq
            | O::F32Ne
            | O::F32Lt
            | O::F32Gt
            | O::F32Le
            | O::F32Ge
            | O::F64Eq
            | O::F64Ne
            | O::F64Lt
            | O::F64Gt
            | O::F64Le
            | O::F64Ge
    )
}

/// Whether a type is a number.
pub(crate) fn is_number(ty: ValType) -> bool {
    matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64)
}
