//! Which functions, and which blocks of them, are executed at most once in a call from outside.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::flow::Flow;
use crate::code::{Code, Instruction};

/// The places at which functions are called, in all code that a call of one function can reach.
#[derive(Debug, Default)]
pub(super) struct CallSites {
    /// For each function that is reached, by index, the calls of it: `(caller, instruction)`.
    sites: FxHashMap<u32, Vec<(u32, u32)>>,
    /// The functions that an indirect call may reach.
    indirect: FixedBitSet,
    /// Whether an unsupported instruction was found, which may call any function.
    is_open: bool,
}

impl CallSites {
    /// The calls in all code that a call of `root` can reach. An indirect call may also reach `pointers`.
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
                    // An indirect call may call any function in a table, any number of times.
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

    /// Whether a call from outside can reach a function.
    pub(super) fn reaches(&self, function: u32) -> bool {
        self.is_open || self.sites.contains_key(&function)
    }

    /// Whether a function is entered at most once in a call of `root` from outside. This is so if it is called at one place
    /// only, this place is executed at most once in a call of the function that contains it, and that function is entered at
    /// most once.
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
