//! Laws of parts: a function's result for the beginning of its data is the beginning of its result for all of the data, as with decoders,
//! `decode(code) is_prefix_of decode(concat(code, t))`; or the same of the ends.

use dodona_relations::plan::Ty;

use super::enumerate::Enumeration;
use super::equation::Equation;
use super::equation_term::{Term, TermId};
use super::head::Head;
use super::laboratory::Laboratory;
use super::values::Values;
use crate::discovery::Operator;

/// A part of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Beginning,
    End,
}

impl Part {
    /// The word that says that one result is this part of another.
    fn word(self) -> Operator {
        match self {
            Part::Beginning => Operator::PrefixOf,
            Part::End => Operator::SuffixOf,
        }
    }

    /// The operands of `concat` that have the data as this part.
    fn joined(self, data: TermId, other: TermId) -> [TermId; 2] {
        match self {
            Part::Beginning => [data, other],
            Part::End => [other, data],
        }
    }
}

impl Enumeration<'_> {
    /// Looks for `f(x) is_prefix_of f(concat(x, y))` and `f(x) is_suffix_of f(concat(y, x))`, for each parameter of each function that gives a text or a sequence. They are
    /// looked for after the equations, because they follow from a homomorphism, which says more: `f(concat(x, y)) == concat(f(x), f(y))`.
    ///
    /// # Errors
    /// When the functions under test cannot be run.
    pub fn run_parts<L: Laboratory>(&mut self, laboratory: &mut L) -> Result<(), L::Error> {
        let plain: Vec<TermId> =
            self.layers.iter().flatten().copied().filter(|&term| self.is_plain_data(term)).collect();
        for call in plain {
            for place in 0..self.terms.get(call).operands.len() {
                for part in [Part::Beginning, Part::End] {
                    if !laboratory.may_go_on() {
                        return Ok(());
                    }
                    if let Some(comparison) = self.of_part(call, place, part, laboratory)? {
                        self.is_listed(comparison, laboratory)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a term is a call that gives a text or a sequence and whose arguments are different variables, the first ones of their kind.
    fn is_plain_data(&self, id: TermId) -> bool {
        matches!(self.terms.ty(id), Ty::Text | Ty::Sequence(_)) && self.is_plain_call(id)
    }

    /// The comparison of a call with the same call for longer data, if it is true in all recorded executions, is not trivial, and does not follow from a listed equation.
    fn of_part<L: Laboratory>(
        &mut self,
        call: TermId,
        place: usize,
        part: Part,
        laboratory: &mut L,
    ) -> Result<Option<TermId>, L::Error> {
        let Term { operands, .. } = self.terms.get(call).clone();
        let data = operands[place];
        let Some(kind) = self.kind_of.get(&data).copied() else { return Ok(None) };
        let is_other = |other: &TermId| self.kind_of.get(other) == Some(&kind) && !operands.contains(other);
        let Some(other) = self.variables().into_iter().find(is_other) else { return Ok(None) };
        let concat = Head::Word(Operator::Concat);
        let Some(longer) = self.terms.insert(self.vocabulary, concat, &part.joined(data, other)) else {
            return Ok(None);
        };
        let mut arguments = operands.clone();
        arguments[place] = longer;
        let short = self.other_call(call, &operands, laboratory)?;
        let long = self.other_call(call, &arguments, laboratory)?;
        if !is_part(part, &short.1, &long.1) || self.says_more(call, &short.1) {
            return Ok(None);
        }
        Ok(self.terms.insert(self.vocabulary, Head::Word(part.word()), &[short.0, long.0]))
    }

    /// Whether a listed equation says what a call for joined data is, or what the plain call is without calls of variables. One with a condition says as much if the result is empty
    /// wherever the condition is false.
    fn says_more(&self, call: TermId, short: &Values) -> bool {
        let says = |equation: &Equation| {
            let sides = [(equation.left, equation.right), (equation.right, equation.left)];
            sides.into_iter().any(|(side, other)| {
                self.is_longer_call(side, call) || side == call && !self.calls_variables(other)
            })
        };
        let is_enough = |equation: &Equation| {
            let condition = equation.condition.and_then(|term| self.recorded_values(&self.terms, term));
            let empty = short.has_items().into_iter().map(|has| !has);
            condition.is_some_and(|met| met.truths().zip(empty).all(|(is_met, is_empty)| is_met || is_empty))
        };
        self.equations.iter().any(says)
            || self.conditional.iter().any(|(equation, _)| says(equation) && is_enough(equation))
    }

    /// Whether a term has a call with a variable among its arguments; `f("")` has none.
    fn calls_variables(&self, id: TermId) -> bool {
        let mut found = false;
        self.terms.visit(id, &mut |id| {
            let term = self.terms.get(id);
            let is_call = matches!(term.head, Head::Output { .. });
            found |= is_call && term.operands.iter().any(|&argument| self.terms.variables(argument) != 0);
        });
        found
    }

    /// Whether a term is a call of the same function with joined data, such as `f(concat(y, x))`.
    fn is_longer_call(&self, id: TermId, call: TermId) -> bool {
        let term = self.terms.get(id);
        let is_joined = |&argument: &TermId| {
            let argument = self.terms.get(argument);
            argument.head == Head::Word(Operator::Concat)
                && argument.operands.iter().all(|&operand| self.terms.is_variable(operand))
        };
        term.head == self.terms.get(call).head && term.operands.iter().any(is_joined)
    }
}

/// Whether values are this part of others wherever both are defined, and in some row a part that is neither empty nor all.
fn is_part(part: Part, short: &Values, long: &Values) -> bool {
    if !Values::applied(part.word().op(), &[short, long]).are_true() {
        return false;
    }
    let mut rows = short.has_items().into_iter().zip(short.agreement(long)).zip(long.defined());
    rows.any(|((has_items, is_all), is_defined)| has_items && !is_all && is_defined)
}
