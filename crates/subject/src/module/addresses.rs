//! Which parameters of functions are addresses in memory, as code uses them: where no debug information tells, a number must not be taken for one.
//!
//! A value is followed through variables, sums and calls up to a load or a store. Sums with something that is an address already (a constant of the data, what a
//! call or a load gave, a global variable) are indices there, and so is what was multiplied or shifted. Code that was not optimised keeps its variables in memory, in a frame
//! below the stack pointer: what is stored there is followed too.

use std::collections::BTreeMap;
use std::ops::Range;

use wasmparser::{BlockType, Operator};

use super::Module;
use super::arity::fixed;

/// Constants from here on may be addresses of data; compilers put nothing below.
const DATA: u64 = 1024;

/// The constants that may be addresses of data: those of the bytes that the module fills. Anything else that is added to a parameter is a distance, as to a field
/// of a large struct; of an array that begins as zeros the index is taken for an address, and its function is left out.
fn data(module: &Module) -> Vec<Range<u64>> {
    let (filled, has_dynamic) = module.data();
    if has_dynamic {
        return std::iter::once(DATA..u64::MAX).collect();
    }
    filled.iter().map(|range| range.addresses.start.max(DATA)..range.addresses.end).collect()
}

/// So many times the code of a function is gone through, and all functions, until nothing changes: chains of copies and of calls are hardly longer.
const ROUNDS: usize = 8;

/// The parameters of each function that are addresses, one bit each.
#[derive(Clone, Debug)]
pub(crate) struct Addresses(Vec<u64>);

/// What a value was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Value {
    /// The parameters that it is a sum of, one bit each.
    parameters: u64,
    /// Whether an address is among what was added.
    has_base: bool,
    /// The number, of a constant.
    constant: Option<i32>,
    /// How far it is from the stack pointer, of an address in the frame.
    frame: Option<i32>,
}

impl Value {
    const NUMBER: Value = Value { parameters: 0, has_base: false, constant: None, frame: None };
    const ADDRESS: Value = Value { has_base: true, ..Value::NUMBER };
    const STACK: Value = Value { frame: Some(0), ..Value::ADDRESS };

    /// One of both, or their sum as far as it is not a constant one.
    fn with(self, other: Value) -> Value {
        let same = |one: Option<i32>, other: Option<i32>| one.filter(|one| Some(*one) == other);
        Value {
            parameters: self.parameters | other.parameters,
            has_base: self.has_base | other.has_base,
            constant: same(self.constant, other.constant),
            frame: same(self.frame, other.frame),
        }
    }

    fn plus(self, other: Value, sign: i32) -> Value {
        let moved = |of: Option<i32>, by: Option<i32>| Some(of?.wrapping_add(by?.wrapping_mul(sign)));
        let frame = moved(self.frame, other.constant).or_else(|| moved(other.frame, self.constant));
        Value { constant: moved(self.constant, other.constant), frame, ..self.with(other) }
    }
}

impl Addresses {
    pub(crate) fn of(module: &Module) -> Addresses {
        let mut known = vec![0; module.function_count() as usize];
        let data = data(module);
        for _ in 0..ROUNDS {
            let before = known.clone();
            for function in module.imported_functions()..module.function_count() {
                known[function as usize] |= Followed::of(module, function, (&known, &data));
            }
            if known == before {
                break;
            }
        }
        Addresses(known)
    }

    /// Whether a parameter is one. Those beyond the 64th are not followed.
    pub(crate) fn has(&self, function: u32, parameter: usize) -> bool {
        let bits = self.0.get(function as usize).copied().unwrap_or(0);
        parameter < 64 && bits >> parameter & 1 == 1
    }
}

/// The code of a function as it is followed.
struct Followed<'a> {
    module: &'a Module,
    /// What is known of the functions that it calls.
    known: &'a [u64],
    /// The constants that may be addresses.
    data: &'a [Range<u64>],
    /// What each variable may hold; nothing before it is set.
    locals: Vec<Option<Value>>,
    /// What was stored in the frame, by its distance from the stack pointer.
    slots: BTreeMap<i32, Value>,
    stack: Vec<Value>,
    /// The blocks that are open: how high the stack was, and how many values each leaves.
    blocks: Vec<(usize, usize)>,
    found: u64,
}

impl<'a> Followed<'a> {
    fn of(module: &'a Module, function: u32, (known, data): (&'a [u64], &'a [Range<u64>])) -> u64 {
        let Some(ty) = module.function_type(function) else { return 0 };
        let parameters = (0..ty.params().len())
            .map(|place| Value { parameters: 1_u64.checked_shl(place as u32).unwrap_or(0), ..Value::NUMBER });
        let mut followed = Followed {
            module,
            known,
            data,
            locals: parameters.map(Some).collect(),
            slots: BTreeMap::new(),
            stack: Vec::new(),
            blocks: Vec::new(),
            found: 0,
        };
        let operators = module.operators(function);
        for _ in 0..ROUNDS {
            let before = (followed.locals.clone(), followed.slots.clone());
            followed.stack.clear();
            followed.blocks.clear();
            operators.iter().for_each(|(operator, _)| followed.step(operator));
            if (&followed.locals, &followed.slots) == (&before.0, &before.1) {
                break;
            }
        }
        followed.found
    }

    fn pop(&mut self) -> Value {
        let floor = self.blocks.last().map_or(0, |(height, _)| *height);
        // Behind a jump the stack has whatever is asked of it.
        if self.stack.len() > floor { self.stack.pop().unwrap_or_default() } else { Value::NUMBER }
    }

    fn set(&mut self, local: u32, value: Value) {
        let local = local as usize;
        if self.locals.len() <= local {
            self.locals.resize(local + 1, None);
        }
        let before = self.locals[local];
        self.locals[local] = Some(before.map_or(value, |before| before.with(value)));
    }

    /// Something is read or written there.
    fn note(&mut self, address: Value) {
        if !address.has_base {
            self.found |= address.parameters;
        }
    }

    fn is_data(&self, address: u64) -> bool {
        self.data.iter().any(|range| range.contains(&address))
    }

    fn note_at(&mut self, address: Value, offset: u64) {
        self.note(Value { has_base: address.has_base || self.is_data(offset), ..address });
    }

    fn step(&mut self, operator: &Operator<'_>) {
        use Operator as O;
        match operator {
            O::LocalGet { local_index } => {
                let value = self.locals.get(*local_index as usize).copied().flatten().unwrap_or_default();
                self.stack.push(value);
            }
            O::LocalSet { local_index } => {
                let value = self.pop();
                self.set(*local_index, value);
            }
            O::LocalTee { local_index } => {
                let value = self.pop();
                self.set(*local_index, value);
                self.stack.push(value);
            }
            // The stack pointer is one, and others are addresses of data.
            O::GlobalGet { .. } => self.stack.push(Value::STACK),
            O::I32Const { value } => {
                let has_base = self.is_data(u64::from(*value as u32));
                self.stack.push(Value { has_base, constant: Some(*value), ..Value::NUMBER });
            }
            O::I32Add => {
                let (right, left) = (self.pop(), self.pop());
                self.stack.push(left.plus(right, 1));
            }
            O::I32And | O::I32Or => {
                let (right, left) = (self.pop(), self.pop());
                self.stack.push(left.with(right));
            }
            // What is taken off an address leaves one.
            O::I32Sub => {
                let (right, left) = (self.pop(), self.pop());
                let taken = Value { constant: right.constant, ..Value::NUMBER };
                self.stack.push(Value { has_base: left.has_base, ..left.plus(taken, -1) });
            }
            O::Select => {
                self.pop();
                let (right, left) = (self.pop(), self.pop());
                self.stack.push(left.with(right));
            }
            _ => self.access_or_call(operator),
        }
    }

    /// What reads or writes memory, and calls.
    fn access_or_call(&mut self, operator: &Operator<'_>) {
        use Operator as O;
        match operator {
            O::I32Store { memarg } => {
                let (value, address) = (self.pop(), self.pop());
                self.note_at(address, memarg.offset);
                if let Some(slot) = slot(address, memarg.offset) {
                    let before = self.slots.get(&slot).copied();
                    self.slots.insert(slot, before.map_or(value, |before| before.with(value)));
                }
            }
            O::I32Load { memarg } => {
                let address = self.pop();
                self.note_at(address, memarg.offset);
                let kept = slot(address, memarg.offset).and_then(|slot| self.slots.get(&slot).copied());
                self.stack.push(kept.unwrap_or(Value::ADDRESS));
            }
            O::MemoryCopy { .. } | O::MemoryFill { .. } | O::MemoryInit { .. } => {
                self.pop();
                let (from, to) = (self.pop(), self.pop());
                if matches!(operator, O::MemoryCopy { .. }) {
                    self.note(from);
                }
                self.note(to);
            }
            O::Call { function_index } => self.call(*function_index),
            O::CallIndirect { type_index, .. } => {
                // A function is no number either.
                let function = self.pop();
                self.note(function);
                let Some(ty) = self.module.type_at(*type_index) else { return };
                // Whichever of the functions of this type in a table it is.
                let is_of_type = |function: &&u32| self.module.function_type(**function) == Some(ty);
                let targets = self.module.indirect_targets().iter().filter(is_of_type);
                let known = targets.filter_map(|function| self.known.get(*function as usize));
                let known = known.fold(0, |all, one| all | one);
                self.take_arguments(known, (ty.params().len(), ty.results().len()));
            }
            _ => self.jump_or_other(operator),
        }
    }

    fn call(&mut self, function: u32) {
        let Some(ty) = self.module.function_type(function) else { return };
        let known = self.known.get(function as usize).copied().unwrap_or(0);
        self.take_arguments(known, (ty.params().len(), ty.results().len()));
    }

    /// A call whose parameters are known to be addresses, one bit each.
    fn take_arguments(&mut self, known: u64, (parameters, results): (usize, usize)) {
        for parameter in (0..parameters).rev() {
            let argument = self.pop();
            if parameter < 64 && known >> parameter & 1 == 1 {
                self.note(argument);
            }
        }
        self.stack.extend(std::iter::repeat_n(Value::ADDRESS, results));
    }

    fn jump_or_other(&mut self, operator: &Operator<'_>) {
        use Operator as O;
        match operator {
            O::Block { blockty } | O::Loop { blockty } => self.open(*blockty),
            O::If { blockty } => {
                self.pop();
                self.open(*blockty);
            }
            O::Else => self.clear(),
            O::End => {
                let Some((height, results)) = self.blocks.last().copied() else { return };
                let mut left: Vec<Value> = (0..results).map(|_| self.pop()).collect();
                left.reverse();
                self.blocks.pop();
                self.stack.truncate(height);
                self.stack.extend(left);
            }
            O::BrIf { .. } => {
                self.pop();
            }
            O::Br { .. } | O::BrTable { .. } | O::Return | O::Unreachable => self.clear(),
            _ => {
                let (pops, pushes) = fixed(operator).unwrap_or((0, 0));
                let taken: Vec<Value> = (0..pops).map(|_| self.pop()).collect();
                // The address lies below what is stored.
                if let (Some(offset), Some(address)) = (offset(operator), taken.last()) {
                    self.note_at(*address, offset);
                }
                let made = if offset(operator).is_some() { Value::ADDRESS } else { Value::NUMBER };
                self.stack.extend(std::iter::repeat_n(made, pushes as usize));
            }
        }
    }

    fn open(&mut self, ty: BlockType) {
        let (parameters, results) = match ty {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => {
                self.module.type_at(index).map_or((0, 0), |ty| (ty.params().len(), ty.results().len()))
            }
        };
        self.blocks.push((self.stack.len().saturating_sub(parameters), results));
    }

    /// Takes away what the innermost block has put on the stack.
    fn clear(&mut self) {
        self.stack.truncate(self.blocks.last().map_or(0, |(height, _)| *height));
    }
}

/// The place in the frame that an address and what is added to it mean.
fn slot(address: Value, offset: u64) -> Option<i32> {
    address.frame?.checked_add(i32::try_from(offset).ok()?)
}

/// What is added to the address that an operator reads or writes.
fn offset(operator: &Operator<'_>) -> Option<u64> {
    use Operator as O;
    match operator {
        O::I64Load { memarg }
        | O::F32Load { memarg }
        | O::F64Load { memarg }
        | O::I32Load8S { memarg }
        | O::I32Load8U { memarg }
        | O::I32Load16S { memarg }
        | O::I32Load16U { memarg }
        | O::I64Load8S { memarg }
        | O::I64Load8U { memarg }
        | O::I64Load16S { memarg }
        | O::I64Load16U { memarg }
        | O::I64Load32S { memarg }
        | O::I64Load32U { memarg }
        | O::I64Store { memarg }
        | O::F32Store { memarg }
        | O::F64Store { memarg }
        | O::I32Store8 { memarg }
        | O::I32Store16 { memarg }
        | O::I64Store8 { memarg }
        | O::I64Store16 { memarg }
        | O::I64Store32 { memarg }
        | O::V128Load { memarg }
        | O::V128Store { memarg } => Some(memarg.offset),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameters of the functions that are addresses, a letter each.
    fn addresses(text: &str) -> Vec<String> {
        let module = Module::parse(wat::parse_str(text).expect("valid")).expect("a module");
        let addresses = Addresses::of(&module);
        let of = |function: u32| {
            let parameters = module.function_type(function).map_or(0, |ty| ty.params().len());
            (0..parameters)
                .filter(|place| addresses.has(function, *place))
                .map(|place| char::from(b'a' + place as u8))
                .collect()
        };
        (module.imported_functions()..module.function_count()).map(of).collect()
    }

    #[test]
    fn what_is_read_and_written_is_an_address_and_what_counts_is_not() {
        let text = "(module (memory 1) (data (i32.const 1024) \"table of bytes\") (data (i32.const 2048) \"and of words\")
            (global $sp (mut i32) (i32.const 4096))
            (func $sum (param $xs i32) (param $n i32) (result f64) (local $s f64)
              (block (loop (br_if 1 (i32.eqz (local.get $n)))
                (local.set $s (f64.add (local.get $s) (f64.load (local.get $xs))))
                (local.set $xs (i32.add (local.get $xs) (i32.const 8)))
                (local.set $n (i32.sub (local.get $n) (i32.const 1))) (br 0)))
              (local.get $s))
            (func $writes (param $x f64) (param $to i32) (f64.store offset=8 (local.get $to) (local.get $x)))
            (func $calls (param $n i32) (param $xs i32) (result f64) (call $sum (local.get $xs) (local.get $n)))
            (func $at (param $xs i32) (param $i i32) (result i32) (i32.load (i32.add (local.get $xs) (i32.shl (local.get $i) (i32.const 2)))))
            (func $table (param $i i32) (result i32) (i32.load8_u offset=1024 (local.get $i)))
            (func $word (param $i i32) (result i32) (i32.load (i32.add (i32.const 2048) (local.get $i))))
            (func $frame (param $i i32) (result i32) (i32.load8_u (i32.add (global.get $sp) (local.get $i))))
            (func $plain (param $a i32) (param $b i32) (result i32) (if (result i32) (local.get $a) (then (local.get $b)) (else (i32.const 7))))
            (func $copies (param $to i32) (param $from i32) (param $n i32) (memory.copy (local.get $to) (local.get $from) (local.get $n))))";
        assert_eq!(addresses(text), ["a", "b", "b", "a", "", "", "", "", "ab"]);
    }

    #[test]
    fn a_distance_that_leads_to_no_data_is_that_of_a_field() {
        let text = "(module (memory 2) (data (i32.const 65536) \"table\")
            (func $table (param $i i32) (result i32) (i32.load8_u offset=65536 (local.get $i)))
            (func $near (param $p i32) (result i32) (i32.load offset=2048 (local.get $p)))
            (func $behind (param $p i32) (result i32) (i32.load offset=70000 (local.get $p)))
            (func $far (param $p i32) (result i32) (i32.load offset=400000 (local.get $p)))
            (func $sum (param $p i32) (result i32) (i32.load (i32.add (local.get $p) (i32.const 400000)))))";
        assert_eq!(addresses(text), ["", "a", "a", "a", "a"]);
    }

    #[test]
    fn what_a_function_of_a_table_takes_is_followed() {
        let text = "(module (memory 1) (type $t (func (param i32) (result i32))) (table funcref (elem $reads $same))
            (func $reads (type $t) (i32.load (local.get 0)))
            (func $same (type $t) (local.get 0))
            (func $chosen (param $p i32) (param $k i32) (result i32) (call_indirect (type $t) (local.get $p) (local.get $k))))";
        assert_eq!(addresses(text), ["a", "", "ab"]);
    }

    #[test]
    fn what_is_kept_in_the_frame_is_followed() {
        let text = "(module (memory 1) (global $sp (mut i32) (i32.const 4096))
            (func (param $xs i32) (param $n i32) (result i32) (local $frame i32)
              (local.set $frame (i32.sub (global.get $sp) (i32.const 16)))
              (i32.store offset=12 (local.get $frame) (local.get $xs))
              (i32.store offset=8 (local.get $frame) (local.get $n))
              (i32.add (i32.load (i32.load offset=12 (local.get $frame))) (i32.load offset=8 (local.get $frame)))))";
        assert_eq!(addresses(text), ["a"]);
    }

    #[test]
    fn what_a_function_that_calls_itself_hands_on_is_followed() {
        let text = "(module (memory 1) (func $f (param $n i32) (param $p i32) (result i32)
            (if (result i32) (i32.eqz (local.get $n)) (then (i32.load8_s (local.get $p)))
              (else (call $f (i32.sub (local.get $n) (i32.const 1)) (i32.add (local.get $p) (i32.const 1))))))
            (func $g (param i32 i32) (result i32) (unreachable) (i32.load (local.get 0))))";
        assert_eq!(addresses(text), ["b", "a"]);
    }
}
