//! What users do with single mutants: accept one, list them, or write one as a module of its own.

use std::path::PathBuf;

use dodona_mutants::{Mutant, Mutants, alone, fingerprints};
use dodona_records::{MutantId, MutationRecord};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, lock, write_atomically};

use crate::accepted::{path, read};
use crate::set::MutantSet;
use crate::{MutateOptions, record};

/// Records that a person has accepted a mutant; returns the path of the file that says so.
///
/// # Errors
/// When there is no such mutant, the reason is empty, or the file cannot be read or written.
pub fn accept(
    workbench: &Workbench,
    options: &MutateOptions,
    id: MutantId,
    reason: &str,
) -> Result<PathBuf, LabError> {
    with_mutant(workbench, options, id, |all, mutant| {
        // Without a lock, an entry that another process writes between our reading and our writing would be lost.
        let _held = lock(&workbench.target.manifest.path);
        let mut accepted = read(workbench)?;
        let fingerprint = fingerprints(all)[mutant.id.0 as usize - 1].clone();
        accepted.accept(fingerprint, reason).map_err(|error| LabError::Mutant(error.to_string()))?;
        let path = path(workbench);
        write_atomically(&path, accepted.print().as_bytes())
            .map_err(|error| LabError::Mutant(format!("cannot write {}: {error}", path.display())))?;
        Ok(path)
    })
}

/// The bytes of a module that is the original with this mutant.
///
/// # Errors
/// When there is no such mutant.
pub fn emit(workbench: &Workbench, options: &MutateOptions, id: MutantId) -> Result<Vec<u8>, LabError> {
    with_mutant(workbench, options, id, |all, mutant| {
        let module =
            alone(&workbench.target.module, all, mutant).map_err(|e| LabError::Mutants(e.to_string()))?;
        Ok(module.bytes().to_vec())
    })
}

/// The mutants that an analysis would run, and those that it would leave out. No mutant is run.
///
/// # Errors
/// When there is no function of a name.
pub fn list(workbench: &Workbench, options: &MutateOptions) -> Result<MutationRecord, LabError> {
    let set = MutantSet::generate(workbench, options)?;
    record::listed(workbench, options, &set)
}

fn with_mutant<T>(
    workbench: &Workbench,
    options: &MutateOptions,
    id: MutantId,
    work: impl FnOnce(&Mutants<'_>, &Mutant) -> Result<T, LabError>,
) -> Result<T, LabError> {
    let set = MutantSet::generate(workbench, options)?;
    let all = set.all();
    match all.mutants.binary_search_by_key(&id, |mutant| mutant.id) {
        Ok(place) => work(all, &all.mutants[place]),
        Err(_) => Err(LabError::UnknownMutant {
            id,
            hint: match all.mutants.last() {
                Some(last) => format!("they go from M1 to {}", last.id),
                None => "there are none".to_owned(),
            },
        }),
    }
}
