//! Simpler text.

use dodona_subject::{Domain, Value};

use super::order::{characters, rank};
use super::rows;

/// Simpler texts, not yet filtered by the domain.
pub(super) fn candidates(domain: &Domain, bytes: &[u8]) -> Vec<Value> {
    if let Some(texts) = &domain.texts {
        return listed(texts);
    }
    let text = String::from_utf8_lossy(bytes);
    let row: Vec<char> = text.chars().collect();
    let least = usize::try_from(domain.length.map_or(0, |(low, _)| low)).unwrap_or(usize::MAX);
    let known = simplest(domain);
    let mut found = rows::candidates(&row, least, |c| simpler_characters(*c, &known), characters);
    // What is not UTF-8 first becomes text.
    found.push(row);
    found.into_iter().map(|chars| Value::Text(chars.into_iter().collect::<String>().into())).collect()
}

fn listed(texts: &[String]) -> Vec<Value> {
    let mut texts: Vec<Value> = texts.iter().map(|t| Value::Text(t.as_str().into())).collect();
    texts.sort_by(|a, b| super::simpler(b, a).cmp(&super::simpler(a, b)));
    texts
}

/// The characters that a text may always be tried with: the simplest of the alphabet.
fn simplest(domain: &Domain) -> Vec<char> {
    const MOST: usize = 8;
    match &domain.alphabet {
        None => vec!['a', ' ', 'b', '0', 'A', '!', '\n', '\u{80}'],
        Some(alphabet) => {
            let mut alphabet = alphabet.clone();
            alphabet.sort_by(characters);
            alphabet.truncate(MOST);
            alphabet
        }
    }
}

/// The simplest characters, the small letter of a capital, and the one before.
fn simpler_characters(c: char, known: &[char]) -> Vec<char> {
    let before = char::from_u32(u32::from(c).wrapping_sub(1));
    let middle = char::from_u32(0x80 + u32::from(c).saturating_sub(0x80) / 2);
    let tried = known.iter().copied().chain([c.to_ascii_lowercase()]).chain(before).chain(middle);
    let mut found: Vec<char> = tried.filter(|t| rank(*t) < rank(c)).collect();
    found.sort_by(characters);
    found.dedup();
    found
}
