//! Requests and answers as frames of raw bytes: the framing `rows` of `book/worker-protocol.md`, where its bytes are described.
//!
//! # Decisions
//! - **A worker may answer in parts.** A frame has answers to the next rows of the request, so that what was answered before a process ends is kept,
//!   and Dodona reads while the worker calls.
//! - **A result is written in the order in which it is read**, and not by outputs: one byte says whether there is something, and then it comes. A function
//!   of one number costs no byte more than the number.
//! - **Rows stand behind their lengths**, so that one is handed on, or found to be no value of its type, by itself. The price is four bytes a row.

mod values;

use dodona_subject::build::answer_order;
use dodona_target::{Calls, Column, Given, ImportName, Malformed, Outcome, Signature, Trap};

use values::{Why, count, get, least_bytes, number, part, put, take, text};

/// The version of the frames, by which each begins. No text does.
pub(crate) const VERSION: u8 = 1;
/// Each row is called in a process of its own.
pub(crate) const APART: u8 = 1;
/// What was said is wanted.
pub(crate) const TELL: u8 = 2;

/// Bytes of a request and of an answer before their rows.
const REQUEST_HEAD: usize = 20;
pub(crate) const ANSWER_HEAD: usize = 16;

/// The longest frame that is an answer. A worker that writes more would fill the memory.
pub(crate) const LONGEST: usize = 256 << 20;

/// Calls of a function that are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The number of the function.
    pub(crate) function: usize,
    pub(crate) signature: &'a Signature,
    /// A column for each parameter.
    pub(crate) arguments: &'a [Column],
    /// The rows of the columns.
    pub(crate) rows: &'a [u32],
}

/// Writes a frame that asks for calls, over what was there.
pub(crate) fn request(frame: &mut Vec<u8>, id: u32, question: Question<'_>, flags: u8) {
    let Question { function, signature, arguments, rows } = question;
    let parameters = &signature.parameters;
    let row_bytes = 4 + parameters.iter().map(|parameter| least_bytes(parameter.ty)).sum::<usize>();
    frame.clear();
    frame.reserve(REQUEST_HEAD + rows.len() * row_bytes);
    frame.extend([0; REQUEST_HEAD]);
    for &row in rows {
        let start = frame.len();
        frame.extend([0; 4]);
        for (parameter, column) in parameters.iter().zip(arguments) {
            put(frame, parameter.ty, column, row as usize);
        }
        let length = number(frame.len() - start - 4);
        frame[start..start + 4].copy_from_slice(&length);
    }
    let length = number(frame.len() - REQUEST_HEAD);
    let head = [[VERSION, flags, 0, 0], length, id.to_le_bytes(), number(function), number(rows.len())];
    frame[..REQUEST_HEAD].copy_from_slice(head.as_flattened());
}

/// How many bytes the frame has that these begin with; `None` as long as too few of them are there to tell.
///
/// # Errors
/// Why they begin no frame, in words.
pub(crate) fn length(bytes: &[u8]) -> Result<Option<usize>, String> {
    match bytes {
        [VERSION, _, _, _, a, b, c, d, ..] => {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            match length > LONGEST {
                true => Err(format!("a frame of {length} bytes, where {LONGEST} are the most")),
                false => Ok(Some(ANSWER_HEAD + length)),
            }
        }
        [] | [VERSION, ..] => Ok(None),
        [other, ..] => Err(format!(
            "what begins with the byte {other} and no frame of version {VERSION}: {}",
            shown(bytes)
        )),
    }
}

/// The beginning of some bytes, for messages.
fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 80;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]);
    dodona_target::on_one_line(text.trim_end()).into_owned()
}

/// What a worker says of a call that did not return.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) message: String,
    pub(crate) place: String,
}

/// Reads frames that answer a request.
pub(crate) struct Reader<'a> {
    signature: &'a Signature,
    id: u32,
    /// The outputs in the order in which a result is read, each with when it is there.
    order: Vec<(usize, Option<Given>)>,
    /// Which outputs the row has that is being read.
    there: Vec<bool>,
    /// Rows that were not answered yet.
    left: usize,
    /// What was said of the last row that did not return.
    said: Said,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(signature: &'a Signature, id: u32, rows: usize) -> Reader<'a> {
        let there = vec![false; signature.outputs.len()];
        Reader { signature, id, order: order(signature), there, left: rows, said: Said::default() }
    }

    /// Whether rows were not answered yet.
    pub(crate) fn goes_on(&self) -> bool {
        self.left > 0
    }

    /// What was said of the last row that did not return.
    pub(crate) fn said(self) -> Said {
        self.said
    }

    /// Reads a whole frame and adds the calls that it tells of.
    ///
    /// # Errors
    /// Why it is no answer, in words. The calls are of no use then.
    pub(crate) fn read(&mut self, frame: &[u8], calls: &mut Calls) -> Result<(), String> {
        let mut from = frame.get(8..).unwrap_or_default();
        let (id, rows) = count(&mut from).and_then(|id| Ok((id, count(&mut from)?)))?;
        if id != self.id as usize {
            return Err(format!("an answer to request {id}, where {} was asked", self.id));
        }
        if rows == 0 || rows > self.left {
            return Err(format!("answers to {rows} rows, where {} were to be answered", self.left));
        }
        for place in 0..rows {
            let in_row = |why: Why| format!("an answer of which row {place} cannot be read: {why}");
            let row = count(&mut from).and_then(|length| part(&mut from, length)).map_err(in_row)?;
            self.row(row, calls).map_err(in_row)?;
        }
        self.left -= rows;
        match from.is_empty() {
            true => Ok(()),
            false => Err(format!("an answer with {} bytes behind its {rows} rows", from.len())),
        }
    }

    fn row(&mut self, mut row: &[u8], calls: &mut Calls) -> Result<(), Why> {
        let from = &mut row;
        let outcome = match take(from)? {
            [0] => {
                self.result(from, &mut calls.outputs)?;
                Outcome::Returned
            }
            [how] => {
                calls.outputs.iter_mut().for_each(Column::push_default);
                self.ended(how, from)?
            }
        };
        calls.outcomes.push(outcome);
        if from.is_empty() { Ok(()) } else { Err("bytes stand behind its values") }
    }

    fn result(&mut self, from: &mut &[u8], columns: &mut [Column]) -> Result<(), Why> {
        for &(output, given) in &self.order {
            let there = given.is_none_or(|given| {
                let tag = given.output;
                self.there[tag]
                    && matches!(&columns[tag], Column::Bool(tags) if tags.last() == Some(&given.is))
            });
            self.there[output] = there;
            match there {
                true => get(from, self.signature.outputs[output].ty, &mut columns[output])?,
                false => columns[output].push_default(),
            }
        }
        Ok(())
    }

    /// How a call ended that did not return.
    fn ended(&mut self, how: u8, from: &mut &[u8]) -> Result<Outcome, Why> {
        self.said = Said::default();
        Ok(match how {
            1 => {
                let kind = text(from)?;
                self.said = Said { message: text(from)?, place: text(from)? };
                // A language whose panics have no types.
                let is_panic = kind.is_empty();
                Outcome::Trapped(if is_panic { Trap::Panicked } else { Trap::Raised(ImportName::of(&kind)) })
            }
            2 => {
                let signal = i32::from_le_bytes(take(from)?);
                self.said.message = text(from)?;
                Outcome::Trapped(Trap::Signal(signal))
            }
            3 => Outcome::OutOfTime,
            4 => Outcome::Trapped(Trap::Exit(i32::from_le_bytes(take(from)?))),
            5 => {
                self.said.message = text(from)?;
                Outcome::Malformed(Malformed::Range)
            }
            _ => return Err("there is no such way for a call to end"),
        })
    }
}

/// The outputs in the order in which a result is read: whether something is there, and then what is there.
fn order(signature: &Signature) -> Vec<(usize, Option<Given>)> {
    let order = answer_order(&signature.outputs).into_iter();
    order.map(|output| (output, signature.outputs[output].given)).collect()
}

#[cfg(test)]
mod tests;
