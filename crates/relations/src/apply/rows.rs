//! Builds registers row by row from other registers.

use dodona_target::Ragged;

use super::register::{Lane, Runs, Valid};

/// Combines two lanes row by row.
pub(crate) fn zip<A: Copy, B: Copy, O: Copy>(
    a: &Lane<'_, A>,
    b: &Lane<'_, B>,
    f: impl Fn(A, B) -> O,
) -> Lane<'static, O> {
    match (a, b) {
        (Lane::One(a), Lane::One(b)) => Lane::One(f(*a, *b)),
        (Lane::Many(a), Lane::One(b)) => Lane::many(a.iter().map(|a| f(*a, *b)).collect()),
        (Lane::One(a), Lane::Many(b)) => Lane::many(b.iter().map(|b| f(*a, *b)).collect()),
        (Lane::Many(a), Lane::Many(b)) => {
            Lane::many(a.iter().zip(b.iter()).map(|(a, b)| f(*a, *b)).collect())
        }
    }
}

/// Combines two lanes row by row if the result may be undefined; undefined rows hold `blank`.
pub(crate) fn zip_checked<A: Copy, B: Copy, O: Copy>(
    a: &Lane<'_, A>,
    b: &Lane<'_, B>,
    blank: O,
    f: impl Fn(A, B) -> Option<O>,
) -> (Lane<'static, O>, Valid) {
    let rows = a.rows().or(b.rows());
    let mut bad = Vec::new();
    let mut row = 0;
    let mut keep = |result: Option<O>| {
        let value = result.unwrap_or_else(|| {
            bad.push(row);
            blank
        });
        row += 1;
        value
    };
    let lane = match (a, b) {
        (Lane::One(a), Lane::One(b)) => Lane::One(keep(f(*a, *b))),
        (Lane::Many(a), Lane::One(b)) => Lane::many(a.iter().map(|a| keep(f(*a, *b))).collect()),
        (Lane::One(a), Lane::Many(b)) => Lane::many(b.iter().map(|b| keep(f(*a, *b))).collect()),
        (Lane::Many(a), Lane::Many(b)) => {
            Lane::many(a.iter().zip(b.iter()).map(|(a, b)| keep(f(*a, *b))).collect())
        }
    };
    (lane, Valid::except(&bad, rows))
}

/// A scalar for each row, computed from the row's index.
pub(crate) fn by_row<O: Copy>(rows: Option<usize>, f: impl Fn(usize) -> O) -> Lane<'static, O> {
    match rows {
        None => Lane::One(f(0)),
        Some(rows) => Lane::many((0..rows).map(f).collect()),
    }
}

/// A scalar for each row that may be undefined, computed from the row's index.
pub(crate) fn by_row_checked<O: Copy>(
    rows: Option<usize>,
    blank: O,
    f: impl Fn(usize) -> Option<O>,
) -> (Lane<'static, O>, Valid) {
    let mut bad = Vec::new();
    let values = (0..rows.unwrap_or(1))
        .map(|row| {
            f(row).unwrap_or_else(|| {
                bad.push(row as u32);
                blank
            })
        })
        .collect::<Vec<_>>();
    let lane = if rows.is_none() { Lane::One(values[0]) } else { Lane::many(values) };
    (lane, Valid::except(&bad, rows))
}

/// A sequence for each row: `f` appends the row's items to an empty buffer and returns whether the row is defined.
/// `room` is the expected number of items of all rows together.
pub(crate) fn build<T: Clone>(
    rows: Option<usize>,
    room: usize,
    mut f: impl FnMut(usize, &mut Vec<T>) -> bool,
) -> (Runs<'static, T>, Valid) {
    let mut items = Vec::new();
    let Some(rows) = rows else {
        let valid = if f(0, &mut items) { Valid::All } else { Valid::Never };
        return (Runs::One(items), valid);
    };
    let (mut all, mut bad) = (Ragged::with_capacity(rows, room), Vec::new());
    for row in 0..rows {
        items.clear();
        if !f(row, &mut items) {
            bad.push(row as u32);
        }
        all.push(&items);
    }
    (Runs::many(all), Valid::except(&bad, Some(rows)))
}

/// Each row of a sequence with all its items mapped or reordered; always defined.
pub(crate) fn map_rows<'r, A: Clone, T: Clone, I: Iterator<Item = T>>(
    runs: &'r Runs<'_, A>,
    rows: Option<usize>,
    f: impl Fn(&'r [A], usize) -> I,
) -> Runs<'static, T> {
    match rows {
        None => Runs::One(f(runs.at(0), 0).collect()),
        Some(rows) => {
            let mut all = Ragged::with_capacity(rows, runs.item_count());
            (0..rows).for_each(|row| all.push_from(f(runs.at(row), row)));
            Runs::many(all)
        }
    }
}
