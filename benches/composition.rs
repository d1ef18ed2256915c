//! The search for composite relations: sequences of four of the eight basic relations of the sine, on 100 inputs each, by the genetic
//! algorithm with 100 repeats and exhaustively; with composing, running and judging, without the tests that follow. Of several runs the
//! best is taken, as the least disturbed one.

use std::path::Path;
use std::sync::Arc;

use dodona_discovery::{ComposeOptions, ComposeOutcome, compose};
use dodona_evolution::composition::{SearchKind, Settings};
use dodona_subject::Manifest;
use dodona_workbench::{Interruption, Workbench};

const RUNS: u32 = 3;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/composite/subjects/wasi-libc");
    let manifest = Manifest::find(&folder).expect("the subject of the experiment");
    let workbench = Arc::new(Workbench::open(manifest).expect("it opens"));
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
        let mut seconds = f64::INFINITY;
        let mut tried = 0;
        for _ in 0..RUNS {
            let outcome = compose(&workbench, &options, &Interruption::default(), &mut |_| {});
            let Ok(ComposeOutcome::Composed(record)) = outcome else { panic!("the relations hold") };
            seconds = seconds.min(record.layers[0].seconds);
            tried = record.layers[0].tried;
        }
        println!("4 layers, {name}: {tried} sequences in {seconds:.3} s");
    }
}
