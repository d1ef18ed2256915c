//! Collects inputs by frame, until each frame has enough.

use std::collections::HashMap;

use crate::identification::{Formula, Frame, Misfit, MisfitKind};
use dodona_target::{Calls, Column, Value};
use dodona_workbench::{DistinctInputs, LabError};

use crate::framed::Framed;
use crate::samples::{FrameState, InputOrigin, Samples};

/// Inputs that are being gathered, until each frame has enough.
pub(crate) struct Gathering<'f> {
    framed: &'f Framed,
    pub(crate) frames: Vec<Frame>,
    numbers: HashMap<Frame, u32>,
    distinct: DistinctInputs,
    frame_of: Vec<u32>,
    origins: Vec<InputOrigin>,
    /// How the inputs were found that are taken now.
    origin: InputOrigin,
    pub(crate) counts: Vec<usize>,
    each: usize,
    misfits: Vec<(Misfit, Vec<Value>)>,
    forbidden: Vec<(Frame, Vec<Value>)>,
}

/// The most frames. The largest program of the study of k-MR coverage has a fortieth of these. With ten inputs each, they take a hundred
/// megabytes.
const MOST_FRAMES: usize = 100_000;

/// The most inputs of forbidden frames that are shown. One shows that a constraint is wrong; a few show in which frames.
const MOST_FORBIDDEN: usize = 5;

impl<'f> Gathering<'f> {
    /// # Errors
    /// When there are more than [`MOST_FRAMES`] frames.
    pub(crate) fn new(framed: &'f Framed, each: usize) -> Result<Gathering<'f>, LabError> {
        let all = crate::identification::frames(&framed.specification);
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
            origins: Vec::new(),
            origin: InputOrigin::Random,
            each,
            misfits: Vec::new(),
            forbidden: Vec::new(),
        })
    }

    /// The function with the categories that the frames are made of.
    pub(crate) fn framed(&self) -> &'f Framed {
        self.framed
    }

    /// Sets how the inputs were found that are taken from now on.
    pub(crate) fn now_by(&mut self, origin: InputOrigin) {
        self.origin = origin;
    }

    /// Whether an input was seen that has no choice of some category, or several.
    pub(crate) fn has_misfits(&self) -> bool {
        !self.misfits.is_empty()
    }

    /// Whether an input was seen that shows this gap or overlap of a category.
    pub(crate) fn shows(&self, category: usize, kind: &MisfitKind) -> bool {
        self.misfits.iter().any(|(known, _)| known.category == category && known.kind == *kind)
    }

    /// Whether an input was seen that violates a constraint.
    pub(crate) fn violates(&self, constraint: &Formula) -> bool {
        self.forbidden.iter().any(|(frame, _)| !constraint.holds(&frame.0))
    }

    /// Takes those of some eligible inputs that are new and whose frames have too few, and returns their number. It also notes inputs that
    /// show a gap or overlap of choices, or violate a constraint.
    pub(crate) fn take(&mut self, columns: &[Column]) -> usize {
        let rows = columns.first().map_or(1, Column::len);
        let categories = &self.framed.specification.inputs;
        let classified = crate::identification::classify(categories, columns, rows);
        let values = |row: usize| columns.iter().map(|column| column.value(row)).collect::<Vec<_>>();
        for misfit in classified.misfits {
            if !self.misfits.iter().any(|(known, _)| known.is_alike(&misfit)) {
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
                self.origins.push(self.origin);
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

    /// The condition of a frame, in the relation language: the conditions of its choices, joined by `and`.
    pub(crate) fn condition(&self, frame: usize) -> String {
        self.framed.specification.condition(&self.frames[frame]).to_string()
    }

    /// The inputs that a frame has so far.
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
            origins: self.origins,
            calls: Calls { outcomes: Vec::new(), outputs: Vec::new() },
            outputs: Vec::new(),
            misfits: self.misfits,
            output_misfits: Vec::new(),
            forbidden: self.forbidden,
            open: Vec::new(),
            warnings,
        }
    }
}
