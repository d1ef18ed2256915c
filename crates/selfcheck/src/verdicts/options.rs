//! What a case asks of mutation analysis and of the search for proofs.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::{Choices, solver};
use dodona_generation::{Bounds, SearchOptions};
use dodona_mutation::{Callees, KeepMatrix, MutateOptions, MutationBounds, OperatorSet};
use dodona_records::{Against, Mode, Pruning};
use dodona_sources::Seed;

/// Mutation operators of a case.
const OPERATORS: usize = 4;

/// A few mutation operators: with all of them most of a case is the same compilation again.
fn operators(choices: &mut Choices<'_>) -> OperatorSet {
    let all: Vec<&str> = OperatorSet::all().iter().map(|operator| operator.code()).collect();
    let some: Vec<&str> = (0..OPERATORS).map(|_| choices.one_of(&all)).collect();
    OperatorSet::parse(&some).unwrap_or_else(|_| OperatorSet::all())
}

/// Mutants of a few operators, against so many random inputs.
pub(crate) fn mutate_options(choices: &mut Choices<'_>, inputs: u64) -> MutateOptions {
    MutateOptions {
        functions: vec![],
        callees: Callees::Included,
        operators: operators(choices),
        relations: vec![],
        against: Against::Inputs,
        inputs,
        files: vec![],
        made: vec![],
        seed: Seed(choices.bits()),
        jobs: NonZeroUsize::MIN,
        mode: Mode::StopAtKill,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

/// A search that ends soon: a case is to take less than a second.
pub(crate) fn search_options(choices: &mut Choices<'_>) -> SearchOptions {
    SearchOptions {
        longest: 2,
        bounds: Bounds { queries: 8, ..Bounds::default() },
        time: Some(Duration::from_millis(500)),
        query_time: Some(Duration::from_millis(25)),
        solver: solver(choices.below(2)),
        ..SearchOptions::default()
    }
}
