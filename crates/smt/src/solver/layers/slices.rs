//! Splits constraints into slices. Constraints that share no variable are independent, so that each slice is solved by itself.

use rustc_hash::FxHashSet;

use crate::term::{Assignment, Op, Term, Terms, Variable};

/// Constraints that are connected by common variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    /// Each once, sorted: equal sets are equal slices.
    pub(super) constraints: Vec<Term>,
    /// Their variables, sorted.
    pub(super) variables: Vec<Variable>,
}

/// The slices of constraints, in the order of their first constraints; `None` if one constraint is the constant false.
pub(super) fn slices(terms: &Terms, constraints: &[Term]) -> Option<Vec<Slice>> {
    let conjuncts = conjuncts(terms, constraints)?;
    let mut groups = Groups::new(terms.variables().len());
    for &conjunct in &conjuncts {
        groups.join(terms.variables_of(conjunct));
    }
    let mut slices: Vec<Slice> = Vec::new();
    let mut slice_of_group = vec![None; terms.variables().len()];
    for &conjunct in &conjuncts {
        let group = groups.of(terms.variables_of(conjunct)[0]);
        let slice = *slice_of_group[group].get_or_insert_with(|| {
            slices.push(Slice { constraints: Vec::new(), variables: Vec::new() });
            slices.len() - 1
        });
        slices[slice].constraints.push(conjunct);
        slices[slice].variables.extend_from_slice(terms.variables_of(conjunct));
    }
    slices.iter_mut().for_each(Slice::sort);
    Some(slices)
}

impl Slice {
    fn sort(&mut self) {
        self.constraints.sort_unstable_by_key(|&term| key(term));
        self.variables.sort_unstable();
        self.variables.dedup();
    }
}

/// The key by which constraints are sorted; none is a constant.
pub(super) fn key(term: Term) -> u32 {
    match term {
        Term::Node(_, id) => id.0,
        Term::Constant(..) => 0,
    }
}

/// The constraints, with conjunctions split into their parts, without duplicates and without constants that are true.
fn conjuncts(terms: &Terms, constraints: &[Term]) -> Option<Vec<Term>> {
    let mut open: Vec<Term> = constraints.iter().rev().copied().collect();
    let mut seen = FxHashSet::default();
    let mut conjuncts = Vec::new();
    while let Some(term) = open.pop() {
        if terms.variables_of(term).is_empty() {
            if terms.evaluate(term, &Assignment::default()) == 0 {
                return None;
            }
            continue;
        }
        let Term::Node(_, id) = term else { continue };
        let node = terms.node(id);
        if node.op == Op::And {
            open.extend(node.operands.iter().rev());
        } else if seen.insert(id) {
            conjuncts.push(term);
        }
    }
    Some(conjuncts)
}

/// Sets of variables (union-find).
struct Groups(Vec<u32>);

impl Groups {
    fn new(variables: usize) -> Groups {
        Groups((0..variables as u32).collect())
    }

    fn of(&mut self, variable: Variable) -> usize {
        let mut at = variable.0 as usize;
        while self.0[at] as usize != at {
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    fn join(&mut self, variables: &[Variable]) {
        for pair in variables.windows(2) {
            let (a, b) = (self.of(pair[0]), self.of(pair[1]));
            self.0[a.max(b)] = a.min(b) as u32;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;
    use crate::term::Sort;

    fn bools(terms: &mut Terms, count: usize) -> Vec<Term> {
        (0..count).map(|index| terms.variable(&format!("b{index}"), Sort::Bool)).collect()
    }

    fn shown(slices: Option<Vec<Slice>>) -> Vec<Vec<Term>> {
        slices.unwrap().into_iter().map(|slice| slice.constraints).collect()
    }

    #[test]
    fn constraints_without_a_common_variable_come_apart() {
        let mut terms = Terms::new();
        let b = bools(&mut terms, 5);
        let (first, second, third) = (terms.or(b[0], b[3]), terms.or(b[1], b[2]), terms.or(b[3], b[4]));
        let slices = slices(&terms, &[first, second, third]).unwrap();
        assert_eq!(slices.iter().map(|slice| slice.constraints.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(slices[0].variables.iter().map(|variable| variable.0).collect::<Vec<_>>(), [0, 3, 4]);
    }

    #[test]
    fn the_order_and_repetition_of_constraints_do_not_matter_within_a_slice() {
        let mut terms = Terms::new();
        let b = bools(&mut terms, 3);
        let (first, second) = (terms.or(b[0], b[1]), terms.or(b[1], b[2]));
        assert_eq!(slices(&terms, &[first, second]), slices(&terms, &[second, first, second]));
    }

    #[test]
    fn conjunctions_are_taken_apart() {
        let mut terms = Terms::new();
        let b = bools(&mut terms, 3);
        let both = terms.and(b[0], b[1]);
        let all = terms.and(both, b[2]);
        assert_eq!(shown(slices(&terms, &[all])), [vec![b[0]], vec![b[1]], vec![b[2]]]);
    }

    #[test]
    fn constants_are_decided() {
        let mut terms = Terms::new();
        let b = bools(&mut terms, 1);
        assert_eq!(shown(slices(&terms, &[Term::bool(true), b[0]])), [vec![b[0]]]);
        assert_eq!(slices(&terms, &[b[0], Term::bool(false)]), None);
        assert_eq!(slices(&terms, &[]), Some(Vec::new()));
    }
}
