//! Operators on texts and sequences. The relation language itself computes them, once for each distinct combination of operands in
//! a column.

use dodona_relations::plan::{self, Op, Ty};
use dodona_target::{Column as Values, Ragged, SequenceColumn};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::numbers::{from_wide, within};
use std::sync::Arc;

use crate::discovery::column::{Block, Column, Data, block, both};
use crate::discovery::{Bits, Operator};

/// A text or a sequence. Items are equal where `==` says so: all NaNs have the same bits, and zero has no sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SequenceItem {
    Text(Box<[u8]>),
    Bools(Box<[bool]>),
    Ints(Box<[i64]>),
    Floats(Box<[u64]>),
}

/// The approximate memory overhead of an item, in bytes.
const ITEM: usize = 96;

/// All texts and sequences that occurred in a search, each with an id.
#[derive(Debug, Default)]
pub(super) struct SequenceStore {
    items: IndexSet<SequenceItem, FxBuildHasher>,
    bytes: usize,
}

impl SequenceStore {
    /// The approximate memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The ids of the values of a column, one for each row; `None` where a sequence has an integer beyond 64 bits.
    pub(super) fn intern(&mut self, values: &Values) -> Vec<Option<u32>> {
        (0..values.len()).map(|row| SequenceItem::read(values, row).map(|item| self.number(item))).collect()
    }

    fn number(&mut self, item: SequenceItem) -> u32 {
        let size = item.bytes();
        let (number, is_new) = self.items.insert_full(item);
        self.bytes += if is_new { size + ITEM } else { 0 };
        number as u32
    }

    /// Applies an operator to columns, where an operand or the result is a text or a sequence. `ty` is the type of the result.
    pub(super) fn apply(
        &mut self,
        operator: Operator,
        ty: Ty,
        operands: &[(&Column, Ty)],
        rows: &Bits,
    ) -> Column {
        let mut operands = operands.to_vec();
        // An element-wise operator may have its number on the left, as in `2 * s`: the sequence goes first.
        if operands.len() == 2 && !matches!(operands[0].0.data, Data::Ids(_)) {
            operands.swap(0, 1);
        }
        let defined = operands.iter().fold(None, |all, (column, _)| both(&all, &column.defined));
        match (operator, &operands[..]) {
            (Operator::Equal | Operator::NotEqual, [(a, _), (b, _)]) => equal(operator, a, b, defined, rows),
            // A value of type `Number` does not show whether it is an integer or a float, but the text depends on that.
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
        let key = |row: usize| -> [u64; 2] {
            let of = |keys: &Vec<Block<u64>>| block(keys, row / 64)[row % 64];
            [of(&keys[0]), keys.get(1).map_or(0, of)]
        };
        let mut distinct: IndexSet<[u64; 2], FxBuildHasher> = IndexSet::default();
        let places: Vec<usize> = asked.rows().map(|row| distinct.insert_full(key(row)).0).collect();
        let answers = self.answers(operator, operands, &distinct);
        let mut found = OperatorResults::none(rows);
        for (row, &place) in asked.rows().zip(&places) {
            if let Some(value) = answers[place] {
                found.set(row, value);
            }
        }
        found.column(ty, defined, rows)
    }

    /// The results of the relation language for each of these combinations of operands.
    fn answers(
        &mut self,
        operator: Operator,
        operands: &[(&Column, Ty)],
        distinct: &IndexSet<[u64; 2], FxBuildHasher>,
    ) -> Vec<Option<u64>> {
        if distinct.is_empty() {
            return Vec::new();
        }
        let of = |(i, (_, ty)): (usize, &(&Column, Ty))| self.values(*ty, distinct.iter().map(|key| key[i]));
        let values: Vec<Values> = operands.iter().enumerate().map(of).collect();
        let (results, defined) = plan::apply(op(operator, operands), &values.iter().collect::<Vec<_>>());
        (0..distinct.len()).map(|i| self.read(&results, i).filter(|_| defined[i])).collect()
    }

    /// One value as a key: 64 bits that mean a Boolean, an integer, a float or an id, depending on its type.
    fn read(&mut self, values: &Values, row: usize) -> Option<u64> {
        match values {
            Values::Bool(v) => Some(v[row].into()),
            Values::Int(v) => i64::try_from(v[row]).ok().map(|i| i as u64),
            Values::Float(v) => Some(v[row].to_bits()),
            _ => SequenceItem::read(values, row).map(|item| self.number(item).into()),
        }
    }

    /// The values of these keys of type `ty`.
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
            Ty::Text => sequences!(Values::Text, SequenceItem::Text, |b| *b),
            Ty::Sequence(Element::Bool) => {
                Values::Sequence(sequences!(SequenceColumn::Bool, SequenceItem::Bools, |b| *b))
            }
            Ty::Sequence(Element::Float) => {
                Values::Sequence(sequences!(SequenceColumn::Float, SequenceItem::Floats, |b| f64::from_bits(
                    *b
                )))
            }
            Ty::Sequence(_) => {
                Values::Sequence(sequences!(SequenceColumn::Int, SequenceItem::Ints, |i| i128::from(*i)))
            }
        }
    }
}

impl SequenceItem {
    fn read(values: &Values, row: usize) -> Option<SequenceItem> {
        Some(match values {
            Values::Text(r) => SequenceItem::Text(r.row(row).into()),
            Values::Sequence(SequenceColumn::Bool(r)) => SequenceItem::Bools(r.row(row).into()),
            Values::Sequence(SequenceColumn::Float(r)) => {
                SequenceItem::Floats(r.row(row).iter().map(|x| bits(*x)).collect())
            }
            Values::Sequence(SequenceColumn::Int(r)) => {
                SequenceItem::Ints(r.row(row).iter().map(|i| i64::try_from(*i).ok()).collect::<Option<_>>()?)
            }
            other => unreachable!("typed to be sequences: {other:?}"),
        })
    }

    fn bytes(&self) -> usize {
        match self {
            SequenceItem::Text(items) => items.len(),
            SequenceItem::Bools(items) => items.len(),
            SequenceItem::Ints(items) => items.len() * 8,
            SequenceItem::Floats(items) => items.len() * 8,
        }
    }
}

/// The results of an operator, as keys.
struct OperatorResults {
    values: Vec<Block<u64>>,
    defined: Vec<u64>,
}

impl OperatorResults {
    fn none(rows: &Bits) -> OperatorResults {
        let blocks = rows.words().len();
        OperatorResults { values: vec![[0; 64]; blocks], defined: vec![0; blocks] }
    }

    fn set(&mut self, row: usize, value: u64) {
        self.values[row / 64][row % 64] = value;
        self.defined[row / 64] |= 1 << (row % 64);
    }

    fn column(self, ty: Ty, defined: Option<Arc<Bits>>, rows: &Bits) -> Column {
        let own = Bits::from_words(self.defined);
        let is_total = own == *rows;
        let own = Some(Arc::new(own));
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

/// The values of a column as keys.
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

/// What the relation language computes for the operator on these operands.
fn op(operator: Operator, operands: &[(&Column, Ty)]) -> Op {
    let is_item = |i: usize| matches!(operands[i].0.data, Data::Ids(_));
    match operator {
        Operator::Contains if !is_item(1) => Op::HasElement,
        _ => operator.op(),
    }
}
