//! Inputs for the ways through the calls of relations.
//!
//! A *way* is the combination of the paths of all calls of a metamorphic group: of the source call and of the follow-up calls. Two inputs that
//! take one path of the function can take different paths with their follow-up inputs, so that relations see different things with them. That
//! follow-up inputs take path constraints into account too is what Sun et al. (2021, section 7) leave to later work.
//!
//! The paths of the function are found as for inputs along paths. Each is then followed through groups of relations: its constraints are
//! assumed, and the follow-up calls are explored under them (the walk of semi-proving, [`dodona_symbolic::prove`]). In each round every path
//! is followed through one group, each path through another, so that a search that ends early has something of all paths and all relations.
//! Where a number of inputs is wanted, further inputs of the paths are drawn without the solver: when they are run, many take ways that were not
//! searched for, and the choice is among all of them.

use std::rc::Rc;

use dodona_relations::{Program, Relation};
use dodona_smt::{solver::Answer, term::Terms};
use dodona_subject::{Function, PathId};
use dodona_symbolic::Code;
use dodona_symbolic::explore::{Bounds, Explorer, Path, Start, Stop, Unfinished};
use dodona_symbolic::input::{Inputs, Shape};
use dodona_symbolic::prove::{OpenReason, Prover, SourcePath};
use dodona_target::{Parameter, Signature};

/// The ways that one path is followed to through one group, if a number of inputs is wanted. More leave fewer groups for a search that ends
/// at a number of questions. It is not tuned: most paths have one to three ways through a group of the shipped subjects.
const WAYS: u64 = 4;

/// The questions to the solver that one path through one group may cost, where a number of inputs is wanted: a few for each decision of a
/// follow-up call. It is not tuned.
const QUESTIONS_OF_ONE: u64 = 16;

/// The questions to the solver that all ways may cost, for each wanted input: as many as paths to choose from may cost. With 16 the ways of
/// `baggage`, with its floats, took 14 seconds where paths take a third of one.
const QUESTIONS: u64 = 4;

/// A relation whose ways are looked for.
#[derive(Clone, Copy, Debug)]
pub struct WaysOf<'a> {
    /// Its index among the relations of the subject.
    pub index: usize,
    /// The relation.
    pub relation: &'a Relation,
    /// The same, compiled.
    pub program: &'a Program,
    /// The functions that it was checked with.
    pub functions: &'a [Function],
    /// The function whose inputs are made, by its index among those.
    pub function: usize,
}

/// The way that an input was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayTaken {
    /// The relation, by its index in the subject, and the group.
    pub group: (usize, usize),
    /// The calls that are made, by their indices in the relation, each with its path.
    pub calls: Vec<(usize, PathId)>,
    /// Whether the input alone says which way is taken, and all of it is seen where the function is run: the relation has no other variables,
    /// whose values are drawn, and calls no other function.
    pub is_certain: bool,
}

/// A way that was found: the path of the source call with the constraints of the whole way.
pub(super) struct FoundWay {
    pub(super) path: Path,
    pub(super) taken: WayTaken,
}

/// A search for ways.
pub(super) struct Search<'a> {
    pub(super) code: &'a Rc<Code>,
    pub(super) relations: &'a [WaysOf<'a>],
    /// The symbolic inputs of each start.
    pub(super) inputs: &'a [Inputs],
    /// The bounds of all of it where no number of inputs is wanted.
    pub(super) bounds: Bounds,
    /// The longest sequence, where the length of another variable is to be chosen.
    pub(super) longest: usize,
}

/// What a search found, and why it left ways, in words.
#[derive(Default)]
pub(super) struct FoundWays {
    pub(super) ways: Vec<FoundWay>,
    pub(super) left: Vec<String>,
}

/// A group of a relation.
#[derive(Clone, Copy)]
struct Group<'a> {
    of: WaysOf<'a>,
    group: usize,
}

impl Search<'_> {
    /// The ways that go on from some paths: at most `wanted.1`, and no more than `wanted.0` once the questions for them are spent. `None`
    /// wants all.
    pub(super) fn ways(
        &self,
        explorer: &mut Explorer<'_>,
        paths: &[Path],
        wanted: Option<(usize, usize)>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> FoundWays {
        let groups: Vec<Group<'_>> = self.groups();
        let one = match wanted {
            Some(_) => Bounds { paths: WAYS, queries: QUESTIONS_OF_ONE, ..self.bounds },
            None => self.bounds,
        };
        let before = explorer.swap_bounds(one, Unfinished::Dropped);
        let last = explorer.questions().saturating_add(match wanted {
            Some((count, _)) => QUESTIONS.saturating_mul(count as u64),
            None => self.bounds.queries,
        });
        let mut found = FoundWays::default();
        let mut followed = 0;
        'search: for round in 0..groups.len() {
            for (place, path) in paths.iter().enumerate() {
                let is_enough = match wanted {
                    Some((_, most)) => found.ways.len() >= most,
                    None => found.ways.len() as u64 >= self.bounds.paths,
                };
                if is_enough || explorer.questions() >= last || !go_on() {
                    break 'search;
                }
                let group = groups[(place + round) % groups.len()];
                self.follow(explorer, group, path, wanted.is_some(), go_on, &mut found);
                followed += 1;
            }
        }
        explorer.swap_bounds(before.0, before.1);
        let all = groups.len() * paths.len();
        // Where a number is wanted, more than are left out is the rule.
        if followed < all && wanted.is_none() {
            found.left.push(format!("{} of {all} pairs of a path and a group", all - followed));
        }
        found.left.sort();
        found.left.dedup();
        found
    }

    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups = Vec::new();
        for &of in self.relations {
            groups.extend((0..of.relation.group_count()).map(|group| Group { of, group }));
        }
        // The first groups of all relations come before the second of any.
        groups.sort_by_key(|group| group.group);
        groups
    }

    /// Follows a path through a group.
    fn follow(
        &self,
        explorer: &mut Explorer<'_>,
        Group { of, group }: Group<'_>,
        path: &Path,
        is_bounded: bool,
        go_on: &mut dyn FnMut() -> bool,
        found: &mut FoundWays,
    ) {
        let inputs = &self.inputs[path.start];
        let Some((start, is_certain)) = self.start(explorer, of, inputs, path) else { return };
        let source = SourcePath { function: of.function, arguments: &inputs.symbols, path };
        let prover =
            Prover { code: self.code, relation: of.relation, program: of.program, functions: of.functions };
        let FoundWays { ways, left } = found;
        let most = if is_bounded { WAYS } else { u64::MAX };
        let mut given = 0;
        let followed = prover.ways(explorer, group, (&source, &start), go_on, &mut |_, way| {
            given += 1;
            let path =
                Path { constraints: way.constraints.clone(), model: way.model.clone(), ..path.clone() };
            let taken = WayTaken { group: (of.index, group), calls: way.calls.clone(), is_certain };
            ways.push(FoundWay { path, taken });
            given < most
        });
        let name = of.relation.name();
        let own_bounds = [Stop::Paths(WAYS), Stop::Queries(QUESTIONS_OF_ONE)].map(|stop| stop.to_string());
        match followed {
            Ok(open) => left.extend(open.into_iter().filter_map(|why| match why {
                // What ended the whole search is said elsewhere.
                OpenReason::Stopped => None,
                // Nor is that one path has more ways than are wanted of it.
                OpenReason::Because(why) if is_bounded && own_bounds.contains(&why) => None,
                OpenReason::Because(why) => Some(format!("`{name}`: {why}")),
            })),
            Err(error) => left.push(format!("`{name}`: {error}")),
        }
    }

    /// The start of a relation's ways: its variables are those of the path's inputs, in the order in which inputs are handed to relations
    /// ([`dodona_workbench::Fed`]); others have variables of their own. Second, whether the way is certain. `None` if the solver finds no
    /// values for them.
    fn start(
        &self,
        explorer: &mut Explorer<'_>,
        of: WaysOf<'_>,
        inputs: &Inputs,
        path: &Path,
    ) -> Option<(Start, bool)> {
        let (mut taken, mut symbols) = (Vec::new(), Vec::new());
        let mut is_certain = of.relation.calls().iter().all(|call| call.function == of.function);
        let mut assumptions = path.constraints.clone();
        for variable in of.relation.variables() {
            if variable.function == of.function && !taken.contains(&variable.parameter) {
                taken.push(variable.parameter);
                symbols.push(inputs.symbols[variable.parameter].clone());
                continue;
            }
            is_certain = false;
            let declared = &of.functions[variable.function].parameters[variable.parameter];
            // No parameter of a function has such a name.
            let name = format!("{}: {}", of.relation.name(), variable.name);
            let own = alone(explorer.terms(), Parameter { name, ..declared.clone() }, self.longest)?;
            symbols.extend(own.symbols.iter().cloned());
            assumptions.extend(own.assumptions.iter().copied());
        }
        let holds = |explorer: &mut Explorer<'_>| {
            let terms = explorer.terms();
            assumptions[path.constraints.len()..].iter().all(|a| terms.evaluate(*a, &path.model) == 1)
        };
        let model = match holds(explorer) {
            true => path.model.clone(),
            false => match explorer.check(&assumptions) {
                Answer::Satisfiable(model) => model,
                _ => return None,
            },
        };
        Some((Start { symbols, assumptions, model }, is_certain))
    }
}

/// The symbolic inputs of one variable, as short as its domain allows.
fn alone(terms: &mut Terms, parameter: Parameter, longest: usize) -> Option<Inputs> {
    let alone =
        Signature { name: String::new(), parameters: vec![parameter], outputs: Vec::new(), requires: None };
    let (shapes, _) = Shape::all(&alone, longest);
    Some(Inputs::new(terms, &alone, shapes.first()?))
}
