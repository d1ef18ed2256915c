//! Gathers the facts of a function that was scanned.

mod array_references;

use std::collections::{BTreeSet, HashMap};

use dodona_subject::DebugInfo;
use dodona_subject::wasmparser::{Catch, Operator};

use crate::emit::access;
use crate::facts::Facts;
use crate::kinds::local;
use crate::operators::constant::Constant;
use crate::scan::Scanned;
use array_references::references;

impl Facts {
    /// Gathers the facts of a function whose artefacts are marked.
    pub(crate) fn of(scanned: &Scanned<'_>, debug: Option<&DebugInfo>) -> Facts {
        let mut facts = Facts { pointers: vec![false; scanned.locals.len()], ..Facts::default() };
        facts.gather_values(scanned);
        facts.keep_named(scanned, debug);
        facts.gather_accesses(scanned);
        facts.references = references(scanned);
        facts.gather_blocks(scanned);
        facts.gather_branches(scanned);
        facts
    }

    fn gather_branches(&mut self, scanned: &Scanned<'_>) {
        for (at, scan) in (0..).zip(&scanned.instructions).filter(|(_, scan)| scan.reachable) {
            for depth in labels(&scan.operator) {
                if let Some(frame) = self.frame(at, depth) {
                    *self.arrivals.entry(frame).or_default() += 1;
                }
            }
        }
    }

    fn gather_values(&mut self, scanned: &Scanned<'_>) {
        let mut variables = BTreeSet::new();
        let mut constants: Vec<(Constant, usize)> = Vec::new();
        let mut places = HashMap::new();
        for scan in scanned.instructions.iter().filter(|s| s.reachable && s.artefact.is_none()) {
            variables.extend(local(&scan.operator).filter(|&l| scanned.is_variable(l)));
            if let Some(constant) = Constant::of(&scan.operator) {
                let place = *places.entry(constant).or_insert(constants.len());
                if place == constants.len() {
                    constants.push((constant, 0));
                }
                constants[place].1 += 1;
            }
        }
        // The sort is stable: equally frequent constants keep the order of their first use.
        constants.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        self.variables = variables.into_iter().collect();
        self.constants = constants.into_iter().map(|(constant, _)| constant).collect();
    }

    fn keep_named(&mut self, scanned: &Scanned<'_>, debug: Option<&DebugInfo>) {
        let subprogram = debug.and_then(|d| d.subprogram(scanned.module, scanned.function));
        if let Some(named) = subprogram.map(|s| &s.locals).filter(|named| !named.is_empty()) {
            self.variables.retain(|v| *v < scanned.parameters || named.contains_key(v));
        }
    }

    fn gather_accesses(&mut self, scanned: &Scanned<'_>) {
        for at in 0..scanned.instructions.len() as u32 {
            let Some((memarg, _)) = access(&scanned.at(at).operator) else { continue };
            let Some(base) = scanned.operand(at, 0) else { continue };
            match (local(&base.operator), &base.operator) {
                (Some(local), _) => {
                    self.pointers[local as usize] = true;
                    self.fields.entry(local).or_default().insert(memarg.offset);
                }
                (None, Operator::I32Add) => self.note_base(scanned, at),
                _ => {}
            }
        }
    }

    /// The base of an address `base + index * scale` or `base + constant`.
    fn note_base(&mut self, scanned: &Scanned<'_>, access: u32) {
        let Some(sum) = scanned.at(access).operands[0].from else { return };
        let term = |position| scanned.operand(sum, position).map(|s| &s.operator);
        for (one, other) in [(0, 1), (1, 0)] {
            let is_offset =
                matches!(term(other), Some(Operator::I32Const { .. } | Operator::I32Shl | Operator::I32Mul));
            if let Some(base) = term(one).and_then(local).filter(|_| is_offset) {
                self.pointers[base as usize] = true;
            }
        }
    }

    fn gather_blocks(&mut self, scanned: &Scanned<'_>) {
        let mut open: Vec<u32> = Vec::new();
        for (at, scan) in (0..).zip(&scanned.instructions) {
            if let Operator::Else = scan.operator {
                self.elses.extend(open.last().map(|&opener| (opener, at)));
            }
            self.parents.push(open.last().copied());
            if let Operator::End = scan.operator
                && let Some(opener) = open.pop()
            {
                self.ends.insert(opener, at);
                self.ends.extend(self.elses.get(&opener).map(|&or| (or, at)));
            }
            if opens(&scan.operator) {
                open.push(at);
            }
        }
    }
}

/// The labels that a branch may go to.
fn labels(operator: &Operator<'_>) -> Vec<u32> {
    use Operator as O;
    match operator {
        O::Br { relative_depth }
        | O::BrIf { relative_depth }
        | O::BrOnNull { relative_depth }
        | O::BrOnNonNull { relative_depth }
        | O::BrOnCast { relative_depth, .. }
        | O::BrOnCastFail { relative_depth, .. } => vec![*relative_depth],
        O::BrTable { targets } => targets.targets().flatten().chain([targets.default()]).collect(),
        O::TryTable { try_table } => try_table.catches.iter().map(caught).collect(),
        _ => Vec::new(),
    }
}

fn caught(catch: &Catch) -> u32 {
    match catch {
        Catch::One { label, .. }
        | Catch::OneRef { label, .. }
        | Catch::All { label }
        | Catch::AllRef { label } => *label,
    }
}

fn opens(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(operator, O::Block { .. } | O::Loop { .. } | O::If { .. } | O::TryTable { .. } | O::Try { .. })
}
