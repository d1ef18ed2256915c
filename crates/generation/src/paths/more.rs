//! Generates more inputs of paths that already have an input.

use dodona_smt::solver::Answer;
use dodona_smt::term::{Assignment, Term};
use dodona_subject::Function;
use dodona_symbolic::explore::{Explorer, Path};
use dodona_symbolic::input::Inputs;

use super::draw::Drawer;
use super::words::Words;
use super::{PathInput, holds, predict};

/// How many times another input of a path is drawn before the solver is asked.
const DRAWS: usize = 8;

/// What is needed to generate more inputs.
pub(super) struct More<'a> {
    pub function: &'a Function,
    pub inputs: &'a [Inputs],
    /// The paths that were found: first those with an input, in the order of the inputs, then the same paths found
    /// from inputs of other shapes.
    pub paths: &'a [Path],
    pub words: &'a mut Words,
}

impl More<'_> {
    /// Adds one more input for each path in turn, until there are `count` inputs or no path has another input.
    pub(super) fn fill(
        self,
        explorer: &mut Explorer<'_>,
        drawer: &mut Drawer,
        count: usize,
        found: &mut Vec<PathInput>,
        go_on: &mut dyn FnMut() -> bool,
    ) {
        let More { function, inputs, paths, words } = self;
        let mut alive = known(explorer, inputs, paths, found);
        while found.len() < count && !alive.is_empty() && go_on() {
            let mut next = Vec::new();
            for (index, mut models) in alive {
                if found.len() >= count {
                    break;
                }
                let path = &paths[index];
                let of = &inputs[path.start];
                if let Some(model) = another(explorer, of, path, &models, drawer) {
                    let constraint = words.of(explorer.terms(), path.condition());
                    let mut input =
                        predict::predicted(explorer.terms(), function, of, path, &model, constraint);
                    input.again = models.len();
                    found.push(input);
                    models.push(model);
                    next.push((index, models));
                }
            }
            alive = next;
        }
    }
}

/// For each path the models of its inputs so far.
fn known(
    explorer: &mut Explorer<'_>,
    inputs: &[Inputs],
    paths: &[Path],
    found: &[PathInput],
) -> Vec<(usize, Vec<Assignment>)> {
    let mut known: Vec<(usize, Vec<Assignment>)> = (0..paths.len()).map(|i| (i, Vec::new())).collect();
    for (i, input) in found.iter().enumerate() {
        let mut model = Assignment::default();
        if inputs[paths[i].start].assign(explorer.terms(), &input.values, &mut model).is_some() {
            known[i].1.push(model);
        }
    }
    known
}

/// An input of a path that differs from the known inputs.
fn another(
    explorer: &mut Explorer<'_>,
    inputs: &Inputs,
    path: &Path,
    known: &[Assignment],
    drawer: &mut Drawer,
) -> Option<Assignment> {
    let is_new = |explorer: &mut Explorer<'_>, model: &Assignment| {
        let terms = explorer.terms();
        known.iter().all(|other| inputs.variables(terms).any(|v| other.get(v) != model.get(v)))
    };
    for _ in 0..DRAWS {
        let model = drawer.other(explorer.terms(), inputs, path);
        if is_new(explorer, &model) {
            return Some(model);
        }
    }
    let mut constraints = path.constraints.clone();
    for model in known {
        constraints.push(differs(explorer, inputs, model));
    }
    match explorer.check(&constraints) {
        Answer::Satisfiable(model) if holds(explorer, path, &model) => Some(model),
        _ => None,
    }
}

/// A term that is true if at least one variable has another value than in the model.
fn differs(explorer: &mut Explorer<'_>, inputs: &Inputs, model: &Assignment) -> Term {
    let terms = explorer.terms();
    let variables: Vec<_> = inputs.variables(terms).collect();
    let mut differs = Term::bool(false);
    for variable in variables {
        let term = terms.variable_term(variable);
        let value = Term::Constant(term.sort(), model.get(variable));
        let same = terms.equal(term, value);
        let other = terms.not(same);
        differs = terms.or(differs, other);
    }
    differs
}
