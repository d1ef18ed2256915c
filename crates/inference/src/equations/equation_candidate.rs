//! Candidates for equations: terms whose values are equal to those of another term.

use super::enumerate::{Enumeration, computed_values};
use super::equation::Equation;
use super::equation_term::TermId;
use super::equation_tuning::DEFINED_SHARE;
use super::head::Head;
use super::laboratory::{FreshVerdict, Laboratory};
use super::rules::Reach;
use super::values::Values;
use crate::discovery::is_sequence;

impl Enumeration<'_> {
    /// Adds a term to those from which larger terms are built, unless it is equal to a term that is there already.
    pub(super) fn place<L: Laboratory>(
        &mut self,
        term: TermId,
        values: Values,
        kind: Option<usize>,
        laboratory: &mut L,
    ) -> Result<(), L::Error> {
        let defined = values.defined_rows();
        if defined * DEFINED_SHARE < self.rows || defined == 0 {
            return Ok(());
        }
        for before in self.equals(term, &values) {
            if self.is_equation(Equation::new(term, before), laboratory)? {
                return Ok(());
            }
        }
        self.build_upon(term, values);
        if let Some(kind) = kind.filter(|_| is_sequence(self.terms.ty(term))) {
            self.kind_of.insert(term, kind);
        }
        Ok(())
    }

    /// The terms already there that are equal to this one wherever this one has a value.
    fn equals(&self, term: TermId, values: &Values) -> Vec<TermId> {
        let ty = self.terms.ty(term);
        if let Some(found) = self.by_key.get(&(ty, values.key())) {
            return found.clone();
        }
        if values.defined_rows() == self.rows {
            return Vec::new();
        }
        let all = self.layers.iter().flatten().copied();
        all.filter(|&other| self.terms.ty(other) == ty && values.agrees_within(&self.values[&other]))
            .take(2)
            .collect()
    }

    pub(super) fn build_upon(&mut self, term: TermId, values: Values) {
        let key = (self.terms.ty(term), values.key());
        self.by_key.entry(key).or_default().push(term);
        self.values.insert(term, values);
        let size = self.terms.size(term) as usize;
        if self.layers.len() <= size {
            self.layers.resize(size + 1, Vec::new());
        }
        self.layers[size].push(term);
    }

    /// Whether two terms are equal: the equation follows from the listed ones, or holds on fresh inputs and is listed now.
    pub(super) fn is_equation<L: Laboratory>(
        &mut self,
        equation: Equation,
        laboratory: &mut L,
    ) -> Result<bool, L::Error> {
        if self.rules.follows(&self.terms, equation, &[]) {
            return Ok(true);
        }
        if !equation.is_about_calls(&self.terms) {
            let reach = self.reach(equation);
            self.rules.add_within(&self.terms, equation, reach);
            self.of_language.add_within(&self.terms, equation, reach);
            return Ok(true);
        }
        if !self.is_first_in_names(equation) {
            // The same equation with the variables in their usual order was tested on fresh inputs before.
            return Ok(false);
        }
        self.candidates += 1;
        match laboratory.judge(&self.terms, equation)? {
            FreshVerdict::Holds => {
                self.rules.add(&self.terms, equation);
                self.equations.push(equation);
                Ok(true)
            }
            FreshVerdict::Refuted => Ok(false),
            FreshVerdict::Stopped => {
                self.is_stopped = true;
                Ok(true)
            }
        }
    }

    /// For which terms an equation without a call holds: for all terms of the type if it is true of values that no domain
    /// restricts, and for these variables otherwise.
    fn reach(&self, equation: Equation) -> Reach {
        let [left, right] = [equation.left, equation.right].map(|term| self.unrestricted_values(term));
        match left.agrees_within(&right) {
            true => Reach::Everywhere,
            false => Reach::TheseVariables,
        }
    }

    fn unrestricted_values(&self, id: TermId) -> Values {
        let rows = self.unrestricted.first().map_or(0, Values::rows);
        let variable = |term: TermId| match self.terms.get(term).head {
            Head::Variable(v) => Some(self.unrestricted[usize::from(v)].clone()),
            _ => None,
        };
        computed_values(&self.terms, id, rows, &variable).expect("terms without calls have values")
    }
}
