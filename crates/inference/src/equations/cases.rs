//! Finds equations that follow from others in two cases: where a text or sequence is empty, and where it is not. So
//! `f(f(t) + u) == f(t + u)` follows from `f("") == ""`, `f(f(t)) == f(t)` and `when 0 < len(t): f(t + u) == f(t) + u`.

use dodona_relations::plan::Ty;

use super::enumerate::Enumeration;
use super::equation::Equation;
use super::equation_term::{TermId, Terms};
use super::head::Head;
use super::rules::Rules;
use super::values::Values;
use crate::discovery::{EmptyKind, Operator};

impl Enumeration<'_> {
    /// Removes the equations that follow by cases from those that are kept and from those with a condition, the last ones first.
    pub(super) fn remove_those_by_cases(&self, equations: &mut Vec<Equation>) {
        if self.conditional.is_empty() {
            return;
        }
        let mut terms = self.terms.clone();
        for place in (0..equations.len()).rev() {
            let equation = equations.remove(place);
            let mut others = self.of_language.clone();
            let conditional = self.conditional.iter().map(|(other, _)| other);
            equations.iter().chain(conditional).for_each(|other| others.add(&self.terms, *other));
            if !self.follows_by_cases(equation, &others, &mut terms) {
                equations.insert(place, equation);
            }
        }
    }

    /// Whether an equation follows from rules where a variable is empty, and also where it is not.
    fn follows_by_cases(&self, equation: Equation, rules: &Rules, terms: &mut Terms) -> bool {
        let variables = self.terms.variables(equation.left) | self.terms.variables(equation.right);
        let variables = (0..self.vocabulary.variables.len() as u8).filter(|v| variables >> v & 1 == 1);
        let of_sequences: Vec<(TermId, TermId)> = variables.filter_map(|v| self.with_empty(v)).collect();
        of_sequences.into_iter().any(|(variable, empty)| {
            rules.follows_where(terms, equation, &[], Some((variable, empty))) && {
                let met = self.not_empty_beside(variable, equation, terms);
                rules.follows(terms, equation, &met)
            }
        })
    }

    /// A variable of texts or sequences with the empty one of its type.
    fn with_empty(&self, variable: u8) -> Option<(TermId, TermId)> {
        let variable = self.terms.leaf(Head::Variable(variable))?;
        let empty = Head::Empty(EmptyKind::of(self.terms.ty(variable))?);
        Some((variable, self.terms.leaf(empty)?))
    }

    /// For each text and sequence in an equation that was never empty in a recorded execution unless the variable was: that its length
    /// is greater than 0.
    fn not_empty_beside(&self, variable: TermId, equation: Equation, terms: &mut Terms) -> Vec<TermId> {
        let Some(of_variable) = self.has_items(variable) else { return Vec::new() };
        let mut inside = Vec::new();
        for side in [equation.left, equation.right] {
            self.terms.visit(side, &mut |term| inside.push(term));
        }
        inside.retain(|&term| {
            self.has_items(term).is_some_and(|own| own.iter().zip(&of_variable).all(|(own, of)| *own || !of))
        });
        let Some(zero) = terms.insert(self.vocabulary, Head::Int(0), &[]) else { return Vec::new() };
        let longer = inside.into_iter().filter_map(|term| {
            let length = terms.insert(self.vocabulary, Head::Word(Operator::Len), &[term])?;
            terms.insert(self.vocabulary, Head::Word(Operator::Less), &[zero, length])
        });
        longer.collect()
    }

    /// The rows in which a text or sequence is not empty. `None` for terms of other types and for those without recorded values.
    fn has_items(&self, term: TermId) -> Option<Vec<bool>> {
        let is_of_items = matches!(self.terms.ty(term), Ty::Text | Ty::Sequence(_));
        self.values.get(&term).filter(|_| is_of_items).map(Values::has_items)
    }
}
