//! Calls in which all texts and sequences are changed in the same way, such as `f(reverse(a), reverse(b))`.

use super::enumerate::Enumeration;
use super::equation_term::TermId;
use super::head::Head;
use super::laboratory::Laboratory;
use super::values::Values;
use crate::discovery::Operator;

/// A change of all texts and sequences among the arguments of a call.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// A word is applied to each.
    Word(Operator),
    /// Each is put behind the same other text or sequence.
    Behind,
    /// Each is put in front of the same other text or sequence.
    Before,
}

impl Enumeration<'_> {
    /// Adds the calls whose texts and sequences are all changed in the same way: `f(reverse(a), reverse(b))`, or
    /// `f(concat(c, a), concat(c, b))`. Some of them are larger than the terms that are enumerated. All are added as soon as
    /// the plain call is there, so that an equation about them is listed before the ones that follow from it.
    pub(super) fn all_changed<L: Laboratory>(
        &mut self,
        size: u32,
        laboratory: &mut L,
    ) -> Result<(), L::Error> {
        for function in 0..self.vocabulary.functions.len() {
            if self.vocabulary.functions[function].parameters.len() + 1 != size as usize {
                continue;
            }
            for change in self.changes() {
                let Some(arguments) = self.changed(function, change) else { continue };
                if self.is_stopped || !laboratory.may_go_on() {
                    return Ok(());
                }
                let values = arguments.iter().map(|&term| self.recorded_values(&self.terms, term));
                let Some(values) = values.collect::<Option<Vec<Values>>>() else { continue };
                let outputs = laboratory.call(function, &values.iter().collect::<Vec<_>>())?;
                self.place_outputs(function as u8, &arguments, outputs, laboratory)?;
            }
        }
        Ok(())
    }

    /// The arguments of the calls of a function whose texts and sequences are all changed in the same way, for each change.
    pub(super) fn all_changed_arguments(&mut self, function: usize) -> Vec<Vec<TermId>> {
        self.changes().into_iter().filter_map(|change| self.changed(function, change)).collect()
    }

    /// The first variables that are drawn for the parameters of a function, each once. `None` where there are too few.
    pub(super) fn plain_arguments(&self, function: usize) -> Option<Vec<TermId>> {
        let variables = self.variables();
        let mut taken: Vec<TermId> = Vec::new();
        for parameter in 0..self.vocabulary.functions[function].parameters.len() {
            let first = variables.iter().zip(&self.vocabulary.variables).find(|(term, variable)| {
                variable.parameters.contains(&(function, parameter)) && !taken.contains(term)
            });
            taken.push(*first?.0);
        }
        Some(taken)
    }

    /// The terms that are variables, in the order of the vocabulary.
    pub(super) fn variables(&self) -> Vec<TermId> {
        self.layers[1].iter().copied().filter(|&term| self.terms.is_variable(term)).collect()
    }

    fn changes(&self) -> Vec<Change> {
        let has = |operator: &Operator| self.vocabulary.words.contains(operator);
        let words = [Operator::Reverse, Operator::Upper, Operator::Lower].into_iter().filter(has);
        words.map(Change::Word).chain([Change::Behind, Change::Before]).collect()
    }

    /// The arguments of a call that is changed so: variables, of which at least two are texts or sequences of one kind. `None`
    /// where there are fewer.
    fn changed(&mut self, function: usize, change: Change) -> Option<Vec<TermId>> {
        let plain = self.plain_arguments(function)?;
        let others: Vec<TermId> =
            self.variables().into_iter().filter(|variable| !plain.contains(variable)).collect();
        let mut changed = 0;
        let mut arguments = Vec::new();
        for term in plain {
            let other = others.iter().find(|other| self.kind_of.get(other) == self.kind_of.get(&term));
            let new = match (self.kind_of.contains_key(&term), change, other) {
                (false, ..) => Some(term),
                (true, Change::Word(operator), _) => {
                    self.terms.insert(self.vocabulary, Head::Word(operator), &[term])
                }
                (true, Change::Behind, Some(&other)) => {
                    self.terms.insert(self.vocabulary, Head::Word(Operator::Concat), &[other, term])
                }
                (true, Change::Before, Some(&other)) => {
                    self.terms.insert(self.vocabulary, Head::Word(Operator::Concat), &[term, other])
                }
                (true, _, None) => None,
            }?;
            changed += usize::from(new != term);
            arguments.push(new);
        }
        (changed >= 2).then_some(arguments)
    }
}
