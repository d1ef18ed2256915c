//! The random choices of a search, all from one seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The random number generator of one search.
#[derive(Clone, Debug)]
pub(super) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// An index below `n`, which is at least 1; all are equally likely, except for a bias of about 2⁻⁶⁴ n.
    pub(super) fn index(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        ((self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64) < probability
    }

    /// An index below `n` other than `not`, all equally likely; `n` is at least 2.
    pub(super) fn other(&mut self, n: usize, not: usize) -> usize {
        let index = self.index(n - 1);
        if index < not { index } else { index + 1 }
    }

    /// Roulette-wheel selection (section 3.3.2): an index with a probability in proportion to its weight. Where all
    /// weights are 0, all indices are equally likely. There is at least one weight.
    pub(super) fn roulette(&mut self, weights: &[u64]) -> usize {
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return self.index(weights.len());
        }
        let mut left = self.index(total as usize) as u64;
        let hit = weights.iter().position(|&weight| match left.checked_sub(weight) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        hit.unwrap_or(weights.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares<const N: usize>(mut draw: impl FnMut(&mut Random) -> usize) -> [usize; N] {
        let (mut random, mut seen) = (Random::new(1), [0; N]);
        (0..6000).for_each(|_| seen[draw(&mut random)] += 1);
        seen
    }

    #[test]
    fn a_roulette_wheel_has_sectors_in_proportion_to_fitness() {
        let seen = shares::<4>(|random| random.roulette(&[10, 0, 20, 30]));
        assert!((900..1100).contains(&seen[0]) && seen[1] == 0, "{seen:?}");
        assert!((1850..2150).contains(&seen[2]) && (2850..3150).contains(&seen[3]), "{seen:?}");
    }

    #[test]
    fn without_any_fitness_all_are_equally_likely() {
        let seen = shares::<3>(|random| random.roulette(&[0, 0, 0]));
        assert!(seen.iter().all(|n| (1850..2150).contains(n)), "{seen:?}");
    }

    #[test]
    fn another_index_is_never_the_same() {
        let seen = shares::<4>(|random| random.other(4, 2));
        assert!(seen[2] == 0 && [0, 1, 3].iter().all(|&i| (1850..2150).contains(&seen[i])), "{seen:?}");
    }
}
