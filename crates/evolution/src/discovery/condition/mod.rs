//! Conditions: on which source inputs an output relation may be expected to hold.

mod atoms;
mod conjunction;

use dodona_subject::Column as Values;

use super::{Bits, Evaluator, Operator, Pairs, TermId, Terms};
use conjunction::{Choice, Conjunctions};

/// Finds conditions over the source inputs and source outputs of one input transformation.
///
/// A condition is a comparison or a conjunction of up to three: of a variable with a constant or another variable, of a length
/// with a constant, of parity, or a Boolean variable.
#[derive(Debug)]
pub struct Conditions {
    /// Over the executions whose follow-up call did not return.
    refused: Option<Evaluator>,
    sources: Vec<u16>,
    constants: Vec<i64>,
}

impl Conditions {
    /// Conditions for these pairs; to be made anew when refused executions join them.
    pub fn new(pairs: &Pairs) -> Conditions {
        let is_source = |(i, v): (usize, &super::Variable)| v.place.is_source().then_some(i as u16);
        Conditions {
            refused: refused(pairs).map(|pairs| Evaluator::with_memory(&pairs, 1 << 24)),
            sources: pairs.variables.iter().enumerate().filter_map(is_source).collect(),
            constants: atoms::constants(pairs),
        }
    }

    /// The weakest small condition under which an expectation holds on all correct rows, and which excludes all refused
    /// executions: `Some(None)` where none is needed, `None` where none is found that keeps at least 5% of the correct rows.
    ///
    /// Of several it keeps the incorrect rows that the expectation reveals; with `true` as expectation it excludes the refused
    /// executions and nothing more, as far as there is such a condition.
    ///
    /// # Panics
    /// When the expectation is not Boolean, or the evaluator is not of these pairs.
    pub fn find(
        &mut self,
        evaluator: &mut Evaluator,
        terms: &mut Terms,
        expect: TermId,
    ) -> Option<Option<TermId>> {
        let holds = evaluator.holds(terms, expect);
        let rows = Rows::new(evaluator, &holds);
        if rows.bad.count() == 0 && self.refused.is_none() {
            return Some(None);
        }
        // Terms may have been renumbered since.
        self.refused.iter_mut().for_each(Evaluator::forget);
        let mut atoms = Vec::new();
        for term in atoms::atoms(self, evaluator, terms, &rows) {
            let refused = self.refused.as_mut().map(|refused| refused.holds(terms, term));
            let (holds, cost) = (evaluator.holds(terms, term), atoms::cost(terms, term));
            atoms.push(Choice { holds, refused, cost, term });
        }
        let mut chosen = self.choose(&rows, &atoms)?.into_iter();
        let first = chosen.next()?;
        Some(chosen.try_fold(first, |all, next| terms.apply(Operator::And, &[all, next])))
    }

    /// The best conjunction: chosen on a sample, and on all rows where that does not do for them.
    fn choose(&self, rows: &Rows, atoms: &[Choice]) -> Option<Vec<TermId>> {
        let all_refused = self.refused.as_ref().map(|refused| refused.rows().clone());
        let whole = Conjunctions::new(rows, atoms, all_refused.clone());
        let words = rows.sample();
        if words.len() == rows.good.words().len() {
            return whole.best();
        }
        let picked: Vec<Choice> = atoms.iter().map(|atom| atom.pick(&words)).collect();
        let chosen = Conjunctions::new(&rows.pick(&words), &picked, all_refused).best();
        chosen.filter(|chosen| whole.holds(chosen)).or_else(|| whole.best())
    }
}

/// [`Conditions::find`] once.
///
/// ```
/// use dodona_evolution::discovery::{Evaluator, Leaf, Operator, Pairs, Place, Terms, Variable, condition};
/// use dodona_relations::{ast::Expression, plan::Ty};
/// use dodona_subject::Column;
///
/// let variable = |place, name| Variable { place, ty: Ty::Int, expression: Expression::name(name) };
/// let pairs = Pairs {
///     variables: vec![variable(Place::SourceInput(0), "k"), variable(Place::SourceOutput(0), "o")],
///     columns: vec![Column::Int(vec![-1, 0, 1, 2]), Column::Int(vec![2, 0, 2, 4])],
///     correct: 4,
///     mutants: vec![],
///     mutant_count: 0,
///     refused: vec![],
///     crashed: vec![],
///     constants: vec![],
/// };
/// let mut terms = Terms::new(vec![Ty::Int, Ty::Int]);
/// let (k, o) = (terms.leaf(Leaf::Variable(0)), terms.leaf(Leaf::Variable(1)));
/// let quotient = terms.apply(Operator::Divide, &[o, k]).unwrap();
/// let same = terms.apply(Operator::Equal, &[quotient, quotient]).unwrap();
/// let found = condition(&mut Evaluator::new(&pairs), &mut terms, &pairs, same).unwrap().unwrap();
/// assert_eq!(terms.write(found, &[Expression::name("k"), Expression::name("o")]).to_string(), "k != 0");
/// ```
///
/// # Panics
/// When the expectation is not Boolean, or the evaluator is not of these pairs.
pub fn condition(
    evaluator: &mut Evaluator,
    terms: &mut Terms,
    pairs: &Pairs,
    expect: TermId,
) -> Option<Option<TermId>> {
    Conditions::new(pairs).find(evaluator, terms, expect)
}

/// The rows that a condition is judged by.
#[derive(Debug)]
struct Rows {
    /// Correct rows on which the expectation does not hold.
    bad: Bits,
    /// Correct rows on which it does.
    good: Bits,
    /// Incorrect rows that it reveals.
    caught: Bits,
}

/// How many words of each kind conditions are chosen by; the choice is then held against all rows.
const SAMPLE: usize = 32;

impl Rows {
    fn new(evaluator: &Evaluator, holds: &Bits) -> Rows {
        let split = evaluator.correct_words();
        let part = |f: &dyn Fn(usize, u64, u64) -> u64| {
            let words = holds.words().iter().zip(evaluator.rows().words()).enumerate();
            Bits::from_words(words.map(|(i, (holds, rows))| f(i, *holds, *rows)).collect())
        };
        Rows {
            bad: part(&|i, holds, rows| if i < split { rows & !holds } else { 0 }),
            good: part(&|i, holds, _| if i < split { holds } else { 0 }),
            caught: part(&|i, holds, rows| if i < split { 0 } else { rows & !holds }),
        }
    }

    /// Words of rows that stand for all: some spread over the data, and some of those with rows to be excluded.
    fn sample(&self) -> Vec<usize> {
        let count = self.good.words().len();
        let with_bad: Vec<usize> = (0..count).filter(|&i| self.bad.words()[i] != 0).collect();
        let spread = |len: usize| (0..len).step_by(len.div_ceil(SAMPLE).max(1));
        let mut words: Vec<usize> =
            spread(count).chain(spread(with_bad.len()).map(|i| with_bad[i])).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The rows of these words alone.
    fn pick(&self, words: &[usize]) -> Rows {
        Rows { bad: self.bad.pick(words), good: self.good.pick(words), caught: self.caught.pick(words) }
    }
}

/// The refused executions as rows of their own; what there is none of has the default value.
fn refused(pairs: &Pairs) -> Option<Pairs> {
    let rows = pairs.refused.first().map_or(0, Values::len);
    if rows == 0 {
        return None;
    }
    let mut refused = pairs.refused.iter();
    let column = |(variable, values): (&super::Variable, &Values)| match variable.place.is_source() {
        true => refused.next().cloned().unwrap_or_else(|| values.select(&[])),
        false => {
            let mut defaults = values.select(&[]);
            (0..rows).for_each(|_| defaults.push_default());
            defaults
        }
    };
    let columns = pairs.variables.iter().zip(&pairs.columns).map(column).collect();
    let mut alone = pairs.clone();
    (alone.columns, alone.correct, alone.mutants) = (columns, rows, Vec::new());
    Some(alone)
}

#[cfg(test)]
mod tests;
