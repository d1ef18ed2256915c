//! Small formulas over Boolean outputs and comparisons of the inputs.

use std::sync::Arc;

use dodona_relations::plan::Ty;
use rustc_hash::FxHashSet;

use super::bank::{Bank, Stored};
use super::conjectures::{Allowed, Conjectures};
use crate::discovery::column::{Column, Data};
use crate::discovery::score::hash_of_rows;
use crate::discovery::tuning::FORMULA_ATOMS;
use crate::discovery::{Evaluator, Operator, TermId, is_number};

/// A Boolean term with its values on the probes.
#[derive(Clone)]
struct Formula {
    term: TermId,
    column: Arc<Column>,
}

/// Tries every `f iff x`, `f implies x`, `x implies f` and `f or x` for a follow-up output `f`. Here `x` is a source output, its
/// negation, or a connective of either with a comparison of two small terms over source variables.
pub(super) fn formulas(bank: &mut Bank, conjectures: &mut Conjectures, go_on: &dyn Fn() -> bool) {
    let is_boolean = |s: &&Stored| s.ty == Ty::Bool && bank.terms.size(s.term) == 1;
    let (follow_ups, others): (Vec<_>, Vec<_>) =
        bank.sizes[1].iter().filter(is_boolean).cloned().partition(|s| s.is_follow_up);
    if follow_ups.is_empty() {
        return;
    }
    let plain = |s: &Stored| Formula { term: s.term, column: s.column.clone() };
    let others: Vec<Formula> = others.iter().map(plain).collect();
    let atoms = atoms(bank, &others);
    for follow_up in follow_ups.iter().map(plain) {
        for source in &others {
            if !go_on() {
                return;
            }
            relate(bank, conjectures, &follow_up, source, &atoms);
        }
    }
}

fn relate(
    bank: &mut Bank,
    conjectures: &mut Conjectures,
    follow_up: &Formula,
    source: &Formula,
    atoms: &[Formula],
) {
    use Operator as O;
    if !conjectures.is_metamorphic(bank.terms.variables(follow_up.term) | bank.terms.variables(source.term)) {
        return;
    }
    let Some(not) = apply(bank, O::Not, &[source]) else { return };
    for x in [source, &not] {
        offer_all(bank, conjectures, follow_up, x);
        for atom in atoms {
            for connective in [O::And, O::Or, O::Iff] {
                if let Some(x) = apply(bank, connective, &[x, atom]) {
                    offer_all(bank, conjectures, follow_up, &x);
                }
            }
        }
    }
}

fn offer_all(bank: &mut Bank, conjectures: &mut Conjectures, follow_up: &Formula, x: &Formula) {
    use Operator as O;
    let ways = [
        (O::Iff, follow_up, x),
        (O::Implies, follow_up, x),
        (O::Implies, x, follow_up),
        (O::Or, follow_up, x),
    ];
    for (operator, a, b) in ways {
        bank.evaluated += 1;
        let column =
            bank.probe.apply(operator, Ty::Bool, &[a.column.clone(), b.column.clone()], &[Ty::Bool; 2]);
        let allowed = if operator == O::Iff { Allowed::Half } else { Allowed::Nowhere };
        let size = 1 + bank.terms.size(a.term) + bank.terms.size(b.term);
        let holds = Evaluator::bits(&column).clone();
        conjectures.offer(bank, allowed, size, &holds, |bank| bank.terms.apply(operator, &[a.term, b.term]));
    }
}

/// Boolean inputs and comparisons of numeric source terms: one for each set of rows on which it holds.
fn atoms(bank: &mut Bank, plain: &[Formula]) -> Vec<Formula> {
    use Operator as O;
    let inputs: Vec<Formula> = plain.to_vec();
    let small = |size: usize| -> Vec<Stored> {
        let kept = bank.sizes.get(size).map_or(&[][..], |all| all);
        kept.iter().filter(|s| !s.is_follow_up && is_number(s.ty)).cloned().collect()
    };
    let lists = [small(1), small(1).into_iter().chain(small(2)).chain(small(3)).collect()];
    let mut seen = FxHashSet::default();
    let mut atoms = Vec::new();
    let mut keep = |formula: Formula| {
        let Data::Bool(bits) = &formula.column.data else { return };
        let count = bits.count();
        if count > 0 && seen.insert(hash_of_rows(bits.words().iter().copied())) {
            atoms.push(formula);
        }
    };
    inputs.into_iter().for_each(&mut keep);
    for a in &lists[0] {
        for b in lists[1].iter().take(FORMULA_ATOMS / 5 / lists[0].len().max(1)) {
            let ways = [
                (O::Equal, a, b),
                (O::Less, a, b),
                (O::Less, b, a),
                (O::LessEqual, a, b),
                (O::LessEqual, b, a),
            ];
            for (operator, a, b) in ways {
                let operands = [a, b].map(|s| Formula { term: s.term, column: s.column.clone() });
                if let Some(atom) = apply_typed(bank, operator, &[&operands[0], &operands[1]], &[a.ty, b.ty])
                {
                    keep(atom);
                }
            }
        }
    }
    atoms.truncate(FORMULA_ATOMS);
    atoms
}

fn apply(bank: &mut Bank, operator: Operator, operands: &[&Formula]) -> Option<Formula> {
    apply_typed(bank, operator, operands, &vec![Ty::Bool; operands.len()])
}

fn apply_typed(bank: &mut Bank, operator: Operator, operands: &[&Formula], types: &[Ty]) -> Option<Formula> {
    let columns: Vec<_> = operands.iter().map(|f| f.column.clone()).collect();
    let column = Arc::new(bank.probe.apply(operator, Ty::Bool, &columns, types));
    let operands: Vec<_> = operands.iter().map(|f| f.term).collect();
    Some(Formula { term: bank.terms.apply(operator, &operands)?, column })
}
