//! Draws text.

use std::collections::HashSet;

use dodona_target::{Domain, Predicate, Ragged, Sampling, Type, Value};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::line::{Line, Rate};
use super::marks::Marks;
use super::span::Integers;
use super::{Empty, EmptyDomain, lengths};
use crate::seed::{index, up_to};

/// The texts that a domain allows, prepared for drawing.
#[derive(Clone, Debug)]
pub(crate) enum Texts {
    /// The texts that the domain lists: those to draw normally, those favoured, and the rate of the favoured texts.
    Listed(Vec<String>, Vec<String>, Rate),
    /// Texts made of random characters.
    Free(Characters),
}

/// Texts of any characters of an alphabet.
#[derive(Clone, Debug)]
pub(crate) struct Characters {
    alphabet: Alphabet,
    lengths: Line<Integers>,
    length: (u64, u64),
    sorted: bool,
    distinct: bool,
    no_nul: bool,
    favoured: Vec<String>,
    shapes: Vec<(Shape, Alphabet)>,
    marks: Marks,
    rate: Rate,
}

/// The characters that a text is drawn from.
#[derive(Clone, Debug, PartialEq)]
enum Alphabet {
    /// ASCII characters, as bytes.
    Bytes(Vec<u8>),
    /// These characters.
    Chars(Vec<char>),
    /// All of Unicode.
    Unicode,
}

/// A form of text on which functions often fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// The shortest allowed text: empty if the domain allows it.
    Shortest,
    /// A single character.
    One,
    /// One character repeated.
    Repeated,
    /// Random characters of the form's alphabet.
    Row,
}

/// The last characters that take one, two, three and four bytes in UTF-8.
const UTF8_ENDS: [u32; 4] = [0x7f, 0x7ff, 0xffff, 0x10_ffff];

/// The number of Unicode characters, without surrogates.
const CHARACTERS: u128 = 0x11_0000 - 0x800;

impl Alphabet {
    fn of(chars: &[char]) -> Alphabet {
        match chars.iter().all(char::is_ascii) {
            true => Alphabet::Bytes(chars.iter().map(|&c| c as u8).collect()),
            false => Alphabet::Chars(chars.to_vec()),
        }
    }

    fn printable() -> Vec<char> {
        (' '..='~').collect()
    }

    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> char {
        match self {
            Alphabet::Bytes(bytes) => char::from(bytes[index(rng, bytes.len())]),
            Alphabet::Chars(chars) => chars[index(rng, chars.len())],
            Alphabet::Unicode => loop {
                let bytes = index(rng, 4);
                let first = if bytes == 0 { 0 } else { UTF8_ENDS[bytes - 1] + 1 };
                let code = first + up_to(rng, u64::from(UTF8_ENDS[bytes] - first)) as u32;
                if let Some(c) = char::from_u32(code) {
                    return c;
                }
            },
        }
    }

    /// Appends random characters. Most rows are drawn this way.
    fn fill(&self, rng: &mut Xoshiro256PlusPlus, length: usize, row: &mut String) {
        row.extend((0..length).map(|_| self.draw(rng)));
    }
}

/// The characters that domain and sampling allow; `None` means all of Unicode.
fn characters(domain: &Domain, sampling: &Sampling) -> Option<Vec<char>> {
    let no_nul = domain.predicates.contains(&Predicate::NoNul);
    let tidy = |chars: &[char]| {
        let mut seen = HashSet::new();
        let keep = |c: &char| !(no_nul && *c == '\0') && seen.insert(*c);
        chars.iter().copied().filter(keep).collect::<Vec<char>>()
    };
    let allowed = domain.alphabet.as_deref().map(tidy);
    let sampled = sampling.alphabet.as_deref().map(tidy).map(|mut chars| {
        chars.retain(|c| allowed.as_ref().is_none_or(|a| a.contains(c)));
        chars
    });
    let enough = |chars: &Vec<char>| {
        let distinct = domain.predicates.contains(&Predicate::Distinct);
        let least = domain.length.map_or(0, |(low, _)| low);
        !chars.is_empty() && (!distinct || chars.len() as u64 >= least)
    };
    sampled.filter(enough).or(allowed)
}

impl Texts {
    pub(crate) fn new(domain: &Domain, sampling: &Sampling) -> Result<Self, EmptyDomain> {
        match &domain.texts {
            Some(texts) => Texts::listed(texts, domain, sampling),
            None => Characters::new(domain, sampling).map(Texts::Free),
        }
    }

    fn listed(texts: &[String], domain: &Domain, sampling: &Sampling) -> Result<Self, EmptyDomain> {
        let is_in = |t: &&String| domain.contains(Type::Text, &Value::Text(t.as_str().into()));
        let inside: Vec<String> = texts.iter().filter(is_in).cloned().collect();
        if inside.is_empty() {
            return Err(EmptyDomain(Empty::Texts(texts.to_vec())));
        }
        let habit =
            Domain { length: sampling.length, alphabet: sampling.alphabet.clone(), ..Domain::default() };
        let is_sampled = |t: &&String| habit.contains_text(t.as_bytes());
        let sampled: Vec<String> = inside.iter().filter(is_sampled).cloned().collect();
        let sampled = if sampled.is_empty() { inside } else { sampled };
        Ok(Texts::Listed(sampled, Vec::new(), Rate::of(sampling)))
    }

    /// Adds favoured texts; the caller must have checked that they are in the domain.
    pub(crate) fn favour(&mut self, texts: Vec<String>) {
        match self {
            Texts::Listed(_, favoured, _) => *favoured = texts,
            Texts::Free(free) => free.favoured = texts,
        }
    }

    pub(crate) fn ragged(&self, rng: &mut Xoshiro256PlusPlus, rows: usize) -> Ragged<u8> {
        let mut out = Ragged::with_capacity(rows, rows * 16);
        match self {
            Texts::Listed(texts, favoured, rate) => {
                for _ in 0..rows {
                    let favour = rate.takes(rng.next_u64()) && !favoured.is_empty();
                    let list = if favour { favoured } else { texts };
                    out.push(list[index(rng, list.len())].as_bytes());
                }
            }
            Texts::Free(free) => {
                let mut row = String::new();
                for _ in 0..rows {
                    row.clear();
                    free.row(rng, &mut row);
                    out.push(row.as_bytes());
                }
            }
        }
        out
    }
}

impl Characters {
    fn new(domain: &Domain, sampling: &Sampling) -> Result<Self, EmptyDomain> {
        let has = |p| domain.predicates.contains(&p);
        let (distinct, no_nul) = (has(Predicate::Distinct), has(Predicate::NoNul));
        let chars = characters(domain, sampling);
        let most = match &chars {
            Some(chars) if chars.is_empty() => 0,
            Some(chars) if distinct => chars.len() as u128,
            None if distinct => CHARACTERS - u128::from(no_nul),
            _ => u128::MAX,
        };
        let length = lengths::range(domain, sampling, most)?;
        Ok(Characters {
            alphabet: chars.as_deref().map_or_else(|| Alphabet::of(&Alphabet::printable()), Alphabet::of),
            lengths: lengths::line(length),
            length,
            sorted: has(Predicate::Sorted),
            distinct,
            no_nul,
            favoured: Vec::new(),
            shapes: shapes(chars.as_deref(), length),
            marks: Marks::new(|c| {
                !(no_nul && c == '\0') && chars.as_ref().is_none_or(|chars| chars.contains(&c))
            }),
            rate: Rate::of(sampling),
        })
    }

    fn row(&self, rng: &mut Xoshiro256PlusPlus, row: &mut String) {
        match self.rate.takes(rng.next_u64()) {
            true => self.special(rng, row),
            false => {
                let length = self.length(rng);
                self.alphabet.fill(rng, length, row);
            }
        }
        if self.sorted || self.distinct || self.no_nul {
            self.repair(rng, row);
        }
    }

    fn length(&self, rng: &mut Xoshiro256PlusPlus) -> usize {
        match self.length {
            (low, high) if low == high => low as usize,
            _ => self.lengths.draw(rng) as usize,
        }
    }

    fn special(&self, rng: &mut Xoshiro256PlusPlus, row: &mut String) {
        if !self.favoured.is_empty() && rng.next_u64() >> 63 == 0 {
            return row.push_str(&self.favoured[index(rng, self.favoured.len())]);
        }
        // Half of the special texts have special characters, so that of a thousand texts about ten contain each character that
        // ends a text.
        if !self.marks.is_empty() && rng.next_u64() >> 63 == 0 {
            let length = self.length(rng);
            return self.marks.fill(rng, length, row, |rng| self.alphabet.draw(rng));
        }
        let (shape, alphabet) = &self.shapes[index(rng, self.shapes.len())];
        let length = match shape {
            Shape::Shortest => self.length.0 as usize,
            Shape::One => 1,
            Shape::Repeated | Shape::Row => self.length(rng),
        };
        match shape {
            Shape::Repeated => {
                let c = alphabet.draw(rng);
                row.extend(std::iter::repeat_n(c, length));
            }
            _ => alphabet.fill(rng, length, row),
        }
    }

    /// Changes a row so that it satisfies the domain's predicates.
    fn repair(&self, rng: &mut Xoshiro256PlusPlus, row: &mut String) {
        let mut chars: Vec<char> = row.chars().collect();
        if self.no_nul {
            // Only the alphabet of all Unicode still contains NUL here, so another character is found almost
            // immediately.
            chars.iter_mut().filter(|c| **c == '\0').for_each(|c| *c = self.alphabet.draw(rng));
        }
        if self.distinct {
            self.make_distinct(rng, &mut chars);
        }
        if self.sorted {
            chars.sort_unstable();
        }
        row.clear();
        row.extend(chars);
    }

    fn make_distinct(&self, rng: &mut Xoshiro256PlusPlus, chars: &mut [char]) {
        const DRAWS: usize = 4;
        let mut used = HashSet::with_capacity(chars.len());
        for c in chars.iter_mut() {
            let mut draws = 0;
            while !used.insert(*c) {
                *c = match draws < DRAWS {
                    true => self.alphabet.draw(rng),
                    false => self.unused(&used),
                };
                draws += 1;
            }
        }
    }

    /// The first unused character of the alphabet, or else of Unicode.
    fn unused(&self, used: &HashSet<char>) -> char {
        let alphabet: Vec<char> = match &self.alphabet {
            Alphabet::Bytes(bytes) => bytes.iter().map(|&b| char::from(b)).collect(),
            Alphabet::Chars(chars) => chars.clone(),
            Alphabet::Unicode => Vec::new(),
        };
        let mut free = alphabet.into_iter().chain('\u{1}'..=char::MAX).filter(|c| !used.contains(c));
        free.next().unwrap_or('\0')
    }
}

/// The special forms for which the alphabet has characters.
fn shapes(chars: Option<&[char]>, length: (u64, u64)) -> Vec<(Shape, Alphabet)> {
    let any = chars.map_or(Alphabet::Unicode, Alphabet::of);
    if length.1 == 0 {
        return vec![(Shape::Shortest, any)];
    }
    let plain = Alphabet::of(chars.unwrap_or(&Alphabet::printable()));
    let only = |kind: fn(&char) -> bool| {
        let ascii = (0..=127u8).map(char::from).collect::<Vec<_>>();
        let kept: Vec<char> = chars.unwrap_or(&ascii).iter().copied().filter(kind).collect();
        (!kept.is_empty()).then(|| (Shape::Row, Alphabet::of(&kept)))
    };
    let mut shapes = vec![(Shape::Repeated, plain), (Shape::Row, any.clone())];
    shapes.extend(only(|c| *c == ' '));
    shapes.extend(only(|c| c.is_ascii_whitespace()));
    shapes.extend(only(char::is_ascii_digit));
    shapes.extend(only(char::is_ascii_alphabetic));
    shapes.extend(only(char::is_ascii_punctuation));
    shapes.extend(only(|c| !c.is_ascii()));
    if length.0 < length.1 {
        shapes.push((Shape::Shortest, any.clone()));
    }
    if length.0 <= 1 && 1 <= length.1 {
        shapes.push((Shape::One, any));
    }
    shapes
}
