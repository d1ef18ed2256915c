//! Comparisons between two terms of the bank, at least one of which mentions a follow-up output.

use super::bank::{Bank, Stored};
use super::conjectures::{Allowed, Conjectures, agree, agreeing, compare, equality};
use crate::discovery::tuning::{CONTAINMENT_SIZE, INEQUALITY_SIZE};
use crate::discovery::{Operator, is_number, is_sequence};

/// Tries every equality between a stored term that mentions a follow-up output and any other stored term, and the other comparisons
/// between small terms.
pub(super) fn join(bank: &mut Bank, conjectures: &mut Conjectures, go_on: &dyn Fn() -> bool) {
    let all: Vec<(usize, Stored)> = (1..bank.sizes.len())
        .flat_map(|size| bank.sizes[size].iter().map(move |stored| (size, stored.clone())))
        .collect();
    for (i, (size, a)) in all.iter().enumerate().filter(|(_, (_, a))| a.is_follow_up) {
        if !go_on() {
            return;
        }
        for (j, (other, b)) in all.iter().enumerate() {
            // If both terms mention a follow-up output, each pair is tried once.
            if b.is_follow_up && j >= i {
                continue;
            }
            let variables = bank.terms.variables(a.term) | bank.terms.variables(b.term);
            if conjectures.is_metamorphic(variables) {
                bank.evaluated += 1;
                let size = size + other + 1;
                equal(bank, conjectures, size, a, b);
                if size <= 2 * INEQUALITY_SIZE + 1 && *other <= INEQUALITY_SIZE {
                    unequal(bank, conjectures, size, a, b);
                }
            }
        }
    }
}

fn equal(bank: &mut Bank, conjectures: &mut Conjectures, size: usize, a: &Stored, b: &Stored) {
    if !agree(&a.head, &b.head) {
        return;
    }
    let Some(operator) = equality(a.ty, b.ty) else { return };
    offer(bank, conjectures, Allowed::Half, operator, size, a, b);
}

fn unequal(bank: &mut Bank, conjectures: &mut Conjectures, size: usize, a: &Stored, b: &Stored) {
    use Operator as O;
    if is_number(a.ty) && is_number(b.ty) {
        let all = |f: fn(&f64, &f64) -> bool| {
            a.head.iter().zip(&b.head).all(|(a, b)| f(a, b) || a.is_nan() || b.is_nan())
        };
        for (x, y, may) in [(a, b, all(|a, b| a <= b)), (b, a, all(|a, b| a >= b))] {
            for operator in [O::LessEqual, O::Less].into_iter().filter(|_| may) {
                offer(bank, conjectures, Allowed::Nowhere, operator, size, x, y);
            }
        }
        if size <= INEQUALITY_SIZE + 2 && agreeing(&a.head, &b.head) == 0 {
            offer(bank, conjectures, Allowed::Nowhere, O::NotEqual, size, a, b);
        }
    } else if size <= 2 * CONTAINMENT_SIZE + 1 && (is_sequence(a.ty) || is_sequence(b.ty)) {
        for (x, y) in [(a, b), (b, a)] {
            for operator in [O::Contains, O::PrefixOf, O::SuffixOf] {
                offer(bank, conjectures, Allowed::Nowhere, operator, size, x, y);
            }
        }
    }
}

fn offer(
    bank: &mut Bank,
    conjectures: &mut Conjectures,
    allowed: Allowed,
    operator: Operator,
    size: usize,
    a: &Stored,
    b: &Stored,
) {
    if operator.result(&[a.ty, b.ty]).is_none() {
        return;
    }
    let holds = compare(bank, operator, a, b);
    conjectures.offer(bank, allowed, size, &holds, |bank| bank.terms.apply(operator, &[a.term, b.term]));
}
