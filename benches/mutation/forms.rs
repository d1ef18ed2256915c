//! The forms in which mutants can lie in one module: the measurement behind the default.

use dodona_mutants::{Form, Mutant, Plan};
use dodona_sources::{Sampler, Seed};
use dodona_target::Column;
use dodona_wasm::execute::{Choice, Executable};

use crate::setup::load;
use crate::{LONG, TRIANGLE, Workbench, best, generate, open};

/// Inputs of each mutant.
const INPUTS: usize = 1024;
/// What a mutant may use: many times what the original needs, so that endless ones end soon.
const FUEL: u64 = 100_000;

pub(crate) fn print() {
    println!("forms: set-up in seconds, the original's and the mutants' calls a second");
    println!("  {:<52} {:>12} {:>12} {:>12}", "", "set-up", "original", "mutants");
    for subject in [TRIANGLE, LONG] {
        let workbench = open(subject);
        let all = generate(&workbench);
        let mutants: Vec<&Mutant> = all.mutants.iter().collect();
        let inputs = inputs(&workbench);
        for form in [Form::CopyPerPlace, Form::CopyPerMutant, Form::SwitchPerPlace] {
            let ((plan, executable), seconds) = best(|| load(&workbench, &all, &mutants, form));
            let what = format!("{}, {} mutants: {form:?}", workbench.target.manifest.name, mutants.len());
            println!(
                "  {what:<52} {:>12.3} {:>12.0} {:>12.0}",
                seconds.as_secs_f64(),
                calls_a_second(&executable, &original(&plan), &inputs),
                calls_a_second(&executable, &plan.choices, &inputs)
            );
        }
    }
}

/// The same count of choices, which run the copy that holds the first mutant, unmutated.
fn original(plan: &Plan) -> Vec<Choice> {
    vec![Choice { alternative: u32::MAX, ..plan.choices[0] }; plan.choices.len().min(200)]
}

fn inputs(workbench: &Workbench) -> Vec<Column> {
    let function = &workbench.functions()[0];
    let column = |parameter: &dodona_target::Parameter| {
        let sampler = Sampler::new(parameter.ty, &parameter.domain, &parameter.sampling);
        sampler.expect("a domain").column(&mut Seed(1).stream(&parameter.name, 0), INPUTS)
    };
    function.parameters.iter().map(column).collect()
}

fn calls_a_second(executable: &Executable, choices: &[Choice], inputs: &[Column]) -> f64 {
    let limits = vec![FUEL; INPUTS];
    let mut runner = executable.runner();
    let run = || {
        for &choice in choices {
            runner.choose(choice);
            runner.call_within(0, inputs, &limits).expect("calls run");
        }
    };
    (choices.len() * INPUTS) as f64 / best(run).1.as_secs_f64()
}
