//! Recorded executions of functions written in Rust, for tests.

use dodona_relations::{ast::Expression, plan::Ty};
use dodona_target::{Column, splitmix64};

use super::{Pairs, Place, Variable};

/// Variables of a function of integers: the parameters, those that the transformation changes again with a prime, then `o` and `o'`.
pub(super) fn variables(parameters: &[&str], changed: &[usize]) -> Vec<Variable> {
    let variable = |place, name: String| Variable { place, ty: Ty::Int, expression: Expression::name(name) };
    let inputs = parameters.iter().enumerate().map(|(i, p)| variable(Place::SourceInput(i), (*p).into()));
    let follow_ups =
        changed.iter().map(|&i| variable(Place::FollowUpInput(i), format!("{}'", parameters[i])));
    let outputs = [(Place::SourceOutput(0), "o"), (Place::FollowUpOutput(0), "o'")];
    inputs.chain(follow_ups).chain(outputs.map(|(place, name)| variable(place, name.into()))).collect()
}

/// Executions of a function of two integers and of its mutants. The last argument of `call` is the number of the mutant, 0 for the
/// function itself. `None` is a call that does not return.
pub(super) fn pairs(
    parameters: [&str; 2],
    changed: &[usize],
    follow_up: impl Fn(i64, i64) -> (i64, i64),
    inputs: &[(i64, i64)],
    mutants: u32,
    call: impl Fn(i64, i64, u32) -> Option<i64>,
) -> Pairs {
    let variables = variables(&parameters, changed);
    let mut rows: Vec<Vec<i64>> = Vec::new();
    let (mut refused, mut incorrect, mut correct) = (vec![Vec::new(); 3], Vec::new(), 0);
    let row = |a: i64, b: i64, outputs: [i64; 2]| -> Vec<i64> {
        let (c, d) = follow_up(a, b);
        [a, b].into_iter().chain(changed.iter().map(|&i| [c, d][i])).chain(outputs).collect()
    };
    for mutant in 0..=mutants {
        for &(a, b) in inputs {
            let (c, d) = follow_up(a, b);
            let right = (call(a, b, 0), call(c, d, 0));
            match ((call(a, b, mutant), call(c, d, mutant)), right) {
                ((Some(_), Some(_)), now)
                    if mutant > 0 && (call(a, b, mutant), call(c, d, mutant)) == now => {}
                ((Some(o), Some(p)), (Some(_), Some(_))) => {
                    rows.push(row(a, b, [o, p]));
                    correct += usize::from(mutant == 0);
                    incorrect.extend(mutant.checked_sub(1));
                }
                ((Some(o), None), _) if mutant == 0 => {
                    refused.iter_mut().zip([a, b, o]).for_each(|(column, x)| column.push(i128::from(x)));
                }
                _ => {}
            }
        }
    }
    let column = |i: usize| Column::Int(rows.iter().map(|row| row[i].into()).collect());
    Pairs {
        columns: (0..variables.len()).map(column).collect(),
        variables,
        correct,
        mutants: incorrect,
        mutant_count: mutants as usize,
        refused: refused.into_iter().map(Column::Int).collect(),
        crashed: vec![],
        constants: vec![],
    }
}

/// Up to `count` distinct pairs of integers from a range.
pub(super) fn inputs(count: u64, range: std::ops::Range<i64>) -> Vec<(i64, i64)> {
    let width = (range.end - range.start) as u64;
    let draw = |n: u64| range.start + (splitmix64(n) % width) as i64;
    let mut inputs: Vec<_> = (0..count).map(|i| (draw(2 * i), draw(2 * i + 1))).collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}

/// `pow(k, e)` by squaring with 32 bits, and `e' = e - 1`; it does not return for negative exponents.
pub(super) fn pow(count: u64) -> Pairs {
    let call = |k: i64, e: i64, mutant: u32| {
        let (mut result, mut square, mut e) = (i64::from(mutant != 2), k as i32, e);
        if e < 0 {
            return None;
        }
        while e != 0 {
            if (e & 1 == 1) != (mutant == 3) {
                result = i64::from((result as i32).wrapping_mul(square));
            }
            square = if mutant == 1 { square } else { square.wrapping_mul(square) };
            e >>= if mutant == 4 { 2 } else { 1 };
        }
        Some(result)
    };
    let inputs: Vec<_> = inputs(count, -12..12).into_iter().filter(|&(_, e)| (0..8).contains(&e)).collect();
    pairs(["k", "e"], &[1], |k, e| (k, e - 1), &inputs, 4, call)
}

/// `gcd(a, b)` by Euclid's algorithm, and `a' = b`, `b' = a`.
pub(super) fn gcd(count: u64) -> Pairs {
    let call = |a: i64, b: i64, mutant: u32| {
        let (mut a, mut b) = (a.abs(), b.abs());
        while b != 0 && a < 1 << 40 {
            (a, b) = match mutant {
                1 => (b, (a - 1).rem_euclid(b)),
                2 => (b + 1, a % b),
                _ => (b, a % b),
            };
        }
        Some(if mutant == 3 { a.max(2) } else { a })
    };
    pairs(["a", "b"], &[], |a, b| (b, a), &inputs(count, -40..40), 3, call)
}
