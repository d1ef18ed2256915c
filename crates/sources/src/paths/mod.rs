//! Source inputs along paths: an input for each path of the function that symbolic execution finds, with the path's constraint.
//!
//! Two techniques share the engine. *Path-directed* generation (Sun et al., section 3.2.1) explores the tree of choices and knows at
//! each of them which sides are possible. *Concolic* generation (DART, Godefroid et al. 2005; the study's DSE) starts with a
//! random input, follows it to its end, and negates one of its choices for the next input.

mod draw;
mod more;
mod predict;
mod words;

use std::collections::HashMap;
use std::rc::Rc;

use dodona_subject::{CodePoint, Function, Module, Outcome, PathId, Value};
use dodona_symbolic::explore::{Bounds, Exploration, Explorer, Forking, Order, Path, Starts, Unfinished};
use dodona_symbolic::input::Shape;
use dodona_smt::solver::Solver;
use dodona_smt::term::Assignment;
use dodona_symbolic::{CallError, Code, Cut};
use fixedbitset::FixedBitSet;

use crate::{EmptyDomain, Seed};
use draw::Drawer;
use more::More;
pub use predict::predicted;
use words::Words;

/// Questions to the solver for each wanted input that a wider choice may cost.
const QUESTIONS: usize = 4;

/// How paths become inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Every choice is resolved where it is met.
    PathDirected,
    /// From a random input, one choice negated after the other.
    Concolic,
}

/// How inputs along paths are generated.
#[derive(Clone, Copy, Debug)]
pub struct PathOptions {
    /// The technique.
    pub technique: Technique,
    /// The order of the search.
    pub order: Order,
    /// Bounds of the search.
    pub bounds: Bounds,
    /// The longest sequence or text, in elements or bytes.
    pub longest: usize,
    /// How many inputs; `None` is one a path. Where there are fewer paths, further inputs of the same paths follow.
    pub count: Option<usize>,
    /// The search goes on to so many inputs, where more than `count` are wanted to choose from; it ends earlier when finding them takes
    /// more than a few questions to the solver for each input that is wanted.
    pub choice: usize,
    /// Where everything random starts.
    pub seed: Seed,
}

impl Default for PathOptions {
    fn default() -> Self {
        PathOptions {
            technique: Technique::PathDirected,
            order: Order::default(),
            bounds: Bounds::default(),
            longest: 4,
            count: None,
            choice: 0,
            seed: Seed(0),
        }
    }
}

/// A source input with the path that it runs.
#[derive(Clone, Debug)]
pub struct PathInput {
    /// A value a parameter.
    pub values: Vec<Value>,
    /// The path constraint, a condition an entry, in words of the parameters.
    pub constraint: Vec<String>,
    /// The branch decisions, as far as the path was followed.
    pub path: PathId,
    /// How the call is predicted to end; `None` where its path did not end within the bounds on instructions and frames, so that
    /// nobody knows.
    pub outcome: Option<Outcome>,
    /// The outputs that are predicted; `None` where there are none or the prediction would be a guess.
    pub outputs: Option<Vec<Value>>,
    /// Where a trap is predicted.
    pub at: Option<CodePoint>,
    /// How many inputs of this path came before it.
    pub again: usize,
}

/// Inputs along paths, and how far the search came.
#[derive(Clone, Debug)]
pub struct PathInputs {
    /// The inputs, in the order in which their paths were found.
    pub inputs: Vec<PathInput>,
    /// What the search saw.
    pub exploration: Exploration,
    /// Combinations of lengths that were started from.
    pub shapes: usize,
    /// Whether the domains allow no others.
    pub all_shapes: bool,
    /// Edges that some path took, by their numbers in [`dodona_subject::Branches`].
    pub edges: FixedBitSet,
    /// What the precondition or a domain says that the search had to do without, if anything.
    pub unassumed: Option<String>,
}

/// Why no inputs can be generated along paths.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// No value is in the domain of a parameter.
    #[error(transparent)]
    Empty(#[from] EmptyDomain),
    /// The function cannot be called on symbols.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The domains (with the precondition) contradict each other.
    #[error(
        "the {what} allow no input{lengths}", what = if *.requires { "domains and the precondition" } else { "domains" },
        lengths = .longest.map(|n| format!(" up to {n} long; give longer ones with --max-len, or mend them")).unwrap_or_default()
    )]
    Contradiction {
        /// Whether it has a precondition.
        requires: bool,
        /// The longest sequence that was tried, where the domains allow longer ones.
        longest: Option<usize>,
    },
    /// Nobody knows whether the domains (with the precondition) allow an input.
    #[error(
        "the solver did not find out whether the domains allow an input; give it longer with --query-time, or take another with --solver"
    )]
    Unknown,
}

/// The most conditions of a path that are put in words.
const CONDITIONS: usize = 200;

/// Generates inputs along the paths of a function. `go_on` is asked before each step of the search.
///
/// # Errors
/// When the domains contradict themselves or the function cannot be called on symbols.
pub fn along_paths(
    module: &Module,
    function: &Function,
    options: &PathOptions,
    solver: &mut dyn Solver,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<PathInputs, PathError> {
    let code = Rc::new(Code::new(module));
    let mut drawer = Drawer::new(function, options.seed)?;
    let forking = match options.technique {
        Technique::PathDirected => Forking::AtOnce,
        Technique::Concolic => Forking::Later,
    };
    let mut explorer = Explorer::new(&code, solver, options.bounds)
        .with_order(options.order, options.seed.0)
        .with_forking(forking)
        .with_unfinished(Unfinished::Followed);
    let (mut shapes, all_shapes) = Shape::all(function, options.longest);
    if options.technique == Technique::Concolic {
        drawer.shuffle(&mut shapes);
    }
    let is_concolic = options.technique == Technique::Concolic;
    let Starts { starts, inputs, unknown, unassumed } =
        Starts::new(&mut explorer, function, &shapes, &mut |explorer, inputs, assumptions| {
            is_concolic.then(|| drawer.random(explorer.terms(), inputs, assumptions))?
        });
    if starts.is_empty() {
        let (requires, longest) = (function.requires.is_some(), (!all_shapes).then_some(options.longest));
        return Err(match unknown {
            0 => PathError::Contradiction { requires, longest },
            _ => PathError::Unknown,
        });
    }
    let mut found = Vec::new();
    let mut found_paths = Vec::new();
    let mut same_paths = Vec::new();
    let mut words = Words::default();
    let mut questions = 0;
    let mut known: HashMap<_, usize> = HashMap::new();
    let mut exploration = explorer.explore(function, starts, go_on, &mut |explorer, path| {
        // Inputs of several shapes can run one path; an instruction can trap for several reasons.
        if *known.entry((path.id, path.at, path.trap())).or_insert(path.start) != path.start {
            same_paths.push(path);
            return true;
        }
        let of = &inputs[path.start];
        let model = match options.technique {
            // The solver's values are all of a kind; others of the same path test more.
            Technique::PathDirected => drawer.other(explorer.terms(), of, &path),
            Technique::Concolic => path.model.clone(),
        };
        let shown = &path.condition()[..path.condition().len().min(CONDITIONS)];
        let mut constraint = words.of(explorer.terms(), shown);
        if shown.len() < path.condition().len() {
            constraint.push(format!("… {} more", path.condition().len() - shown.len()));
        }
        found.push(predict::predicted(explorer.terms(), function, of, &path, &model, constraint));
        found_paths.push(path);
        let Some(count) = options.count else { return true };
        if found.len() <= count {
            questions = explorer.questions() + (QUESTIONS * count) as u64;
        }
        found.len() < count || found.len() < options.choice && explorer.questions() < questions
    })?;
    if let Some(count) = options.count {
        found_paths.append(&mut same_paths);
        let more = More { function, inputs: &inputs, paths: &found_paths, words: &mut words };
        more.fill(&mut explorer, &mut drawer, count, &mut found, go_on);
    }
    if unknown > 0 {
        // Lengths that nobody could start from were not explored.
        *exploration.cuts.entry(Cut::Unknown).or_default() += unknown;
    }
    Ok(PathInputs {
        inputs: found,
        exploration,
        shapes: shapes.len(),
        all_shapes,
        edges: explorer.covered().clone(),
        unassumed,
    })
}

/// Whether a path's constraints hold for some values.
fn holds(explorer: &mut Explorer<'_>, path: &Path, model: &Assignment) -> bool {
    let terms = explorer.terms();
    path.constraints.iter().all(|c| terms.evaluate(*c, model) == 1)
}
