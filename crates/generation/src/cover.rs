//! Coverage: what inputs run of a function under test and of all that it calls.

mod coverage_record;
mod covered_function;
mod instrumented;
mod reached;
mod traced;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use dodona_subject::PathId;
use dodona_target::{Column, Interruption, Outcome, Until};
use dodona_wasm::execute::{RowCoverage, Runner};
use fixedbitset::FixedBitSet;

pub use coverage_record::coverage_record;
pub use covered_function::{CoveredFunction, Order};
pub use instrumented::{CoveredBranch, Instrumented};
pub use reached::ReachedCode;
pub use traced::TracedFunction;

use dodona_workbench::pool::{self, Ended};
use dodona_workbench::{LabError, Progress, Worker};

/// What one input runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputCoverage {
    /// Its statements, by their numbers in [`Instrumented::statements`].
    pub statements: FixedBitSet,
    /// Its branch edges, by their numbers in [`dodona_subject::Branches`] or in [`TracedCode`](dodona_target::TracedCode).
    pub edges: FixedBitSet,
    /// Its path.
    pub path: PathId,
    /// What the original does.
    pub outcome: Outcome,
    /// Its statements one after the other, where their order was noted.
    pub sequence: Option<StatementSequence>,
}

/// The statements that an input runs, one after the other: its path by definition 1 of Sun et al. (2021).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementSequence {
    /// By their numbers in [`Instrumented::statements`].
    pub statements: Vec<u32>,
    /// Whether there was no room for those behind the first [`CoverageMap::STEPS`](dodona_wasm::execute::CoverageMap::STEPS) blocks.
    pub is_cut: bool,
}

/// What is kept of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only what all inputs add up to.
    Totals,
    /// Also each input's own coverage.
    Inputs,
}

/// What inputs run together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Inputs run.
    pub inputs_run: u64,
    /// Inputs there are; more than were run only after an interruption.
    pub planned: u64,
    /// How often each statement was run.
    pub statements: Vec<u64>,
    /// How often each edge was taken, by its number in [`dodona_subject::Branches`].
    pub edges: Vec<u64>,
    /// The paths.
    pub paths: HashSet<PathId>,
    /// In the order of the inputs; empty for [`Detail::Totals`].
    pub inputs: Vec<InputCoverage>,
}

/// Runs inputs, in batches of a column a parameter, on an instrumented function. What comes of it depends on the inputs
/// alone, not on the number of threads; after an interruption it is that of some of the inputs.
///
/// # Errors
/// When an input does not fit the function, or the host fails.
pub fn cover(
    instrumented: &Arc<Instrumented>,
    batches: Vec<Vec<Column>>,
    detail: Detail,
    jobs: NonZeroUsize,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(Progress),
) -> Result<Coverage, LabError> {
    let (shared, executable) = (Arc::clone(instrumented), instrumented.executable().clone());
    let runner = move |until: &Until| executable.runner().until(until);
    let work = move |runner: &mut Runner, columns: &[Column]| {
        let mut covered = Coverage::default();
        shared.run(runner, columns, &mut |input, row| covered.add(input, row, detail))?;
        Ok(covered)
    };
    let (most, nothing) = (instrumented.rows_at_once(), instrumented.nothing());
    in_pieces((batches, most), nothing, runner, work, jobs, interrupted, progress)
}

/// Runs inputs on threads, so many rows at once, and adds what they cover to nothing. After an interruption it is what some of them cover.
fn in_pieces<W>(
    (batches, most): (Vec<Vec<Column>>, u32),
    nothing: Coverage,
    worker: impl Fn(&Until) -> W + Send + Sync + 'static,
    work: impl Fn(&mut W, &[Column]) -> Result<Coverage, LabError> + Send + Sync + 'static,
    jobs: NonZeroUsize,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(Progress),
) -> Result<Coverage, LabError> {
    let pieces = pieces(&batches, most);
    let planned: u64 = pieces.iter().map(|(_, rows)| rows.len() as u64).sum();
    let count = pieces.len();
    let work = move |worker: &mut W, piece: usize| {
        let (batch, rows) = &pieces[piece];
        let rows: Vec<u32> = rows.clone().collect();
        let columns: Vec<Column> = batches[*batch].iter().map(|column| column.select(&rows)).collect();
        work(worker, &columns)
    };
    let mut run = 0;
    let mut seen = |covered: &Coverage| {
        run += covered.inputs_run;
        progress(Progress { run, planned });
    };
    let until = Until::interrupted(interrupted);
    let ended = pool::run((Worker::Coverage, jobs.get(), count), worker, work, &until, &mut seen)?;
    let mut all = Coverage { planned, ..nothing };
    match ended {
        Ended::Done(done) => done.into_iter().for_each(|piece| all.merge(piece)),
        Ended::Interrupted(done) => done.into_iter().flatten().for_each(|piece| all.merge(piece)),
    }
    Ok(all)
}

/// The batches cut so that the notes of a piece's rows take little memory.
fn pieces(batches: &[Vec<Column>], most: u32) -> Vec<(usize, Range<u32>)> {
    let mut pieces = Vec::new();
    for (batch, columns) in batches.iter().enumerate() {
        let rows = columns.first().map_or(1, Column::len) as u32;
        let starts = (0..rows).step_by(most as usize);
        pieces.extend(starts.map(|start| (batch, start..rows.min(start + most))));
    }
    pieces
}

impl Coverage {
    fn add(&mut self, input: Counted<'_>, row: RowCoverage, detail: Detail) {
        self.inputs_run += 1;
        self.paths.insert(row.path);
        add(&mut self.statements, input.statements.iter().copied());
        add(&mut self.edges, row.edges.iter().map(|count| u64::from(*count)));
        if detail == Detail::Inputs {
            self.inputs.push(input.coverage(&row));
        }
    }

    fn merge(&mut self, other: Coverage) {
        self.inputs_run += other.inputs_run;
        self.paths.extend(other.paths);
        add(&mut self.statements, other.statements);
        add(&mut self.edges, other.edges);
        self.inputs.extend(other.inputs);
    }
}

fn add(sums: &mut Vec<u64>, counts: impl IntoIterator<Item = u64, IntoIter: ExactSizeIterator>) {
    let counts = counts.into_iter();
    sums.resize(sums.len().max(counts.len()), 0);
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(count));
}

/// An input with how often it ran each statement.
pub(crate) struct Counted<'a> {
    pub(crate) outcome: Outcome,
    pub(crate) statements: &'a [u64],
    pub(crate) sequence: Option<&'a StatementSequence>,
}

impl Counted<'_> {
    pub(crate) fn coverage(&self, row: &RowCoverage) -> InputCoverage {
        InputCoverage {
            statements: set(self.statements.iter().map(|count| *count > 0)),
            edges: set(row.edges.iter().map(|count| *count > 0)),
            path: row.path,
            outcome: self.outcome,
            sequence: self.sequence.cloned(),
        }
    }
}

fn set(members: impl ExactSizeIterator<Item = bool>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(members.len());
    set.extend(members.enumerate().filter_map(|(number, is_in)| is_in.then_some(number)));
    set
}
