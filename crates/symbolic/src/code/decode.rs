//! Decodes operators to instructions, and labels to program counters.

use dodona_smt::term::{Sort, Term};
use dodona_subject::wasmparser::{
    BlockType, FrameKind, FuncValidator, FuncValidatorAllocations, FunctionBody, MemArg, Operator, Parser,
    ValidPayload, Validator, ValidatorResources,
};
use dodona_subject::{Branches, CodePoint, Module, WasmType};

use super::instruction::{Instruction, Load, Store, Switch, Target};
use super::{Body, Numeric, sort};

/// Decodes the bodies of all functions that a valid module defines.
pub(super) fn bodies(module: &Module, branches: &Branches) -> Vec<Body> {
    let mut validator = Validator::new();
    let mut bodies = Vec::new();
    let mut allocations = FuncValidatorAllocations::default();
    for payload in Parser::new(0).parse_all(module.bytes()).map_while(Result::ok) {
        // The module validated when it was read, so nothing fails here.
        if let Ok(ValidPayload::Func(function, body)) = validator.payload(&payload) {
            let mut validator = function.into_validator(allocations);
            let index = module.imported_functions() + bodies.len() as u32;
            bodies.push(Decoder { module, branches, index, validator: &mut validator }.body(&body));
            allocations = validator.into_allocations();
        }
    }
    bodies
}

struct Decoder<'a> {
    module: &'a Module,
    branches: &'a Branches,
    index: u32,
    /// Knows the height of the operand stack at each operator.
    validator: &'a mut FuncValidator<ValidatorResources>,
}

/// Where a block ends, and where its `else` is if it has one.
#[derive(Clone, Copy, Default)]
struct Block {
    otherwise: Option<u32>,
    end: u32,
}

impl Decoder<'_> {
    fn body(&mut self, body: &FunctionBody<'_>) -> Body {
        let ty = self.module.function_type(self.index);
        let parameters = ty.map_or(0, |ty| ty.params().len());
        let results = ty.map_or(0, |ty| ty.results().len());
        let of = |ty| WasmType::of(ty).map_or(Sort::Bits(32), sort);
        let mut locals: Vec<Sort> = ty.into_iter().flat_map(|ty| ty.params()).map(|ty| of(*ty)).collect();
        if let Ok(reader) = body.get_locals_reader() {
            for (count, ty) in reader.into_iter().map_while(Result::ok) {
                let _ = self.validator.define_locals(0, count, ty);
                locals.extend(std::iter::repeat_n(of(ty), count as usize));
            }
        }
        let operators = self.module.operators(self.index);
        let blocks = blocks(&operators);
        let mut opened = vec![operators.len().saturating_sub(1)];
        let mut instructions = Vec::with_capacity(operators.len());
        let mut heights = Vec::with_capacity(operators.len());
        for (at, (operator, offset)) in operators.iter().enumerate() {
            heights.push(self.height(operator));
            instructions.push(self.instruction(at, operator, &blocks, &mut opened));
            let _ = self.validator.op(*offset, operator);
        }
        Body { index: self.index, instructions, heights, locals, parameters, results }
    }

    /// How many operands the frame has before an instruction. After a jump the validator has dropped all operands; a branch to
    /// the end of the block brings the block's results.
    fn height(&self, operator: &Operator<'_>) -> u32 {
        match (operator, self.validator.get_control_frame(0)) {
            (Operator::End, Some(frame)) if frame.unreachable => {
                frame.height as u32 + self.arity(frame.block_type, false)
            }
            _ => self.validator.operand_stack_height(),
        }
    }

    fn instruction(
        &self,
        at: usize,
        operator: &Operator<'_>,
        blocks: &[Block],
        opened: &mut Vec<usize>,
    ) -> Instruction {
        if let Some(numeric) = Numeric::of(operator) {
            return Instruction::Numeric(numeric);
        }
        memory_access(operator)
            .or_else(|| data(operator))
            .or_else(|| self.control(at, operator, blocks, opened))
            .unwrap_or_else(|| Instruction::Unsupported(name(operator).into()))
    }

    /// Blocks, branches and calls.
    fn control(
        &self,
        at: usize,
        operator: &Operator<'_>,
        blocks: &[Block],
        opened: &mut Vec<usize>,
    ) -> Option<Instruction> {
        use Instruction as I;
        use Operator as O;
        if matches!(operator, O::Block { .. } | O::Loop { .. } | O::If { .. }) {
            opened.push(at);
        }
        Some(match operator {
            O::Nop | O::Block { .. } => I::Nothing,
            O::Unreachable => I::Unreachable,
            O::Loop { .. } => I::Loop,
            O::If { .. } => {
                I::If(blocks[at].otherwise.map_or(blocks[at].end, |otherwise| otherwise + 1), self.edge(at))
            }
            O::Else => I::Goto(blocks[opened[opened.len() - 1]].end),
            O::End => {
                opened.pop();
                if opened.is_empty() { I::Return } else { I::Nothing }
            }
            O::Br { relative_depth } => I::Jump(self.target(*relative_depth, blocks, opened)),
            O::BrIf { relative_depth } => {
                I::JumpIf(self.target(*relative_depth, blocks, opened), self.edge(at))
            }
            O::BrTable { targets } => {
                let labels: Vec<u32> =
                    targets.targets().map_while(Result::ok).chain([targets.default()]).collect();
                I::Switch(Box::new(self.switch(at, &labels, blocks, opened)))
            }
            O::Return => I::Return,
            O::Call { function_index } => I::Call(*function_index),
            O::CallIndirect { type_index, table_index } => {
                I::CallIndirect { ty: *type_index, table: *table_index }
            }
            _ => return None,
        })
    }

    fn edge(&self, at: usize) -> u32 {
        let point = CodePoint { function: self.index, instruction: at as u32 };
        self.branches.site(point).map_or(0, |site| self.branches.edge(site, 0))
    }

    fn target(&self, depth: u32, blocks: &[Block], opened: &[usize]) -> Target {
        let Some(frame) = self.validator.get_control_frame(depth as usize) else {
            // Not in a valid module.
            return Target { pc: 0, height: 0, keep: 0, back: false };
        };
        let height = frame.height as u32;
        let back = frame.kind == FrameKind::Loop;
        let opening = opened[opened.len() - 1 - depth as usize];
        let outermost = depth as usize + 1 == opened.len();
        let pc = match (back, outermost) {
            // Back to the first instruction of the loop's body.
            (true, _) => opening as u32 + 1,
            // To the function's last `end`, which returns.
            (_, true) => opening as u32,
            _ => blocks[opening].end,
        };
        Target { pc, height, keep: self.arity(frame.block_type, back), back }
    }

    fn arity(&self, ty: BlockType, back: bool) -> u32 {
        match ty {
            BlockType::Empty => 0,
            BlockType::Type(_) => u32::from(!back),
            BlockType::FuncType(index) => self
                .module
                .type_at(index)
                .map_or(0, |ty| if back { ty.params().len() } else { ty.results().len() } as u32),
        }
    }

    fn switch(&self, at: usize, labels: &[u32], blocks: &[Block], opened: &[usize]) -> Switch {
        let point = CodePoint { function: self.index, instruction: at as u32 };
        let table = self.branches.site(point).map_or(&[][..], |site| self.branches.table(site)).to_vec();
        let mut targets: Vec<Target> = Vec::new();
        for (label, direction) in labels.iter().zip(&table) {
            if *direction as usize == targets.len() {
                targets.push(self.target(*label, blocks, opened));
            }
        }
        Switch { targets, table, edge: self.edge(at) }
    }
}

/// For each instruction that opens a block, the instruction that ends it.
fn blocks(operators: &[(Operator<'_>, usize)]) -> Vec<Block> {
    let mut blocks = vec![Block::default(); operators.len()];
    let mut open = Vec::new();
    for (at, (operator, _)) in operators.iter().enumerate() {
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => open.push(at),
            Operator::Else => {
                if let Some(opening) = open.last() {
                    blocks[*opening].otherwise = Some(at as u32);
                }
            }
            Operator::End => {
                if let Some(opening) = open.pop() {
                    blocks[opening].end = at as u32;
                }
            }
            _ => {}
        }
    }
    blocks
}

/// Variables, constants, and memory as a whole.
fn data(operator: &Operator<'_>) -> Option<Instruction> {
    use Instruction as I;
    use Operator as O;
    Some(match operator {
        O::Drop => I::Drop,
        O::Select | O::TypedSelect { .. } => I::Select,
        O::LocalGet { local_index } => I::LocalGet(*local_index),
        O::LocalSet { local_index } => I::LocalSet(*local_index),
        O::LocalTee { local_index } => I::LocalTee(*local_index),
        O::GlobalGet { global_index } => I::GlobalGet(*global_index),
        O::GlobalSet { global_index } => I::GlobalSet(*global_index),
        O::I32Const { value } => I::Constant(Term::bits(32, u128::from(*value as u32))),
        O::I64Const { value } => I::Constant(Term::bits(64, u128::from(*value as u64))),
        O::F32Const { value } => I::Constant(Term::Constant(Sort::F32, value.bits().into())),
        O::F64Const { value } => I::Constant(Term::Constant(Sort::F64, value.bits().into())),
        O::MemorySize { mem: 0 } => I::MemorySize,
        O::MemoryGrow { mem: 0 } => I::MemoryGrow,
        O::MemoryCopy { dst_mem: 0, src_mem: 0 } => I::MemoryCopy,
        O::MemoryFill { mem: 0 } => I::MemoryFill,
        O::MemoryInit { data_index, mem: 0 } => I::MemoryInit(*data_index),
        O::DataDrop { data_index } => I::DataDrop(*data_index),
        _ => return None,
    })
}

fn memory_access(operator: &Operator<'_>) -> Option<Instruction> {
    use Operator as O;
    // Of several memories only the first is modelled.
    let load = |memarg: &MemArg, bytes, signed, to| {
        (memarg.memory == 0).then_some(Instruction::Load(Load { offset: memarg.offset, bytes, signed, to }))
    };
    let store = |memarg: &MemArg, bytes| {
        (memarg.memory == 0).then_some(Instruction::Store(Store { offset: memarg.offset, bytes }))
    };
    let (b32, b64) = (Sort::Bits(32), Sort::Bits(64));
    match operator {
        O::I32Load { memarg } => load(memarg, 4, false, b32),
        O::I64Load { memarg } => load(memarg, 8, false, b64),
        O::F32Load { memarg } => load(memarg, 4, false, Sort::F32),
        O::F64Load { memarg } => load(memarg, 8, false, Sort::F64),
        O::I32Load8S { memarg } => load(memarg, 1, true, b32),
        O::I32Load8U { memarg } => load(memarg, 1, false, b32),
        O::I32Load16S { memarg } => load(memarg, 2, true, b32),
        O::I32Load16U { memarg } => load(memarg, 2, false, b32),
        O::I64Load8S { memarg } => load(memarg, 1, true, b64),
        O::I64Load8U { memarg } => load(memarg, 1, false, b64),
        O::I64Load16S { memarg } => load(memarg, 2, true, b64),
        O::I64Load16U { memarg } => load(memarg, 2, false, b64),
        O::I64Load32S { memarg } => load(memarg, 4, true, b64),
        O::I64Load32U { memarg } => load(memarg, 4, false, b64),
        O::I32Store { memarg } | O::F32Store { memarg } | O::I64Store32 { memarg } => store(memarg, 4),
        O::I64Store { memarg } | O::F64Store { memarg } => store(memarg, 8),
        O::I32Store8 { memarg } | O::I64Store8 { memarg } => store(memarg, 1),
        O::I32Store16 { memarg } | O::I64Store16 { memarg } => store(memarg, 2),
        _ => None,
    }
}

/// An operator's name, roughly as in the text format: `i8x16.splat` for `I8x16Splat`.
fn name(operator: &Operator<'_>) -> String {
    let debug = format!("{operator:?}");
    let mut name = String::new();
    for c in debug.chars().take_while(|c| c.is_alphanumeric()) {
        if c.is_uppercase() && !name.is_empty() {
            name.push(if name.contains('.') { '_' } else { '.' });
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
