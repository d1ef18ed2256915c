//! Values as raw little-endian bytes.
//!
//! Scalars have as many bytes as in WebAssembly; sequences and texts stand behind the `u32` number of their elements.

use dodona_target::{Column, Ragged, Scalar, SequenceColumn, Type, double_bits, single_bits};

/// What keeps bytes from being what they should be.
pub(super) type Why = &'static str;

const CUT: Why = "it ends before its values do";

/// A count as frames have it. Rows and their values fit into the memory of a module, which has 32 bits.
pub(super) fn number(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
}

/// The bytes of a value that are there for any value of its type.
pub(super) fn least_bytes(ty: Type) -> usize {
    match ty {
        Type::Scalar(scalar) => scalar.bytes(),
        Type::Text | Type::Sequence(_) => 4,
    }
}

/// Writes the value of a row.
pub(super) fn put(to: &mut Vec<u8>, ty: Type, column: &Column, row: usize) {
    match (ty, column) {
        (Type::Scalar(_), Column::Bool(values)) => to.push(values[row].into()),
        (Type::Scalar(scalar), Column::Int(values)) => put_integer(to, scalar, values[row]),
        (Type::Scalar(scalar), Column::Float(values)) => put_float(to, scalar, values[row]),
        (Type::Text, Column::Text(rows)) => {
            to.extend(number(rows.row(row).len()));
            to.extend(rows.row(row));
        }
        (Type::Sequence(scalar), Column::Sequence(rows)) => {
            to.extend(number(column.elements(row)));
            match rows {
                SequenceColumn::Bool(rows) => to.extend(rows.row(row).iter().map(|x| u8::from(*x))),
                SequenceColumn::Int(rows) => rows.row(row).iter().for_each(|x| put_integer(to, scalar, *x)),
                SequenceColumn::Float(rows) => rows.row(row).iter().for_each(|x| put_float(to, scalar, *x)),
            }
        }
        (ty, column) => unreachable!("a column of {ty} holds {column:?}"),
    }
}

/// The bytes are copied in lengths that the compiler knows, which takes half the time of others.
#[inline]
fn put_integer(to: &mut Vec<u8>, scalar: Scalar, value: i128) {
    match scalar.bytes() {
        1 => to.push(value as u8),
        2 => to.extend_from_slice(&(value as u16).to_le_bytes()),
        4 => to.extend_from_slice(&(value as u32).to_le_bytes()),
        _ => to.extend_from_slice(&(value as u64).to_le_bytes()),
    }
}

fn put_float(to: &mut Vec<u8>, scalar: Scalar, value: f64) {
    match scalar {
        Scalar::F32 => to.extend(single_bits(value).to_le_bytes()),
        _ => to.extend(double_bits(value).to_le_bytes()),
    }
}

pub(super) fn take<const N: usize>(from: &mut &[u8]) -> Result<[u8; N], Why> {
    let (taken, rest) = from.split_first_chunk().ok_or(CUT)?;
    *from = rest;
    Ok(*taken)
}

pub(super) fn count(from: &mut &[u8]) -> Result<usize, Why> {
    take(from).map(|bytes| u32::from_le_bytes(bytes) as usize)
}

/// So many bytes.
pub(super) fn part<'a>(from: &mut &'a [u8], length: usize) -> Result<&'a [u8], Why> {
    let (taken, rest) = from.split_at_checked(length).ok_or(CUT)?;
    *from = rest;
    Ok(taken)
}

/// A text that is shown to people.
pub(super) fn text(from: &mut &[u8]) -> Result<String, Why> {
    let length = count(from)?;
    part(from, length).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// Reads a value and adds it to a column.
pub(super) fn get(from: &mut &[u8], ty: Type, column: &mut Column) -> Result<(), Why> {
    match (ty, column) {
        (Type::Scalar(_), Column::Bool(values)) => values.push(flag(from)?),
        (Type::Scalar(scalar), Column::Int(values)) => values.push(integer(from, scalar)?),
        (Type::Scalar(scalar), Column::Float(values)) => values.push(float(from, scalar)?),
        (Type::Text, Column::Text(rows)) => {
            let length = count(from)?;
            rows.push(part(from, length)?);
        }
        (Type::Sequence(scalar), Column::Sequence(column)) => {
            let length = count(from)?;
            // Whether all are there is seen before there is room made for any.
            let items = &mut part(from, length.checked_mul(scalar.bytes()).ok_or(CUT)?)?;
            match column {
                SequenceColumn::Bool(rows) => push_all(rows, length, || flag(items))?,
                SequenceColumn::Int(rows) => push_all(rows, length, || integer(items, scalar))?,
                SequenceColumn::Float(rows) => push_all(rows, length, || float(items, scalar))?,
            }
        }
        (ty, column) => unreachable!("a column of {ty} holds {column:?}"),
    }
    Ok(())
}

fn push_all<T: Clone>(
    rows: &mut Ragged<T>,
    length: usize,
    mut one: impl FnMut() -> Result<T, Why>,
) -> Result<(), Why> {
    let items: Result<Vec<T>, Why> = (0..length).map(|_| one()).collect();
    items.map(|items| rows.push_from(items))
}

/// A byte that says yes or no.
pub(super) fn flag(from: &mut &[u8]) -> Result<bool, Why> {
    match take(from)? {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err("a byte is neither 0 nor 1 that says yes or no"),
    }
}

#[inline]
fn integer(from: &mut &[u8], scalar: Scalar) -> Result<i128, Why> {
    Ok(match scalar {
        Scalar::I8 => i8::from_le_bytes(take(from)?).into(),
        Scalar::I16 => i16::from_le_bytes(take(from)?).into(),
        Scalar::I32 => i32::from_le_bytes(take(from)?).into(),
        Scalar::I64 => i64::from_le_bytes(take(from)?).into(),
        Scalar::U8 => u8::from_le_bytes(take(from)?).into(),
        Scalar::U16 => u16::from_le_bytes(take(from)?).into(),
        Scalar::U32 => u32::from_le_bytes(take(from)?).into(),
        Scalar::U64 => u64::from_le_bytes(take(from)?).into(),
        Scalar::Bool | Scalar::F32 | Scalar::F64 => unreachable!("{scalar} is no integer"),
    })
}

/// A float; of any NaN the one that there is.
fn float(from: &mut &[u8], scalar: Scalar) -> Result<f64, Why> {
    let value = match scalar {
        Scalar::F32 => f32::from_le_bytes(take(from)?).into(),
        _ => f64::from_le_bytes(take(from)?),
    };
    Ok(if value.is_nan() { f64::NAN } else { value })
}
