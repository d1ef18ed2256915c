//! How long drawing takes, a sample or a row: `cargo run --release --example draws -p dodona-sources`.

use std::hint::black_box;
use std::time::Instant;

use dodona_sources::{CHUNK_ROWS, Sampler, Seed};
use dodona_target::{Distribution, Domain, Number, NumberRange, Sampling, Type};

fn time(
    name: &str,
    ty: &str,
    domain: &Domain,
    sampling: &Sampling,
) -> Result<(), Box<dyn std::error::Error>> {
    const CHUNKS: u64 = 500;
    let sampler = Sampler::new(ty.parse::<Type>()?, domain, sampling)?;
    let start = Instant::now();
    for chunk in 0..CHUNKS {
        black_box(sampler.column(&mut Seed(1).stream(name, chunk), CHUNK_ROWS));
    }
    let nanoseconds = start.elapsed().as_nanos() as f64 / (CHUNKS as f64 * CHUNK_ROWS as f64);
    println!("{name:34} {nanoseconds:8.2} ns a row");
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let range = NumberRange { low: Number::Int(-1000), high: Number::Int(1000) };
    let mut ranged = Domain::default();
    ranged.numbers.ranges = vec![range];
    let sixteen = Sampling { length: Some((16, 16)), ..Sampling::default() };
    for distribution in Distribution::ALL {
        let sampling = Sampling { distribution, ..Sampling::default() };
        let name = |ty: &str| format!("{ty} in -1000..1000, {}", distribution.name());
        time(&name("f64"), "f64", &ranged, &sampling)?;
        time(&name("i32"), "i32", &ranged, &sampling)?;
        let row = Sampling { distribution, ..sixteen.clone() };
        time(&name("16 of i32"), "[i32]", &ranged, &row)?;
    }
    time("i32, whole type", "i32", &Domain::default(), &Sampling::default())?;
    time("f64, whole type", "f64", &Domain::default(), &Sampling::default())?;
    time("bool", "bool", &Domain::default(), &Sampling::default())?;
    time("16 of f64, whole type", "[f64]", &Domain::default(), &sixteen)?;
    time("[i32] of 0 to 32", "[i32]", &Domain::default(), &Sampling::default())?;
    time("text of 0 to 32", "text", &Domain::default(), &Sampling::default())?;
    let kilobyte = Sampling { length: Some((1024, 1024)), ..Sampling::default() };
    time("text of 1024", "text", &Domain::default(), &kilobyte)
}
