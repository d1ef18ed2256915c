//! Lifting: outputs read back from linear memory, checked before any of them is believed.

use dodona_subject::element_bytes;
use dodona_target::{Column, Malformed, Scalar, SequenceColumn, Type};

/// Data in linear memory that were checked to be of their type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    at: usize,
    /// In elements.
    length: usize,
}

impl Span {
    /// The number of elements.
    pub(crate) fn elements(self) -> u64 {
        self.length as u64
    }
}

/// Data of a given length in elements.
///
/// # Errors
/// When they lie outside memory or hold a Boolean other than 0 and 1.
pub(crate) fn span(memory: &[u8], address: u32, length: u32, ty: Type) -> Result<Span, Malformed> {
    // Lengths are signed in most sources, and nothing in 32-bit memory is this long.
    if length > i32::MAX as u32 {
        return Err(Malformed::Length);
    }
    let span = Span { at: address as usize, length: length as usize };
    if length == 0 {
        // An empty Rust slice points at no memory at all.
        return Ok(span);
    }
    let bytes = span.length as u64 * element_bytes(ty) as u64;
    let end = u64::from(address) + bytes;
    if end > memory.len() as u64 {
        return Err(Malformed::Pointer);
    }
    if ty == Type::Sequence(Scalar::Bool) && memory[span.at..span.at + span.length].iter().any(|b| *b > 1) {
        return Err(Malformed::Range);
    }
    Ok(span)
}

/// Data up to a zero element.
///
/// # Errors
/// When the pointer is null or outside memory, or nothing terminates the data.
pub(crate) fn terminated(memory: &[u8], address: u32, ty: Type) -> Result<Span, Malformed> {
    let from = memory.get(address as usize..).filter(|_| address != 0).ok_or(Malformed::Pointer)?;
    let mut elements = from.chunks_exact(element_bytes(ty));
    let is_zero: fn(&[u8]) -> bool = match ty {
        // Minus zero is a zero too.
        Type::Sequence(Scalar::F32 | Scalar::F64) => {
            |e| e[..e.len() - 1].iter().all(|b| *b == 0) && e[e.len() - 1] & 0x7f == 0
        }
        _ => |e| e.iter().all(|b| *b == 0),
    };
    let length = elements.position(is_zero).ok_or(Malformed::Unterminated)?;
    span(memory, address, length as u32, ty)
}

/// The pair of pointer and length that a callee wrote.
///
/// # Errors
/// When the pair lies outside memory.
pub(crate) fn pair(memory: &[u8], address: u32) -> Result<(u32, u32), Malformed> {
    let at = address as usize;
    let bytes = memory.get(at..at + 8).ok_or(Malformed::Pointer)?;
    let word = |i: usize| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
    Ok((word(0), word(4)))
}

/// Appends data to a column of their kind.
pub(crate) fn push(memory: &[u8], span: Span, ty: Type, column: &mut Column) {
    let bytes = span.length * element_bytes(ty);
    let data = if bytes == 0 { &[][..] } else { &memory[span.at..span.at + bytes] };
    match (column, ty) {
        (Column::Text(r), _) => r.push(data),
        (Column::Sequence(SequenceColumn::Bool(r)), _) => r.push_from(data.iter().map(|b| *b != 0)),
        (Column::Sequence(SequenceColumn::Int(r)), Type::Sequence(scalar)) => match scalar {
            Scalar::I8 => r.push_from(each(data, |b| i8::from_le_bytes(b).into())),
            Scalar::U8 => r.push_from(each(data, |b| u8::from_le_bytes(b).into())),
            Scalar::I16 => r.push_from(each(data, |b| i16::from_le_bytes(b).into())),
            Scalar::U16 => r.push_from(each(data, |b| u16::from_le_bytes(b).into())),
            Scalar::I32 => r.push_from(each(data, |b| i32::from_le_bytes(b).into())),
            Scalar::U32 => r.push_from(each(data, |b| u32::from_le_bytes(b).into())),
            Scalar::I64 => r.push_from(each(data, |b| i64::from_le_bytes(b).into())),
            _ => r.push_from(each(data, |b| u64::from_le_bytes(b).into())),
        },
        (Column::Sequence(SequenceColumn::Float(r)), Type::Sequence(Scalar::F32)) => {
            r.push_from(each(data, |b| f32::from_le_bytes(b).into()));
        }
        (Column::Sequence(SequenceColumn::Float(r)), _) => r.push_from(each(data, f64::from_le_bytes)),
        (column, _) => column.push_default(),
    }
}

fn each<'a, const N: usize, T: 'a>(
    data: &'a [u8],
    read: impl Fn([u8; N]) -> T + 'a,
) -> impl Iterator<Item = T> + 'a {
    data.as_chunks::<N>().0.iter().map(move |bytes| read(*bytes))
}
