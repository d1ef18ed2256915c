//! Operations on text, character by character.

use std::fmt::Write;
use std::ops::Range;

use bstr::ByteSlice;
use dodona_target::{Number, write_float};

use super::arithmetic::{Given, numbers};
use super::register::Data;
use super::rows::{build, by_row_checked};

/// A text with the ends of its characters. A byte that is not part of valid UTF-8 counts as a character.
pub(crate) struct Characters<'t> {
    bytes: &'t [u8],
    /// The end of each character in bytes; `None` if every byte is a character.
    ends: Option<Vec<usize>>,
}

impl<'t> Characters<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        let ends = (!bytes.is_ascii()).then(|| {
            let sum = |end: &mut usize, piece: &[u8]| {
                *end += piece.len();
                Some(*end)
            };
            pieces(bytes).scan(0, sum).collect()
        });
        Characters { bytes, ends }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.as_ref().map_or(self.bytes.len(), Vec::len)
    }

    /// The bytes of a range of characters.
    pub(crate) fn range(&self, characters: Range<usize>) -> &'t [u8] {
        let place = |n: usize| match &self.ends {
            Some(ends) if n > 0 => ends[n - 1],
            _ => n,
        };
        &self.bytes[place(characters.start)..place(characters.end)]
    }

    /// The characters in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &'t [u8]> {
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

/// Each text changed as a whole.
fn changed(text: &Data<'_>, change: impl Fn(&[u8], &mut Vec<u8>)) -> Given {
    let Data::Text(text) = text else { unreachable!("checked to be text: {text:?}") };
    let (runs, valid) = build(text.rows(), text.item_count(), |row, out| {
        change(text.at(row), out);
        true
    });
    (Data::Text(runs), valid)
}

/// `upper`; bytes that are not UTF-8 are unchanged.
pub(crate) fn upper_case(text: &Data<'_>) -> Given {
    changed(text, |text, out| out.extend(upper(text)))
}

/// `lower`; bytes that are not UTF-8 are unchanged.
pub(crate) fn lower_case(text: &Data<'_>) -> Given {
    changed(text, |text, out| out.extend(lower(text)))
}

/// `trim`; no character beyond ASCII is white space.
pub(crate) fn trim(text: &Data<'_>) -> Given {
    changed(text, |text, out| {
        let is_kept = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c');
        let ends = text.iter().position(is_kept).zip(text.iter().rposition(is_kept));
        out.extend(ends.map_or(&[][..], |(first, last)| &text[first..=last]));
    })
}

/// The text in upper case.
pub(crate) fn upper(text: &[u8]) -> Vec<u8> {
    text.to_uppercase()
}

/// The text in lower case.
pub(crate) fn lower(text: &[u8]) -> Vec<u8> {
    text.to_lowercase()
}

/// `to_number(t)`: the number that a text is the decimal of, as this language writes it; undefined for any other text.
pub(crate) fn number_of(data: &Data<'_>) -> Given {
    let Data::Text(text) = data else { unreachable!("checked to be text: {data:?}") };
    let (lane, valid) = by_row_checked(text.rows(), Number::Int(0), |row| read(text.at(row)));
    (Data::Number(lane), valid)
}

/// The number that a text is. What is written like an integer is one.
fn read(text: &[u8]) -> Option<Number> {
    let text = std::str::from_utf8(text).ok()?;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if unsigned == "inf" {
        return Some(Number::Float(if text.len() == 3 { f64::INFINITY } else { f64::NEG_INFINITY }));
    }
    if text == "nan" {
        return Some(Number::Float(f64::NAN));
    }
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if is_digits(unsigned) {
        return text.parse().ok().map(Number::Int);
    }
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_float = [whole, fraction, exponent].into_iter().all(is_digits);
    text.parse().ok().filter(|_| is_float).map(Number::Float)
}

/// `lines(t)`: a number for each line.
pub(crate) fn lines(data: &Data<'_>) -> Given {
    let Data::Text(text) = data else { unreachable!("checked to be text: {data:?}") };
    let (runs, valid) = build(text.rows(), 0, |row, out| {
        // A line feed ends the last line, and begins none.
        let text = text.at(row);
        let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|byte| *byte == b'\n');
        out.extend(lines.filter(|_| !text.is_empty()).map(number_of_line));
        true
    });
    (Data::Ints(runs), valid)
}

/// The number of a line: the hash FNV-1a of 64 bits over its characters, without the last bit, so that it is one of `i64`. Written tests compute the same.
fn number_of_line(line: &[u8]) -> i128 {
    let code = |character: &[u8]| match std::str::from_utf8(character).ok().and_then(|c| c.chars().next()) {
        Some(c) => u64::from(u32::from(c)),
        // A byte that is no character is none of them.
        None => 0x11_0000 + u64::from(character[0]),
    };
    let step = |hash: u64, character: &[u8]| (hash ^ code(character)).wrapping_mul(0x100_0000_01b3);
    i128::from(pieces(line).fold(0xcbf2_9ce4_8422_2325, step) >> 1)
}

/// `text(n)`: the number as the relation language writes it.
pub(crate) fn write(data: &Data<'_>) -> Given {
    let written: Box<dyn Fn(usize) -> String> = match data {
        Data::Bool(lane) => Box::new(|row| lane.at(row).to_string()),
        _ => {
            let lane = numbers(data);
            Box::new(move |row| number(lane.at(row)))
        }
    };
    let (runs, valid) = build(data.rows(), 0, |row, out| {
        out.extend(written(row).into_bytes());
        true
    });
    (Data::Text(runs), valid)
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
