//! Rows of arguments and outcomes as bytes. The program on the other side is generated (`crates/subject/src/build/glue/worker_main.rs`), where the
//! protocol is described.

use dodona_target::{
    Column, Outcome, Ragged, Scalar, SequenceColumn, Signature, Trap, Type, double_bits, single_bits,
};

/// Each row is called in a process of its own.
pub(crate) const APART: u8 = 1;
/// What was said is wanted.
pub(crate) const TELL: u8 = 2;

/// The bytes of a frame that asks for the calls of some rows.
pub(crate) fn frame(
    function: usize,
    signature: &Signature,
    arguments: &[Column],
    rows: &[u32],
    flags: u8,
) -> Vec<u8> {
    let mut body = Vec::new();
    for &row in rows {
        let start = body.len();
        body.extend([0; 4]);
        for (parameter, column) in signature.parameters.iter().zip(arguments) {
            put(&mut body, parameter.ty, column, row as usize);
        }
        let length = number(body.len() - start - 4);
        body[start..start + 4].copy_from_slice(&length);
    }
    let mut frame = vec![flags];
    for count in [function, rows.len(), body.len()] {
        frame.extend(number(count));
    }
    frame.extend(body);
    frame
}

/// A count as the protocol has it. Rows and their values fit into the memory of a module, which has 32 bits.
fn number(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
}

fn put(to: &mut Vec<u8>, ty: Type, column: &Column, row: usize) {
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

fn put_integer(to: &mut Vec<u8>, scalar: Scalar, value: i128) {
    to.extend(&value.to_le_bytes()[..scalar.bytes()]);
}

fn put_float(to: &mut Vec<u8>, scalar: Scalar, value: f64) {
    match scalar {
        Scalar::F32 => to.extend(single_bits(value).to_le_bytes()),
        _ => to.extend(double_bits(value).to_le_bytes()),
    }
}

/// What the answer to a row says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    /// What was said, and where.
    pub(crate) said: [String; 2],
}

/// Reads the answer to a row and adds its outputs to the columns, defaults where there are none. `None` if it is no answer.
pub(crate) fn read(mut bytes: &[u8], signature: &Signature, outputs: &mut [Column]) -> Option<Answer> {
    let from = &mut bytes;
    let [how] = take(from)?;
    let mut said = [String::new(), String::new()];
    let outcome = match how {
        0 => Outcome::Returned,
        1 => {
            said = [text(from)?, text(from)?];
            Outcome::Trapped(Trap::Panicked)
        }
        2 => {
            let signal = i32::from_le_bytes(take(from)?);
            said[0] = text(from)?;
            Outcome::Trapped(Trap::Signal(signal))
        }
        3 => Outcome::OutOfTime,
        4 => Outcome::Trapped(Trap::Exit(i32::from_le_bytes(take(from)?))),
        _ => return None,
    };
    for (output, column) in signature.outputs.iter().zip(outputs) {
        match outcome == Outcome::Returned && take::<1>(from)? == [1] {
            true => get(from, output.ty, column)?,
            false => column.push_default(),
        }
    }
    from.is_empty().then_some(Answer { outcome, said })
}

fn take<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(*taken)
}

fn count(from: &mut &[u8]) -> Option<usize> {
    take(from).map(|bytes| u32::from_le_bytes(bytes) as usize)
}

fn part<'a>(from: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(taken)
}

fn text(from: &mut &[u8]) -> Option<String> {
    let length = count(from)?;
    part(from, length).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// Adds a value to a column.
fn get(from: &mut &[u8], ty: Type, column: &mut Column) -> Option<()> {
    match (ty, column) {
        (Type::Scalar(_), Column::Bool(values)) => values.push(take(from)? == [1]),
        (Type::Scalar(scalar), Column::Int(values)) => values.push(integer(from, scalar)?),
        (Type::Scalar(scalar), Column::Float(values)) => values.push(float(from, scalar)?),
        (Type::Text, Column::Text(rows)) => {
            let length = count(from)?;
            rows.push(part(from, length)?);
        }
        (Type::Sequence(scalar), Column::Sequence(column)) => {
            let length = count(from)?;
            match column {
                SequenceColumn::Bool(rows) => push_all(rows, length, || Some(take(from)? == [1]))?,
                SequenceColumn::Int(rows) => push_all(rows, length, || integer(from, scalar))?,
                SequenceColumn::Float(rows) => push_all(rows, length, || float(from, scalar))?,
            }
        }
        (ty, column) => unreachable!("a column of {ty} holds {column:?}"),
    }
    Some(())
}

fn push_all<T: Clone>(rows: &mut Ragged<T>, length: usize, mut one: impl FnMut() -> Option<T>) -> Option<()> {
    let items: Option<Vec<T>> = (0..length).map(|_| one()).collect();
    items.map(|items| rows.push_from(items))
}

fn integer(from: &mut &[u8], scalar: Scalar) -> Option<i128> {
    let bytes = part(from, scalar.bytes())?;
    let is_negative = scalar.integer_range().is_some_and(|(least, _)| least < 0) && bytes.last()? >= &0x80;
    let mut value = if is_negative { [0xff; 16] } else { [0; 16] };
    value[..bytes.len()].copy_from_slice(bytes);
    Some(i128::from_le_bytes(value))
}

fn float(from: &mut &[u8], scalar: Scalar) -> Option<f64> {
    Some(match scalar {
        Scalar::F32 => f32::from_le_bytes(take(from)?).into(),
        _ => f64::from_le_bytes(take(from)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dodona_target::{Parameter, Sequence, Value};
    use proptest::prelude::*;

    /// A type with a value of it.
    fn typed() -> impl Strategy<Value = (Type, Value)> {
        let scalar = prop::sample::select(Scalar::ALL.to_vec());
        let number = |scalar: Scalar, bits: u64| match scalar {
            Scalar::Bool => Value::Bool(bits & 1 == 1),
            Scalar::F32 => Value::Float(f32::from_bits(bits as u32).into()),
            Scalar::F64 => Value::Float(f64::from_bits(bits)),
            integer => {
                let (least, most) = integer.integer_range().expect("it is an integer");
                Value::Int(least + i128::from(bits) % (most - least + 1))
            }
        };
        let sequence = move |scalar: Scalar, bits: Vec<u64>| {
            let numbers: Vec<Value> = bits.into_iter().map(|bits| number(scalar, bits)).collect();
            let of =
                |pick: fn(&Value) -> Option<i128>| numbers.iter().filter_map(pick).collect::<Vec<i128>>();
            Value::Sequence(match numbers.first() {
                None | Some(Value::Int(_)) => {
                    Sequence::Int(of(|value| if let Value::Int(x) = value { Some(*x) } else { None }))
                }
                Some(Value::Bool(_)) => {
                    Sequence::Bool(numbers.iter().map(|value| *value == Value::Bool(true)).collect())
                }
                _ => Sequence::Float(
                    numbers
                        .iter()
                        .filter_map(|value| if let Value::Float(x) = value { Some(*x) } else { None })
                        .collect(),
                ),
            })
        };
        let bits = prop::collection::vec(any::<u64>(), 0..5);
        prop_oneof![
            (scalar.clone(), any::<u64>())
                .prop_map(move |(scalar, bits)| (Type::Scalar(scalar), number(scalar, bits))),
            any::<String>().prop_map(|text| (Type::Text, Value::Text(text.into()))),
            (scalar, bits).prop_map(move |(scalar, bits)| (Type::Sequence(scalar), sequence(scalar, bits))),
        ]
    }

    proptest! {
        #[test]
        fn what_goes_out_comes_back((ty, value) in typed()) {
            let signature = Signature::new("f", vec![Parameter::new("x", ty)], Some(ty));
            let column = Column::one(ty, &value);
            let frame = frame(7, &signature, std::slice::from_ref(&column), &[0], APART);
            prop_assert_eq!((frame[0], frame[1], frame[5]), (APART, 7, 1));
            // Behind the head and the length of the row; before an output stands how the call ended, and that there is one.
            let answer = [&[0, 1], &frame[17..]].concat();
            let mut outputs = [Column::empty(ty)];
            let read = read(&answer, &signature, &mut outputs).expect("it is an answer");
            prop_assert_eq!(read.outcome, Outcome::Returned);
            prop_assert!(column.same(0, &outputs[0], 0), "{:?} {:?}", column, outputs);
        }

        #[test]
        fn whatever_bytes_come_are_an_answer_or_none((ty, _) in typed(), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let signature = Signature::new("f", Vec::new(), Some(ty));
            let mut outputs = [Column::empty(ty)];
            if read(&bytes, &signature, &mut outputs).is_some() {
                prop_assert_eq!(outputs[0].len(), 1);
            }
        }
    }
}
