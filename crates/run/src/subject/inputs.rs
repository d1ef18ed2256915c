//! The inputs that are made for each function, beside random ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use dodona_frames::Framed;
use dodona_session::{Key, KeyBuilder};
use dodona_target::user_file;
use dodona_wasm::Workbench;
use dodona_workbench::MadeInputs;

use super::Run;
use crate::steps::{MadeRows, along_paths, of_frames};
use crate::{RunError, Step};

/// The inputs that were made for a function.
pub(super) struct FunctionInputs {
    /// What they depend on.
    pub(super) key: Key,
    /// Those of each technique, once they are made.
    pub(super) made: Option<Vec<MadeRows>>,
}

/// The function that a file of categories and choices is about.
pub(super) struct OfFrames {
    pub(super) framed: Framed,
    /// The text of the file.
    pub(super) text: String,
}

impl OfFrames {
    /// From the file beside the manifest, if there is one.
    ///
    /// # Errors
    /// When it is wrong, in words.
    pub(super) fn beside(workbench: &Workbench) -> Result<Option<OfFrames>, String> {
        let Some(framed) = Framed::beside(workbench).map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let text = user_file::text(&framed.file).map_err(|error| error.to_string())?;
        Ok(Some(OfFrames { framed, text }))
    }
}

impl Run<'_, '_, '_> {
    /// What the inputs of a function depend on. None are made.
    pub(super) fn inputs_of(&mut self, function: usize) -> FunctionInputs {
        let key = self.paths_key(function);
        let key = match self.frames_of(function) {
            Some(frames) => key.with("frames").with(&frames.text),
            None => key,
        };
        FunctionInputs { key: key.key(), made: None }
    }

    /// Makes the inputs of functions, unless they are made.
    pub(super) fn make_inputs(&mut self, functions: &BTreeSet<usize>) -> Result<(), RunError> {
        for &function in functions {
            if self.inputs[function].made.is_none() {
                self.make_inputs_of(function)?;
            }
        }
        Ok(())
    }

    fn make_inputs_of(&mut self, function: usize) -> Result<(), RunError> {
        let (workbench, how, name) = (self.workbench, self.how, self.name(function));
        let key = self.paths_key(function).key();
        let paths = self.piece(Step::Inputs, &name, key, || along_paths(workbench, function, how))?;
        let mut made = vec![paths.unwrap_or_default()];
        if self.frames_of(function).is_some() {
            self.planned += 1;
            let (about, key) = (format!("frames of {name}"), self.inputs[function].key);
            let rows = self.piece(Step::Inputs, &about, key, || of_frames(workbench, function, how))?;
            made.extend(rows);
        }
        for rows in &made {
            let of = |warning: &String| format!("{name}, inputs by {}: {warning}", rows.technique());
            self.record.warnings.extend(rows.warnings.iter().map(of));
            self.record.contradictions.extend(rows.contradictions.iter().cloned());
        }
        self.inputs[function].made = Some(made);
        Ok(())
    }

    /// The key of a function's inputs along its paths.
    fn paths_key(&mut self, function: usize) -> KeyBuilder {
        let code = self.depends.code(function);
        self.depends.begin(Step::Inputs.name()).with(code.bytes())
    }

    /// The categories and choices of a function, if it has a file of them.
    fn frames_of(&self, function: usize) -> Option<Arc<OfFrames>> {
        self.frames.clone().filter(|frames| frames.framed.function == function)
    }

    /// The inputs of a function by each technique, which are made if they are not yet.
    pub(super) fn rows_for(&mut self, function: usize) -> Result<Vec<MadeRows>, RunError> {
        self.make_inputs(&[function].into())?;
        Ok(self.inputs[function].made.clone().unwrap_or_default())
    }

    /// The inputs of some functions, which are made if they are not yet.
    pub(super) fn made_for(&mut self, functions: &BTreeSet<usize>) -> Result<Vec<MadeInputs>, RunError> {
        self.make_inputs(functions)?;
        let of = |function: &usize| {
            let rows = self.inputs[*function].made.iter().flatten();
            rows.map(|rows| rows.inputs(self.workbench, *function)).collect::<Vec<_>>()
        };
        Ok(functions.iter().flat_map(of).collect())
    }

    /// A key with the inputs of some functions in it.
    pub(super) fn with_inputs(&self, key: KeyBuilder, functions: &BTreeSet<usize>) -> KeyBuilder {
        let key = key.with(self.how.options.inputs.to_le_bytes());
        functions.iter().fold(key, |key, function| key.with(self.inputs[*function].key.bytes()))
    }
}
