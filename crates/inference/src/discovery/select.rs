//! The choice of parents (section 6.1.1 of GenMorph).

use super::Settings;
use super::population::{Fitness, Individual};
use crate::random::Random;

/// Two parents, by best match or by two tournaments.
///
/// # Panics
/// When there are no individuals.
pub(super) fn parents<'a>(
    random: &mut Random,
    individuals: &'a [Individual],
    fitness: Fitness,
    settings: &Settings,
) -> [&'a Individual; 2] {
    if random.chance(settings.best_match) {
        best_match(random, individuals, settings.partners)
    } else {
        let mut winner = || tournament(random, individuals, fitness, settings.tournament);
        [winner(), winner()]
    }
}

/// The best of `among` individuals drawn at random.
pub(super) fn tournament<'a>(
    random: &mut Random,
    individuals: &'a [Individual],
    fitness: Fitness,
    among: usize,
) -> &'a Individual {
    let mut best = random.one_of(individuals);
    for _ in 1..among {
        let other = random.one_of(individuals);
        if fitness.dominates(other, best) {
            best = other;
        }
    }
    best
}

/// A first parent drawn at random, and a second one from `partners` random individuals. A partner is the more likely, the more rows
/// it classifies correctly that the first parent does not.
pub(super) fn best_match<'a>(
    random: &mut Random,
    individuals: &'a [Individual],
    partners: usize,
) -> [&'a Individual; 2] {
    let first = random.one_of(individuals);
    let alone = first.right.count();
    let drawn: Vec<&Individual> = (0..partners.max(1)).map(|_| random.one_of(individuals)).collect();
    let gain = |partner: &Individual| u64::from(first.right.count_union(&partner.right) - alone);
    let gains: Vec<u64> = drawn.iter().map(|partner| gain(partner)).collect();
    let second = random.weighted(gains.iter().copied()).unwrap_or(0);
    [first, drawn[second]]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::population::tests::individual;
    use super::*;
    use crate::discovery::Bits;

    fn with_right(term: i64, rows: u64) -> Individual {
        let right = Arc::new(Bits::from_words(vec![rows]));
        Individual { right, ..individual(term, 1, [0, 0], 0) }
    }

    #[test]
    fn tournaments_favour_the_better_half() {
        let all: Vec<_> = (0..10).map(|i| individual(i, 1, [i as u32, 10 - i as u32], 0)).collect();
        let mut random = Random::new(5);
        let mut wins = |fitness, among| -> usize {
            let winner = |_| tournament(&mut random, &all, fitness, among).term.index();
            (0..2000).map(winner).filter(|&t| t < 5).count()
        };
        // In three of four cases the better of two drawn individuals belongs to the better half.
        assert!((1400..1600).contains(&wins(Fitness::FalsePositives, 2)));
        assert!((400..600).contains(&wins(Fitness::FalseNegatives, 2)));
        assert!((900..1100).contains(&wins(Fitness::FalsePositives, 1)));
    }

    #[test]
    fn the_second_parent_completes_the_first() {
        let all = [with_right(0, 0b0000_1111), with_right(1, 0b0001_1111), with_right(2, 0b1110_0000)];
        let mut random = Random::new(2);
        let mut pairs = [[0; 3]; 3];
        for _ in 0..3000 {
            let [a, b] = best_match(&mut random, &all, 8);
            pairs[a.term.index()][b.term.index()] += 1;
        }
        // Together with the first individual, the second classifies one more row correctly, the third three more.
        assert!(pairs[0][2] > 2 * pairs[0][1] && pairs[0][1] > 0, "{pairs:?}");
        assert!(pairs[1][2] > 900 && pairs[2][1] > pairs[2][0], "{pairs:?}");
    }

    #[test]
    fn both_ways_of_selection_take_part() {
        let all: Vec<_> = (0..4).map(|i| individual(i, 1, [i as u32, 0], 0)).collect();
        let select = |best_match| {
            let settings = Settings { best_match, tournament: 4, ..Settings::default() };
            let mut random = Random::new(9);
            let mut first = || parents(&mut random, &all, Fitness::FalsePositives, &settings)[0].term.index();
            (0..1000).map(|_| first()).filter(|&t| t == 3).count()
        };
        // The worst individual is the first parent in a quarter of the best matches, but wins only one of 256 tournaments.
        assert!(select(1.0) > 200);
        assert!(select(0.0) < 20);
    }
}
