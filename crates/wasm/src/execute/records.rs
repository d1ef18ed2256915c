//! Scalars in the records of the columns memory: eight bytes a slot, little-endian.

use dodona_target::{Column, Malformed, Scalar, double_bits, single_bits};

/// The bits of one scalar of a column, as its slot holds them; `None` when the value is not of the type.
pub(crate) fn bits(column: &Column, scalar: Scalar, row: usize) -> Option<u64> {
    match (column, scalar) {
        (Column::Bool(v), Scalar::Bool) => Some(v[row].into()),
        (Column::Float(v), Scalar::F64) => Some(double_bits(v[row])),
        (Column::Float(v), Scalar::F32) => Some(single_bits(v[row]).into()),
        (Column::Int(v), _) => {
            let (low, high) = scalar.integer_range()?;
            // The low half of the two's complement is right for both signs and widths.
            (low..=high).contains(&v[row]).then_some(v[row] as u64)
        }
        _ => None,
    }
}

/// Writes a column's rows from `first` on into the slot of as many records as there are.
///
/// # Errors
/// The first row whose value is not of the type.
pub(crate) fn encode(
    column: &Column,
    scalar: Scalar,
    first: usize,
    records: &mut [u8],
    stride: usize,
    offset: usize,
) -> Result<(), usize> {
    let slots = records.chunks_exact_mut(stride).map(|r| &mut r[offset..offset + 8]);
    match (column, scalar) {
        (Column::Float(v), Scalar::F64) => {
            slots.zip(&v[first..]).for_each(|(slot, x)| slot.copy_from_slice(&double_bits(*x).to_le_bytes()));
        }
        (Column::Int(v), _) if scalar.integer_range().is_some() => {
            let (low, high) = scalar.integer_range().unwrap_or_default();
            for (row, (slot, x)) in slots.zip(&v[first..]).enumerate() {
                if *x < low || *x > high {
                    return Err(first + row);
                }
                slot.copy_from_slice(&(*x as u64).to_le_bytes());
            }
        }
        _ => {
            for (row, slot) in slots.enumerate() {
                let bits = bits(column, scalar, first + row).ok_or(first + row)?;
                slot.copy_from_slice(&bits.to_le_bytes());
            }
        }
    }
    Ok(())
}

/// The slot at an offset of a record.
pub(crate) fn slot(record: &[u8], offset: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&record[offset..offset + 8]);
    u64::from_le_bytes(bytes)
}

/// An integer or Boolean result (as 0 or 1) in a slot.
///
/// # Errors
/// When the number is outside the declared type.
pub(crate) fn integer(bits: u64, scalar: Scalar) -> Result<i128, Malformed> {
    let low = bits as u32;
    let value = match scalar {
        Scalar::I64 => i128::from(bits as i64),
        Scalar::U64 => i128::from(bits),
        Scalar::I8 | Scalar::I16 | Scalar::I32 => i128::from(low as i32),
        _ => i128::from(low),
    };
    let (least, most) = scalar.integer_range().unwrap_or((0, 1));
    if (least..=most).contains(&value) { Ok(value) } else { Err(Malformed::Range) }
}

/// A float result in a slot.
pub(crate) fn float(bits: u64, scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// Appends the results in the records' slots to a column of the scalar's kind, and calls `malformed` with
/// each record whose result is not of the type; its row holds the default.
pub(crate) fn decode(
    column: &mut Column,
    scalar: Scalar,
    records: &[u8],
    stride: usize,
    offset: usize,
    mut malformed: impl FnMut(usize, Malformed),
) {
    let slots = records.chunks_exact(stride).map(|record| slot(record, offset));
    match column {
        Column::Float(v) => v.extend(slots.map(|bits| float(bits, scalar))),
        Column::Int(v) if scalar == Scalar::I32 => v.extend(slots.map(|bits| i128::from(bits as i32))),
        Column::Int(v) => v.extend(slots.enumerate().map(|(row, bits)| {
            integer(bits, scalar).unwrap_or_else(|why| {
                malformed(row, why);
                0
            })
        })),
        Column::Bool(v) => v.extend(slots.enumerate().map(|(row, bits)| {
            integer(bits, scalar).unwrap_or_else(|why| {
                malformed(row, why);
                0
            }) == 1
        })),
        Column::Text(_) | Column::Sequence(_) => {}
    }
}
