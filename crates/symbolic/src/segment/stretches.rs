//! Which code is executed behind a block in any case, so that an effect can be followed to its end.
//!
//! Behind a block, control may part and meet again. The block where every path meets next is its immediate post-dominator; it is executed in any
//! case, unless a trap comes before. The blocks between are the arms of a *stretch*. An effect is followed over a stretch if its arms have no loop
//! and neither access memory nor call anything: then what they do is a term of the state in which they begin, with a choice between the arms.
//! Where that is not so, the effect is compared before the stretch.

use super::flow::{Exit, Flow};
use crate::code::{Body, Instruction};

/// Blocks between two that are executed in any case, and the second of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The blocks between, each after all that lead to it.
    pub arms: Vec<usize>,
    /// Where they meet again: a block, or the end of the function.
    pub end: Exit,
}

/// The most instructions over which an effect is followed. With more, more effects are told to be equal, and the terms of every mutant of the
/// block grow.
const MOST_INSTRUCTIONS: u32 = 256;

/// How many times as long the arms may be as the code that is executed in any case. A mutant that takes other arms than the original costs more
/// fuel, and one that costs ten times as much counts as an endless loop: it would be killed although its effect is the same.
const MOST_ARMS_TO_CODE: u32 = 4;

/// The stretches behind a block, one after the other, as far as an effect can be followed.
pub(super) fn stretches(body: &Body, flow: &Flow, block: usize) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let mut passed = vec![block];
    let length = |blocks: &[usize]| {
        blocks.iter().map(|&block| flow.blocks[block].end - flow.blocks[block].start).sum::<u32>()
    };
    let (mut certain, mut in_arms) = (length(&[block]), 0);
    let mut at = block;
    while !flow.blocks[at].successors.is_empty()
        && let Some(end) = flow.post_dominator(at)
        && leads_on(body, flow, at)
        && let Some(arms) = arms(flow, &passed, at, end)
        && arms.iter().all(|&arm| is_quiet(body, flow, arm))
    {
        let next = if let Exit::Block(next) = end { Some(next) } else { None };
        if next
            .is_some_and(|next| passed.contains(&next) || body.heights[flow.blocks[next].start as usize] != 0)
        {
            break;
        }
        certain += next.map_or(0, |next| length(&[next]));
        in_arms += length(&arms);
        if certain + in_arms > MOST_INSTRUCTIONS || in_arms > MOST_ARMS_TO_CODE * certain {
            break;
        }
        passed.extend(arms.iter().chain(&next));
        found.push(Stretch { arms, end });
        let Some(next) = next else { break };
        at = next;
    }
    found
}

/// The blocks between a block and where all paths from it meet, each after those that lead to it; `None` if there is a loop among them, or if
/// they lead back to a block that was passed.
fn arms(flow: &Flow, passed: &[usize], at: usize, end: Exit) -> Option<Vec<usize>> {
    let mut search = Search { flow, passed, end, done: Vec::new(), open: Vec::new() };
    for &next in &flow.blocks[at].successors {
        search.visit(next)?;
    }
    search.done.reverse();
    Some(search.done)
}

/// A depth-first search that ends at the meeting point.
struct Search<'a> {
    flow: &'a Flow,
    passed: &'a [usize],
    end: Exit,
    /// The blocks whose successors are all done: in reverse the order in which they are executed.
    done: Vec<usize>,
    /// The blocks on the path to the current one.
    open: Vec<usize>,
}

/// The most blocks between two meeting points. The search is recursive.
const MOST_ARMS: usize = 64;

impl Search<'_> {
    fn visit(&mut self, block: usize) -> Option<()> {
        if self.end == Exit::Block(block) || self.done.contains(&block) {
            return Some(());
        }
        let is_loop = self.open.contains(&block) || self.passed.contains(&block);
        if is_loop || self.open.len() + self.done.len() >= MOST_ARMS {
            return None;
        }
        self.open.push(block);
        for &next in &self.flow.blocks[block].successors {
            self.visit(next)?;
        }
        self.open.pop();
        self.done.push(block);
        Some(())
    }
}

/// Whether it is known under which condition the end of a block leads where: it branches, or goes on to one place.
fn leads_on(body: &Body, flow: &Flow, block: usize) -> bool {
    let last = &body.instructions[flow.blocks[block].end as usize - 1];
    !matches!(last, Instruction::Switch(_) | Instruction::Unsupported(_))
}

/// Whether a block only computes values: it may trap, and has no access to memory and no call.
fn is_quiet(body: &Body, flow: &Flow, block: usize) -> bool {
    use Instruction as I;
    let of = &flow.blocks[block];
    let computes = |instruction: &I| {
        !matches!(
            instruction,
            I::Load(_)
                | I::Store(_)
                | I::Call(_)
                | I::CallIndirect { .. }
                | I::MemorySize
                | I::MemoryGrow
                | I::MemoryCopy
                | I::MemoryFill
                | I::MemoryInit(_)
                | I::DataDrop(_)
                | I::Switch(_)
                | I::Unsupported(_)
        )
    };
    body.heights[of.start as usize] == 0
        && body.instructions[of.start as usize..of.end as usize].iter().all(computes)
}
