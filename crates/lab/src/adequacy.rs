//! Metamorphic groups executed for k-MR coverage: which relation tests which source input, and the paths that source and follow-up
//! inputs take.

mod aims;
mod code;
mod kills;
mod paths;
mod record;
mod revealed;
mod until;

use crate::forms::forms;
use dodona_generation::adequacy::Associations;
use dodona_relations::Verdict;
use dodona_sources::Seed;
use dodona_target::{CallError, Caller, Calls, Column, Until};
use dodona_workbench::{DistinctInputs, Fed, LabError, LoadedRelation, SubjectCaller, Workbench, takes};

pub use aims::{Aims, Criterion, FramesWithInputs, frames_with_inputs};
pub use code::{CodeCriterion, code_requirements};
pub use kills::{GroupKills, group_kills};
pub use paths::{GroupPaths, group_paths};
pub use record::{Measurement, source_bindings};
pub use revealed::{Revealed, Shuffled, all_groups, random_groups};
pub use until::{AdequateSources, UntilAdequate, until_adequate};

/// Groups that were executed and verified.
pub struct Executed {
    /// The relations that take inputs of the function, by their indices in the workbench.
    pub relations: Vec<usize>,
    /// The forms of output relations that these have.
    pub forms: Vec<String>,
    /// Which of these relations (by place) is associated with which source input.
    pub associations: Associations,
    /// The first violation of each relation that has one: the relation by place, and the source input.
    pub violated: Vec<(usize, usize)>,
    /// All inputs that the function was called with by the relations, each once; also by groups that turned out to be ineligible.
    pub inputs: Vec<Column>,
    /// For each relation by place: each source input with an input, by number, of a group of the two.
    pub called: Vec<Vec<(u32, u32)>>,
}

/// Runs relations of a function on source inputs, a column a parameter. A group whose verdict is that it holds or is violated was verified; one that
/// is ineligible was not. Relations that take no input of the function are left out; variables of other functions are drawn.
///
/// # Errors
/// When the host fails, or nothing can be drawn for another function.
pub fn associate(
    workbench: &Workbench,
    function: usize,
    relations: &[usize],
    columns: &[Column],
    seed: Seed,
    until: &Until,
) -> Result<Executed, LabError> {
    let taken = |index: &usize| takes(&workbench.relations[*index].relation, function);
    let relations: Vec<usize> = relations.iter().copied().filter(taken).collect();
    let all = relations.iter().map(|&index| &workbench.relations[index].relation);
    let (forms, of_relation) = forms(all, workbench.functions());
    let rows = columns.first().map_or(1, Column::len);
    let mut executed = Executed {
        associations: Associations::new(rows, &of_relation),
        forms,
        violated: Vec::new(),
        inputs: Vec::new(),
        called: vec![Vec::new(); relations.len()],
        relations,
    };
    let mut inputs = DistinctInputs::new(&workbench.functions()[function]);
    let mut caller = workbench.caller().until(until);
    for place in 0..executed.relations.len() {
        let loaded = &workbench.relations[executed.relations[place]];
        let mut recorder = Recorder {
            function,
            caller: &mut caller,
            inputs: &mut inputs,
            called: &mut executed.called[place],
        };
        let verified = run(workbench, loaded, function, (columns, rows, seed), &mut recorder)?;
        for (source, holds) in verified {
            executed.associations.add(source, place);
            if !holds && executed.violated.last().is_none_or(|(last, _)| *last != place) {
                executed.violated.push((place, source));
            }
        }
    }
    executed.inputs = inputs.into_columns();
    Ok(executed)
}

/// The source inputs with which some group of a relation was verified, and whether all of these hold.
fn run(
    workbench: &Workbench,
    loaded: &LoadedRelation,
    function: usize,
    (columns, rows, seed): (&[Column], usize, Seed),
    recorder: &mut Recorder<'_>,
) -> Result<Vec<(usize, bool)>, LabError> {
    let variables = Fed::of(workbench, loaded, function)?.columns(columns, 0, rows, seed);
    let mut verified: Vec<Option<bool>> = vec![None; rows];
    for group in 0..loaded.relation.groups().len() {
        let before = recorder.called.len();
        let verdicts = loaded.program.evaluate(group, &variables, recorder)?;
        // What was called before a group turned out to be ineligible is no input of it.
        let is_group = |source: u32| !matches!(verdicts[source as usize], Verdict::Ineligible(_));
        let called = recorder.called.split_off(before);
        recorder.called.extend(called.into_iter().filter(|(source, _)| is_group(*source)));
        for (row, verdict) in verdicts.into_iter().enumerate() {
            match verdict {
                Verdict::Holds | Verdict::Allowed(_) => verified[row] = Some(verified[row].unwrap_or(true)),
                Verdict::Violated(_) | Verdict::Undefined => verified[row] = Some(false),
                Verdict::Ineligible(_) => {}
            }
        }
    }
    Ok(verified.into_iter().enumerate().filter_map(|(row, holds)| Some((row, holds?))).collect())
}

/// Calls functions, and notes which inputs the function of interest is called with.
struct Recorder<'a> {
    function: usize,
    caller: &'a mut SubjectCaller,
    inputs: &'a mut DistinctInputs,
    called: &'a mut Vec<(u32, u32)>,
}

impl Caller for Recorder<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.caller.call(function, arguments)
    }

    fn call_at(
        &mut self,
        _call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        if function == self.function {
            let rows = arguments.first().map_or(1, Column::len);
            let numbers = self.inputs.add(arguments, rows);
            self.called
                .extend(numbers.iter().enumerate().map(|(row, number)| (source(row) as u32, *number as u32)));
        }
        self.caller.call(function, arguments)
    }
}
