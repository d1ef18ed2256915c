//! What it takes until the first mutant runs.

use dodona_mutants::{Form, Mutant, Mutants, Plan, equivalences};
use dodona_wasm::execute::{Executable, Options};

use crate::{LONG, Workbench, best, generate, open};

const GOAL: f64 = 2.0;
const ABOUT: usize = 1000;

pub(crate) fn print() {
    let workbench = open(LONG);
    println!("set-up of the mutants of a C function of 100 lines, seconds");
    let (all, seconds) = best(|| generate(&workbench));
    let generating = seconds.as_secs_f64();
    println!("  {:<52} {generating:>12.3}", format!("generate and describe {} mutants", all.mutants.len()));
    // Spread evenly, so that they change as many places as all of them.
    let some: Vec<&Mutant> = all.mutants.iter().step_by(all.mutants.len().div_ceil(ABOUT)).collect();
    let every: Vec<&Mutant> = all.mutants.iter().collect();
    for (mutants, goal) in [(some, Some(GOAL)), (every, None)] {
        let loading = best(|| load(&workbench, &all, &mutants, Form::default())).1.as_secs_f64();
        let comparing = best(|| {
            equivalences(&workbench.target.module, &all, &mutants, u64::MAX, &|| true).expect("they compile")
        });
        let comparing = comparing.1.as_secs_f64();
        let whole = generating + loading;
        let count = mutants.len();
        let goal =
            goal.map_or_else(String::new, |goal| format!("  (goal {goal}: {:.2} times)", whole / goal));
        println!("  {:<52} {whole:>12.3}{goal}", format!("generate all; plan, rewrite and compile {count}"));
        println!("  {:<52} {comparing:>12.3}", format!("compare the machine code of {count}"));
    }
}

/// Mutants in a module that is ready to run.
pub(crate) fn load(
    workbench: &Workbench,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    form: Form,
) -> (Plan, Executable) {
    let manifest = &workbench.target.manifest;
    let plan = Plan::new(&workbench.target.module, all, mutants, form);
    let options = Options::of(manifest);
    let executable = Executable::load_with_variants(
        &workbench.target.module,
        &manifest.functions,
        &options,
        &plan.variants,
    );
    (plan, executable.expect("mutants load"))
}
