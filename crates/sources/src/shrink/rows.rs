//! Shorter sequences, and sequences of simpler elements.

use std::cmp::Ordering;

/// How many elements all candidates hold together, about: what a step of shrinking may cost.
const BUDGET: usize = 1 << 20;

/// The shorter rows first (half gone, then quarters, down to one element), then the rows of the same
/// length: everything simplified at once, then element by element. Rows below `least` are left out.
pub(super) fn candidates<T: Clone + PartialEq>(
    row: &[T],
    least: usize,
    element: impl Fn(&T) -> Vec<T>,
    order: impl Fn(&T, &T) -> Ordering,
) -> Vec<Vec<T>> {
    let most = BUDGET / row.len().max(1);
    let mut found: Vec<Vec<T>> = Vec::new();
    shorter(row, least, most / 2, &mut found);
    let simpler: Vec<Vec<T>> = row.iter().map(element).collect();
    found.push(each(row, &simpler, <[T]>::first));
    found.push(in_order(row, order));
    one_by_one(row, &simpler, most, &mut found);
    // Smaller steps for elements that must move together, last as they are the least bold.
    found.push(each(row, &simpler, |list| list.get(list.len() / 2)));
    found.push(each(row, &simpler, <[T]>::last));
    found.dedup();
    found
}

fn shorter<T: Clone>(row: &[T], least: usize, most: usize, found: &mut Vec<Vec<T>>) {
    if row.len() <= least {
        return;
    }
    found.push(row[..least].to_vec());
    let mut size = row.len() - least;
    while size > 0 && found.len() < most {
        size = size.min(row.len() - least);
        for start in (0..row.len()).step_by(size) {
            let end = (start + size).min(row.len());
            found.push([&row[..start], &row[end..]].concat());
        }
        size /= 2;
    }
}

/// Every element replaced by one of its candidates, where it has any.
fn each<T: Clone>(row: &[T], simpler: &[Vec<T>], choose: fn(&[T]) -> Option<&T>) -> Vec<T> {
    row.iter().zip(simpler).map(|(item, list)| choose(list).unwrap_or(item).clone()).collect()
}

/// The simplest element first.
fn in_order<T: Clone>(row: &[T], order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut sorted = row.to_vec();
    sorted.sort_by(order);
    sorted
}

/// One element simplified: the first candidate of each, then the second of each, and so on.
fn one_by_one<T: Clone>(row: &[T], simpler: &[Vec<T>], most: usize, found: &mut Vec<Vec<T>>) {
    let share = (most.saturating_sub(found.len()) / row.len().max(1)).max(2);
    let thinned: Vec<Vec<&T>> = simpler.iter().map(|list| thin(list, share)).collect();
    let rounds = thinned.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..rounds {
        for (place, list) in thinned.iter().enumerate() {
            if let Some(&item) = list.get(round) {
                let mut next = row.to_vec();
                next[place] = item.clone();
                found.push(next);
            }
        }
    }
}

/// At most `share` of the items, the first and the last among them: the boldest and the safest step.
fn thin<T>(list: &[T], share: usize) -> Vec<&T> {
    if list.len() <= share {
        return list.iter().collect();
    }
    (0..share).map(|i| &list[i * (list.len() - 1) / (share - 1)]).collect()
}
