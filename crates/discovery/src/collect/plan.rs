//! The inputs on which the original and each mutant are run. Every source input and follow-up input occurs once, even if several
//! transformations use it.

use std::sync::Arc;

use dodona_inference::discovery::Transformation;
use dodona_mutation::baseline::Baseline;
use dodona_mutation::suite::{Suite, TestKind};
use dodona_records::SectionKind;
use dodona_relations::FollowUp;
use dodona_sources::Seed;
use dodona_target::{Calls, Column};
use dodona_wasm::{Workbench, runs};
use dodona_workbench::{DistinctInputs, LabError};

use crate::shuffled::ranks;
use crate::sources::SourceInputs;

use super::change;
use crate::tuning::{INPUTS_A_BATCH, LONGEST_VALUES};

/// A source input and its follow-up input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The row of the source input among all inputs.
    pub(super) source: u32,
    /// The row of the follow-up input among all inputs.
    pub(super) follow_up: u32,
}

/// A transformation, and the pairs of inputs that it makes.
pub(super) struct Linked {
    pub(super) change: FollowUp,
    /// Whether the follow-up input depends on the outputs of the source call.
    pub(super) feeds_back: bool,
    /// The pairs in a random order, so that any first part of them is a random sample.
    pub(super) links: Vec<Link>,
}

/// All inputs, and which of them belong together.
pub(super) struct ExecutionInputs {
    pub(super) function: usize,
    /// How many of the inputs are source inputs; these come first.
    pub(super) sources: usize,
    /// The source inputs in a random order.
    pub(super) order: Vec<u32>,
    /// One column for each parameter.
    pub(super) columns: Vec<Column>,
    pub(super) transformations: Vec<Linked>,
}

impl ExecutionInputs {
    /// Makes the follow-up inputs of at most `most` of the source inputs.
    pub(super) fn new(
        workbench: &Workbench,
        function: usize,
        sources: &SourceInputs,
        most: usize,
        transformations: &[Transformation],
        seed: Seed,
    ) -> Result<ExecutionInputs, LabError> {
        let SourceInputs { columns, calls, .. } = sources;
        let functions = &workbench.functions();
        let mut pool = DistinctInputs::new(&functions[function]);
        let first = short(columns, calls, most);
        let calls = &calls.select(&first);
        let columns: Vec<Column> = columns.iter().map(|column| column.select(&first)).collect();
        let rows = first.len();
        pool.add(&columns, rows);
        let ranks = ranks(rows, seed, "order of executions");
        let mut order: Vec<u32> = (0..rows as u32).collect();
        order.sort_by_key(|&row| ranks[row as usize]);
        let mut linked = Vec::new();
        for transformation in transformations {
            let change = change(functions, function, transformation)?;
            let follow_ups = change.inputs(&columns, calls)?;
            let numbers = pool.add(&follow_ups.arguments, follow_ups.rows.len());
            let link = |(&source, number): (&u32, usize)| Link { source, follow_up: number as u32 };
            let mut links: Vec<Link> = follow_ups.rows.iter().zip(numbers).map(link).collect();
            links.sort_by_key(|link| ranks[link.source as usize]);
            linked.push(Linked { change, feeds_back: transformation.feeds_back(), links });
        }
        Ok(ExecutionInputs {
            function,
            sources: rows,
            order,
            columns: pool.into_columns(),
            transformations: linked,
        })
    }

    /// How many inputs there are.
    pub(super) fn len(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// All inputs as a test suite for mutation analysis.
    pub(super) fn suite(&self, workbench: &Workbench) -> Suite {
        suite_of(workbench, self.function, &self.columns)
    }
}

/// Inputs of a function, a column for each parameter, as a test suite for mutation analysis.
pub(crate) fn suite_of(workbench: &Workbench, function: usize, columns: &[Column]) -> Suite {
    let mut suite = Suite::of(&[]);
    let name = &workbench.functions()[function].name;
    let section = suite.section(SectionKind::Inputs, name, Arc::new(runs(workbench, [function])));
    let count = columns.first().map_or(0, Column::len);
    for start in (0..count).step_by(INPUTS_A_BATCH) {
        let rows: Vec<u32> = (start..count.min(start + INPUTS_A_BATCH)).map(|row| row as u32).collect();
        let columns = columns.iter().map(|column| column.select(&rows)).collect();
        suite.push(TestKind::Inputs { function }, columns, rows.len(), section);
    }
    suite
}

/// The first `most` rows whose inputs and outputs are short; if all are long, the first rows.
fn short(columns: &[Column], calls: &Calls, most: usize) -> Vec<u32> {
    let all = 0..calls.outcomes.len() as u32;
    let is_short = |row: &u32| is_short(columns, *row as usize) && is_short(&calls.outputs, *row as usize);
    let short: Vec<u32> = all.clone().filter(is_short).take(most).collect();
    if short.is_empty() { all.take(most).collect() } else { short }
}

/// Whether the values of a row together are short.
pub(super) fn is_short(columns: &[Column], row: usize) -> bool {
    columns.iter().map(|column| column.elements(row)).sum::<usize>() <= LONGEST_VALUES
}

/// The calls of the original on all inputs.
#[derive(Clone, Copy)]
pub(crate) struct OriginalCalls<'a>(pub(crate) &'a [Baseline]);

impl<'a> OriginalCalls<'a> {
    /// The batch of calls that contains an input, and its row there.
    pub(crate) fn at(self, input: u32) -> (&'a Calls, usize) {
        let (batch, row) = (input as usize / INPUTS_A_BATCH, input as usize % INPUTS_A_BATCH);
        let calls = self.0[batch].calls.as_ref();
        (calls.unwrap_or_else(|| unreachable!("a batch of inputs has calls")), row)
    }

    /// Whether the original has outputs on an input, and they are short enough for the search.
    pub(super) fn is_usable(self, input: u32) -> bool {
        let (calls, row) = self.at(input);
        calls.outcomes[row].has_outputs() && is_short(&calls.outputs, row)
    }

    /// Whether the original has outputs on an input.
    pub(super) fn has_returned(self, input: u32) -> bool {
        let (calls, row) = self.at(input);
        calls.outcomes[row].has_outputs()
    }
}
