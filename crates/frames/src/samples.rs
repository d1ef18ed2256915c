//! The inputs of each frame, with the outputs of the function.

use std::collections::HashMap;

use crate::identification::{Frame, IoFrame, Misfit, classify};
use dodona_target::{Caller, Calls, Column, Value};
use dodona_workbench::{LabError, inputs::columns};

use crate::framed::Framed;

/// Whether a frame is known to have inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameState {
    /// Some input belongs to it.
    Possible,
    /// A solver proved that no input belongs to it.
    Impossible,
    /// No input was found, and no proof that there is none. The text says why.
    Unknown(String),
}

/// How an input was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputOrigin {
    /// Drawn at random.
    Random,
    /// Given by the solver: an input of a frame that no random input belongs to, one with an output that no other input of its frame gives,
    /// or one that shows a mistake in the file.
    Solver,
    /// An input of some frame, with one or all of its parameters changed a little.
    Near,
    /// Found by symbolic execution along a path that inputs of a frame take.
    Path,
    /// A fresh input that refuted a relation.
    Refuting,
}

impl InputOrigin {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            InputOrigin::Random => "random",
            InputOrigin::Solver => "solver",
            InputOrigin::Near => "near",
            InputOrigin::Path => "path",
            InputOrigin::Refuting => "refuting",
        }
    }
}

/// Choices of outputs: of each of some categories one, by number.
pub type OutputChoices = Vec<(usize, u16)>;

/// Choices of outputs of which it is not known whether further frames have inputs that give them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOutputs {
    /// The choices.
    pub outputs: OutputChoices,
    /// In how many frames it is not known.
    pub frames: usize,
    /// Why nobody knows.
    pub why: String,
}

/// Inputs of frames, with the outputs of the function.
pub struct Samples {
    /// The frames that the constraints allow.
    pub frames: Vec<Frame>,
    /// Whether each frame is known to have inputs.
    pub states: Vec<FrameState>,
    /// The inputs, one column for each parameter.
    pub columns: Vec<Column>,
    /// The frame of each input, by number.
    pub frame_of: Vec<u32>,
    /// How each input was found.
    pub origins: Vec<InputOrigin>,
    /// How the call on each input ended, and its outputs.
    pub calls: Calls,
    /// The output choices of each input; `None` if the call did not return, or if no choice or several choices of an output category hold.
    pub outputs: Vec<Option<Frame>>,
    /// Input categories whose choices leave a gap or overlap, each with an input that shows it.
    pub misfits: Vec<(Misfit, Vec<Value>)>,
    /// The same for output categories, with an input whose output shows it.
    pub output_misfits: Vec<(Misfit, Vec<Value>)>,
    /// Inputs of frames that the constraints forbid, one for each such frame.
    pub forbidden: Vec<(Frame, Vec<Value>)>,
    /// Choices of outputs of which it is not known whether inputs of further frames give them. Without any, the samples show every
    /// input-and-output-based frame that there is.
    pub open: Vec<OpenOutputs>,
    /// Steps that were left out or not finished, in words.
    pub warnings: Vec<String>,
}

impl Samples {
    /// The number of inputs.
    pub fn rows(&self) -> usize {
        self.frame_of.len()
    }

    /// Whether a frame has inputs, or may have some.
    pub(crate) fn may_be(&self, frame: u32) -> bool {
        self.states[frame as usize] != FrameState::Impossible
    }

    /// How many inputs each frame has.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.frames.len()];
        self.frame_of.iter().for_each(|frame| counts[*frame as usize] += 1);
        counts
    }

    /// The input-and-output-based frames that occur, with the number of inputs of each.
    pub fn io_frames(&self) -> Vec<(IoFrame, u64)> {
        let mut found: HashMap<IoFrame, u64> = HashMap::new();
        for (frame, output) in self.frame_of.iter().zip(&self.outputs) {
            if let Some(output) = output {
                let input = self.frames[*frame as usize].clone();
                *found.entry(IoFrame { input, output: output.clone() }).or_default() += 1;
            }
        }
        let mut all: Vec<(IoFrame, u64)> = found.into_iter().collect();
        all.sort();
        all
    }

    /// A selection of about `most` inputs; `None` if there are no more than that. Each frame keeps at most `most` divided by the number of
    /// frames, but at least one. It keeps the last ones, because inputs that refuted a relation were added last.
    pub(crate) fn at_most(&self, most: usize) -> Option<Samples> {
        if self.rows() <= most {
            return None;
        }
        let each = (most / self.frames.len().max(1)).max(1);
        let mut counts = vec![0; self.frames.len()];
        let mut rows: Vec<u32> = (0..self.rows() as u32).rev().collect();
        rows.retain(|row| {
            let count = &mut counts[self.frame_of[*row as usize] as usize];
            *count += 1;
            *count <= each
        });
        rows.reverse();
        let select = |columns: &[Column]| columns.iter().map(|column| column.select(&rows)).collect();
        let of = |row: &u32| *row as usize;
        Some(Samples {
            frames: self.frames.clone(),
            states: self.states.clone(),
            columns: select(&self.columns),
            frame_of: rows.iter().map(|row| self.frame_of[of(row)]).collect(),
            origins: rows.iter().map(|row| self.origins[of(row)]).collect(),
            calls: Calls {
                outcomes: rows.iter().map(|row| self.calls.outcomes[of(row)]).collect(),
                outputs: select(&self.calls.outputs),
            },
            outputs: rows.iter().map(|row| self.outputs[of(row)].clone()).collect(),
            misfits: Vec::new(),
            output_misfits: Vec::new(),
            forbidden: Vec::new(),
            open: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// The values of one input.
    pub fn values(&self, row: usize) -> Vec<Value> {
        self.columns.iter().map(|column| column.value(row)).collect()
    }

    /// Adds inputs, and runs all inputs again. Inputs that belong to no frame show what is wrong with the categories or the constraints. If
    /// the run fails or is given up, nothing is added.
    pub(crate) fn add(
        &mut self,
        framed: &Framed,
        inputs: &[Vec<Value>],
        origin: InputOrigin,
        caller: &mut dyn Caller,
    ) -> Result<(), LabError> {
        if inputs.is_empty() {
            return Ok(());
        }
        let numbers: HashMap<&Frame, u32> = self.frames.iter().zip(0..).collect();
        let columns = columns(framed.declared(), inputs.iter().map(|input| &input[..]));
        let classified = classify(&framed.specification.inputs, &columns, inputs.len());
        let before = self.rows();
        for (row, frame) in classified.frames.iter().enumerate() {
            let Some(frame) = frame else { continue };
            let Some(&number) = numbers.get(frame) else {
                if self.forbidden.iter().all(|(known, _)| known != frame) {
                    self.forbidden.push((frame.clone(), inputs[row].clone()));
                }
                continue;
            };
            self.frame_of.push(number);
            self.origins.push(origin);
            self.states[number as usize] = FrameState::Possible;
            self.columns.iter_mut().zip(&columns).for_each(|(to, from)| to.push(&from.value(row)));
        }
        let is_new = |misfit: &Misfit| self.misfits.iter().all(|(known, _)| !known.is_alike(misfit));
        let misfits: Vec<_> = classified.misfits.into_iter().filter(is_new).collect();
        self.misfits.extend(misfits.into_iter().map(|misfit| {
            let values = inputs[misfit.row].clone();
            (misfit, values)
        }));
        let ran = self.run(framed, caller);
        if ran.is_err() {
            self.frame_of.truncate(before);
            self.origins.truncate(before);
            let rows: Vec<u32> = (0..before as u32).collect();
            self.columns.iter_mut().for_each(|column| *column = column.select(&rows));
        }
        ran
    }

    /// Calls the function on all inputs, and determines the output choices of each.
    pub(crate) fn run(&mut self, framed: &Framed, caller: &mut dyn Caller) -> Result<(), LabError> {
        if self.rows() == 0 {
            return Ok(());
        }
        self.calls = caller.call(framed.function, &self.columns)?;
        self.outputs = vec![None; self.rows()];
        let returned: Vec<u32> =
            (0..self.rows() as u32).filter(|row| self.calls.outcomes[*row as usize].has_outputs()).collect();
        let outputs: Vec<Column> = self.calls.outputs.iter().map(|column| column.select(&returned)).collect();
        let classified = classify(&framed.specification.outputs, &outputs, returned.len());
        for (row, frame) in returned.iter().zip(classified.frames) {
            self.outputs[*row as usize] = frame;
        }
        let shown = |misfit: Misfit| {
            let values = self.values(returned[misfit.row] as usize);
            (misfit, values)
        };
        self.output_misfits = classified.misfits.into_iter().map(shown).collect();
        Ok(())
    }
}
