//! The expressions in which a change is shown.

use dodona_subject::wasmparser::Operator as Wasm;
use wasm_encoder::Instruction;

use super::Difference;
use super::build::Builder;
use super::expression::{Binary, Expression, Kind, Numbers, Operator};
use super::operation::memarg;
use super::origin::is_leaf;
use crate::{Candidate, Step};

/// The effects of the edits of a change, each with its instruction. An edit inside the expression of a later edit is shown
/// there.
pub(super) fn differences(builder: &Builder<'_>, candidate: &Candidate) -> Vec<(u32, Difference)> {
    let mut kept = None;
    let mut all: Vec<(u32, Difference)> = Vec::new();
    let mut edited: Vec<(u32, Expression)> = Vec::new();
    for edit in &candidate.edits {
        let new = builder.edited(edit, &mut kept);
        edited.push((edit.at, new.clone()));
        let mut difference = in_context(builder, edit.at, new);
        all.retain(|(at, _)| {
            let earlier = edited.iter().find(|(e, _)| e == at);
            let inside = earlier.and_then(|(at, new)| replaced(&difference.after, *at, new));
            let is_inside = inside.is_some();
            difference.after = inside.unwrap_or_else(|| difference.after.clone());
            !is_inside
        });
        all.push((edit.at, difference));
    }
    all
}

/// The original and the mutated expression. A value that is only fetched, and an address, are shown in the expression that uses
/// them.
fn in_context(builder: &Builder<'_>, at: u32, new: Expression) -> Difference {
    let scanned = builder.scanned();
    if let Wasm::Br { .. } = scanned.at(at).operator {
        return branch(new);
    }
    let mut root = at;
    let mut found = Difference { before: builder.expression(at), after: new.clone() };
    for _ in 0..3 {
        let Some((user, position)) = scanned.at(root).user else { break };
        let is_address = position == 0 && memarg(&scanned.at(user).operator).is_some();
        let passes = match scanned.at(root).operator {
            // A scratch local only passes its value on.
            Wasm::LocalTee { .. } => root != at && !builder.is_named_tee(root),
            ref operator => is_leaf(operator) || is_address,
        };
        if !passes {
            break;
        }
        root = user;
        let before = builder.expression(root);
        let Some(after) = replaced(&before, at, &new) else { break };
        found = Difference { before, after };
    }
    found
}

/// An unconditional branch, and what the mutant does instead.
fn branch(new: Expression) -> Difference {
    let is_never = |condition: &Expression| condition.as_int() == Some(0);
    let after = match new.kind {
        Kind::Condition(condition) if is_never(&condition) => Expression::new(Kind::Sequence(Vec::new())),
        _ => new,
    };
    Difference { before: Expression::new(Kind::Jump), after }
}

/// An expression with the value of an instruction replaced, if it is in there.
fn replaced(expression: &Expression, at: u32, new: &Expression) -> Option<Expression> {
    if expression.at == Some(at) {
        return Some(new.clone());
    }
    let mut copy = expression.clone();
    (copy.at, copy.denies) = (None, None);
    let place = copy.children().into_iter().find_map(|child| {
        let new = replaced(child, at, new)?;
        *child = new;
        Some(())
    });
    place.map(|()| copy)
}

/// Two branches that form a connector such as `p || q`. In the mutant the second branch decides alone.
pub(super) struct Pair {
    /// The conditions of the branches, in order.
    pub conditions: [Expression; 2],
    /// The condition of the second branch in the mutant.
    pub after: Expression,
    /// For each branch, whether it jumps to the exit of the connector if its condition is true.
    pub exits: [bool; 2],
    /// The branches.
    pub places: [u32; 2],
}

/// A change that lets the second of two branches decide for both.
pub(super) fn pair(builder: &Builder<'_>, candidate: &Candidate) -> Option<Pair> {
    let [first, second] = candidate.edits.as_slice() else { return None };
    let condition = |at: u32| match builder.expression(at).kind {
        Kind::Condition(condition) => Some(*condition),
        _ => None,
    };
    let conditions = [condition(first.at)?, condition(second.at)?];
    let exits = [never_exits(first.code.last()?)?, second_exits(&second.code)?];
    let mut kept = None;
    builder.edited(first, &mut kept);
    let Kind::Condition(after) = builder.edited(second, &mut kept).kind else { return None };
    Some(Pair { conditions, after: *after, exits, places: [first.at, second.at] })
}

/// For a condition that never leads to the exit: whether a true condition would lead there.
fn never_exits(step: &Step) -> Option<bool> {
    match step {
        Step::Do(Instruction::I32Const(value)) => Some(*value == 0),
        _ => None,
    }
}

fn second_exits(code: &[Step]) -> Option<bool> {
    if let [step] = code {
        return never_exits(step);
    }
    let at = code.iter().position(|step| matches!(step, Step::Operand(0)))?;
    let is_not = |step: &&Step| matches!(step, Step::Do(Instruction::I32Eqz));
    // A double negation is the truth value of a condition.
    Some(code[at + 1..].iter().take_while(is_not).take(2).count() != 1)
}

impl Pair {
    /// The connector, and what replaced it, as the code has them.
    pub(super) fn difference(&self) -> Difference {
        let turned = |condition: &Expression, exits: bool| {
            let condition = condition.as_condition();
            if exits { condition } else { condition.negated() }
        };
        let [p, q] = [0, 1].map(|side| turned(&self.conditions[side], self.exits[side]));
        let or = Binary { operator: Operator::Or, numbers: Numbers::Signed };
        let before = Expression::new(Kind::Binary(or, p.into(), q.into()));
        Difference { before, after: turned(&self.after, self.exits[1]) }
    }
}
