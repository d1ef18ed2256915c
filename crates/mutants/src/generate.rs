//! All mutants of the functions in scope, numbered in code order.
//!
//! Numbers are over all operators, so that `M17` is the same mutant for any `--operators`. Mutants of functions that only `--callees`
//! mutates come after the others.

use std::collections::{BTreeSet, HashSet};

use dodona_records::MutantId;
use dodona_subject::{DebugInfo, Module};
use dodona_wasm::execute::Original;
use wasm_encoder::Encode;

use crate::copies::Copies;
use crate::emit::{Frame, owned, plain};
use crate::operators;
use crate::scope::{STAGES, Scope, Stages};
use crate::{Artefact, Candidate, Change, Describer, MutationOperator, Scanned};

/// A function with more instructions is not mutated by default.
///
/// A function has about ten mutants for each instruction, and each mutant is compiled with the whole function, so that a
/// function of twice the length takes four times as long. A function of 10,000 instructions, some 2,000 lines of C, has a
/// hundred thousand mutants, which take tens of minutes on one core. A function of 40,000 instructions takes a night.
pub const MOST_INSTRUCTIONS: usize = 10_000;

/// A mutant: a change of one place of the program, in every copy of it that the compiler made.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number in the order of the code, over all operators.
    pub id: MutantId,
    /// The operator that made it.
    pub operator: MutationOperator,
    /// The change in each copy of the place. The first one represents all.
    pub changes: Vec<Change>,
}

/// An instruction that is not mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedInstruction {
    /// The function, as an index into [`Mutants::functions`].
    pub function: usize,
    /// The instruction.
    pub instruction: u32,
    /// Why it is not mutated.
    pub why: Artefact,
    /// The number of mutants that it would have.
    pub mutants: u64,
}

/// The mutants of a module's functions.
pub struct Mutants<'m> {
    /// The functions that are mutated.
    pub functions: Vec<Scanned<'m>>,
    /// The mutants, by ascending number.
    pub mutants: Vec<Mutant>,
    /// The instructions that are not mutated, because the compiler added them or they are not under test.
    pub skipped: Vec<SkippedInstruction>,
    /// Functions in scope that have more instructions than the bound, and how many these are. They are not read and have no
    /// mutants.
    pub too_large: Vec<(u32, usize)>,
}

impl<'m> Mutants<'m> {
    /// Proposes every change by every operator in the functions in scope that have at most `most_instructions`. Changes of
    /// inlined copies of one source expression are one mutant, as an edit of the source would change all of them.
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
        // In the order of the scope, so that functions which a wider scope adds do not change the numbers of others.
        let place = |function: u32| scope.functions.iter().position(|&f| f == function);
        functions.sort_by_key(|scanned| place(scanned.function));
        let mut all = Mutants { functions, mutants: Vec::new(), skipped: Vec::new(), too_large };
        let stages: Vec<Stages> =
            all.functions.iter().map(|scanned| describer.stages(scanned, scope)).collect();
        let mut copies = Copies::default();
        // By stages first, so that code which a wider scope adds does not change the numbers of other mutants.
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

    /// Records the instructions that would have mutants but have none.
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

    /// The name of the source function with a change, with its path if the language has paths. Without debug information, the
    /// name of the module's function.
    pub fn source_function(&self, debug: Option<&DebugInfo>, change: &Change) -> String {
        let Scanned { module, function, .. } = self.function(change);
        let copy = change.description.copy;
        let linked = debug.and_then(|debug| debug.source_function(module, *function, copy));
        let linked = linked.map_or_else(|| module.function_name(*function), str::to_owned);
        // The alternate form leaves out the hash at the end.
        format!("{:#}", rustc_demangle::demangle(&linked))
    }

    /// The function of a change.
    pub fn function(&self, change: &Change) -> &Scanned<'m> {
        &self.functions[change.function]
    }
}

/// Adds a change: to the mutant of which it is another copy, otherwise as a new mutant.
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

/// The candidates without those that write the same code as an earlier one, whatever their operators.
fn distinct(scanned: &Scanned<'_>, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    candidates.into_iter().filter(|candidate| seen.insert(encoding(scanned, candidate))).collect()
}

/// The edits of a candidate as bytes, which are equal if they write the same code.
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
