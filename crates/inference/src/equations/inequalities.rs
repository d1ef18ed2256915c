//! Inequalities between calls of one function: the triangle inequality of distances, that of norms, and calls whose arguments
//! are all changed in the same way.

use dodona_relations::plan::Ty;
use dodona_target::Column;

use super::enumerate::Enumeration;
use super::equation_term::{Term, TermId};
use super::equation_tuning::TIGHT;
use super::head::Head;
use super::laboratory::Laboratory;
use super::values::Values;
use crate::discovery::Operator;

/// A term with its values.
type Known = (TermId, Values);

impl Enumeration<'_> {
    /// The inequalities between a call at plain variables and other calls of the same function that hold in the recorded
    /// executions.
    ///
    /// # Errors
    /// When the functions under test cannot be run.
    pub(super) fn between_calls<L: Laboratory>(
        &mut self,
        call: TermId,
        laboratory: &mut L,
    ) -> Result<Vec<TermId>, L::Error> {
        let mut found = Vec::new();
        found.extend(self.triangle(call, laboratory)?);
        found.extend(self.of_sums(call, laboratory)?);
        found.extend(self.of_changed(call, laboratory)?);
        Ok(found)
    }

    /// The triangle inequality of distances, `f(a, b) <= f(a, c) + f(c, b)`.
    fn triangle<L: Laboratory>(
        &mut self,
        call: TermId,
        laboratory: &mut L,
    ) -> Result<Option<TermId>, L::Error> {
        let [a, b] = self.terms.get(call).operands[..] else { return Ok(None) };
        let kind = |term| self.kind_of.get(&term);
        let is_third =
            |&c: &TermId| c != a && c != b && kind(c).is_some() && kind(c) == kind(a) && kind(c) == kind(b);
        let Some(c) = self.variables().into_iter().find(is_third) else { return Ok(None) };
        let direct = self.other_call(call, &[a, b], laboratory)?;
        let (first, second) =
            (self.other_call(call, &[a, c], laboratory)?, self.other_call(call, &[c, b], laboratory)?);
        Ok(self.sum(&first, &second).and_then(|sum| self.at_most(&direct, &sum)))
    }

    /// The triangle inequality of norms, `f(a + c, b + d) <= f(a, b) + f(c, d)`, for functions of floats.
    fn of_sums<L: Laboratory>(
        &mut self,
        call: TermId,
        laboratory: &mut L,
    ) -> Result<Option<TermId>, L::Error> {
        let own = self.terms.get(call).operands.clone();
        let Head::Output { function, .. } = self.terms.get(call).head else { return Ok(None) };
        let mut others = Vec::new();
        for parameter in 0..own.len() {
            let free =
                self.variables().into_iter().zip(&self.vocabulary.variables).find(|(term, variable)| {
                    variable.ty == Ty::Float
                        && variable.parameters.contains(&(function.into(), parameter))
                        && !own.contains(term)
                        && !others.contains(term)
                });
            let Some((other, _)) = free else { return Ok(None) };
            others.push(other);
        }
        let sums = own
            .iter()
            .zip(&others)
            .map(|(&a, &b)| self.terms.insert(self.vocabulary, Head::Word(Operator::Add), &[a, b]));
        let Some(sums) = sums.collect::<Option<Vec<TermId>>>() else { return Ok(None) };
        let of_sums = self.other_call(call, &sums, laboratory)?;
        let (first, second) =
            (self.other_call(call, &own, laboratory)?, self.other_call(call, &others, laboratory)?);
        let sum = self.sum(&first, &second).filter(|sum| comes_near(&of_sums.1, &sum.1));
        Ok(sum.and_then(|sum| self.at_most(&of_sums, &sum)))
    }

    /// The call and the same call with all arguments changed in the same way, where one is at most the other and they differ:
    /// a common prefix never makes two texts less similar.
    fn of_changed<L: Laboratory>(
        &mut self,
        call: TermId,
        laboratory: &mut L,
    ) -> Result<Vec<TermId>, L::Error> {
        let Term { head: Head::Output { function, .. }, operands, .. } = self.terms.get(call).clone() else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for changed in self.all_changed_arguments(function.into()) {
            let plain = self.other_call(call, &operands, laboratory)?;
            let changed = self.other_call(call, &changed, laboratory)?;
            if !plain.1.agrees_within(&changed.1) {
                let below = self.at_most(&plain, &changed);
                found.extend(below.or_else(|| self.at_most(&changed, &plain)));
            }
        }
        Ok(found)
    }

    /// The same output of another call of the same function.
    pub(super) fn other_call<L: Laboratory>(
        &mut self,
        call: TermId,
        arguments: &[TermId],
        laboratory: &mut L,
    ) -> Result<Known, L::Error> {
        let head = self.terms.get(call).head;
        let Head::Output { function, output } = head else { unreachable!("a call is asked for") };
        let values: Vec<Values> = arguments
            .iter()
            .map(|&term| {
                self.recorded_values(&self.terms, term).expect("arguments without calls have values")
            })
            .collect();
        let outputs = laboratory.call(function.into(), &values.iter().collect::<Vec<_>>())?;
        let term = self.terms.insert(self.vocabulary, head, arguments).expect("calls have any operands");
        let values = outputs.into_iter().nth(output.into()).expect("a value for each output");
        Ok((term, values))
    }

    fn sum(&mut self, (a, one): &Known, (b, other): &Known) -> Option<Known> {
        let term = self.terms.insert(self.vocabulary, Head::Word(Operator::Add), &[*a, *b])?;
        Some((term, Values::applied(Operator::Add.op(), &[one, other])))
    }

    /// The comparison `low <= high`, if it is true wherever both have values, and both have some.
    fn at_most(&mut self, (low, least): &Known, (high, most): &Known) -> Option<TermId> {
        let has_both = least.defined().zip(most.defined()).any(|(least, most)| least && most);
        if !has_both || !least.is_at_most(most) {
            return None;
        }
        self.terms.insert(self.vocabulary, Head::Word(Operator::LessEqual), &[*low, *high])
    }
}

/// Whether floats reach [`TIGHT`] times a bound in some row. A function that falls as its arguments grow is far below the sum
/// everywhere, and that it falls says more.
fn comes_near(values: &Values, bound: &Values) -> bool {
    let (Column::Float(reached), Column::Float(most)) = (values.column(), bound.column()) else {
        return false;
    };
    let is_defined = values.defined().zip(bound.defined()).map(|(a, b)| a && b);
    let mut rows = reached.iter().zip(most).zip(is_defined);
    rows.any(|((reached, most), is_defined)| is_defined && *most > 0.0 && *reached >= TIGHT * most)
}
