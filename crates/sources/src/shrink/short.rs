//! All changes of a short row, in the order in which they are tried.

use super::rows::{Edit, Elements, Pick, Row};

/// A row with more elements is long and handled by [`super::long`], because a list of all its changes would be too
/// large.
///
/// A row of this length has about a thousand changes that shorten it and as many that simplify an element. All of
/// them are tried again after each that is taken, which copies half a million elements and takes milliseconds.
pub(super) const LONGEST: usize = 512;

/// The approximate bound on the total number of elements in the rows after each change, and so on the cost of trying
/// every change once.
const BUDGET: usize = 1 << 20;

/// The changes: first those that shorten the row (remove halves, then quarters, down to one element), then those that
/// keep its length (simplify all elements at once, then one by one). No change makes the row shorter than `least`.
pub(super) fn edits(row: &Row, least: usize, elements: &Elements) -> Vec<Edit> {
    let most = BUDGET / row.len().max(1);
    let mut found = shorter(row.len(), least, most / 2);
    found.extend([Edit::Each(Pick::First), Edit::Sort]);
    one_by_one(row, elements, most, &mut found);
    // Smaller steps for elements that must change together, tried last because they simplify least.
    found.extend([Edit::Each(Pick::Middle), Edit::Each(Pick::Last)]);
    if matches!(row, Row::Text(_)) {
        // Converts text that is not UTF-8 to UTF-8.
        found.push(Edit::Keep(row.len()));
    }
    found
}

fn shorter(len: usize, least: usize, most: usize) -> Vec<Edit> {
    let mut found = Vec::new();
    if len <= least {
        return found;
    }
    found.push(Edit::Keep(least));
    let mut size = len - least;
    while size > 0 && found.len() < most {
        found.extend((0..len).step_by(size).map(|start| Edit::Remove(start, (start + size).min(len))));
        size /= 2;
    }
    found
}

/// Adds changes of single elements: the first candidate of each element, then the second of each, and so on.
fn one_by_one(row: &Row, elements: &Elements, most: usize, found: &mut Vec<Edit>) {
    let share = (most.saturating_sub(found.len()) / row.len().max(1)).max(2);
    let thinned: Vec<Vec<usize>> = (0..row.len()).map(|at| thin(row.choices(at, elements), share)).collect();
    let rounds = thinned.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..rounds {
        let places = thinned.iter().enumerate();
        found.extend(places.filter_map(|(at, list)| Some(Edit::Element { at, nth: *list.get(round)? })));
    }
}

/// At most `share` of `count` candidates, always with the first and the last: the largest step and the most cautious
/// one.
fn thin(count: usize, share: usize) -> Vec<usize> {
    if count <= share {
        return (0..count).collect();
    }
    (0..share).map(|i| i * (count - 1) / (share - 1)).collect()
}
