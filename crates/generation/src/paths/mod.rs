//! Source inputs along paths: one input for each path of the function that symbolic execution finds, with the path
//! constraint.
//!
//! Two techniques share the engine. *Path-directed* generation (Sun et al., "Path-directed source test case
//! generation and prioritization in metamorphic testing", 2021, section 3.2.1) explores the tree of choices and
//! determines at each choice which sides are possible. *Concolic* generation (DART, Godefroid et al. 2005; DSE in Sun
//! et al.) starts with a random input, follows its path to the end, and negates one of the path's choices to get the
//! next input.

mod draw;
mod gather;
mod more;
mod predict;
mod ways;
mod words;

use std::rc::Rc;

use dodona_smt::{solver::Solver, term::Assignment};
use dodona_subject::{CodePoint, Function, Module, PathId};
use dodona_symbolic::explore::{Bounds, Exploration, Explorer, Forking, Order, Path, Starts, Unfinished};
use dodona_symbolic::{Code, Cut, SymbolicCallError, input::Shape};
use dodona_target::{Outcome, Value};
use fixedbitset::FixedBitSet;

use dodona_sources::{EmptyDomain, Seed};
use draw::Drawer;
use gather::Gathering;
pub use predict::predicted;
pub use ways::{WayTaken, WaysOf};

/// The technique by which paths are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathTechnique {
    /// Both sides of every choice are explored when the search reaches the choice.
    PathDirected,
    /// Starts from a random input and negates one choice after the other.
    Concolic,
}

/// The options for generating inputs along paths.
#[derive(Clone, Copy, Debug)]
pub struct PathOptions {
    /// The technique.
    pub technique: PathTechnique,
    /// The order in which paths are searched.
    pub order: Order,
    /// The bounds of the search.
    pub bounds: Bounds,
    /// The longest sequence or text, in elements or bytes.
    pub longest: usize,
    /// The number of inputs; `None` for one input per path. If there are fewer paths, more inputs of the same paths
    /// follow.
    pub count: Option<usize>,
    /// If greater than `count`, the search continues until there are this many inputs to choose from. It stops
    /// earlier when the further inputs take more than a few questions to the solver for each wanted input.
    pub choice: usize,
    /// The seed of all random draws.
    pub seed: Seed,
}

impl Default for PathOptions {
    fn default() -> Self {
        PathOptions {
            technique: PathTechnique::PathDirected,
            order: Order::default(),
            bounds: Bounds::default(),
            longest: 4,
            count: None,
            choice: 0,
            seed: Seed(0),
        }
    }
}

/// A source input with the path that it takes.
#[derive(Clone, Debug)]
pub struct PathInput {
    /// The values, one for each parameter.
    pub values: Vec<Value>,
    /// The path constraint in terms of the parameters, one condition per entry.
    pub constraint: Vec<String>,
    /// The branch decisions, as far as the path was followed.
    pub path: PathId,
    /// The predicted end of the call; `None` if the path did not end within the bounds on instructions and frames, so
    /// that its end is unknown.
    pub outcome: Option<Outcome>,
    /// The predicted outputs; `None` if there are none or they are uncertain.
    pub outputs: Option<Vec<Value>>,
    /// The place of the predicted trap, if any.
    pub at: Option<CodePoint>,
    /// The number of earlier inputs of the same path.
    pub again: usize,
    /// The way through a relation that it was made for, if it was made for one.
    pub way: Option<WayTaken>,
}

/// Inputs along paths, and how far the search got.
#[derive(Clone, Debug)]
pub struct PathInputs {
    /// The inputs, in the order in which their paths were found.
    pub inputs: Vec<PathInput>,
    /// What the search found.
    pub exploration: Exploration,
    /// The number of combinations of sequence lengths that were tried as starts of the search.
    pub shapes: usize,
    /// Whether these are all combinations that the domains allow.
    pub all_shapes: bool,
    /// The edges of branches that some path took, by their numbers in [`dodona_subject::Branches`].
    pub edges: FixedBitSet,
    /// The part of the precondition or of a domain that the search could not take into account, if any.
    pub unassumed: Option<String>,
    /// Why ways through relations were left, in words.
    pub left_ways: Vec<String>,
}

/// Why inputs cannot be generated along paths.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// The domain of a parameter is empty.
    #[error(transparent)]
    Empty(#[from] EmptyDomain),
    /// The function cannot be called with symbolic values.
    #[error(transparent)]
    Call(#[from] SymbolicCallError),
    /// No input satisfies all domains (and the precondition).
    #[error(
        "the {what} allow no input{lengths}", what = if *.requires { "domains and the precondition" } else { "domains" },
        lengths = .longest.map(|n| format!(" up to {n} long; give longer ones with --max-len, or mend them")).unwrap_or_default()
    )]
    Contradiction {
        /// Whether the function has a precondition.
        requires: bool,
        /// The greatest length that was tried, if the domains allow longer sequences.
        longest: Option<usize>,
    },
    /// The solver could not decide whether the domains (with the precondition) allow an input.
    #[error(
        "the solver did not find out whether the domains allow an input; give it longer with --query-time, or take another with --solver"
    )]
    Unknown,
}

/// Generates inputs along the paths of a function. `go_on` is called before each step of the search and returns
/// whether to continue.
///
/// # Errors
/// When no input satisfies the domains, the solver cannot decide that, or the function cannot be called with symbolic
/// values.
pub fn along_paths(
    module: &Module,
    function: &Function,
    options: &PathOptions,
    solver: &mut dyn Solver,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<PathInputs, PathError> {
    along(module, function, options, None, solver, go_on)
}

/// Generates inputs along the ways through relations that take inputs of the function. Where no way is found, the inputs are those along
/// the paths of the function. `choice` bounds both the paths and the ways.
///
/// # Errors
/// As for [`along_paths`].
pub fn along_ways(
    module: &Module,
    function: &Function,
    options: &PathOptions,
    relations: &[WaysOf<'_>],
    solver: &mut dyn Solver,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<PathInputs, PathError> {
    along(module, function, options, Some(relations), solver, go_on)
}

fn along(
    module: &Module,
    function: &Function,
    options: &PathOptions,
    relations: Option<&[WaysOf<'_>]>,
    solver: &mut dyn Solver,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<PathInputs, PathError> {
    let code = Rc::new(Code::new(module));
    let mut drawer = Drawer::new(function, options.seed)?;
    let mut explorer = explorer(&code, solver, options);
    let (mut shapes, all_shapes) = Shape::all(function, options.longest);
    let is_concolic = options.technique == PathTechnique::Concolic;
    if is_concolic {
        drawer.shuffle(&mut shapes);
    }
    let Starts { starts, inputs, unknown, unassumed } =
        Starts::new(&mut explorer, function, &shapes, &mut |explorer, inputs, assumptions| {
            is_concolic.then(|| drawer.random(explorer.terms(), inputs, assumptions))?
        });
    if starts.is_empty() {
        return Err(no_start(function, unknown, (!all_shapes).then_some(options.longest)));
    }
    let mut gathering = Gathering::new(function, options, &inputs, drawer);
    let mut exploration =
        explorer.explore(function, starts, go_on, &mut |explorer, path| gathering.add(explorer, path))?;
    let mut left_ways = Vec::new();
    if let Some(relations) = relations {
        let longest = options.longest;
        let search =
            ways::Search { code: &code, relations, inputs: &inputs, bounds: options.bounds, longest };
        left_ways = gathering.follow_ways(&mut explorer, &search, go_on);
    }
    let inputs = gathering.finish(&mut explorer, go_on);
    if unknown > 0 {
        // The combinations of lengths for which the solver found no start were not explored.
        *exploration.cuts.entry(Cut::Unknown).or_default() += unknown;
    }
    Ok(PathInputs {
        inputs,
        exploration,
        shapes: shapes.len(),
        all_shapes,
        edges: explorer.covered().clone(),
        unassumed,
        left_ways,
    })
}

/// The explorer of a technique.
fn explorer<'a>(code: &Rc<Code>, solver: &'a mut dyn Solver, options: &PathOptions) -> Explorer<'a> {
    let forking = match options.technique {
        PathTechnique::PathDirected => Forking::AtOnce,
        PathTechnique::Concolic => Forking::Later,
    };
    Explorer::new(code, solver, options.bounds)
        .with_order(options.order, options.seed.0)
        .with_forking(forking)
        .with_unfinished(Unfinished::Followed)
}

/// Why the search has no start, where the solver did not decide this many combinations of lengths.
fn no_start(function: &Function, unknown: u64, longest: Option<usize>) -> PathError {
    match unknown {
        0 => PathError::Contradiction { requires: function.requires.is_some(), longest },
        _ => PathError::Unknown,
    }
}

/// Whether a path's constraints hold for the values of a model.
fn holds(explorer: &mut Explorer<'_>, path: &Path, model: &Assignment) -> bool {
    let terms = explorer.terms();
    path.constraints.iter().all(|c| terms.evaluate(*c, model) == 1)
}
