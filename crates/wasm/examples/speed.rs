//! What a call costs: columns of scalars, sequences in memory, fresh instances, commands.
//!
//! `cargo run --release -p dodona-wasm --example speed`, with a word to measure only what it begins.

use std::time::Instant;

use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, Options, Strategy};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers = Module::parse(std::fs::read(testdata("numbers.wasm"))?)?;
    let f64s = [Type::Scalar(Scalar::F64)];
    let i32s = [Type::Scalar(Scalar::I32); 2];
    let sequence = [Type::Sequence(Scalar::I32)];
    let functions = [
        function("sine", &f64s, ResultLowering::Value(Scalar::F64), Passing::In),
        function("add", &i32s, ResultLowering::Value(Scalar::I32), Passing::In),
        function("mean", &sequence, ResultLowering::Value(Scalar::F64), Passing::In),
        function("sort", &sequence, ResultLowering::None, Passing::InOut),
        function("counted", &i32s[..1], ResultLowering::Value(Scalar::I32), Passing::In),
        function("stray", &i32s, ResultLowering::Value(Scalar::I32), Passing::In),
        function("divide", &i32s, ResultLowering::Value(Scalar::I32), Passing::In),
    ];
    let start = Instant::now();
    let executable = Executable::load(&numbers, &functions, &Options::default())?;
    println!("{:<44} {:>10.1} ms", "load (40 KB of WebAssembly)", start.elapsed().as_secs_f64() * 1e3);
    let mut random = Random(1);
    let angles = Column::Float((0..100_000).map(|_| random.unit() * 2000.0 - 1000.0).collect());
    let small = Column::Int((0..100_000).map(|_| random.next() as i32 as i128).collect());
    let mut rows = Ragged::new();
    (0..100_000).for_each(|_| rows.push_from((0..16).map(|_| i128::from(random.next() as i8))));
    let sequences = Column::Sequence(SequenceColumn::Int(rows));
    let few = |column: &Column, n: u32| column.select(&(0..n).collect::<Vec<_>>());

    let mut runner = executable.runner();
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut measure = |name: &str, strategy, function, arguments: &[Column]| {
        if !name.starts_with(&wanted) {
            return;
        }
        // As many rows at a time as stay in the cache, as a run of many samples does.
        let rows = arguments[0].len();
        let batches: Vec<Vec<Column>> = (0..rows as u32)
            .step_by(4096)
            .map(|first| {
                let batch: Vec<u32> = (first..rows.min(first as usize + 4096) as u32).collect();
                arguments.iter().map(|column| column.select(&batch)).collect()
            })
            .collect();
        let best = (0..7)
            .map(|_| {
                let start = Instant::now();
                for batch in &batches {
                    let calls = runner.call_with(strategy, function, batch).expect("the call runs");
                    let trap = name.starts_with("trap");
                    assert!(
                        calls.outcomes.iter().all(|o| o.has_outputs() != trap),
                        "{name}: {:?}",
                        calls.outcomes[0]
                    );
                }
                start.elapsed().as_secs_f64() * 1e9 / rows as f64
            })
            .fold(f64::INFINITY, f64::min);
        println!("{name:<44} {best:>10.1} ns a call");
    };
    measure("sine, columns", Strategy::Columns, 0, std::slice::from_ref(&angles));
    measure("sine, row by row", Strategy::RowByRow, 0, std::slice::from_ref(&angles));
    measure("sine, fresh", Strategy::Fresh, 0, &[few(&angles, 2000)]);
    measure("add, columns", Strategy::Columns, 1, &[small.clone(), small.clone()]);
    measure("mean of 16", Strategy::Columns, 2, std::slice::from_ref(&sequences));
    measure("mean of 16, fresh", Strategy::Fresh, 2, &[few(&sequences, 2000)]);
    measure("sort of 16 (qsort)", Strategy::Columns, 3, std::slice::from_ref(&sequences));
    measure("counter (fresh by analysis)", Strategy::Columns, 4, &[few(&small, 2000)]);
    let far = |index| [Column::Int(vec![index; 20_000]), few(&small, 20_000)];
    measure("store stopped by its guard, then fresh", Strategy::Columns, 5, &far(1 << 10)[..]);
    measure("trap (in a fresh instance)", Strategy::Columns, 5, &far(1 << 20)[..]);
    let none = [Column::Int(vec![0; 20_000]), few(&small, 20_000)];
    measure("trap (division by zero)", Strategy::Columns, 6, &none);
    if wanted.is_empty() { command(&mut random) } else { Ok(()) }
}

fn command(random: &mut Random) -> Result<(), Box<dyn std::error::Error>> {
    let module = Module::parse(std::fs::read(testdata("words.wasm"))?)?;
    let text = (Parameter::new("x", Type::Text), Lowering::Stdin);
    let words =
        Function { export: "_start".into(), ..Function::new("words", vec![text], ResultLowering::Command) };
    let executable = Executable::load(&module, &[words], &Options::default())?;
    let mut rows = Ragged::new();
    for _ in 0..2000 {
        rows.push_from((0..1024).map(|_| b"abc def 12+\n"[random.next() as usize % 12]));
    }
    let arguments = [Column::Text(rows)];
    let mut runner = executable.runner();
    let best = (0..7)
        .map(|_| {
            let start = Instant::now();
            let calls = runner.call(0, &arguments).expect("the command runs");
            assert!(calls.outcomes.iter().all(|o| *o == Outcome::Exited(0)), "{:?}", calls.outcomes[0]);
            start.elapsed().as_secs_f64() * 1e9 / 2000.0
        })
        .fold(f64::INFINITY, f64::min);
    println!("{:<44} {best:>10.1} ns a call", "command over 1 KB of stdin");
    Ok(())
}

fn testdata(name: &str) -> String {
    format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn parameter(ty: Type, passing: Passing) -> (Parameter, Lowering) {
    let lowering = match ty {
        Type::Scalar(_) => Lowering::Value,
        _ => Lowering::PointerLength(passing),
    };
    (Parameter::new("x", ty), lowering)
}

fn function(name: &str, types: &[Type], result: ResultLowering, passing: Passing) -> Function {
    Function::new(name, types.iter().map(|ty| parameter(*ty, passing)).collect(), result)
}

/// Xorshift: the inputs need only be many and different.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
