//! Mutation analysis on one core: mutant executions a second, what setting up takes, the forms in which mutants lie in
//! one module, and what pruning to the infected pairs saves.
//!
//! Time is the processor's, of all threads together, so that a busy machine matters little; each figure is the best of
//! several runs.

mod executions;
mod forms;
mod pruning;
mod setup;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use dodona_mutants::{Describer, Mutants, Scope};
use dodona_mutation::{
    Callees, KeepMatrix, MutateOptions, MutateOutcome, Mutation, MutationBounds, OperatorSet, mutate,
};
use dodona_records::{Against, Mode, Pruning};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;

const RUNS: u32 = 3;

/// The function of about 100 lines that set-up is measured on.
const LONG: &str = "subjects/iso-week";
const TRIANGLE: &str = "../subjects/triangle";

fn open(subject: &str) -> Arc<Workbench> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(subject);
    let manifest = Manifest::find(&folder).expect("the benchmark's manifest is valid");
    Arc::new(dodona_wasm::open(manifest).expect("the benchmark's subject builds"))
}

/// All mutants of a subject's functions under test.
fn generate(workbench: &Workbench) -> Mutants<'_> {
    let (module, manifest) = (&workbench.target.module, &workbench.target.manifest);
    let scope = Scope::of(module, &manifest.functions, &Callees::Left, manifest);
    let mut describer = Describer::new(workbench.target.debug_info(), manifest.folder());
    Mutants::generate(module, &scope, usize::MAX, &mut describer)
}

/// An analysis on one thread, all operators.
fn options(inputs: u64, against: Against, mode: Mode, pruning: Pruning) -> MutateOptions {
    MutateOptions {
        functions: Vec::new(),
        callees: Callees::Left,
        operators: OperatorSet::all(),
        relations: Vec::new(),
        against,
        inputs,
        files: Vec::new(),
        made: Vec::new(),
        seed: Seed(1),
        jobs: NonZeroUsize::MIN,
        mode,
        pruning,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

fn analyse(workbench: &Arc<Workbench>, options: &MutateOptions) -> Mutation {
    match mutate(workbench, options, &Interruption::default(), &mut |_| {}).expect("the analysis runs") {
        MutateOutcome::Analysed(mutation) => *mutation,
        MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
    }
}

/// What a run gives, and the least time that it takes.
fn best<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut timed = || {
        let start = ProcessTime::now();
        (run(), start.elapsed())
    };
    let first = timed();
    (1..RUNS).map(|_| timed()).fold(first, |best, next| if next.1 < best.1 { next } else { best })
}

fn main() {
    println!("mutation analysis, seconds of processor time, best of {RUNS} runs");
    executions::print();
    setup::print();
    forms::print();
    pruning::print();
}
