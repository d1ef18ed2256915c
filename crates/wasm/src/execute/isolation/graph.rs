//! The functions that a call can reach, with what flows between them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dodona_subject::{Argument, CodePoint, Function, Module};

use super::origin::Origins;
use super::{Effect, Isolation, Reason, Reused};
use crate::execute::instrument::stack_pointer;

/// What is known of one function over all its call sites.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub parameters: Vec<Origins>,
    pub result: Origins,
}

/// The state of the analysis.
pub(super) struct Graph<'m> {
    pub module: &'m Module,
    /// The stack pointer's global.
    pub stack: Option<u32>,
    pointers: &'m [u32],
    facts: BTreeMap<u32, Facts>,
    /// What the frames and arguments may hold: the origins of everything stored there.
    contents: Origins,
    changed: bool,
    reasons: BTreeSet<Reason>,
    stores: bool,
    doomed: bool,
    /// Functions that no pass has looked at yet.
    new: Vec<u32>,
    /// Instructions followed, and origins copied where control meets.
    work: u64,
}

/// What one analysis may cost: about a second, and as many bytes. Beyond, calls get fresh instances, which is slower and right.
/// A module of a megabyte of compiled C takes a hundredth of it.
const MOST_WORK: u64 = 1 << 28;

/// The functions that the manifest's functions pass as function pointers.
pub(crate) fn pointed_at(module: &Module, functions: &[Function]) -> Vec<u32> {
    let arguments = functions.iter().flat_map(|f| &f.arguments);
    let names = arguments.filter_map(|a| match a {
        Argument::FunctionPointer(export) => module.export_function(export),
        _ => None,
    });
    names.collect::<BTreeSet<u32>>().into_iter().collect()
}

impl<'m> Graph<'m> {
    /// Nothing is reached yet; the functions behind `pointers` may be called indirectly.
    pub(super) fn new(module: &'m Module, pointers: &'m [u32]) -> Self {
        Graph {
            module,
            stack: stack_pointer(module).map(|s| s.global),
            pointers,
            facts: BTreeMap::new(),
            contents: Origins::NONE,
            changed: true,
            reasons: BTreeSet::new(),
            stores: false,
            doomed: false,
            new: Vec::new(),
            work: 0,
        }
    }

    /// Whether the last pass learned something; if so, another one begins.
    pub(super) fn begins_pass(&mut self) -> bool {
        // Origins only grow, so what looked foreign early may be known later: only the last pass counts.
        if self.changed {
            self.reasons.clear();
        }
        std::mem::take(&mut self.changed)
    }

    /// A function that no pass has looked at yet; each is given once.
    pub(super) fn take_new(&mut self) -> Option<u32> {
        self.new.pop()
    }

    /// The isolation that follows from what the passes found.
    pub(super) fn decide(self) -> Isolation {
        if !self.reasons.is_empty() {
            return Isolation::Fresh { because: self.reasons.into_iter().collect() };
        }
        Isolation::Reused(Reused {
            functions: self.facts.into_keys().collect(),
            stores: self.stores,
            discards_after_trap: self.doomed,
        })
    }

    /// A function is called with arguments of these origins; what its results may be.
    pub(super) fn enter(&mut self, function: u32, arguments: &[Origins], at: CodePoint) -> Origins {
        if function < self.module.imported_functions() {
            let name = self.module.imports().iter().filter(|i| is_function(i)).nth(function as usize);
            let name = name.map_or_else(String::new, |i| i.name.clone());
            self.effect(at, Effect::CallsHost(name));
            return Origins::NONE;
        }
        let known = self.facts.entry(function).or_insert_with(|| {
            self.changed = true;
            self.new.push(function);
            Facts { parameters: vec![Origins::NONE; arguments.len()], result: Origins::NONE }
        });
        for (parameter, argument) in known.parameters.iter_mut().zip(arguments) {
            let joined = *parameter | *argument;
            self.changed |= joined != *parameter;
            *parameter = joined;
        }
        known.result
    }

    /// [`Graph::enter`] for every function of a type that code may call indirectly.
    pub(super) fn enter_any(&mut self, ty: u32, arguments: &[Origins], at: CodePoint) -> Origins {
        let module = self.module;
        let wanted = module.type_at(ty);
        let candidates: BTreeSet<u32> =
            module.indirect_targets().iter().chain(self.pointers).copied().collect();
        let mut result = Origins::NONE;
        for function in candidates {
            if module.function_type(function) == wanted {
                result = result | self.enter(function, arguments, at);
            }
        }
        result
    }

    pub(super) fn parameters(&self, function: u32) -> &[Origins] {
        self.facts.get(&function).map_or(&[], |f| &f.parameters)
    }

    pub(super) fn returns(&mut self, function: u32, result: Origins) {
        if let Some(facts) = self.facts.get_mut(&function) {
            let joined = facts.result | result;
            self.changed |= joined != facts.result;
            facts.result = joined;
        }
    }

    /// Counts work.
    pub(super) fn spend(&mut self, work: usize) {
        self.work += work as u64;
    }

    /// Whether the work is at its bound.
    pub(super) fn is_too_long(&self) -> bool {
        self.work > MOST_WORK
    }

    pub(super) fn contents(&self) -> Origins {
        self.contents
    }

    /// A store of a value to an address of these origins.
    pub(super) fn store(&mut self, address: Origins, value: Origins, at: CodePoint) {
        if address.is_none() {
            return self.effect(at, Effect::StoresElsewhere);
        }
        self.stores = true;
        let joined = self.contents | value;
        self.changed |= joined != self.contents;
        self.contents = joined;
    }

    pub(super) fn effect(&mut self, at: CodePoint, effect: Effect) {
        self.reasons.insert(Reason { point: Some(at), effect });
    }

    /// Takes back the effects of some instructions of a function, to find them anew.
    pub(super) fn forget(&mut self, function: u32, instructions: Range<u32>) {
        self.reasons.retain(|reason| {
            !reason.point.is_some_and(|p| p.function == function && instructions.contains(&p.instruction))
        });
    }

    /// A call that can only end in a trap was left out.
    pub(super) fn doom(&mut self) {
        self.doomed = true;
    }
}

fn is_function(import: &dodona_subject::Import) -> bool {
    matches!(import.kind, dodona_subject::ImportKind::Function(_))
}
