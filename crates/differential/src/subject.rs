//! Modules and manifests opened as a user's are: from files, in a folder that is gone when the case is.

use dodona_lab::{LabError, Workbench};
use dodona_subject::Manifest;
use tempfile::TempDir;

/// A subject in a folder of its own.
pub(crate) struct Opened {
    pub(crate) workbench: Workbench,
    /// Sources and files of inputs are looked for here.
    _folder: TempDir,
}

impl Opened {
    /// Writes and opens a subject.
    ///
    /// # Errors
    /// When it cannot be opened: the module, the manifest or the relations are wrong.
    ///
    /// # Panics
    /// When no file can be written, or the manifest, which is ours, cannot be read.
    pub(crate) fn new(manifest: &str, wat: &str, relations: Option<&str>) -> Result<Opened, LabError> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.wat"), wat).expect("written");
        let mut text = manifest.to_owned();
        if let Some(relations) = relations {
            std::fs::write(folder.path().join("r.mr"), relations).expect("written");
            text = format!("relations = [\"r.mr\"]\n{text}");
        }
        let path = folder.path().join("dodona.toml");
        let manifest = Manifest::parse(&path, &text).unwrap_or_else(|e| panic!("{text}: {e:#?}"));
        Ok(Opened { workbench: Workbench::open(manifest)?, _folder: folder })
    }
}
