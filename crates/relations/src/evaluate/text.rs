//! Operations on text, character by character.

use std::fmt::Write;
use std::ops::Range;

use bstr::ByteSlice;
use dodona_subject::{Number, write_float};

use super::arithmetic::numbers;
use super::register::{Data, Runs};
use super::rows::build;

/// A text with the ends of its characters. A byte that is not part of valid UTF-8 counts as a character.
pub(super) struct Characters<'t> {
    bytes: &'t [u8],
    /// The end of each character in bytes; `None` if every byte is a character.
    ends: Option<Vec<usize>>,
}

impl<'t> Characters<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        let ends = (!bytes.is_ascii()).then(|| {
            let sum = |end: &mut usize, piece: &[u8]| {
                *end += piece.len();
                Some(*end)
            };
            pieces(bytes).scan(0, sum).collect()
        });
        Characters { bytes, ends }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.as_ref().map_or(self.bytes.len(), Vec::len)
    }

    /// The bytes of a range of characters.
    pub(super) fn range(&self, characters: Range<usize>) -> &'t [u8] {
        let place = |n: usize| match &self.ends {
            Some(ends) if n > 0 => ends[n - 1],
            _ => n,
        };
        &self.bytes[place(characters.start)..place(characters.end)]
    }

    /// The characters in order.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &'t [u8]> {
        (0..self.len()).map(|i| self.range(i..i + 1))
    }
}

/// The bytes of each character.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid();
        let characters = valid.char_indices().map(|(at, c)| &valid.as_bytes()[at..at + c.len_utf8()]);
        characters.chain(chunk.invalid().chunks(1))
    })
}

/// `upper` and `lower`; bytes that are not UTF-8 are unchanged.
pub(super) fn change_case(text: &Runs<'_, u8>, change: impl Fn(&[u8]) -> Vec<u8>) -> Runs<'static, u8> {
    build(text.rows(), text.item_count(), |row, out| {
        out.extend(change(text.at(row)));
        true
    })
    .0
}

/// The text in upper case.
pub(crate) fn upper(text: &[u8]) -> Vec<u8> {
    text.to_uppercase()
}

/// The text in lower case.
pub(crate) fn lower(text: &[u8]) -> Vec<u8> {
    text.to_lowercase()
}

/// `text(n)`: the number as the relation language writes it.
pub(super) fn write(data: &Data<'_>) -> Runs<'static, u8> {
    let written: Box<dyn Fn(usize) -> String> = match data {
        Data::Bool(lane) => Box::new(|row| lane.at(row).to_string()),
        _ => {
            let lane = numbers(data);
            Box::new(move |row| number(lane.at(row)))
        }
    };
    build(data.rows(), 0, |row, out| {
        out.extend(written(row).into_bytes());
        true
    })
    .0
}

fn number(x: Number) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match x {
        Number::Int(i) => write!(text, "{i}"),
        Number::Float(x) => write_float(&mut text, x),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::{lower, upper};

    #[test]
    fn capitals_stay_capitals_and_small_letters_small() {
        for c in '\0'..=char::MAX {
            let mut text = String::from("aB");
            text.push(c);
            text.push_str("Zσς");
            let (high, low) = (upper(text.as_bytes()), lower(text.as_bytes()));
            assert_eq!(upper(&high), high, "{c:?}");
            assert_eq!(lower(&low), low, "{c:?}");
        }
    }
}
