//! The random choices of a search, all from one seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The random number generator of one search.
#[derive(Clone, Debug)]
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// An index below `n`; all are equally likely, except for a bias of about 2⁻⁶⁴ n.
    ///
    /// # Panics
    /// When `n` is 0.
    pub(crate) fn index(&mut self, n: usize) -> usize {
        assert!(n > 0, "an index below 0 was asked for");
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// An integer in `low..=high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.index((high - low + 1) as usize) as i64
    }

    /// One of these elements, all equally likely.
    ///
    /// # Panics
    /// When there are none.
    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.index(all.len())]
    }

    /// An index into the weights, with a probability in proportion to its weight; `None` if all weights are 0.
    pub(crate) fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> Option<usize> {
        let total: u64 = weights.clone().sum();
        if total == 0 {
            return None;
        }
        let mut left = self.index(total as usize) as u64;
        for (i, weight) in weights.enumerate() {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return Some(i),
            }
        }
        None
    }

    /// An index below `n` other than `not`, all equally likely; `n` is at least 2.
    pub(crate) fn other(&mut self, n: usize, not: usize) -> usize {
        let index = self.index(n - 1);
        if index < not { index } else { index + 1 }
    }

    /// A number in `0.0..1.0`.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_as_likely_as_they_should_be() {
        let mut random = Random::new(1);
        let mut seen = [0u32; 3];
        for _ in 0..6000 {
            seen[random.weighted([1, 0, 2].into_iter()).expect("a weight above 0")] += 1;
        }
        assert!((1800..2200).contains(&seen[0]) && seen[1] == 0, "{seen:?}");
        assert_eq!(random.weighted([0, 0].into_iter()), None);
        let hits = (0..6000).filter(|_| random.chance(0.3)).count();
        assert!((1600..2000).contains(&hits), "{hits}");
        assert!(!random.chance(0.0) && random.chance(1.0));
        let drawn: Vec<i64> = (0..200).map(|_| random.between(-1, 1)).collect();
        assert!([-1, 0, 1].iter().all(|n| drawn.contains(n)) && drawn.iter().all(|n| n.abs() <= 1));
    }

    fn shares<const N: usize>(mut draw: impl FnMut(&mut Random) -> usize) -> [usize; N] {
        let (mut random, mut seen) = (Random::new(1), [0; N]);
        (0..6000).for_each(|_| seen[draw(&mut random)] += 1);
        seen
    }

    #[test]
    fn sectors_of_a_wheel_are_in_proportion_to_their_weights() {
        let seen =
            shares::<4>(|random| random.weighted([10, 0, 20, 30].into_iter()).expect("a weight above 0"));
        assert!((900..1100).contains(&seen[0]) && seen[1] == 0, "{seen:?}");
        assert!((1850..2150).contains(&seen[2]) && (2850..3150).contains(&seen[3]), "{seen:?}");
    }

    #[test]
    fn another_index_is_never_the_same() {
        let seen = shares::<4>(|random| random.other(4, 2));
        assert!(seen[2] == 0 && [0, 1, 3].iter().all(|&i| (1850..2150).contains(&seen[i])), "{seen:?}");
    }
}
