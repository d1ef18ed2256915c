//! Source inputs and relations that are added until a function is tested adequately.

use std::num::NonZeroUsize;
use std::time::Duration;

use dodona_frames::{Asked, FramesOptions};
use dodona_generation::adequacy::{Associations, Requirements, adequacy};
use dodona_generation::{GenerateOptions, SearchOptions};
use dodona_records::{AdequacyRecord, Binding};
use dodona_sources::Seed;
use dodona_target::{Column, Interruption, Until};
use dodona_workbench::{LabError, Workbench, inputs, takes};
use fixedbitset::FixedBitSet;

use super::aims::{Aims, Criterion, frames_with_inputs};
use super::record::Measurement;
use super::{Executed, associate};

/// The source inputs at first. Few, so that a function that is quickly tested is tested by few; not measured.
const FIRST_SOURCES: u64 = 64;

/// So many doublings that add nothing end the drawing of source inputs. One may be bad luck; each further one costs as much as all before it.
const IDLE_DOUBLINGS: u32 = 2;

/// The time for inputs along paths, which are asked for once, where no random input satisfies a requirement.
const PATHS_TIME: Duration = Duration::from_secs(10);

/// The inputs along paths that are kept for a requirement that no random input satisfies. One may be ineligible for most relations; not measured.
const PATHS_EACH: u32 = 100;

/// When a function is tested adequately, and what may be spent on it.
#[derive(Clone, Copy, Debug)]
pub struct UntilAdequate {
    /// The number of different relations that each requirement is to be tested with.
    pub k: usize,
    /// What source inputs are to satisfy.
    pub criterion: Criterion,
    /// The most random source inputs; inputs along paths come beside them.
    pub most: u64,
    /// Where everything random starts.
    pub seed: Seed,
    /// Threads that run source inputs.
    pub jobs: NonZeroUsize,
}

/// What was added, and what that reaches.
pub struct AdequateSources {
    /// The source inputs, a column a parameter.
    pub columns: Vec<Column>,
    /// The relations that were added, by their indices in the workbench.
    pub added: Vec<usize>,
    /// What they reach together, and in its warnings why it is not all, where it is not.
    pub record: AdequacyRecord,
}

/// Adds random source inputs, twice as many each time, then inputs along paths or, for criteria of frames, inputs of these, then relations that were not selected, until each requirement is
/// tested with k different relations (definition 4 of the study of k-MR coverage) or nothing helps. A relation is added only if it raises
/// the degree. Relations that take no input of the function count for nothing.
///
/// # Errors
/// When the host fails, or no source input can be drawn.
pub fn until_adequate(
    workbench: &Workbench,
    function: usize,
    relations: &[usize],
    options: &UntilAdequate,
    interrupted: &Interruption,
) -> Result<AdequateSources, LabError> {
    let is_fed = |index: &usize| takes(&workbench.relations[*index].relation, function);
    let frames;
    let aims = match options.criterion {
        Criterion::Code(criterion) => Aims::code(workbench, function, criterion)?,
        Criterion::Frames(criterion) => {
            let making = FramesOptions { seed: options.seed, ..FramesOptions::default() };
            frames = frames_with_inputs(workbench, function, None, &making, interrupted)?;
            Aims::Frames(criterion, &frames)
        }
    };
    let mut growth = Growth {
        workbench,
        function,
        options,
        interrupted,
        aims,
        relations: relations.iter().copied().filter(is_fed).collect(),
        drawn: 0,
        further: Vec::new(),
        warnings: Vec::new(),
    };
    let spare: Vec<usize> =
        (0..workbench.relations.len()).filter(is_fed).filter(|index| !relations.contains(index)).collect();
    let (mut state, mut added) = (growth.draw(FIRST_SOURCES)?, Vec::new());
    loop {
        growth.more_sources(&mut state)?;
        if growth.ends(&state) {
            break;
        }
        let left: Vec<usize> = spare.iter().copied().filter(|index| !added.contains(index)).collect();
        let more = growth.helpful(&state, &left)?;
        if more.is_empty() {
            break;
        }
        growth.relations.extend(&more);
        added.extend(more);
        state = growth.run(state.columns)?;
    }
    let record = growth.record(&state, &added);
    Ok(AdequateSources { columns: state.columns, added, record })
}

/// Source inputs, run.
struct State {
    columns: Vec<Column>,
    requirements: Requirements,
    /// For each requirement an input that satisfies it, if one is known.
    shown: Vec<Option<Vec<Binding>>>,
    /// What may be required besides.
    open: Vec<String>,
    executed: Executed,
    reached: u64,
    whole: u64,
    /// Requirements that no source input satisfies.
    unsatisfied: usize,
}

/// What grows.
struct Growth<'a> {
    workbench: &'a Workbench,
    function: usize,
    options: &'a UntilAdequate,
    interrupted: &'a Interruption,
    aims: Aims<'a>,
    relations: Vec<usize>,
    /// Random source inputs that were asked for.
    drawn: u64,
    /// Further inputs, along paths or of frames, once they were asked for.
    further: Vec<Column>,
    warnings: Vec<String>,
}

impl Growth<'_> {
    fn ends(&self, state: &State) -> bool {
        state.reached == state.whole || self.interrupted.is_raised()
    }

    /// So many random source inputs, with the further ones.
    fn draw(&mut self, count: u64) -> Result<State, LabError> {
        let count = count.min(self.options.most).max(1);
        let declared = &self.workbench.functions()[self.function];
        let mut columns: Vec<Column> = declared.parameters.iter().map(|p| Column::empty(p.ty)).collect();
        let mut warnings = Vec::new();
        let drawn = inputs(self.workbench, self.function, &[], count, self.options.seed, &mut warnings)?;
        drawn.iter().for_each(|batch| append(&mut columns, batch));
        append(&mut columns, &self.further);
        self.drawn = count;
        self.run(columns)
    }

    /// Doubles the random source inputs until that adds nothing; then asks for inputs along paths or of frames, if some requirement is satisfied
    /// by none.
    fn more_sources(&mut self, state: &mut State) -> Result<(), LabError> {
        let mut idle = 0;
        while idle < IDLE_DOUBLINGS && self.drawn < self.options.most && !self.ends(state) {
            let next = self.draw(self.drawn.saturating_mul(2))?;
            idle = if next.reached > state.reached { 0 } else { idle + 1 };
            *state = next;
        }
        if self.ends(state) || state.unsatisfied == 0 || !self.further.is_empty() {
            return Ok(());
        }
        let search = SearchOptions { time: Some(PATHS_TIME), ..SearchOptions::default() };
        let options = GenerateOptions { seed: self.options.seed, search, ..GenerateOptions::default() };
        match self.aims.further(self.workbench, &options, self.interrupted) {
            Ok(columns) => self.further = self.new_ones(&columns, &state.requirements)?,
            Err(error) => {
                let warning = format!("there are no inputs along paths: {error}");
                if !self.warnings.contains(&warning) {
                    self.warnings.push(warning);
                }
            }
        }
        if self.further.first().is_none_or(Column::is_empty) {
            return Ok(());
        }
        let mut columns = std::mem::take(&mut state.columns);
        append(&mut columns, &self.further);
        *state = self.run(columns)?;
        Ok(())
    }

    /// Of further inputs those that satisfy a requirement that none satisfies so far, some for each.
    fn new_ones(&self, further: &[Column], known: &Requirements) -> Result<Vec<Column>, LabError> {
        let mut missing = FixedBitSet::with_capacity(known.names.len());
        missing.insert_range(..);
        known.satisfied.iter().for_each(|satisfied| missing.difference_with(satisfied));
        let Asked { requirements, .. } = self.requirements(further)?;
        let mut counts = vec![0; known.names.len()];
        let mut rows = Vec::new();
        for (row, satisfied) in (0..).zip(&requirements.satisfied) {
            let wanted = |requirement: &usize| counts[*requirement] < PATHS_EACH;
            if satisfied.intersection(&missing).any(|requirement| wanted(&requirement)) {
                satisfied.intersection(&missing).for_each(|requirement| counts[requirement] += 1);
                rows.push(row);
            }
        }
        Ok(further.iter().map(|column| column.select(&rows)).collect())
    }

    fn requirements(&self, columns: &[Column]) -> Result<Asked, LabError> {
        self.aims.requirements(columns, self.options.jobs, self.interrupted)
    }

    /// Runs the relations on source inputs.
    fn run(&self, columns: Vec<Column>) -> Result<State, LabError> {
        let Asked { requirements, shown, open } = self.requirements(&columns)?;
        let executed = self.executed(&self.relations, &columns)?;
        let measured = adequacy(&requirements, &executed.associations, self.options.k);
        let unsatisfied = measured.requirements.iter().filter(|r| r.best.is_none()).count();
        let (reached, whole) = (measured.reached(), measured.whole());
        Ok(State { columns, requirements, shown, open, executed, reached, whole, unsatisfied })
    }

    fn executed(&self, relations: &[usize], columns: &[Column]) -> Result<Executed, LabError> {
        let until = Until::interrupted(self.interrupted);
        associate(self.workbench, self.function, relations, columns, self.options.seed, &until)
    }

    /// Of further relations those that raise the degree on these source inputs, each beside those before it.
    fn helpful(&self, state: &State, further: &[usize]) -> Result<Vec<usize>, LabError> {
        if further.is_empty() {
            return Ok(Vec::new());
        }
        let all: Vec<usize> = self.relations.iter().chain(further).copied().collect();
        let executed = self.executed(&all, &state.columns)?;
        let reached = |places: &[usize]| {
            let associations = restricted(&executed.associations, places);
            adequacy(&state.requirements, &associations, self.options.k).reached()
        };
        let mut places: Vec<usize> = (0..self.relations.len()).collect();
        let (mut helpful, mut best) = (Vec::new(), reached(&places));
        for (place, relation) in all.iter().enumerate().skip(self.relations.len()) {
            places.push(place);
            let now = reached(&places);
            if now > best {
                best = now;
                helpful.push(*relation);
            } else {
                places.pop();
            }
            if best == state.whole {
                break;
            }
        }
        Ok(helpful)
    }

    fn record(self, state: &State, added: &[usize]) -> AdequacyRecord {
        let measurement = Measurement {
            workbench: self.workbench,
            function: self.function,
            columns: &state.columns,
            criterion: self.options.criterion.name(),
            requirements: &state.requirements,
            executed: &state.executed,
            k: self.options.k,
            seed: self.options.seed,
        };
        let mut record = measurement.record();
        record.show(&state.shown);
        record.warnings.extend(self.warnings);
        record.warnings.extend(state.open.iter().cloned());
        if !added.is_empty() {
            let names = self.workbench.relation_names(added).join(", ");
            record.warnings.push(format!("relations were added that --relation does not name: {names}"));
        }
        if record.reached < record.whole {
            record.warnings.extend(reasons(&record, self.options, (self.drawn, state.unsatisfied)));
        }
        record
    }
}

/// Why the degree is not reached.
fn reasons(
    record: &AdequacyRecord,
    options: &UntilAdequate,
    (drawn, unsatisfied): (u64, usize),
) -> Vec<String> {
    let mut reasons = Vec::new();
    if drawn >= options.most {
        reasons.push(format!("{drawn} random source inputs are as many as --sources allows"));
    } else {
        reasons.push(format!("the last doublings, to {drawn} random source inputs, added nothing"));
    }
    if unsatisfied > 0 {
        let are =
            if unsatisfied == 1 { "1 requirement is" } else { &format!("{unsatisfied} requirements are") };
        let (from, unreached) = match options.criterion {
            Criterion::Code(_) => ("along paths", "it is code that cannot be reached"),
            Criterion::Frames(_) => ("of frames", "no input has what the specification states"),
        };
        reasons.push(format!("{are} satisfied by no input, neither random nor {from}: hand one over with --from to `dodona adequacy`, or {unreached}"));
    }
    let forms = record.forms.len() as u64;
    if forms < record.k {
        let words = if forms == 1 { "1 form" } else { &format!("{forms} different forms") };
        reasons.push(format!(
            "the output relations have {words}: k = {} needs relations of {} more",
            record.k,
            record.k - forms
        ));
    }
    reasons
}

fn append(to: &mut [Column], from: &[Column]) {
    for (to, from) in to.iter_mut().zip(from) {
        (0..from.len()).for_each(|row| to.push(&from.value(row)));
    }
}

/// The associations of some relations, by place.
fn restricted(all: &Associations, places: &[usize]) -> Associations {
    let forms: Vec<u32> = places.iter().map(|place| all.form(*place)).collect();
    let mut some = Associations::new(all.sources(), &forms);
    for source in 0..all.sources() {
        for (number, place) in places.iter().enumerate() {
            if all.contains(source, *place) {
                some.add(source, number);
            }
        }
    }
    some
}
