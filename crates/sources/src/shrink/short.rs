//! All changes of a row that is not long, in the order in which they are tried.

use super::rows::{Edit, Elements, Pick, Row};

/// A row of more elements is long: [`super::long`] walks over it, for a list of all changes would hold too many.
///
/// A row of this length has about a thousand changes that shorten it and as many that simplify an element. All of them are
/// tried again after each that was taken, which is half a million elements: milliseconds.
pub(super) const LONGEST: usize = 512;

/// How many elements the rows of all changes hold together, about: what trying each of them once costs.
const BUDGET: usize = 1 << 20;

/// The shorter rows first (half gone, then quarters, down to one element), then the rows of the same
/// length: everything simplified at once, then element by element. Rows below `least` are left out.
pub(super) fn edits(row: &Row, least: usize, elements: &Elements) -> Vec<Edit> {
    let most = BUDGET / row.len().max(1);
    let mut found = shorter(row.len(), least, most / 2);
    found.extend([Edit::Each(Pick::First), Edit::Sort]);
    one_by_one(row, elements, most, &mut found);
    // Smaller steps for elements that must move together, last as they are the least bold.
    found.extend([Edit::Each(Pick::Middle), Edit::Each(Pick::Last)]);
    if matches!(row, Row::Text(_)) {
        // What is not UTF-8 first becomes text.
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

/// One element simplified: the first candidate of each, then the second of each, and so on.
fn one_by_one(row: &Row, elements: &Elements, most: usize, found: &mut Vec<Edit>) {
    let share = (most.saturating_sub(found.len()) / row.len().max(1)).max(2);
    let thinned: Vec<Vec<usize>> = (0..row.len()).map(|at| thin(row.choices(at, elements), share)).collect();
    let rounds = thinned.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..rounds {
        let places = thinned.iter().enumerate();
        found.extend(places.filter_map(|(at, list)| Some(Edit::Element { at, nth: *list.get(round)? })));
    }
}

/// At most `share` of so many candidates, the first and the last among them: the boldest and the safest step.
fn thin(count: usize, share: usize) -> Vec<usize> {
    if count <= share {
        return (0..count).collect();
    }
    (0..share).map(|i| i * (count - 1) / (share - 1)).collect()
}
