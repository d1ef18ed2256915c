//! Follows an effect behind its block, over code that is executed in any case.
//!
//! A difference at the end of a block often has no influence later: a value is compared and forgotten, or two arms do the same with it. Therefore
//! effects are compared at two places: at the end of the block, and behind the stretches that follow it. What is equal at one of them is equal
//! from there on, so that either is enough.

use std::rc::Rc;

use dodona_smt::term::Term;
use rustc_hash::FxHashMap;

use super::entry::taken;
use super::flow::{Exit, Flow};
use super::segment_run::{Ending, Entry, Outcome, Segment};
use super::stretches::Stretch;
use crate::code::Body;

/// The values at the beginning of a block, and the condition under which it is reached.
#[derive(Clone, Debug)]
struct Arrival {
    condition: Term,
    locals: Vec<Term>,
    globals: Vec<Term>,
}

/// A function whose code is followed.
#[derive(Clone, Copy)]
pub(super) struct Followed<'a> {
    pub body: &'a Rc<Body>,
    pub flow: &'a Flow,
}

impl Followed<'_> {
    /// The effect of a block and of the stretches behind it: as many of these as can be run. The second value is their number.
    pub(super) fn farthest(
        self,
        segment: &mut Segment<'_>,
        block: usize,
        outcome: &Outcome,
        stretches: &[Stretch],
    ) -> (Outcome, usize) {
        let (mut outcome, mut at) = (outcome.clone(), block);
        for (number, stretch) in stretches.iter().enumerate() {
            let Some(next) = self.stretch(segment, at, &outcome, stretch) else { return (outcome, number) };
            outcome = next;
            if let Exit::Block(next) = stretch.end {
                at = next;
            }
        }
        (outcome, stretches.len())
    }

    /// The effect behind one more stretch; `None` if something in it is not supported, or if it is not reached.
    fn stretch(
        self,
        segment: &mut Segment<'_>,
        at: usize,
        before: &Outcome,
        stretch: &Stretch,
    ) -> Option<Outcome> {
        let mut walk = Walk { followed: self, arrivals: FxHashMap::default(), returns: Vec::new() };
        let mut after = before.clone();
        walk.leave(segment, at, Term::bool(true), before)?;
        for &arm in &stretch.arms {
            let Some((entry, condition)) = walk.enter(segment, arm, after.memory) else { continue };
            let outcome = self.run(segment, arm, &entry)?;
            for (_, trap, traps) in &outcome.traps {
                let traps = segment.machine.terms.and(condition, *traps);
                after.traps.push((after.asked.len(), *trap, traps));
            }
            walk.leave(segment, arm, condition, &outcome)?;
        }
        let Exit::Block(next) = stretch.end else { return walk.end(segment, after) };
        let (entry, _) = walk.enter(segment, next, after.memory)?;
        let outcome = self.run(segment, next, &entry)?;
        let made = after.asked.len();
        after.traps.extend(outcome.traps.iter().map(|(asked, trap, traps)| (made + asked, *trap, *traps)));
        after.asked.extend(outcome.asked);
        Some(Outcome { asked: after.asked, traps: after.traps, ..outcome })
    }

    fn run(self, segment: &mut Segment<'_>, block: usize, entry: &Entry) -> Option<Outcome> {
        let of = &self.flow.blocks[block];
        segment.run(self.body, entry, of.start, of.end)
    }
}

/// A walk through the arms of one stretch.
struct Walk<'a> {
    followed: Followed<'a>,
    /// For each block the ways in which it is reached.
    arrivals: FxHashMap<usize, Vec<Arrival>>,
    /// The ends of the function that are reached, with the results.
    returns: Vec<(Arrival, Vec<Term>)>,
}

impl Walk<'_> {
    /// Notes where control goes from the end of a block that is reached under a condition.
    fn leave(
        &mut self,
        segment: &mut Segment<'_>,
        block: usize,
        condition: Term,
        outcome: &Outcome,
    ) -> Option<()> {
        let terms = &mut segment.machine.terms;
        let here = &self.followed.body.locals;
        let arrival = |condition| Arrival {
            condition,
            locals: outcome.locals[..here.len()].to_vec(),
            globals: outcome.globals.clone(),
        };
        match &outcome.ending {
            Ending::Traps => {}
            Ending::Switches(_) => return None,
            Ending::Returns(results) => self.returns.push((arrival(condition), results.clone())),
            Ending::Goes => {
                let [next] = self.followed.flow.blocks[block].successors[..] else { return None };
                self.arrivals.entry(next).or_default().push(arrival(condition));
            }
            Ending::Branches(holds) => {
                for &next in &self.followed.flow.blocks[block].successors {
                    let leads = match taken(self.followed.body, self.followed.flow, (block, next)) {
                        Some(true) => *holds,
                        Some(false) => terms.not(*holds),
                        // Both values of the condition lead there.
                        None => Term::bool(true),
                    };
                    let condition = terms.and(condition, leads);
                    self.arrivals.entry(next).or_default().push(arrival(condition));
                }
            }
        }
        Some(())
    }

    /// The state in which a block begins, and the condition under which it is reached; `None` if nothing leads there.
    fn enter(&mut self, segment: &mut Segment<'_>, block: usize, memory: u32) -> Option<(Entry, Term)> {
        let arrivals = self.arrivals.remove(&block)?;
        let met = meet(segment, &arrivals)?;
        let entry = Entry { locals: met.locals, globals: met.globals, memory, facts: Vec::new() };
        Some((entry, met.condition))
    }

    /// The effect at the end of the function.
    fn end(self, segment: &mut Segment<'_>, after: Outcome) -> Option<Outcome> {
        let (arrivals, results): (Vec<Arrival>, Vec<Vec<Term>>) = self.returns.into_iter().unzip();
        let met = meet(segment, &arrivals)?;
        let conditions: Vec<Term> = arrivals.iter().map(|arrival| arrival.condition).collect();
        let results = chosen(segment, &conditions, &results);
        Some(Outcome { ending: Ending::Returns(results), globals: met.globals, locals: met.locals, ..after })
    }
}

/// What is known where paths meet. Their conditions exclude each other.
fn meet(segment: &mut Segment<'_>, arrivals: &[Arrival]) -> Option<Arrival> {
    let conditions: Vec<Term> = arrivals.iter().map(|arrival| arrival.condition).collect();
    let locals: Vec<Vec<Term>> = arrivals.iter().map(|arrival| arrival.locals.clone()).collect();
    let globals: Vec<Vec<Term>> = arrivals.iter().map(|arrival| arrival.globals.clone()).collect();
    let mut condition = *conditions.first()?;
    for other in &conditions[1..] {
        condition = segment.machine.terms.or(condition, *other);
    }
    Some(Arrival {
        condition,
        locals: chosen(segment, &conditions, &locals),
        globals: chosen(segment, &conditions, &globals),
    })
}

/// The values of the alternative whose condition is true. If none is, the values do not matter.
fn chosen(segment: &mut Segment<'_>, conditions: &[Term], alternatives: &[Vec<Term>]) -> Vec<Term> {
    let Some((last, others)) = alternatives.split_last() else { return Vec::new() };
    let mut values = last.clone();
    for (condition, alternative) in conditions.iter().zip(others).rev() {
        for (value, other) in values.iter_mut().zip(alternative) {
            if *value != *other {
                *value = segment.machine.terms.ite(*condition, *other, *value);
            }
        }
    }
    values
}
