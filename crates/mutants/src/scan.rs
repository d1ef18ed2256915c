//! A function read for mutation: its instructions with the types of their operands, where each operand comes from,
//! and what the compiler put there that no programmer wrote.

use dodona_subject::wasmparser::{
    FuncValidator, FuncValidatorAllocations, Operator, Parser, ValType, ValidPayload, Validator,
    ValidatorResources,
};
use dodona_subject::{CodePoint, DebugInfo, Module};

use crate::artefacts::{self, Artefact};
use crate::facts::{self, Facts};

/// A function of a module, read for mutation.
pub struct Scanned<'m> {
    /// The module.
    pub module: &'m Module,
    /// The function's index in it.
    pub function: u32,
    /// How many of the locals are parameters.
    pub parameters: u32,
    /// The types of its locals, parameters first.
    pub locals: Vec<ValType>,
    /// The types of its results.
    pub results: Vec<ValType>,
    /// Its instructions, the final `end` included.
    pub instructions: Vec<Scan<'m>>,
    /// Locals that hold an address of the stack frame, by index.
    pub frames: Vec<bool>,
    /// Locals that only ever hold 0 or 1, by index, as far as is known.
    pub booleans: Vec<bool>,
    pub(crate) facts: Facts,
}

/// An instruction.
pub struct Scan<'m> {
    /// The instruction.
    pub operator: Operator<'m>,
    /// Its offset in the module's bytes.
    pub offset: usize,
    /// Whether it can be reached at all, as far as validation knows.
    pub reachable: bool,
    /// Its operands, the first pushed first.
    pub operands: Vec<Operand>,
    /// The types that it pushes.
    pub results: Vec<ValType>,
    /// The instruction that takes its only result, with the operand's position there.
    pub user: Option<(u32, u32)>,
    /// For an unconditional branch: whether the code behind it would be valid if the branch were not taken.
    pub may_fall_through: bool,
    /// Why it is not mutated.
    pub artefact: Option<Artefact>,
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its type.
    pub ty: ValType,
    /// The instruction that pushed it; `None` where several paths meet.
    pub from: Option<u32>,
}

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
        body: &dodona_subject::wasmparser::FunctionBody<'_>,
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
        };
        let mut stack = Vec::new();
        for (operator, offset) in module.operators(function) {
            let scan = step(validator, &mut stack, scanned.instructions.len() as u32, operator, offset)?;
            scanned.instructions.push(scan);
        }
        scanned.link();
        facts::booleans(&mut scanned, debug);
        artefacts::mark(&mut scanned);
        scanned.facts = Facts::of(&scanned, debug);
        Some(scanned)
    }

    /// Notes for each instruction who takes its result.
    fn link(&mut self) {
        for at in 0..self.instructions.len() {
            for position in 0..self.instructions[at].operands.len() {
                if let Some(from) = self.instructions[at].operands[position].from {
                    self.instructions[from as usize].user = Some((at as u32, position as u32));
                }
            }
        }
    }

    /// An instruction.
    ///
    /// # Panics
    /// When there is no such instruction.
    pub fn at(&self, instruction: u32) -> &Scan<'m> {
        &self.instructions[instruction as usize]
    }

    /// The instruction that pushed an operand of another.
    pub fn operand(&self, instruction: u32, position: usize) -> Option<&Scan<'m>> {
        Some(self.at(self.at(instruction).operands.get(position)?.from?))
    }

    /// The code point of an instruction.
    pub fn point(&self, instruction: u32) -> CodePoint {
        CodePoint { function: self.function, instruction }
    }

    /// Whether an instruction pushes 0 or 1: a comparison, or connectors of such.
    pub fn is_boolean(&self, instruction: u32) -> bool {
        artefacts::is_boolean(self, instruction, 8)
    }

    /// Whether a local is a variable of the program, not an address of the stack frame.
    pub fn is_variable(&self, local: u32) -> bool {
        !self.frames.get(local as usize).copied().unwrap_or(true)
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
    // Behind a branch nothing is pushed that anybody takes.
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

/// How many results the innermost frame leaves; `None` outside of all.
fn frame_results(validator: &FuncValidator<ValidatorResources>) -> Option<usize> {
    use dodona_subject::wasmparser::{BlockType, WasmModuleResources};
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
