//! A function whose target tells itself what its calls run.

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_records::{BranchCoverage, CoverageRecord, FORMAT_VERSION, FileCoverage, LineCoverage, Share};
use dodona_sources::Seed;
use dodona_subject::PathId;
use dodona_target::{
    CallError, Column, Interruption, Outcome, Session, Target, Trace, TracedBranch, TracedCode,
    TracedStatement, Until, user_file,
};
use dodona_workbench::{LabError, Progress, Workbench};
use fixedbitset::FixedBitSet;

use super::coverage_record::stop;
use super::{Coverage, Detail, InputCoverage, StatementSequence, in_pieces};

/// The rows that are traced at once. Their traces are in memory together, and each may have some ten thousand steps.
const ROWS_AT_ONCE: u32 = 64;

/// A function of a target that tells which statements and branches of its source its calls run.
pub struct TracedFunction {
    target: Arc<dyn Target>,
    function: usize,
    code: TracedCode,
}

/// The target does not tell what its calls run.
#[derive(Debug, thiserror::Error)]
#[error(
    "what calls run is known of WebAssembly and of Python, and {0} are neither: statements and branches cannot be counted"
)]
struct NotTraced(&'static str);

impl TracedFunction {
    /// The source that calls of a function, given by its index, can run.
    ///
    /// # Errors
    /// When the target cannot tell, or fails.
    pub fn of(workbench: &Workbench, function: usize) -> Result<TracedFunction, LabError> {
        let target = workbench.target.shared();
        match target.open().traced_code(function)? {
            Some(code) => Ok(TracedFunction { target, function, code }),
            None => Err(LabError::opening(NotTraced(target.traits().kind))),
        }
    }

    /// The source.
    pub fn code(&self) -> &TracedCode {
        &self.code
    }

    /// Where a statement stands: `pricing.py:12`.
    pub fn place(&self, statement: &TracedStatement) -> String {
        format!("{}:{}", self.code.files[statement.file], statement.line)
    }

    /// The statement of a branch.
    pub fn statement(&self, branch: &TracedBranch) -> &TracedStatement {
        &self.code.statements[branch.statement]
    }

    fn nothing(&self) -> Coverage {
        Coverage {
            statements: vec![0; self.code.statements.len()],
            edges: vec![0; self.code.branches.len() * 2],
            ..Coverage::default()
        }
    }

    /// What one input runs. What the target tells of code that it did not name counts for nothing.
    fn add(&self, to: &mut Coverage, outcome: Outcome, mut trace: Trace, detail: Detail) {
        trace.statements.retain(|statement| (*statement as usize) < to.statements.len());
        trace.edges.retain(|edge| (*edge as usize) < to.edges.len());
        let path = trace.edges.iter().fold(PathId::START, |path, edge| path.extend(*edge));
        to.inputs_run += 1;
        to.paths.insert(path);
        trace.statements.iter().for_each(|statement| to.statements[*statement as usize] += 1);
        trace.edges.iter().for_each(|edge| to.edges[*edge as usize] += 1);
        if detail == Detail::Inputs {
            to.inputs.push(InputCoverage {
                statements: set(&trace.statements, to.statements.len()),
                edges: set(&trace.edges, to.edges.len()),
                path,
                outcome,
                sequence: Some(StatementSequence { statements: trace.statements, is_cut: trace.is_cut }),
            });
        }
    }

    /// As [`cover`](super::cover).
    ///
    /// # Errors
    /// When the target fails.
    pub(super) fn cover(
        self: &Arc<Self>,
        batches: Vec<Vec<Column>>,
        detail: Detail,
        jobs: NonZeroUsize,
        interrupted: &Interruption,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Coverage, LabError> {
        let (shared, target) = (Arc::clone(self), Arc::clone(&self.target));
        let session = move |until: &Until| {
            let mut session = target.open();
            session.end_at(until);
            session
        };
        let work = move |session: &mut Box<dyn Session>, columns: &[Column]| {
            let traced = session.call_traced(shared.function, columns)?;
            let (calls, traces) = traced.ok_or_else(|| CallError::new(NotTraced("its functions")))?;
            let mut covered = shared.nothing();
            for (outcome, trace) in calls.outcomes.into_iter().zip(traces) {
                shared.add(&mut covered, outcome, trace, detail);
            }
            Ok(covered)
        };
        in_pieces((batches, ROWS_AT_ONCE), self.nothing(), session, work, jobs, interrupted, progress)
    }

    /// What was covered, with the text of lines.
    pub(super) fn record(&self, workbench: &Workbench, coverage: &Coverage, seed: Seed) -> CoverageRecord {
        let mut record = CoverageRecord {
            format_version: FORMAT_VERSION,
            subject: workbench.target.name().to_owned(),
            manifest: workbench.target.declared_in().display().to_string(),
            function: workbench.functions()[self.function].name.clone(),
            seed: seed.0,
            stop: stop(coverage),
            statements: Share::default(),
            branches: Share::default(),
            paths: coverage.paths.len() as u64,
            files: Vec::new(),
            blocks: Vec::new(),
        };
        for (path, file) in self.code.files.iter().zip(0..) {
            let lines = self.lines(file, coverage);
            for line in &lines {
                record.statements.count(line.hits > 0);
                let taken = line.branches.iter().flat_map(|branch| &branch.taken);
                taken.for_each(|count| record.branches.count(*count > 0));
            }
            let source = user_file::text(&workbench.folder().join(path)).ok();
            record.files.push(FileCoverage { path: path.clone(), library: None, lines, source });
        }
        record
    }

    /// The lines of a file with the branches on each.
    fn lines(&self, file: usize, coverage: &Coverage) -> Vec<LineCoverage> {
        let of_file = self.code.statements.iter().enumerate().filter(|(_, one)| one.file == file);
        let line = |(number, statement): (usize, &TracedStatement)| LineCoverage {
            line: statement.line,
            hits: coverage.statements[number],
            branches: self.branches(number, coverage),
        };
        of_file.map(line).collect()
    }

    fn branches(&self, statement: usize, coverage: &Coverage) -> Vec<BranchCoverage> {
        let of_line = self.code.branches.iter().enumerate().filter(|(_, one)| one.statement == statement);
        let branch = |(number, branch): (usize, &TracedBranch)| BranchCoverage {
            function: branch.function.clone(),
            instruction: number as u32,
            taken: coverage.edges[2 * number..2 * number + 2].to_vec(),
        };
        of_line.map(branch).collect()
    }
}

fn set(members: &[u32], size: usize) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(size);
    set.extend(members.iter().map(|member| *member as usize));
    set
}
