//! The words and calls that are applied to smaller terms to make terms of a given size.

use dodona_relations::plan::Ty;

use super::enumerate::Enumeration;
use super::equation_term::TermId;
use super::head::{Applied, Head};
use crate::discovery::{Operator, is_sequence};

impl Enumeration<'_> {
    /// The words and calls that make terms of a size, with their operands. Words come first: if a call is equal to a term of
    /// words, that term is kept and the call is described by it. Words without a variable in their operands are left out.
    pub(super) fn of_size(&self, size: u32) -> Vec<(Applied, Vec<TermId>)> {
        let mut made = Vec::new();
        for &operator in &self.vocabulary.words {
            let mut add = |operands: &[TermId]| {
                if self.is_made(operator, operands, size) {
                    made.push((Applied::Word(operator), operands.to_vec()));
                }
            };
            let mut chosen = Vec::new();
            self.any_operands(size - 1, operator.arity(), &mut chosen, &mut add);
        }
        for (index, function) in self.vocabulary.functions.iter().enumerate() {
            let types: Vec<Ty> = function.parameters.iter().map(|(_, ty)| *ty).collect();
            let is_of_kind = |(parameter, operand): (usize, &TermId)| {
                if let (Head::Variable(v), false) =
                    (self.terms.get(*operand).head, is_sequence(types[parameter]))
                {
                    // A variable that is drawn as a number for one parameter is not passed to another, where numbers mostly
                    // mean something else.
                    return self.vocabulary.variables[usize::from(v)]
                        .parameters
                        .contains(&(index, parameter));
                }
                let kind = self.kind_of.get(operand);
                kind.is_none() || kind.copied() == self.kinds.parameter(index, parameter)
            };
            let mut add = |operands: &[TermId]| {
                let calls: u32 = operands.iter().map(|&operand| self.terms.calls(operand)).sum();
                if calls < self.limits.calls && operands.iter().enumerate().all(is_of_kind) {
                    made.push((Applied::Call(index as u8), operands.to_vec()));
                }
            };
            self.operands(size - 1, &types, self.limits.argument, &mut Vec::new(), &mut add);
        }
        made
    }

    /// Whether a word is applied to these operands.
    fn is_made(&self, operator: Operator, operands: &[TermId], size: u32) -> bool {
        let types: Vec<Ty> = operands.iter().map(|&operand| self.terms.ty(operand)).collect();
        let is_typed = operator.result(&types).is_some_and(|ty| ty != Ty::Number);
        let variables = operands.iter().fold(0, |all, &operand| all | self.terms.variables(operand));
        let calls: u32 = operands.iter().map(|&operand| self.terms.calls(operand)).sum();
        // Between a sequence and a number an operator works on each element. Such terms are left out, because there are very
        // many of them.
        let is_mixed = types.windows(2).any(|two| two[0] != two[1]);
        let mut kinds = operands.iter().filter_map(|operand| self.kind_of.get(operand));
        let is_of_kind = kinds.next().is_none_or(|first| kinds.all(|kind| kind == first));
        is_typed
            && !is_mixed
            && is_of_kind
            && (operator != Operator::Sorted || types[0] != Ty::Text)
            && variables != 0
            && calls <= self.limits.calls
            && (calls > 0 || size <= self.limits.without_call)
            && (!operator.is_commutative() || operands.is_sorted())
    }

    fn operands(
        &self,
        size: u32,
        types: &[Ty],
        greatest: u32,
        chosen: &mut Vec<TermId>,
        add: &mut dyn FnMut(&[TermId]),
    ) {
        let Some((&first, rest)) = types.split_first() else {
            if size == 0 {
                add(chosen);
            }
            return;
        };
        let most = size.saturating_sub(rest.len() as u32).min(greatest);
        let least = if rest.is_empty() { size } else { 1 };
        for own in least..=most {
            for &term in self.layers[own as usize].iter().filter(|&&term| self.terms.ty(term) == first) {
                chosen.push(term);
                self.operands(size - own, rest, greatest, chosen, add);
                chosen.pop();
            }
        }
    }

    fn any_operands(
        &self,
        size: u32,
        arity: usize,
        chosen: &mut Vec<TermId>,
        add: &mut dyn FnMut(&[TermId]),
    ) {
        if arity == 0 {
            if size == 0 {
                add(chosen);
            }
            return;
        }
        let most = (size + 1).saturating_sub(arity as u32);
        let least = if arity == 1 { size } else { 1 };
        for own in least..=most {
            for &term in &self.layers[own as usize] {
                chosen.push(term);
                self.any_operands(size - own, arity - 1, chosen, add);
                chosen.pop();
            }
        }
    }
}
