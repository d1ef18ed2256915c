//! The requirements of test criteria over categories and choices (section IV-D of the study of k-MR coverage).

use std::collections::HashMap;

use crate::identification::{Frame, Specification, classify};
use dodona_generation::adequacy::Requirements;
use dodona_target::{Caller, Column};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use crate::framed::Framed;
use crate::samples::{FrameState, Samples};

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

/// The requirements of a criterion, and which of them each input satisfies. `columns` has the inputs, one column for each parameter.
/// Choices and pairs that occur in no possible frame are no requirements. An input-and-output-based frame is one if the specification
/// states the outputs of its input frame, or if a sample or one of these inputs shows it.
///
/// # Errors
/// When the host fails.
pub fn requirements(
    framed: &Framed,
    samples: &Samples,
    criterion: FrameCriterion,
    columns: &[Column],
) -> Result<Requirements, LabError> {
    let specification = &framed.specification;
    let rows = columns.first().map_or(1, Column::len);
    let inputs = classify(&specification.inputs, columns, rows).frames;
    let possible =
        samples.frames.iter().zip(&samples.states).filter(|(_, state)| **state == FrameState::Possible);
    let mut numbered = Numbered::default();
    match criterion {
        FrameCriterion::IoFrame => {
            let outputs = outputs(framed, columns, rows)?;
            let words = |row: usize| {
                let (input, output) = (inputs[row].as_ref()?, outputs[row].as_ref()?);
                Some(io_words(specification, input, output))
            };
            // What the specification states is required whether or not an input shows it; where it leaves several choices of outputs, what
            // the samples show, and what these inputs do.
            for (frame, _) in possible {
                if let Some(output) = only_output(&specification.stated(frame)) {
                    numbered.number(io_words(specification, frame, &output));
                }
            }
            for (frame, _) in samples.io_frames() {
                numbered.number(io_words(specification, &frame.input, &frame.output));
            }
            for words in (0..rows).filter_map(words) {
                numbered.number(words);
            }
            numbered.satisfied(rows, |row| words(row).into_iter().collect())
        }
        _ => {
            let atoms = |frame: &Frame| match criterion {
                FrameCriterion::Choice => choices(specification, frame),
                _ => choice_pairs(&choices(specification, frame)),
            };
            for (frame, _) in possible {
                for atom in atoms(frame) {
                    numbered.number(atom);
                }
            }
            numbered.satisfied(rows, |row| inputs[row].as_ref().map(&atoms).unwrap_or_default())
        }
    }
}

/// The output choices, if one is left of each category.
fn only_output(left: &[Vec<u16>]) -> Option<Frame> {
    left.iter()
        .map(|choices| if let [only] = choices[..] { Some(only) } else { None })
        .collect::<Option<_>>()
        .map(Frame)
}

fn io_words(specification: &Specification, input: &Frame, output: &Frame) -> String {
    format!("{} -> {}", specification.words(input), specification.output_words(output))
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
    fn number(&mut self, words: String) -> usize {
        let next = self.names.len();
        *self.numbers.entry(words.clone()).or_insert_with(|| {
            self.names.push(words);
            next
        })
    }

    /// The requirements, and which of them each row satisfies. `of` gives the texts of a row; those that are no requirement are ignored.
    fn satisfied(self, rows: usize, of: impl Fn(usize) -> Vec<String>) -> Result<Requirements, LabError> {
        let set = |row: usize| {
            let mut set = FixedBitSet::with_capacity(self.names.len());
            set.extend(of(row).iter().filter_map(|words| self.numbers.get(words).copied()));
            set
        };
        let satisfied = (0..rows).map(set).collect();
        Ok(Requirements { names: self.names, satisfied })
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
