//! Finds the minimal sets among many sets.

use fixedbitset::FixedBitSet;

/// The number of words that are compared before the loop checks whether to end. A loop without an exit is compiled to vector
/// instructions.
const STEP: usize = 8;

/// The indices of the sets that contain no other set. The sets are distinct and not empty, contain numbers below `tests`, and
/// are sorted by size.
///
/// Each set is compared with the minimal sets among those before it. Two measures avoid or shorten nearly all comparisons. The
/// rest is bounded by the square of the number of sets times the number of their words.
///
/// - The numbers are renamed, the rarest first. A minimal set is looked for only under its rarest number, which the larger set
///   has to contain.
/// - The comparison begins at this number, where sets differ most, and ends at the last number of the smaller set.
pub(super) fn minimal(tests: usize, sets: &[&FixedBitSet]) -> Vec<usize> {
    let rows = Rows::rarest_first(tests, sets);
    let mut under: Vec<Vec<usize>> = vec![Vec::new(); tests];
    // The numbers under which there is a set.
    let mut used = vec![0_u64; rows.stride];
    let mut found = Vec::new();
    for (place, set) in rows.sets.iter().enumerate() {
        let is_smaller = |other: &&usize| rows.sets[**other].size < set.size;
        let contains = |number: usize| {
            under[number].iter().take_while(is_smaller).any(|&other| rows.is_within(other, place))
        };
        let shared = rows.words(place).iter().zip(&used).map(|(a, b)| a & b);
        if !ones(shared).any(contains) {
            found.push(place);
            under[set.first].push(place);
            used[set.first / 64] |= 1 << (set.first % 64);
        }
    }
    found
}

/// The numbers of the bits that are set, ascending.
fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().filter(|(_, word)| *word != 0).flat_map(|(at, word)| {
        let bits =
            std::iter::successors(Some(word), |rest| Some(rest & (rest - 1)).filter(|rest| *rest != 0));
        bits.map(move |rest| at * 64 + rest.trailing_zeros() as usize)
    })
}

/// Sets as rows of words, their numbers renamed.
struct Rows {
    stride: usize,
    words: Vec<u64>,
    sets: Vec<Set>,
}

struct Set {
    size: usize,
    /// Its least number after renaming.
    first: usize,
    /// The words that may not be zero: from the one with `first` up to, but not including, this one.
    end: usize,
}

impl Rows {
    fn rarest_first(tests: usize, sets: &[&FixedBitSet]) -> Self {
        let new_name = names(tests, sets);
        let stride = tests.div_ceil(64);
        let mut words = vec![0_u64; stride * sets.len()];
        let mut described = Vec::with_capacity(sets.len());
        for (place, set) in sets.iter().enumerate() {
            let row = &mut words[place * stride..(place + 1) * stride];
            for number in set.ones() {
                row[new_name[number] / 64] |= 1 << (new_name[number] % 64);
            }
            let begin = row.iter().position(|word| *word != 0).expect("no set is empty");
            let end = row.iter().rposition(|word| *word != 0).expect("no set is empty") + 1;
            let first = begin * 64 + row[begin].trailing_zeros() as usize;
            described.push(Set { size: set.count_ones(..), first, end });
        }
        Rows { stride, words, sets: described }
    }

    fn words(&self, place: usize) -> &[u64] {
        &self.words[place * self.stride..(place + 1) * self.stride]
    }

    fn is_within(&self, inner: usize, outer: usize) -> bool {
        let Set { first, end, .. } = self.sets[inner];
        let range = first / 64..end;
        let (inner, outer) = (&self.words(inner)[range.clone()], &self.words(outer)[range]);
        let outside = |(a, b): (&[u64], &[u64])| a.iter().zip(b).fold(0, |bits, (a, b)| bits | a & !b);
        inner.chunks(STEP).zip(outer.chunks(STEP)).all(|pair| outside(pair) == 0)
    }
}

/// The new name of each number. The fewer sets contain a number, the smaller is its name.
fn names(tests: usize, sets: &[&FixedBitSet]) -> Vec<usize> {
    let mut counts = vec![0_usize; tests];
    sets.iter().flat_map(|set| set.ones()).for_each(|number| counts[number] += 1);
    let mut numbers: Vec<usize> = (0..tests).collect();
    numbers.sort_by_key(|&number| counts[number]);
    let mut new_name = vec![0; tests];
    numbers.iter().enumerate().for_each(|(name, &number)| new_name[number] = name);
    new_name
}
