//! Gathers an input for each path, as the search finds the paths.

use std::collections::HashMap;

use dodona_subject::{CodePoint, Function, PathId};
use dodona_symbolic::explore::{Explorer, Path};
use dodona_symbolic::input::Inputs;
use dodona_target::Trap;

use super::draw::Drawer;
use super::more::More;
use super::ways;
use super::words::Words;
use super::{PathInput, PathOptions, PathTechnique, predict};

/// How many questions to the solver the search for more than `count` inputs may cost, for each wanted input.
const QUESTIONS: usize = 4;

/// How many inputs there are to choose from at last, for each way that is searched for: the others are drawn. Each is run through every group,
/// which costs far less than a question to the solver. Not tuned.
const DRAWN: usize = 2;

/// The maximum number of a path's conditions that are written out.
const CONDITIONS: usize = 200;

/// The inputs of the paths that have been found so far.
pub(super) struct Gathering<'a> {
    function: &'a Function,
    options: &'a PathOptions,
    /// The symbolic inputs of each start of the search.
    inputs: &'a [Inputs],
    drawer: Drawer,
    words: Words,
    found: Vec<PathInput>,
    /// The paths that have an input, in the order of the inputs.
    paths: Vec<Path>,
    /// The same paths, found from inputs of other shapes.
    same_paths: Vec<Path>,
    /// The start from which each path was found first.
    known: HashMap<(PathId, Option<CodePoint>, Option<Trap>), usize>,
    /// The number of questions to the solver at which the search for inputs to choose from ends.
    questions: u64,
}

impl<'a> Gathering<'a> {
    /// Nothing has been found yet.
    pub(super) fn new(
        function: &'a Function,
        options: &'a PathOptions,
        inputs: &'a [Inputs],
        drawer: Drawer,
    ) -> Self {
        Gathering {
            function,
            options,
            inputs,
            drawer,
            words: Words::default(),
            found: Vec::new(),
            paths: Vec::new(),
            same_paths: Vec::new(),
            known: HashMap::new(),
            questions: 0,
        }
    }

    /// Adds an input of a path, unless the path has one already. Gives whether the search goes on.
    pub(super) fn add(&mut self, explorer: &mut Explorer<'_>, path: Path) -> bool {
        // Inputs of different shapes can take the same path, and one instruction can trap for several reasons.
        if *self.known.entry((path.id, path.at, path.trap())).or_insert(path.start) != path.start {
            self.same_paths.push(path);
            return true;
        }
        let input = self.input(explorer, &path);
        self.found.push(input);
        self.paths.push(path);
        let Some(count) = self.options.count else { return true };
        let found = self.found.len();
        if found <= count {
            self.questions = explorer.questions() + (QUESTIONS * count) as u64;
        }
        found < count || found < self.options.choice && explorer.questions() < self.questions
    }

    /// An input of a path.
    fn input(&mut self, explorer: &mut Explorer<'_>, path: &Path) -> PathInput {
        let of = &self.inputs[path.start];
        let model = match self.options.technique {
            // The solver tends to give similar values; other values on the same path test more.
            PathTechnique::PathDirected => self.drawer.other(explorer.terms(), of, path),
            PathTechnique::Concolic => path.model.clone(),
        };
        let shown = &path.condition()[..path.condition().len().min(CONDITIONS)];
        let mut constraint = self.words.of(explorer.terms(), shown);
        if shown.len() < path.condition().len() {
            constraint.push(format!("… {} more", path.condition().len() - shown.len()));
        }
        predict::predicted(explorer.terms(), self.function, of, path, &model, constraint)
    }

    /// Follows the paths through relations: where ways are found, an input of each takes the place of those of the paths. Tells why others
    /// were left.
    pub(super) fn follow_ways(
        &mut self,
        explorer: &mut Explorer<'_>,
        search: &ways::Search<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<String> {
        let wanted = self.options.count.map(|count| (count, self.options.choice.max(count)));
        let ways::FoundWays { ways, left } = search.ways(explorer, &self.paths, wanted, go_on);
        if ways.is_empty() {
            return left;
        }
        self.same_paths.clear();
        self.found.clear();
        let paths = std::mem::take(&mut self.paths);
        for way in &ways {
            let mut input = self.input(explorer, &way.path);
            input.way = Some(way.taken.clone());
            self.found.push(input);
        }
        self.paths = ways.into_iter().map(|way| way.path).collect();
        if let Some((_, most)) = wanted {
            self.draw(explorer, paths, DRAWN * most);
        }
        left
    }

    /// Draws inputs of paths, one of each in turn, until there are so many inputs.
    fn draw(&mut self, explorer: &mut Explorer<'_>, paths: Vec<Path>, most: usize) {
        for path in paths.iter().cycle().take(most.saturating_sub(self.found.len())) {
            let input = self.input(explorer, path);
            self.found.push(input);
            self.paths.push(path.clone());
        }
    }

    /// The inputs, with more of the same paths where fewer paths were found than inputs are wanted.
    pub(super) fn finish(
        mut self,
        explorer: &mut Explorer<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<PathInput> {
        if let Some(count) = self.options.count {
            self.paths.append(&mut self.same_paths);
            let (function, inputs) = (self.function, self.inputs);
            let more = More { function, inputs, paths: &self.paths, words: &mut self.words };
            more.fill(explorer, &mut self.drawer, count, &mut self.found, go_on);
        }
        self.found
    }
}
