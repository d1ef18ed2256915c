//! Connectors as branches: `p || q` jumps to one place if `p` is true, and otherwise if `q` is. In the code these are two
//! conditional branches with only computation between them, where the first skips the second and jumps to a place that the
//! second can jump to. The first branch decides by `p`, and the second one only if the first did not jump.
//!
//! To replace the connector, the first branch keeps its condition and always continues to the second, which then decides for
//! both.

use dodona_subject::wasmparser::{BlockType, Operator};
use wasm_encoder::Instruction as I;

use super::{CONNECTORS, joined, truth};
use crate::emit::access;
use crate::kinds::is_number;
use crate::operators::MutationOperator;
use crate::operators::constant::Constant;
use crate::{Candidate, Edit, Infection, Scanned, Slot, Step};

/// How many instructions ahead a second branch is looked for.
const REACH: u32 = 64;

pub(super) fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if !is_branch(scanned, at) {
        return;
    }
    if let Some(pair) = Pair::of(scanned, at) {
        pair.propose_from_first(out);
    }
    let before = (at.saturating_sub(REACH)..at).filter(|&first| is_branch(scanned, first));
    for pair in before.filter_map(|first| Pair::of(scanned, first)).filter(|pair| pair.second == at) {
        pair.propose_from_second(out);
    }
}

/// Two branches that together decide whether control continues at one place, the exit.
struct Pair {
    first: u32,
    second: u32,
    /// Whether the first branch jumps to the exit if its condition is true.
    first_exits: bool,
    /// Whether the second branch jumps to the exit if its condition is true.
    second_exits: bool,
}

impl Pair {
    fn of(scanned: &Scanned<'_>, first: u32) -> Option<Pair> {
        [true, false].into_iter().find_map(|first_exits| {
            let exit = goal(scanned, successor(scanned, first, first_exits)?.position)?;
            let second = next_branch(scanned, &successor(scanned, first, !first_exits)?)?;
            // A loop may lead back to the first branch, or to a condition before it.
            let second = (second > first).then_some(second)?;
            let goes = |taken: bool| {
                let successor = successor(scanned, second, taken);
                successor.and_then(|s| goal(scanned, s.position)).as_ref() == Some(&exit)
            };
            let second_exits = [true, false].into_iter().find(|&taken| goes(taken))?;
            Some(Pair { first, second, first_exits, second_exits })
        })
    }

    /// Changes of the first branch, alone or together with the second.
    fn propose_from_first(&self, out: &mut Vec<Candidate>) {
        let keep = || {
            let go_on = [Step::Keep].into_iter().chain(self.first_goes(false));
            truth(Step::Operand(0), self.first_exits).chain(go_on).collect()
        };
        for connector in [CONNECTORS[0], CONNECTORS[2], CONNECTORS[3]] {
            let q = truth(Step::Operand(0), self.second_exits);
            let exits = joined([Step::Kept].into_iter(), q, connector);
            let negated = (!self.second_exits).then_some(Step::Do(I::I32Eqz));
            out.push(self.both(keep(), exits.into_iter().chain(negated).collect()));
        }
        let stays = self.second_goes(false);
        out.extend([false, true].map(|exits| self.one(self.first, self.first_goes(exits))));
        out.push(self.both(self.first_goes(false), stays));
    }

    /// The first branch decides alone.
    fn propose_from_second(&self, out: &mut Vec<Candidate>) {
        out.push(self.one(self.second, self.second_goes(false)));
    }

    /// A condition with which the first branch always, or never, jumps to the exit.
    fn first_goes(&self, exits: bool) -> Vec<Step> {
        vec![Step::Do(I::I32Const((self.first_exits == exits).into()))]
    }

    fn second_goes(&self, exits: bool) -> Vec<Step> {
        vec![Step::Do(I::I32Const((self.second_exits == exits).into()))]
    }

    fn one(&self, at: u32, code: Vec<Step>) -> Candidate {
        Candidate::one(MutationOperator::Lcr, at, Slot::Operands, code, Infection::Differs)
    }

    fn both(&self, first: Vec<Step>, second: Vec<Step>) -> Candidate {
        let edit = |at, code| Edit { at, slot: Slot::Operands, code };
        Candidate {
            operator: MutationOperator::Lcr,
            edits: vec![edit(self.first, first), edit(self.second, second)],
            infections: vec![Infection::Differs, Infection::Differs],
        }
    }
}

/// Whether an instruction only branches on a condition.
fn is_branch(scanned: &Scanned<'_>, at: u32) -> bool {
    let scan = scanned.at(at);
    scan.reachable
        && matches!(scan.operator, Operator::BrIf { .. } | Operator::If { .. })
        && scan.operands.len() == 1
}

/// The target of a branch.
struct Successor {
    position: u32,
    /// The block whose end it jumps to.
    past: Option<u32>,
}

fn successor(scanned: &Scanned<'_>, at: u32, taken: bool) -> Option<Successor> {
    let facts = &scanned.facts;
    match scanned.at(at).operator {
        Operator::BrIf { relative_depth } if taken => target(scanned, at, relative_depth),
        Operator::If { .. } if !taken => Some(match facts.elses.get(&at) {
            Some(or) => Successor { position: or + 1, past: None },
            None => Successor { position: facts.ends.get(&at)? + 1, past: Some(at) },
        }),
        _ => Some(Successor { position: at + 1, past: None }),
    }
}

/// Where a label leads.
fn target(scanned: &Scanned<'_>, at: u32, depth: u32) -> Option<Successor> {
    let Some(frame) = scanned.facts.frame(at, depth) else {
        return Some(Successor { position: scanned.instructions.len() as u32 - 1, past: None });
    };
    if let Operator::Loop { .. } = scanned.at(frame).operator {
        return Some(Successor { position: frame + 1, past: None });
    }
    Some(Successor { position: scanned.facts.ends.get(&frame)? + 1, past: Some(frame) })
}

/// The place that control finally reaches. Places are equal if the code does the same from there on.
#[derive(PartialEq, Eq)]
enum Goal {
    Code(u32),
    Returns(Vec<Returned>),
    Traps,
}

/// A value that is returned.
#[derive(PartialEq, Eq)]
enum Returned {
    Constant(Constant),
    Local(u32),
}

fn goal(scanned: &Scanned<'_>, position: u32) -> Option<Goal> {
    let position = settle(scanned, position)?;
    if let Operator::Unreachable = scanned.at(position).operator {
        return Some(Goal::Traps);
    }
    Some(returned(scanned, position).map_or(Goal::Code(position), Goal::Returns))
}

/// Follows jumps and leaves blocks.
fn settle(scanned: &Scanned<'_>, mut position: u32) -> Option<u32> {
    let last = scanned.instructions.len() as u32 - 1;
    for _ in 0..REACH {
        let scan = scanned.at(position);
        position = match scan.operator {
            Operator::End if position < last => position + 1,
            Operator::Nop => position + 1,
            Operator::Else => scanned.facts.ends.get(&position)? + 1,
            Operator::Br { relative_depth } if scan.operands.is_empty() => {
                target(scanned, position, relative_depth)?.position
            }
            _ => break,
        };
    }
    Some(position)
}

/// The value that code returns, if it does nothing else.
fn returned(scanned: &Scanned<'_>, position: u32) -> Option<Vec<Returned>> {
    let mut values = Vec::new();
    for at in (position..scanned.instructions.len() as u32).take(scanned.results.len() + 1) {
        let operator = &scanned.at(at).operator;
        match (Constant::of(operator), operator) {
            (Some(constant), _) => values.push(Returned::Constant(constant)),
            (None, Operator::LocalGet { local_index }) => values.push(Returned::Local(*local_index)),
            (None, Operator::Return | Operator::End) if values.len() == scanned.results.len() => {
                return Some(values);
            }
            _ => return None,
        }
    }
    None
}

/// The next conditional branch that control reaches in any case: there is nothing but computation before it, and no other path
/// leads there.
fn next_branch(scanned: &Scanned<'_>, from: &Successor) -> Option<u32> {
    if from.past.is_some_and(|frame| !only_by_one_branch(scanned, frame)) {
        return None;
    }
    let mut position = from.position;
    for _ in 0..REACH {
        let scan = scanned.instructions.get(position as usize)?;
        position = match scan.operator {
            Operator::BrIf { .. } | Operator::If { .. } => {
                return is_branch(scanned, position).then_some(position);
            }
            Operator::Block { blockty: BlockType::Empty } | Operator::Nop => position + 1,
            Operator::End if is_left_only_here(scanned, position) => position + 1,
            _ if computes(scanned, position) => position + 1,
            _ => return None,
        };
    }
    None
}

/// Whether exactly one branch leads to a block's end. A missing `else` of an `if` counts as a branch.
fn only_by_one_branch(scanned: &Scanned<'_>, frame: u32) -> bool {
    let is_if = matches!(scanned.at(frame).operator, Operator::If { .. });
    let branches = scanned.facts.arrivals.get(&frame).copied().unwrap_or(0);
    let end = scanned.facts.ends.get(&frame);
    let falls = end.is_none_or(|&end| scanned.at(end).reachable);
    !falls && branches + u32::from(is_if) == 1
}

/// Whether control reaches a block's end only from the instruction before it.
fn is_left_only_here(scanned: &Scanned<'_>, end: u32) -> bool {
    let frame = scanned.facts.parents.get(end as usize).copied().flatten();
    frame.is_some_and(|frame| {
        matches!(scanned.at(frame).operator, Operator::Block { .. })
            && !scanned.facts.arrivals.contains_key(&frame)
    })
}

/// Whether an instruction only computes: it writes nothing but locals, and calls nothing.
fn computes(scanned: &Scanned<'_>, at: u32) -> bool {
    use Operator as O;
    let scan = scanned.at(at);
    let numbers =
        scan.operands.iter().all(|o| is_number(o.ty)) && scan.results.iter().all(|ty| is_number(*ty));
    if !scan.reachable || !numbers {
        return false;
    }
    match scan.operator {
        O::LocalSet { .. } | O::Drop => true,
        O::Call { .. } | O::CallIndirect { .. } | O::CallRef { .. } | O::MemoryGrow { .. } => false,
        O::Select | O::TypedSelect { .. } => true,
        ref operator => {
            let pure = crate::operators::binary::is_binary(scan)
                || crate::kinds::is_comparison(operator)
                || access(operator).is_some()
                || scan.operands.len() <= 1;
            scan.results.len() == 1 && pure
        }
    }
}
