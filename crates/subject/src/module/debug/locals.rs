//! Which variable a WebAssembly local holds where.

use std::collections::BTreeMap;
use std::ops::Range;

use wasmparser::Operator;

use super::DebugInfo;
use crate::Module;

/// Where a function sets its locals; read once for many questions to [`DebugInfo::local_name`].
#[derive(Clone, Debug)]
pub struct LocalWrites {
    function: u32,
    /// Offsets in the module's bytes of the instructions that set a local, by local.
    writes: BTreeMap<u32, Vec<usize>>,
    /// The loops, as offsets in the module's bytes.
    loops: Vec<Range<usize>>,
}

impl LocalWrites {
    /// Reads a function of a module; nothing is written in an imported one.
    pub fn of(module: &Module, function: u32) -> LocalWrites {
        let mut found = LocalWrites { function, writes: BTreeMap::new(), loops: Vec::new() };
        let mut frames = Vec::new();
        for (operator, at) in module.operators(function) {
            match operator {
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    found.writes.entry(local_index).or_default().push(at);
                }
                Operator::Loop { .. } => frames.push(Some(at)),
                Operator::Block { .. } | Operator::If { .. } | Operator::TryTable { .. } => frames.push(None),
                Operator::End => found.loops.extend(frames.pop().flatten().map(|start| start..at)),
                _ => {}
            }
        }
        found
    }

    /// Whether the local may be set on the way from one offset to a later one: between them, or behind them
    /// in a loop around the later one alone.
    fn sets(&self, local: u32, from: usize, to: usize) -> bool {
        let writes = self.writes.get(&local).map_or(&[][..], Vec::as_slice);
        let comes_back =
            |w: usize| self.loops.iter().any(|l| l.contains(&to) && l.contains(&w) && from < l.start);
        writes.iter().any(|w| (from..to).contains(w) || comes_back(*w))
    }
}

impl DebugInfo {
    /// The name of the variable that a local holds before the instruction at an offset in the module's bytes,
    /// the innermost where scopes nest; `None` where no variable is known to be in it.
    ///
    /// Compilers end a variable's range at the end of a basic block though the local still holds it, and start
    /// it late: the name counts before and behind its range as long as the local is not set.
    pub fn local_name(
        &self,
        module: &Module,
        writes: &LocalWrites,
        local: u32,
        offset: usize,
    ) -> Option<&str> {
        let variables = &self.body(module, writes.function)?.variables;
        let ranges = || {
            let held = variables.iter().filter(|v| v.local == local);
            held.flat_map(|v| v.ranges.iter().map(move |r| (r, v.name.as_str())))
        };
        let holding = ranges().rfind(|(r, _)| r.contains(&offset));
        let before = || ranges().filter(|(r, _)| r.end <= offset).max_by_key(|(r, _)| r.end);
        let after = || ranges().filter(|(r, _)| r.start > offset).min_by_key(|(r, _)| r.start);
        let name = holding
            .or_else(|| before().filter(|(r, _)| !writes.sets(local, r.end, offset)))
            .or_else(|| after().filter(|(r, _)| !writes.sets(local, offset, r.start)));
        name.map(|(_, name)| name)
    }
}
