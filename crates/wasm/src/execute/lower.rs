//! Lowering: a row's arguments laid out in one arena of linear memory.
//!
//! The layout depends on the row's lengths alone. A call that reads past an end so sees the same bytes in
//! a fresh instance and in one that served other calls.

use dodona_subject::{Argument, Function, Lowering, ResultLowering};
use dodona_target::{Column, Scalar, SequenceColumn, Type, double_bits, single_bits};

use crate::execute::records;

pub(crate) use dodona_subject::ArgumentLayout as Layout;

/// Writes a row's arguments into a zeroed arena.
///
/// # Errors
/// The index of the first parameter whose value is not of its type.
pub(crate) fn write(
    function: &Function,
    arguments: &[Column],
    row: usize,
    layout: &Layout,
    arena: &mut [u8],
) -> Result<(), usize> {
    for (index, (parameter, column)) in function.parameters.iter().zip(arguments).enumerate() {
        if function.lowerings[index] == Lowering::Value {
            continue;
        }
        let at = layout.parameters[index].0 as usize;
        write_one(column, parameter.ty, row, &mut arena[at..]).ok_or(index)?;
    }
    Ok(())
}

fn write_one(column: &Column, ty: Type, row: usize, to: &mut [u8]) -> Option<()> {
    match (column, ty) {
        (Column::Text(r), Type::Text) => {
            let text = r.row(row);
            to[..text.len()].copy_from_slice(text);
            Some(())
        }
        (Column::Sequence(SequenceColumn::Bool(r)), Type::Sequence(Scalar::Bool)) => {
            to.iter_mut().zip(r.row(row)).for_each(|(to, b)| *to = (*b).into());
            Some(())
        }
        (Column::Sequence(SequenceColumn::Int(r)), Type::Sequence(scalar)) => {
            write_integers(r.row(row), scalar, to)
        }
        (Column::Sequence(SequenceColumn::Float(r)), Type::Sequence(scalar)) => {
            write_floats(r.row(row), scalar, to)
        }
        _ => None,
    }
}

fn put<const N: usize, T: Copy>(items: &[T], to: &mut [u8], bytes: impl Fn(T) -> [u8; N]) -> Option<()> {
    to.as_chunks_mut::<N>().0.iter_mut().zip(items).for_each(|(to, item)| *to = bytes(*item));
    Some(())
}

/// Writes integers of a type, unless one is none.
fn put_integers<const N: usize, T: Copy>(
    items: &[i128],
    to: &mut [u8],
    bytes: impl Fn(i128) -> (T, [u8; N]),
) -> Option<()>
where
    i128: From<T>,
{
    // No early exit: its branch would cost more than the few comparisons that it saves.
    let write = |fits: bool, (to, item): (&mut [u8; N], &i128)| {
        let (narrow, bytes) = bytes(*item);
        *to = bytes;
        fits & (i128::from(narrow) == *item)
    };
    to.as_chunks_mut::<N>().0.iter_mut().zip(items).fold(true, write).then_some(())
}

fn write_integers(items: &[i128], scalar: Scalar, to: &mut [u8]) -> Option<()> {
    match scalar {
        Scalar::I8 => put_integers(items, to, |x| (x as i8, (x as i8).to_le_bytes())),
        Scalar::U8 => put_integers(items, to, |x| (x as u8, (x as u8).to_le_bytes())),
        Scalar::I16 => put_integers(items, to, |x| (x as i16, (x as i16).to_le_bytes())),
        Scalar::U16 => put_integers(items, to, |x| (x as u16, (x as u16).to_le_bytes())),
        Scalar::I32 => put_integers(items, to, |x| (x as i32, (x as i32).to_le_bytes())),
        Scalar::U32 => put_integers(items, to, |x| (x as u32, (x as u32).to_le_bytes())),
        Scalar::I64 => put_integers(items, to, |x| (x as i64, (x as i64).to_le_bytes())),
        Scalar::U64 => put_integers(items, to, |x| (x as u64, (x as u64).to_le_bytes())),
        Scalar::Bool | Scalar::F32 | Scalar::F64 => None,
    }
}

fn write_floats(items: &[f64], scalar: Scalar, to: &mut [u8]) -> Option<()> {
    match scalar {
        Scalar::F32 => put(items, to, |x: f64| single_bits(x).to_le_bytes()),
        Scalar::F64 => put(items, to, |x: f64| double_bits(x).to_le_bytes()),
        _ => None,
    }
}

/// The bits of one WebAssembly argument of a row.
///
/// # Errors
/// The index of the parameter whose value is not of its type.
pub(crate) fn argument(
    function: &Function,
    argument: &Argument,
    arguments: &[Column],
    row: usize,
    layout: &Layout,
    base: u32,
) -> Result<u64, usize> {
    let address = |offset: u64| u64::from(base) + offset;
    Ok(match argument {
        Argument::Value(index) => {
            let scalar = function.parameters[*index].ty.scalar().ok_or(*index)?;
            records::bits(&arguments[*index], scalar, row).ok_or(*index)?
        }
        Argument::Pointer(index) => address(layout.parameters[*index].0),
        Argument::Length(index) => layout.parameters[*index].1 as u64,
        Argument::ReturnPointer => address(layout.pair),
        Argument::OutPointer => address(layout.out),
        Argument::OutCapacity => match function.result {
            ResultLowering::OutBuffer { capacity, .. } => capacity.into(),
            _ => 0,
        },
        // Constants are part of the driver.
        Argument::Constant(_) | Argument::FunctionPointer(_) => 0,
    })
}
