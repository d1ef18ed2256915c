//! Terms built from the bottom up, with one term for each distinct column of values (observational equivalence).

use std::sync::Arc;

use dodona_relations::plan::{Element, Ty};
use dodona_target::{Value, splitmix64};
use rustc_hash::FxHashSet;

use crate::discovery::column::{Column, Data, block};
use crate::discovery::term::Node;
use crate::discovery::tuning::{BANK_CONSTANTS, HEAD, SMALL_COLUMN_MEMORY};
use crate::discovery::{
    Bits, Evaluator, Leaf, Operator, Pairs, Place, TermId, Terms, is_number, is_sequence,
};

/// The values of a term on a few rows, by which most candidates are rejected.
pub(super) type Head = [f64; HEAD];

/// A term with its values on the probes, the sample of rows that enumeration works on.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// Its values on some of the correct probes, as numbers; NaN where the term is undefined.
    pub(super) head: Head,
    pub(super) term: TermId,
    pub(super) ty: Ty,
    pub(super) column: Arc<Column>,
    /// Whether it mentions a follow-up output.
    pub(super) is_follow_up: bool,
}

/// Terms by size. Of all terms with the same values only the first is kept, which is the smallest; variables are always kept.
#[derive(Debug)]
pub(super) struct Bank {
    pub(super) terms: Terms,
    pub(super) probe: Evaluator,
    /// By number of nodes; no term has size 0.
    pub(super) sizes: Vec<Vec<Stored>>,
    pub(super) evaluated: u64,
    /// The variables that are follow-up outputs, with one bit for each.
    pub(super) follow_ups: u64,
    seen: FxHashSet<u64>,
    has_text: bool,
}

/// How much of a size was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Built {
    /// All terms of the size.
    All,
    /// Some terms of the size, until a bound was reached.
    Part,
}

impl Bank {
    /// The leaves: variables, constants of the code, and small integers.
    pub(super) fn new(pairs: &Pairs) -> Bank {
        let types: Vec<Ty> = pairs.variables.iter().map(|v| v.ty).collect();
        let is_follow_up = |place| matches!(place, Place::FollowUpOutput(_));
        let bit = |(i, v): (usize, &crate::discovery::Variable)| u64::from(is_follow_up(v.place)) << i;
        let mut bank = Bank {
            follow_ups: pairs.variables.iter().enumerate().map(bit).sum(),
            has_text: types.contains(&Ty::Text),
            terms: Terms::new(types.clone()),
            // Small, because the columns are kept in `sizes`, not in the evaluator's cache.
            probe: Evaluator::with_memory(pairs, SMALL_COLUMN_MEMORY),
            sizes: vec![Vec::new(), Vec::new()],
            evaluated: 0,
            seen: FxHashSet::default(),
        };
        for leaf in leaves(pairs) {
            let term = bank.terms.leaf(leaf);
            let column = bank.probe.column(&bank.terms, term);
            bank.keep(1, term, column);
        }
        bank
    }

    /// Builds the terms of the next size from the stored terms. It tries at most `candidates` terms and stops when `stored` terms
    /// are stored. Terms that mention a follow-up output are built only up to size `follow_up_size`.
    pub(super) fn grow(
        &mut self,
        follow_up_size: usize,
        candidates: u64,
        stored: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Built {
        let size = self.sizes.len();
        self.sizes.push(Vec::new());
        let mut left = candidates;
        for operator in Operator::ALL.into_iter().filter(|o| o.arity() == 1) {
            for i in 0..self.sizes[size - 1].len() {
                let a = self.sizes[size - 1][i].clone();
                if !go_on()
                    || self.count() >= stored
                    || !self.unary(size, follow_up_size, operator, &a, &mut left)
                {
                    return Built::Part;
                }
            }
        }
        for first in (1..size - 1).rev() {
            if self.pairs_of(size, first, follow_up_size, &mut left, stored, go_on) == Built::Part {
                return Built::Part;
            }
        }
        Built::All
    }

    fn pairs_of(
        &mut self,
        size: usize,
        first: usize,
        follow_up_size: usize,
        left: &mut u64,
        stored: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Built {
        for i in 0..self.sizes[first].len() {
            let a = self.sizes[first][i].clone();
            if !go_on() || self.count() >= stored {
                return Built::Part;
            }
            for j in 0..self.sizes[size - 1 - first].len() {
                let b = self.sizes[size - 1 - first][j].clone();
                if (a.is_follow_up || b.is_follow_up) && size > follow_up_size {
                    continue;
                }
                for operator in Operator::ALL.into_iter().filter(|o| o.arity() == 2) {
                    if !self.binary(size, operator, &a, &b, left) {
                        return Built::Part;
                    }
                }
            }
        }
        Built::All
    }

    fn count(&self) -> usize {
        self.sizes.iter().map(Vec::len).sum()
    }

    fn unary(
        &mut self,
        size: usize,
        follow_up_size: usize,
        operator: Operator,
        a: &Stored,
        left: &mut u64,
    ) -> bool {
        let pointless =
            operator == Operator::Text && !self.has_text || a.is_follow_up && size > follow_up_size;
        let Some(ty) = operator.result(&[a.ty]).filter(|ty| *ty != Ty::Bool && !pointless) else {
            return true;
        };
        self.offer(size, operator, ty, &[a, a][..1], left)
    }

    fn binary(&mut self, size: usize, operator: Operator, a: &Stored, b: &Stored, left: &mut u64) -> bool {
        let is_twice = operator.is_commutative() && a.term > b.term;
        let Some(ty) = operator.result(&[a.ty, b.ty]).filter(|ty| *ty != Ty::Bool && !is_twice) else {
            return true;
        };
        self.offer(size, operator, ty, &[a, b], left)
    }

    /// Stores the term if its values are new. False if no candidates are left to try.
    fn offer(
        &mut self,
        size: usize,
        operator: Operator,
        ty: Ty,
        operands: &[&Stored],
        left: &mut u64,
    ) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        self.evaluated += 1;
        let columns: Vec<_> = operands.iter().map(|o| o.column.clone()).collect();
        let types: Vec<_> = operands.iter().map(|o| o.ty).collect();
        let column = self.probe.apply(operator, ty, &columns, &types);
        if self.seen.contains(&self.signature(&column, ty)) {
            return true;
        }
        let operands: Vec<_> = operands.iter().map(|o| o.term).collect();
        if let Some(term) = self.terms.apply(operator, &operands) {
            self.keep(size, term, Arc::new(column));
        }
        true
    }

    fn keep(&mut self, size: usize, term: TermId, column: Arc<Column>) {
        let ty = self.terms.ty(term);
        // A variable is kept even if another term has the same values: rows outside the probes may tell the two apart.
        let is_variable = matches!(self.terms.node(term), Node::Leaf(Leaf::Variable(_)));
        let is_new = self.seen.insert(self.signature(&column, ty)) || is_variable;
        let is_somewhere = column.defined.as_ref().is_none_or(|d| d.count() > 0);
        if is_new && is_somewhere {
            let is_follow_up = self.terms.variables(term) & self.follow_ups != 0;
            let head = head(&column, self.probe.rows(), self.probe.correct());
            self.sizes[size].push(Stored { head, term, ty, column, is_follow_up });
        }
    }

    /// A hash of the type and of all values.
    fn signature(&self, column: &Column, ty: Ty) -> u64 {
        let rows = self.probe.rows();
        let kind = match ty {
            Ty::Text => 1,
            Ty::Sequence(Element::Bool) => 2,
            Ty::Sequence(Element::Float) => 3,
            Ty::Sequence(_) => 4,
            Ty::Bool => 5,
            // One kind for all numbers: of an integer and a float term with the same values the integer term is usually built
            // first, and it can stand wherever the float term can.
            Ty::Int | Ty::Float | Ty::Number => 6,
        };
        let mut hash = kind;
        for (i, rows) in rows.words().iter().enumerate() {
            let defined = column.defined.as_ref().map_or(*rows, |d| d.words()[i] & rows);
            hash = splitmix64(hash ^ defined);
            let mut add = |lane: usize, value: u64| {
                if defined >> lane & 1 == 1 {
                    hash = splitmix64(hash ^ value);
                }
            };
            match &column.data {
                Data::Bool(bits) => add(defined.trailing_zeros() as usize % 64, bits.words()[i]),
                Data::Real(b) => block(b, i).iter().enumerate().for_each(|(l, x)| add(l, canonical(*x))),
                Data::Wide(b) => block(b, i).iter().enumerate().for_each(|(l, x)| add(l, *x as u64)),
                Data::Ids(b) => block(b, i).iter().enumerate().for_each(|(l, x)| add(l, u64::from(*x))),
            }
        }
        hash
    }
}

/// Some rows of the first block, spread over its correct rows; if there are few correct rows, some are repeated.
fn head(column: &Column, rows: &Bits, correct: usize) -> Head {
    let first = correct.clamp(1, 64);
    std::array::from_fn(|i| {
        let lane = i * first / HEAD % first;
        let is_defined = column.defined.as_ref().is_none_or(|d| d.words()[0] >> lane & 1 == 1);
        match &column.data {
            _ if !is_defined || rows.words()[0] >> lane & 1 == 0 => f64::NAN,
            Data::Bool(bits) => f64::from((bits.words()[0] >> lane & 1) as u8),
            Data::Real(blocks) => blocks[0][lane],
            Data::Wide(blocks) => blocks[0][lane] as f64,
            Data::Ids(blocks) => blocks[0][lane].into(),
        }
    })
}

fn canonical(x: f64) -> u64 {
    if x.is_nan() { u64::MAX } else { (x + 0.0).to_bits() }
}

/// The variables first, then the constants: a variable is stored before a constant with the same values.
fn leaves(pairs: &Pairs) -> Vec<Leaf> {
    let types = || pairs.variables.iter().map(|v| v.ty);
    let mut leaves: Vec<Leaf> = (0..pairs.variables.len()).map(|v| Leaf::Variable(v as u16)).collect();
    if types().any(|ty| is_number(ty) || is_sequence(ty)) {
        leaves.extend([0, 1, 2, -1].map(Leaf::Int));
    }
    if types().any(|ty| matches!(ty, Ty::Float | Ty::Sequence(Element::Float))) {
        leaves.push(Leaf::Float(0.5f64.to_bits()));
    }
    for (value, _) in pairs.constants.iter().take(BANK_CONSTANTS) {
        leaves.extend(match value {
            Value::Int(i) => i64::try_from(*i).ok().map(Leaf::Int),
            Value::Float(x) if x.is_finite() => Some(Leaf::Float(x.to_bits())),
            _ => None,
        });
    }
    leaves
}
