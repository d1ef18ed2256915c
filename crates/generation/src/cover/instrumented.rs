//! A function under test with counters in it.

use std::collections::BTreeMap;

use dodona_mutants::{CodeUnderTest, SourceFiles};
use dodona_subject::Location;
use dodona_target::{Calls, Column, Outcome, Trap};
use dodona_wasm::execute::{
    Called, CoverageMap, Executable, LoadError, Options, RowCoverage, Runner, Statement, StatementScope,
    Statements,
};
use dodona_wasm::{Workbench, runs};
use dodona_workbench::LabError;

use super::{Counted, Coverage, InputCoverage, StatementSequence};

/// The notes of the rows that are run at once take about so many bytes at most.
const NOTES_AT_ONCE: usize = 1 << 20;

/// The most rows that are run at once.
const ROWS_AT_ONCE: usize = 256;

/// A function under test, and all of the module that its calls can run, with a counter at each block and branch.
/// Shared by threads.
pub struct Instrumented {
    executable: Executable,
    /// For rows that overflow the stack only because counting takes more of it.
    original: Executable,
    function: usize,
    map: CoverageMap,
    statements: Statements,
    branches: Vec<CoveredBranch>,
}

/// A branch that coverage counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredBranch {
    /// Its site in [`dodona_subject::Branches`].
    pub site: u32,
    /// Where it is decided in the source, if that is at hand.
    pub place: Option<Location>,
    /// The number of the statement that it belongs to.
    pub statement: usize,
}

/// The module cannot be instrumented for coverage.
#[derive(Debug, thiserror::Error)]
#[error("the module cannot be instrumented for coverage: {0}")]
pub(super) struct Uncovered(pub(super) LoadError);

impl Instrumented {
    /// Instruments a function under test, by its index.
    ///
    /// # Errors
    /// When the module with counters cannot be loaded.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn new(
        workbench: &Workbench,
        function: usize,
        scope: StatementScope,
    ) -> Result<Instrumented, LabError> {
        let map = CoverageMap::of(&workbench.target.module, &runs(workbench, [function]));
        Instrumented::with_map(workbench, function, scope, map)
    }

    /// The same; it also notes the order in which an input runs statements, which takes more time and memory.
    ///
    /// # Errors
    /// As for [`Instrumented::new`].
    ///
    /// # Panics
    /// When there is no such function.
    pub fn with_order(
        workbench: &Workbench,
        function: usize,
        scope: StatementScope,
    ) -> Result<Instrumented, LabError> {
        let map = CoverageMap::of(&workbench.target.module, &runs(workbench, [function])).with_order();
        Instrumented::with_map(workbench, function, scope, map)
    }

    fn with_map(
        workbench: &Workbench,
        function: usize,
        scope: StatementScope,
        map: CoverageMap,
    ) -> Result<Instrumented, LabError> {
        let (manifest, module) = (&workbench.target.manifest, &workbench.target.module);
        let called = Called::Only([function].into());
        let options = Options { called, ..Options::of(manifest) };
        let variants = map.variants(module);
        let executable = Executable::load_with_variants(module, &manifest.functions, &options, &variants)
            .map_err(|error| LabError::engine(Uncovered(error)))?;
        let mut sources = SourceFiles::new(manifest.folder());
        let debug = workbench.target.debug_info();
        let under_test = CodeUnderTest::of(module, debug, manifest);
        let statements = Statements::of(module, debug, &map, scope, &mut |location| {
            debug.is_some_and(|debug| {
                under_test.owns(debug.package(location)) && sources.file(debug, location).is_some()
            })
        });
        let branches = branches(workbench, &map, &statements);
        let original = workbench.target.executable.clone();
        Ok(Instrumented { executable, original, function, map, statements, branches })
    }

    /// The module with counters.
    pub fn executable(&self) -> &Executable {
        &self.executable
    }

    /// The function under test, by its index in the manifest.
    pub fn function(&self) -> usize {
        self.function
    }

    /// The blocks and branches that are counted.
    pub fn map(&self) -> &CoverageMap {
        &self.map
    }

    /// The statements: lines whose source is at hand, or blocks.
    pub fn statements(&self) -> &[Statement] {
        self.statements.as_slice()
    }

    /// The branches of those statements, in code order.
    pub fn branches(&self) -> &[CoveredBranch] {
        &self.branches
    }

    pub(crate) fn rows_at_once(&self) -> u32 {
        rows_at_once(&self.map)
    }

    pub(super) fn nothing(&self) -> Coverage {
        let edges = vec![0; self.map.branches().edges() as usize];
        Coverage { statements: vec![0; self.statements().len()], edges, ..Coverage::default() }
    }

    /// What some inputs run, a column a parameter, with a runner of [`Instrumented::executable`].
    ///
    /// Counting takes more of the stack: of an input that ends for that reason alone only the coverage until then is known.
    ///
    /// # Errors
    /// When an input does not fit the function, or the host fails.
    pub fn inputs(&self, runner: &mut Runner, columns: &[Column]) -> Result<Vec<InputCoverage>, LabError> {
        let mut inputs = Vec::new();
        self.run(runner, columns, &mut |input, row| inputs.push(input.coverage(&row)))?;
        Ok(inputs)
    }

    /// Runs some inputs and gives each with its counts to `seen`, in order; their calls.
    pub(crate) fn run(
        &self,
        runner: &mut Runner,
        columns: &[Column],
        seen: &mut dyn FnMut(Counted<'_>, RowCoverage),
    ) -> Result<Calls, LabError> {
        runner.choose(self.map.choice());
        let fails = dodona_target::CallError::new;
        let calls = runner.call_noting(self.function, columns).map_err(fails)?;
        for (row, &outcome) in calls.outcomes.iter().enumerate() {
            let covered = self.map.read(runner.notes(row)).stopped(outcome, runner.locate_trap(row));
            let statements = self.statements.counts(&covered, &self.map);
            let sequence = self.sequence(&covered);
            let outcome = match outcome {
                Outcome::Trapped(Trap::StackOverflow) => self.outcome(columns, row)?,
                other => other,
            };
            seen(Counted { outcome, statements: &statements, sequence: sequence.as_ref() }, covered);
        }
        Ok(calls)
    }

    fn sequence(&self, row: &RowCoverage) -> Option<StatementSequence> {
        let statements = self.statements.sequence(row, &self.map)?;
        Some(StatementSequence { statements, is_cut: row.order.as_ref().is_some_and(|order| order.is_cut) })
    }

    /// What the original does.
    fn outcome(&self, columns: &[Column], row: usize) -> Result<Outcome, LabError> {
        let input: Vec<Column> = columns.iter().map(|column| column.select(&[row as u32])).collect();
        let calls = self.original.runner().call(self.function, &input);
        Ok(calls.map_err(dodona_target::CallError::from)?.outcomes[0])
    }
}

/// How many rows are run at once.
pub(super) fn rows_at_once(map: &CoverageMap) -> u32 {
    (NOTES_AT_ONCE / map.row_bytes()).clamp(1, ROWS_AT_ONCE) as u32
}

impl std::fmt::Debug for Instrumented {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instrumented").field("executable", &self.executable).finish_non_exhaustive()
    }
}

/// The branches of the statements: those on their lines, or those in their blocks.
fn branches(workbench: &Workbench, map: &CoverageMap, statements: &Statements) -> Vec<CoveredBranch> {
    let numbers: BTreeMap<&Statement, usize> =
        statements.as_slice().iter().enumerate().map(|(number, statement)| (statement, number)).collect();
    let mut found = Vec::new();
    for site in map.sites() {
        let point = map.branches().point(site);
        let place =
            workbench.target.debug_info().and_then(|debug| debug.location(&workbench.target.module, point));
        let line = place.map(|l| Statement::Line { file: l.file.clone(), line: l.line });
        let block = map.block_of(point).map(|block| Statement::Block(map.blocks()[block].point()));
        let on_line = line.and_then(|line| numbers.get(&line));
        if let Some(&statement) = on_line.or_else(|| numbers.get(&block?)) {
            let place = place.filter(|_| on_line.is_some()).cloned();
            found.push(CoveredBranch { site, place, statement });
        }
    }
    found
}
