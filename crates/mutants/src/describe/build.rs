//! From the operand stack to expressions.

use dodona_subject::wasmparser::{BinaryReader, Operator as Wasm, OperatorsReader};
use dodona_subject::{DebugInfo, LocalWrites};
use wasm_encoder::{Encode, Instruction};

use super::expression::{Binary, Constant, Expression, Kind, Numbers, Operator, Unary};
use super::mnemonic::name;
use crate::{Edit, Scanned, Slot, Step};

/// How deep expressions are followed.
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
            // Cut short, but the value of one instruction all the same.
            (from, _) => Expression { kind: Kind::Opaque, at: from, denies: None },
        };
        self.scanned.at(at).operands.iter().map(|o| operand(o.from)).collect()
    }

    /// What the code of an edit computes or does in the place of its instruction. Values that edits of one
    /// change hand on are in `kept`.
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
            // Nothing behind a trap matters.
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
                    // A scratch local: its value says more than its number.
                    _ => value.kind,
                }
            }
            Wasm::GlobalGet { global_index } => Kind::Global(self.global(*global_index)),
            Wasm::GlobalSet { global_index } => {
                let value = pop();
                assign(Kind::Global(self.global(*global_index)), value)
            }
            Wasm::I32Const { value } => Kind::Constant(Constant::Int(i64::from(*value))),
            Wasm::I64Const { value } => Kind::Constant(Constant::Int(*value)),
            Wasm::F32Const { value } => Kind::Constant(Constant::Single(f32::from_bits(value.bits()))),
            Wasm::F64Const { value } => Kind::Constant(Constant::Double(f64::from_bits(value.bits()))),
            Wasm::Select | Wasm::TypedSelect { .. } => {
                let (condition, otherwise, then) = (pop(), pop(), pop());
                Kind::Select {
                    condition: Box::new(condition),
                    then: Box::new(then),
                    otherwise: Box::new(otherwise),
                }
            }
            Wasm::Call { function_index } => {
                let count = self.parameters(self.scanned.module.function_type(*function_index));
                Kind::Call(self.scanned.module.function_name(*function_index), popped(stack, count))
            }
            Wasm::CallIndirect { type_index, .. } => {
                pop();
                let count = self.parameters(self.scanned.module.type_at(*type_index));
                Kind::Call("(*…)".into(), popped(stack, count))
            }
            Wasm::Drop => pop().kind,
            Wasm::BrIf { .. } | Wasm::If { .. } => Kind::Condition(Box::new(pop())),
            // A branch counts as one whose condition holds.
            Wasm::Br { .. } => Kind::Condition(Box::new(stack.pop().unwrap_or(Expression::int(1)))),
            Wasm::BrTable { .. } => Kind::Switch(Box::new(pop())),
            Wasm::Return => Kind::Return(std::mem::take(stack)),
            Wasm::Unreachable => Kind::Trap,
            Wasm::Nop => Kind::Sequence(Vec::new()),
            Wasm::MemoryCopy { .. } => Kind::Call("memory_copy".into(), popped(stack, 3)),
            Wasm::MemoryFill { .. } => Kind::Call("memory_fill".into(), popped(stack, 3)),
            operator => numeric(operator, stack),
        }
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

const OPAQUE: Expression = Expression { kind: Kind::Opaque, at: None, denies: None };

fn assign(target: Kind, value: Expression) -> Kind {
    Kind::Assign(Box::new(Expression::new(target)), Box::new(value))
}

fn popped(stack: &mut Vec<Expression>, count: usize) -> Vec<Expression> {
    let start = stack.len().saturating_sub(count);
    stack.split_off(start)
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

/// Arithmetic, comparisons, conversions, loads and stores, by their names in the text format.
fn numeric(operator: &Wasm<'_>, stack: &mut Vec<Expression>) -> Kind {
    let name = name(operator);
    let Some((ty, what)) = name.split_once('_') else { return Kind::Opaque };
    if let Some(binary) = binary(ty, what) {
        let (right, left) = (pop(stack), pop(stack));
        return Kind::Binary(binary, Box::new(left), Box::new(right));
    }
    if let Some((width, offset)) = access(operator, what) {
        let value = what.starts_with("store").then(|| pop(stack));
        let load = Kind::Load { width, offset, address: Box::new(pop(stack)) };
        return match value {
            Some(value) => assign(load, value),
            None => load,
        };
    }
    if let Some(unary) = unary(ty, what) {
        let inner = pop(stack);
        return match (unary, &inner.kind) {
            // Twice not makes a condition of a number.
            (Unary::Not, Kind::Unary(Unary::Not, truth)) => truth.as_condition().kind,
            _ => Kind::Unary(unary, Box::new(inner)),
        };
    }
    match what {
        "min" | "max" | "copysign" | "rotl" | "rotr" => Kind::Call(what.into(), popped(stack, 2)),
        "clz" | "ctz" | "popcnt" | "abs" | "sqrt" | "floor" | "ceil" | "trunc" | "nearest" => {
            Kind::Call(what.into(), popped(stack, 1))
        }
        _ if what.starts_with("reinterpret") => Kind::Call("bits".into(), popped(stack, 1)),
        _ => Kind::Opaque,
    }
}

fn pop(stack: &mut Vec<Expression>) -> Expression {
    stack.pop().unwrap_or(OPAQUE)
}

/// The operator of `i32_lt_s`, given as `i32` and `lt_s`.
fn binary(ty: &str, what: &str) -> Option<Binary> {
    let (stem, sign) = match what.strip_suffix("_u") {
        Some(stem) => (stem, Numbers::Unsigned),
        None => (what.strip_suffix("_s").unwrap_or(what), Numbers::Signed),
    };
    let operator = match stem {
        "mul" => Operator::Multiply,
        "div" => Operator::Divide,
        "rem" => Operator::Remainder,
        "add" => Operator::Add,
        "sub" => Operator::Subtract,
        "shl" => Operator::ShiftLeft,
        "shr" => Operator::ShiftRight,
        "and" => Operator::And,
        "xor" => Operator::Xor,
        "or" => Operator::Or,
        "lt" => Operator::Less,
        "le" => Operator::LessEqual,
        "gt" => Operator::Greater,
        "ge" => Operator::GreaterEqual,
        "eq" => Operator::Equal,
        "ne" => Operator::NotEqual,
        _ => return None,
    };
    let numbers = match ty {
        "f32" | "f64" => Numbers::Float,
        "i32" | "i64" => sign,
        _ => return None,
    };
    Some(Binary { operator, numbers })
}

fn unary(ty: &str, what: &str) -> Option<Unary> {
    let converted = |signed: bool| match ty {
        "i32" => Some(Unary::Convert(if signed { "int32" } else { "uint32" })),
        "i64" => Some(Unary::Convert(if signed { "int64" } else { "uint64" })),
        "f32" => Some(Unary::Convert("float")),
        "f64" => Some(Unary::Convert("double")),
        _ => None,
    };
    match what {
        "eqz" => Some(Unary::Not),
        "neg" => Some(Unary::Negate),
        "extend8_s" => Some(Unary::Convert("int8")),
        "extend16_s" => Some(Unary::Convert("int16")),
        "extend32_s" => Some(Unary::Convert("int32")),
        "promote_f32" | "demote_f64" | "wrap_i64" => converted(true),
        _ if what.starts_with("convert") || what.starts_with("trunc_") || what.starts_with("extend_") => {
            converted(what.ends_with("_s") || ty.starts_with('f'))
        }
        _ => None,
    }
}

/// The bytes that a load or store touches, and its constant offset.
fn access(operator: &Wasm<'_>, what: &str) -> Option<(u32, u64)> {
    let digits =
        |from: &str| from.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>();
    let rest = what.strip_prefix("load").or_else(|| what.strip_prefix("store"))?;
    let memarg = memarg(operator)?;
    let whole =
        if name(operator).starts_with(['i', 'f']) && name(operator)[1..].starts_with("64") { 8 } else { 4 };
    Some((digits(rest).map_or(whole, |bits| bits / 8), memarg.offset))
}

pub(crate) fn memarg(operator: &Wasm<'_>) -> Option<dodona_subject::wasmparser::MemArg> {
    match operator {
        Wasm::I32Load { memarg }
        | Wasm::I64Load { memarg }
        | Wasm::F32Load { memarg }
        | Wasm::F64Load { memarg }
        | Wasm::I32Load8S { memarg }
        | Wasm::I32Load8U { memarg }
        | Wasm::I32Load16S { memarg }
        | Wasm::I32Load16U { memarg }
        | Wasm::I64Load8S { memarg }
        | Wasm::I64Load8U { memarg }
        | Wasm::I64Load16S { memarg }
        | Wasm::I64Load16U { memarg }
        | Wasm::I64Load32S { memarg }
        | Wasm::I64Load32U { memarg }
        | Wasm::I32Store { memarg }
        | Wasm::I64Store { memarg }
        | Wasm::F32Store { memarg }
        | Wasm::F64Store { memarg }
        | Wasm::I32Store8 { memarg }
        | Wasm::I32Store16 { memarg }
        | Wasm::I64Store8 { memarg }
        | Wasm::I64Store16 { memarg }
        | Wasm::I64Store32 { memarg } => Some(*memarg),
        _ => None,
    }
}
