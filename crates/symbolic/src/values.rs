//! The few values that a term can have, read off its form without asking anybody.

use rustc_hash::FxHashMap;

use dodona_smt::term::{NodeId, Op, Sort, Term, Terms, Variable};

/// The values that a term may take, ascending, if its form shows that there are at most `most`. Some of them may be impossible;
/// none that is possible is missing.
pub(crate) fn few(terms: &mut Terms, term: Term, most: usize) -> Option<Vec<u128>> {
    Few { terms, most, known: FxHashMap::default() }.of(term, 0)
}

/// The variable that has but one value where a constraint holds, if the constraint's form shows it: `sext(x) + 1 == 7`.
pub(crate) fn fixed(terms: &Terms, constraint: Term) -> Option<Variable> {
    let Term::Node(_, id) = constraint else { return None };
    let node = terms.node(id);
    let mut at = match (node.op, &node.operands[..]) {
        (Op::Equal, [a, Term::Constant(..)]) => *a,
        _ => return None,
    };
    loop {
        let Term::Node(_, id) = at else { return None };
        let node = terms.node(id);
        at = match (node.op, &node.operands[..]) {
            (Op::Variable(variable), _) => return Some(variable),
            // Different operands give different results.
            (Op::ZeroExtend | Op::SignExtend, [a])
            | (Op::Add | Op::Sub | Op::BitXor, [a, Term::Constant(..)]) => *a,
            (Op::Sub, [Term::Constant(..), a]) => *a,
            _ => return None,
        };
    }
}

/// How deep a term is looked into.
const DEEPEST: u32 = 40;

struct Few<'t> {
    terms: &'t mut Terms,
    most: usize,
    known: FxHashMap<NodeId, Option<Vec<u128>>>,
}

impl Few<'_> {
    fn of(&mut self, term: Term, depth: u32) -> Option<Vec<u128>> {
        let id = match term {
            Term::Constant(_, value) => return Some(vec![value]),
            Term::Node(_, id) => id,
        };
        if depth > DEEPEST {
            return None;
        }
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let found = self.node(id, depth).or_else(|| self.all(term.sort()));
        self.known.insert(id, found.clone());
        found
    }

    /// All values of a narrow sort.
    fn all(&self, sort: Sort) -> Option<Vec<u128>> {
        match sort {
            Sort::Bool | Sort::Bits(..=16) if sort.mask() < self.most as u128 => {
                Some((0..=sort.mask()).collect())
            }
            _ => None,
        }
    }

    fn node(&mut self, id: NodeId, depth: u32) -> Option<Vec<u128>> {
        let node = self.terms.node(id).clone();
        match (node.op, &node.operands[..]) {
            (Op::Variable(_), _) => None,
            (Op::Ite, [_, a, b]) => {
                let (a, b) = (self.of(*a, depth + 1)?, self.of(*b, depth + 1)?);
                self.tidy(a.into_iter().chain(b).collect())
            }
            (op, [a]) => {
                let values = self.of(*a, depth + 1)?;
                let images = values.into_iter().map(|v| self.fold(op, node.sort, &[(a.sort(), v)]));
                let images = images.collect::<Option<Vec<_>>>()?;
                self.tidy(images)
            }
            (op, [a, b]) => match (self.of(*a, depth + 1), self.of(*b, depth + 1)) {
                (Some(left), Some(right)) if left.len() * right.len() <= 4 * self.most => {
                    let mut images = Vec::with_capacity(left.len() * right.len());
                    for x in &left {
                        for y in &right {
                            images.push(self.fold(op, node.sort, &[(a.sort(), *x), (b.sort(), *y)])?);
                        }
                    }
                    self.tidy(images)
                }
                (Some(mask), None) | (None, Some(mask)) if op == Op::BitAnd && mask.len() == 1 => {
                    self.parts(mask[0])
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn fold(&mut self, op: Op, sort: Sort, operands: &[(Sort, u128)]) -> Option<u128> {
        let operands: Vec<Term> =
            operands.iter().map(|(sort, value)| Term::Constant(*sort, *value)).collect();
        self.terms.apply(op, sort, &operands).constant()
    }

    /// All values with bits of a mask alone.
    fn parts(&self, mask: u128) -> Option<Vec<u128>> {
        if mask.count_ones() >= usize::BITS || 1usize << mask.count_ones().min(30) > self.most {
            return None;
        }
        let mut parts = vec![0];
        for bit in (0..128).map(|i| 1u128 << i).filter(|bit| mask & bit != 0) {
            let with: Vec<u128> = parts.iter().map(|part| part | bit).collect();
            parts.extend(with);
        }
        self.tidy(parts)
    }

    fn tidy(&self, mut values: Vec<u128>) -> Option<Vec<u128>> {
        values.sort_unstable();
        values.dedup();
        (values.len() <= self.most).then_some(values)
    }
}
