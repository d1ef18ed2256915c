//! Comparisons between two terms of the bank, one of which speaks of a follow-up output.

use super::bank::{Bank, Stored};
use super::candidates::{Allowed, Candidates, agree, agreeing, compare, equality};
use crate::discovery::{Operator, is_number, is_sequence};

/// The largest terms that an inequality is sought between.
const INEQUALITY: usize = 3;

/// The largest texts and sequences that one is sought within.
const STANDING: usize = 2;

/// Every equality between a stored term that speaks of a follow-up output and any other stored term, and the other
/// comparisons between small ones.
pub(super) fn join(bank: &mut Bank, candidates: &mut Candidates, go_on: &dyn Fn() -> bool) {
    let all: Vec<(usize, Stored)> = (1..bank.sizes.len())
        .flat_map(|size| bank.sizes[size].iter().map(move |stored| (size, stored.clone())))
        .collect();
    for (i, (size, a)) in all.iter().enumerate().filter(|(_, (_, a))| a.is_follow_up) {
        if !go_on() {
            return;
        }
        for (j, (other, b)) in all.iter().enumerate() {
            // Of two that both speak of it, each pair once.
            if b.is_follow_up && j >= i {
                continue;
            }
            let variables = bank.terms.variables(a.term) | bank.terms.variables(b.term);
            if candidates.is_metamorphic(variables) {
                bank.evaluated += 1;
                let size = size + other + 1;
                equal(bank, candidates, size, a, b);
                if size <= 2 * INEQUALITY + 1 && *other <= INEQUALITY {
                    unequal(bank, candidates, size, a, b);
                }
            }
        }
    }
}

fn equal(bank: &mut Bank, candidates: &mut Candidates, size: usize, a: &Stored, b: &Stored) {
    if !agree(&a.head, &b.head) {
        return;
    }
    let Some(operator) = equality(a.ty, b.ty) else { return };
    offer(bank, candidates, Allowed::Half, operator, size, a, b);
}

fn unequal(bank: &mut Bank, candidates: &mut Candidates, size: usize, a: &Stored, b: &Stored) {
    use Operator as O;
    if is_number(a.ty) && is_number(b.ty) {
        let all = |f: fn(&f64, &f64) -> bool| {
            a.head.iter().zip(&b.head).all(|(a, b)| f(a, b) || a.is_nan() || b.is_nan())
        };
        for (x, y, may) in [(a, b, all(|a, b| a <= b)), (b, a, all(|a, b| a >= b))] {
            for operator in [O::LessEqual, O::Less].into_iter().filter(|_| may) {
                offer(bank, candidates, Allowed::Nowhere, operator, size, x, y);
            }
        }
        if size <= INEQUALITY + 2 && agreeing(&a.head, &b.head) == 0 {
            offer(bank, candidates, Allowed::Nowhere, O::NotEqual, size, a, b);
        }
    } else if size <= 2 * STANDING + 1 && (is_sequence(a.ty) || is_sequence(b.ty)) {
        for (x, y) in [(a, b), (b, a)] {
            for operator in [O::Contains, O::PrefixOf, O::SuffixOf] {
                offer(bank, candidates, Allowed::Nowhere, operator, size, x, y);
            }
        }
    }
}

fn offer(
    bank: &mut Bank,
    candidates: &mut Candidates,
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
    candidates.offer(bank, allowed, size, &holds, |bank| bank.terms.apply(operator, &[a.term, b.term]));
}
