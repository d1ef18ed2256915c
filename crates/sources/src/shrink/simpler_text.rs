//! Candidates that are simpler than a text.

use dodona_target::{Domain, Value};

use super::order::{characters, rank};

/// The texts that a domain lists, simplest first.
pub(super) fn listed(texts: &[String]) -> Vec<Value> {
    let mut texts: Vec<Value> = texts.iter().map(|t| Value::Text(t.as_str().into())).collect();
    texts.sort_by(|a, b| super::simpler(b, a).cmp(&super::simpler(a, b)));
    texts
}

/// The characters that are always tried in place of another: the simplest characters of the alphabet.
pub(super) fn simplest(domain: &Domain) -> Vec<char> {
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

/// The characters to try in place of `c`: the simplest characters, the small letter of a capital, and characters with
/// smaller codes.
pub(super) fn simpler_characters(c: char, known: &[char]) -> Vec<char> {
    let before = char::from_u32(u32::from(c).wrapping_sub(1));
    let middle = char::from_u32(0x80 + u32::from(c).saturating_sub(0x80) / 2);
    let tried = known.iter().copied().chain([c.to_ascii_lowercase()]).chain(before).chain(middle);
    let mut found: Vec<char> = tried.filter(|t| rank(*t) < rank(c)).collect();
    found.sort_by(characters);
    found.dedup();
    found
}
