//! The source files of a module: what each is called, and where it lies.
//!
//! Compilers record paths relative to the folder that they ran in, so that files of two crates have the same: every crate has a
//! `src/lib.rs`. A name here stands for one file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::{Dwarf, Package, Unit, package};

/// A source file.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Its path, from the folder that it was compiled in.
    pub(super) path: PathBuf,
    pub(super) package: Package,
}

/// Names of files.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// The full paths that each relative path stands for.
    meanings: BTreeMap<String, BTreeSet<String>>,
    /// The files that were asked for, by name.
    pub(super) named: BTreeMap<String, File>,
}

impl Files {
    /// Notes the files of a unit: a name is chosen when those of all units are known.
    pub(super) fn note(&mut self, dwarf: &Dwarf<'_>, unit: &Unit<'_>) -> Result<(), gimli::Error> {
        let Some(program) = &unit.line_program else { return Ok(()) };
        // From 0 in DWARF 5, from 1 before; there is none at the other end.
        for index in 0..=program.header().file_names().len() as u64 {
            let Some(recorded) = recorded(dwarf, unit, index)? else { continue };
            let full = full(unit, &recorded);
            if !recorded.starts_with('/') && package::of(&full).0 == Package::Local {
                self.meanings.entry(recorded).or_default().insert(full);
            }
        }
        Ok(())
    }

    /// The name of a unit's file by its index.
    pub(super) fn name(
        &mut self,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        index: u64,
    ) -> Result<String, gimli::Error> {
        let Some(recorded) = recorded(dwarf, unit, index)? else { return Ok("?".into()) };
        let full = full(unit, &recorded);
        let (package, rest) = package::of(&full);
        let name = match package {
            Package::Local => self.local(recorded, &full, unit),
            Package::Crate(_) | Package::Standard(_) | Package::Glue => rest.to_owned(),
        };
        self.named.entry(name.clone()).or_insert_with(|| File { path: full.into(), package });
        Ok(name)
    }

    /// The name of a file of nobody else: the path as it was typed; where that stands for several files, also the folder that this one
    /// was compiled in; where that does not tell them apart, the full path.
    fn local(&self, recorded: String, full: &str, unit: &Unit<'_>) -> String {
        let Some(meanings) = self.meanings.get(&recorded).filter(|meanings| meanings.len() > 1) else {
            return recorded;
        };
        let folder = unit.comp_dir.map(|dir| dir.to_string_lossy().into_owned()).unwrap_or_default();
        let last = Path::new(&folder).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = format!("{}/{recorded}", last.unwrap_or_default());
        let ends = format!("/{name}");
        let alike = meanings.iter().filter(|path| path.ends_with(&ends)).count();
        if alike == 1 && full.ends_with(&ends) { name } else { full.to_owned() }
    }
}

/// The path of a unit's file as recorded; relative to the compilation folder where it lies there.
fn recorded(dwarf: &Dwarf<'_>, unit: &Unit<'_>, index: u64) -> Result<Option<String>, gimli::Error> {
    let Some(header) = unit.line_program.as_ref().map(|program| program.header()) else { return Ok(None) };
    let Some(file) = header.file(index) else { return Ok(None) };
    let name = dwarf.attr_string(unit, file.path_name())?.to_string_lossy().into_owned();
    let folder = match file.directory(header) {
        // Directory 0 is the compilation folder: leaving it out keeps paths as the user typed them.
        Some(directory) if file.directory_index() != 0 => {
            dwarf.attr_string(unit, directory)?.to_string_lossy().into_owned()
        }
        _ => String::new(),
    };
    Ok(Some(if folder.is_empty() || name.starts_with('/') { name } else { format!("{folder}/{name}") }))
}

/// A recorded path from the folder that a unit was compiled in, without `.` and `..`.
fn full(unit: &Unit<'_>, recorded: &str) -> String {
    let folder = unit.comp_dir.map(|dir| dir.to_string_lossy().into_owned()).unwrap_or_default();
    let mut full = PathBuf::new();
    // An absolute path stays itself when it is joined to a folder.
    for part in Path::new(&folder).join(recorded).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if full.file_name().is_some() => {
                full.pop();
            }
            part => full.push(part),
        }
    }
    full.to_string_lossy().into_owned()
}
