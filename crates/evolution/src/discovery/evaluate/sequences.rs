//! Operators on texts and sequences: the relation language's own, asked once for each distinct operands.

use dodona_relations::plan::{self, Op, Ty};
use dodona_subject::{Column as Values, Ragged, SequenceColumn};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::numbers::{from_wide, within};
use crate::discovery::column::{Block, Column, Data, both};
use crate::discovery::{Bits, Operator};
use std::sync::Arc;

/// A text or a sequence. Equal ones, as `==` has it, are equal: NaN has one form, and zero no sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Item {
    Text(Box<[u8]>),
    Bools(Box<[bool]>),
    Ints(Box<[i64]>),
    Floats(Box<[u64]>),
}

/// What an operator gives for some operands, as a number of the form of its type.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Unknown,
    Undefined,
    Is(u64),
}

/// For which operator, which types of operands, and which second operand where that is the same in all rows.
type Question = (Operator, [u8; 2], Option<u64>);

/// The answers by the first operand's number where that is one of a sequence, else by both operands.
#[derive(Debug, Default)]
struct Answers {
    dense: Vec<Answer>,
    sparse: FxHashMap<[u64; 2], Answer>,
}

/// All texts and sequences that a search has met, by number, and what was computed of them.
#[derive(Debug, Default)]
pub(super) struct Sequences {
    items: IndexSet<Item, FxBuildHasher>,
    answers: FxHashMap<Question, Answers>,
    bytes: usize,
}

impl Sequences {
    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The numbers of the values of a column, a row each; `None` where an integer is beyond 64 bits.
    pub(super) fn intern(&mut self, values: &Values) -> Vec<Option<u32>> {
        (0..values.len()).map(|row| Item::read(values, row).map(|item| self.number(item))).collect()
    }

    fn number(&mut self, item: Item) -> u32 {
        let size = item.bytes();
        let (number, is_new) = self.items.insert_full(item);
        self.bytes += if is_new { size + 48 } else { 0 };
        number as u32
    }

    /// An operator on columns of which one holds sequences, or whose result does. `ty` is the type of the result.
    pub(super) fn apply(
        &mut self,
        operator: Operator,
        ty: Ty,
        operands: &[(&Column, Ty)],
        rows: &Bits,
    ) -> Column {
        let mut operands = operands.to_vec();
        // Element by element: the number may stand on either side.
        if operands.len() == 2 && !matches!(operands[0].0.data, Data::Ids(_)) {
            operands.swap(0, 1);
        }
        let defined = operands.iter().fold(None, |all, (column, _)| both(&all, &column.defined));
        match (operator, &operands[..]) {
            (Operator::Equal | Operator::NotEqual, [(a, _), (b, _)]) => equal(operator, a, b, defined, rows),
            // Whether it is an integer or a float by chance is not known here, and the text would tell.
            (Operator::Text, [(_, Ty::Number)]) => {
                let none = Arc::new(Bits::none(rows.words().len()));
                Column { data: Data::Ids(vec![[0; 64]]), defined: Some(none) }
            }
            _ => self.ask(operator, ty, &operands, defined, rows),
        }
    }

    fn ask(
        &mut self,
        operator: Operator,
        ty: Ty,
        operands: &[(&Column, Ty)],
        defined: Option<Arc<Bits>>,
        rows: &Bits,
    ) -> Column {
        let asked = defined.as_deref().unwrap_or(rows).zip(rows, |a, b| a & b);
        let keys: Vec<Vec<Block<u64>>> = operands.iter().map(|(column, ty)| keys(column, *ty)).collect();
        let code = |i: usize| operands.get(i).map_or(0, |(_, ty)| code(*ty));
        let second = keys.get(1).map_or(Some(0), |keys| constant(keys));
        let question = (operator, [code(0), code(1)], second);
        let is_dense = second.is_some() && matches!(operands[0].0.data, Data::Ids(_));
        let mut answers = self.answers.remove(&question).unwrap_or_default();
        if is_dense {
            answers.dense.resize(self.items.len().max(answers.dense.len()), Answer::Unknown);
        }
        let key = |row: usize| -> [u64; 2] {
            let of = |keys: &Vec<Block<u64>>| {
                if keys.len() == 1 { keys[0][row % 64] } else { keys[row / 64][row % 64] }
            };
            [of(&keys[0]), keys.get(1).map_or(0, of)]
        };
        let missing = answers.missing(asked.rows().map(key), is_dense);
        self.answer(operator, operands, &missing, is_dense, &mut answers);
        let found = gather(rows, &asked, |row| answers.get(key(row), is_dense));
        self.answers.insert(question, answers);
        found.column(ty, defined, rows)
    }

    /// Asks the relation language for answers that are missing.
    fn answer(
        &mut self,
        operator: Operator,
        operands: &[(&Column, Ty)],
        missing: &[[u64; 2]],
        is_dense: bool,
        answers: &mut Answers,
    ) {
        if missing.is_empty() {
            return;
        }
        let values: Vec<Values> = operands
            .iter()
            .enumerate()
            .map(|(i, (_, ty))| self.values(*ty, missing.iter().map(|key| key[i])))
            .collect();
        let (results, defined) = plan::apply(op(operator, operands), &values.iter().collect::<Vec<_>>());
        for (row, &key) in missing.iter().enumerate() {
            let result = if defined[row] { self.read(&results, row) } else { None };
            answers.set(key, is_dense, result.map_or(Answer::Undefined, Answer::Is));
        }
        self.bytes += missing.len() * if is_dense { 16 } else { 40 };
    }

    /// One value as a number of the form of its type.
    fn read(&mut self, values: &Values, row: usize) -> Option<u64> {
        match values {
            Values::Bool(v) => Some(v[row].into()),
            Values::Int(v) => i64::try_from(v[row]).ok().map(|i| i as u64),
            Values::Float(v) => Some(v[row].to_bits()),
            _ => Item::read(values, row).map(|item| self.number(item).into()),
        }
    }

    /// The values that numbers of the form of a type stand for.
    fn values(&self, ty: Ty, keys: impl Iterator<Item = u64>) -> Values {
        use dodona_relations::plan::Element;
        macro_rules! sequences {
            ($kind:path, $item:path, $read:expr) => {{
                let mut all = Ragged::new();
                for key in keys {
                    match &self.items[key as usize] {
                        $item(items) => all.push_from(items.iter().map($read)),
                        other => unreachable!("typed otherwise: {other:?}"),
                    }
                }
                $kind(all)
            }};
        }
        match ty {
            Ty::Bool => Values::Bool(keys.map(|k| k != 0).collect()),
            Ty::Int => Values::Int(keys.map(|k| i128::from(k as i64)).collect()),
            Ty::Float | Ty::Number => Values::Float(keys.map(f64::from_bits).collect()),
            Ty::Text => sequences!(Values::Text, Item::Text, |b| *b),
            Ty::Sequence(Element::Bool) => {
                Values::Sequence(sequences!(SequenceColumn::Bool, Item::Bools, |b| *b))
            }
            Ty::Sequence(Element::Float) => {
                Values::Sequence(sequences!(SequenceColumn::Float, Item::Floats, |b| f64::from_bits(*b)))
            }
            Ty::Sequence(_) => {
                Values::Sequence(sequences!(SequenceColumn::Int, Item::Ints, |i| i128::from(*i)))
            }
        }
    }
}

impl Item {
    fn read(values: &Values, row: usize) -> Option<Item> {
        Some(match values {
            Values::Text(r) => Item::Text(r.row(row).into()),
            Values::Sequence(SequenceColumn::Bool(r)) => Item::Bools(r.row(row).into()),
            Values::Sequence(SequenceColumn::Float(r)) => {
                Item::Floats(r.row(row).iter().map(|x| bits(*x)).collect())
            }
            Values::Sequence(SequenceColumn::Int(r)) => {
                Item::Ints(r.row(row).iter().map(|i| i64::try_from(*i).ok()).collect::<Option<_>>()?)
            }
            other => unreachable!("typed to be sequences: {other:?}"),
        })
    }

    fn bytes(&self) -> usize {
        match self {
            Item::Text(items) => items.len(),
            Item::Bools(items) => items.len(),
            Item::Ints(items) => items.len() * 8,
            Item::Floats(items) => items.len() * 8,
        }
    }
}

impl Answers {
    fn get(&self, key: [u64; 2], is_dense: bool) -> Answer {
        match is_dense {
            true => self.dense[key[0] as usize],
            false => self.sparse.get(&key).copied().unwrap_or(Answer::Unknown),
        }
    }

    fn set(&mut self, key: [u64; 2], is_dense: bool, answer: Answer) {
        match is_dense {
            true => self.dense[key[0] as usize] = answer,
            false => _ = self.sparse.insert(key, answer),
        }
    }

    /// The keys without an answer, each once, in order.
    fn missing(&mut self, keys: impl Iterator<Item = [u64; 2]>, is_dense: bool) -> Vec<[u64; 2]> {
        let mut missing = Vec::new();
        for key in keys {
            if matches!(self.get(key, is_dense), Answer::Unknown) {
                self.set(key, is_dense, Answer::Undefined);
                missing.push(key);
            }
        }
        missing
    }
}

/// Answers of all rows.
struct Found {
    values: Vec<Block<u64>>,
    defined: Bits,
}

fn gather(rows: &Bits, asked: &Bits, answer: impl Fn(usize) -> Answer) -> Found {
    let mut values = vec![[0; 64]; rows.words().len()];
    let mut defined = vec![0; rows.words().len()];
    for row in asked.rows() {
        if let Answer::Is(value) = answer(row) {
            values[row / 64][row % 64] = value;
            defined[row / 64] |= 1 << (row % 64);
        }
    }
    Found { values, defined: Bits::from_words(defined) }
}

impl Found {
    fn column(self, ty: Ty, defined: Option<Arc<Bits>>, rows: &Bits) -> Column {
        let is_total = self.defined == *rows;
        let own = Some(Arc::new(self.defined));
        let defined = if is_total { defined } else { both(&defined, &own) };
        let words = |block: &Block<u64>| block.iter().rev().fold(0, |w, b| w << 1 | (b & 1));
        let data = match ty {
            Ty::Bool => Data::Bool(within(self.values.iter().map(words).collect(), &defined, rows)),
            Ty::Int => return from_wide(self.values.iter().map(|b| b.map(|x| x as i64)).collect(), defined),
            Ty::Float | Ty::Number => Data::Real(self.values.iter().map(|b| b.map(f64::from_bits)).collect()),
            _ => Data::Ids(self.values.iter().map(|b| b.map(|x| x as u32)).collect()),
        };
        Column { data, defined }
    }
}

fn equal(operator: Operator, a: &Column, b: &Column, defined: Option<Arc<Bits>>, rows: &Bits) -> Column {
    let (Data::Ids(x), Data::Ids(y)) = (&a.data, &b.data) else { unreachable!("typed to be sequences") };
    let is_equal = operator == Operator::Equal;
    let found = super::real::words(rows.words().len(), x, y, |x, y| (x == y) == is_equal);
    Column { data: Data::Bool(within(found, &defined, rows)), defined }
}

/// The one value of a column, if it is in one block.
fn constant(keys: &[Block<u64>]) -> Option<u64> {
    let [block] = keys else { return None };
    block.iter().all(|key| *key == block[0]).then_some(block[0])
}

/// The values of a column as numbers of the form of its type.
fn keys(column: &Column, ty: Ty) -> Vec<Block<u64>> {
    match &column.data {
        Data::Bool(bits) => bits.words().iter().map(|w| std::array::from_fn(|lane| w >> lane & 1)).collect(),
        Data::Real(blocks) if ty == Ty::Int => blocks.iter().map(|b| b.map(|x| x as i64 as u64)).collect(),
        Data::Real(blocks) => blocks.iter().map(|b| b.map(f64::to_bits)).collect(),
        Data::Wide(blocks) if ty == Ty::Int => blocks.iter().map(|b| b.map(|x| x as u64)).collect(),
        Data::Wide(blocks) => blocks.iter().map(|b| b.map(|x| (x as f64).to_bits())).collect(),
        Data::Ids(blocks) => blocks.iter().map(|b| b.map(u64::from)).collect(),
    }
}

fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { (x + 0.0).to_bits() }
}

/// Types of operands that may have numbers of the same form.
fn code(ty: Ty) -> u8 {
    match ty {
        Ty::Bool => 1,
        Ty::Int => 2,
        Ty::Float | Ty::Number => 3,
        Ty::Text | Ty::Sequence(_) => 4,
    }
}

/// What the relation language calls it.
fn op(operator: Operator, operands: &[(&Column, Ty)]) -> Op {
    let is_item = |i: usize| matches!(operands[i].0.data, Data::Ids(_));
    match operator {
        Operator::Len => Op::Length,
        Operator::Sum => Op::Sum,
        Operator::Reverse => Op::Reverse,
        Operator::Sorted => Op::Sorted,
        Operator::Upper => Op::Upper,
        Operator::Lower => Op::Lower,
        Operator::Text => Op::Text,
        Operator::Remove => Op::Remove,
        Operator::Truncate => Op::Truncate,
        Operator::Drop => Op::Slice,
        Operator::Index => Op::Index,
        Operator::Concat => Op::Concat,
        Operator::Contains if is_item(1) => Op::Contains,
        Operator::Contains => Op::HasElement,
        Operator::PrefixOf => Op::PrefixOf,
        Operator::SuffixOf => Op::SuffixOf,
        Operator::Approximate => Op::Approximate { single: false },
        Operator::Add => Op::Add,
        Operator::Multiply => Op::Multiply,
        other => unreachable!("{other:?} is not of sequences"),
    }
}
