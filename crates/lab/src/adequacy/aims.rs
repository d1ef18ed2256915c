//! What a criterion asks for of one function, whether it speaks of code or of frames.

use std::num::NonZeroUsize;

use dodona_frames::{Asked, FrameCriterion, Framed, FramesOptions, Samples, mistakes, requirements, samples};
use dodona_generation::{CoveredFunction, GenerateOptions, Order, StatementScope, generate_with};
use dodona_target::{Column, Interruption};
use dodona_workbench::{LabError, Workbench};

use super::code::{CodeCriterion, code_requirements};

/// A criterion for test cases (section IV-D of the study of k-MR coverage).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// What of the code source inputs are to run.
    Code(CodeCriterion),
    /// What of the frames they are to cover.
    Frames(FrameCriterion),
}

impl Criterion {
    /// All criteria, in the order of the study.
    pub const ALL: [Criterion; 5] = [
        Criterion::Code(CodeCriterion::Statement),
        Criterion::Code(CodeCriterion::Branch),
        Criterion::Frames(FrameCriterion::Choice),
        Criterion::Frames(FrameCriterion::ChoicePair),
        Criterion::Frames(FrameCriterion::IoFrame),
    ];

    /// `statement`, `branch`, `i-choice`, `i-choice-pair` or `io-ctf`.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Code(criterion) => criterion.name(),
            Criterion::Frames(criterion) => criterion.name(),
        }
    }
}

/// Frames of a function with their inputs.
pub type FramesWithInputs = (Framed, Samples);

/// The frames of a function, from `frames.toml` or another file, with their inputs.
///
/// # Errors
/// When the file cannot be read or is wrong, when no frame has an input, or when the host fails.
pub fn frames_with_inputs(
    workbench: &Workbench,
    function: usize,
    file: Option<&std::path::Path>,
    options: &FramesOptions,
    interrupted: &Interruption,
) -> Result<FramesWithInputs, LabError> {
    let name = &workbench.functions()[function].name;
    let framed = Framed::open(workbench, file, Some(name))?;
    let samples = samples(&framed, options, interrupted)?;
    if samples.rows() == 0 {
        return Err(framed.no_input(&mistakes(&framed, &samples)));
    }
    Ok((framed, samples))
}

/// What a criterion asks for of one function.
pub enum Aims<'a> {
    /// A criterion of code.
    Code(CodeCriterion, CoveredFunction),
    /// A criterion of frames.
    Frames(FrameCriterion, &'a FramesWithInputs),
}

impl<'a> Aims<'a> {
    /// The aims of a criterion of code.
    ///
    /// # Errors
    /// When the host fails.
    pub fn code(
        workbench: &Workbench,
        function: usize,
        criterion: CodeCriterion,
    ) -> Result<Aims<'a>, LabError> {
        let covered = CoveredFunction::of(workbench, function, StatementScope::AtHand, Order::Left)?;
        Ok(Aims::Code(criterion, covered))
    }

    /// The criterion.
    pub fn criterion(&self) -> Criterion {
        match self {
            Aims::Code(criterion, _) => Criterion::Code(*criterion),
            Aims::Frames(criterion, _) => Criterion::Frames(*criterion),
        }
    }

    /// The requirements, and which of them each source input satisfies. Of code no input is known besides.
    ///
    /// # Errors
    /// When the host fails.
    pub fn requirements(
        &self,
        columns: &[Column],
        jobs: NonZeroUsize,
        interrupted: &Interruption,
    ) -> Result<Asked, LabError> {
        match self {
            Aims::Code(criterion, covered) => {
                let requirements = code_requirements(covered, *criterion, columns, jobs, interrupted)?;
                Ok(Asked { shown: Vec::new(), open: Vec::new(), requirements })
            }
            Aims::Frames(criterion, frames) => requirements(&frames.0, &frames.1, *criterion, columns),
        }
    }

    /// Further inputs that may satisfy what random ones do not: those along paths, or those of frames.
    pub(super) fn further(
        &self,
        workbench: &Workbench,
        options: &GenerateOptions,
        interrupted: &Interruption,
    ) -> Result<Vec<Column>, LabError> {
        match self {
            Aims::Code(_, covered) => {
                let module = dodona_wasm::needed(workbench, "a search along paths")?;
                match covered {
                    CoveredFunction::Module(instrumented) => {
                        Ok(generate_with(&module, instrumented, options, interrupted)?.columns)
                    }
                    CoveredFunction::Traced(_) => Ok(Vec::new()),
                }
            }
            Aims::Frames(_, frames) => Ok(frames.1.columns.clone()),
        }
    }
}
