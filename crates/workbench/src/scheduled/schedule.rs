//! What a schedule chooses from, what it learns, and the schedule that learns nothing.

/// A partition of a relation's source inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    /// The relation, by its place among those that are checked.
    pub(super) relation: usize,
    /// The partition among those of the relation.
    pub(super) partition: usize,
    /// The partition among all: relations over the same parameters share theirs.
    pub(super) shared: usize,
}

/// What was seen of a group, for a schedule to learn from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lesson {
    /// Whether the group was violated.
    pub(super) is_violation: bool,
    /// The partitions, among all, in which a follow-up input lay, each once.
    pub(super) follow_ups: Vec<usize>,
    /// Whether a call ended in a way that none of its function had before.
    pub(super) new_outcome: bool,
    /// Whether a call gave outputs of a class that none of its function had before.
    pub(super) new_outputs: bool,
    /// How near the group was to a violation, from 0 to 1; 0 where that is not known.
    pub(super) nearness: f64,
}

/// Chooses where the next group is drawn.
pub(super) trait Scheduler {
    /// One of these cells: at least one, in order.
    fn choose(&mut self, open: &[Cell]) -> Cell;

    /// Learns from a group of a cell.
    fn learn(&mut self, cell: Cell, lesson: &Lesson);
}

/// Relations in turn, and for each relation its partitions in turn.
#[derive(Default)]
pub(super) struct RoundRobin {
    last: Option<usize>,
    /// The last partition of each relation.
    partitions: Vec<Option<usize>>,
}

impl Scheduler for RoundRobin {
    fn choose(&mut self, open: &[Cell]) -> Cell {
        let relation = open.iter().find(|cell| Some(cell.relation) > self.last).unwrap_or(&open[0]).relation;
        self.last = Some(relation);
        if self.partitions.len() <= relation {
            self.partitions.resize(relation + 1, None);
        }
        let last = &mut self.partitions[relation];
        let own = || open.iter().filter(|cell| cell.relation == relation);
        let chosen = own().find(|cell| Some(cell.partition) > *last).or_else(|| own().next());
        let chosen = *chosen.unwrap_or(&open[0]);
        *last = Some(chosen.partition);
        chosen
    }

    fn learn(&mut self, _: Cell, _: &Lesson) {}
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A cell of a relation that shares no partition.
    pub(in super::super) fn cell(relation: usize, partition: usize) -> Cell {
        Cell { relation, partition, shared: relation * 10 + partition }
    }

    pub(in super::super) fn lesson(is_violation: bool) -> Lesson {
        Lesson { is_violation, follow_ups: Vec::new(), new_outcome: false, new_outputs: false, nearness: 0.0 }
    }

    proptest! {
        #[test]
        fn every_open_cell_gets_its_turn(open: BTreeSet<(u8, u8)>) {
            prop_assume!(!open.is_empty());
            let cells: BTreeSet<Cell> =
                open.iter().map(|(r, p)| cell((r % 4).into(), (p % 10).into())).collect();
            let cells: Vec<Cell> = cells.into_iter().collect();
            let mut turns = RoundRobin::default();
            let chosen: BTreeSet<Cell> = (0..40).map(|_| turns.choose(&cells)).collect();
            prop_assert_eq!(chosen.into_iter().collect::<Vec<_>>(), cells);
        }
    }

    #[test]
    fn relations_and_partitions_take_turns() {
        let open = [cell(0, 0), cell(0, 1), cell(2, 0), cell(2, 1), cell(2, 2)];
        let mut turns = RoundRobin::default();
        let chosen: Vec<(usize, usize)> =
            (0..7).map(|_| turns.choose(&open)).map(|cell| (cell.relation, cell.partition)).collect();
        assert_eq!(chosen, [(0, 0), (2, 0), (0, 1), (2, 1), (0, 0), (2, 2), (0, 1)]);
        assert_eq!(turns.choose(&open[..2]), open[0], "what is left takes turns");
    }
}
