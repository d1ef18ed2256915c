//! Reads functions of a module for mutation, with the types that validation knows.

use dodona_subject::wasmparser::{
    BlockType, FuncValidator, FuncValidatorAllocations, FunctionBody, Operator, Parser, ValidPayload,
    Validator, ValidatorResources, WasmModuleResources,
};
use dodona_subject::{DebugInfo, Module};

use crate::encoded::EncodedOnce;
use crate::facts::Facts;
use crate::scan::{Operand, Scan, Scanned};
use crate::{artefacts, booleans};

impl<'m> Scanned<'m> {
    /// Reads functions of a module: those of `wanted` that are defined in it, in the order of their indices.
    pub fn read(module: &'m Module, wanted: &dyn Fn(u32) -> bool) -> Vec<Scanned<'m>> {
        let mut validator = Validator::new();
        let mut functions = Vec::new();
        let debug = module.debug_info();
        let mut allocations = FuncValidatorAllocations::default();
        for payload in Parser::new(0).parse_all(module.bytes()).map_while(Result::ok) {
            // The module was validated when it was read, so nothing fails here.
            let Ok(valid) = validator.payload(&payload) else { break };
            let ValidPayload::Func(to_validate, body) = valid else { continue };
            if !wanted(to_validate.index) {
                continue;
            }
            let mut function = to_validate.into_validator(allocations);
            if let Some(scanned) = Scanned::of(module, &mut function, &body, debug.as_ref()) {
                functions.push(scanned);
            }
            allocations = function.into_allocations();
        }
        functions
    }

    fn of(
        module: &'m Module,
        validator: &mut FuncValidator<ValidatorResources>,
        body: &FunctionBody<'_>,
        debug: Option<&DebugInfo>,
    ) -> Option<Scanned<'m>> {
        let mut reader = body.get_binary_reader();
        validator.read_locals(&mut reader).ok()?;
        let function = validator.index();
        let ty = module.function_type(function)?;
        let mut scanned = Scanned {
            module,
            function,
            parameters: ty.params().len() as u32,
            locals: (0..validator.len_locals()).map_while(|l| validator.get_local_type(l)).collect(),
            results: ty.results().to_vec(),
            instructions: Vec::new(),
            frames: Vec::new(),
            booleans: Vec::new(),
            facts: Facts::default(),
            encoded: EncodedOnce::default(),
        };
        let mut stack = Vec::new();
        for (operator, offset) in module.operators(function) {
            let scan = step(validator, &mut stack, scanned.instructions.len() as u32, operator, offset)?;
            scanned.instructions.push(scan);
        }
        scanned.link();
        booleans::mark(&mut scanned, debug);
        artefacts::mark(&mut scanned);
        scanned.facts = Facts::of(&scanned, debug);
        Some(scanned)
    }

    /// Records for each instruction which other instruction uses its result.
    fn link(&mut self) {
        for at in 0..self.instructions.len() {
            for position in 0..self.instructions[at].operands.len() {
                if let Some(from) = self.instructions[at].operands[position].from {
                    self.instructions[from as usize].user = Some((at as u32, position as u32));
                }
            }
        }
    }
}

/// Reads one instruction; `stack` says where each operand on the operand stack comes from.
fn step<'m>(
    validator: &mut FuncValidator<ValidatorResources>,
    stack: &mut Vec<Option<u32>>,
    at: u32,
    operator: Operator<'m>,
    offset: usize,
) -> Option<Scan<'m>> {
    let (pops, pushes) = operator.operator_arity(&validator.visitor(offset))?;
    let reachable = validator.get_control_frame(0).is_some_and(|frame| !frame.unreachable);
    let operands = if reachable { operands(validator, stack, pops as usize)? } else { Vec::new() };
    let before = stack.len();
    validator.op(offset, &operator).ok()?;
    let height = validator.operand_stack_height() as usize;
    // After a branch nothing is pushed that is used.
    let pushed = if reachable { height.min(pushes as usize) } else { 0 };
    stack.truncate(height - pushed);
    stack.resize(height - pushed, None);
    let joins = matches!(
        operator,
        Operator::End | Operator::Else | Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. }
    );
    stack.resize(height, if joins || pushed != 1 { None } else { Some(at) });
    let types = (0..pushed).rev().map(|depth| validator.get_operand_type(depth).flatten());
    let results = if joins { Vec::new() } else { types.collect::<Option<Vec<_>>>().unwrap_or_default() };
    let may_fall_through = reachable && before == height && frame_results(validator) == Some(0);
    Some(Scan {
        operator,
        offset,
        reachable,
        operands,
        results,
        user: None,
        may_fall_through,
        artefact: None,
    })
}

/// The number of results of the innermost frame; `None` outside of all frames.
fn frame_results(validator: &FuncValidator<ValidatorResources>) -> Option<usize> {
    let frame = validator.get_control_frame(0)?;
    Some(match frame.block_type {
        BlockType::Empty => 0,
        BlockType::Type(_) => 1,
        BlockType::FuncType(index) => validator.resources().sub_type_at(index)?.unwrap_func().results().len(),
    })
}

fn operands(
    validator: &FuncValidator<ValidatorResources>,
    stack: &[Option<u32>],
    pops: usize,
) -> Option<Vec<Operand>> {
    let one = |depth: usize| {
        let ty = validator.get_operand_type(depth).flatten()?;
        Some(Operand { ty, from: *stack.get(stack.len().checked_sub(depth + 1)?)? })
    };
    (0..pops).rev().map(one).collect()
}
