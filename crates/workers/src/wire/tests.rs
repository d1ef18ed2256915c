//! Frames there and back, and frames that are none.

use dodona_target::{Column, Parameter, Scalar, Sequence, SequenceColumn, Shape, Signature, Type, Value};
use proptest::prelude::*;

use super::*;
use crate::no_calls;

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
        let of = |pick: fn(&Value) -> Option<i128>| numbers.iter().filter_map(pick).collect::<Vec<i128>>();
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

/// An answer with these rows, each behind its length.
fn answer_of(id: u32, rows: &[&[u8]]) -> Vec<u8> {
    let mut body = Vec::new();
    for row in rows {
        body.extend(number(row.len()));
        body.extend(*row);
    }
    let mut frame = vec![VERSION, 0, 0, 0];
    for count in [body.len(), id as usize, rows.len()] {
        frame.extend(number(count));
    }
    frame.extend(body);
    frame
}

/// A function that returns such a value.
fn returns(shape: &Shape) -> Signature {
    Signature { outputs: shape.outputs(), ..Signature::new("f", Vec::new(), None) }
}

/// What an answer of one row says.
fn read_row(signature: &Signature, row: &[u8]) -> Result<(Calls, Said), String> {
    let mut calls = no_calls(signature, 1);
    let mut reader = Reader::new(signature, 5, 1);
    reader.read(&answer_of(5, &[row]), &mut calls)?;
    Ok((calls, reader.said()))
}

fn of_type(ty: Type) -> Signature {
    Signature::new("f", vec![Parameter::new("x", ty)], Some(ty))
}

/// A shape with the bytes of a value of it and the value of each output, `None` for one that is not there, in the order in which it is read.
fn shaped() -> impl Strategy<Value = (Shape, Vec<u8>, Vec<Option<Value>>)> {
    let leaf = typed().prop_map(|(ty, value)| {
        let mut bytes = Vec::new();
        put(&mut bytes, ty, &Column::one(ty, &value), 0);
        (Shape::Value(ty), bytes, vec![Some(value)])
    });
    leaf.prop_recursive(3, 12, 3, |inner| {
        let nothing = |shape: &Shape| vec![None; shape.outputs().len()];
        let option = (inner.clone(), any::<bool>()).prop_map(move |((shape, bytes, values), there)| {
            let tag = vec![Some(Value::Bool(there))];
            let (bytes, values) = match there {
                true => ([&[1][..], &bytes].concat(), [tag, values].concat()),
                false => (vec![0], [tag, nothing(&shape)].concat()),
            };
            (Shape::Option(shape.into()), bytes, values)
        });
        let result = (inner.clone(), inner.clone(), any::<bool>()).prop_map(move |(ok, err, is_ok)| {
            let tag = vec![Some(Value::Bool(is_ok))];
            let (bytes, values) = match is_ok {
                true => ([&[1][..], &ok.1].concat(), [tag, ok.2, nothing(&err.0)].concat()),
                false => ([&[0][..], &err.1].concat(), [tag, nothing(&ok.0), err.2].concat()),
            };
            (Shape::Result(ok.0.into(), err.0.into()), bytes, values)
        });
        let tuple = prop::collection::vec(inner, 0..4).prop_map(|parts| {
            let bytes = parts.iter().flat_map(|part| part.1.clone()).collect();
            let values = parts.iter().flat_map(|part| part.2.clone()).collect();
            (Shape::Tuple(parts.into_iter().map(|part| part.0).collect()), bytes, values)
        });
        prop_oneof![option, result, tuple]
    })
}

proptest! {
    #[test]
    fn what_goes_out_comes_back(((ty, value), function, id) in (typed(), 0_usize..1000, any::<u32>())) {
        let signature = of_type(ty);
        let columns = [Column::one(ty, &value)];
        let question = Question { function, signature: &signature, arguments: &columns, rows: &[0, 0] };
        let mut frame = vec![9; 3];
        request(&mut frame, id, question, APART);
        let head: Vec<u32> = frame[..REQUEST_HEAD].as_chunks().0.iter().map(|one| u32::from_le_bytes(*one)).collect();
        let length = frame.len() - REQUEST_HEAD;
        prop_assert_eq!(head, [0x101, length as u32, id, function as u32, 2]);
        // Behind the head and the length of the row; before a result stands how the call ended.
        let row = [&[0], &frame[REQUEST_HEAD + 4..REQUEST_HEAD + length / 2]].concat();
        let (calls, _) = read_row(&signature, &row).expect("it is an answer");
        prop_assert_eq!(&calls.outcomes, &[Outcome::Returned]);
        prop_assert!(columns[0].same(0, &calls.outputs[0], 0), "{:?} {:?}", columns, calls);
    }

    #[test]
    fn parts_of_any_shape_come_back((shape, bytes, mut values) in shaped()) {
        let signature = returns(&shape);
        let (calls, _) = read_row(&signature, &[&[0][..], &bytes].concat()).expect("it is an answer");
        shape.value_first(&mut values);
        prop_assert_eq!(values.len(), calls.outputs.len());
        for ((value, column), output) in values.iter().zip(&calls.outputs).zip(&signature.outputs) {
            let mut expected = Column::empty(output.ty);
            match value {
                Some(value) => expected.push(value),
                None => expected.push_default(),
            }
            prop_assert!(column.len() == 1 && expected.same(0, column, 0), "{:?} {:?}", expected, column);
        }
        // One byte less or more is no answer.
        let cut = [&[0][..], bytes.split_last().map_or(&[], |(_, rest)| rest)].concat();
        prop_assert!(bytes.is_empty() || read_row(&signature, &cut).is_err());
        prop_assert!(read_row(&signature, &[&[0][..], &bytes, &[0]].concat()).is_err());
    }

    #[test]
    fn whatever_bytes_come_are_an_answer_or_none(
        (shape, _, _) in shaped(),
        how in 0_u8..8,
        bytes in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let signature = returns(&shape);
        if let Ok((calls, _)) = read_row(&signature, &[&[how][..], &bytes].concat()) {
            prop_assert!(calls.outcomes.len() == 1 && calls.outputs.iter().all(|column| column.len() == 1));
        }
        let framed = [&[VERSION, 0, 0, 0, bytes.len() as u8, 0, 0, 0, 5, 0, 0, 0, how, 0, 0, 0][..], &bytes].concat();
        let mut calls = no_calls(&signature, 1);
        let mut reader = Reader::new(&signature, 5, 3);
        if reader.read(&framed, &mut calls).is_ok() {
            prop_assert_eq!(calls.outcomes.len(), usize::from(how));
        }
        _ = length(&bytes);
    }
}

#[test]
fn there_is_one_nan() {
    let types = [Type::Scalar(Scalar::F64), Type::Scalar(Scalar::F32), Type::Sequence(Scalar::F32)];
    let payloads: [&[u8]; 3] = [
        &0xfff8_0000_0000_1234_u64.to_le_bytes(),
        &0xffc0_1234_u32.to_le_bytes(),
        &[1, 0, 0, 0, 0x34, 0x12, 0xc0, 0xff],
    ];
    for (ty, payload) in types.into_iter().zip(payloads) {
        let (calls, _) = read_row(&of_type(ty), &[&[0], payload].concat()).expect("it is an answer");
        let float = match &calls.outputs[0] {
            Column::Float(values) => values[0],
            Column::Sequence(SequenceColumn::Float(rows)) => rows.row(0)[0],
            other => panic!("{other:?}"),
        };
        assert_eq!(float.to_bits(), f64::NAN.to_bits());
    }
    let mut sent = Vec::new();
    put(&mut sent, types[0], &Column::Float(vec![f64::from_bits(0xfff8_0000_0000_1234)]), 0);
    assert_eq!(sent, f64::NAN.to_le_bytes());
}

#[test]
fn ends_of_calls_say_why() {
    let signature = of_type(Type::Scalar(Scalar::I64));
    let ended = |row: &[u8]| {
        let (calls, said) = read_row(&signature, row).expect("it is an answer");
        assert_eq!(calls.outputs, [Column::Int(vec![0])]);
        (calls.outcomes[0], said.message, said.place)
    };
    let words = |texts: &[&str]| -> Vec<u8> {
        texts.iter().flat_map(|text| [&number(text.len())[..], text.as_bytes()].concat()).collect()
    };
    let raised = [&[1], &words(&["KeyError", "no \u{e9}", "f.c:12"])[..]].concat();
    let kind = Outcome::Trapped(Trap::Raised(ImportName::of("KeyError")));
    assert_eq!(ended(&raised), (kind, "no \u{e9}".to_owned(), "f.c:12".to_owned()));
    let panicked = [&[1], &words(&["", "", ""])[..]].concat();
    assert_eq!(ended(&panicked).0, Outcome::Trapped(Trap::Panicked));
    let signal = [&[2, 11, 0, 0, 0], &words(&["gone"])[..]].concat();
    assert_eq!(ended(&signal), (Outcome::Trapped(Trap::Signal(11)), "gone".to_owned(), String::new()));
    assert_eq!(ended(&[3]).0, Outcome::OutOfTime);
    assert_eq!(ended(&[4, 255, 255, 255, 255]).0, Outcome::Trapped(Trap::Exit(-1)));
    let malformed = [&[5], &words(&["no integer"])[..]].concat();
    assert_eq!(ended(&malformed).0, Outcome::Malformed(Malformed::Range));
    assert_eq!(ended(&malformed).1, "no integer");
}

#[test]
fn answers_come_in_parts_and_in_order() {
    let signature = of_type(Type::Scalar(Scalar::U8));
    let mut calls = no_calls(&signature, 3);
    let mut reader = Reader::new(&signature, 5, 3);
    reader.read(&answer_of(5, &[&[0, 7], &[3]]), &mut calls).expect("a part");
    assert!(reader.goes_on());
    let other = reader.read(&answer_of(6, &[&[0, 8]]), &mut calls);
    assert_eq!(other, Err("an answer to request 6, where 5 was asked".to_owned()));
    let more = reader.read(&answer_of(5, &[&[0, 8], &[0, 9]]), &mut calls);
    assert_eq!(more, Err("answers to 2 rows, where 1 were to be answered".to_owned()));
    reader.read(&answer_of(5, &[&[0, 8]]), &mut calls).expect("the other part");
    assert!(!reader.goes_on());
    assert_eq!(calls.outputs, [Column::Int(vec![7, 0, 8])]);
}

#[test]
fn what_is_no_frame_says_why() {
    assert_eq!(length(&[]), Ok(None));
    assert_eq!(length(&[VERSION, 0, 0, 0, 7]), Ok(None));
    assert_eq!(length(&[VERSION, 0, 0, 0, 7, 0, 0, 0]), Ok(Some(ANSWER_HEAD + 7)));
    let long = length(&[VERSION, 0, 0, 0, 0, 0, 0, 0x20]).expect_err("it is too long");
    assert_eq!(long, "a frame of 536870912 bytes, where 268435456 are the most");
    let version = length(&[2, 0, 0, 0]).expect_err("another version");
    assert!(version.starts_with("what begins with the byte 2 and no frame of version 1"), "{version}");
    let printed = length(b"hello\n").expect_err("it is none");
    assert!(printed.ends_with(": hello"), "{printed}");

    let signature = of_type(Type::Scalar(Scalar::Bool));
    let why = |row: &[u8]| read_row(&signature, row).expect_err("it is none");
    let row = "an answer of which row 0 cannot be read";
    assert_eq!(why(&[0]), format!("{row}: it ends before its values do"));
    assert_eq!(why(&[0, 1, 1]), format!("{row}: bytes stand behind its values"));
    assert_eq!(why(&[0, 2]), format!("{row}: a byte is neither 0 nor 1 that says yes or no"));
    assert_eq!(why(&[9]), format!("{row}: there is no such way for a call to end"));
    let mut cut = answer_of(5, &[&[0, 1]]);
    cut.truncate(cut.len() - 1);
    let mut reader = Reader::new(&signature, 5, 1);
    let why = reader.read(&cut, &mut no_calls(&signature, 1)).expect_err("it is cut");
    assert_eq!(why, format!("{row}: it ends before its values do"));
    let behind = [answer_of(5, &[&[0, 1]]), vec![0]].concat();
    let mut reader = Reader::new(&signature, 5, 1);
    let why = reader.read(&behind, &mut no_calls(&signature, 1)).expect_err("a byte too many");
    assert_eq!(why, "an answer with 1 bytes behind its 1 rows");
}

#[test]
fn the_bytes_in_the_book_are_those_of_frames() {
    const BOOK: &str = include_str!("../../../../book/worker-protocol.md");
    let lines = BOOK.lines().filter(|line| line.starts_with("01 00"));
    let frames: Vec<Vec<u8>> = lines
        .map(|line| {
            let digits: Vec<u8> = line.bytes().filter(|byte| *byte != b' ').collect();
            let pairs = digits.chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
            pairs.map(|pair| u8::from_str_radix(pair, 16).expect("a byte")).collect()
        })
        .collect();
    let signature = of_type(Type::Scalar(Scalar::F64));
    let columns = [Column::Float(vec![1.5])];
    let question = Question { function: 0, signature: &signature, arguments: &columns, rows: &[0] };
    let mut sent = Vec::new();
    request(&mut sent, 7, question, 0);
    assert_eq!(frames[0], sent);
    let mut calls = no_calls(&signature, 1);
    Reader::new(&signature, 7, 1).read(&frames[1], &mut calls).expect("it is an answer");
    assert_eq!((frames.len(), calls.outputs), (2, vec![Column::Float(vec![3.0])]));
}
