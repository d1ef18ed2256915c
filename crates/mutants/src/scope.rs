//! Which functions of a module are mutated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dodona_subject::wasmparser::Operator;
use dodona_subject::{CodePoint, DebugInfo, Function, Location, Module};

use crate::Sources;

/// Whether the functions that a function under test calls are mutated too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Callees {
    /// Only the functions under test themselves.
    #[default]
    Left,
    /// Also the functions of the module that they can reach and whose source lies in the manifest's folder: not those of
    /// libraries.
    WithSource,
    /// Also every function of the module that they can reach.
    Included,
}

/// The functions of a module that are mutated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Their indices: first the functions under test, then what they reach and has its source in the manifest's folder, then the
    /// rest, each in the module's order. So a mutant has the same number with more callees.
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
        let (own, commands) = (roots(false), roots(true));
        let mut reached = match commands.is_empty() {
            true => BTreeSet::new(),
            false => of_commands(module, &commands, folder),
        };
        let called = match callees {
            Callees::Left => BTreeSet::new(),
            Callees::WithSource | Callees::Included => reachable(module, &own),
        };
        reached.extend(own_source(module, &called, folder));
        let mut functions: Vec<u32> = own.iter().chain(reached.difference(&own)).copied().collect();
        if callees == Callees::Included {
            functions.extend(called.iter().filter(|f| !own.contains(f) && !reached.contains(f)));
        }
        functions.retain(defined);
        Scope { functions }
    }
}

/// What commands reach: the functions whose source is at hand, or all where none is.
fn of_commands(module: &Module, commands: &BTreeSet<u32>, folder: &Path) -> BTreeSet<u32> {
    let reached = reachable(module, commands);
    let mut sources = Sources::new(folder);
    let near = located(module, &reached, |debug, location| sources.file(debug, location).is_some());
    if near.is_empty() { reached } else { near }
}

/// Those of some functions whose source lies in a folder.
fn own_source(module: &Module, functions: &BTreeSet<u32>, folder: &Path) -> BTreeSet<u32> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let is_own = |path: PathBuf| {
        let path = folder.join(path);
        path.starts_with(&folder) && path.is_file()
    };
    located(module, functions, |debug, location| debug.source_paths(location).into_iter().any(is_own))
}

/// Those of some functions whose place in the source is wanted; none without debug information.
fn located(
    module: &Module,
    functions: &BTreeSet<u32>,
    mut wanted: impl FnMut(&DebugInfo, &Location) -> bool,
) -> BTreeSet<u32> {
    if functions.is_empty() {
        return BTreeSet::new();
    }
    let Some(debug) = module.debug_info() else { return BTreeSet::new() };
    let mut is_wanted = |function: &u32| {
        let first = debug.location(module, CodePoint { function: *function, instruction: 0 });
        first.is_some_and(|location| wanted(&debug, location))
    };
    functions.iter().copied().filter(|function| is_wanted(function)).collect()
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

/// Whether an operator calls a function directly, and which.
fn called(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::Call { function_index } | Operator::ReturnCall { function_index } => Some(*function_index),
        _ => None,
    }
}
