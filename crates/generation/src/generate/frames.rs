//! Inputs of the frames of a function. Frames are made of categories and choices, of which only the crate `frames` knows. It uses this
//! crate, and so hands in what makes their inputs.
//!
//! So `frames` stands in the table of techniques like any other, and what makes its inputs comes with the options.

use std::fmt;
use std::sync::Arc;

use dodona_subject::Function;
use dodona_target::Until;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use super::{GenerateOptions, InputColumns, Made};

/// What makes inputs of the frames of a function: as many as are wanted in all, or its own number for each frame.
#[derive(Clone)]
pub struct FrameMaker(Arc<MakeFrames>);

type MakeFrames = dyn Fn(&str, &GenerateOptions, &Until) -> Result<InputColumns, LabError> + Send + Sync;

impl FrameMaker {
    /// Takes what makes inputs of the frames of the function of a name.
    pub fn new(
        make: impl Fn(&str, &GenerateOptions, &Until) -> Result<InputColumns, LabError> + Send + Sync + 'static,
    ) -> FrameMaker {
        FrameMaker(Arc::new(make))
    }
}

impl fmt::Debug for FrameMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FrameMaker")
    }
}

/// Inputs of frames, in an order in which each frame has one before any has two.
pub(super) fn frames(
    _: &Workbench,
    function: &Function,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Made, LabError> {
    let Some(FrameMaker(make)) = &options.frames else {
        let name = &function.name;
        return Err(LabError::Sources(format!("nothing here makes inputs of the frames of `{name}`")));
    };
    let InputColumns { columns, warnings } = make(&function.name, options, until)?;
    Ok(Made { columns, paths: Vec::new(), search: None, warnings })
}
