//! The requirements of test criteria over categories and choices (section IV-D of the study of k-MR coverage).

use std::collections::HashMap;

use crate::identification::{Frame, Specification, classify};
use dodona_generation::adequacy::Requirements;
use dodona_records::Binding;
use dodona_target::{Caller, Column};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use crate::framed::Framed;
use crate::record::bound;
use crate::samples::{FrameState, OpenOutputs, Samples};

/// A criterion, by what source inputs have to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameCriterion {
    /// Each choice of an input category.
    Choice,
    /// Each pair of choices of two input categories that occurs in a possible frame.
    ChoicePair,
    /// Each input-and-output-based complete test frame.
    IoFrame,
}

impl FrameCriterion {
    /// `i-choice`, `i-choice-pair` or `io-ctf`.
    pub fn name(self) -> &'static str {
        match self {
            FrameCriterion::Choice => "i-choice",
            FrameCriterion::ChoicePair => "i-choice-pair",
            FrameCriterion::IoFrame => "io-ctf",
        }
    }
}

/// What a criterion asks for.
pub struct Asked {
    /// The requirements, and which of them each input satisfies.
    pub requirements: Requirements,
    /// For each requirement an input that satisfies it, if the samples have one: what only the specification states may have none.
    pub shown: Vec<Option<Vec<Binding>>>,
    /// What may be required besides, and why nobody knows, in words.
    pub open: Vec<String>,
}

/// The requirements of a criterion, and which of them each input satisfies. `columns` has the inputs, one column for each parameter.
/// Choices and pairs that occur in no possible frame are no requirements. An input-and-output-based frame is one if the specification
/// states the outputs of its input frame, or if a sample or one of these inputs shows it. The samples have an input of each that symbolic
/// execution found.
///
/// # Errors
/// When the host fails.
pub fn requirements(
    framed: &Framed,
    samples: &Samples,
    criterion: FrameCriterion,
    columns: &[Column],
) -> Result<Asked, LabError> {
    let specification = &framed.specification;
    let rows = columns.first().map_or(1, Column::len);
    let inputs = classify(&specification.inputs, columns, rows).frames;
    let possible = samples.frames.iter().zip(&samples.states);
    let possible = possible.filter(|(_, state)| **state == FrameState::Possible).map(|(frame, _)| frame);
    let outputs = match criterion {
        FrameCriterion::IoFrame => outputs(framed, columns, rows)?,
        FrameCriterion::Choice | FrameCriterion::ChoicePair => vec![None; rows],
    };
    // What the frame of an input and its output choices satisfy.
    let satisfied = |input: Option<&Frame>, output: Option<&Frame>| match (criterion, input, output) {
        (FrameCriterion::Choice, Some(input), _) => choices(specification, input),
        (FrameCriterion::ChoicePair, Some(input), _) => choice_pairs(&choices(specification, input)),
        (FrameCriterion::IoFrame, Some(input), Some(output)) => vec![specification.io_words(input, output)],
        _ => Vec::new(),
    };
    let mut numbered = Numbered::default();
    // What the specification states is required whether or not an input shows it; where it leaves several choices of outputs, what the
    // samples show, and what these inputs do.
    for frame in possible {
        let output = only_output(&specification.stated(frame));
        numbered.number(satisfied(Some(frame), output.as_ref()));
    }
    for (frame, _) in samples.io_frames() {
        numbered.number(satisfied(Some(&frame.input), Some(&frame.output)));
    }
    let of_row = |row: usize| satisfied(inputs[row].as_ref(), outputs[row].as_ref());
    if criterion == FrameCriterion::IoFrame {
        (0..rows).for_each(|row| numbered.number(of_row(row)));
    }
    let of_sample = |row: usize| {
        satisfied(Some(&samples.frames[samples.frame_of[row] as usize]), samples.outputs[row].as_ref())
    };
    let shown = numbered.first(samples.rows(), of_sample);
    Ok(Asked {
        shown: shown.into_iter().map(|row| row.map(|row| bound(framed, &samples.values(row)))).collect(),
        open: if criterion == FrameCriterion::IoFrame { open(specification, samples) } else { Vec::new() },
        requirements: numbered.satisfied(rows, of_row),
    })
}

/// Choices of outputs of which it is not known whether further frames have them, in words.
fn open(specification: &Specification, samples: &Samples) -> Vec<String> {
    let words = |open: &OpenOutputs| {
        let frames = if open.frames == 1 {
            "1 further frame gives"
        } else {
            &format!("{} further frames give", open.frames)
        };
        format!(
            "it is not known whether {frames} {}: {}",
            specification.choices_in_words(&open.outputs),
            open.why
        )
    };
    samples.open.iter().map(words).collect()
}

/// The output choices, if one is left of each category.
fn only_output(left: &[Vec<u16>]) -> Option<Frame> {
    left.iter()
        .map(|choices| if let [only] = choices[..] { Some(only) } else { None })
        .collect::<Option<_>>()
        .map(Frame)
}

fn choices(specification: &Specification, frame: &Frame) -> Vec<String> {
    specification.words(frame).split(' ').map(str::to_owned).collect()
}

fn choice_pairs(choices: &[String]) -> Vec<String> {
    let with_later = |i: usize| choices[i + 1..].iter().map(move |other| format!("{} {other}", choices[i]));
    (0..choices.len()).flat_map(with_later).collect()
}

/// The output choices of each input; `None` if the call did not return or the choices do not fit.
fn outputs(framed: &Framed, columns: &[Column], rows: usize) -> Result<Vec<Option<Frame>>, LabError> {
    let mut frames = vec![None; rows];
    if rows == 0 {
        return Ok(frames);
    }
    let calls = framed.workbench.caller().call(framed.function, columns)?;
    let returned: Vec<u32> =
        (0..rows as u32).filter(|row| calls.outcomes[*row as usize].has_outputs()).collect();
    let outputs: Vec<Column> = calls.outputs.iter().map(|column| column.select(&returned)).collect();
    let classified = classify(&framed.specification.outputs, &outputs, returned.len());
    returned.iter().zip(classified.frames).for_each(|(row, frame)| frames[*row as usize] = frame);
    Ok(frames)
}

/// Requirements by their text, numbered in the order in which they are added.
#[derive(Default)]
struct Numbered {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
}

impl Numbered {
    fn number(&mut self, all: Vec<String>) {
        for words in all {
            let next = self.names.len();
            self.numbers.entry(words.clone()).or_insert_with(|| {
                self.names.push(words);
                next
            });
        }
    }

    /// For each requirement the first row that satisfies it. `of` gives the texts of a row; those that are no requirement are ignored.
    fn first(&self, rows: usize, of: impl Fn(usize) -> Vec<String>) -> Vec<Option<usize>> {
        let mut first = vec![None; self.names.len()];
        for row in 0..rows {
            for number in of(row).iter().filter_map(|words| self.numbers.get(words)) {
                first[*number].get_or_insert(row);
            }
        }
        first
    }

    /// The requirements, and which of them each row satisfies. `of` is as for [`first`](Self::first).
    fn satisfied(self, rows: usize, of: impl Fn(usize) -> Vec<String>) -> Requirements {
        let set = |row: usize| {
            let mut set = FixedBitSet::with_capacity(self.names.len());
            set.extend(of(row).iter().filter_map(|words| self.numbers.get(words).copied()));
            set
        };
        let satisfied = (0..rows).map(set).collect();
        Requirements { names: self.names, satisfied }
    }
}

/// The number of possible frames, and the frame of each input by number, for criteria that cover classes of inputs. Frames for which no
/// input was found are left out.
pub fn frame_numbers(framed: &Framed, samples: &Samples, columns: &[Column]) -> (usize, Vec<Option<u32>>) {
    let rows = columns.first().map_or(0, Column::len);
    let possible = samples.frames.iter().zip(&samples.states).filter(|(_, s)| **s == FrameState::Possible);
    let numbers: HashMap<&Frame, u32> = possible.map(|(frame, _)| frame).zip(0..).collect();
    let frames = classify(&framed.specification.inputs, columns, rows).frames;
    let of_input = frames.iter().map(|frame| numbers.get(frame.as_ref()?).copied()).collect();
    (numbers.len(), of_input)
}
