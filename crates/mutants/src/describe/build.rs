//! Reconstructs expressions from the operand stack.

use dodona_subject::wasmparser::{BinaryReader, Operator as Wasm, OperatorsReader};
use dodona_subject::{DebugInfo, LocalWrites};
use wasm_encoder::{Encode, Instruction};

use super::expression::{Binary, Constant, Expression, Kind, OPAQUE, Operator, assign, popped};
use super::operation::numeric;
use crate::{Edit, Scanned, Slot, Step};

/// The depth to which expressions are followed.
const DEPTH: u32 = 6;

/// Reads expressions of one function.
pub(super) struct Builder<'a> {
    scanned: &'a Scanned<'a>,
    debug: &'a DebugInfo,
    writes: &'a LocalWrites,
}

impl<'a> Builder<'a> {
    /// For a function, with the names of its variables.
    pub(super) fn new(
        scanned: &'a Scanned<'a>,
        debug: &'a DebugInfo,
        writes: &'a LocalWrites,
    ) -> Builder<'a> {
        Builder { scanned, debug, writes }
    }

    /// The function that is read.
    pub(super) fn scanned(&self) -> &'a Scanned<'a> {
        self.scanned
    }

    /// Whether an instruction is a `local.tee` of a variable.
    pub(super) fn is_named_tee(&self, at: u32) -> bool {
        match self.scanned.at(at).operator {
            Wasm::LocalTee { local_index } => {
                matches!(self.local(local_index, at + 1), Kind::Local { name: Some(_), .. })
            }
            _ => false,
        }
    }

    /// What an instruction computes or does.
    pub(super) fn expression(&self, at: u32) -> Expression {
        let mut expression = self.at_depth(at, DEPTH);
        if let Wasm::LocalTee { local_index } = self.scanned.at(at).operator {
            let value = self.operands(at, DEPTH).pop().unwrap_or(OPAQUE);
            expression.kind = assign(self.local(local_index, at + 1), value);
        }
        expression
    }

    fn at_depth(&self, at: u32, depth: u32) -> Expression {
        let mut stack = self.operands(at, depth);
        let kind = self.apply(&self.scanned.at(at).operator, &mut stack, at);
        Expression { kind, at: Some(at), denies: None }
    }

    fn operands(&self, at: u32, depth: u32) -> Vec<Expression> {
        let operand = |from: Option<u32>| match (from, depth.checked_sub(1)) {
            (Some(from), Some(depth)) => self.at_depth(from, depth),
            // It is too deep to be followed, but it is the value of a single instruction.
            (from, _) => Expression { kind: Kind::Opaque, at: from, denies: None },
        };
        self.scanned.at(at).operands.iter().map(|o| operand(o.from)).collect()
    }

    /// What the code of an edit computes or does in the place of its instruction. Values that one edit of a change passes to
    /// another are in `kept`.
    pub(super) fn edited(&self, edit: &Edit, kept: &mut Option<Expression>) -> Expression {
        let operands = self.operands(edit.at, DEPTH - 1);
        let mut stack = Vec::new();
        let mut statements = Vec::new();
        for step in &edit.code {
            match step {
                Step::Operand(index) => {
                    stack.push(operands.get(*index as usize).cloned().unwrap_or(OPAQUE));
                }
                Step::Kept => stack.push(kept.clone().unwrap_or(OPAQUE)),
                Step::Keep => *kept = stack.pop(),
                Step::Do(instruction) => self.perform(instruction, &mut stack, &mut statements, edit.at),
            }
        }
        if edit.slot == Slot::Operands {
            statements.push(self.rerun(edit.at, &mut stack));
        } else {
            statements.extend(stack);
        }
        match statements.len() {
            1 => statements.remove(0),
            // Nothing after a trap matters.
            _ if statements.iter().any(|s| s.kind == Kind::Trap) => Expression::new(Kind::Trap),
            _ => Expression::new(Kind::Sequence(statements)),
        }
    }

    /// The instruction itself with other operands.
    fn rerun(&self, at: u32, stack: &mut Vec<Expression>) -> Expression {
        Expression::new(match self.scanned.at(at).operator {
            Wasm::LocalTee { local_index } => {
                assign(self.local(local_index, at + 1), stack.pop().unwrap_or(OPAQUE))
            }
            ref operator => self.apply(operator, stack, at),
        })
    }

    fn perform(
        &self,
        instruction: &Instruction<'_>,
        stack: &mut Vec<Expression>,
        statements: &mut Vec<Expression>,
        at: u32,
    ) {
        let mut bytes = Vec::new();
        instruction.encode(&mut bytes);
        let read = OperatorsReader::new(BinaryReader::new(&bytes, 0)).read();
        let Ok(operator) = read else { return stack.push(OPAQUE) };
        if let Wasm::LocalTee { local_index } = operator {
            let value = stack.pop().unwrap_or(OPAQUE);
            return stack.push(Expression::new(assign(self.local(local_index, at), value)));
        }
        if let (Wasm::Drop, Some(dropped)) = (&operator, stack.pop_if(|e| is_check(e))) {
            // A division whose only purpose is to trap guards the value before it.
            let guarded = stack.pop().unwrap_or(OPAQUE);
            return stack.push(Expression::new(Kind::Sequence(vec![dropped, guarded])));
        }
        let mut made = Expression::new(match operator {
            Wasm::LocalSet { local_index } => {
                assign(self.local(local_index, at), stack.pop().unwrap_or(OPAQUE))
            }
            ref operator => self.apply(operator, stack, at),
        });
        match (&operator, &self.scanned.at(at).operator) {
            // The same value as the original fetches there.
            (Wasm::LocalGet { local_index: new }, Wasm::LocalGet { local_index: old }) if new == old => {
                made.at = Some(at);
            }
            // Another local that holds the same variable at another time.
            (Wasm::LocalGet { .. }, Wasm::LocalGet { local_index: old }) => {
                if let (Kind::Local { name: new, .. }, Kind::Local { name, .. }) =
                    (&mut made.kind, self.local(*old, at))
                    && *new == name
                {
                    *new = None;
                }
            }
            _ => {}
        }
        match made.kind {
            Kind::Sequence(_) => {}
            _ if is_statement(&made.kind) || !gives_result(self.scanned, &operator) => statements.push(made),
            _ => stack.push(made),
        }
    }

    /// What an instruction does with the operands on the stack.
    fn apply(&self, operator: &Wasm<'_>, stack: &mut Vec<Expression>, at: u32) -> Kind {
        let mut pop = || stack.pop().unwrap_or(OPAQUE);
        match operator {
            Wasm::LocalGet { local_index } => self.local(*local_index, at),
            Wasm::LocalSet { local_index } => {
                let value = pop();
                assign(self.local(*local_index, at + 1), value)
            }
            Wasm::LocalTee { local_index } => {
                let value = pop();
                match self.local(*local_index, at + 1) {
                    named @ Kind::Local { name: Some(_), .. } => named,
                    // A scratch local is written as its value, because its number says nothing.
                    _ => value.kind,
                }
            }
            Wasm::GlobalGet { global_index } => Kind::Global(self.global(*global_index)),
            Wasm::GlobalSet { global_index } => {
                let value = pop();
                assign(Kind::Global(self.global(*global_index)), value)
            }
            Wasm::Select | Wasm::TypedSelect { .. } => {
                let (condition, otherwise, then) = (pop(), pop(), pop());
                Kind::Select {
                    condition: Box::new(condition),
                    then: Box::new(then),
                    otherwise: Box::new(otherwise),
                }
            }
            Wasm::Drop => pop().kind,
            Wasm::BrIf { .. } | Wasm::If { .. } => Kind::Condition(Box::new(pop())),
            // An unconditional branch counts as one whose condition is true.
            Wasm::Br { .. } => Kind::Condition(Box::new(stack.pop().unwrap_or(Expression::int(1)))),
            Wasm::BrTable { .. } => Kind::Switch(Box::new(pop())),
            // The end of a function's body. No other end has operands.
            Wasm::Return | Wasm::End => Kind::Return(std::mem::take(stack)),
            Wasm::Unreachable => Kind::Trap,
            Wasm::Nop => Kind::Sequence(Vec::new()),
            operator => match constant(operator) {
                Some(constant) => Kind::Constant(constant),
                None => self.call(operator, stack).unwrap_or_else(|| numeric(operator, stack)),
            },
        }
    }

    /// The call that an instruction makes.
    fn call(&self, operator: &Wasm<'_>, stack: &mut Vec<Expression>) -> Option<Kind> {
        let module = self.scanned.module;
        let (name, count) = match operator {
            Wasm::Call { function_index } => {
                let count = self.parameters(module.function_type(*function_index));
                (self.function_name(*function_index), count)
            }
            Wasm::CallIndirect { type_index, .. } => {
                // The pointer itself, which has no name.
                stack.pop();
                ("(*…)".into(), self.parameters(module.type_at(*type_index)))
            }
            Wasm::MemoryCopy { .. } => ("memory_copy".into(), 3),
            Wasm::MemoryFill { .. } => ("memory_fill".into(), 3),
            _ => return None,
        };
        Some(Kind::Call(name, popped(stack, count)))
    }

    /// The last name in the path of a function.
    fn function_name(&self, function: u32) -> String {
        let name = self.scanned.module.function_name(function);
        let plain = format!("{:#}", rustc_demangle::demangle(&name));
        plain.rsplit("::").next().unwrap_or(&plain).to_owned()
    }

    fn parameters(&self, ty: Option<&dodona_subject::wasmparser::FuncType>) -> usize {
        ty.map_or(0, |t| t.params().len())
    }

    /// A local with its variable's name before the instruction `at`.
    fn local(&self, index: u32, at: u32) -> Kind {
        let last = self.scanned.instructions.last().map_or(0, |s| s.offset);
        let offset = self.scanned.instructions.get(at as usize).map_or(last, |s| s.offset);
        let name = self.debug.local_name(self.scanned.module, self.writes, index, offset);
        Kind::Local { index, name: name.map(str::to_owned) }
    }

    fn global(&self, index: u32) -> String {
        match self.scanned.module.stack_pointer() {
            Some(pointer) if pointer == index => "stack_pointer".into(),
            _ => format!("global{index}"),
        }
    }
}

/// The constant that an instruction pushes.
fn constant(operator: &Wasm<'_>) -> Option<Constant> {
    Some(match operator {
        Wasm::I32Const { value } => Constant::Int(i64::from(*value)),
        Wasm::I64Const { value } => Constant::Int(*value),
        Wasm::F32Const { value } => Constant::Single(f32::from_bits(value.bits())),
        Wasm::F64Const { value } => Constant::Double(f64::from_bits(value.bits())),
        _ => return None,
    })
}

/// Whether a value is `1 / condition`.
fn is_check(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Binary(Binary { operator: Operator::Divide, .. }, one, _) => one.as_int() == Some(1),
        _ => false,
    }
}

fn is_statement(kind: &Kind) -> bool {
    matches!(kind, Kind::Assign(..) | Kind::Condition(_) | Kind::Switch(_) | Kind::Return(_) | Kind::Trap)
}

fn gives_result(scanned: &Scanned<'_>, operator: &Wasm<'_>) -> bool {
    let results =
        |ty: Option<&dodona_subject::wasmparser::FuncType>| ty.is_some_and(|t| !t.results().is_empty());
    match operator {
        Wasm::Call { function_index } => results(scanned.module.function_type(*function_index)),
        Wasm::CallIndirect { type_index, .. } => results(scanned.module.type_at(*type_index)),
        Wasm::Drop | Wasm::MemoryCopy { .. } | Wasm::MemoryFill { .. } => false,
        _ => true,
    }
}
