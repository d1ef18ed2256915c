//! The alternating variable method (Korel 1990; McMinn 2004): one variable after the other is moved as long as that brings the
//! constraints nearer, in steps that grow. If no move helps, the search starts again from another point.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use smallvec::SmallVec;

use super::start::Starts;
use super::tape::Tape;
use crate::term::Assignment;

/// Variables up to this width are tried with all their values.
const NARROW: u8 = 8;
/// The most variables that are moved in pairs.
const PAIRED: usize = 8;

/// A search on one list of constraints.
#[derive(Debug)]
pub(super) struct Climb<'t> {
    tape: &'t mut Tape,
    distance: f64,
    left: u64,
}

impl Climb<'_> {
    /// Values for which the constraints are true together, if some are found before `steps` steps of the tape are computed.
    /// `known` are points to begin from.
    pub(super) fn run(tape: &mut Tape, known: &[Assignment], seed: u64, steps: u64) -> Option<Assignment> {
        if tape.variables() == 0 {
            return (tape.distance() == 0.0).then(Assignment::default);
        }
        let starts = Starts::new(tape);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut climb = Climb { distance: tape.distance(), tape, left: steps };
        let mut best = climb.best_of(known, &starts)?;
        for round in 1u64.. {
            if best.0 == 0.0 {
                climb.go_to(&best.1);
                return Some(climb.tape.assignment());
            }
            if climb.left == 0 {
                break;
            }
            // Near the best point so far, or anywhere.
            let near = round.is_multiple_of(3);
            let point = if near {
                starts.near(&best.1, climb.tape, &mut rng)
            } else {
                starts.any(climb.tape, &mut rng)
            };
            let reached = climb.reached_from(&point, &starts);
            best = if reached.0 < best.0 { reached } else { best };
        }
        None
    }

    /// The best point that is reached from zeros and from the known points.
    fn best_of(&mut self, known: &[Assignment], starts: &Starts) -> Option<(f64, Vec<u128>)> {
        let mut points: Vec<Vec<u128>> = known.iter().map(|known| self.point_of(known)).collect();
        points.push(vec![0; self.tape.variables()]);
        let reached = points.iter().map(|point| self.reached_from(point, starts));
        reached.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The point that the search reaches from another point, and its distance.
    fn reached_from(&mut self, point: &[u128], starts: &Starts) -> (f64, Vec<u128>) {
        self.go_to(point);
        self.descend(starts);
        (self.distance, self.point())
    }

    fn point_of(&self, assignment: &Assignment) -> Vec<u128> {
        (0..self.tape.variables()).map(|index| assignment.get(self.tape.variable(index))).collect()
    }

    fn point(&self) -> Vec<u128> {
        (0..self.tape.variables()).map(|index| self.tape.value(index)).collect()
    }

    fn go_to(&mut self, point: &[u128]) {
        let all: Vec<usize> = (0..point.len()).collect();
        self.set(&all, point);
        self.distance = self.tape.distance();
    }

    fn spend(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Moves variables, then pairs of them, until no move helps.
    fn descend(&mut self, starts: &Starts) {
        loop {
            self.descend_singly(starts);
            if self.distance == 0.0 || self.left == 0 || !self.moved_in_pairs() {
                return;
            }
        }
    }

    fn descend_singly(&mut self, starts: &Starts) {
        let mut unmoved = 0;
        let mut index = 0;
        while unmoved < self.tape.variables() && self.distance > 0.0 && self.left > 0 {
            unmoved = if self.moved(index, starts) { 0 } else { unmoved + 1 };
            index = (index + 1) % self.tape.variables();
        }
    }

    /// Whether moving two variables together helped: one constraint comes nearer and the other does not move away.
    fn moved_in_pairs(&mut self) -> bool {
        let before = self.distance;
        for first in 0..self.tape.variables().min(PAIRED) {
            for second in 0..first {
                self.slide(&[first, second], &[false, false]);
                self.slide(&[first, second], &[false, true]);
            }
        }
        self.distance < before
    }

    /// Whether moving a variable helped.
    fn moved(&mut self, index: usize, starts: &Starts) -> bool {
        let before = self.distance;
        self.slide(&[index], &[false]);
        if self.distance == before {
            let width = self.tape.sort(index).width();
            let all = if width <= NARROW { 0..1u128 << width } else { 0..0 };
            all.into_iter()
                .chain(starts.special(self.tape.sort(index)))
                .any(|value| self.improves(&[index], &[value]));
        }
        self.distance < before
    }

    /// Tries steps of all sizes up and down, the smallest first. A step that helps is repeated with twice the size. If several
    /// variables are moved, some move in the opposite direction.
    fn slide(&mut self, indices: &[usize], opposite: &[bool]) {
        let mut exponent = 0;
        let width = indices.iter().map(|&index| self.tape.sort(index).width()).min().unwrap_or(0);
        while exponent < width && self.distance > 0.0 && self.left > 0 {
            let step = 1u128 << exponent;
            if self.accelerate(indices, opposite, step)
                || self.accelerate(indices, opposite, step.wrapping_neg())
            {
                exponent = 0;
            } else {
                exponent += 1;
            }
        }
    }

    fn accelerate(&mut self, indices: &[usize], opposite: &[bool], mut step: u128) -> bool {
        let mut helped = false;
        while self.left > 0 {
            let moved = |(&index, &opposite): (&usize, &bool)| {
                let step = if opposite { step.wrapping_neg() } else { step };
                self.tape.value(index).wrapping_add(step)
            };
            let values: SmallVec<[u128; 2]> = indices.iter().zip(opposite).map(moved).collect();
            if !self.improves(indices, &values) {
                break;
            }
            helped = true;
            step = step.wrapping_mul(2);
        }
        helped
    }

    /// Sets variables, if that brings the constraints nearer.
    fn improves(&mut self, indices: &[usize], values: &[u128]) -> bool {
        let before: SmallVec<[u128; 2]> = indices.iter().map(|&index| self.tape.value(index)).collect();
        self.set(indices, values);
        let distance = self.tape.distance();
        let nearer = distance < self.distance;
        match indices {
            _ if nearer => self.distance = distance,
            &[index] => self.tape.unset(index),
            _ => self.set(indices, &before),
        }
        nearer
    }

    fn set(&mut self, indices: &[usize], values: &[u128]) {
        for (&index, &value) in indices.iter().zip(values) {
            self.tape.set(index, value);
            self.spend(self.tape.cost(index));
        }
    }
}
