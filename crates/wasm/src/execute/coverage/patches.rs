//! The code that counts: before the first instruction of a block, and before a branch.

use std::collections::BTreeMap;

use dodona_subject::{Module, PathId};
use wasm_encoder::{BlockType, Instruction as I, MemArg, ValType};

use super::blocks::Count;
use super::{COUNTERS, CoverageMap, HASH, LENGTH};
use crate::execute::{Additions, FunctionCopy, Original, Patch};

/// The only version of an instrumented module.
pub(super) const VERSION: u32 = 1;

/// The copies of all functions of a map, each with its counters.
pub(super) fn copies(module: &Module, map: &CoverageMap) -> Vec<FunctionCopy> {
    let additions = Additions::of(module);
    map.functions.iter().map(|part| copy(module, map, &additions, part.function)).collect()
}

fn copy(module: &Module, map: &CoverageMap, additions: &Additions, function: u32) -> FunctionCopy {
    let mut codes: BTreeMap<u32, Vec<I<'static>>> = BTreeMap::new();
    let order = (map.steps > 0).then(|| (map.order_at(), map.steps));
    let writer = Writer { additions, first: own_locals(module, function), order };
    for block in map.blocks_of(function) {
        if let Count::Counter(counter) = block.count {
            writer.count(counter, codes.entry(block.instructions.start).or_default());
        }
    }
    for site in map.branches.sites_of(function) {
        let edge = map.branches.edge(site, 0);
        let counter = map.counter_of_edge(function, edge);
        let decision = Decision { edge, counter, table: map.branches.table(site) };
        writer.decide(&decision, codes.entry(map.branches.point(site).instruction).or_default());
    }
    let patches = codes.into_iter().map(|(at, code)| Patch { at, code, original: Original::Kept });
    FunctionCopy { version: VERSION, function, locals: Writer::LOCALS.to_vec(), patches: patches.collect() }
}

/// The number of a function's parameters and locals.
fn own_locals(module: &Module, function: u32) -> u32 {
    let parameters = module.function_type(function).map_or(0, |ty| ty.params().len() as u32);
    // The module validated, so its locals read.
    let locals = module.body(function).and_then(|body| body.get_locals_reader().ok());
    let locals = locals.into_iter().flatten().flatten();
    parameters + locals.map(|(count, _)| count).sum::<u32>()
}

/// A branch to be counted.
struct Decision<'a> {
    /// The edge of direction 0, and its counter.
    edge: u32,
    counter: u32,
    /// The direction of each index, and last the default's; empty where the operand is a condition.
    table: &'a [u32],
}

/// Writes code with the scratch locals from `first` on.
struct Writer<'a> {
    additions: &'a Additions,
    first: u32,
    /// Where the order of steps is noted, and of how many at most; `None` where it is not.
    order: Option<(u32, u32)>,
}

impl Writer<'_> {
    /// The branch's operand, its direction, an address, a count; a hash.
    const LOCALS: [ValType; 5] = [ValType::I32, ValType::I32, ValType::I32, ValType::I32, ValType::I64];

    fn operand(&self) -> u32 {
        self.first
    }

    fn direction(&self) -> u32 {
        self.first + 1
    }

    fn address(&self) -> u32 {
        self.first + 2
    }

    fn value(&self) -> u32 {
        self.first + 3
    }

    fn hash(&self) -> u32 {
        self.first + 4
    }

    fn at(&self, offset: u32, align: u32) -> MemArg {
        MemArg { offset: offset.into(), align, memory_index: self.additions.memory }
    }

    /// Counts one more at a counter.
    fn count(&self, counter: u32, code: &mut Vec<I<'static>>) {
        code.extend([I::GlobalGet(self.additions.notes), I::LocalTee(self.address())]);
        self.increment(counter, code);
        self.note_order(&[I::I32Const(counter as i32)], code);
    }

    /// Notes a step by its counter, which the instructions give, if there is room. Behind the last there is room no more.
    fn note_order(&self, counter: &[I<'static>], code: &mut Vec<I<'static>>) {
        let Some((at, most)) = self.order else { return };
        let (length, steps) = (self.at(at, 3), self.at(at + 8, 2));
        code.extend([
            I::GlobalGet(self.additions.notes),
            I::LocalTee(self.address()),
            I::I64Load(length),
            I::I32WrapI64,
            I::LocalTee(self.value()),
            I::I32Const(most as i32),
            I::I32LtU,
            I::If(BlockType::Empty),
            I::LocalGet(self.address()),
            I::LocalGet(self.value()),
            I::I32Const(4),
            I::I32Mul,
            I::I32Add,
        ]);
        code.extend(counter.iter().cloned());
        code.extend([I::I32Store(steps), I::End]);
        // One more than there is room for says that the rest is missing.
        code.extend([
            I::LocalGet(self.value()),
            I::I32Const(most as i32),
            I::I32LeU,
            I::If(BlockType::Empty),
            I::LocalGet(self.address()),
            I::LocalGet(self.value()),
            I::I64ExtendI32U,
            I::I64Const(1),
            I::I64Add,
            I::I64Store(length),
            I::End,
        ]);
    }

    /// Counts one more at a counter behind the address, which is in its local and on the operand stack. A full counter stays full.
    fn increment(&self, counter: u32, code: &mut Vec<I<'static>>) {
        let at = self.at(COUNTERS + counter * 4, 2);
        code.extend([
            I::LocalGet(self.address()),
            I::I32Load(at),
            I::LocalTee(self.value()),
            I::LocalGet(self.value()),
            I::I32Const(-1),
            I::I32Ne,
            I::I32Add,
            I::I32Store(at),
        ]);
    }

    /// Notes which way the branch falls whose operand is on the operand stack, and leaves the operand there.
    fn decide(&self, decision: &Decision<'_>, code: &mut Vec<I<'static>>) {
        code.push(I::LocalSet(self.operand()));
        match decision.table.split_last() {
            None => code.extend([
                I::LocalGet(self.operand()),
                I::I32Const(0),
                I::I32Ne,
                I::LocalSet(self.direction()),
            ]),
            Some((default, table)) => self.look_up(table, *default, code),
        }
        code.extend([I::GlobalGet(self.additions.notes), I::LocalSet(self.address())]);
        self.extend_path(decision.edge, code);
        code.extend([I::LocalGet(self.address()), I::LocalGet(self.direction()), I::I32Const(4), I::I32Mul]);
        code.extend([I::I32Add, I::LocalTee(self.address())]);
        self.increment(decision.counter, code);
        self.note_order(
            &[I::LocalGet(self.direction()), I::I32Const(decision.counter as i32), I::I32Add],
            code,
        );
        code.push(I::LocalGet(self.operand()));
    }

    /// Turns the index in its local into its direction.
    fn look_up(&self, table: &[u32], default: u32, code: &mut Vec<I<'static>>) {
        let last = table.iter().copied().fold(default, u32::max);
        // The block of direction d ends where d is set; the outermost is behind all that.
        code.extend((0..last + 2).map(|_| I::Block(BlockType::Empty)));
        code.extend([I::LocalGet(self.operand()), I::BrTable(table.to_vec().into(), default), I::End]);
        for direction in 0..=last {
            code.extend([I::I32Const(direction as i32), I::LocalSet(self.direction())]);
            code.extend([I::Br(last - direction), I::End]);
        }
    }

    /// [`PathId::extend`].
    fn extend_path(&self, first: u32, code: &mut Vec<I<'static>>) {
        let (hash, length) = (self.at(HASH, 3), self.at(LENGTH, 3));
        code.extend([
            I::LocalGet(self.address()),
            I::LocalGet(self.address()),
            I::I64Load(hash),
            I::LocalGet(self.direction()),
            I::I64ExtendI32U,
            I::I64Const(i64::from(first) + 1),
            I::I64Add,
            I::I64Xor,
            I::I64Const(PathId::FACTOR as i64),
            I::I64Mul,
            I::LocalTee(self.hash()),
            I::LocalGet(self.hash()),
            I::I64Const(PathId::SHIFT.into()),
            I::I64ShrU,
            I::I64Xor,
            I::I64Store(hash),
            I::LocalGet(self.address()),
            I::LocalGet(self.address()),
            I::I64Load(length),
            I::I64Const(1),
            I::I64Add,
            I::I64Store(length),
        ]);
    }
}
