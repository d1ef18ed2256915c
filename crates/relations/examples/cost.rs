//! What evaluation costs a row besides the calls: `cargo run --release -p dodona-relations --example cost`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dodona_relations::{Program, check, parse};
use dodona_target::{
    CallError, Caller, Calls, Column, Outcome, Parameter, Ragged, Scalar, SequenceColumn, Signature, Type,
};

const ROWS: usize = 4096;

/// Gives back the first argument, and counts the time that this takes.
struct Echo(Duration);

impl Caller for Echo {
    fn call(&mut self, _: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let start = Instant::now();
        let outcomes = vec![Outcome::Returned; arguments[0].len()];
        let calls = Calls { outcomes, outputs: vec![arguments[0].clone()] };
        self.0 += start.elapsed();
        Ok(calls)
    }
}

fn function(name: &str, parameters: &[(&str, Type)], result: Type) -> Signature {
    let parameters = parameters.iter().map(|(name, ty)| Parameter::new(*name, *ty)).collect();
    Signature::new(name, parameters, Some(result))
}

fn measure(text: &str, functions: &[Signature], columns: &[Column]) {
    let Ok(file) = parse(text) else { return println!("{text}: does not parse") };
    let Ok(relations) = check(&file, functions) else { return println!("{text}: does not check") };
    let program = Program::compile(&relations[0], functions);
    let mut best = Duration::MAX;
    for _ in 0..7 {
        let mut caller = Echo(Duration::ZERO);
        let start = Instant::now();
        for _ in 0..200 {
            let verdicts = program.evaluate(0, columns, &mut caller);
            let _ = black_box(verdicts);
        }
        best = best.min(start.elapsed() - caller.0);
    }
    println!("{:7.2} ns a row  {text}", best.as_nanos() as f64 / (200 * ROWS) as f64);
}

fn main() {
    let (f64, i32) = (Type::Scalar(Scalar::F64), Type::Scalar(Scalar::I32));
    let sequence = Type::Sequence(Scalar::I32);
    let functions = [
        function("sin", &[("x", f64)], f64),
        function("gcd", &[("p", i32), ("q", i32)], i32),
        function("sort", &[("xs", sequence)], sequence),
        function("shout", &[("t", Type::Text)], Type::Text),
    ];
    let floats = Column::Float((0..ROWS).map(|i| i as f64 * 0.1).collect());
    let ints = Column::Int((0..ROWS).map(|i| i as i128 * 7 % 1000).collect());
    let (mut sequences, mut texts) = (Ragged::new(), Ragged::new());
    for row in 0..ROWS {
        sequences.push_from((0..16).map(|i| ((row * 31 + i * 17) % 1000) as i128));
        texts.push(format!("line {row} of some text").as_bytes());
    }
    let sequences = Column::Sequence(SequenceColumn::Int(sequences));
    measure("relation r: sin(x + 2*pi) ~= sin(x)", &functions, std::slice::from_ref(&floats));
    measure("relation r: sin(x + 2*pi) ~= sin(x) within 4 ulp", &functions, std::slice::from_ref(&floats));
    measure("relation r: when x > 1: sin(-x) ~= -sin(x)", &functions, &[floats]);
    measure("relation r: gcd(p, q) == gcd(q, p)", &functions, &[ints.clone(), ints.clone()]);
    measure("relation r: gcd(p + 1, q) <= 3 * gcd(p, q)", &functions, &[ints.clone(), ints]);
    measure("relation r: sort(reverse(xs)) == sort(xs)", &functions, std::slice::from_ref(&sequences));
    measure("relation r: sum(sort(xs + 1)) == sum(xs) + len(xs)", &functions, &[sequences]);
    measure("relation r: shout(reverse(t)) == shout(t)", &functions, &[Column::Text(texts)]);
}
