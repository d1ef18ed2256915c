//! What operators ask of a function as a whole: its variables, constants, Booleans, addresses and blocks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dodona_subject::wasmparser::{Catch, Operator, ValType};
use dodona_subject::{DebugInfo, DebugType};

use crate::emit::access;
use crate::operators::constant::Constant;
use crate::scan::{Scan, Scanned};

/// Facts of a function, gathered once.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Locals that are read or written and are no addresses of the stack frame, ascending; where the debug information
    /// names some, only those that it names: the others are temporaries of the compiler.
    pub variables: Vec<u32>,
    /// The distinct constants, the most frequent first, then as they first appear.
    pub constants: Vec<Constant>,
    /// Locals that point into memory, by index: some access uses them as its base.
    pub pointers: Vec<bool>,
    /// The offsets at which memory is accessed, by the local that is the base.
    pub fields: BTreeMap<u32, BTreeSet<u64>>,
    /// For each instruction, the `block`, `loop` or `if` around it.
    pub parents: Vec<Option<u32>>,
    /// For each `block`, `loop`, `if` or `else`: its `end`.
    pub ends: HashMap<u32, u32>,
    /// For each `if` that has one: its `else`.
    pub elses: HashMap<u32, u32>,
    /// For each `block`, `loop` or `if` that some reachable branch leads to: how many do.
    pub arrivals: HashMap<u32, u32>,
}

impl Facts {
    /// Gathers the facts of a function whose artefacts are marked.
    pub(crate) fn of(scanned: &Scanned<'_>, debug: Option<&DebugInfo>) -> Facts {
        let mut facts = Facts { pointers: vec![false; scanned.locals.len()], ..Facts::default() };
        facts.gather_values(scanned);
        facts.keep_named(scanned, debug);
        facts.gather_accesses(scanned);
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

    /// The `block`, `loop` or `if` that a label at an instruction means; `None` for the function.
    pub(crate) fn frame(&self, at: u32, depth: u32) -> Option<u32> {
        (0..depth).try_fold(self.parents.get(at as usize).copied()??, |frame, _| {
            self.parents.get(frame as usize).copied()?
        })
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
        // The sort is stable: among equally frequent ones the first stays first.
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

/// The local that an instruction reads or writes.
pub(crate) fn local(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::LocalGet { local_index }
        | Operator::LocalSet { local_index }
        | Operator::LocalTee { local_index } => Some(*local_index),
        _ => None,
    }
}

fn opens(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(operator, O::Block { .. } | O::Loop { .. } | O::If { .. } | O::TryTable { .. } | O::Try { .. })
}

/// Locals that only ever hold 0 or 1, by index: parameters that the source declares Boolean, and locals to which
/// only Booleans are assigned.
pub(crate) fn booleans(scanned: &mut Scanned<'_>, debug: Option<&DebugInfo>) {
    let declared = declared(scanned, debug);
    let parameters = scanned.parameters as usize;
    let can_be = |(local, ty): (usize, &ValType)| {
        *ty == ValType::I32 && (local >= parameters || declared.get(local) == Some(&true))
    };
    scanned.booleans = scanned.locals.iter().enumerate().map(can_be).collect();
    // Locals may be assigned to each other: all count as Booleans until one turns out to be none.
    while let Some(local) = scanned.instructions.iter().find_map(|scan| refuted(scanned, scan)) {
        scanned.booleans[local as usize] = false;
    }
}

/// The local that an assignment shows to be no Boolean, though it counts as one.
fn refuted(scanned: &Scanned<'_>, scan: &Scan<'_>) -> Option<u32> {
    let (Operator::LocalSet { local_index } | Operator::LocalTee { local_index }) = scan.operator else {
        return None;
    };
    let counts = scanned.booleans.get(local_index as usize) == Some(&true);
    let is = scan.operands.first().and_then(|o| o.from).is_some_and(|from| scanned.is_boolean(from));
    (counts && scan.reachable && !is).then_some(local_index)
}

/// Which parameters the source declares Boolean.
fn declared(scanned: &Scanned<'_>, debug: Option<&DebugInfo>) -> Vec<bool> {
    let subprogram = debug.and_then(|d| d.subprogram(scanned.module, scanned.function));
    match subprogram.map(|s| &s.parameters) {
        // Where the numbers differ, parameters are passed otherwise than one by one.
        Some(parameters) if parameters.len() == scanned.parameters as usize => {
            parameters.iter().map(|p| matches!(p.ty, DebugType::Bool)).collect()
        }
        _ => Vec::new(),
    }
}
