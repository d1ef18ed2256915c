//! How soon tests in an order kill mutants: a curve, the area below it, and a good order.

use dodona_records::{Undetected, apfd};

use crate::chart::Line;

/// How many mutants are killed after each test of an order.
pub(crate) fn curve(tests: &[Vec<usize>], order: &[usize]) -> Vec<usize> {
    let mut is_killed = vec![false; rows(tests)];
    let mut count = 0;
    let mut after = |test: &usize| {
        for &row in &tests[*test] {
            count += usize::from(!is_killed[row]);
            is_killed[row] = true;
        }
        count
    };
    order.iter().map(&mut after).collect()
}

/// The rows that there are at least.
fn rows(tests: &[Vec<usize>]) -> usize {
    tests.iter().flatten().max().map_or(0, |last| last + 1)
}

/// The tests in an order in which each is the one that kills most of what is left; of equal ones the earlier. Those that kill nothing new come last, in their own order.
pub(crate) fn greedy(tests: &[Vec<usize>]) -> Vec<usize> {
    let mut killers = vec![Vec::new(); rows(tests)];
    for (test, kills) in tests.iter().enumerate() {
        kills.iter().for_each(|&row| killers[row].push(test));
    }
    // How many mutants each test kills that no chosen one does.
    let mut new: Vec<usize> = tests.iter().map(Vec::len).collect();
    let mut is_killed = vec![false; killers.len()];
    let (mut order, mut is_chosen) = (Vec::new(), vec![false; tests.len()]);
    let best = |new: &[usize]| {
        let some = new.iter().enumerate().filter(|(_, count)| **count > 0);
        some.max_by_key(|(test, count)| (**count, std::cmp::Reverse(*test))).map(|(test, _)| test)
    };
    while let Some(test) = best(&new) {
        for &row in tests[test].iter().filter(|row| !std::mem::replace(&mut is_killed[**row], true)) {
            killers[row].iter().for_each(|killer| new[*killer] -= 1);
        }
        is_chosen[test] = true;
        order.push(test);
    }
    order.extend((0..tests.len()).filter(|test| !is_chosen[*test]));
    order
}

/// The average percentage of faults detected, of faults that all are detected: the area below the curve. `None` of nothing.
pub(crate) fn area(curve: &[usize]) -> Option<f64> {
    let before = [0].iter().chain(curve);
    let firsts = (1..)
        .zip(curve.iter().zip(before))
        .flat_map(|(test, (killed, before))| std::iter::repeat_n(Some(test), killed - before));
    apfd(curve.len() as u64, &firsts.collect::<Vec<_>>(), Undetected::LeftOut)
}

/// A curve in percent of the faults. Between tests that kill nothing new it has no points.
pub(crate) fn line(name: String, curve: &[usize], faults: usize) -> Line {
    let percent = |killed: usize| 100.0 * killed as f64 / faults as f64;
    let is_turn = |at: usize| {
        at + 1 == curve.len() || curve[at + 1] != curve[at] || at == 0 || curve[at - 1] != curve[at]
    };
    let turns = (0..curve.len()).filter(|at| is_turn(*at));
    let turns = turns.map(|at| (at as f64 + 1.0, percent(curve[at])));
    Line { name, points: [(0.0, 0.0)].into_iter().chain(turns).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Rothermel et al. (2001): five tests, ten faults.
    fn example() -> Vec<Vec<usize>> {
        vec![vec![0, 4], vec![5, 6], vec![0, 1, 2, 3, 4, 5, 6], vec![4], vec![7, 8, 9]]
    }

    #[test]
    fn the_area_below_a_curve_is_that_of_the_worked_example() {
        let of = |order: &[usize]| area(&curve(&example(), order)).expect("faults are detected");
        // A-B-C-D-E 50 %, E-D-C-B-A 64 %, C-E-B-A-D 84 %.
        assert!((of(&[0, 1, 2, 3, 4]) - 0.50).abs() < 1e-12);
        assert!((of(&[4, 3, 2, 1, 0]) - 0.64).abs() < 1e-12);
        assert!((of(&[2, 4, 1, 0, 3]) - 0.84).abs() < 1e-12);
        assert_eq!(area(&[]), None);
        assert_eq!(area(&[0, 0]), None);
    }

    #[test]
    fn the_greedy_order_takes_what_kills_most_of_what_is_left() {
        assert_eq!(greedy(&example()), [2, 4, 0, 1, 3]);
        assert_eq!(greedy(&[vec![], vec![1], vec![1]]), [1, 0, 2]);
        assert!(greedy(&[]).is_empty());
    }

    #[test]
    fn a_curve_has_points_where_it_turns() {
        let line = line("a".into(), &[1, 1, 1, 1, 4], 4);
        assert_eq!(line.points, [(0.0, 0.0), (1.0, 25.0), (4.0, 25.0), (5.0, 100.0)]);
    }
}
