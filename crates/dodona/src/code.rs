//! What works on code: on a target of another kind it says that it needs a WebAssembly module.

use std::sync::Arc;

use dodona_discovery::{DiscoverOptions, DiscoverProgress};
use dodona_generation::SearchOptions;
use dodona_mutation::{MutateOptions, MutateOutcome, MutateProgress};
use dodona_records::{DiscoveryRecord, ProofRecord, RelationProof};
use dodona_target::{Interruption, Target};
use dodona_workbench::{LabError, Workbench};

/// Tries to prove relations, given by their indices, on every path: [`dodona_generation::prove`]. `told` is told of each when it is judged.
///
/// # Errors
/// When the target is no WebAssembly module, there is no solver, or the host fails.
///
/// # Panics
/// When there is no such relation.
pub fn prove<T: Target + ?Sized>(
    workbench: &Workbench<T>,
    relations: &[usize],
    options: &SearchOptions,
    interrupted: &Interruption,
    told: &mut dyn FnMut(&RelationProof),
) -> Result<ProofRecord, LabError> {
    let module = dodona_wasm::needed(&workbench.any(), "a proof")?;
    dodona_generation::prove(&module, relations, options, interrupted, told)
}

/// Seeds faults into the functions under test and runs them against relations, inputs, or both: [`dodona_mutation::mutate()`].
///
/// # Errors
/// When the target is no WebAssembly module, a function or relation is not there, inputs cannot be drawn, or the host fails.
pub fn mutate<T: Target + ?Sized>(
    workbench: &Workbench<T>,
    options: &MutateOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<MutateOutcome, LabError> {
    let module = Arc::new(dodona_wasm::needed(&workbench.any(), "mutation analysis")?);
    dodona_mutation::mutate(&module, options, interrupted, progress)
}

/// Discovers relations of a function under test, given by its index, by the mutants that they catch: [`dodona_discovery::discover`].
/// [`laws`](crate::laws) looks for relations of any target.
///
/// # Errors
/// When the target is no WebAssembly module, the function cannot be searched, or the host fails.
///
/// # Panics
/// When there is no such function.
pub fn discover<T: Target + ?Sized>(
    workbench: &Workbench<T>,
    function: usize,
    options: &DiscoverOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<DiscoveryRecord, LabError> {
    let module = Arc::new(dodona_wasm::needed(
        &workbench.any(),
        "the choice of relations by the mutants that they catch",
    )?);
    dodona_discovery::discover(&module, function, options, interrupted, progress)
}
