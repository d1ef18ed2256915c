//! All mutants of the functions in scope, numbered in code order.

use std::collections::{BTreeSet, HashSet};

use dodona_evidence::MutantId;
use dodona_subject::Module;
use dodona_subject::wasmparser::Operator;
use wasm_encoder::Encode;

use crate::operators;
use crate::scope::Scope;
use crate::{Artefact, Candidate, MutationOperator, Scanned, Step};

/// A mutant: a change of one place of the program, in every copy of it that the compiler made.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number in code order, over all operators.
    pub id: MutantId,
    /// The operator that made it.
    pub operator: MutationOperator,
    /// The change in each copy of the place; the first stands for all.
    pub changes: Vec<Change>,
}

/// A change of one function.
#[derive(Clone, Debug)]
pub struct Change {
    /// The function, as an index into [`Mutants::functions`].
    pub function: usize,
    /// The change.
    pub candidate: Candidate,
}

/// An instruction that is not mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedSite {
    /// The function, as an index into [`Mutants::functions`].
    pub function: usize,
    /// The instruction.
    pub instruction: u32,
    /// Why.
    pub why: Artefact,
    /// The mutants it would have had.
    pub mutants: u64,
}

/// The mutants of a module's functions.
pub struct Mutants<'m> {
    /// The functions that are mutated.
    pub functions: Vec<Scanned<'m>>,
    /// The mutants, by ascending number.
    pub mutants: Vec<Mutant>,
    /// What the compiler put there and is not mutated.
    pub skipped: Vec<SkippedSite>,
}

impl<'m> Mutants<'m> {
    /// Proposes every change of every operator in the functions in scope.
    pub fn generate(module: &'m Module, scope: &Scope) -> Mutants<'m> {
        let wanted: BTreeSet<u32> = scope.functions.iter().copied().collect();
        let mut functions = Scanned::read(module, &|function| wanted.contains(&function));
        // In the order of the scope: what it puts later never renumbers what stands before.
        let place = |function: u32| scope.functions.iter().position(|&f| f == function);
        functions.sort_by_key(|scanned| place(scanned.function));
        let mut all = Mutants { functions, mutants: Vec::new(), skipped: Vec::new() };
        for function in 0..all.functions.len() {
            all.add_function(function);
        }
        all
    }

    fn add_function(&mut self, function: usize) {
        for at in 0..self.functions[function].instructions.len() as u32 {
            let scanned = &self.functions[function];
            if !scanned.at(at).reachable {
                continue;
            }
            let candidates = distinct(operators::propose(scanned, at));
            match scanned.at(at).artefact {
                Some(why) if !candidates.is_empty() => {
                    let mutants = candidates.len() as u64;
                    self.skipped.push(SkippedSite { function, instruction: at, why, mutants });
                }
                Some(_) => {}
                None => self.add(function, candidates),
            }
        }
    }

    fn add(&mut self, function: usize, candidates: Vec<Candidate>) {
        for candidate in candidates {
            let id = MutantId(self.mutants.len() as u32 + 1);
            let operator = candidate.operator;
            self.mutants.push(Mutant { id, operator, changes: vec![Change { function, candidate }] });
        }
    }

    /// The function of a change.
    pub fn function(&self, change: &Change) -> &Scanned<'m> {
        &self.functions[change.function]
    }
}

/// The candidates without those that an earlier one already is, whatever their operators.
fn distinct(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    candidates.into_iter().filter(|candidate| seen.insert(encoding(candidate))).collect()
}

/// A candidate's edits as bytes: equal where they write the same code.
pub(crate) fn encoding(candidate: &Candidate) -> Vec<u8> {
    let mut bytes = Vec::new();
    for edit in &candidate.edits {
        edit.at.encode(&mut bytes);
        bytes.push(edit.slot as u8);
        bytes.extend(code(&edit.code));
        // No instruction begins with this byte.
        bytes.push(0xff);
    }
    bytes
}

/// Steps as bytes.
pub(crate) fn code(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        match step {
            Step::Operand(k) => bytes.extend([0xf0, *k as u8]),
            Step::Kept => bytes.push(0xf1),
            Step::Keep => bytes.push(0xf2),
            Step::Do(instruction) => instruction.encode(&mut bytes),
        }
    }
    bytes
}

/// Whether an operator calls a function directly, and which.
pub(crate) fn called(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::Call { function_index } | Operator::ReturnCall { function_index } => Some(*function_index),
        _ => None,
    }
}
