//! Conditions: the source inputs on which an output relation may be expected to hold.

mod atoms;
mod conjunction;

use dodona_target::Column as Values;

use super::{Bits, Evaluator, Operator, Pairs, TermId, Terms};
use crate::discovery::tuning::{CONDITION_SAMPLE, SMALL_COLUMN_MEMORY};
use conjunction::{ConditionAtom, Conjunctions};

/// Finds conditions over the source inputs and source outputs of one input transformation.
///
/// A condition is a comparison or a conjunction of up to three comparisons: a variable with a constant or another variable, a
/// length with a constant, the parity of an integer, or a Boolean variable.
#[derive(Debug)]
pub struct Conditions {
    /// Evaluates terms on the executions whose follow-up call did not return.
    refused: Option<Evaluator>,
    sources: Vec<u16>,
    constants: Vec<i64>,
}

impl Conditions {
    /// Conditions for these pairs. They have to be made again when further refused executions are added to the pairs.
    pub fn new(pairs: &Pairs) -> Conditions {
        let is_source = |(i, v): (usize, &super::Variable)| v.place.is_source().then_some(i as u16);
        Conditions {
            refused: refused(pairs).map(|pairs| Evaluator::with_memory(&pairs, SMALL_COLUMN_MEMORY)),
            sources: pairs.variables.iter().enumerate().filter_map(is_source).collect(),
            constants: atoms::constants(pairs),
        }
    }

    /// A small, weak condition under which an expectation holds on all correct rows and which excludes all refused executions.
    /// `Some(None)` means that no condition is needed, `None` that no condition was found that keeps at least 5% of the correct
    /// rows.
    ///
    /// Between several conditions the search prefers those that keep the incorrect rows which the expectation reveals. With `true`
    /// as expectation, the condition excludes only the refused executions, if there is such a condition.
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
        let rows = JudgedRows::new(evaluator, &holds);
        if rows.bad.count() == 0 && self.refused.is_none() {
            return Some(None);
        }
        // The ids of terms may have changed since the last call.
        self.refused.iter_mut().for_each(Evaluator::forget);
        let mut atoms = Vec::new();
        for term in atoms::atoms(self, evaluator, terms, &rows) {
            let refused = self.refused.as_mut().map(|refused| refused.holds(terms, term));
            let (holds, cost) = (evaluator.holds(terms, term), atoms::cost(terms, term));
            atoms.push(ConditionAtom { holds, refused, cost, term });
        }
        let mut chosen = self.choose(&rows, &atoms)?.into_iter();
        let first = chosen.next()?;
        Some(chosen.try_fold(first, |all, next| terms.apply(Operator::And, &[all, next])))
    }

    /// The best conjunction: chosen on a sample of the rows, and on all rows if that choice is not sound on all rows.
    fn choose(&self, rows: &JudgedRows, atoms: &[ConditionAtom]) -> Option<Vec<TermId>> {
        let all_refused = self.refused.as_ref().map(|refused| refused.rows().clone());
        let whole = Conjunctions::new(rows, atoms, all_refused.clone());
        let words = rows.sample();
        if words.len() == rows.good.words().len() {
            return whole.best();
        }
        let picked: Vec<ConditionAtom> = atoms.iter().map(|atom| atom.pick(&words)).collect();
        let chosen = Conjunctions::new(&rows.pick(&words), &picked, all_refused).best();
        chosen.filter(|chosen| whole.holds(chosen)).or_else(|| whole.best())
    }
}

/// Calls [`Conditions::find`] once.
///
/// ```
/// use dodona_inference::discovery::{Evaluator, Leaf, Operator, Pairs, Place, Terms, Variable, condition};
/// use dodona_relations::{ast::Expression, plan::Ty};
/// use dodona_target::Column;
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

/// The rows by which a condition is judged.
#[derive(Debug)]
struct JudgedRows {
    /// Correct rows on which the expectation does not hold.
    bad: Bits,
    /// Correct rows on which the expectation holds.
    good: Bits,
    /// Incorrect rows on which the expectation does not hold.
    caught: Bits,
}

impl JudgedRows {
    fn new(evaluator: &Evaluator, holds: &Bits) -> JudgedRows {
        let split = evaluator.correct_words();
        let part = |f: &dyn Fn(usize, u64, u64) -> u64| {
            let words = holds.words().iter().zip(evaluator.rows().words()).enumerate();
            Bits::from_words(words.map(|(i, (holds, rows))| f(i, *holds, *rows)).collect())
        };
        JudgedRows {
            bad: part(&|i, holds, rows| if i < split { rows & !holds } else { 0 }),
            good: part(&|i, holds, _| if i < split { holds } else { 0 }),
            caught: part(&|i, holds, rows| if i < split { 0 } else { rows & !holds }),
        }
    }

    /// The words of the sample: some spread over all the data, and some spread over the words that contain rows to exclude.
    fn sample(&self) -> Vec<usize> {
        let count = self.good.words().len();
        let with_bad: Vec<usize> = (0..count).filter(|&i| self.bad.words()[i] != 0).collect();
        let spread = |len: usize| (0..len).step_by(len.div_ceil(CONDITION_SAMPLE).max(1));
        let mut words: Vec<usize> =
            spread(count).chain(spread(with_bad.len()).map(|i| with_bad[i])).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The rows reduced to these words.
    fn pick(&self, words: &[usize]) -> JudgedRows {
        JudgedRows { bad: self.bad.pick(words), good: self.good.pick(words), caught: self.caught.pick(words) }
    }
}

/// The refused executions as the correct rows of their own pairs; follow-up variables have default values there.
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
