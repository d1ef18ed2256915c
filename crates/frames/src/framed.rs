//! A subject with a file of categories and choices.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::identification::{Specification, function_of};
use dodona_generation::{GenerateOptions, SearchOptions, Technique, generate};
use dodona_target::{Diagnostic, Interruption, Signature, Target, user_file};
use dodona_workbench::{LabError, Workbench};

/// The name of the file beside a manifest.
const FILE: &str = "frames.toml";

/// A function under test with its categories and choices.
pub struct Framed {
    /// The subject.
    pub workbench: Arc<Workbench>,
    /// The function, by index.
    pub function: usize,
    /// The categories and choices of the file.
    pub specification: Specification,
    /// The file.
    pub file: PathBuf,
}

impl Framed {
    /// Reads the categories and choices of a function: from a file, else from `frames.toml` beside the manifest.
    ///
    /// # Errors
    /// When the file cannot be read or is wrong, or when the subject has several functions and neither the file nor the caller names one.
    pub fn open<T: Target + ?Sized>(
        workbench: &Workbench<T>,
        file: Option<&Path>,
        function: Option<&str>,
    ) -> Result<Framed, LabError> {
        let workbench = workbench.any();
        let beside = Framed::file_beside(workbench.folder());
        let file = file.map_or(beside, Path::to_path_buf);
        let text = user_file::text(&file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => LabError::Sources(format!(
                "{} does not exist; `dodona init --frames` drafts it",
                file.display()
            )),
            _ => LabError::Sources(format!("cannot read {}: {error}", file.display())),
        })?;
        let wrong = |problems: Vec<Diagnostic>| LabError::Relations {
            path: file.clone(),
            text: text.clone(),
            problems,
        };
        let named = function_of(&text).map_err(&wrong)?;
        let at_name =
            |span: &Range<usize>, message: String| wrong(vec![Diagnostic::new(span.clone(), message)]);
        let index = match (function, &named) {
            (Some(asked), Some((name, span))) if asked != name => {
                let message = format!("this file is about `{name}`, and `{asked}` is asked for");
                return Err(at_name(span, message));
            }
            (Some(asked), _) => workbench.function(asked)?,
            (None, Some((name, span))) => {
                workbench.function(name).map_err(|error| at_name(span, error.to_string()))?
            }
            (None, None) => workbench.only_function()?,
        };
        let declared = &workbench.functions()[index];
        let parameters: Vec<_> = declared.parameters.iter().map(|p| (p.name.clone(), p.ty)).collect();
        let specification = Specification::read(&text, &parameters, &declared.outputs).map_err(&wrong)?;
        Ok(Framed { workbench, function: index, specification, file })
    }

    /// The file of categories and choices in the folder of a manifest, `frames.toml`, whether it exists or not.
    pub fn file_beside(folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    /// The categories and choices of `frames.toml` beside the manifest, if there is such a file.
    ///
    /// # Errors
    /// As of [`Framed::open`].
    pub fn beside<T: Target + ?Sized>(workbench: &Workbench<T>) -> Result<Option<Framed>, LabError> {
        match Framed::file_beside(workbench.folder()).exists() {
            true => Framed::open(workbench, None, None).map(Some),
            false => Ok(None),
        }
    }

    /// The failure that no frame has an input: a mistake in the file, if there are [mistakes](crate::mistakes), or else too little time.
    pub fn no_input(&self, mistakes: &[String]) -> LabError {
        let why = match mistakes {
            [] => "no input of a frame was found; `dodona frames` says why".to_owned(),
            all => all.join("; "),
        };
        LabError::Sources(format!("{}: {why}", self.file.display()))
    }

    /// The subject as a module, if it is one: constants, comparisons and paths are read off its code. Other targets have inputs of the
    /// other origins alone.
    pub(crate) fn module(&self) -> Option<dodona_wasm::Workbench> {
        dodona_wasm::of(&self.workbench)
    }

    /// The function under test.
    pub fn declared(&self) -> &Signature {
        &self.workbench.functions()[self.function]
    }
}

/// Drafts a file of categories and choices, from the domains of the parameters and, of a module, from the conditions on the paths that
/// symbolic execution finds.
///
/// # Errors
/// When no solver is found, or the host fails.
pub fn draft(
    workbench: &Workbench,
    function: usize,
    search: &SearchOptions,
    interrupted: &Interruption,
) -> Result<String, LabError> {
    let declared = &workbench.functions()[function];
    let options =
        GenerateOptions { technique: Technique::Path, search: search.clone(), ..GenerateOptions::default() };
    let mut conditions = Vec::new();
    if let Some(module) = dodona_wasm::of(workbench).filter(|_| !declared.parameters.is_empty()) {
        let generated = generate(&module, function, &options, interrupted)?;
        let mut seen = BTreeSet::new();
        let all = generated.paths.iter().flat_map(|path| &path.constraint);
        conditions.extend(all.filter(|condition| seen.insert((*condition).clone())).cloned());
    }
    Ok(crate::identification::draft(&declared.name, &declared.parameters, &declared.outputs, &conditions))
}
