//! Modules and manifests opened as a user's are: from files, in a folder that is gone when the case is.

use std::sync::Arc;

use dodona_subject::Manifest;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;
use tempfile::TempDir;

use crate::choices::Choices;
use crate::{Case, Defect, modules};

/// A subject in a folder of its own.
pub struct OpenedSubject {
    /// The subject, opened.
    pub workbench: Arc<Workbench>,
    /// Sources and files of inputs are looked for here.
    _folder: TempDir,
}

impl OpenedSubject {
    /// Writes and opens a subject.
    ///
    /// # Errors
    /// When it cannot be opened: the module is wrong, or is not as the manifest says.
    ///
    /// # Panics
    /// When no file can be written, or the manifest, which is ours, cannot be read.
    pub fn new(manifest: &str, wat: &str) -> Result<OpenedSubject, LabError> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.wat"), wat).expect("written");
        let path = folder.path().join("dodona.toml");
        let manifest = Manifest::parse(&path, manifest).unwrap_or_else(|e| panic!("{manifest}: {e:#?}"));
        Ok(OpenedSubject { workbench: Arc::new(dodona_wasm::open(manifest)?), _folder: folder })
    }
}

/// Runs a check on the random module that the first of the bytes make. The remaining bytes are the choices of the check; a defect is
/// reported together with the module.
///
/// # Errors
/// When the check finds a defect, or the module, which is valid, is refused.
pub fn on_random_module(
    bytes: &[u8],
    check: impl FnOnce(&mut Choices<'_>, &Arc<Workbench>) -> Result<Case, Defect>,
) -> Result<Case, Defect> {
    let (mut module, mut choices) = Choices::split(bytes);
    let random = modules::draw(&mut module);
    let opened = match OpenedSubject::new(&random.manifest, &random.wat) {
        Ok(opened) => opened,
        Err(error) => {
            return Err(Defect::new(format!("a valid module is refused: {error}")).with(&random.wat));
        }
    };
    check(&mut choices, &opened.workbench)
        .map_err(|defect| defect.with(&format!("{}\n{}", random.manifest, random.wat)))
}
