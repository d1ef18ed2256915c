//! Inputs for the ways through the calls of relations.

use std::collections::HashMap;
use std::time::Duration;

use dodona_records::Mismatch;
use dodona_sources::Seed;
use dodona_subject::{Function, PathId};
use dodona_target::{CallError, Caller, Calls, Column, Outcome, Trap, Until};
use dodona_wasm::{Workbench, execute::Runner};
use dodona_workbench::{Fed, LabError, LoadedRelation, SubjectCaller, takes};
use fixedbitset::FixedBitSet;

use super::replay::Replayed;
use super::{GenerateOptions, Made, Technique, directed};
use crate::Instrumented;
use crate::paths::WaysOf;

/// Groups are run for so long at least, once inputs were found.
const GRACE: Duration = Duration::from_millis(500);

/// An input for each way through the relations that take inputs of a function.
pub(super) fn ways(
    workbench: &Workbench,
    function: &Function,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Made, LabError> {
    let index = workbench.function(&function.name)?;
    let of = |index_of_relation: usize| {
        let LoadedRelation { relation, program, .. } = &workbench.relations[index_of_relation];
        let functions = &workbench.target.manifest.functions;
        WaysOf { index: index_of_relation, relation, program, functions, function: index }
    };
    let relations: Vec<WaysOf<'_>> = fed(workbench, index, options).into_iter().map(of).collect();
    if relations.is_empty() {
        return Err(LabError::NoRelations(format!(
            "no relation has a variable that takes an input of `{}`: ways are those through the calls of relations; write one, or take the technique path",
            function.name
        )));
    }
    let mut made = directed::ways(workbench, function, &relations, options, until)?;
    let left = made.search.iter_mut().flat_map(|search| std::mem::take(&mut search.found.left_ways));
    let left: Vec<String> = left.collect();
    if made.paths.iter().all(|input| input.way.is_none()) {
        made.warnings
            .push("no way through a relation was found; the inputs are those along paths".to_owned());
    }
    if !left.is_empty() {
        made.warnings.push(format!("ways that were left: {}", left.join("; ")));
    }
    Ok(made)
}

/// The relations, by their indices, that take inputs of a function.
fn fed(workbench: &Workbench, function: usize, options: &GenerateOptions) -> Vec<usize> {
    let all = || (0..workbench.relations.len()).collect();
    let mut relations: Vec<usize> = options.relations.clone().unwrap_or_else(all);
    relations.retain(|&index| takes(&workbench.relations[index].relation, function));
    relations
}

/// What the groups of each input take, for [`Technique::Ways`]: the branch edges of each call of each group, and the way through each
/// group. They are pooled over all relations, because one input is a source input of each of them. `None` for other techniques, and where
/// there was no time.
///
/// An input whose way is certain and that takes another is told as a mismatch.
pub(super) fn groups(
    workbench: &Workbench,
    instrumented: &Instrumented,
    options: &GenerateOptions,
    made: &Made,
    replayed: &mut Replayed,
    until: &Until,
) -> Result<Option<Vec<FixedBitSet>>, LabError> {
    if options.technique != Technique::Ways {
        return Ok(None);
    }
    let grace = Until::default().within(match until.is_interrupted() {
        true => GRACE,
        false => until.left().unwrap_or(Duration::MAX).max(GRACE),
    });
    let mut elements =
        Elements { numbers: HashMap::new(), sets: vec![FixedBitSet::new(); replayed.coverage.len()] };
    for relation in fed(workbench, instrumented.function(), options) {
        let ran = Running { workbench, instrumented, relation, until: &grace, seed: options.seed };
        match ran.run(made, &mut elements, &mut replayed.mismatches) {
            Err(error) if error.is_stopped() => return Ok(None),
            ran => ran?,
        }
    }
    Ok(Some(elements.sets))
}

/// Something that an input takes in a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Element {
    /// An edge in a call.
    Edge(usize, u32),
    /// The paths of all calls.
    Way(Vec<(usize, PathId)>),
}

/// The elements of inputs, numbered as they are met.
struct Elements {
    numbers: HashMap<((usize, usize), Element), usize>,
    sets: Vec<FixedBitSet>,
}

impl Elements {
    fn add(&mut self, input: usize, group: (usize, usize), element: Element) {
        let next = self.numbers.len();
        let number = *self.numbers.entry((group, element)).or_insert(next);
        self.sets[input].grow_and_insert(number);
    }
}

/// A relation whose groups are run.
struct Running<'a> {
    workbench: &'a Workbench,
    instrumented: &'a Instrumented,
    relation: usize,
    until: &'a Until,
    seed: Seed,
}

impl Running<'_> {
    fn run(
        &self,
        made: &Made,
        elements: &mut Elements,
        mismatches: &mut Vec<Mismatch>,
    ) -> Result<(), LabError> {
        let loaded = &self.workbench.relations[self.relation];
        let fed = Fed::of(self.workbench, loaded, self.instrumented.function())?;
        let (rows, at_once) = (elements.sets.len(), self.instrumented.rows_at_once() as usize);
        for group in 0..loaded.relation.group_count() {
            for first in (0..rows).step_by(at_once) {
                let columns = fed.columns(&made.columns, first, at_once.min(rows - first), self.seed);
                let mut watching = Watching {
                    instrumented: self.instrumented,
                    runner: self.instrumented.executable().runner().until(self.until),
                    others: self.workbench.caller().until(self.until),
                    seen: Vec::new(),
                };
                loaded.program.evaluate(group, &columns, &mut watching).map_err(LabError::from)?;
                self.keep(first, group, watching.seen, made, elements, mismatches);
            }
        }
        Ok(())
    }

    /// Keeps what the inputs from `first` on took in a group.
    fn keep(
        &self,
        first: usize,
        group: usize,
        seen: Vec<Seen>,
        made: &Made,
        elements: &mut Elements,
        mismatches: &mut Vec<Mismatch>,
    ) {
        let group = (self.relation, group);
        let mut of_inputs: HashMap<usize, Vec<Seen>> = HashMap::new();
        for call in seen {
            of_inputs.entry(first + call.row).or_default().push(call);
        }
        for input in first..elements.sets.len() {
            let Some(calls) = of_inputs.remove(&input) else { continue };
            for call in &calls {
                call.edges
                    .ones()
                    .for_each(|edge| elements.add(input, group, Element::Edge(call.call, edge as u32)));
            }
            let way: Vec<(usize, PathId)> = calls.iter().map(|call| (call.call, call.path)).collect();
            let predicted = made.paths.get(input).and_then(|path| path.way.as_ref());
            let predicted = predicted.filter(|way| way.group == group && way.is_certain);
            if predicted.is_some_and(|predicted| predicted.calls != way) && calls.iter().all(Seen::is_whole) {
                let name = self.workbench.relations[self.relation].relation.name();
                let what = format!("predicted another way through `{name}` than it takes");
                mismatches.push(Mismatch { input: input as u64, what });
            }
            elements.add(input, group, Element::Way(way));
        }
    }
}

/// A call of the function that a group made.
struct Seen {
    row: usize,
    call: usize,
    path: PathId,
    edges: FixedBitSet,
    outcome: Outcome,
}

impl Seen {
    /// Whether nothing that symbolic execution does not know ended it.
    fn is_whole(&self) -> bool {
        !matches!(self.outcome, Outcome::OutOfFuel | Outcome::Trapped(Trap::StackOverflow))
    }
}

/// Calls the function with counters in it, and others as they are.
struct Watching<'a> {
    instrumented: &'a Instrumented,
    runner: Runner,
    others: SubjectCaller,
    seen: Vec<Seen>,
}

impl Caller for Watching<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.others.call(function, arguments)
    }

    fn call_at(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        if function != self.instrumented.function() {
            return self.call(function, arguments);
        }
        let (mut row, seen) = (0, &mut self.seen);
        let ran = self.instrumented.run(&mut self.runner, arguments, &mut |input, covered| {
            let input = input.coverage(&covered);
            let (path, edges, outcome) = (input.path, input.edges, input.outcome);
            seen.push(Seen { row: source(row), call, path, edges, outcome });
            row += 1;
        });
        ran.map_err(|error| match error {
            LabError::Call(error) => error,
            other => CallError::new(other),
        })
    }
}
