//! The conditions under which an expectation holds.
//!
//! Conditions are found by sets of rows, with one bit for each row. A condition of two atoms is then computed by two `and`s, so that all
//! pairs of some 300 atoms are tried under 350 changes in a second. Only the most general conditions are kept. Enumerating expressions
//! over twelve parameters would find products that nobody would commit.

use fixedbitset::FixedBitSet;

use crate::patterns::pattern_tuning::MOST_CONDITIONS;

/// A conjunction of atoms, given by their indices. Without atoms it is always true.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Condition {
    /// The atoms in ascending order, at most two.
    pub atoms: Vec<usize>,
    /// The number of valid rows in which it is true.
    pub support: usize,
}

impl Condition {
    /// Those of some rows in which the condition is true. `atoms` has the rows in which each atom is true.
    ///
    /// ```
    /// use dodona_inference::patterns::{Condition, rows_where};
    /// let rows = |is_in: fn(usize) -> bool| rows_where(100, is_in);
    /// let atoms = [rows(|x| x < 60), rows(|x| x % 2 == 0)];
    /// let both = Condition { atoms: vec![0, 1], support: 30 };
    /// assert_eq!(both.within(&rows(|_| true), &atoms).count_ones(..), 30);
    /// assert_eq!(Condition::default().within(&rows(|x| x < 7), &atoms).count_ones(..), 7);
    /// ```
    ///
    /// # Panics
    /// When `atoms` lacks an atom of the condition.
    pub fn within(&self, rows: &FixedBitSet, atoms: &[FixedBitSet]) -> FixedBitSet {
        let mut within = rows.clone();
        self.atoms.iter().for_each(|&atom| within.intersect_with(&atoms[atom]));
        within
    }
}

/// The most general conditions of at most two atoms that are false in every broken row and true in at least `least` valid rows.
/// A condition is left out if another one is true in all its rows: the other says the same of more inputs.
///
/// `atoms` has the rows in which each atom is true.
///
/// ```
/// use dodona_inference::patterns::{conditions, rows_where};
/// let rows = |is_in: fn(usize) -> bool| rows_where(100, is_in);
/// let atoms = [rows(|x| x < 60), rows(|x| x < 50), rows(|x| x % 2 == 0), rows(|x| x < 80)];
/// let found = conditions(&rows(|_| true), &rows(|x| x >= 50 && x % 2 == 1), &atoms, 10);
/// // `x < 50` and `x % 2 == 0` suffice, each in 50 rows. Their conjunction is true in fewer rows and is left out.
/// let atoms: Vec<&[usize]> = found.iter().map(|condition| &condition.atoms[..]).collect();
/// assert_eq!(atoms, [&[1][..], &[2]]);
/// ```
pub fn conditions(
    valid: &FixedBitSet,
    broken: &FixedBitSet,
    atoms: &[FixedBitSet],
    least: usize,
) -> Vec<Condition> {
    let broken = broken & valid;
    let all = valid.count_ones(..);
    if broken.is_clear() {
        return if all >= least { vec![Condition { atoms: Vec::new(), support: all }] } else { Vec::new() };
    }
    let mut found: Vec<(Condition, FixedBitSet)> = Vec::new();
    let mut open = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        let support = atom.intersection_count(valid);
        if support < least || support == all {
            continue;
        }
        match atom.is_disjoint(&broken) {
            true => found.push((Condition { atoms: vec![index], support }, atom & valid)),
            false => open.push((index, atom)),
        }
    }
    for (place, &(first, a)) in open.iter().enumerate() {
        let (a, still_broken) = (a & valid, a & &broken);
        for &(second, b) in &open[place + 1..] {
            if !still_broken.is_disjoint(b) {
                continue;
            }
            let support = a.intersection_count(b);
            if support >= least {
                found.push((Condition { atoms: vec![first, second], support }, &a & b));
            }
        }
    }
    most_general(found)
}

/// The conditions that are true in the most rows. A condition is left out if another one is true in all of its rows.
fn most_general(mut found: Vec<(Condition, FixedBitSet)>) -> Vec<Condition> {
    found.sort_by(|(a, _), (b, _)| {
        (b.support, a.atoms.len(), &a.atoms).cmp(&(a.support, b.atoms.len(), &b.atoms))
    });
    let mut kept: Vec<(Condition, FixedBitSet)> = Vec::new();
    for (condition, rows) in found {
        if kept.len() >= MOST_CONDITIONS {
            break;
        }
        if !kept.iter().any(|(_, others)| rows.is_subset(others)) {
            kept.push((condition, rows));
        }
    }
    kept.into_iter().map(|(condition, _)| condition).collect()
}
