//! The source inputs of a discovery: from files, and made by techniques. All are distinct.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use dodona_generation::generate::{generate_until, not_run};
use dodona_generation::{Bounds, GenerateOptions, SearchOptions, Technique};
use dodona_records::DiscoverySources;
use dodona_target::{Calls, Column, Signature, Type, Until, Value};
use dodona_wasm::Workbench;
use dodona_workbench::inputs::{drawn, eligible, from_files, none};
use dodona_workbench::{DistinctInputs, LabError};

use crate::DiscoverOptions;
use crate::deterministic::{RepeatedCalls, run_twice};
use crate::near::row_of;
use crate::tuning::{INPUTS_OF_A_TECHNIQUE, PATH_QUERIES, PATH_TIME, PATHS, QUERY_TIME, UNTIMED_PATH_TIME};

/// Source inputs.
#[derive(Clone, Debug)]
pub(crate) struct SourceInputs {
    /// One column for each parameter; no two rows are equal.
    pub(crate) columns: Vec<Column>,
    /// How many inputs each origin provided. An input that two origins provide counts for the first.
    pub(crate) from: DiscoverySources,
    /// The rows that were drawn at random.
    pub(crate) random: Range<usize>,
    /// The calls of the original, one for each input, and the fuel of each call.
    pub(crate) calls: Calls,
    pub(crate) fuel: Vec<u64>,
    /// How long a call took on average, by the clock.
    pub(crate) call_time: Duration,
    /// Whether a clock ended the search along paths, so that another run may find other inputs.
    pub(crate) time_decided: bool,
    pub(crate) warnings: Vec<String>,
    /// Inputs along paths whose run differed from the prediction.
    pub(crate) contradictions: Vec<String>,
}

impl SourceInputs {
    /// No source inputs.
    pub(super) fn none(function: &Signature) -> SourceInputs {
        let columns = |types: Vec<Type>| types.into_iter().map(Column::empty).collect();
        let outputs = columns(function.outputs.iter().map(|output| output.ty).collect());
        SourceInputs {
            columns: columns(function.parameters.iter().map(|p| p.ty).collect()),
            from: DiscoverySources::default(),
            random: 0..0,
            calls: Calls { outcomes: Vec::new(), outputs },
            fuel: Vec::new(),
            call_time: Duration::ZERO,
            time_decided: false,
            warnings: Vec::new(),
            contradictions: Vec::new(),
        }
    }

    /// How many source inputs there are.
    pub(crate) fn len(&self) -> usize {
        self.calls.outcomes.len()
    }

    /// At most this many of the inputs, evenly spread, each with one value for each parameter.
    pub(crate) fn spread(&self, most: usize) -> Vec<Vec<Value>> {
        let rows = self.columns.first().map_or(0, Column::len);
        let rows = (0..rows).step_by(rows.div_ceil(most).max(1));
        rows.map(|row| row_of(&self.columns, row)).collect()
    }

    /// The rows that were not drawn at random: those of files and those that techniques made.
    pub(crate) fn made(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|row| !self.random.contains(row))
    }
}

/// The source inputs of a function under test, given by its index.
///
/// # Errors
/// When the function has no parameter or no output, no input is eligible, no call returns, or the same input gives two
/// outputs; when a file cannot be read or the host fails.
///
/// # Panics
/// When there is no such function.
pub(crate) fn sources(
    workbench: &Workbench,
    function: usize,
    options: &DiscoverOptions,
    until: &Until,
) -> Result<SourceInputs, LabError> {
    let declared = &workbench.functions()[function];
    check(declared)?;
    let mut gathering = Gathering::new(declared);
    gathering.files(declared, &options.files)?;
    for &technique in &options.techniques {
        // The inputs have to be run too, so no technique takes more than half of what is left.
        let found = gathering.made(workbench, function, technique, options, &until.share(2))?;
        gathering.from.count(technique.name(), found);
    }
    let Gathering { pool, from, random, warnings, time_decided, contradictions } = gathering;
    if pool.is_empty() {
        return Err(LabError::Sources(none(declared, &options.files, options.random_inputs())));
    }
    let mut columns = pool.into_columns();
    let RepeatedCalls { calls, fuel, call_time, is_cut } = run_twice(workbench, function, &columns, until)?;
    if calls.outcomes.len() < columns.first().map_or(0, Column::len) {
        let rows: Vec<u32> = (0..calls.outcomes.len() as u32).collect();
        columns.iter_mut().for_each(|column| *column = column.select(&rows));
    }
    let time_decided = time_decided || (is_cut && !until.is_interrupted());
    Ok(SourceInputs { columns, from, random, calls, fuel, call_time, time_decided, warnings, contradictions })
}

/// Refuses functions for which no relation is possible.
fn check(function: &Signature) -> Result<(), LabError> {
    if function.outputs.is_empty() {
        return Err(LabError::NoOutput(function.name.clone()));
    }
    if function.parameters.is_empty() {
        return Err(LabError::NoParameter(function.name.clone()));
    }
    Ok(())
}

/// Source inputs while they are gathered.
struct Gathering {
    pool: DistinctInputs,
    from: DiscoverySources,
    random: Range<usize>,
    warnings: Vec<String>,
    time_decided: bool,
    contradictions: Vec<String>,
}

impl Gathering {
    fn new(function: &Signature) -> Gathering {
        Gathering {
            pool: DistinctInputs::new(function),
            from: DiscoverySources::default(),
            random: 0..0,
            warnings: Vec::new(),
            time_decided: false,
            contradictions: Vec::new(),
        }
    }

    /// Adds inputs; returns how many were new.
    fn add(&mut self, columns: &[Column]) -> u64 {
        let before = self.pool.len();
        self.pool.add(columns, columns.first().map_or(0, Column::len));
        (self.pool.len() - before) as u64
    }

    /// Adds the eligible inputs of files.
    fn files(&mut self, function: &Signature, files: &[PathBuf]) -> Result<(), LabError> {
        for path in files {
            let file = std::slice::from_ref(path);
            let batches = from_files(function, file, &mut self.warnings)?;
            if batches.is_empty() {
                return Err(LabError::Sources(none(function, file, 0)));
            }
            for batch in batches {
                self.from.files += self.add(&batch);
            }
        }
        Ok(())
    }

    /// Adds the inputs of a technique; returns how many were new. If it finds none, the discovery goes on.
    fn made(
        &mut self,
        workbench: &Workbench,
        function: usize,
        technique: Technique,
        options: &DiscoverOptions,
        until: &Until,
    ) -> Result<u64, LabError> {
        let made = if technique == Technique::Random {
            return self.random(&workbench.functions()[function], options);
        } else if technique == Technique::Frames {
            return self.of_frames(workbench, function, options, until);
        } else if technique.is_symbolic() {
            self.along_paths(workbench, function, technique, options, until)
        } else {
            let count = INPUTS_OF_A_TECHNIQUE.min(usize::try_from(options.inputs).unwrap_or(usize::MAX));
            let how =
                GenerateOptions { technique, count: Some(count), seed: options.seed, ..Default::default() };
            not_run(workbench, function, &how, until).map(|made| made.columns)
        };
        match made {
            Ok(columns) => Ok(self.add(&columns)),
            Err(error) if error.is_ours() => Err(error),
            Err(error) => {
                self.warnings.push(format!("no source inputs {}: {error}", technique.words()));
                Ok(0)
            }
        }
    }

    /// Adds inputs that are drawn as samples are.
    fn random(&mut self, function: &Signature, options: &DiscoverOptions) -> Result<u64, LabError> {
        let batches = eligible(function, drawn(function, options.inputs, options.seed)?);
        let before = self.pool.len();
        let found = batches.iter().map(|batch| self.add(batch)).sum();
        self.random = before..self.pool.len();
        Ok(found)
    }

    /// Adds inputs of the frames that a person's file makes: as many of each as usual, for none of them is to be left out. What is wrong with the file
    /// is an error.
    fn of_frames(
        &mut self,
        workbench: &Workbench,
        function: usize,
        options: &DiscoverOptions,
        until: &Until,
    ) -> Result<u64, LabError> {
        let technique = Technique::Frames;
        let search = SearchOptions { time: None, query_time: Some(QUERY_TIME), ..SearchOptions::default() };
        let (seed, frames) = (options.seed, options.frames.clone());
        let how = GenerateOptions { technique, seed, search, frames, ..GenerateOptions::default() };
        let until = until.within(path_time(options));
        let made = not_run(workbench, function, &how, &until)?;
        self.time_decided |= until.is_up();
        self.warnings.extend(made.warnings);
        Ok(self.add(&made.columns))
    }

    /// Inputs along paths, which were run.
    fn along_paths(
        &mut self,
        workbench: &Workbench,
        function: usize,
        technique: Technique,
        options: &DiscoverOptions,
        until: &Until,
    ) -> Result<Vec<Column>, LabError> {
        let queries = (PATH_QUERIES as f64 * options.effort()) as u64;
        let bounds = Bounds { queries, paths: PATHS, ..Bounds::default() };
        let solver = options.prove.as_ref().and_then(|search| search.solver.clone());
        let search = SearchOptions {
            bounds,
            time: None,
            query_time: Some(QUERY_TIME),
            solver,
            ..SearchOptions::default()
        };
        let how = GenerateOptions { technique, seed: options.seed, search, ..GenerateOptions::default() };
        let until = until.within(path_time(options));
        let generated = generate_until(workbench, function, &how, &until)?;
        self.time_decided |= generated.out_of_time;
        self.contradictions.extend(generated.record.contradictions());
        Ok(generated.columns)
    }
}

/// The time of a search for source inputs.
fn path_time(options: &DiscoverOptions) -> Duration {
    match options.time {
        Some(_) => PATH_TIME.mul_f64(options.effort()),
        None => UNTIMED_PATH_TIME,
    }
}

#[cfg(test)]
mod tests;
