//! The order in which inputs of a function are run.

use crate::adequacy::prioritise::{Prioritisation, adaptive, additional, by_distance, random, total};
use dodona_sources::{Seed, adaptive::Distance};
use dodona_target::{Column, Signature};
use fixedbitset::FixedBitSet;

use crate::InputCoverage;

/// Puts inputs in order by what each covers, as [`crate::Detail::Inputs`] gives it. The columns are those of all inputs;
/// inputs are [`Distance`] apart where that is asked for. Distances of many long texts or paths take minutes: while they are computed,
/// `go_on` is asked, and if it returns false, the order has only the inputs that come first.
///
/// # Panics
/// When the columns do not have as many rows as there are inputs, or the order of statements is asked for and was not noted
/// ([`crate::Instrumented::with_order`]).
pub fn prioritise(
    technique: Prioritisation,
    function: &Signature,
    columns: &[Column],
    inputs: &[InputCoverage],
    seed: Seed,
    go_on: &dyn Fn() -> bool,
) -> Vec<usize> {
    match technique {
        Prioritisation::Path => additional(&statements(inputs)),
        Prioritisation::Total => total(&statements(inputs)),
        Prioritisation::AdditionalBranch => {
            additional(&inputs.iter().map(|input| input.edges.clone()).collect::<Vec<_>>())
        }
        Prioritisation::Random => random(inputs.len(), seed.0),
        Prioritisation::Sequence(distance) => {
            let paths: Vec<&[u32]> = inputs.iter().map(path).collect();
            by_distance(distance, &paths, go_on)
        }
        Prioritisation::Adaptive => {
            let distance = Distance::of(&function.parameters);
            let points = distance.points(columns);
            adaptive(inputs.len(), seed.0, &mut |a, b| distance.between(&points, a, &points, b), go_on)
        }
    }
}

/// The statements that an input runs, one after the other.
fn path(input: &InputCoverage) -> &[u32] {
    let sequence = input.sequence.as_ref().expect("the order of statements is noted");
    &sequence.statements
}

/// The statements that each input covers.
pub fn statements(inputs: &[InputCoverage]) -> Vec<FixedBitSet> {
    inputs.iter().map(|input| input.statements.clone()).collect()
}
