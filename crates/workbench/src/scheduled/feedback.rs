//! Feedback-directed metamorphic testing: a profile of partitions that violations raise.
//!
//! Dynamic random testing keeps a probability for each partition of the inputs, and moves it by a small ε after each test. Sun, Liu, Dai, Chen and others did this with metamorphic groups:
//! a group has inputs in several partitions, its source's and its follow-ups', and its verdict moves all of them; the relation is one of those that apply to the source input.
//!
//! # Decisions
//! - **A violated relation is finished, and its partitions are raised all the same.** Faults make inputs fail that lie together, so that other relations over the same parameters are likely to be
//!   violated there. A relation that shares its partitions with no other learns nothing from its own violation.
//! - **Only partitions that still have a relation can be chosen**, in proportion to the profile. What it says of the others stays.

use dodona_sources::{Seed, Xoshiro256PlusPlus, index};

use super::schedule::{Cell, Lesson, Scheduler};

/// How much a group moves the probability of its partitions, as a share of an equal one. A greater one turns to partitions with violations sooner and leaves the others
/// sooner. Published work moves by 0.05 in profiles of some ten partitions, which is half an equal share; a share, so that a profile of a hundred does not lose a partition by a
/// single group. Of 0.02, 0.1, 0.25, 0.5, 1 and 2, on the faults of `crates/native/examples/schedules.rs` with the seeds 0 to 59, the means of calls until a violation added up to 623, 646, 634,
/// 614, 608 and 614: no value is clearly better.
const EPSILON: f64 = 0.5;

/// Probabilities of partitions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Profile {
    probabilities: Vec<f64>,
    epsilon: f64,
}

impl Profile {
    /// The same probability for each of so many partitions: at least one.
    pub(super) fn new(partitions: usize) -> Profile {
        let equal = 1.0 / partitions as f64;
        Profile { probabilities: vec![equal; partitions], epsilon: EPSILON * equal }
    }

    /// After a violation in a partition: all others are lowered by their share of ε as far as they can be, and this one gets the rest.
    pub(super) fn raise(&mut self, partition: usize) {
        let share = self.share();
        let mut others = 0.0;
        for (place, p) in self.probabilities.iter_mut().enumerate() {
            if place != partition {
                *p = (*p - share).max(0.0);
                others += *p;
            }
        }
        self.probabilities[partition] = 1.0 - others;
    }

    /// After a group without a violation: this partition is lowered by ε as far as it can be, and the others get equal shares of that.
    pub(super) fn lower(&mut self, partition: usize) {
        let count = self.probabilities.len();
        if count == 1 {
            return;
        }
        let lost = self.epsilon.min(self.probabilities[partition]);
        let share = lost / (count - 1) as f64;
        for (place, p) in self.probabilities.iter_mut().enumerate() {
            *p = if place == partition { *p - lost } else { *p + share };
        }
    }

    fn share(&self) -> f64 {
        self.epsilon / self.probabilities.len().saturating_sub(1).max(1) as f64
    }
}

/// The schedule.
pub(super) struct Feedback {
    profile: Profile,
    rng: Xoshiro256PlusPlus,
}

impl Feedback {
    /// Over so many partitions, those of all relations together.
    pub(super) fn new(partitions: usize, seed: Seed) -> Feedback {
        Feedback { profile: Profile::new(partitions.max(1)), rng: seed.stream("schedule/feedback", 0) }
    }

    /// A number in 0..1: 53 bits, as many as a float has.
    fn unit(&mut self) -> f64 {
        const STEPS: u64 = 1 << 53;
        dodona_sources::up_to(&mut self.rng, STEPS - 1) as f64 / STEPS as f64
    }

    fn partition(&mut self, open: &[usize]) -> usize {
        let of = |partition: &usize| self.profile.probabilities[*partition];
        let all: f64 = open.iter().map(of).sum();
        if all <= 0.0 {
            // The profile left all that is open.
            return open[index(&mut self.rng, open.len())];
        }
        let mut left = self.unit() * all;
        for partition in open {
            left -= self.profile.probabilities[*partition];
            if left < 0.0 {
                return *partition;
            }
        }
        open[open.len() - 1]
    }
}

impl Scheduler for Feedback {
    fn choose(&mut self, open: &[Cell]) -> Cell {
        let mut partitions: Vec<usize> = open.iter().map(|cell| cell.shared).collect();
        partitions.sort_unstable();
        partitions.dedup();
        let partition = self.partition(&partitions);
        let applicable: Vec<&Cell> = open.iter().filter(|cell| cell.shared == partition).collect();
        *applicable[index(&mut self.rng, applicable.len())]
    }

    fn learn(&mut self, cell: Cell, lesson: &Lesson) {
        let others = lesson.follow_ups.iter().copied().filter(|partition| *partition != cell.shared);
        for partition in std::iter::once(cell.shared).chain(others) {
            match lesson.is_violation {
                true => self.profile.raise(partition),
                false => self.profile.lower(partition),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::schedule::tests::{cell, lesson};
    use super::*;

    #[test]
    fn a_violation_raises_its_partition_and_lowers_the_others() {
        let mut profile = Profile::new(5);
        profile.raise(2);
        let (raised, lowered) = (0.2 + 0.1, 0.2 - 0.1 / 4.0);
        let wanted = [lowered, lowered, raised, lowered, lowered];
        let is_near = |(p, wanted): (&f64, f64)| (p - wanted).abs() < 1e-12;
        assert!(profile.probabilities.iter().zip(wanted).all(is_near), "{profile:?}");
        profile.lower(2);
        assert!(profile.probabilities.iter().zip([0.2; 5]).all(is_near), "it comes back: {profile:?}");
    }

    #[test]
    fn the_only_partition_keeps_its_probability() {
        let mut profile = Profile::new(1);
        profile.lower(0);
        profile.raise(0);
        assert_eq!(profile.probabilities, [1.0]);
    }

    #[test]
    fn follow_up_partitions_are_moved_too() {
        let mut feedback = Feedback::new(40, Seed(0));
        let violated = Lesson { follow_ups: vec![12, 30], ..lesson(true) };
        feedback.learn(cell(1, 2), &violated);
        let above: Vec<usize> = (0..40).filter(|p| feedback.profile.probabilities[*p] > 1.0 / 40.0).collect();
        assert_eq!(above, [12, 30]);
    }

    #[test]
    fn what_is_raised_is_chosen_more_often() {
        let mut feedback = Feedback::new(20, Seed(3));
        let open: Vec<Cell> = (0..2).flat_map(|relation| (0..10).map(move |p| cell(relation, p))).collect();
        for _ in 0..12 {
            feedback.learn(cell(1, 4), &lesson(true));
        }
        let chosen = (0..1000).filter(|_| feedback.choose(&open) == cell(1, 4)).count();
        assert!(chosen > 200, "{chosen} of 1000, and 50 without what was learnt");
    }

    proptest! {
        #[test]
        fn probabilities_add_up_to_one(count in 1_usize..40, steps: Vec<(u8, bool)>) {
            let mut profile = Profile::new(count);
            for (partition, is_raised) in steps {
                let partition = usize::from(partition) % count;
                let before = profile.probabilities[partition];
                if is_raised { profile.raise(partition) } else { profile.lower(partition) }
                let after = profile.probabilities[partition];
                let is_moved = if is_raised { after >= before - 1e-9 } else { after <= before + 1e-9 };
                prop_assert!(is_moved);
                prop_assert!(profile.probabilities.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)));
                let sum: f64 = profile.probabilities.iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            }
        }

        #[test]
        fn only_open_cells_are_chosen(open: Vec<(u8, u8)>, learnt: Vec<(u8, u8, bool)>, seed: u64) {
            prop_assume!(!open.is_empty());
            let cells: Vec<Cell> = open.iter().map(|(r, p)| cell((r % 3).into(), (p % 10).into())).collect();
            let mut feedback = Feedback::new(30, Seed(seed));
            for (r, p, is_violation) in learnt {
                feedback.learn(cell((r % 3).into(), (p % 10).into()), &lesson(is_violation));
            }
            for _ in 0..20 {
                prop_assert!(cells.contains(&feedback.choose(&cells)));
            }
        }
    }
}
