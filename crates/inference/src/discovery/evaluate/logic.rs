//! Three-valued logic on bits (Kleene): a result is undefined if an operand is undefined and the other operand does not decide the
//! result. For example, `false and undefined` is false.

use std::sync::Arc;

use crate::discovery::column::{Column, Data, both};
use crate::discovery::{Bits, Operator};

/// The truth values of 64 rows: the rows on which a term is true, and the rows on which it is false.
type Truth = (u64, u64);

/// The bits of a Boolean column.
pub(super) fn bits(column: &Column) -> &Bits {
    match &column.data {
        Data::Bool(bits) => bits,
        other => unreachable!("typed to be Boolean: {other:?}"),
    }
}

/// `and or xor iff implies`, and `==` and `!=` of Booleans.
pub(super) fn connective(operator: Operator, a: &Column, b: &Column, rows: &Bits) -> Column {
    match operator {
        Operator::And => combine(a, b, rows, |(at, af), (bt, bf)| (at & bt, af | bf)),
        Operator::Or => combine(a, b, rows, |(at, af), (bt, bf)| (at | bt, af & bf)),
        Operator::Implies => combine(a, b, rows, |(at, af), (bt, bf)| (af | bt, at & bf)),
        Operator::Iff | Operator::Equal => strict(a, b, rows, |a, b| !(a ^ b)),
        Operator::Xor | Operator::NotEqual => strict(a, b, rows, |a, b| a ^ b),
        other => unreachable!("{other:?} is no connective"),
    }
}

/// `not`.
pub(super) fn not(a: &Column, rows: &Bits) -> Column {
    let defined = a.defined.as_deref().unwrap_or(rows);
    let data = bits(a).zip(defined, |a, defined| !a & defined).zip(rows, |a, rows| a & rows);
    Column { data: Data::Bool(data), defined: a.defined.clone() }
}

fn strict(a: &Column, b: &Column, rows: &Bits, f: impl Fn(u64, u64) -> u64) -> Column {
    let defined = both(&a.defined, &b.defined);
    let data = bits(a).zip(bits(b), f).zip(defined.as_deref().unwrap_or(rows), |a, b| a & b);
    Column { data: Data::Bool(data.zip(rows, |a, b| a & b)), defined }
}

fn combine(a: &Column, b: &Column, rows: &Bits, f: impl Fn(Truth, Truth) -> Truth) -> Column {
    let word = |column: &Column, i: usize| {
        let (true_, rows) = (bits(column).words()[i], rows.words()[i]);
        let defined = column.defined.as_ref().map_or(rows, |d| d.words()[i] & rows);
        (true_, !true_ & defined)
    };
    let words = (0..rows.words().len()).map(|i| f(word(a, i), word(b, i)));
    let (data, no): (Vec<u64>, Vec<u64>) = words.unzip();
    let is_total = a.defined.is_none() && b.defined.is_none();
    let defined =
        (!is_total).then(|| Arc::new(Bits::from_words(data.iter().zip(&no).map(|(a, b)| a | b).collect())));
    Column { data: Data::Bool(Bits::from_words(data)), defined }
}
