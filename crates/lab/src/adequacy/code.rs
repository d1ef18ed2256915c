//! Requirements of the criteria that speak of code: statements, and directions of branches.

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_generation::{
    Coverage, Detail, InputCoverage, Instrumented, Statement, adequacy::Requirements, cover,
};
use dodona_target::{Column, Interruption};
use dodona_workbench::LabError;

/// What of the code source inputs are to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeCriterion {
    /// Each statement: a line of the source, or a block of code where the source is not known.
    Statement,
    /// Each direction of each branch.
    Branch,
}

impl CodeCriterion {
    /// `statement`.
    pub fn name(self) -> &'static str {
        match self {
            CodeCriterion::Statement => "statement",
            CodeCriterion::Branch => "branch",
        }
    }
}

/// The statements or the branch directions of a function, with those that each source input runs, a column a parameter.
///
/// # Errors
/// When the host fails.
pub fn code_requirements(
    instrumented: &Arc<Instrumented>,
    criterion: CodeCriterion,
    columns: &[Column],
    jobs: NonZeroUsize,
    interrupted: &Interruption,
) -> Result<Requirements, LabError> {
    let batches = vec![columns.to_vec()];
    let coverage = cover(instrumented, batches, Detail::Inputs, jobs, interrupted, &mut |_| {})?;
    Ok(match criterion {
        CodeCriterion::Branch => branches(instrumented, &coverage),
        CodeCriterion::Statement => Requirements {
            names: instrumented.statements().iter().map(statement).collect(),
            satisfied: coverage.inputs.into_iter().map(|input| input.statements).collect(),
        },
    })
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Line { file, line } => format!("{file}:{line}"),
        Statement::Block(point) => format!("function {} instruction {}", point.function, point.instruction),
    }
}

/// The directions of the branches whose source is at hand.
fn branches(instrumented: &Instrumented, coverage: &Coverage) -> Requirements {
    let map = instrumented.map().branches();
    let mut names = Vec::new();
    let mut edges = Vec::new();
    for branch in instrumented.branches() {
        let place =
            branch.place.as_ref().map_or_else(|| format!("branch {}", branch.site), ToString::to_string);
        for direction in 0..map.directions(branch.site) {
            names.push(format!("{place}, direction {direction}"));
            edges.push(map.edge(branch.site, direction) as usize);
        }
    }
    let taken = |input: &InputCoverage| {
        edges.iter().enumerate().filter(|(_, edge)| input.edges.contains(**edge)).map(|(i, _)| i).collect()
    };
    Requirements { names, satisfied: coverage.inputs.iter().map(taken).collect() }
}
