//! Which terms are hard for solvers.

use crate::term::{NodeId, Op, Term, Terms};

/// Which nodes compute, or are computed from, products, quotients or float arithmetic. It serves one [`Terms`].
#[derive(Debug, Default)]
pub(super) struct Weights(Vec<bool>);

impl Weights {
    pub(super) fn is_heavy(&mut self, terms: &Terms, term: Term) -> bool {
        let Term::Node(_, NodeId(last)) = term else { return false };
        // Operands have lower numbers.
        for number in self.0.len()..=last as usize {
            let heavy = self.node_is_heavy(terms, NodeId(number as u32));
            self.0.push(heavy);
        }
        self.0[last as usize]
    }

    fn node_is_heavy(&self, terms: &Terms, id: NodeId) -> bool {
        let node = terms.node(id);
        let below = |operand: &Term| matches!(operand, Term::Node(_, id) if self.0[id.0 as usize]);
        is_hard(node.op, &node.operands) || node.operands.iter().any(below)
    }
}

fn is_hard(op: Op, operands: &[Term]) -> bool {
    match op {
        Op::Mul => operands.iter().all(|operand| operand.constant().is_none()),
        Op::UnsignedDivide | Op::SignedDivide | Op::UnsignedRemainder | Op::SignedRemainder => true,
        Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatDivide | Op::FloatSqrt => true,
        Op::FloatCeil | Op::FloatFloor | Op::FloatTrunc | Op::FloatNearest => true,
        Op::FloatConvert | Op::FromSigned | Op::FromUnsigned | Op::ToSigned | Op::ToUnsigned => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn what_is_computed_from_a_product_is_heavy() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::Bits(32)), terms.variable("y", Sort::Bits(32)));
        let (sum, tripled) = (terms.binary(Op::Add, x, y), terms.binary(Op::Mul, x, Term::bits(32, 3)));
        let product = terms.binary(Op::Mul, sum, y);
        let less = terms.compare(Op::UnsignedLess, product, x);
        let mut weights = Weights::default();
        assert_eq!(
            [less, sum, product, tripled].map(|term| weights.is_heavy(&terms, term)),
            [true, false, true, false]
        );
        assert!(!weights.is_heavy(&terms, Term::bool(true)));
    }
}
