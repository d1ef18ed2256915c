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
    /// Those of each technique.
    pub(super) made: Vec<MadeRows>,
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
    /// Makes the inputs of a function.
    pub(super) fn make_inputs(&mut self, function: usize) -> Result<(), RunError> {
        let (workbench, how, name) = (self.workbench, self.how, self.name(function));
        let code = self.depends.code(function);
        let key = self.depends.begin(Step::Inputs.name()).with(code.bytes());
        let paths =
            self.piece(Step::Inputs, &name, key.clone().key(), || along_paths(workbench, function, how))?;
        let mut made = vec![paths.unwrap_or_default()];
        let mut whole = key.clone().key();
        let of_function = |frames: &Arc<OfFrames>| frames.framed.function == function;
        if let Some(frames) = self.frames.clone().filter(of_function) {
            whole = key.with("frames").with(&frames.text).key();
            self.planned += 1;
            let about = format!("frames of {name}");
            let rows = self.piece(Step::Inputs, &about, whole, || of_frames(workbench, function, how))?;
            made.extend(rows);
        }
        for rows in &made {
            let of = |warning: &String| format!("{name}, inputs by {}: {warning}", rows.technique());
            self.record.warnings.extend(rows.warnings.iter().map(of));
            self.record.contradictions.extend(rows.contradictions.iter().cloned());
        }
        self.inputs.push(FunctionInputs { key: whole, made });
        Ok(())
    }

    /// The inputs that were made for some functions.
    pub(super) fn made_for(&self, functions: &BTreeSet<usize>) -> Vec<MadeInputs> {
        let of = |function: &usize| {
            let rows = self.inputs[*function].made.iter();
            rows.map(|rows| rows.inputs(self.workbench, *function)).collect::<Vec<_>>()
        };
        functions.iter().flat_map(of).collect()
    }

    /// A key with the inputs of some functions in it.
    pub(super) fn with_inputs(&self, key: KeyBuilder, functions: &BTreeSet<usize>) -> KeyBuilder {
        let key = key.with(self.how.options.inputs.to_le_bytes());
        functions.iter().fold(key, |key, function| key.with(self.inputs[*function].key.bytes()))
    }
}
