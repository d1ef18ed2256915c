//! Inputs of each frame, and what they give.

use std::collections::HashMap;

use dodona_identification::{Formula, Frame, IoFrame, Misfit, MisfitKind};
use dodona_relations::Caller;
use dodona_subject::{Calls, Column, Value};
use dodona_workbench::inputs::columns;
use dodona_workbench::{DistinctInputs, LabError};

use crate::framed::Framed;

/// What is known of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameState {
    /// Some input belongs to it.
    Possible,
    /// A solver proved that no input belongs to it.
    Impossible,
    /// No input was found, and why nobody knows.
    Unknown(String),
}

/// Inputs of frames with what the function gives for them.
pub struct Samples {
    /// The frames that the constraints allow.
    pub frames: Vec<Frame>,
    /// What is known of each.
    pub states: Vec<FrameState>,
    /// The inputs, a column a parameter.
    pub columns: Vec<Column>,
    /// The frame of each input, by number.
    pub frame_of: Vec<u32>,
    /// What the function gave for each.
    pub calls: Calls,
    /// The choices of outputs of each; `None` where the call did not return, or the choices do not fit.
    pub outputs: Vec<Option<Frame>>,
    /// Categories whose choices do not divide inputs, with an input that shows it.
    pub misfits: Vec<(Misfit, Vec<Value>)>,
    /// The same of output categories, with the input whose output shows it.
    pub output_misfits: Vec<(Misfit, Vec<Value>)>,
    /// Inputs of frames that the constraints forbid, one a frame.
    pub forbidden: Vec<(Frame, Vec<Value>)>,
    /// What was not done, in words.
    pub warnings: Vec<String>,
}

impl Samples {
    /// So many inputs.
    pub fn rows(&self) -> usize {
        self.frame_of.len()
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

    /// At most so many of the inputs, where there are more: as many of each frame as there is room for, and of these the last, which refuted something
    /// where any did.
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
            calls: Calls {
                outcomes: rows.iter().map(|row| self.calls.outcomes[of(row)]).collect(),
                outputs: select(&self.calls.outputs),
            },
            outputs: rows.iter().map(|row| self.outputs[of(row)].clone()).collect(),
            misfits: Vec::new(),
            output_misfits: Vec::new(),
            forbidden: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// The values of one input.
    pub fn values(&self, row: usize) -> Vec<Value> {
        self.columns.iter().map(|column| column.value(row)).collect()
    }

    /// Adds inputs, and runs all again; nothing is added where that is given up.
    pub(crate) fn add(
        &mut self,
        framed: &Framed,
        inputs: &[Vec<Value>],
        caller: &mut dyn Caller,
    ) -> Result<(), LabError> {
        let numbers: HashMap<&Frame, u32> = self.frames.iter().zip(0..).collect();
        let columns = columns(framed.declared(), inputs.iter().map(|input| &input[..]));
        let frames =
            dodona_identification::classify(&framed.specification.inputs, &columns, inputs.len()).frames;
        let before = self.rows();
        for (row, frame) in frames.iter().enumerate() {
            let Some(&number) = frame.as_ref().and_then(|frame| numbers.get(frame)) else { continue };
            self.frame_of.push(number);
            self.columns.iter_mut().zip(&columns).for_each(|(to, from)| to.push(&from.value(row)));
        }
        let ran = self.run(framed, caller);
        if ran.is_err() {
            self.frame_of.truncate(before);
            let rows: Vec<u32> = (0..before as u32).collect();
            self.columns.iter_mut().for_each(|column| *column = column.select(&rows));
        }
        ran
    }

    /// Calls the function on all inputs, and sorts what it gives into choices of outputs.
    pub(crate) fn run(&mut self, framed: &Framed, caller: &mut dyn Caller) -> Result<(), LabError> {
        if self.rows() == 0 {
            return Ok(());
        }
        self.calls = caller.call(framed.function, &self.columns)?;
        self.outputs = vec![None; self.rows()];
        let returned: Vec<u32> =
            (0..self.rows() as u32).filter(|row| self.calls.outcomes[*row as usize].has_outputs()).collect();
        let outputs: Vec<Column> = self.calls.outputs.iter().map(|column| column.select(&returned)).collect();
        let classified =
            dodona_identification::classify(&framed.specification.outputs, &outputs, returned.len());
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

/// Inputs that are being gathered, until each frame has enough.
pub(crate) struct Gathering<'f> {
    framed: &'f Framed,
    pub(crate) frames: Vec<Frame>,
    numbers: HashMap<Frame, u32>,
    distinct: DistinctInputs,
    frame_of: Vec<u32>,
    pub(crate) counts: Vec<usize>,
    each: usize,
    misfits: Vec<(Misfit, Vec<Value>)>,
    forbidden: Vec<(Frame, Vec<Value>)>,
}

/// The most frames: forty times as many as the largest program of the study of k-MR coverage has, and a hundred megabytes with ten inputs each.
const MOST_FRAMES: usize = 100_000;

/// Inputs of frames that constraints forbid are shown up to this number: one says what is wrong, a few say where.
const MOST_FORBIDDEN: usize = 5;

impl<'f> Gathering<'f> {
    /// # Errors
    /// When there are more frames than can be worked with.
    pub(crate) fn new(framed: &'f Framed, each: usize) -> Result<Gathering<'f>, LabError> {
        let all = dodona_identification::frames(&framed.specification);
        let frames: Vec<Frame> = all.take(MOST_FRAMES + 1).collect();
        if frames.len() > MOST_FRAMES {
            return Err(LabError::Sources(format!(
                "{} makes more than {MOST_FRAMES} frames; constraints exclude combinations that no input has, and fewer categories make fewer",
                framed.file.display()
            )));
        }
        Ok(Gathering {
            framed,
            numbers: frames.iter().cloned().zip(0..).collect(),
            counts: vec![0; frames.len()],
            frames,
            distinct: DistinctInputs::new(framed.declared()),
            frame_of: Vec::new(),
            each,
            misfits: Vec::new(),
            forbidden: Vec::new(),
        })
    }

    /// What the frames are of.
    pub(crate) fn framed(&self) -> &'f Framed {
        self.framed
    }

    /// Whether some category was seen not to divide the inputs.
    pub(crate) fn has_misfits(&self) -> bool {
        !self.misfits.is_empty()
    }

    /// Whether an input was seen that shows this of a category.
    pub(crate) fn shows(&self, category: usize, kind: &MisfitKind) -> bool {
        self.misfits.iter().any(|(known, _)| known.category == category && known.kind == *kind)
    }

    /// Whether an input was seen that violates a constraint.
    pub(crate) fn violates(&self, constraint: &Formula) -> bool {
        self.forbidden.iter().any(|(frame, _)| !constraint.holds(&frame.0))
    }

    /// Takes those of some eligible inputs whose frames have not enough yet; says how many.
    pub(crate) fn take(&mut self, columns: &[Column]) -> usize {
        let rows = columns.first().map_or(1, Column::len);
        let categories = &self.framed.specification.inputs;
        let classified = dodona_identification::classify(categories, columns, rows);
        let values = |row: usize| columns.iter().map(|column| column.value(row)).collect::<Vec<_>>();
        for misfit in classified.misfits {
            let same =
                |(known, _): &(Misfit, _)| known.category == misfit.category && known.kind == misfit.kind;
            if !self.misfits.iter().any(same) {
                let shown = values(misfit.row);
                self.misfits.push((misfit, shown));
            }
        }
        let mut taken = 0;
        for (row, frame) in classified.frames.into_iter().enumerate() {
            let Some(frame) = frame else { continue };
            let Some(&number) = self.numbers.get(&frame) else {
                let is_new = self.forbidden.iter().all(|(known, _)| *known != frame);
                if is_new && self.forbidden.len() < MOST_FORBIDDEN {
                    self.forbidden.push((frame, values(row)));
                }
                continue;
            };
            if self.counts[number as usize] >= self.each {
                continue;
            }
            let before = self.distinct.len();
            let one: Vec<Column> = columns.iter().map(|column| column.select(&[row as u32])).collect();
            self.distinct.add(&one, 1);
            if self.distinct.len() > before {
                self.frame_of.push(number);
                self.counts[number as usize] += 1;
                taken += 1;
            }
        }
        taken
    }

    /// Whether each frame has enough.
    pub(crate) fn is_full(&self) -> bool {
        self.counts.iter().all(|count| *count >= self.each)
    }

    /// The inputs of a frame that are there.
    pub(crate) fn of_frame(&self, frame: usize) -> Vec<Vec<Value>> {
        let rows = (0..self.frame_of.len()).filter(|row| self.frame_of[*row] as usize == frame);
        let columns = self.distinct.columns();
        rows.map(|row| columns.iter().map(|column| column.value(row)).collect()).collect()
    }

    pub(crate) fn finish(self, states: Vec<FrameState>, warnings: Vec<String>) -> Samples {
        Samples {
            frames: self.frames,
            states,
            columns: self.distinct.into_columns(),
            frame_of: self.frame_of,
            calls: Calls { outcomes: Vec::new(), outputs: Vec::new() },
            outputs: Vec::new(),
            misfits: self.misfits,
            output_misfits: Vec::new(),
            forbidden: self.forbidden,
            warnings,
        }
    }
}
