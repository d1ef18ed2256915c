//! Which functions of a module are mutated.

use std::collections::BTreeSet;
use std::path::Path;

use dodona_subject::wasmparser::Operator;
use dodona_subject::{CodePoint, DebugInfo, Function, Module};

use crate::Sources;
use crate::generate::called;

/// Whether the functions that a function under test calls are mutated too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Callees {
    /// Only the functions under test themselves.
    #[default]
    Left,
    /// Also every function of the module that they can reach.
    Included,
}

/// The functions of a module that are mutated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Their indices: first the functions under test, then what they reach, each in the module's order.
    pub functions: Vec<u32>,
}

impl Scope {
    /// The functions under test, with their callees where asked for. The entry of a command only sets up the process,
    /// so a command's callees are always in scope: those whose source is at hand, where there are any, and not those of
    /// libraries. Sources are looked for around `folder`, the manifest's.
    pub fn of(module: &Module, functions: &[Function], callees: Callees, folder: &Path) -> Scope {
        let roots = |commands: bool| -> BTreeSet<u32> {
            let wanted = functions.iter().filter(move |f| f.is_command() == commands);
            wanted.filter_map(|f| module.export_function(&f.export)).collect()
        };
        let defined = |function: &u32| *function >= module.imported_functions();
        let mut scope: Vec<u32> = roots(false).into_iter().filter(defined).collect();
        let mut reached = reachable(module, &roots(true));
        let debug = module.debug_info();
        let mut sources = Sources::new(folder);
        let at_hand: BTreeSet<u32> = match &debug {
            Some(debug) => {
                reached.iter().copied().filter(|f| has_source(module, debug, *f, &mut sources)).collect()
            }
            None => BTreeSet::new(),
        };
        if !at_hand.is_empty() {
            reached = at_hand;
        }
        if callees == Callees::Included {
            reached.extend(reachable(module, &roots(false)));
        }
        scope.extend(reached.into_iter().filter(defined).filter(|f| !roots(false).contains(f)));
        Scope { functions: scope }
    }
}

fn has_source(module: &Module, debug: &DebugInfo, function: u32, sources: &mut Sources) -> bool {
    let first = debug.location(module, CodePoint { function, instruction: 0 });
    first.is_some_and(|location| sources.file(debug, location).is_some())
}

/// The functions that calls from these can reach, themselves included. An indirect call may reach
/// every function of its type that is in a table.
pub fn reachable(module: &Module, roots: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut reached = roots.clone();
    let mut open: Vec<u32> = roots.iter().copied().collect();
    while let Some(function) = open.pop() {
        for (operator, _) in module.operators(function) {
            for callee in callees(module, &operator) {
                if reached.insert(callee) {
                    open.push(callee);
                }
            }
        }
    }
    reached
}

fn callees(module: &Module, operator: &Operator<'_>) -> Vec<u32> {
    if let Some(callee) = called(operator) {
        return vec![callee];
    }
    let (Operator::CallIndirect { type_index, .. } | Operator::ReturnCallIndirect { type_index, .. }) =
        operator
    else {
        return Vec::new();
    };
    let wanted = module.type_at(*type_index);
    let targets = module.indirect_targets().iter().copied();
    targets.filter(|f| module.function_type(*f) == wanted).collect()
}
