//! Which functions, and which blocks of them, are executed at most once in a call from outside.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::flow::Flow;
use crate::code::{Code, Instruction};

/// Where functions are called, in all that a call of one function can reach.
#[derive(Debug, Default)]
pub(super) struct CallSites {
    /// For each function that is reached, by index, the calls of it: `(caller, instruction)`.
    sites: FxHashMap<u32, Vec<(u32, u32)>>,
    /// Functions that a call by a table may reach.
    indirect: FixedBitSet,
    /// Whether something was met that is not understood: it may call whatever it likes.
    is_open: bool,
}

impl CallSites {
    /// The calls in all that a call of `root` can reach; a call by a table may reach `pointers` as well.
    pub(super) fn of(code: &Code, root: u32, pointers: &[u32]) -> CallSites {
        let mut found = CallSites::default();
        let mut open = vec![root];
        found.sites.insert(root, Vec::new());
        let mut by_table = false;
        while let Some(caller) = open.pop() {
            let Some(body) = code.body(caller) else { continue };
            found.is_open |= !body.is_understood();
            for (at, instruction) in (0..).zip(&body.instructions) {
                let called = match instruction {
                    Instruction::Call(function) => vec![*function],
                    // Whatever stands in a table may be called from here, as often as it likes.
                    Instruction::CallIndirect { .. } if !std::mem::replace(&mut by_table, true) => {
                        let entries = code.sections.tables.iter().flatten().flatten();
                        let all: Vec<u32> = entries.chain(pointers).copied().collect();
                        found.indirect.extend(all.iter().map(|function| *function as usize));
                        all
                    }
                    _ => continue,
                };
                for function in called {
                    let sites = found.sites.entry(function).or_insert_with(|| {
                        open.push(function);
                        Vec::new()
                    });
                    sites.push((caller, at));
                }
            }
        }
        found
    }

    /// Whether a call from outside may reach a function at all.
    pub(super) fn reaches(&self, function: u32) -> bool {
        self.is_open || self.sites.contains_key(&function)
    }

    /// Whether a function is entered at most once in a call of `root` from outside: it is called at one place, which is executed at most once in
    /// a call of its function, which is entered at most once.
    pub(super) fn enters_once(
        &self,
        root: u32,
        function: u32,
        flow: &mut dyn FnMut(u32) -> Option<std::rc::Rc<Flow>>,
    ) -> bool {
        let mut at = function;
        let mut seen = vec![at];
        loop {
            let Some(sites) = self.sites.get(&at).filter(|_| !self.is_open) else { return false };
            if self.indirect.contains(at as usize) {
                return false;
            }
            match (at == root, &sites[..]) {
                (true, []) => return true,
                (false, [(caller, instruction)]) => {
                    let Some(flow) = flow(*caller) else { return false };
                    if flow.repeats(flow.block(*instruction)) || seen.contains(caller) {
                        return false;
                    }
                    at = *caller;
                    seen.push(at);
                }
                _ => return false,
            }
        }
    }
}
