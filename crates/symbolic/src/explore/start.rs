//! The starts of explorations.

use dodona_smt::solver::Answer;
use dodona_smt::term::{Assignment, Term};
use dodona_target::Signature;

use super::{Explorer, Start};
use crate::input::{Inputs, Shape};
use crate::relation;

/// The starts of an exploration of one function.
#[derive(Clone, Debug, Default)]
pub struct Starts {
    /// One for each shape that the domains allow.
    pub starts: Vec<Start>,
    /// The inputs of each.
    pub inputs: Vec<Inputs>,
    /// The number of shapes for which the solver could not decide whether they are allowed.
    pub unknown: u64,
    /// Why the precondition could not be assumed, if it could not.
    pub unassumed: Option<String>,
}

/// Proposes values that may satisfy the assumptions about inputs.
pub type Guess<'a> = dyn FnMut(&mut Explorer<'_>, &Inputs, &[Term]) -> Option<Assignment> + 'a;

impl Starts {
    /// Starts for some shapes, with domains and precondition as assumptions. `guess` is asked first for values that satisfy
    /// them; its values are checked.
    pub fn new(
        explorer: &mut Explorer<'_>,
        function: &Signature,
        shapes: &[Shape],
        guess: &mut Guess<'_>,
    ) -> Starts {
        let mut all = Starts::default();
        for shape in shapes {
            let inputs = Inputs::new(explorer.terms(), function, shape);
            let mut assumptions = inputs.assumptions.clone();
            match relation::precondition(explorer.terms(), function, &inputs.symbols) {
                Ok(Some(truth)) => assumptions.push(truth.holds),
                Ok(None) => {}
                Err(unsupported) => all.unassumed = Some(unsupported.to_string()),
            }
            assumptions.retain(|assumption| !assumption.is(true));
            let guessed = guess(explorer, &inputs, &assumptions);
            match model(explorer, &assumptions, guessed) {
                Answer::Satisfiable(model) => {
                    all.starts.push(Start { symbols: inputs.symbols.clone(), assumptions, model });
                    all.inputs.push(inputs);
                }
                Answer::Unsatisfiable => {}
                Answer::Unknown(_) => all.unknown += 1,
            }
        }
        all
    }
}

fn model(explorer: &mut Explorer<'_>, assumptions: &[Term], guessed: Option<Assignment>) -> Answer {
    let terms = explorer.terms();
    let zeros = Assignment::default();
    for model in guessed.into_iter().chain([zeros]) {
        if assumptions.iter().all(|a| terms.evaluate(*a, &model) == 1) {
            return Answer::Satisfiable(model);
        }
    }
    explorer.check(assumptions)
}
