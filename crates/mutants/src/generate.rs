//! All mutants of the functions in scope, numbered in code order.

use std::collections::{BTreeSet, HashSet};

use dodona_evidence::MutantId;
use dodona_execute::Original;
use dodona_subject::{DebugInfo, Module};
use wasm_encoder::Encode;

use crate::copies::Copies;
use crate::emit::{Frame, owned, plain};
use crate::operators;
use crate::scope::{STAGES, Scope, Stages};
use crate::{Artefact, Candidate, Change, Describer, MutationOperator, Scanned};

/// Functions of more instructions are not mutated, unless somebody asks for it.
///
/// Mutants grow with the length of a function, about ten an instruction, and each is compiled with all of it: twice the length
/// takes four times as long. A function of 10,000 instructions, some 2,000 lines of C, has a hundred thousand mutants, which take
/// tens of minutes on one core; one of 40,000 takes a night.
pub const MOST_INSTRUCTIONS: usize = 10_000;

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

/// An instruction that is not mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedInstruction {
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
    /// What the compiler put there, or is not under test, and is not mutated.
    pub skipped: Vec<SkippedInstruction>,
    /// Functions in scope that have more instructions than the bound, and how many: they are not read and have no mutants.
    pub too_large: Vec<(u32, usize)>,
}

impl<'m> Mutants<'m> {
    /// Proposes every change of every operator in the functions in scope that have at most so many instructions. Changes of inlined copies of one source
    /// expression are one mutant, as a change of the source would be.
    pub fn generate(
        module: &'m Module,
        scope: &Scope,
        most_instructions: usize,
        describer: &mut Describer<'_>,
    ) -> Mutants<'m> {
        let sizes = scope.functions.iter().map(|&function| (function, module.instruction_count(function)));
        let (too_large, wanted): (Vec<_>, Vec<_>) = sizes.partition(|(_, size)| *size > most_instructions);
        let wanted: BTreeSet<u32> = wanted.into_iter().map(|(function, _)| function).collect();
        let mut functions = Scanned::read(module, &|function| wanted.contains(&function));
        // In the order of the scope: what it puts later never renumbers what stands before.
        let place = |function: u32| scope.functions.iter().position(|&f| f == function);
        functions.sort_by_key(|scanned| place(scanned.function));
        let mut all = Mutants { functions, mutants: Vec::new(), skipped: Vec::new(), too_large };
        let stages: Vec<Stages> =
            all.functions.iter().map(|scanned| describer.stages(scanned, scope)).collect();
        let mut copies = Copies::default();
        // In the order of the stages first: what a wider scope adds never renumbers what stands before.
        for stage in 0..STAGES {
            for (function, stages) in stages.iter().enumerate() {
                all.add_function(function, stages, stage, describer, &mut copies);
            }
        }
        all.add_skipped(&stages);
        all
    }

    /// Adds the mutants of a function's instructions of one stage.
    fn add_function(
        &mut self,
        function: usize,
        stages: &Stages,
        stage: u8,
        describer: &mut Describer<'_>,
        copies: &mut Copies,
    ) {
        for at in (0..).zip(stages).filter(|(_, s)| **s == Ok(stage)).map(|(at, _)| at) {
            let scanned = &self.functions[function];
            if !scanned.at(at).reachable || scanned.at(at).artefact.is_some() {
                continue;
            }
            for candidate in distinct(scanned, operators::propose(scanned, at)) {
                let description = describer.describe(scanned, &candidate);
                let change = Change { function, candidate, description };
                add(&mut self.mutants, change, copies);
            }
        }
    }

    /// Notes the instructions that would have mutants and have none.
    fn add_skipped(&mut self, stages: &[Stages]) {
        for (function, (scanned, stages)) in self.functions.iter().zip(stages).enumerate() {
            for (at, stage) in (0..).zip(stages).filter(|(at, _)| scanned.at(*at).reachable) {
                let Some(why) = stage.err().or(scanned.at(at).artefact) else { continue };
                let mutants = distinct(scanned, operators::propose(scanned, at)).len() as u64;
                if mutants > 0 {
                    self.skipped.push(SkippedInstruction { function, instruction: at, why, mutants });
                }
            }
        }
    }

    /// The name of the source function that a change is in, with its path where the language has them; of the module's function
    /// without debug information.
    pub fn source_function(&self, debug: Option<&DebugInfo>, change: &Change) -> String {
        let Scanned { module, function, .. } = self.function(change);
        let copy = change.description.copy;
        let linked = debug.and_then(|debug| debug.source_function(module, *function, copy));
        let linked = linked.map_or_else(|| module.function_name(*function), str::to_owned);
        // The alternate form is without the hash at the end.
        format!("{:#}", rustc_demangle::demangle(&linked))
    }

    /// The function of a change.
    pub fn function(&self, change: &Change) -> &Scanned<'m> {
        &self.functions[change.function]
    }
}

/// Adds a change: to the mutant that it is another copy of, else as a mutant of its own.
fn add(mutants: &mut Vec<Mutant>, change: Change, copies: &mut Copies) {
    let of = copies.place(&change, mutants.len());
    match mutants.get_mut(of) {
        Some(mutant) => mutant.changes.push(change),
        None => {
            let id = MutantId(mutants.len() as u32 + 1);
            mutants.push(Mutant { id, operator: change.candidate.operator, changes: vec![change] });
        }
    }
}

/// The candidates without those that an earlier one already is, whatever their operators.
fn distinct(scanned: &Scanned<'_>, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    candidates.into_iter().filter(|candidate| seen.insert(encoding(scanned, candidate))).collect()
}

/// A candidate's edits as bytes: equal where they write the same code.
pub(crate) fn encoding(scanned: &Scanned<'_>, candidate: &Candidate) -> Vec<u8> {
    let mut frame = Frame::new(scanned);
    let mut bytes = Vec::new();
    for edit in &candidate.edits {
        frame.next_patch();
        let patch = plain(&mut frame, scanned, edit, None);
        patch.at.encode(&mut bytes);
        patch.code.iter().for_each(|instruction| instruction.encode(&mut bytes));
        match (patch.original, owned(&scanned.at(edit.at).operator)) {
            (Original::Left, _) => {}
            (Original::Kept, Some(instruction)) => instruction.encode(&mut bytes),
            // No instruction begins with this byte.
            (Original::Kept, None) => bytes.push(0xff),
        }
    }
    bytes
}
