//! The tests that mutants are run against: inputs of the functions under test, and metamorphic groups of relations.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use dodona_records::{Against, Binding, Section, SectionKind};
use dodona_target::{Column, Value};
use dodona_wasm::{Reach, Workbench, runs};
use dodona_workbench::explain::{bindings, source};
use dodona_workbench::inputs::{drawn, eligible, from_files};
use dodona_workbench::{CheckOptions, LabError, Regressions, plan::Batches, sources::SourceInputs};
use fixedbitset::FixedBitSet;

use crate::MutateOptions;

/// What the tests of a batch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// Calls of a function under test.
    Inputs {
        /// The function under test, by its index.
        function: usize,
    },
    /// Metamorphic groups of a relation of the workbench.
    Groups {
        /// The relation, by its index in the workbench.
        relation: usize,
        /// The index of the group among the groups of one source input.
        group: usize,
    },
}

/// Tests that are run together, one in each row.
#[derive(Clone, Debug)]
pub struct TestBatch {
    /// What its tests are.
    pub kind: TestKind,
    /// One column for each parameter or variable.
    pub columns: Vec<Column>,
    /// How many tests.
    pub rows: usize,
    /// The number of the first test in its section.
    pub first: usize,
    /// The section that it belongs to.
    pub section: usize,
    /// The tests that have the same inputs as an earlier test of the batch; none before [`Suite::note_repeated`].
    pub(crate) repeated: FixedBitSet,
}

impl TestBatch {
    /// Whether a test is a group that does the same as an earlier one of the batch.
    pub(crate) fn is_repeated_group(&self, row: usize) -> bool {
        matches!(self.kind, TestKind::Groups { .. }) && self.repeated.contains(row)
    }
}

/// All tests.
#[derive(Debug, Default)]
pub struct Suite {
    /// The tests, in batches.
    pub batches: Vec<TestBatch>,
    pub(crate) sections: Vec<Section>,
    /// For each section the functions of the module that its tests can run.
    runs: Vec<Arc<BTreeSet<u32>>>,
    /// The relations that are run, as indices into the workbench's, in order.
    pub relations: Vec<usize>,
}

/// The numbers of the first test of each section, if all tests are numbered consecutively.
pub(crate) struct FirstTests {
    firsts: Vec<usize>,
    /// How many tests there are.
    pub(crate) count: usize,
}

impl FirstTests {
    /// The number of the first test of a batch.
    pub(crate) fn of(&self, suite: &Suite, batch: usize) -> usize {
        let batch = &suite.batches[batch];
        self.firsts[batch.section] + batch.first
    }
}

impl Suite {
    /// A suite without tests, for these relations.
    pub fn of(relations: &[usize]) -> Suite {
        Suite { relations: relations.to_vec(), ..Suite::default() }
    }

    /// Draws and reads all inputs.
    pub fn new(
        workbench: &Workbench,
        options: &MutateOptions,
        functions: &[usize],
        relations: &[usize],
        warnings: &mut Vec<String>,
    ) -> Result<Suite, LabError> {
        let mut suite = Suite::of(relations);
        if options.against != Against::Relations {
            for &function in functions {
                suite.add_inputs(workbench, options, function, warnings)?;
            }
        }
        if !relations.is_empty() {
            suite.add_groups(workbench, options, warnings)?;
        }
        if suite.batches.is_empty() {
            return Err(LabError::Sources(no_tests(workbench, options, functions)));
        }
        Ok(suite)
    }

    /// The functions under test that the tests call, by their indices.
    pub(crate) fn called(&self, workbench: &Workbench) -> BTreeSet<usize> {
        let mut called = BTreeSet::new();
        for batch in &self.batches {
            match batch.kind {
                TestKind::Inputs { function } => called.extend([function]),
                TestKind::Groups { relation, .. } => {
                    let calls = workbench.relations[relation].relation.calls();
                    called.extend(calls.iter().map(|call| call.function));
                }
            }
        }
        called
    }

    /// Whether the tests of a section can run one of these functions of the module.
    pub fn can_run(&self, section: usize, functions: &[u32]) -> bool {
        functions.iter().any(|function| self.runs[section].contains(function))
    }

    /// The number of tests of a kind.
    pub(crate) fn tests(&self, kind: SectionKind) -> u64 {
        self.sections.iter().filter(|s| s.kind == kind).map(|s| s.tests).sum()
    }

    fn add_inputs(
        &mut self,
        workbench: &Workbench,
        options: &MutateOptions,
        index: usize,
        warnings: &mut Vec<String>,
    ) -> Result<(), LabError> {
        let function = &workbench.functions()[index];
        let mut given = from_files(function, &options.files, warnings)?;
        let made = options.made.iter().filter(|made| made.function == index);
        given.extend(eligible(function, made.map(|made| made.columns.clone()).collect()));
        if options.inputs > 0 || given.is_empty() {
            given.extend(eligible(function, drawn(function, options.inputs, options.seed)?));
        }
        let runs = Arc::new(runs(workbench, [index]));
        let section = self.section(SectionKind::Inputs, &function.name, runs);
        for columns in given {
            let rows = columns.first().map_or(1, Column::len);
            self.push(TestKind::Inputs { function: index }, columns, rows, section);
        }
        Ok(())
    }

    fn add_groups(
        &mut self,
        workbench: &Workbench,
        options: &MutateOptions,
        warnings: &mut Vec<String>,
    ) -> Result<(), LabError> {
        let relations = self.relations.clone();
        let sources = SourceInputs::read(workbench, &relations, &check_options(options), warnings)?;
        let plan = Batches::new(&sources.kept_rows(), &sources.given_rows(), options.inputs);
        let mut reach = Reach::of(workbench);
        for (place, &relation) in relations.iter().enumerate() {
            let loaded = &workbench.relations[relation].relation;
            let section = self.section(SectionKind::Relation, loaded.name(), reach.of_relation(loaded));
            for batch in plan.of(place) {
                let columns = sources.columns(&batch);
                for group in 0..loaded.group_count() {
                    let rows = columns.first().map_or(1, Column::len);
                    self.push(TestKind::Groups { relation, group }, columns.clone(), rows, section);
                }
            }
        }
        Ok(())
    }

    /// For each section the number of its first test, if all tests are numbered consecutively.
    pub(crate) fn first_tests(&self) -> FirstTests {
        let mut count = 0;
        let mut firsts = Vec::with_capacity(self.sections.len());
        for section in &self.sections {
            firsts.push(count);
            count += section.tests as usize;
        }
        FirstTests { firsts, count }
    }

    /// Begins a section of tests.
    pub fn section(&mut self, kind: SectionKind, name: &str, runs: Arc<BTreeSet<u32>>) -> usize {
        self.runs.push(runs);
        self.sections.push(Section { kind, name: name.to_owned(), tests: 0 });
        self.sections.len() - 1
    }

    /// Adds a batch of tests after those that its section already has.
    pub fn push(&mut self, kind: TestKind, columns: Vec<Column>, rows: usize, section: usize) {
        if rows == 0 {
            return;
        }
        let first = self.sections[section].tests as usize;
        self.sections[section].tests += rows as u64;
        let repeated = FixedBitSet::new();
        self.batches.push(TestBatch { kind, columns, rows, first, section, repeated });
    }

    /// Notes the tests that repeat earlier ones, for analyses in which only the first kill counts.
    pub(crate) fn note_repeated(&mut self) {
        for batch in &mut self.batches {
            batch.repeated = repeated(&batch.columns, batch.rows);
        }
    }
}

/// The rows whose values an earlier row has. A row with a NaN counts as new, because its bits do not show in its text.
fn repeated(columns: &[Column], rows: usize) -> FixedBitSet {
    let mut repeated = FixedBitSet::with_capacity(rows);
    let mut seen = HashSet::new();
    for row in 0..rows {
        let values: Vec<Value> = columns.iter().map(|column| column.value(row)).collect();
        let text = format!("{values:?}");
        let has_nan = text.contains("NaN");
        repeated.set(row, !has_nan && !seen.insert(text));
    }
    repeated
}

/// The options of a check with the same relations and source inputs.
pub(crate) fn check_options(options: &MutateOptions) -> CheckOptions {
    CheckOptions {
        sources: options.inputs,
        files: options.files.clone(),
        made: options.made.clone(),
        relations: options.relations.clone(),
        seed: options.seed,
        jobs: options.jobs,
        regressions: Regressions::Ignore,
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    }
}

/// Why there are no tests to run mutants on.
fn no_tests(workbench: &Workbench, options: &MutateOptions, functions: &[usize]) -> String {
    let parameters: Vec<String> = functions
        .iter()
        .map(|&f| &workbench.functions()[f])
        .map(|f| {
            let names: Vec<&str> = f.parameters.iter().map(|p| p.name.as_str()).collect();
            format!("{}({})", f.name, names.join(", "))
        })
        .collect();
    let files: Vec<String> = options.files.iter().map(|path| path.display().to_string()).collect();
    match files.is_empty() {
        true => {
            "there is no input to run mutants on; give --inputs a number above 0, or --from a file".to_owned()
        }
        false => format!(
            "{} has no input to run mutants on: a file needs a column a parameter, of {}",
            files.join(", "),
            parameters.join(" or ")
        ),
    }
}

/// The input of a test, with names.
pub(crate) fn named_input(workbench: &Workbench, suite: &Suite, batch: usize, row: usize) -> Vec<Binding> {
    let batch = &suite.batches[batch];
    let values: Vec<Value> = batch.columns.iter().map(|column| column.value(row)).collect();
    match batch.kind {
        TestKind::Inputs { function } => {
            let parameters = &workbench.functions()[function].parameters;
            bindings(parameters.iter().map(|p| p.name.as_str()).zip(&values))
        }
        TestKind::Groups { relation, .. } => source(&workbench.relations[relation], &values),
    }
}

/// The function or relation of a test, which is given by its number over all sections, and its input.
pub(crate) fn input_of(workbench: &Workbench, suite: &Suite, test: usize) -> (String, Vec<Binding>) {
    let firsts = suite.first_tests();
    let place = |index: &usize| {
        let first = firsts.of(suite, *index);
        (first..first + suite.batches[*index].rows).contains(&test)
    };
    match (0..suite.batches.len()).find(place) {
        None => Default::default(),
        Some(batch) => {
            let name = suite.sections[suite.batches[batch].section].name.clone();
            (name, named_input(workbench, suite, batch, test - firsts.of(suite, batch)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_repeated_when_an_earlier_one_has_the_same_bits() {
        let columns = [Column::Float(vec![1.0, 0.0, 1.0, -0.0, f64::NAN, f64::NAN, 1.0])];
        assert_eq!(repeated(&columns, 7).ones().collect::<Vec<_>>(), [2, 6]);
        let two = [Column::Int(vec![1, 1, 1]), Column::Int(vec![2, 3, 2])];
        assert_eq!(repeated(&two, 3).ones().collect::<Vec<_>>(), [2]);
    }
}
