//! `is_subset_of`, `is_disjoint_from`, `is_permutation_of` and `union`: the checker writes each of them in words that every engine knows.

use super::Ty;
use super::operators::Sides;
use super::typing::{Typing, quoted};
use crate::Diagnostic;
use crate::ast::{BinaryOperator, Span};
use crate::graph::NodeId;
use crate::op::Op;

impl Typing<'_> {
    /// Type-checks `is_subset_of`, `is_disjoint_from` and `is_permutation_of`.
    ///
    /// A part adds no element to the whole: `len(distinct(concat(t, s))) == len(distinct(t))`. Of two sequences without a common element both counts add up. In a permutation
    /// each element occurs equally often: `sorted(s) == sorted(t)`.
    pub(super) fn sets(
        &mut self,
        operator: BinaryOperator,
        nodes: Sides<NodeId>,
        span: Span,
    ) -> Option<NodeId> {
        match (self.graph.ty(nodes.0), self.graph.ty(nodes.1)) {
            // Bytes that are no character by themselves may be one beside each other, so that two texts in a row have other characters than each has.
            (Ty::Text, Ty::Text) if operator == BinaryOperator::PermutationOf => {}
            (Ty::Sequence(a), Ty::Sequence(b)) if a.join(b).is_some() => {}
            (left, right) => {
                let (left, right) = (quoted(left), quoted(right));
                let message = format!("`{}` does not go with {left} and {right}", operator.word());
                let hint = match operator {
                    BinaryOperator::PermutationOf => "both sides are texts, or sequences of the same kind",
                    _ => "both sides are sequences of the same kind",
                };
                return self.problem(Diagnostic::new(span, message).hint(hint));
            }
        }
        let (s, t) = self.same_elements(nodes, true);
        let (left, right) = match operator {
            BinaryOperator::SubsetOf => {
                let both = self.applied(Op::Concat, &[t, s]);
                (self.different(both), self.different(t))
            }
            BinaryOperator::DisjointFrom => {
                let both = self.applied(Op::Concat, &[s, t]);
                let (of_s, of_t) = (self.different(s), self.different(t));
                (self.different(both), self.graph.add(Op::Add, &[of_s, of_t], Ty::Int))
            }
            _ => (self.applied(Op::Sorted, &[s]), self.applied(Op::Sorted, &[t])),
        };
        Some(self.graph.add(Op::Equal, &[left, right], Ty::Bool))
    }

    /// `union(s, t)` of operands that `concat` takes: `distinct(concat(s, t))`.
    pub(super) fn union(&mut self, s: NodeId, t: NodeId) -> NodeId {
        let both = self.applied(Op::Concat, &[s, t]);
        self.applied(Op::Distinct, &[both])
    }

    /// How many different elements there are.
    fn different(&mut self, s: NodeId) -> NodeId {
        let distinct = self.applied(Op::Distinct, &[s]);
        self.applied(Op::Length, &[distinct])
    }

    /// The node of a word that takes these operands.
    fn applied(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        let types: Vec<Ty> = operands.iter().map(|node| self.graph.ty(*node)).collect();
        let Some(word) = op.word() else { unreachable!("{op:?} is a word") };
        let ty = word.result(&types);
        self.graph.add(op, operands, ty)
    }
}
