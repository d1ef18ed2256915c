//! Inputs to try: those that Dodona draws itself, and the odd ones of every type.

use dodona_sources::Seed;
use dodona_target::{Column, Domain, Kind, Parameter, Scalar, Sequence, Signature, Type, Value};
use dodona_wasm::Workbench;
use dodona_workbench::columns;

use crate::choices::Choices;

/// Inputs of a function under test as columns: random ones as `check` draws them, then odd ones that the domains allow. None where
/// the domains allow nothing.
pub fn inputs_of(
    choices: &mut Choices<'_>,
    workbench: &Workbench,
    function: usize,
    each: usize,
) -> Vec<Column> {
    let declared = &workbench.functions()[function];
    let seed = Seed(choices.bits());
    let drawn = dodona_workbench::inputs(workbench, function, &[], each as u64, seed, &mut Vec::new())
        .unwrap_or_default();
    let mut rows = rows_of(&drawn);
    rows.extend((0..each).filter_map(|_| odd_row(choices, &declared.parameters)));
    columns(declared, rows.iter().map(Vec::as_slice))
}

/// The rows of batches of columns.
pub fn rows_of(batches: &[Vec<Column>]) -> Vec<Vec<Value>> {
    let of_batch = |batch: &Vec<Column>| {
        let rows = batch.first().map_or(0, Column::len);
        (0..rows).map(|row| batch.iter().map(|column| column.value(row)).collect()).collect::<Vec<_>>()
    };
    batches.iter().flat_map(of_batch).collect()
}

/// A row of odd values, each of its domain; `None` if no odd value that was tried lies in the domain.
pub fn odd_row(choices: &mut Choices<'_>, parameters: &[Parameter]) -> Option<Vec<Value>> {
    parameters.iter().map(|parameter| odd(choices, parameter.ty, &parameter.domain)).collect()
}

/// How many odd values are tried until one lies in the domain.
const TRIES: usize = 24;

fn odd(choices: &mut Choices<'_>, ty: Type, domain: &Domain) -> Option<Value> {
    (0..TRIES).map(|_| any(choices, ty, domain)).find(|value| domain.contains(ty, value))
}

fn any(choices: &mut Choices<'_>, ty: Type, domain: &Domain) -> Value {
    match ty {
        Type::Scalar(scalar) => match scalar.kind() {
            Kind::Bool => Value::Bool(choices.one_in(2)),
            Kind::Int => Value::Int(integer(choices, scalar, domain)),
            Kind::Float => Value::Float(float(choices, scalar, domain)),
        },
        Type::Sequence(scalar) => {
            let length = length(choices, domain);
            Value::Sequence(match scalar.kind() {
                Kind::Bool => Sequence::Bool((0..length).map(|_| choices.one_in(2)).collect()),
                Kind::Int => Sequence::Int((0..length).map(|_| integer(choices, scalar, domain)).collect()),
                Kind::Float => Sequence::Float((0..length).map(|_| float(choices, scalar, domain)).collect()),
            })
        }
        Type::Text => Value::Text(text(choices, domain).into()),
    }
}

fn length(choices: &mut Choices<'_>, domain: &Domain) -> usize {
    let (low, high) = domain.length.unwrap_or((0, 4));
    low as usize + choices.below((high - low).min(4) as usize + 1)
}

/// The ends of the domain and what lies beside them, the ends of the type, and small numbers.
fn integer(choices: &mut Choices<'_>, scalar: Scalar, domain: &Domain) -> i128 {
    let (least, greatest) = scalar.integer_range().unwrap_or((0, 1));
    let drawn = match choices.below(8) {
        0..=2 => i128::from(choices.byte() as i8),
        3 => [least, greatest, least + 1, greatest - 1][choices.below(4)],
        4 => 1i128 << choices.below(64),
        5 | 6 if !domain.numbers.ranges.is_empty() => {
            let range = domain.numbers.ranges[choices.below(domain.numbers.ranges.len())];
            let end = [range.low, range.high][choices.below(2)].as_f64() as i128;
            end + choices.below(3) as i128 - 1
        }
        _ => i128::from(choices.bits() as i64),
    };
    drawn.clamp(least, greatest)
}

/// Floats at which something ends or rounds.
const FLOATS: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.5,
    0.1,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    f64::MAX,
    f64::MIN,
    1.1754943508222875e-38,
    3.4028234663852886e38,
    1e-45,
    2147483648.0,
    -2147483649.0,
    9223372036854775808.0,
    16777217.0,
    9007199254740993.0,
];

fn float(choices: &mut Choices<'_>, scalar: Scalar, domain: &Domain) -> f64 {
    let x = match choices.below(8) {
        // Where an operation is invalid, or a sign is lost.
        0 | 1 => choices.one_of(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.0]),
        2 | 3 => choices.one_of(&FLOATS),
        4 => f64::from(choices.byte() as i8) / 4.0,
        5 | 6 if !domain.numbers.ranges.is_empty() => {
            let range = domain.numbers.ranges[choices.below(domain.numbers.ranges.len())];
            let end = [range.low, range.high][choices.below(2)].as_f64();
            [end, end.next_up(), end.next_down()][choices.below(3)]
        }
        _ => f64::from_bits(choices.bits()),
    };
    if scalar == Scalar::F32 { f64::from(x as f32) } else { x }
}

fn text(choices: &mut Choices<'_>, domain: &Domain) -> String {
    if let Some(texts) = domain.texts.as_ref().filter(|texts| !texts.is_empty()) {
        return texts[choices.below(texts.len())].clone();
    }
    let ordinary: Vec<char> = "abAz 09\n\u{0}~é\u{1f600}".chars().collect();
    let alphabet = domain.alphabet.as_ref().filter(|alphabet| !alphabet.is_empty()).unwrap_or(&ordinary);
    (0..length(choices, domain)).map(|_| alphabet[choices.below(alphabet.len())]).collect()
}

/// Whether every sequence has at most so many elements, and every text so many bytes.
pub fn is_within(values: &[Value], longest: u64) -> bool {
    values.iter().all(|value| match value {
        Value::Sequence(sequence) => sequence.len() as u64 <= longest,
        Value::Text(text) => text.len() as u64 <= longest,
        _ => true,
    })
}

/// A row of a function's inputs as a call is written.
pub fn shown(function: &Signature, values: &[Value]) -> String {
    let one = |(parameter, value): (&Parameter, &Value)| format!("{} = {value}", parameter.name);
    function.parameters.iter().zip(values).map(one).collect::<Vec<_>>().join(", ")
}
