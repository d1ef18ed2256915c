//! The enumeration of terms: how many there are and how long they take, by the greatest size of a term. The functions are an edit distance, and two that write and read
//! hexadecimal digits. Every candidate is believed, so that no time goes to fresh inputs. Processor time of one core, the best of several runs.
//!
//! `cargo bench --package dodona-benches --bench equations` runs it; `cargo run --release --package dodona-inference --example equations` runs the same file
//! without building the engine.

use std::convert::Infallible;

use cpu_time::ThreadTime;
use dodona_inference::equations::{
    Enumeration, Equation, EquationFunction, EquationOutput, EquationVariable, FreshVerdict, Laboratory,
    Limits, Terms, Values, Vocabulary,
};
use dodona_relations::plan::{Element, Ty};
use dodona_target::{Column, Scalar, Sequence, Type, Value, next_splitmix64};

const RUNS: u32 = 3;
const ROWS: usize = 200;
const BYTES: Ty = Ty::Sequence(Element::Int);

type Run = fn(&[Value]) -> Option<Value>;

/// Runs functions, and believes every equation.
struct Believer(Vec<(Run, Type)>);

impl Laboratory for Believer {
    type Error = Infallible;

    fn call(&mut self, function: usize, arguments: &[&Values]) -> Result<Vec<Values>, Infallible> {
        let (run, ty) = self.0[function];
        let mut column = Column::empty(ty);
        let mut defined = vec![true; ROWS];
        for values in arguments {
            defined.iter_mut().zip(values.defined()).for_each(|(all, one)| *all &= one);
        }
        for (row, is_defined) in defined.iter_mut().enumerate() {
            let values: Vec<Value> = arguments.iter().map(|values| values.column().value(row)).collect();
            let result = if *is_defined { run(&values) } else { None };
            *is_defined = result.is_some();
            match result {
                Some(value) => column.push(&value),
                None => column.push_default(),
            }
        }
        Ok(vec![Values::new(column, &defined)])
    }

    fn judge(&mut self, _: &Terms, _: Equation) -> Result<FreshVerdict, Infallible> {
        Ok(FreshVerdict::Holds)
    }

    fn may_go_on(&self) -> bool {
        true
    }
}

fn main() {
    println!("functions     size  terms  equations  milliseconds");
    for size in 3..=6 {
        measure("distance", size, &distance_vocabulary(), || {
            Believer(vec![(distance, Type::Scalar(Scalar::U32))])
        });
    }
    for size in 3..=6 {
        let run: Vec<(Run, Type)> = vec![(encode, Type::Text), (decode, Type::Sequence(Scalar::I64))];
        measure("encode decode", size, &codec_vocabulary(), || Believer(run.clone()));
    }
}

fn measure(name: &str, size: u32, vocabulary: &Vocabulary, believer: impl Fn() -> Believer) {
    let limits = Limits { size, ..Limits::default() };
    let columns = |seed| {
        let of = |(place, variable): (usize, &EquationVariable)| column(variable.ty, seed + place as u64);
        vocabulary.variables.iter().enumerate().map(of).collect::<Vec<Column>>()
    };
    let (mut best, mut found) = (f64::INFINITY, (0, 0));
    for _ in 0..RUNS {
        let start = ThreadTime::now();
        let mut enumeration = Enumeration::new(vocabulary, &columns(1), &columns(100), limits);
        let Ok(()) = enumeration.run(&mut believer());
        let equations = enumeration.equations().len();
        best = best.min(start.elapsed().as_secs_f64());
        found = (enumeration.evaluated(), equations);
    }
    let (terms, equations) = found;
    println!("{name:13} {size:4}  {terms:5}  {equations:9}  {:12.1}", best * 1e3);
}

fn declared(name: &str, parameters: &[(&str, Ty)], ty: Ty) -> EquationFunction {
    let parameters = parameters.iter().map(|(name, ty)| ((*name).to_owned(), *ty)).collect();
    EquationFunction {
        name: name.to_owned(),
        parameters,
        outputs: vec![EquationOutput { selector: None, ty }],
    }
}

fn variables(names: &[&str], ty: Ty, parameters: &[(usize, usize)]) -> Vec<EquationVariable> {
    let of = |name: &&str| EquationVariable { name: (*name).to_owned(), ty, parameters: parameters.to_vec() };
    names.iter().map(of).collect()
}

fn distance_vocabulary() -> Vocabulary {
    let function = declared("distance", &[("a", Ty::Text), ("b", Ty::Text)], Ty::Int);
    Vocabulary::new(vec![function], variables(&["a", "b", "c"], Ty::Text, &[(0, 0), (0, 1)]))
}

fn codec_vocabulary() -> Vocabulary {
    let functions = vec![
        declared("encode", &[("bytes", BYTES)], Ty::Text),
        declared("decode", &[("digits", Ty::Text)], BYTES),
    ];
    let bytes = variables(&["bytes", "more"], BYTES, &[(0, 0)]);
    Vocabulary::new(functions, [bytes, variables(&["digits"], Ty::Text, &[(1, 0)])].concat())
}

/// Random texts of hexadecimal digits, and random bytes.
fn column(ty: Ty, seed: u64) -> Column {
    let mut state = seed;
    let mut random = |below: u64| next_splitmix64(&mut state) % below;
    let mut column = Column::empty(if ty == Ty::Text { Type::Text } else { Type::Sequence(Scalar::I64) });
    for _ in 0..ROWS {
        let length = random(9);
        column.push(&match ty {
            Ty::Text => Value::Text(
                (0..length).map(|_| b"0123456789abcdefAF"[random(18) as usize]).collect::<Vec<u8>>().into(),
            ),
            _ => Value::Sequence(Sequence::Int((0..length).map(|_| i128::from(random(256))).collect())),
        });
    }
    column
}

fn distance(arguments: &[Value]) -> Option<Value> {
    let [Value::Text(a), Value::Text(b)] = arguments else { return None };
    let first: Vec<usize> = (0..=b.len()).collect();
    let last = a.iter().enumerate().fold(first, |above, (i, x)| {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = above[j] + usize::from(x != y);
            row.push(replaced.min(row[j] + 1).min(above[j + 1] + 1));
        }
        row
    });
    Some(Value::Int(last[b.len()] as i128))
}

fn encode(arguments: &[Value]) -> Option<Value> {
    let [Value::Sequence(Sequence::Int(bytes))] = arguments else { return None };
    Some(Value::Text(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()))
}

fn decode(arguments: &[Value]) -> Option<Value> {
    let [Value::Text(digits)] = arguments else { return None };
    let digit = |letter: &u8| char::from(*letter).to_digit(16).map(i128::from);
    let pair = |pair: &[u8]| Some(16 * digit(&pair[0])? + digit(&pair[1])?);
    let bytes: Option<Vec<i128>> =
        digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(pair).collect())?;
    bytes.map(|bytes| Value::Sequence(Sequence::Int(bytes)))
}
