//! Builds terms: an operator with operands becomes a constant, a simpler term, or a node of the store.

use smallvec::SmallVec;

use super::simplify::simplify;
use super::{Op, Sort, Term, Terms, evaluate_op};

/// The most simplifications that may wait for each other. Beyond, a term is not simplified, so that no expression overflows the
/// stack.
const DEPTH: u32 = 100;

impl Terms {
    /// An operator applied to operands, simplified. `sort` is that of the result.
    ///
    /// # Panics
    /// When the operands are not of the sorts that the operator takes.
    pub fn apply(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        assert!(op.takes(sort, operands), "{op:?} to {sort:?} does not take {operands:?}");
        if let Some(value) = folded(op, sort, operands) {
            return Term::Constant(sort, value);
        }
        match *operands {
            // Constants are the second operand, which halves the number of rules.
            [a @ Term::Constant(..), b] if op.is_commutative() => self.simplified(op, sort, &[b, a]),
            _ => self.simplified(op, sort, operands),
        }
    }

    fn simplified(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        if self.depth < DEPTH {
            self.depth += 1;
            let simpler = simplify(self, op, sort, operands);
            self.depth -= 1;
            if let Some(term) = simpler {
                return term;
            }
        }
        match *operands {
            // If the same operands were used in the other order before, that node is used, so that terms keep the order of the
            // source.
            [a, b] if op.is_commutative() => match self.find(op, sort, &[b, a]) {
                Some(id) => Term::Node(sort, id),
                None => self.intern(op, sort, operands),
            },
            _ => self.intern(op, sort, operands),
        }
    }

    /// `not a`.
    pub fn not(&mut self, a: Term) -> Term {
        self.apply(Op::Not, Sort::Bool, &[a])
    }

    /// `a and b`.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::And, Sort::Bool, &[a, b])
    }

    /// `a or b`.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::Or, Sort::Bool, &[a, b])
    }

    /// Whether two terms of one sort (not floats) have the same bits.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::Equal, Sort::Bool, &[a, b])
    }

    /// `a` where the condition holds, else `b`.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        self.apply(Op::Ite, a.sort(), &[condition, a, b])
    }

    /// A binary operator whose result has the sort of its operands.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.apply(op, a.sort(), &[a, b])
    }

    /// A comparison: a truth value.
    pub fn compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.apply(op, Sort::Bool, &[a, b])
    }

    /// `width` bits of `a`, beginning with bit `low`.
    pub fn extract(&mut self, a: Term, low: u8, width: u8) -> Term {
        self.apply(Op::Extract { low }, Sort::Bits(width), &[a])
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = high.sort().width() + low.sort().width();
        self.apply(Op::Concat, Sort::Bits(width), &[high, low])
    }

    /// `a` with zeros above, to a width.
    pub fn zero_extend(&mut self, a: Term, width: u8) -> Term {
        self.apply(Op::ZeroExtend, Sort::Bits(width), &[a])
    }

    /// `a` with its sign bit above, to a width.
    pub fn sign_extend(&mut self, a: Term, width: u8) -> Term {
        self.apply(Op::SignExtend, Sort::Bits(width), &[a])
    }
}

fn folded(op: Op, sort: Sort, operands: &[Term]) -> Option<u128> {
    let known: SmallVec<[(Sort, u128); 3]> =
        operands.iter().map_while(|term| Some((term.sort(), term.constant()?))).collect();
    (known.len() == operands.len()).then(|| evaluate_op(op, sort, &known))
}
