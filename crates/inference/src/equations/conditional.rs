//! Equations that hold under a condition on the inputs: `len(bytes) mod 3 == 0`.

use dodona_relations::plan::Ty;
use rustc_hash::FxHashMap;

use super::enumerate::{Enumeration, computed_values};
use super::equation::Equation;
use super::equation_term::{TermId, Terms};
use super::equation_tuning::{
    DIFFERING, DIFFERING_FROM_MULTIPLES, LEAST_ELSEWHERE, LEAST_MET_SHARE, MOST_CANDIDATES, MULTIPLES,
};
use super::head::Head;
use super::laboratory::{FreshVerdict, Laboratory};
use super::rules::Reach;
use super::textbook::is_of_textbook;
use super::values::Values;
use super::vocabulary::Vocabulary;
use crate::discovery::{Operator, is_sequence};

/// A condition, with the rows in which it is true.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    term: TermId,
    rows: Vec<bool>,
    is_multiple: bool,
}

impl Condition {
    fn count(&self) -> usize {
        self.rows.iter().filter(|row| **row).count()
    }

    fn implies(&self, other: &Condition) -> bool {
        self.rows.iter().zip(&other.rows).all(|(own, other)| *other || !*own)
    }
}

/// The conditions on the variables of a vocabulary, the most general first.
fn conditions(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    mut evaluate: impl FnMut(&Terms, TermId) -> Option<Values>,
) -> Vec<Condition> {
    let mut made = Vec::new();
    let leaf =
        |terms: &mut Terms, head| terms.insert(vocabulary, head, &[]).expect("leaves have no operands");
    let zero = leaf(terms, Head::Int(0));
    let (mut lengths, mut numbers) = (Vec::new(), Vec::new());
    for (v, variable) in vocabulary.variables.iter().enumerate() {
        let term = leaf(terms, Head::Variable(v as u8));
        match variable.ty {
            ty if is_sequence(ty) => {
                lengths.extend(terms.insert(vocabulary, Head::Word(Operator::Len), &[term]))
            }
            Ty::Int => numbers.push(term),
            _ => {}
        }
    }
    let mut compare = |terms: &mut Terms, operator, a, b| {
        made.extend(terms.insert(vocabulary, Head::Word(operator), &[a, b]))
    };
    for &length in &lengths {
        compare(terms, Operator::Less, zero, length);
        for multiple in MULTIPLES {
            let number = leaf(terms, Head::Int(multiple));
            let rest = terms.insert(vocabulary, Head::Word(Operator::Remainder), &[length, number]);
            compare(terms, Operator::Equal, rest.expect("lengths are integers"), zero);
        }
    }
    let all: Vec<TermId> = numbers.iter().chain(&lengths).copied().chain([zero]).collect();
    for &number in &numbers {
        for &other in all.iter().filter(|other| **other != number) {
            for operator in [Operator::LessEqual, Operator::Less] {
                compare(terms, operator, number, other);
                compare(terms, operator, other, number);
            }
        }
    }
    worth_asking(
        made.into_iter().filter_map(|term| evaluate(terms, term).map(|values| (term, values))),
        terms,
    )
}

/// The conditions that are true in enough rows and false in some, the most general first. If two are true in the same rows, the
/// first is kept.
fn worth_asking(made: impl Iterator<Item = (TermId, Values)>, terms: &Terms) -> Vec<Condition> {
    let mut conditions: Vec<Condition> = Vec::new();
    for (term, values) in made {
        let rows: Vec<bool> = values.truths().collect();
        let (is_true, least) = (rows.iter().filter(|row| **row).count(), rows.len() / LEAST_MET_SHARE);
        let is_new = conditions.iter().all(|other| other.rows != rows);
        if is_new && is_true >= least && rows.len() - is_true >= LEAST_ELSEWHERE {
            let is_multiple = terms.get(term).head == Head::Word(Operator::Equal);
            conditions.push(Condition { term, rows, is_multiple });
        }
    }
    conditions.sort_by_key(|condition| std::cmp::Reverse(condition.count()));
    conditions
}

impl Enumeration<'_> {
    /// Looks for equations that hold under one of the conditions.
    ///
    /// # Errors
    /// When the functions under test cannot be run.
    pub fn run_conditional<L: Laboratory>(&mut self, laboratory: &mut L) -> Result<(), L::Error> {
        let mut terms = self.terms.clone();
        let conditions =
            conditions(&mut terms, self.vocabulary, |terms, term| self.recorded_values(terms, term));
        self.terms = terms;
        for condition in &conditions {
            let met: Vec<TermId> =
                conditions.iter().filter(|other| condition.implies(other)).map(|other| other.term).collect();
            let mut judged = 0;
            for equation in self.equal_under(condition) {
                if judged == MOST_CANDIDATES || !laboratory.may_go_on() {
                    break;
                }
                if self.rules.follows(&self.terms, equation, &met) {
                    continue;
                }
                if !equation.is_about_calls(&self.terms) {
                    self.rules.add_within(&self.terms, equation, Reach::TheseVariables);
                    continue;
                }
                judged += 1;
                match laboratory.judge(&self.terms, equation)? {
                    FreshVerdict::Holds => {
                        self.rules.add(&self.terms, equation);
                        self.conditional.push((equation, met.clone()));
                    }
                    FreshVerdict::Refuted => {}
                    FreshVerdict::Stopped => return Ok(()),
                }
            }
        }
        Ok(())
    }

    /// Equations of terms that have equal values wherever a condition is true, the smallest first. They are equations without a
    /// call, and equations that have a form of textbooks.
    fn equal_under(&self, condition: &Condition) -> Vec<Equation> {
        let mut by_key: FxHashMap<(Ty, u64), TermId> = FxHashMap::default();
        let mut equations = Vec::new();
        let largest = self.limits.size as usize;
        for &term in self.layers.iter().take(largest + 1).flatten() {
            let Some(key) = self.values[&term].key_within(&condition.rows, LEAST_MET_SHARE) else { continue };
            let right = *by_key.entry((self.terms.ty(term), key)).or_insert(term);
            let is_of_kind = match (self.kind_of.get(&term), self.kind_of.get(&right)) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
            let equation = Equation { left: term, right, condition: Some(condition.term) };
            let is_told = !equation.is_about_calls(&self.terms) || self.is_told_under(condition, equation);
            if right != term && is_of_kind && is_told {
                equations.push(equation);
            }
        }
        // Of two equations with the same size, the one with more variables is more general.
        equations.sort_by_key(|equation| {
            let variables = self.terms.variables(equation.left) | self.terms.variables(equation.right);
            (equation.size(&self.terms), std::cmp::Reverse(variables.count_ones()))
        });
        equations
    }

    /// Whether an equation has a form of textbooks and needs its condition, because it often fails where the condition is
    /// false.
    fn is_told_under(&self, condition: &Condition, equation: Equation) -> bool {
        let oriented = equation.oriented(&self.terms);
        if !is_of_textbook(&self.terms, oriented) || !self.is_first_in_names(equation) {
            return false;
        }
        // Under a condition on a number `n` too many equations hold of `n - 1` and `min(n, 1)`, so the arguments have to be
        // plain.
        let left = self.terms.get(oriented.left);
        let is_plain = |&argument: &TermId| {
            let different = self.terms.variables(argument).count_ones() as usize;
            let operands = self.terms.get(argument).operands.len();
            operands == 0 || is_sequence(self.terms.ty(argument)) && different == operands
        };
        if matches!(left.head, Head::Output { .. }) && !left.operands.iter().all(is_plain) {
            return false;
        }
        let [left, right] = [equation.left, equation.right].map(|term| &self.values[&term]);
        let elsewhere = || left.agreement(right).zip(&condition.rows).filter(|(_, is_met)| !**is_met);
        let differing = elsewhere().filter(|(agrees, _)| !*agrees).count();
        let share = if condition.is_multiple { DIFFERING_FROM_MULTIPLES } else { DIFFERING };
        differing * share >= elsewhere().count()
    }

    /// The values in the recorded executions of a term without a call. `None` for other terms that have not been evaluated.
    pub(super) fn recorded_values(&self, terms: &Terms, id: TermId) -> Option<Values> {
        computed_values(terms, id, self.rows, &|term| self.values.get(&term).cloned())
    }
}
