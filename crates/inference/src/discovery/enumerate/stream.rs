//! Terms too large to be stored: each is built from two stored terms, compared with the follow-up outputs and dropped.

use std::sync::Arc;

use super::bank::{Bank, Built, Head, Stored};
use super::conjectures::{Allowed, ComparedColumn, Conjectures, agree, equality, rows_of};
use crate::discovery::{Operator, TermId, is_number};

/// A binary operator on stored terms, possibly with a unary operator applied to the result.
#[derive(Clone, Copy, Debug)]
struct TermShape {
    operator: Operator,
    above: Option<Operator>,
}

const OPERATORS: [Operator; 8] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Quotient,
    Operator::Remainder,
    Operator::Min,
    Operator::Max,
];

/// Builds every numeric term of one size from stored terms and compares it with the numeric follow-up outputs.
pub(super) fn stream(
    bank: &mut Bank,
    conjectures: &mut Conjectures,
    size: usize,
    most: u64,
    go_on: &dyn Fn() -> bool,
) -> Built {
    let targets: Vec<Stored> =
        bank.sizes[1].iter().filter(|s| s.is_follow_up && is_number(s.ty)).cloned().collect();
    if targets.is_empty() {
        return Built::All;
    }
    let kept = bank.sizes.len() - 1;
    let kept: Vec<Vec<Stored>> = (0..=kept)
        .map(|size| bank.sizes[size].iter().filter(|s| !s.is_follow_up && is_number(s.ty)).cloned().collect())
        .collect();
    let mut left = most;
    for above in [None, Some(Operator::Abs), Some(Operator::Negate)] {
        let inner = size - 1 - usize::from(above.is_some());
        for first in (1..inner).filter(|first| *first < kept.len() && inner - first < kept.len()) {
            for operator in OPERATORS {
                // A commutative operator takes the larger operand first only. `-(a - b)` is left out because it equals `b - a`.
                let is_twice = operator.is_commutative() && first < inner - first;
                if is_twice || (above == Some(Operator::Negate) && operator == Operator::Subtract) {
                    continue;
                }
                let shape = TermShape { operator, above };
                let scan = ShapeScan {
                    shape,
                    first: &kept[first],
                    second: &kept[inner - first],
                    targets: &targets,
                    size,
                };
                if scan.run(bank, conjectures, &mut left, go_on) == Built::Part {
                    return Built::Part;
                }
            }
        }
    }
    Built::All
}

/// All terms of one shape over two lists of operands.
struct ShapeScan<'s> {
    shape: TermShape,
    first: &'s [Stored],
    second: &'s [Stored],
    targets: &'s [Stored],
    size: usize,
}

impl ShapeScan<'_> {
    fn run(
        &self,
        bank: &mut Bank,
        conjectures: &mut Conjectures,
        left: &mut u64,
        go_on: &dyn Fn() -> bool,
    ) -> Built {
        for (i, a) in self.first.iter().enumerate() {
            if !go_on() {
                return Built::Part;
            }
            // If both operands come from the same list, each pair is tried once.
            let is_same = self.shape.operator.is_commutative() && std::ptr::eq(self.first, self.second);
            let second = if is_same { &self.second[i..] } else { self.second };
            if *left < second.len() as u64 {
                return Built::Part;
            }
            *left -= second.len() as u64;
            bank.evaluated += second.len() as u64;
            let agreeing = self.agreeing(a, second);
            for (b, target) in agreeing {
                self.offer(bank, conjectures, a, b, target);
            }
        }
        Built::All
    }

    /// The second operands, each with the follow-up output that the term agrees with on the head.
    fn agreeing<'b>(&'b self, a: &Stored, second: &'b [Stored]) -> Vec<(&'b Stored, &'b Stored)> {
        match self.shape.operator {
            Operator::Add => self.scan(a, second, |a, b| a + b),
            Operator::Subtract => self.scan(a, second, |a, b| a - b),
            Operator::Multiply => self.scan(a, second, |a, b| a * b),
            Operator::Divide => self.scan(a, second, |a, b| a / b),
            Operator::Quotient => self.scan(a, second, |a, b| (a / b).trunc()),
            Operator::Remainder => self.scan(a, second, |a, b| a - b * (a / b).trunc()),
            Operator::Min => self.scan(a, second, |a, b| if a < b { a } else { b }),
            _ => self.scan(a, second, |a, b| if a > b { a } else { b }),
        }
    }

    #[inline(always)]
    fn scan<'b>(
        &'b self,
        a: &Stored,
        second: &'b [Stored],
        f: impl Fn(f64, f64) -> f64,
    ) -> Vec<(&'b Stored, &'b Stored)> {
        let mut found = Vec::new();
        for b in second {
            let value: Head = std::array::from_fn(|lane| f(a.head[lane], b.head[lane]));
            for target in self.targets {
                if self.reaches(&value, &target.head) {
                    found.push((b, target));
                }
            }
        }
        found
    }

    #[inline(always)]
    fn reaches(&self, value: &Head, target: &Head) -> bool {
        match self.shape.above {
            None => agree(value, target),
            Some(Operator::Abs) => agree(&value.map(f64::abs), target),
            Some(_) => agree(&value.map(|x| -x), target),
        }
    }

    fn offer(&self, bank: &mut Bank, conjectures: &mut Conjectures, a: &Stored, b: &Stored, target: &Stored) {
        let TermShape { operator, above } = self.shape;
        let variables = [a, b, target].map(|s| bank.terms.variables(s.term));
        if !conjectures.is_metamorphic(variables[0] | variables[1] | variables[2]) {
            return;
        }
        let Some(ty) = operator.result(&[a.ty, b.ty]) else { return };
        let mut column = bank.probe.apply(operator, ty, &[a.column.clone(), b.column.clone()], &[a.ty, b.ty]);
        if let Some(above) = above {
            column = bank.probe.apply(above, ty, &[column.into()], &[ty]);
        }
        let Some(comparison) = equality(target.ty, ty) else { return };
        let follow_up = ComparedColumn { column: Arc::clone(&target.column), ty: target.ty };
        let holds = rows_of(bank, comparison, &follow_up, &ComparedColumn { column: column.into(), ty });
        conjectures.offer(bank, Allowed::Half, self.size + 2, &holds, |bank| {
            self.term(bank, a, b).and_then(|term| bank.terms.apply(comparison, &[target.term, term]))
        });
    }

    fn term(&self, bank: &mut Bank, a: &Stored, b: &Stored) -> Option<TermId> {
        let term = bank.terms.apply(self.shape.operator, &[a.term, b.term])?;
        match self.shape.above {
            Some(above) => bank.terms.apply(above, &[term]),
            None => Some(term),
        }
    }
}
