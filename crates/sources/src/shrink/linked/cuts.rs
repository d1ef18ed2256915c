//! Elements that are removed together: from several sequences or texts, together with a count of them, or two of one row.

use dodona_target::Value;

use super::slots::{Slot, Unit, length};

/// A row of up to so many elements is tried without any two of them; there are about five hundred such pairs.
const MOST_IN_PAIRS: usize = 32;

/// The number of rows that are combined with each other. More parameters with elements are rare.
const MOST_ROWS: usize = 6;

/// What loses elements together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The indices of the values that lose elements.
    pub(super) rows: Vec<usize>,
    /// Whether the rows after the first lose elements at the same distance from their end, not from their start.
    pub(super) mirrored: bool,
    /// The indices of the slots with integers that decrease.
    pub(super) counts: Vec<usize>,
    /// How many elements are removed for each 1 that the counts decrease.
    pub(super) per: usize,
}

/// Which elements are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removed {
    /// The elements from the first index up to the second.
    Block(usize, usize),
    /// Two elements, at these indices, the smaller one first.
    Two(usize, usize),
}

impl Removed {
    /// The indices of the removed elements of a row, if they are counted from its start or from its end.
    pub(super) fn indices(self, length: usize, from_end: bool) -> Option<Vec<usize>> {
        let mut indices: Vec<usize> = match self {
            Removed::Block(start, end) => (start..end).collect(),
            Removed::Two(first, second) => vec![first, second],
        };
        if from_end {
            indices.iter_mut().try_for_each(|at| {
                *at = length.checked_sub(*at + 1)?;
                Some(())
            })?;
            indices.reverse();
        }
        indices.last().is_none_or(|last| *last < length).then_some(indices)
    }
}

/// The cuts that are tried of these values.
pub(super) fn cuts(values: &[Value], slots: &[Slot]) -> Vec<Cut> {
    let rows: Vec<(usize, usize)> = values
        .iter()
        .enumerate()
        .filter_map(|(i, value)| length(value).filter(|length| *length > 0).map(|length| (i, length)))
        .take(MOST_ROWS)
        .collect();
    let mut found = Vec::new();
    for (sets, is_alone) in [(together(&rows), false), (rows.iter().map(|row| vec![*row]).collect(), true)] {
        for set in sets {
            let indices: Vec<usize> = set.iter().map(|(row, _)| *row).collect();
            for counts in counts(slots, set[0].1) {
                let per = |per| Cut { rows: indices.clone(), mirrored: false, counts: counts.clone(), per };
                // A row by itself, without a count, was tried before.
                let is_new = !is_alone || !counts.is_empty() || set[0].1 <= MOST_IN_PAIRS;
                found.extend(is_new.then(|| per(1)));
                found.extend(of_each(slots, &counts, set[0].1).map(per));
                found.extend((!is_alone).then(|| Cut { mirrored: true, ..per(1) }));
            }
        }
    }
    found
}

/// Sets of several rows: all rows of one length, and each two rows. Each row comes with its length.
fn together(rows: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
    let mut sets: Vec<Vec<(usize, usize)>> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let equal: Vec<(usize, usize)> = rows[i..].iter().copied().filter(|other| other.1 == row.1).collect();
        let is_first = rows[..i].iter().all(|other| other.1 != row.1);
        sets.extend((is_first && equal.len() > 2).then_some(equal));
    }
    for (i, a) in rows.iter().enumerate() {
        sets.extend(rows[i + 1..].iter().map(|b| vec![*a, *b]));
    }
    sets
}

/// The counts that may decrease with rows of a length: none, those that are equal to the length, and each number.
fn counts(slots: &[Slot], length: usize) -> Vec<Vec<usize>> {
    let scalars = || {
        (0..slots.len()).filter(|&i| slots[i].at.is_none() && matches!(slots[i].unit, Unit::Int(x) if x > 0))
    };
    let equal: Vec<usize> = scalars().filter(|&i| slots[i].unit == Unit::Int(length as i128)).collect();
    let several = (equal.len() > 1).then_some(equal);
    [Vec::new()].into_iter().chain(several).chain(scalars().map(|i| vec![i])).collect()
}

/// The number of elements for each of a count, if the row has so many for each: a matrix with a count of its rows.
fn of_each(slots: &[Slot], counts: &[usize], length: usize) -> Option<usize> {
    let [count] = counts else { return None };
    let Unit::Int(count) = slots[*count].unit else { return None };
    let count = usize::try_from(count).ok()?;
    (count > 1 && count < length && length.is_multiple_of(count)).then_some(length / count)
}

impl Cut {
    /// The removals that are tried, the boldest first, of rows of which the first has `length` elements and keeps `least`.
    pub(super) fn removals(&self, length: usize, least: usize) -> Vec<Removed> {
        let mut found = Vec::new();
        let mut blocks = length.saturating_sub(least) / self.per;
        while blocks > 0 {
            let size = blocks * self.per;
            let starts = (0..length).step_by(size).filter(|start| start + size <= length);
            found.extend(starts.map(|start| Removed::Block(start, start + size)));
            blocks /= 2;
        }
        if self.rows.len() == 1 && self.counts.is_empty() && length <= MOST_IN_PAIRS && length >= least + 2 {
            let two = |a: usize| (a + 1..length).map(move |b| Removed::Two(a, b));
            found.extend((0..length).flat_map(two));
        }
        found
    }
}
