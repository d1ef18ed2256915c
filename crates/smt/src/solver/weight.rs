//! Which terms are hard for solvers.

use crate::term::{NodeId, Op, Term, Terms};

/// How hard a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    Light,
    /// Computed from products or quotients of integers.
    Integer,
    /// Computed by float arithmetic.
    Float,
}

/// The weights of all nodes. They serve one [`Terms`].
#[derive(Debug, Default)]
pub(super) struct Weights(Vec<Weight>);

impl Weights {
    /// The weight of the heaviest of some terms.
    pub(super) fn heaviest(&mut self, terms: &Terms, of: &[Term]) -> Weight {
        of.iter().map(|&term| self.of(terms, term)).max().unwrap_or(Weight::Light)
    }

    fn of(&mut self, terms: &Terms, term: Term) -> Weight {
        let Term::Node(_, NodeId(last)) = term else { return Weight::Light };
        // Operands have lower numbers.
        for number in self.0.len()..=last as usize {
            let weight = self.of_node(terms, NodeId(number as u32));
            self.0.push(weight);
        }
        self.0[last as usize]
    }

    fn of_node(&self, terms: &Terms, id: NodeId) -> Weight {
        let node = terms.node(id);
        let below = node.operands.iter().map(|operand| match operand {
            Term::Node(_, id) => self.0[id.0 as usize],
            Term::Constant(..) => Weight::Light,
        });
        below.chain([of_operator(node.op, &node.operands)]).max().unwrap_or(Weight::Light)
    }
}

fn of_operator(op: Op, operands: &[Term]) -> Weight {
    match op {
        Op::Mul if operands.iter().all(|operand| operand.constant().is_none()) => Weight::Integer,
        Op::UnsignedDivide | Op::SignedDivide | Op::UnsignedRemainder | Op::SignedRemainder => {
            Weight::Integer
        }
        Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatDivide | Op::FloatSqrt => Weight::Float,
        Op::FloatCeil | Op::FloatFloor | Op::FloatTrunc | Op::FloatNearest => Weight::Float,
        Op::FloatConvert | Op::FromSigned | Op::FromUnsigned | Op::ToSigned | Op::ToUnsigned => Weight::Float,
        _ => Weight::Light,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn a_term_is_as_heavy_as_what_it_is_computed_from() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::Bits(32)), terms.variable("y", Sort::Bits(32)));
        let (sum, tripled) = (terms.binary(Op::Add, x, y), terms.binary(Op::Mul, x, Term::bits(32, 3)));
        let product = terms.binary(Op::Mul, sum, y);
        let less = terms.compare(Op::UnsignedLess, product, x);
        let float = terms.apply(Op::FromSigned, Sort::F32, &[product]);
        let mut weights = Weights::default();
        let mut of = |term| weights.heaviest(&terms, &[Term::bool(true), term]);
        assert_eq!([less, sum, product].map(&mut of), [Weight::Integer, Weight::Light, Weight::Integer]);
        assert_eq!([tripled, float].map(&mut of), [Weight::Light, Weight::Float]);
    }
}
