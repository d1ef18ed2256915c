//! Coverage: what each row ran of the module, from counters in a version of its functions.

mod blocks;
mod patches;
mod sequence;
mod statements;

use std::collections::BTreeSet;
use std::ops::Range;

use dodona_subject::{Branches, CodePoint, Module, PathId};
use dodona_target::{Outcome, Trap};

pub use blocks::Block;
use blocks::{Count, blocks};
pub use sequence::BlockOrder;
pub use statements::{Statement, StatementScope, Statements};

use crate::execute::{Choice, Variants};

/// Where things lie in a row's notes, in bytes: the path's hash and length, then counters of 4 bytes.
const HASH: u32 = 0;
const LENGTH: u32 = 8;
const COUNTERS: u32 = 16;

/// The blocks and branches of some functions of a module, with a counter for each; and what it takes to have them counted.
///
/// The counters are in a version of the functions, so that results, fuel and traps stay those of the original.
///
/// ```
/// use dodona_wasm::execute::{CoverageMap, Executable, Options};
/// use dodona_subject::*;
/// use dodona_target::*;
///
/// let wasm = wat::parse_str(r#"(module (func (export "f") (param i32) (result i32)
///     (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.const 2)))))"#)?;
/// let parameters = vec![(Parameter::new("x", Type::Scalar(Scalar::I32)), Lowering::Value)];
/// let f = Function::new("f", parameters, ResultLowering::Value(Scalar::I32));
/// let module = Module::parse(wasm)?;
/// let map = CoverageMap::of(&module, &[0].into());
/// let variants = map.variants(&module);
/// let executable = Executable::load_with_variants(&module, &[f], &Options::default(), &variants)?;
/// let mut runner = executable.runner();
/// runner.choose(map.choice());
/// let calls = runner.call_noting(0, &[Column::Int(vec![0, 7])])?;
/// let row = map.read(runner.notes(1)).stopped(calls.outcomes[1], runner.locate_trap(1));
/// assert_eq!(row.path, PathId::START.extend(map.branches().edge(0, 1)));
/// assert_eq!(row.edges, [0, 1]);
/// assert_eq!(row.blocks, [1, 1, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoverageMap {
    branches: Branches,
    functions: Vec<Part>,
    blocks: Vec<Block>,
    counters: u32,
    /// The most steps of a row whose order is noted; 0 for none.
    steps: u32,
}

/// What a map has of one function.
#[derive(Clone, Debug)]
struct Part {
    function: u32,
    edges: Range<u32>,
    /// The counter of the first edge.
    counter: u32,
    blocks: Range<usize>,
}

impl CoverageMap {
    /// The map of these functions of a module; those that the module does not define are left out. For paths that are
    /// whole, take all functions that the call can reach.
    pub fn of(module: &Module, functions: &BTreeSet<u32>) -> CoverageMap {
        let branches = Branches::of(module);
        let mut map = CoverageMap { branches, functions: vec![], blocks: vec![], counters: 0, steps: 0 };
        for &function in functions {
            if module.body(function).is_some() {
                map.add(module, function);
            }
        }
        map
    }

    fn add(&mut self, module: &Module, function: u32) {
        let sites = self.branches.sites_of(function);
        let first_edge = |site| {
            if site < self.branches.sites() { self.branches.edge(site, 0) } else { self.branches.edges() }
        };
        let edges = first_edge(sites.start)..first_edge(sites.end);
        let counter = self.counters;
        self.counters += edges.len() as u32;
        let first = self.blocks.len();
        self.blocks.extend(blocks(module, &self.branches, function, &mut self.counters));
        self.functions.push(Part { function, edges, counter, blocks: first..self.blocks.len() });
    }

    /// The same, which also notes the order in which blocks are entered: of each row the first [`CoverageMap::STEPS`].
    #[must_use]
    pub fn with_order(self) -> CoverageMap {
        CoverageMap { steps: CoverageMap::STEPS, ..self }
    }

    /// The instrumented versions of the functions, for [`Executable::load_with_variants`](crate::execute::Executable).
    pub fn variants(&self, module: &Module) -> Variants {
        let note_bits = (self.row_bytes() as u32).saturating_mul(8);
        Variants { copies: patches::copies(module, self), note_bits, is_always_chosen: true }
    }

    /// What is to be chosen for counting.
    pub fn choice(&self) -> Choice {
        Choice { version: patches::VERSION, alternative: 0 }
    }

    /// The bytes of notes a row: calls of many rows hold those of all.
    pub fn row_bytes(&self) -> usize {
        let order = if self.steps == 0 { 0 } else { 8 + self.steps as usize * 4 };
        self.order_at() as usize + order
    }

    /// The blocks in code order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The branches of the whole module.
    pub fn branches(&self) -> &Branches {
        &self.branches
    }

    /// The branch sites of the functions of this map that can be reached, in order.
    pub fn sites(&self) -> impl Iterator<Item = u32> + '_ {
        let all = self.functions.iter().flat_map(|part| self.branches.sites_of(part.function));
        all.filter(|site| self.block_of(self.branches.point(*site)).is_some())
    }

    /// The block of an instruction; `None` where it cannot be reached, is only structure or is in no function of the map.
    pub fn block_of(&self, point: CodePoint) -> Option<usize> {
        let part = self.functions.binary_search_by_key(&point.function, |part| part.function).ok()?;
        let part = &self.functions[part];
        let blocks = &self.blocks[part.blocks.clone()];
        let after = blocks.partition_point(|block| block.instructions.start <= point.instruction);
        let found = after.checked_sub(1)?;
        blocks[found].instructions.contains(&point.instruction).then_some(part.blocks.start + found)
    }

    fn blocks_of(&self, function: u32) -> &[Block] {
        let part = self.functions.binary_search_by_key(&function, |part| part.function);
        part.map_or(&[], |part| &self.blocks[self.functions[part].blocks.clone()])
    }

    fn counter_of_edge(&self, function: u32, edge: u32) -> u32 {
        let part = self.functions.binary_search_by_key(&function, |part| part.function);
        part.map_or(0, |part| self.functions[part].counter + edge - self.functions[part].edges.start)
    }

    /// The path of a row, from its notes.
    pub fn path(&self, notes: &[u64]) -> PathId {
        PathId { hash: notes[0], length: notes[1] }
    }

    /// What a row ran, from its notes.
    ///
    /// # Panics
    /// When the notes are not of a module with this map's variants.
    pub fn read(&self, notes: &[u64]) -> RowCoverage {
        let counters = &notes[COUNTERS as usize / 8..];
        let counter = |number: u32| (counters[number as usize / 2] >> (number % 2 * 32)) as u32;
        let mut edges = vec![0; self.branches.edges() as usize];
        for part in &self.functions {
            for (edge, number) in part.edges.clone().zip(part.counter..) {
                edges[edge as usize] = counter(number);
            }
        }
        let count = |block: &Block| match block.count {
            Count::Counter(number) => counter(number),
            Count::Edge(edge) => edges[edge as usize],
        };
        let blocks = self.blocks.iter().map(count).collect();
        RowCoverage { path: self.path(notes), blocks, edges, order: self.read_order(notes), stopped: None }
    }
}

/// What one row ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowCoverage {
    /// Its path.
    pub path: PathId,
    /// How often it entered each of [`CoverageMap::blocks`]; at most [`u32::MAX`].
    pub blocks: Vec<u32>,
    /// How often it took each edge of [`Branches`], those of functions outside the map never; at most [`u32::MAX`].
    pub edges: Vec<u32>,
    /// The blocks in the order in which it entered them, as far as that was noted; `None` for a map without
    /// [`CoverageMap::with_order`].
    pub order: Option<BlockOrder>,
    /// The instruction in the middle of a block that stopped it, so that the rest of the block was entered and did not run.
    pub stopped: Option<CodePoint>,
}

impl RowCoverage {
    /// The same with what the row's outcome and [`Runner::locate_trap`](crate::execute::Runner::locate_trap) say of where it stopped:
    /// without, everything in a block counts as run that was entered.
    #[must_use]
    pub fn stopped(self, outcome: Outcome, at: Option<CodePoint>) -> RowCoverage {
        // Fuel is used up, and the stack ends, before the block is entered at whose start that is said to be.
        let before = matches!(outcome, Outcome::OutOfFuel | Outcome::Trapped(Trap::StackOverflow));
        RowCoverage { stopped: at.filter(|_| !before), ..self }
    }
}
