//! Shrinks violations: makes source inputs simpler as long as they still violate the relation.

use dodona_relations::{CallError, Caller};
use dodona_sources::shrink::{ShrinkCandidate, Shrinker};
use dodona_subject::{Calls, Column, Type, Value};

use crate::pool::is_asked_for;
use crate::{LabError, LoadedRelation, SubjectCaller, Workbench, Worker, guarded};

/// The most steps of shrinking. Each step is a real simplification, so few inputs need more than a hundred.
const MOST_STEPS: u64 = 2_000;

/// The first candidates are run a few at a time, because the boldest often violate, and those after them are then run in vain.
/// The following columns are twice as long each time, up to this length, from which on a row does not get cheaper in a longer
/// column.
const FIRST_ROWS: usize = 4;
const MOST_ROWS: usize = 256;

/// The candidates of a column have about this many elements together: a megabyte. A longer candidate is run by itself.
const MOST_ELEMENTS: usize = 1 << 16;

/// The candidates that are run together use about this much fuel, some 20 ms, so that an interruption is noticed soon.
const FUEL_AT_ONCE: u64 = 20_000_000;

/// A source input that violates a relation.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The simpler source input, one value for each variable.
    pub values: Vec<Value>,
    /// The number of simplifications.
    pub steps: u64,
    /// If something went wrong, why it is not as simple as it could be.
    pub(crate) trouble: Option<String>,
}

/// Makes the source input of a violation simpler, one variable at a time, until no candidate violates, `fuel` is used up, or
/// `go_on` returns false. The work is counted, so that the same violation shrinks to the same input on every machine.
///
/// Some candidates of a variable are run together as a column, and the first that violates is taken. If the host fails or a
/// panic occurs, the error is returned with the simplest violation so far.
pub fn shrink(
    worker: Worker,
    workbench: &Workbench,
    relation: &LoadedRelation,
    group: usize,
    values: &[Value],
    fuel: u64,
    go_on: &dyn Fn() -> bool,
) -> Shrunk {
    let mut caller = workbench.caller();
    let mut shrinking = Shrinking::new(workbench, relation, group, values, fuel, &mut caller);
    // The value of a shrinker always violates: it takes another value only after that was seen to violate.
    let ended = guarded(worker, || shrinking.run(go_on));
    let trouble = match ended {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("its counterexample could not be made simpler: {error}")),
        Err(panicked) => {
            Some(format!("its counterexample is not the simplest one: {panicked}; please report it"))
        }
    };
    let values = shrinking.shrinkers.iter().map(|shrinker| shrinker.value().clone()).collect();
    Shrunk { values, steps: shrinking.steps, trouble }
}

/// A violation while it is shrunk.
struct Shrinking<'a> {
    relation: &'a LoadedRelation,
    group: usize,
    /// One shrinker for each variable.
    shrinkers: Vec<Shrinker<'a>>,
    types: Vec<Type>,
    caller: Metered<'a>,
    steps: u64,
    most_fuel: u64,
}

impl<'a> Shrinking<'a> {
    pub(crate) fn new(
        workbench: &'a Workbench,
        relation: &'a LoadedRelation,
        group: usize,
        values: &[Value],
        most_fuel: u64,
        caller: &'a mut SubjectCaller,
    ) -> Shrinking<'a> {
        let parameter = |variable| crate::inputs::parameter(workbench, variable);
        let variables = relation.relation.variables();
        let shrinkers = variables.iter().zip(values).map(|(variable, value)| {
            Shrinker::new(parameter(variable).ty, &parameter(variable).domain, value.clone())
        });
        Shrinking {
            relation,
            group,
            shrinkers: shrinkers.collect(),
            types: variables.iter().map(|variable| parameter(variable).ty).collect(),
            caller: Metered { caller, fuel: 0 },
            steps: 0,
            most_fuel,
        }
    }

    /// Shrinks one variable after the other, until none of them has a simpler value.
    fn run(&mut self, go_on: &dyn Fn() -> bool) -> Result<(), LabError> {
        let mut variable = 0;
        let mut stuck = 0;
        while stuck < self.shrinkers.len() {
            let before = self.steps;
            self.variable(variable, go_on)?;
            stuck = if self.steps > before { 1 } else { stuck + 1 };
            variable = (variable + 1) % self.shrinkers.len();
            // A candidate that failed before may succeed after other variables have changed.
            self.shrinkers[variable].restart();
            if !self.goes_on(go_on) {
                break;
            }
        }
        Ok(())
    }

    fn goes_on(&self, go_on: &dyn Fn() -> bool) -> bool {
        self.steps < MOST_STEPS && self.caller.fuel < self.most_fuel && go_on()
    }

    /// Makes one variable simpler until none of its candidates violates.
    fn variable(&mut self, variable: usize, go_on: &dyn Fn() -> bool) -> Result<(), LabError> {
        let mut rows = FIRST_ROWS;
        while self.goes_on(go_on) {
            let mut candidates = self.candidates(variable, rows);
            if candidates.is_empty() {
                break;
            }
            let before = self.caller.fuel;
            let violation = self.first_violation(variable, &candidates)?;
            let fuel_of_a_row = (self.caller.fuel - before) / candidates.len() as u64;
            rows = match violation {
                Some(row) => {
                    self.shrinkers[variable].take(candidates.swap_remove(row));
                    self.steps += 1;
                    assert!(!is_asked_for("shrinking"), "asked for by DODONA_FAULT");
                    FIRST_ROWS
                }
                None => MOST_ROWS.min(rows * 2),
            };
            rows = rows.min((FUEL_AT_ONCE / fuel_of_a_row.max(1)) as usize).max(1);
        }
        Ok(())
    }

    /// The next candidates of a variable: at most this many rows, and at least one.
    fn candidates(&mut self, variable: usize, rows: usize) -> Vec<ShrinkCandidate> {
        // Every row contains the other variables, too.
        let a_row: usize = self.shrinkers.iter().map(|shrinker| elements(shrinker.value())).sum();
        let rows = rows.min(MOST_ELEMENTS / a_row.max(1)).max(1);
        let shrinker = &mut self.shrinkers[variable];
        std::iter::from_fn(|| shrinker.candidate()).take(rows).collect()
    }

    fn first_violation(
        &mut self,
        variable: usize,
        candidates: &[ShrinkCandidate],
    ) -> Result<Option<usize>, LabError> {
        let column = |(i, ty): (usize, &Type)| {
            let mut column = Column::empty(*ty);
            for candidate in candidates {
                column.push(if i == variable { candidate.value() } else { self.shrinkers[i].value() });
            }
            column
        };
        let columns: Vec<Column> = self.types.iter().enumerate().map(column).collect();
        let verdicts = self.relation.program.evaluate(self.group, &columns, &mut self.caller)?;
        Ok(verdicts.iter().position(|v| v.is_violation()))
    }
}

/// How many elements a value has.
pub(crate) fn elements(value: &Value) -> usize {
    match value {
        Value::Sequence(items) => items.len(),
        Value::Text(bytes) => bytes.len(),
        _ => 1,
    }
}

/// A caller that counts the fuel of its calls.
struct Metered<'a> {
    caller: &'a mut SubjectCaller,
    fuel: u64,
}

impl Caller for Metered<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let calls = self.caller.call(function, arguments)?;
        self.fuel += self.caller.runner().fuel_used().iter().sum::<u64>();
        Ok(calls)
    }
}
