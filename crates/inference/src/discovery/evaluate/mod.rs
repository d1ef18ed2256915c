//! The evaluation of terms on recorded executions: a whole column at a time, each computed once.
//!
//! Common subterms of two trees are computed once. Integers are computed as floats where that is exact. The evaluator of the relation
//! language has the last word on each relation.

mod cache;
mod logic;
mod numbers;
mod real;
mod sequences;
mod wide;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use dodona_relations::plan::Ty;
use dodona_target::{Column as Values, SequenceColumn};

use super::column::{Column, Data, Layout};
use super::score::hash_of_rows;
use super::term::Node;
use super::{Bits, EmptyKind, Leaf, Operator, Pairs, Score, TermId, Terms, is_number};
use crate::discovery::tuning::COLUMN_MEMORY;
use cache::ColumnCache;
use sequences::SequenceStore;

/// Evaluates terms over pairs of executions.
///
/// Integers are computed in 64 bits: where a value does not fit, the row is undefined, and so is `text` of a quotient of integers.
/// An integer beyond 2^52 is compared with a float as a float. Otherwise a term has the meaning that the relation language gives
/// it.
#[derive(Debug)]
pub struct Evaluator {
    layout: Layout,
    /// The rows as given, the correct rows first; a single meaningless row if there are none.
    given: Vec<Values>,
    variables: Vec<Arc<Column>>,
    numbers: ColumnCache,
    booleans: ColumnCache,
    sequences: SequenceStore,
    memory: usize,
    evaluated: u64,
}

impl Evaluator {
    /// An evaluator that keeps at most 256 MB: 128 MB of columns, and about as much of texts and sequences.
    pub fn new(pairs: &Pairs) -> Evaluator {
        Evaluator::with_memory(pairs, COLUMN_MEMORY)
    }

    /// An evaluator that keeps at most `memory` bytes of columns, and about as much of texts and sequences.
    pub fn with_memory(pairs: &Pairs, memory: usize) -> Evaluator {
        let layout = Layout::new(pairs.correct, pairs.mutants.len());
        let mut given = pairs.columns.clone();
        given.iter_mut().filter(|values| values.is_empty()).for_each(Values::push_default);
        let mut evaluator = Evaluator {
            layout,
            given,
            variables: Vec::new(),
            numbers: ColumnCache::new(memory / 4 * 3),
            booleans: ColumnCache::new(memory / 4),
            sequences: SequenceStore::default(),
            memory,
            evaluated: 0,
        };
        evaluator.forget();
        evaluator
    }

    /// How many correct rows there are.
    pub fn correct(&self) -> usize {
        self.layout.correct
    }

    /// How many incorrect rows there are.
    pub fn incorrect(&self) -> usize {
        self.layout.incorrect
    }

    /// How many columns were computed so far.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Adds correct rows, with one column for each variable. All computed columns are dropped.
    ///
    /// # Panics
    /// When the columns are not those of the variables, or differ in length.
    pub fn add_correct(&mut self, rows: &[Values]) {
        assert_eq!(rows.len(), self.given.len(), "a column a variable");
        let (correct, incorrect) = (self.layout.correct, self.layout.incorrect);
        let range = |from: usize, to: usize| (from as u32..to as u32).collect::<Vec<_>>();
        for (given, more) in self.given.iter_mut().zip(rows) {
            let rest = given.select(&range(correct, correct + incorrect));
            let mut all = given.select(&range(0, correct));
            (0..more.len()).for_each(|row| all.push(&more.value(row)));
            (0..rest.len()).for_each(|row| all.push(&rest.value(row)));
            *given = all;
        }
        self.given.iter_mut().filter(|values| values.is_empty()).for_each(Values::push_default);
        self.layout = Layout::new(correct + rows.first().map_or(0, Values::len), incorrect);
        self.forget();
    }

    /// Drops all computed columns.
    pub fn forget(&mut self) {
        self.numbers.clear();
        self.booleans.clear();
        self.forget_sequences();
    }

    /// Drops all columns of texts and sequences. Columns of other types that were computed from them are kept.
    fn forget_sequences(&mut self) {
        self.numbers.retain(|column| !matches!(column.data, Data::Ids(_)));
        self.sequences = SequenceStore::default();
        let given = std::mem::take(&mut self.given);
        self.variables = given.iter().map(|values| Arc::new(self.variable(values))).collect();
        self.given = given;
    }

    /// Keeps the computed columns when the ids of terms change; `new` maps an old id to the new one.
    pub fn renumber(&mut self, new: impl Fn(TermId) -> Option<TermId>) {
        self.numbers.renumber(&new);
        self.booleans.renumber(&new);
    }

    /// How well an output relation distinguishes correct rows from incorrect rows.
    ///
    /// # Panics
    /// When the term is not Boolean.
    pub fn score(&mut self, terms: &Terms, expect: TermId) -> Score {
        let column = self.column(terms, expect);
        if let Some(score) = self.booleans.get(expect).and_then(|entry| entry.score) {
            return score;
        }
        let score = self.score_of(logic::bits(&column), None);
        if let Some(entry) = self.booleans.get(expect) {
            entry.score = Some(score);
        }
        score
    }

    /// How well an output relation under a condition distinguishes correct rows from incorrect rows. Where the condition is not
    /// true, a correct row is no false positive, and an incorrect row is a false negative.
    ///
    /// # Panics
    /// When a term is not Boolean.
    pub fn score_when(&mut self, terms: &Terms, condition: Option<TermId>, expect: TermId) -> Score {
        let Some(condition) = condition else { return self.score(terms, expect) };
        let (condition, expect) = (self.column(terms, condition), self.column(terms, expect));
        self.score_of(logic::bits(&expect), Some(logic::bits(&condition)))
    }

    fn score_of(&self, holds: &Bits, condition: Option<&Bits>) -> Score {
        let rows = self.layout.rows.words();
        let eligible = condition.unwrap_or(&self.layout.rows).words();
        let violated = holds.words().iter().zip(eligible).map(|(holds, eligible)| eligible & !holds);
        let split = self.layout.correct_words();
        let false_positives = violated.clone().take(split).map(u64::count_ones).sum();
        let missed = violated.zip(rows).skip(split).map(|(violated, rows)| rows & !violated);
        let false_negatives = missed.clone().map(u64::count_ones).sum();
        Score { false_positives, false_negatives, missed: hash_of_rows(missed) }
    }

    /// The rows on which a Boolean column is defined and true.
    ///
    /// # Panics
    /// When it is not Boolean.
    pub(super) fn bits(column: &Column) -> &Bits {
        logic::bits(column)
    }

    /// The rows on which a Boolean term is defined and true.
    ///
    /// # Panics
    /// When the term is not Boolean.
    pub fn holds(&mut self, terms: &Terms, term: TermId) -> Bits {
        logic::bits(&self.column(terms, term)).clone()
    }

    /// The executions that an output relation classifies correctly: correct rows on which it holds, incorrect rows on which it does not.
    ///
    /// # Panics
    /// When the term is not Boolean.
    pub fn right(&mut self, terms: &Terms, expect: TermId) -> Bits {
        let column = self.column(terms, expect);
        let split = self.layout.correct_words();
        let holds = logic::bits(&column).words().iter().zip(self.layout.rows.words());
        let right =
            |(i, (holds, rows)): (usize, (&u64, &u64))| if i < split { *holds } else { !holds & rows };
        Bits::from_words(holds.enumerate().map(right).collect())
    }

    /// The incorrect rows that an output relation under a condition does not reveal.
    ///
    /// # Panics
    /// When a term is not Boolean.
    pub(super) fn missed(&mut self, terms: &Terms, condition: Option<TermId>, expect: TermId) -> Bits {
        let first = self.layout.incorrect_bit(0);
        let mut missed = self.layout.rows.clone();
        missed.keep_from(first);
        let rows = self.caught(terms, condition, expect);
        rows.into_iter().for_each(|row| missed.remove(first + row));
        missed
    }

    /// The incorrect rows that an output relation reveals under a condition, as indices into [`Pairs::mutants`].
    ///
    /// # Panics
    /// When a term is not Boolean.
    pub fn caught(&mut self, terms: &Terms, condition: Option<TermId>, expect: TermId) -> Vec<usize> {
        let eligible = condition.map(|c| self.holds(terms, c));
        let right = self.right(terms, expect);
        let first = self.layout.incorrect_bit(0);
        let caught = right.rows().filter(|row| *row >= first);
        let caught = caught.filter(|row| eligible.as_ref().is_none_or(|e| e.contains(*row)));
        caught.map(|row| row - first).collect()
    }

    /// The column of a term.
    pub(super) fn column(&mut self, terms: &Terms, term: TermId) -> Arc<Column> {
        if self.sequences.bytes() > self.memory {
            self.forget_sequences();
        }
        self.compute(terms, term)
    }

    fn compute(&mut self, terms: &Terms, term: TermId) -> Arc<Column> {
        let node = terms.node(term);
        if let Node::Leaf(Leaf::Variable(v)) = node {
            return self.variables[usize::from(*v)].clone();
        }
        let is_boolean = terms.ty(term) == Ty::Bool;
        let cache = if is_boolean { &mut self.booleans } else { &mut self.numbers };
        if let Some(entry) = cache.get(term) {
            return entry.column.clone();
        }
        let column = Arc::new(match node {
            Node::Leaf(leaf) => self.leaf(*leaf),
            Node::Apply(operator, operands) => {
                let columns: Vec<_> = operands.iter().map(|&o| self.compute(terms, o)).collect();
                let types: Vec<_> = operands.iter().map(|&o| terms.ty(o)).collect();
                self.apply(*operator, terms.ty(term), &columns, &types)
            }
        });
        self.evaluated += 1;
        let cache = if is_boolean { &mut self.booleans } else { &mut self.numbers };
        cache.insert(term, column.clone());
        column
    }

    /// The bits that stand for rows.
    pub(super) fn rows(&self) -> &Bits {
        &self.layout.rows
    }

    /// How many words of bits stand for correct rows; those for incorrect ones follow.
    pub(super) fn correct_words(&self) -> usize {
        self.layout.correct_words()
    }

    /// Applies an operator to columns of types that it takes. `ty` is the type of the result.
    pub(super) fn apply(
        &mut self,
        operator: Operator,
        ty: Ty,
        columns: &[Arc<Column>],
        types: &[Ty],
    ) -> Column {
        use Operator as O;
        let rows = &self.layout.rows;
        match (operator, columns) {
            (O::And | O::Or | O::Xor | O::Iff | O::Implies, [a, b]) => {
                logic::connective(operator, a, b, rows)
            }
            (O::Equal | O::NotEqual, [a, b]) if types[0] == Ty::Bool => {
                logic::connective(operator, a, b, rows)
            }
            (O::Not, [a]) => logic::not(a, rows),
            (O::Abs | O::Negate, [a]) => numbers::unary(operator, ty, a, rows),
            (_, [a, b]) if is_number(types[0]) && is_number(types[1]) => match ty {
                Ty::Bool => numbers::compare(operator, [types[0], types[1]], a, b, rows),
                _ => numbers::binary(operator, ty, a, b, rows),
            },
            _ => {
                let operands: Vec<_> = columns.iter().map(|c| &**c).zip(types.iter().copied()).collect();
                self.sequences.apply(operator, ty, &operands, rows)
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf) -> Column {
        let data = match leaf {
            Leaf::Variable(v) => return (*self.variables[usize::from(v)]).clone(),
            Leaf::Bool(true) => Data::Bool(self.layout.rows.clone()),
            Leaf::Bool(false) => Data::Bool(Bits::none(self.layout.blocks())),
            Leaf::Int(i) => return numbers::from_wide(vec![[i; 64]], None),
            Leaf::Float(bits) => Data::Real(vec![[f64::from_bits(bits); 64]]),
            Leaf::Empty(kind) => Data::Ids(vec![[self.empty(kind); 64]]),
        };
        Column { data, defined: None }
    }

    fn empty(&mut self, kind: EmptyKind) -> u32 {
        let mut values = match kind {
            EmptyKind::Text => Values::Text(Default::default()),
            EmptyKind::Bools => Values::Sequence(SequenceColumn::Bool(Default::default())),
            EmptyKind::Ints => Values::Sequence(SequenceColumn::Int(Default::default())),
            EmptyKind::Floats => Values::Sequence(SequenceColumn::Float(Default::default())),
        };
        values.push_default();
        self.sequences.intern(&values)[0].unwrap_or(0)
    }

    fn variable(&mut self, values: &Values) -> Column {
        let layout = &self.layout;
        match values {
            Values::Bool(v) => Column { data: Data::Bool(layout.bits_of(|row| v[row])), defined: None },
            Values::Float(v) => Column { data: Data::Real(layout.blocks_of(|row| v[row])), defined: None },
            Values::Int(v) => {
                let of = |row: usize| i64::try_from(v[row]).ok();
                let defined = defined(layout, |row| of(row).is_some());
                numbers::from_wide(layout.blocks_of(|row| of(row).unwrap_or(0)), defined)
            }
            _ => {
                let ids = self.sequences.intern(values);
                let defined = defined(layout, |row| ids[row].is_some());
                Column { data: Data::Ids(layout.blocks_of(|row| ids[row].unwrap_or(0))), defined }
            }
        }
    }
}

fn defined(layout: &Layout, is_defined: impl Fn(usize) -> bool) -> Option<Arc<Bits>> {
    let bits = layout.bits_of(is_defined);
    (bits != layout.rows).then(|| Arc::new(bits))
}
