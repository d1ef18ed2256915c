//! The search for composite relations: sequences of four of the eight basic relations of the sine, on 100 inputs each, by the genetic
//! algorithm with 100 repeats and exhaustively; with composing, running and judging, without the tests that follow. Of several runs the
//! best is taken, as the least disturbed one. Processor time is counted from the end of the first part, which has at most 64 sequences.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use dodona_discovery::{ComposeOptions, ComposeOutcome, ComposeStage, compose};
use dodona_inference::composition::{SearchKind, Settings};
use dodona_subject::Manifest;
use dodona_target::Interruption;

const RUNS: u32 = 3;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/composite/subjects/wasi-libc");
    let manifest = Manifest::find(&folder).expect("the subject of the experiment");
    let workbench = Arc::new(dodona_wasm::open(manifest).expect("it opens"));
    let sine = workbench.function("sin").expect("it is there");
    for (name, search) in [
        ("genetic algorithm, 100 repeats", SearchKind::Genetic),
        ("simulated annealing, 100 repeats", SearchKind::Anneal),
        ("exhaustive", SearchKind::Enumerate),
    ] {
        let options = ComposeOptions {
            function: Some(sine),
            layers: vec![4],
            settings: Settings { search, ..Settings::default() },
            fresh: 1,
            mutants: 0,
            ..ComposeOptions::default()
        };
        let (mut wall, mut processor) = (f64::INFINITY, Duration::MAX);
        let mut tried = 0;
        for _ in 0..RUNS {
            let (mut first, mut last) = (None, Duration::ZERO);
            let outcome = compose(&workbench, &options, &Interruption::default(), &mut |progress| {
                if progress.stage == ComposeStage::Search {
                    last = first.get_or_insert_with(ProcessTime::now).elapsed();
                }
            });
            let Ok(ComposeOutcome::Composed(record)) = outcome else { panic!("the relations hold") };
            wall = wall.min(record.layers[0].seconds);
            processor = processor.min(last);
            tried = record.layers[0].tried;
        }
        let processor = processor.as_secs_f64();
        println!("4 layers, {name}: {tried} sequences in {wall:.3} s, {processor:.3} s of processor time");
    }
}
