//! The file of accepted mutants of a subject.

use std::path::PathBuf;

use dodona_mutants::AcceptedMutants;
use dodona_target::user_file;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

/// The path of the file of accepted mutants of a subject.
pub(crate) fn path(workbench: &Workbench) -> PathBuf {
    AcceptedMutants::path(&workbench.target.manifest.path)
}

/// The accepted mutants of a subject; none where there is no such file.
pub(crate) fn read(workbench: &Workbench) -> Result<AcceptedMutants, LabError> {
    let path = path(workbench);
    let text = match user_file::text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(AcceptedMutants::default()),
        Err(error) => {
            let message = format!("cannot read the accepted mutants in {}: {error}", path.display());
            return Err(LabError::Mutant(message));
        }
    };
    AcceptedMutants::parse(&text).map_err(|problem| LabError::Accepted {
        path,
        text,
        problem: Box::new(problem),
    })
}
