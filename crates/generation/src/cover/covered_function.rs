//! A function whose statements and branches are counted, whatever kind of target it is of.

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_records::CoverageRecord;
use dodona_sources::Seed;
use dodona_target::{Column, Interruption};
use dodona_wasm::execute::{Statement, StatementScope};
use dodona_workbench::{LabError, Progress, Workbench};

use super::{Coverage, Detail, Instrumented, TracedFunction, cover, coverage_record};

/// A function under test whose statements and branches are counted.
#[derive(Clone)]
pub enum CoveredFunction {
    /// Of a module: counters are put into it.
    Module(Arc<Instrumented>),
    /// Of a target that tells itself what its calls run.
    Traced(Arc<TracedFunction>),
}

/// Whether the order is noted in which an input runs statements, which takes more time and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It is.
    Noted,
    /// It may be left out.
    Left,
}

impl CoveredFunction {
    /// A function of a subject, by its index. `scope` says which code of a module is counted.
    ///
    /// # Errors
    /// When a module with counters cannot be loaded, or the target cannot tell what its calls run.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn of(
        workbench: &Workbench,
        function: usize,
        scope: StatementScope,
        order: Order,
    ) -> Result<CoveredFunction, LabError> {
        let Some(module) = dodona_wasm::of(workbench) else {
            return TracedFunction::of(workbench, function).map(Arc::new).map(CoveredFunction::Traced);
        };
        let instrumented = match order {
            Order::Noted => Instrumented::with_order(&module, function, scope),
            Order::Left => Instrumented::new(&module, function, scope),
        };
        instrumented.map(Arc::new).map(CoveredFunction::Module)
    }

    /// Runs inputs, as [`cover`] does.
    ///
    /// # Errors
    /// When an input does not fit the function, or the target fails.
    pub fn cover(
        &self,
        batches: Vec<Vec<Column>>,
        detail: Detail,
        jobs: NonZeroUsize,
        interrupted: &Interruption,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Coverage, LabError> {
        match self {
            CoveredFunction::Module(module) => cover(module, batches, detail, jobs, interrupted, progress),
            CoveredFunction::Traced(traced) => traced.cover(batches, detail, jobs, interrupted, progress),
        }
    }

    /// What was covered, with the names of things and the text of lines. The workbench is that of the function.
    pub fn record(&self, workbench: &Workbench, coverage: &Coverage, seed: Seed) -> CoverageRecord {
        match self {
            CoveredFunction::Module(instrumented) => {
                let module = dodona_wasm::of(workbench)
                    .unwrap_or_else(|| unreachable!("it was instrumented from this module"));
                coverage_record(&module, instrumented, coverage, seed)
            }
            CoveredFunction::Traced(traced) => traced.record(workbench, coverage, seed),
        }
    }

    /// A name for each statement, by its number: `pricing.py:12`.
    pub fn statement_names(&self) -> Vec<String> {
        let of_module = |statement: &Statement| match statement {
            Statement::Line { file, line } => format!("{file}:{line}"),
            Statement::Block(point) => {
                format!("function {} instruction {}", point.function, point.instruction)
            }
        };
        match self {
            CoveredFunction::Module(module) => module.statements().iter().map(of_module).collect(),
            CoveredFunction::Traced(traced) => {
                traced.code().statements.iter().map(|statement| traced.place(statement)).collect()
            }
        }
    }

    /// A name and the number of the edge for each direction of each branch that coverage counts.
    pub fn directions(&self) -> Vec<(String, usize)> {
        match self {
            CoveredFunction::Module(module) => module_directions(module),
            CoveredFunction::Traced(traced) => {
                let name = |(number, branch)| {
                    let place = traced.place(traced.statement(branch));
                    [0, 1].map(|direction| {
                        (format!("{place}, direction {direction} of branch {number}"), 2 * number + direction)
                    })
                };
                traced.code().branches.iter().enumerate().flat_map(name).collect()
            }
        }
    }
}

fn module_directions(instrumented: &Instrumented) -> Vec<(String, usize)> {
    let map = instrumented.map().branches();
    let mut all = Vec::new();
    for branch in instrumented.branches() {
        let place =
            branch.place.as_ref().map_or_else(|| format!("branch {}", branch.site), ToString::to_string);
        for direction in 0..map.directions(branch.site) {
            let edge = map.edge(branch.site, direction) as usize;
            all.push((format!("{place}, direction {direction}"), edge));
        }
    }
    all
}
