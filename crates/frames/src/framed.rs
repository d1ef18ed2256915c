//! A subject with a file of categories and choices.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::identification::{Specification, call_of, function_of};
use dodona_generation::{GenerateOptions, SearchOptions, Technique, generate};
use dodona_relations::ast::{self, Expression};
use dodona_target::{Diagnostic, Interruption, Signature, user_file};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

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
    pub fn open(
        workbench: &Arc<Workbench>,
        file: Option<&Path>,
        function: Option<&str>,
    ) -> Result<Framed, LabError> {
        let beside = workbench.target.manifest.path.parent().unwrap_or(Path::new(".")).join(FILE);
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
        Ok(Framed { workbench: Arc::clone(workbench), function: index, specification, file })
    }

    /// The function under test.
    pub fn declared(&self) -> &Signature {
        &self.workbench.functions()[self.function]
    }

    /// The call `f(a, b)`, with the expressions of `changed` in place of some parameters.
    pub(crate) fn call(&self, changed: &[(usize, Expression)]) -> Expression {
        call_of(self.declared(), changed)
    }

    /// One output of a call: the call itself if it has only one, else for example `f(a, b).stdout`.
    pub(crate) fn output(&self, call: Expression, output: usize) -> Expression {
        ast::output(call, self.specification.results[output].name.selector())
    }
}

/// Drafts a file of categories and choices, from the domains of the parameters and from the conditions on the paths that symbolic execution
/// finds.
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
    if !declared.parameters.is_empty() {
        let generated = generate(workbench, function, &options, interrupted)?;
        let mut seen = BTreeSet::new();
        let all = generated.paths.iter().flat_map(|path| &path.constraint);
        conditions.extend(all.filter(|condition| seen.insert((*condition).clone())).cloned());
    }
    Ok(crate::identification::draft(&declared.name, &declared.parameters, &declared.outputs, &conditions))
}
