//! Requirements of the criteria that speak of code: statements, and directions of branches.

use std::num::NonZeroUsize;

use dodona_generation::{CoveredFunction, Detail, InputCoverage, adequacy::Requirements};
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
    covered: &CoveredFunction,
    criterion: CodeCriterion,
    columns: &[Column],
    jobs: NonZeroUsize,
    interrupted: &Interruption,
) -> Result<Requirements, LabError> {
    let coverage = covered.cover(vec![columns.to_vec()], Detail::Inputs, jobs, interrupted, &mut |_| {})?;
    if criterion == CodeCriterion::Statement {
        return Ok(Requirements {
            names: covered.statement_names(),
            satisfied: coverage.inputs.into_iter().map(|input| input.statements).collect(),
        });
    }
    let (names, edges): (Vec<String>, Vec<usize>) = covered.directions().into_iter().unzip();
    let taken = |input: &InputCoverage| {
        edges.iter().enumerate().filter(|(_, edge)| input.edges.contains(**edge)).map(|(i, _)| i).collect()
    };
    Ok(Requirements { names, satisfied: coverage.inputs.iter().map(taken).collect() })
}
