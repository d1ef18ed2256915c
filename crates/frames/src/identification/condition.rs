//! Writes conditions in few words. Example: the choices `age < 6` and `age >= 6 and age < 18`, joined by `or`, become `age < 18`.
//!
//! Choices of a category leave nothing between them: every input has exactly one. So choices that are next to each other are written as
//! one range, without the ends beyond which no choice lies.

use std::collections::BTreeSet;

use dodona_relations::ast::{BinaryOperator, Expression, Node, UnaryOperator, binary, chain, int, not};
use dodona_target::Number;

use crate::identification::category::Category;
use crate::identification::cover::{Cube, Literal};
use crate::identification::interval::{Bound, Interval, order};

/// Shortens a disjunction of cubes. Cubes that another cube contains are left out, and so are literals that only exclude what another cube
/// allows: `a or (not a and b)` becomes `a or b`. `all` gives the number of choices of a literal's category.
pub(crate) fn fewer(cubes: &[Cube], all: &dyn Fn(Literal) -> usize) -> Vec<Cube> {
    let mut cubes = cubes.to_vec();
    let mut is_shorter = true;
    while is_shorter {
        is_shorter = false;
        for i in 0..cubes.len() {
            let others: Vec<Cube> =
                cubes.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| other.clone()).collect();
            if let Some(needless) = others.iter().find_map(|other| needless(&cubes[i], other, all)) {
                cubes[i].literals.remove(needless);
                is_shorter = true;
            }
        }
        let kept: Vec<bool> = (0..cubes.len())
            .map(|i| {
                let contains =
                    |j: usize| j != i && cubes[j].contains(&cubes[i]) && (j < i || cubes[j] != cubes[i]);
                !(0..cubes.len()).any(contains)
            })
            .collect();
        let mut kept = kept.into_iter();
        cubes.retain(|_| kept.next().unwrap_or(true));
    }
    cubes
}

/// The place of a literal that a cube does not need, because another cube allows the choices that the literal excludes, wherever the rest
/// of the cube holds. Beside the cube `a`, the cube `not a and b` does not need `not a`.
fn needless(cube: &Cube, other: &Cube, all: &dyn Fn(Literal) -> usize) -> Option<usize> {
    (0..cube.literals.len()).find(|&place| {
        let (literal, choices) = &cube.literals[place];
        let Some((_, others)) = other.literals.iter().find(|(l, _)| l == literal) else { return false };
        let rest = Cube { literals: other.literals.iter().filter(|(l, _)| l != literal).cloned().collect() };
        choices.union(others).count() == all(*literal) && rest.contains(cube)
    })
}

impl Cube {
    /// Whether everything that another cube allows is allowed by this one.
    fn contains(&self, other: &Cube) -> bool {
        self.literals.iter().all(|(literal, choices)| {
            let of_other = other.literals.iter().find(|(l, _)| l == literal);
            of_other.is_some_and(|(_, narrower)| narrower.is_subset(choices))
        })
    }
}

/// The condition that a category has one of some choices, in few words; `None` if it may have any. Every input has exactly one choice, so
/// no input lies between two ranges beside each other, and they can be written as one range.
pub(crate) fn one_of(category: &Category, choices: &BTreeSet<u16>) -> Option<Expression> {
    let all = category.choices.len();
    let conditions = |chosen: bool| {
        let kept = move |(number, _): &(usize, _)| choices.contains(&(*number as u16)) == chosen;
        category.choices.iter().enumerate().filter(kept).map(|(_, choice)| &choice.condition)
    };
    let count = conditions(true).count();
    if count == all {
        return None;
    }
    if count == 1 {
        return conditions(true).next().cloned();
    }
    let as_ranges = ranges(category, choices);
    let but_one =
        conditions(false).next().filter(|_| count + 1 == all).map(|condition| negation(condition.clone()));
    match (as_ranges, but_one) {
        // One range is easier to read than the negation of the other choice.
        (Some(ranges), _) if ranges.len() == 1 => ranges.into_iter().next(),
        (_, Some(but_one)) => Some(but_one),
        (Some(ranges), None) => chain(BinaryOperator::Or, ranges),
        (None, None) => chain(BinaryOperator::Or, conditions(true).cloned()),
    }
}

/// Choices as intervals of one expression; intervals beside each other become one. `None` if the choices of the category are not disjoint
/// intervals of one expression.
fn ranges(category: &Category, choices: &BTreeSet<u16>) -> Option<Vec<Expression>> {
    let mut all: Vec<(usize, &Expression, Interval)> = Vec::new();
    for (number, choice) in category.choices.iter().enumerate() {
        let (base, interval) = Interval::of(&choice.condition)?;
        all.push((number, base, interval));
    }
    let base = all.first()?.1;
    // Intervals without a lower end come first; the others are sorted by their lower ends.
    let low = |interval: &Interval| interval.low.map(|bound| (bound.value, !bound.is_closed));
    all.sort_by(|(_, _, a), (_, _, b)| match (low(a), low(b)) {
        (Some((a, a_open)), Some((b, b_open))) => order(a, b).then(a_open.cmp(&b_open)),
        (a, b) => a.is_some().cmp(&b.is_some()),
    });
    let is_apart = all.windows(2).all(|pair| pair[0].2.is_below(&pair[1].2));
    if !is_apart || all.iter().any(|(_, other, _)| *other != base) {
        return None;
    }
    let is_chosen = |place: usize| choices.contains(&(all[place].0 as u16));
    let mut ranges = Vec::new();
    let mut place = 0;
    while place < all.len() {
        let first = place;
        while place < all.len() && is_chosen(place) {
            place += 1;
        }
        if first == place {
            place += 1;
            continue;
        }
        ranges.push(match place - first {
            1 => category.choices[all[first].0].condition.clone(),
            // An end beyond which no choice lies is left out, because it excludes nothing.
            _ => Interval {
                low: all[first].2.low.filter(|_| first > 0),
                high: all[place - 1].2.high.filter(|_| place < all.len()),
            }
            .write(base)?,
        });
    }
    Some(ranges)
}

/// The condition that one of some conjunctions holds. Conditions that all of them have in common are written once. If what is left of each
/// is a range of one integer, ranges are merged: `x < 3 or x == 3` becomes `x <= 3`. `None` if the condition is always true.
pub(crate) fn either(
    conjunctions: Vec<Vec<Expression>>,
    is_integer: &dyn Fn(&Expression) -> bool,
) -> Option<Expression> {
    let (first, others) = conjunctions.split_first()?;
    let is_common = |e: &Expression| others.iter().all(|other| other.contains(e));
    let common: Vec<Expression> = first.iter().filter(|e| is_common(e)).cloned().collect();
    let rest = |conjunction: &Vec<Expression>| -> Vec<Expression> {
        conjunction.iter().filter(|e| !common.contains(e)).cloned().collect()
    };
    let rests: Vec<Vec<Expression>> = conjunctions.iter().map(rest).collect();
    let mut all = common.clone();
    if rests.iter().all(|rest| !rest.is_empty()) {
        let single: Option<Vec<&Expression>> =
            rests.iter().map(|rest| if let [one] = &rest[..] { Some(one) } else { None }).collect();
        let ranges = single.and_then(|single| union(&single, is_integer));
        match ranges {
            Some(ranges) => all.extend(chain(BinaryOperator::Or, ranges)),
            None => {
                let each = rests.into_iter().filter_map(|rest| chain(BinaryOperator::And, rest));
                all.extend(chain(BinaryOperator::Or, each));
            }
        }
    }
    chain(BinaryOperator::And, all)
}

/// Merges conditions that are ranges of one integer into as few conditions as possible; an empty list if every integer is in some range.
/// `None` if the conditions are not ranges of one integer.
fn union(conditions: &[&Expression], is_integer: &dyn Fn(&Expression) -> bool) -> Option<Vec<Expression>> {
    let mut ranges: Vec<[Option<i128>; 2]> = Vec::new();
    let mut base: Option<&Expression> = None;
    for condition in conditions {
        let (of, interval) = Interval::of(condition)?;
        let (of, shift) = unshifted(of);
        if !is_integer(of) || base.is_some_and(|base| base != of) {
            return None;
        }
        base = Some(of);
        let [low, high] = interval.of_integers()?;
        let back = |end: Option<i128>| end.map_or(Some(None), |end| end.checked_sub(shift).map(Some));
        ranges.push([back(low)?, back(high)?]);
    }
    let base = base?;
    ranges.sort_by_key(|[low, _]| (low.is_some(), *low));
    let mut merged: Vec<[Option<i128>; 2]> = Vec::new();
    for [low, high] in ranges {
        match merged.last_mut() {
            // No integer lies between 3 and 4, so a range up to 3 and one from 4 are one range.
            Some([_, last])
                if last.is_none_or(|last| low.is_none_or(|low| low <= last.saturating_add(1))) =>
            {
                *last = last.zip(high).map(|(a, b)| a.max(b));
            }
            _ => merged.push([low, high]),
        }
    }
    if let [[None, Some(below)], [Some(above), None]] = merged[..]
        && below.checked_add(2) == Some(above)
    {
        return Some(vec![binary(BinaryOperator::NotEqual, base.clone(), int(below + 1))]);
    }
    let bound = |end: Option<i128>| end.map(|i| Bound { value: Number::Int(i), is_closed: true });
    let written =
        merged.iter().map(|[low, high]| Interval { low: bound(*low), high: bound(*high) }.write(base));
    // `write` gives `None` for the range of all integers, and then no condition is left.
    let written: Option<Vec<Expression>> = written.collect();
    Some(written.unwrap_or_default())
}

/// Splits a sum into an expression and an integer: `x - 3` into `x` and -3, and any other expression `x` into `x` and 0.
fn unshifted(e: &Expression) -> (&Expression, i128) {
    match &e.node {
        Node::Binary(BinaryOperator::Add, a, b) => match b.node {
            Node::Int(i) => (a, i),
            _ => (e, 0),
        },
        Node::Binary(BinaryOperator::Subtract, a, b) => match b.node {
            Node::Int(i) => (a, -i),
            _ => (e, 0),
        },
        _ => (e, 0),
    }
}

/// The negation of a condition: `x != 3` for `x == 3`, in general `not (…)`.
pub(crate) fn negation(e: Expression) -> Expression {
    match e.node {
        Node::Unary(UnaryOperator::Not, inner) => *inner,
        Node::Binary(BinaryOperator::Equal, a, b) => {
            Expression::new(Node::Binary(BinaryOperator::NotEqual, a, b))
        }
        node => not(Expression::new(node)),
    }
}
