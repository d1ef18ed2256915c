//! Shrinks violations: makes source inputs simpler as long as they still violate the relation.

use dodona_sources::shrink::{Linked, LinkedCandidate, ShrinkCandidate, Shrinker};
use dodona_target::{CallError, Caller, Calls, Column, Domain, Type, Value};

use crate::pool::is_asked_for;
use crate::{LabError, LoadedRelation, SubjectCaller, Workbench, Worker, guarded, variables};

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
    /// If a bound ended the search for a simpler one, which, in words.
    pub stopped: Option<String>,
    /// If something went wrong, why it is not as simple as it could be.
    pub(crate) trouble: Option<String>,
}

/// Makes the source input of a violation simpler: one variable at a time, then variables with equal values together, then
/// values that may be linked. It ends when no candidate violates, `fuel` is used up, or `go_on` returns false. The work is
/// counted, so that the same violation shrinks to the same input on every machine.
///
/// Some candidates are run together as a column, and the first that violates is taken. If the host fails or a
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
    let domains = domains(workbench, relation);
    let mut shrinking = Shrinking::new(
        relation,
        &domains,
        group,
        values,
        (fuel, workbench.target.traits().unit_of_cost),
        &mut caller,
    );
    // The value of a shrinker always violates: it takes another value only after that was seen to violate.
    let ended = guarded(worker, || shrinking.run(go_on));
    let trouble = match ended {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("its counterexample could not be made simpler: {error}")),
        Err(panicked) => {
            Some(format!("its counterexample is not the simplest one: {panicked}; please report it"))
        }
    };
    Shrunk { values: shrinking.values(), steps: shrinking.steps, stopped: shrinking.stopped(), trouble }
}

/// The type and domain of each variable. Where no value is in the domains of all parameters that take it, the first counts.
fn domains(workbench: &Workbench, relation: &LoadedRelation) -> Vec<(Type, Domain)> {
    let of = |(i, variable)| {
        let parameter = crate::inputs::parameter(workbench, variable);
        match variables::values(workbench, &relation.relation, i) {
            Ok(values) => (values.ty, values.domain),
            Err(_) => (parameter.ty, parameter.domain.clone()),
        }
    };
    relation.relation.variables().iter().enumerate().map(of).collect()
}

/// What is made simpler next.
#[derive(Clone, Debug)]
enum Part {
    /// Variables with equal values, by index, which stay equal; or one variable.
    Equal(Vec<usize>),
    /// All values that may be linked.
    Linked,
}

impl Part {
    /// The variables that stay equal.
    fn variables(&self) -> &[usize] {
        match self {
            Part::Equal(variables) => variables,
            Part::Linked => &[],
        }
    }
}

/// A source input that is simpler in one part.
enum Candidate {
    Equal(ShrinkCandidate),
    Linked(LinkedCandidate),
}

/// A violation while it is shrunk.
struct Shrinking<'a> {
    relation: &'a LoadedRelation,
    group: usize,
    /// One shrinker for each variable.
    shrinkers: Vec<Shrinker<'a>>,
    linked: Linked<'a>,
    parameters: Vec<(Type, &'a Domain)>,
    caller: Metered<'a>,
    steps: u64,
    most_fuel: u64,
    /// What a cost counts.
    unit: &'static str,
    /// Whether the caller wanted no more.
    is_ended: bool,
}

impl<'a> Shrinking<'a> {
    pub(crate) fn new(
        relation: &'a LoadedRelation,
        domains: &'a [(Type, Domain)],
        group: usize,
        values: &[Value],
        (most_fuel, unit): (u64, &'static str),
        caller: &'a mut SubjectCaller,
    ) -> Shrinking<'a> {
        let parameters: Vec<(Type, &Domain)> = domains.iter().map(|(ty, domain)| (*ty, domain)).collect();
        let shrinkers = parameters.iter().zip(values);
        Shrinking {
            relation,
            group,
            shrinkers: shrinkers.map(|((ty, domain), v)| Shrinker::new(*ty, domain, v.clone())).collect(),
            linked: Linked::new(parameters.clone()),
            parameters,
            caller: Metered { caller, fuel: 0 },
            steps: 0,
            most_fuel,
            unit,
            is_ended: false,
        }
    }

    fn values(&self) -> Vec<Value> {
        self.shrinkers.iter().map(|shrinker| shrinker.value().clone()).collect()
    }

    /// Makes one part simpler after the other, until no part has a simpler value. Linked values come last, because there are
    /// many candidates for them.
    fn run(&mut self, go_on: &dyn Fn() -> bool) -> Result<(), LabError> {
        loop {
            self.one_by_one(go_on)?;
            let before = self.steps;
            for equal in self.equal() {
                self.shrinkers[equal[0]].restart();
                self.part(&Part::Equal(equal), go_on)?;
            }
            if self.steps == before && self.goes_on(go_on) {
                self.linked.restart(self.values());
                self.part(&Part::Linked, go_on)?;
            }
            if self.steps == before || !self.goes_on(go_on) {
                return Ok(());
            }
            self.shrinkers[0].restart();
        }
    }

    /// Shrinks one variable after the other, until none of them has a simpler value.
    fn one_by_one(&mut self, go_on: &dyn Fn() -> bool) -> Result<(), LabError> {
        let mut variable = 0;
        let mut stuck = 0;
        while stuck < self.shrinkers.len() {
            let before = self.steps;
            self.part(&Part::Equal(vec![variable]), go_on)?;
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

    /// The variables with equal values, where there are several.
    fn equal(&self) -> Vec<Vec<usize>> {
        let is_equal = |i: usize, j: usize| {
            self.parameters[i].0 == self.parameters[j].0
                && self.shrinkers[i].value() == self.shrinkers[j].value()
        };
        let of = |i: usize| (0..self.shrinkers.len()).filter(|&j| is_equal(i, j)).collect::<Vec<_>>();
        let sets = (0..self.shrinkers.len()).map(|i| (i, of(i)));
        sets.filter(|(i, set)| set.len() > 1 && set[0] == *i).map(|(_, set)| set).collect()
    }

    fn goes_on(&mut self, go_on: &dyn Fn() -> bool) -> bool {
        self.is_ended |= !go_on();
        self.steps < MOST_STEPS && self.caller.fuel < self.most_fuel && !self.is_ended
    }

    /// Which bound ended the search, if one did.
    fn stopped(&self) -> Option<String> {
        let is_cut = self.linked.met_its_bound() || self.shrinkers.iter().any(Shrinker::met_its_bound);
        match () {
            () if self.is_ended => Some("shrinking was ended before it was done".into()),
            () if self.caller.fuel >= self.most_fuel => {
                Some(format!("shrinking stopped after {} {}", self.most_fuel, self.unit))
            }
            () if self.steps >= MOST_STEPS => Some(format!("shrinking stopped after {MOST_STEPS} steps")),
            () if is_cut => Some("shrinking stopped at its bound on candidates".into()),
            () => None,
        }
    }

    /// Makes a part simpler until none of its candidates violates.
    fn part(&mut self, part: &Part, go_on: &dyn Fn() -> bool) -> Result<(), LabError> {
        let mut rows = FIRST_ROWS;
        while self.goes_on(go_on) {
            let mut candidates = self.candidates(part, rows);
            if candidates.is_empty() {
                break;
            }
            let before = self.caller.fuel;
            let violation = self.first_violation(part, &candidates)?;
            let fuel_of_a_row = (self.caller.fuel - before) / candidates.len() as u64;
            rows = match violation {
                Some(row) => {
                    self.take(part, candidates.swap_remove(row));
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

    /// The next candidates of a part: at most this many rows, and at least one.
    fn candidates(&mut self, part: &Part, rows: usize) -> Vec<Candidate> {
        // Every row contains all variables.
        let a_row: usize = self.shrinkers.iter().map(|shrinker| elements(shrinker.value())).sum();
        let rows = rows.min(MOST_ELEMENTS / a_row.max(1)).max(1);
        std::iter::from_fn(|| self.candidate(part)).take(rows).collect()
    }

    fn candidate(&mut self, part: &Part) -> Option<Candidate> {
        match part {
            Part::Linked => self.linked.candidate().map(Candidate::Linked),
            Part::Equal(variables) => loop {
                let candidate = self.shrinkers[variables[0]].candidate()?;
                let fits =
                    |&i: &usize| self.parameters[i].1.contains(self.parameters[i].0, candidate.value());
                if variables[1..].iter().all(fits) {
                    return Some(Candidate::Equal(candidate));
                }
            },
        }
    }

    fn take(&mut self, part: &Part, candidate: Candidate) {
        match candidate {
            Candidate::Equal(candidate) => {
                let value = candidate.value().clone();
                let variables = part.variables();
                self.shrinkers[variables[0]].take(candidate);
                variables[1..].iter().for_each(|&i| self.shrinkers[i].set(value.clone()));
            }
            Candidate::Linked(candidate) => {
                self.linked.take(candidate);
                let pairs = self.shrinkers.iter_mut().zip(self.linked.values());
                let changed = pairs.filter(|(shrinker, value)| shrinker.value() != *value);
                changed.for_each(|(shrinker, value)| shrinker.set(value.clone()));
            }
        }
    }

    fn first_violation(&mut self, part: &Part, candidates: &[Candidate]) -> Result<Option<usize>, LabError> {
        let column = |(i, (ty, _)): (usize, &(Type, &Domain))| {
            let mut column = Column::empty(*ty);
            for candidate in candidates {
                let changed = match candidate {
                    Candidate::Equal(equal) => part.variables().contains(&i).then(|| equal.value()),
                    Candidate::Linked(linked) => linked.value(i),
                };
                column.push(changed.unwrap_or_else(|| self.shrinkers[i].value()));
            }
            column
        };
        let columns: Vec<Column> = self.parameters.iter().enumerate().map(column).collect();
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
        self.fuel += self.caller.costs().iter().sum::<u64>();
        Ok(calls)
    }
}
