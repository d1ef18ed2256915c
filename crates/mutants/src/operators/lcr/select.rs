//! Connectors in `select`s: `p ? 1 : q` and similar ones, and a `select` inside of a `select` with a common arm.

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::{CONNECTORS, joined, truth};
use crate::kinds::{is_number, local};
use crate::operators::MutationOperator;
use crate::operators::constant::Constant;
use crate::{Candidate, Edit, Infection, Scanned, Slot, Step};

pub(super) fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if !is_select(scanned, at) {
        return;
    }
    if let Some(flag) = Flag::of(scanned, at) {
        flag.propose(at, out);
    }
    if let Some(nested) = Nested::of(scanned, at) {
        nested.propose_from_inner(out);
    }
    for arm in 0..2 {
        let inner = scanned.at(at).operands[arm].from.filter(|&inner| is_select(scanned, inner));
        if let Some(nested) = inner.and_then(|inner| Nested::of(scanned, inner)) {
            nested.propose_from_outer(out);
        }
    }
}

fn is_select(scanned: &Scanned<'_>, at: u32) -> bool {
    let scan = scanned.at(at);
    let numbers = scan.operands.iter().all(|o| is_number(o.ty));
    matches!(scan.operator, Operator::Select | Operator::TypedSelect { .. })
        && numbers
        && scan.operands.len() == 3
}

fn result(at: u32, code: Vec<Step>) -> Candidate {
    Candidate::one(MutationOperator::Lcr, at, Slot::Result, code, Infection::Differs)
}

/// A `select` of a Boolean and a constant, which is a connector of the condition, perhaps negated, and the other Boolean.
struct Flag {
    /// Which operand is the other Boolean.
    other: u32,
    /// Whether the condition counts without a negation.
    positive: bool,
    /// Which of [`CONNECTORS`] it is: `&&` or `||`.
    own: usize,
}

impl Flag {
    fn of(scanned: &Scanned<'_>, at: u32) -> Option<Flag> {
        let operand = |position| scanned.operand(at, position);
        let constant = |position| Constant::of(&operand(position)?.operator);
        let is_boolean = |position: usize| {
            let from = scanned.at(at).operands[position].from;
            from.is_some_and(|from| scanned.is_boolean(from)) && constant(position).is_none()
        };
        Some(match (constant(0), constant(1)) {
            // c ? 1 : q is c || q, c ? 0 : q is !c && q.
            (Some(Constant::I32(1)), None) if is_boolean(1) => Flag { other: 1, positive: true, own: 1 },
            (Some(Constant::I32(0)), None) if is_boolean(1) => Flag { other: 1, positive: false, own: 0 },
            // c ? q : 0 is c && q, c ? q : 1 is !c || q.
            (None, Some(Constant::I32(0))) if is_boolean(0) => Flag { other: 0, positive: true, own: 0 },
            (None, Some(Constant::I32(1))) if is_boolean(0) => Flag { other: 0, positive: false, own: 1 },
            _ => return None,
        })
    }

    fn propose(&self, at: u32, out: &mut Vec<Candidate>) {
        let condition = || truth(Step::Operand(2), self.positive);
        let other = Step::Operand(self.other);
        for (_, connector) in CONNECTORS.iter().enumerate().filter(|(place, _)| *place != self.own) {
            out.push(result(at, joined(condition(), [other.clone()], connector)));
        }
        out.push(result(at, condition().collect()));
        out.push(result(at, vec![other]));
        out.extend([1, 0].map(|value| result(at, vec![Step::Do(I::I32Const(value))])));
    }
}

/// `p || q ? v : u`, written as a `select` whose other arm is a `select`, where both have an arm `v`.
struct Nested {
    inner: u32,
    outer: u32,
    /// Which operand of the outer `select` is the inner one.
    arm: u32,
    /// Which operand of the inner `select` is `v`.
    shared: u32,
}

impl Nested {
    fn of(scanned: &Scanned<'_>, inner: u32) -> Option<Nested> {
        let (outer, arm) = scanned.at(inner).user.filter(|(_, arm)| *arm < 2)?;
        if !is_select(scanned, outer) || Flag::of(scanned, inner).is_some() {
            return None;
        }
        let value = scanned.at(outer).operands[1 - arm as usize].from?;
        let is_value = |&shared: &u32| {
            let from = scanned.at(inner).operands[shared as usize].from;
            from.is_some_and(|from| same_value(scanned, from, value))
        };
        let shared = (0..2).find(is_value)?;
        Some(Nested { inner, outer, arm, shared })
    }

    /// Whether the outer `select` gives `v`.
    fn p(&self) -> impl Iterator<Item = Step> {
        truth(Step::Operand(2), self.arm == 1)
    }

    /// Whether the inner `select` gives `v`, which is kept for the outer one; the inner one gives `u` then.
    fn keep_q(&self) -> Vec<Step> {
        truth(Step::Operand(2), self.shared == 0).chain([Step::Keep, self.u()]).collect()
    }

    fn u(&self) -> Step {
        Step::Operand(1 - self.shared)
    }

    /// Changes of the inner `select`, alone or together with the outer one.
    fn propose_from_inner(&self, out: &mut Vec<Candidate>) {
        for connector in [CONNECTORS[0], CONNECTORS[2], CONNECTORS[3]] {
            let condition = joined(self.p(), [Step::Kept], connector);
            let arms = [Step::Operand(1 - self.arm), Step::Operand(self.arm)];
            let outer = arms.into_iter().chain(condition).chain([Step::Do(I::Select)]).collect();
            out.push(self.both(self.keep_q(), outer));
        }
        out.push(result(self.inner, vec![self.u()]));
        out.push(self.both(vec![self.u()], vec![Step::Operand(self.arm)]));
    }

    /// Changes of the outer `select` alone: only `q`, and true.
    fn propose_from_outer(&self, out: &mut Vec<Candidate>) {
        out.extend([self.arm, 1 - self.arm].map(|arm| result(self.outer, vec![Step::Operand(arm)])));
    }

    fn both(&self, inner: Vec<Step>, outer: Vec<Step>) -> Candidate {
        let edit = |at, code| Edit { at, slot: Slot::Result, code };
        Candidate {
            operator: MutationOperator::Lcr,
            edits: vec![edit(self.inner, inner), edit(self.outer, outer)],
            infections: vec![Infection::Differs, Infection::Differs],
        }
    }
}

/// Whether two instructions push the same constant, or the same local that is not written in between.
fn same_value(scanned: &Scanned<'_>, one: u32, other: u32) -> bool {
    let (a, b) = (&scanned.at(one).operator, &scanned.at(other).operator);
    if let Some(constant) = Constant::of(a) {
        return Constant::of(b) == Some(constant);
    }
    let read = |operator: &Operator<'_>| match operator {
        Operator::LocalGet { local_index } => Some(*local_index),
        _ => None,
    };
    let between = one.min(other) + 1..one.max(other);
    let is_read = |at| read(&scanned.at(at).operator).is_some();
    let written = |at: u32| !is_read(at) && local(&scanned.at(at).operator) == read(a);
    read(a).is_some() && read(a) == read(b) && !between.into_iter().any(written)
}
