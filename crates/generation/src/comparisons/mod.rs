//! The borders of the comparisons that decide what a function does, in whatever way the compiler wrote them.
//!
//! `a == 4321 and b == 37` may be `(a ^ 4321 | b ^ 37) == 0` in the code, `x >= 100 and x < 150` may be `x - 100 < 50` without a sign,
//! and a case of a `switch` is a place in a table. What is compared can be seen in the terms of symbolic execution: in the conditions of
//! paths, and in the outputs where the code chooses between values without a branch. A solver gives an input on either side of each
//! comparison, where what is computed depends on this comparison alone, as for the criterion MC/DC. Bisection from there, which evaluates
//! terms and runs nothing, finds where the comparison changes.
//!
//! The constants of the code alone are not enough: with them, seven of the 19 relations of a function with `km == 4321 && kg == 37` were
//! false.

mod decisions;
mod flips;

use std::rc::Rc;

use dodona_symbolic::explore::{Explorer, Starts};
use dodona_symbolic::input::{Inputs, Shape};
use dodona_symbolic::term::{Assignment, Term};
use dodona_symbolic::{Code, solver::Answer};
use dodona_target::{Signature, Until, Value};
use dodona_wasm::Workbench;

use crate::search::SearchOptions;
use decisions::{Decision, Decisions};
use flips::{Flip, flips};

/// The most combinations of lengths of sequences and texts. Comparisons of elements are mostly the same for all lengths.
const MOST_SHAPES: usize = 12;

/// The borders of the comparisons of a function.
#[derive(Clone, Debug, Default)]
pub struct ComparisonBorders {
    /// Inputs just beside a border, one value for each parameter: between two of them that follow each other, a comparison changes.
    pub inputs: Vec<Vec<Value>>,
    /// The numbers at the borders that do not depend on the values of other parameters, each once: the constants of the comparisons.
    pub numbers: Vec<Value>,
}

/// The borders of the comparisons of a function under test, given by its index. The search has the bounds of the options, and ends with
/// what it has. Empty where no solver is found, or where the function cannot be executed on symbols.
///
/// # Panics
/// When there is no such function.
pub fn comparison_borders(
    workbench: &Workbench,
    function: usize,
    options: &SearchOptions,
    until: &Until,
) -> ComparisonBorders {
    let function = &workbench.target.manifest.functions[function];
    let Ok(mut solver) = options.solver(until) else { return ComparisonBorders::default() };
    let code = Rc::new(Code::new(&workbench.target.module));
    let mut explorer = Explorer::new(&code, &mut solver, options.bounds);
    let (mut shapes, _) = Shape::all(function, options.longest);
    shapes.truncate(MOST_SHAPES);
    let Starts { starts, inputs, .. } = Starts::new(&mut explorer, function, &shapes, &mut |_, _, _| None);
    let mut decisions = Decisions::default();
    let explored = explorer.explore(function, starts, &mut || until.goes_on(), &mut |explorer, path| {
        decisions.add(explorer.terms(), &path)
    });
    if explored.is_err() {
        return ComparisonBorders::default();
    }
    let most = explorer.questions() + options.bounds.queries;
    let mut search =
        Search { explorer, function, inputs: &inputs, until, most, found: ComparisonBorders::default() };
    for decision in decisions.into_all() {
        if !search.goes_on() {
            break;
        }
        search.look_at(&decision);
    }
    search.found
}

/// The search for borders, one decision after the other.
struct Search<'a> {
    explorer: Explorer<'a>,
    function: &'a Signature,
    /// The symbolic inputs of each start of the exploration.
    inputs: &'a [Inputs],
    until: &'a Until,
    /// The number of questions at which the search ends.
    most: u64,
    found: ComparisonBorders,
}

impl Search<'_> {
    fn goes_on(&self) -> bool {
        self.until.goes_on() && self.explorer.questions() < self.most
    }

    /// Finds the borders of one decision.
    fn look_at(&mut self, decision: &Decision) {
        let matters = decision.matters(self.explorer.terms());
        let models: Vec<Assignment> =
            [true, false].into_iter().filter_map(|truth| self.model(decision, matters, truth)).collect();
        let inputs = &self.inputs[decision.start];
        let found = flips(self.explorer.terms(), self.function, inputs, decision.term, &models);
        if found.is_empty() {
            // The decision is about elements of a sequence or a text, which have no neighbours to look at.
            models.iter().for_each(|model| self.note(inputs, model));
        }
        for flip in &found {
            flip.sides.iter().for_each(|model| self.note(inputs, model));
            if self.is_constant(decision, flip) && !self.found.numbers.contains(&flip.number) {
                self.found.numbers.push(flip.number.clone());
            }
        }
    }

    fn note(&mut self, inputs: &Inputs, model: &Assignment) {
        let values = inputs.values(self.explorer.terms(), model);
        if !self.found.inputs.contains(&values) {
            self.found.inputs.push(values);
        }
    }

    /// Values for which a decision has this result, and matters; `None` if there are none, or nobody knows.
    fn model(&mut self, decision: &Decision, matters: Term, truth: bool) -> Option<Assignment> {
        let terms = self.explorer.terms();
        let wanted = if truth { decision.term } else { terms.not(decision.term) };
        let of_path = |term: Term| terms.evaluate(term, &decision.model) == 1;
        if of_path(wanted) && of_path(matters) {
            return Some(decision.model.clone());
        }
        let mut constraints = decision.given.clone();
        constraints.extend([wanted, matters]);
        match self.explorer.check(&constraints) {
            Answer::Satisfiable(model) => Some(model),
            Answer::Unsatisfiable => None,
            // Whether it matters may be hard to say where its result is not.
            Answer::Unknown(_) => {
                constraints.pop();
                match self.explorer.check(&constraints) {
                    Answer::Satisfiable(model) => Some(model),
                    Answer::Unsatisfiable | Answer::Unknown(_) => None,
                }
            }
        }
    }

    /// Whether the number at a border is a constant of the comparison. It is if nothing else is compared. If several parameters are, it is where
    /// the comparison is true of no other number of this parameter: of `(a ^ 4321 | b ^ 37) == 0`, and not of `a == b`.
    fn is_constant(&mut self, decision: &Decision, flip: &Flip) -> bool {
        if self.explorer.terms().variables_of(decision.term).len() == 1 {
            return true;
        }
        if !flip.is_point {
            return false;
        }
        let terms = self.explorer.terms();
        let variable = terms.variable_term(flip.variable);
        let value = Term::bits(variable.sort().width(), flip.bits);
        let (is_it, is_true) = (terms.equal(variable, value), decision.term);
        let another = terms.not(is_it);
        let mut constraints = decision.given.clone();
        constraints.extend([is_true, another]);
        matches!(self.explorer.check(&constraints), Answer::Unsatisfiable)
    }
}
