//! Upper and lower bounds of the numbers that a function gives: `distance(a, b) <= max(len(a), len(b))`.
//!
//! Functions of floats get bounds too, by the same enumeration without calls (`Enumeration::run_plain`) beside one call at plain
//! variables. Polynomial laws are computed from columns of products and cannot compare, and a search for equations of floats would find
//! what these laws say already.

use dodona_relations::plan::Ty;

use super::enumerate::Enumeration;
use super::equation::Equation;
use super::equation_term::TermId;
use super::equation_tuning::{MOST_BOUNDS, REACHED};
use super::head::Head;
use super::laboratory::{FreshVerdict, Laboratory};
use super::values::Values;
use crate::discovery::Operator;

impl Enumeration<'_> {
    /// Looks for bounds of calls at plain variables that give numbers, and for the constant that a call gives only at equal
    /// arguments. A bound is a term without a call, the sum of two other
    /// calls of the function (the triangle inequality), or the call whose arguments are all changed in the same way.
    ///
    /// # Errors
    /// When the functions under test cannot be run.
    pub fn run_bounds<L: Laboratory>(&mut self, laboratory: &mut L) -> Result<(), L::Error> {
        let plain: Vec<TermId> =
            self.layers.iter().flatten().copied().filter(|&term| self.is_plain_number(term)).collect();
        for call in plain {
            if laboratory.may_go_on() {
                self.run_indiscernible(call, laboratory)?;
            }
            for bounds in self.bounds(call) {
                let mut found = 0;
                for bound in bounds {
                    if found == MOST_BOUNDS || !laboratory.may_go_on() {
                        break;
                    }
                    // The same comparison with other variables is another call with exchanged arguments.
                    if self.is_first_in_names(Equation::new(bound, bound)) {
                        found += usize::from(self.is_listed(bound, laboratory)?);
                    }
                }
            }
            for inequality in self.between_calls(call, laboratory)? {
                if laboratory.may_go_on() {
                    self.is_listed(inequality, laboratory)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a term is a call that gives a number and whose arguments are different variables, the first ones of their kind.
    fn is_plain_number(&self, id: TermId) -> bool {
        matches!(self.terms.ty(id), Ty::Int | Ty::Float) && self.is_plain_call(id)
    }

    /// Whether a term is a call whose arguments are different variables, the first ones of their kind.
    pub(super) fn is_plain_call(&self, id: TermId) -> bool {
        let term = self.terms.get(id);
        let are_different = self.terms.variables(id).count_ones() as usize == term.operands.len();
        matches!(term.head, Head::Output { .. })
            && are_different
            && term.operands.iter().all(|&operand| self.terms.is_variable(operand))
            && self.is_first_in_names(Equation::new(id, id))
    }

    /// Comparisons `call <= bound` with the upper bounds, and `bound <= call` with the lower ones. Only the closest bounds are
    /// given, the shortest first.
    fn bounds(&mut self, call: TermId) -> [Vec<TermId>; 2] {
        let values = self.values[&call].clone();
        let within = self.terms.variables(call);
        let terms: Vec<TermId> = self
            .layers
            .iter()
            .flatten()
            .copied()
            .filter(|&term| self.terms.ty(term) == self.terms.ty(call) && self.terms.calls(term) == 0)
            .filter(|&term| self.terms.variables(term) & !within == 0)
            // That a count is at least 0 is true by its type and says nothing of the function.
            .filter(|&term| self.terms.variables(term) != 0 || self.terms.ty(term) == Ty::Float)
            .filter(|term| {
                values.agreement(&self.values[term]).filter(|is| *is).count() * REACHED >= self.rows
            })
            .collect();
        [true, false].map(|from_above| {
            let order = |a: &Values, b: &Values| if from_above { a.is_at_most(b) } else { b.is_at_most(a) };
            let holding: Vec<TermId> =
                terms.iter().copied().filter(|term| order(&values, &self.values[term])).collect();
            let is_closest = |term: &TermId| {
                holding.iter().all(|other| other == term || !order(&self.values[other], &self.values[term]))
            };
            let mut closest: Vec<TermId> = holding.iter().copied().filter(is_closest).collect();
            if !from_above {
                closest.iter_mut().for_each(|bound| *bound = self.without_sign(*bound, &values));
            }
            closest.sort_by_key(|term| self.terms.size(*term));
            let compared = closest.into_iter().filter_map(|bound| {
                let sides = if from_above { [call, bound] } else { [bound, call] };
                self.terms.insert(self.vocabulary, Head::Word(Operator::LessEqual), &sides)
            });
            compared.collect()
        })
    }

    /// The absolute value of a lower bound that is a difference, if that is a lower bound too: `abs(len(a) - len(b)) <= f(a, b)`.
    fn without_sign(&mut self, bound: TermId, values: &Values) -> TermId {
        if self.terms.get(bound).head != Head::Word(Operator::Subtract) {
            return bound;
        }
        let size = Values::applied(Operator::Abs.op(), &[&self.values[&bound]]);
        let term = self.terms.insert(self.vocabulary, Head::Word(Operator::Abs), &[bound]);
        term.filter(|_| size.is_at_most(values)).unwrap_or(bound)
    }

    /// Tests a comparison on fresh inputs, and lists it if none of them refutes it.
    pub(super) fn is_listed<L: Laboratory>(
        &mut self,
        comparison: TermId,
        laboratory: &mut L,
    ) -> Result<bool, L::Error> {
        let truth =
            self.terms.insert(self.vocabulary, Head::Bool(true), &[]).expect("leaves have no operands");
        let equation = Equation::new(comparison, truth);
        match laboratory.judge(&self.terms, equation)? {
            FreshVerdict::Holds => {
                self.bounds.push(equation);
                Ok(true)
            }
            FreshVerdict::Refuted | FreshVerdict::Stopped => Ok(false),
        }
    }
}
