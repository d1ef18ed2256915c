//! A sequence of basic relations: the individual of the search (section 3.3.1).

use std::fmt;

use smallvec::SmallVec;

/// A sequence of basic relations m1 … mk, given by their indices: m1 changes the source input first, mk last.
///
/// ```
/// use dodona_inference::composition::Sequence;
/// let sequence = Sequence::new(&[0, 2]);
/// assert_eq!((sequence.to_string(), sequence.layers()), ("1.3".to_owned(), 2)); // the paper's cmr13
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sequence(SmallVec<[u16; 8]>);

impl Sequence {
    /// A sequence of the relations with these indices.
    ///
    /// # Panics
    /// When an index is above 65,535.
    pub fn new(relations: &[usize]) -> Sequence {
        let gene = |&i: &usize| u16::try_from(i).expect("fewer than 65,536 relations");
        Sequence(relations.iter().map(gene).collect())
    }

    /// The sequence with this number among all sequences of `layers` relations out of `relations`, in which the last
    /// relation varies fastest.
    pub(super) fn numbered(mut number: u128, layers: usize, relations: usize) -> Sequence {
        let mut genes: SmallVec<[u16; 8]> = SmallVec::from_elem(0, layers);
        for gene in genes.iter_mut().rev() {
            *gene = (number % relations as u128) as u16;
            number /= relations as u128;
        }
        Sequence(genes)
    }

    /// The indices of the relations, the innermost first.
    pub fn relations(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.0.iter().map(|&gene| usize::from(gene))
    }

    /// How many relations it has.
    pub fn layers(&self) -> usize {
        self.0.len()
    }

    /// The last relations alone.
    pub(super) fn last(&self, count: usize) -> Sequence {
        Sequence(self.0[self.0.len() - count..].iter().copied().collect())
    }

    /// Two sequences that have exchanged everything behind the first `point` relations (single-point crossover, Figure 3).
    pub(super) fn crossed(&self, other: &Sequence, point: usize) -> [Sequence; 2] {
        let join = |a: &Sequence, b: &Sequence| {
            Sequence(a.0[..point].iter().chain(&b.0[point..]).copied().collect())
        };
        [join(self, other), join(other, self)]
    }

    /// The sequence with another relation at one place (mutation, Figure 3).
    pub(super) fn mutated(&self, place: usize, relation: usize) -> Sequence {
        let mut changed = self.clone();
        changed.0[place] = relation as u16;
        changed
    }
}

/// The numbers of the relations, from 1, as the paper names composite relations: `1.3`.
impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.relations().map(|i| (i + 1).to_string()).collect();
        f.write_str(&numbers.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossover_exchanges_what_is_behind_the_point() {
        // Figure 3, read in the paper's numbers: m1 m2 m5 m7 and m3 m4 m6 m8 at point 2.
        let [a, b] = Sequence::new(&[0, 1, 4, 6]).crossed(&Sequence::new(&[2, 3, 5, 7]), 2);
        assert_eq!((a.to_string(), b.to_string()), ("1.2.6.8".to_owned(), "3.4.5.7".to_owned()));
    }

    #[test]
    fn mutation_replaces_one_relation() {
        // Figure 3: m2 is replaced by m6.
        assert_eq!(Sequence::new(&[0, 1, 4, 6]).mutated(1, 5).to_string(), "1.6.5.7");
    }

    #[test]
    fn numbers_name_all_sequences_once() {
        let all: Vec<String> = (0..9).map(|n| Sequence::numbered(n, 2, 3).to_string()).collect();
        assert_eq!(all, ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3"]);
    }
}
