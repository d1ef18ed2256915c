//! Source inputs along paths: one input for each path of the function that symbolic execution finds, with the path
//! constraint.
//!
//! Two techniques share the engine. *Path-directed* generation (Sun et al., "Path-directed source test case
//! generation and prioritization in metamorphic testing", 2021, section 3.2.1) explores the tree of choices and
//! determines at each choice which sides are possible. *Concolic* generation (DART, Godefroid et al. 2005; DSE in Sun
//! et al.) starts with a random input, follows its path to the end, and negates one of the path's choices to get the
//! next input.

mod draw;
mod more;
mod predict;
mod words;

use std::collections::HashMap;
use std::rc::Rc;

use dodona_smt::solver::Solver;
use dodona_smt::term::Assignment;
use dodona_subject::{CodePoint, Function, Module, Outcome, PathId, Value};
use dodona_symbolic::explore::{Bounds, Exploration, Explorer, Forking, Order, Path, Starts, Unfinished};
use dodona_symbolic::input::Shape;
use dodona_symbolic::{CallError, Code, Cut};
use fixedbitset::FixedBitSet;

use crate::{EmptyDomain, Seed};
use draw::Drawer;
use more::More;
pub use predict::predicted;
use words::Words;

/// How many questions to the solver the search for more than `count` inputs may cost, for each wanted input.
const QUESTIONS: usize = 4;

/// The technique by which paths are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Both sides of every choice are explored when the search reaches the choice.
    PathDirected,
    /// Starts from a random input and negates one choice after the other.
    Concolic,
}

/// The options for generating inputs along paths.
#[derive(Clone, Copy, Debug)]
pub struct PathOptions {
    /// The technique.
    pub technique: Technique,
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
}

/// Why inputs cannot be generated along paths.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// The domain of a parameter is empty.
    #[error(transparent)]
    Empty(#[from] EmptyDomain),
    /// The function cannot be called with symbolic values.
    #[error(transparent)]
    Call(#[from] CallError),
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

/// The maximum number of a path's conditions that are written out.
const CONDITIONS: usize = 200;

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
        // Inputs of different shapes can take the same path, and one instruction can trap for several reasons.
        if *known.entry((path.id, path.at, path.trap())).or_insert(path.start) != path.start {
            same_paths.push(path);
            return true;
        }
        let of = &inputs[path.start];
        let model = match options.technique {
            // The solver tends to give similar values; other values on the same path test more.
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
        // The combinations of lengths for which the solver found no start were not explored.
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

/// Whether a path's constraints hold for the values of a model.
fn holds(explorer: &mut Explorer<'_>, path: &Path, model: &Assignment) -> bool {
    let terms = explorer.terms();
    path.constraints.iter().all(|c| terms.evaluate(*c, model) == 1)
}
