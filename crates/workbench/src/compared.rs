//! A target whose calls another one makes too, and where the two end otherwise.

use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dodona_target::{
    CallError, Caller, Calls, Column, Ending, Outcome, Session, Signature, Target, Traits, Until,
};

/// A target beside another build of the same functions. Everybody sees the calls of the first one alone; those of the other one are made
/// with the same arguments, and where they end otherwise is [told](Compared::differences).
///
/// A call that met a limit in one of them is not compared where [limits differ](Limits::Differ).
#[derive(Clone)]
pub struct Compared {
    target: Arc<dyn Target>,
    other: Arc<dyn Target>,
    limits: Limits,
    seen: Arc<Mutex<BTreeMap<usize, Seen>>>,
}

/// Whether the calls of two targets may take as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// The same fuel, memory and stack: a call that meets a limit in one of them alone has changed.
    Same,
    /// Each has limits of its own kind, such as fuel and seconds: a call that meets one says nothing.
    Differ,
}

/// What was seen of a function.
#[derive(Clone, Debug, Default)]
struct Seen {
    compared: u64,
    differing: u64,
    /// The arguments and the ends of the shortest call that differs, of those of one length the first in alphabetical order: whichever thread
    /// finds which of them first, it is the same one in the end.
    shortest: Option<(usize, String, [String; 2])>,
}

/// Where two builds of a function differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The function, by its index.
    pub function: usize,
    /// How many calls were compared, and how many of them differ.
    pub calls: [u64; 2],
    /// A short call that differs: `f(1, 2)`.
    pub call: String,
    /// How it ends in the target and in the other one: its outputs, or its outcome.
    pub ends: [String; 2],
}

impl Compared {
    /// A target beside another one that has the same functions with the same parameters.
    pub fn new(target: Arc<dyn Target>, other: Arc<dyn Target>, limits: Limits) -> Compared {
        Compared { target, other, limits, seen: Arc::default() }
    }

    /// The functions that differ, in their order.
    pub fn differences(&self) -> Vec<Difference> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let difference = |(function, seen): (&usize, &Seen)| {
            let (_, call, ends) = seen.shortest.clone()?;
            Some(Difference { function: *function, calls: [seen.compared, seen.differing], call, ends })
        };
        seen.iter().filter_map(difference).collect()
    }
}

impl Target for Compared {
    fn name(&self) -> &str {
        self.target.name()
    }

    fn declared_in(&self) -> &Path {
        self.target.declared_in()
    }

    fn functions(&self) -> &[Signature] {
        self.target.functions()
    }

    fn traits(&self) -> Traits {
        self.target.traits()
    }

    fn open(&self) -> Box<dyn Session> {
        let sessions = [self.target.open(), self.other.open()];
        Box::new(ComparedSession { compared: self.clone(), sessions })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self.target.as_any()
    }
}

struct ComparedSession {
    compared: Compared,
    /// Of the target, and of the other one.
    sessions: [Box<dyn Session>; 2],
}

impl Caller for ComparedSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let calls = self.sessions[0].call(function, arguments)?;
        let others = self.sessions[1].call(function, arguments)?;
        let signature = &self.compared.target.functions()[function];
        let found = seen(signature, arguments, [&calls, &others], self.compared.limits);
        self.compared
            .seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(function)
            .or_default()
            .add(found);
        Ok(calls)
    }
}

impl Session for ComparedSession {
    fn end_at(&mut self, until: &Until) {
        self.sessions.iter_mut().for_each(|session| session.end_at(until));
    }

    fn costs(&self) -> &[u64] {
        self.sessions[0].costs()
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        self.sessions[0].why(function, arguments, outcome)
    }

    fn shell(&self, function: usize, arguments: &[Column]) -> Option<String> {
        self.sessions[0].shell(function, arguments)
    }
}

impl Seen {
    fn add(&mut self, more: Seen) {
        self.compared += more.compared;
        self.differing += more.differing;
        self.shortest = self.shortest.take().into_iter().chain(more.shortest).min();
    }
}

/// Compares the calls of some rows.
fn seen(signature: &Signature, arguments: &[Column], calls: [&Calls; 2], limits: Limits) -> Seen {
    let mut seen = Seen::default();
    for row in 0..calls[0].outcomes.len() {
        let outcomes = calls.map(|calls| calls.outcomes[row]);
        let meet = outcomes.map(Outcome::meets_a_limit);
        // Both at the same limit: it is not known what either would give.
        if meet == [true, true] || limits == Limits::Differ && meet != [false, false] {
            continue;
        }
        seen.compared += 1;
        if is_same(outcomes, calls, row) {
            continue;
        }
        seen.differing += 1;
        let call = signature.called_with(arguments, row);
        let key = call.len();
        let is_shorter = |old: &(usize, String, _)| (key, &call) < (old.0, &old.1);
        if seen.shortest.as_ref().is_none_or(is_shorter) {
            seen.shortest = Some((key, call, calls.map(|calls| calls.told(row))));
        }
    }
    seen
}

/// Whether two calls end alike. Builds have different names for what stops a call.
fn is_same(outcomes: [Outcome; 2], [some, others]: [&Calls; 2], row: usize) -> bool {
    match outcomes.map(Outcome::has_outputs) {
        [true, true] => some.same_outputs(row, others, row),
        [false, false] => outcomes.map(Outcome::meets_a_limit) == [false, false],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dodona_target::{Parameter, Scalar, Trap, Type};

    #[test]
    fn the_shortest_call_that_differs_is_told_and_limits_are_left_out() {
        let ty = Type::Scalar(Scalar::I32);
        let signature = Signature::new("f", vec![Parameter::new("x", ty)], Some(ty));
        let calls = |outcomes: [Outcome; 4], outputs: [i128; 4]| Calls {
            outcomes: outcomes.to_vec(),
            outputs: vec![Column::Int(outputs.to_vec())],
        };
        let trapped = Outcome::Trapped(Trap::Panicked);
        let some = calls([Outcome::Returned, Outcome::Returned, Outcome::Returned, trapped], [1, 2, 3, 0]);
        let other = Outcome::Trapped(Trap::Unreachable);
        let others = calls([Outcome::Returned, other, Outcome::OutOfFuel, other], [5, 0, 0, 0]);
        let arguments = [Column::Int(vec![100, 20, 3, 4])];
        let found = seen(&signature, &arguments, [&some, &others], Limits::Differ);
        assert_eq!((found.compared, found.differing), (3, 2));
        let ends = ["2".to_owned(), "trapped: unreachable".to_owned()];
        assert_eq!(found.shortest, Some((5, "f(20)".to_owned(), ends)));
        // With the same limits, one that is met by one of them alone is a difference.
        let found = seen(&signature, &arguments, [&some, &others], Limits::Same);
        assert_eq!((found.compared, found.differing), (4, 3));
        assert_eq!(
            found.shortest.map(|(_, call, ends)| (call, ends[1].clone())),
            Some(("f(3)".into(), "out of fuel".into()))
        );
        let spent = calls([Outcome::OutOfFuel; 4], [0; 4]);
        assert_eq!(seen(&signature, &arguments, [&spent, &spent], Limits::Same).compared, 0);
        assert!(
            !is_same([trapped, Outcome::OutOfFuel], [&some, &others], 0),
            "a trap is not the end of the fuel"
        );
    }
}
