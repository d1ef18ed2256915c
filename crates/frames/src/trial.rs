//! Applies a change to all samples: makes the follow-up inputs, determines their frames, and calls the function on them.

use crate::identification::{Frame, JointChange, classify};
use dodona_relations::{FollowUp, FollowUpInputs, ast::Expression};
use dodona_target::{Caller as _, Calls, Column};
use dodona_workbench::{LabError, SubjectCaller};

use crate::framed::Framed;
use crate::samples::Samples;

/// The executions of source and follow-up inputs under one change.
pub(crate) struct Trial {
    /// The sample of each row.
    pub(crate) sources: Vec<u32>,
    /// The frame of each follow-up input.
    pub(crate) frames: Vec<Option<Frame>>,
    /// The output choices of each follow-up input.
    pub(crate) outputs: Vec<Option<Frame>>,
    /// Whether the follow-up call did not return: no relation holds there.
    pub(crate) failed: Vec<bool>,
    /// Whether the follow-up input differs from the source input.
    pub(crate) changed: Vec<bool>,
    /// The follow-up inputs, one column for each parameter.
    pub(crate) follow_ups: Vec<Column>,
    /// The outputs of the source inputs, one column for each output.
    pub(crate) before: Vec<Column>,
    /// The outputs of the follow-up inputs, one column for each output.
    pub(crate) after: Vec<Column>,
}

/// Runs the follow-up inputs of all samples. Follow-up inputs outside the domain are left out, and so are samples whose source call did not
/// return. `None` if the change does not fit the function, for example if its constant is no value of the parameter's type.
///
/// # Errors
/// When the host fails.
pub(crate) fn trial(
    framed: &Framed,
    samples: &Samples,
    change: &JointChange,
    caller: &mut SubjectCaller,
) -> Result<Option<Trial>, LabError> {
    let declared = framed.declared();
    let calls = [&[], change.values().as_slice()].map(|changed| Expression::call(declared, changed));
    let [source, follow_up] = &calls;
    let functions = framed.workbench.functions();
    let Ok(change) = FollowUp::compile(framed.function, source, follow_up, functions) else {
        return Ok(None);
    };
    let made = change.inputs(&samples.columns, &samples.calls)?;
    if made.rows.is_empty() {
        return Ok(None);
    }
    let calls = caller.call(framed.function, &made.arguments)?;
    Ok(Some(sorted(framed, samples, made, &calls)))
}

fn sorted(framed: &Framed, samples: &Samples, made: FollowUpInputs, calls: &Calls) -> Trial {
    let FollowUpInputs { rows: sources, arguments } = made;
    let specification = &framed.specification;
    let is_changed = |i: usize| {
        arguments.iter().zip(&samples.columns).any(|(new, old)| !new.same(i, old, sources[i] as usize))
    };
    Trial {
        frames: classify(&specification.inputs, &arguments, sources.len()).frames,
        outputs: classify(&specification.outputs, &calls.outputs, sources.len()).frames,
        failed: calls.outcomes.iter().map(|outcome| !outcome.has_outputs()).collect(),
        changed: (0..sources.len()).map(is_changed).collect(),
        before: samples.calls.outputs.iter().map(|column| column.select(&sources)).collect(),
        after: calls.outputs.clone(),
        sources,
        follow_ups: arguments,
    }
}
