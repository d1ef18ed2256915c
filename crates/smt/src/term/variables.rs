//! The variables of each node. Sets are shared, because most nodes have the same variables as one of their operands.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{NodeId, Op, Term, Variable};

#[derive(Debug, Default)]
pub(super) struct VariableSets {
    /// Sorted, each once.
    sets: IndexSet<Box<[Variable]>, FxBuildHasher>,
    /// The set of each node.
    of: Vec<u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

impl VariableSets {
    /// Records the set of the next node.
    pub(super) fn add(&mut self, op: Op, operands: &[Term]) {
        let set = match op {
            Op::Variable(variable) => self.number(Box::new([variable])),
            _ => self.of_operands(operands),
        };
        self.of.push(set);
    }

    pub(super) fn of(&self, id: NodeId) -> &[Variable] {
        &self.sets[self.of[id.0 as usize] as usize]
    }

    fn of_operands(&mut self, operands: &[Term]) -> u32 {
        let mut all = None;
        for operand in operands {
            if let Term::Node(_, id) = operand {
                let set = self.of[id.0 as usize];
                all = Some(all.map_or(set, |all| self.union(all, set)));
            }
        }
        all.unwrap_or_else(|| self.number(Box::new([])))
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut all = [&self.sets[a as usize][..], &self.sets[b as usize]].concat();
        all.sort_unstable();
        all.dedup();
        let union = self.number(all.into());
        self.unions.insert(key, union);
        union
    }

    fn number(&mut self, set: Box<[Variable]>) -> u32 {
        self.sets.insert_full(set).0 as u32
    }
}
