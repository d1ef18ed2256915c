//! Facts about a function as a whole that operators use: its variables, constants, addresses and blocks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::operators::constant::Constant;
use crate::references::Reference;

/// Facts of a function, gathered once.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Locals that are read or written and hold no address of the stack frame, ascending. If the debug information names some
    /// locals, only these: the others are temporaries of the compiler.
    pub variables: Vec<u32>,
    /// The distinct constants, the most frequent first; equally frequent ones in the order of their first use.
    pub constants: Vec<Constant>,
    /// Whether a local points into memory, by index: some access uses it as its base.
    pub pointers: Vec<bool>,
    /// The offsets at which memory is accessed, by the local that is the base.
    pub fields: BTreeMap<u32, BTreeSet<u64>>,
    /// The loads that can be written again at another place.
    pub references: Vec<Reference>,
    /// For each instruction, the `block`, `loop` or `if` around it.
    pub parents: Vec<Option<u32>>,
    /// For each `block`, `loop`, `if` or `else`: its `end`.
    pub ends: HashMap<u32, u32>,
    /// For each `if` that has one: its `else`.
    pub elses: HashMap<u32, u32>,
    /// For each `block`, `loop` or `if` that reachable branches lead to: the number of these branches.
    pub arrivals: HashMap<u32, u32>,
}

impl Facts {
    /// The `block`, `loop` or `if` that a label at an instruction means; `None` for the function.
    pub(crate) fn frame(&self, at: u32, depth: u32) -> Option<u32> {
        (0..depth).try_fold(self.parents.get(at as usize).copied()??, |frame, _| {
            self.parents.get(frame as usize).copied()?
        })
    }
}
