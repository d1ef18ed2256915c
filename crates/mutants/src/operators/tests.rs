//! What each operator proposes, in small functions.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod arrays;
mod conditions;
mod definitions;
mod deletions;
mod insertions;
mod replacements;

use dodona_subject::Module;

use super::{DEFINITIONS, MutationOperator};
use crate::{Candidate, Edit, Infection, Scanned, Slot, Step};

/// What an operator proposes in the third function of a module, which is written in `body`. A candidate reads
/// `4 result: #0 I32Const(1) | traps: #1 I32Eqz`: the place, the slot, the code (`#0` is an operand), and the infection where it
/// is not merely that the state differs. Several edits of one candidate are divided by `;`.
fn proposals(operator: MutationOperator, body: &str) -> Vec<String> {
    let text = format!(
        "(module (memory 1) (global $g (mut i32) (i32.const 0)) (func $void (param i32)) \
         (func $number (result i32) i32.const 7) (func (export \"f\") {body}))"
    );
    let module = Module::parse(wat::parse_str(&text).unwrap()).unwrap();
    let functions = Scanned::read(&module, &|function| function == 2);
    let definition = DEFINITIONS.iter().find(|d| d.operator == operator).unwrap();
    let mut candidates = Vec::new();
    for (at, scan) in (0..).zip(&functions[0].instructions) {
        if scan.reachable && scan.artefact.is_none() {
            (definition.propose)(&functions[0], at, &mut candidates);
        }
    }
    for candidate in &candidates {
        assert_eq!(candidate.operator, operator);
        assert_eq!(candidate.edits.len(), candidate.infections.len());
        assert!(candidate.edits.is_sorted_by(|a, b| a.at < b.at));
    }
    candidates.iter().map(rendered).collect()
}

fn rendered(candidate: &Candidate) -> String {
    let edits = candidate.edits.iter().zip(&candidate.infections);
    edits.map(|(edit, infection)| rendered_edit(edit, infection)).collect::<Vec<_>>().join("; ")
}

fn rendered_edit(edit: &Edit, infection: &Infection) -> String {
    let slot = match edit.slot {
        Slot::Result => "result",
        Slot::Operands => "operands",
    };
    let infection = match infection {
        Infection::Differs => String::new(),
        Infection::DiffersOrTraps(steps) => format!(" | traps: {}", code(steps)),
        Infection::Reached => " | reached".to_owned(),
        Infection::Assigned(local) => format!(" | assigned {local}"),
        Infection::Stored => " | stored".to_owned(),
    };
    format!("{} {slot}: {}{infection}", edit.at, code(&edit.code)).replace(":  |", ": |")
}

fn code(steps: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Operand(operand) => format!("#{operand}"),
        Step::Kept => "kept".to_owned(),
        Step::Keep => "keep".to_owned(),
        Step::Do(instruction) => float(&format!("{instruction:?}")),
    };
    steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// Floats print as their bits; the few that the tests use, as what they are worth.
fn float(text: &str) -> String {
    let bits = text.strip_prefix("F64Const(Ieee64(").and_then(|t| t.strip_suffix("))"));
    match bits.and_then(|bits| bits.parse().ok()) {
        Some(bits) => format!("F64Const({:?})", f64::from_bits(bits)),
        None => text.to_owned(),
    }
}
