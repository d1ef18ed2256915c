//! Mutant executions a second of one core: every pair of a mutant and an input, run in full and compared.

use dodona_records::{Against, Mode, Pruning};

use crate::{TRIANGLE, analyse, best, open, options};

const GOAL: f64 = 5e6;
const FEW: u64 = 1024;
const MANY: u64 = 40 * FEW;

pub(crate) fn print() {
    let workbench = open(TRIANGLE);
    let run = |inputs| {
        let options = options(inputs, Against::Inputs, Mode::Matrix, Pruning::Off);
        best(|| analyse(&workbench, &options).record.work)
    };
    let (few, many) = (run(FEW), run(MANY));
    assert_eq!(many.0.executed, many.0.pairs, "every pair is executed");
    // What is the same in both (finding and compiling the mutants) is measured by itself.
    let pairs = (many.0.executed - few.0.executed) as f64;
    let rate = pairs / (many.1 - few.1).as_secs_f64();
    let whole = many.0.executed as f64 / many.1.as_secs_f64();
    println!("mutant executions a second, triangle, full columns");
    println!("  {:<52} {rate:>12.0}  (goal {GOAL:>9.0}: {:.2} times)", "execution alone", rate / GOAL);
    println!(
        "  {:<52} {whole:>12.0}  ({:.2} times)",
        format!("the whole analysis of {} pairs", many.0.executed),
        whole / GOAL
    );
}
