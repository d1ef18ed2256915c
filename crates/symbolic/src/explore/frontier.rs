//! The states that wait, and the order in which they continue.

use dodona_target::next_splitmix64;
use fixedbitset::FixedBitSet;

use super::distance::{Distances, FAR};
use crate::code::Code;
use crate::state::State;
use crate::step::Then;

/// The order of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Depth first: the newest state. A path is followed to its end before the next one begins.
    DepthFirst,
    /// Breadth first: the state with the fewest choices so far, and the oldest of these.
    BreadthFirst,
    /// A random walk from the root of the tree of choices: a state after n choices is chosen with weight 2^-n.
    RandomPath,
    /// Coverage first: the state with the fewest branches to an edge that no finished path has taken. A state that has taken
    /// such an edge itself comes first of all. Once all edges are covered, the order is depth first.
    #[default]
    NearestUncovered,
}

impl Order {
    /// Every order.
    pub const ALL: [Order; 4] =
        [Order::DepthFirst, Order::BreadthFirst, Order::RandomPath, Order::NearestUncovered];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Order::DepthFirst => "dfs",
            Order::BreadthFirst => "bfs",
            Order::RandomPath => "random-path",
            Order::NearestUncovered => "nearest-uncovered",
        }
    }
}

/// A state that waits.
pub(super) struct Entry {
    /// Boxed, because entries move when an earlier one is taken.
    pub state: Box<State>,
    /// The side of a decision that has not been shown to be possible yet. Its constraint is the state's last one.
    pub pending: Option<Then>,
    /// The number of the entry, in the order of arrival.
    number: u64,
    /// The distance to an uncovered edge, computed for a version of the coverage.
    distance: (u32, u32),
}

impl Entry {
    pub(super) fn new(state: State) -> Entry {
        Entry { state: Box::new(state), pending: None, number: 0, distance: (0, 0) }
    }

    /// The number of terms that it holds by itself: its constraints and its operands. On a long path these take most of the
    /// memory.
    fn weight(&self) -> usize {
        self.state.constraints.len() + self.state.stack.len()
    }

    pub(super) fn pending(state: State, then: Then) -> Entry {
        Entry { pending: Some(then), ..Entry::new(state) }
    }
}

/// The states that wait.
pub(super) struct Frontier {
    order: Order,
    entries: Vec<Entry>,
    /// The number of terms that all of them hold.
    weight: usize,
    arrived: u64,
    pops: u64,
    distances: Distances,
    random: u64,
}

impl Frontier {
    pub(super) fn new(order: Order, seed: u64) -> Frontier {
        Frontier {
            order,
            entries: Vec::new(),
            weight: 0,
            arrived: 0,
            pops: 0,
            distances: Distances::default(),
            random: seed,
        }
    }

    /// How many terms the states that wait hold by themselves.
    pub(super) fn weight(&self) -> usize {
        self.weight
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn push(&mut self, mut entry: Entry) {
        self.arrived += 1;
        entry.number = self.arrived;
        self.weight += entry.weight();
        self.entries.push(entry);
    }

    /// Takes the state that continues next.
    pub(super) fn pop(&mut self, code: &Code, covered: &FixedBitSet) -> Option<Entry> {
        let index = match self.order {
            _ if self.entries.is_empty() => return None,
            Order::DepthFirst => self.entries.len() - 1,
            Order::BreadthFirst => self.shallowest(),
            Order::RandomPath => self.drawn(),
            Order::NearestUncovered => self.nearest(code, covered),
        };
        // The order of arrival is kept, so that the newest state is last.
        Some(self.remove(index))
    }

    /// Takes all states that are known to be possible, in the order of arrival.
    pub(super) fn take_ready(&mut self) -> Vec<State> {
        self.weight = 0;
        let entries = std::mem::take(&mut self.entries).into_iter();
        entries.filter(|entry| entry.pending.is_none()).map(|entry| *entry.state).collect()
    }

    /// Drops the state that would be chosen last.
    pub(super) fn drop_worst(&mut self, code: &Code, covered: &FixedBitSet) {
        let index = match self.order {
            Order::DepthFirst => 0,
            Order::BreadthFirst => {
                self.best(|e| (u64::from(u32::MAX - e.state.choices), u64::MAX - e.number))
            }
            Order::RandomPath => self.best(|e| (u64::from(u32::MAX - e.state.choices), e.number)),
            Order::NearestUncovered => {
                self.measure(code, covered);
                self.best(|e| (u64::from(u32::MAX - e.distance.1), e.number))
            }
        };
        self.remove(index);
    }

    /// The index of the entry with the least key.
    fn remove(&mut self, index: usize) -> Entry {
        let entry = self.entries.remove(index);
        self.weight -= entry.weight();
        entry
    }

    fn best(&self, key: impl Fn(&Entry) -> (u64, u64)) -> usize {
        let least = self.entries.iter().enumerate().min_by_key(|(_, entry)| key(entry));
        least.map_or(0, |(index, _)| index)
    }

    fn shallowest(&self) -> usize {
        self.best(|entry| (entry.state.choices.into(), entry.number))
    }

    fn nearest(&mut self, code: &Code, covered: &FixedBitSet) -> usize {
        self.measure(code, covered);
        self.pops += 1;
        let least = self.entries.iter().map(|entry| entry.distance.1).min().unwrap_or(0);
        // Of equally good states the newest is taken, because the solver still has its constraints. Every other time the one
        // with the fewest choices is taken; otherwise one part of the tree might be searched for long.
        match self.pops.is_multiple_of(2) && least != FAR {
            true => self.best(|entry| (entry.distance.1.into(), entry.state.choices.into())),
            false => self.best(|entry| (entry.distance.1.into(), u64::MAX - entry.number)),
        }
    }

    fn measure(&mut self, code: &Code, covered: &FixedBitSet) {
        let version = self.distances.update(code, covered);
        for entry in &mut self.entries {
            if entry.distance.0 != version {
                entry.distance = (version, self.distances.of(&entry.state, entry.pending.as_ref()));
            }
        }
    }

    /// A walk from the root takes both sides of each choice equally often, so that a state after n choices has weight 2^-n.
    fn drawn(&mut self) -> usize {
        let shallowest = self.entries.iter().map(|e| e.state.choices).min().unwrap_or(0);
        let weight = |entry: &Entry| 1u64 << (40 - (entry.state.choices - shallowest).min(40));
        let total: u64 = self.entries.iter().map(weight).sum();
        let mut left = next_splitmix64(&mut self.random) % total;
        for (index, entry) in self.entries.iter().enumerate() {
            match left.checked_sub(weight(entry)) {
                Some(rest) => left = rest,
                None => return index,
            }
        }
        self.entries.len() - 1
    }
}
