//! Text: valid UTF-8 of an alphabet and a length in characters.

use dodona_subject::{Domain, Predicate};
use rustc_hash::FxHashMap;

use crate::term::{Op, Term, Terms};

/// Ranges of the bytes of one character: each valid form of UTF-8 once.
const FORMS: [&[(u8, u8)]; 9] = [
    &[(0x00, 0x7f)],
    &[(0xc2, 0xdf), (0x80, 0xbf)],
    &[(0xe0, 0xe0), (0xa0, 0xbf), (0x80, 0xbf)],
    &[(0xe1, 0xec), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xed, 0xed), (0x80, 0x9f), (0x80, 0xbf)],
    &[(0xee, 0xef), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xf0, 0xf0), (0x90, 0xbf), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xf1, 0xf3), (0x80, 0xbf), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xf4, 0xf4), (0x80, 0x8f), (0x80, 0xbf), (0x80, 0xbf)],
];

/// What a domain assumes of the bytes of a text. Where the domain says that characters are sorted or distinct, only ASCII is
/// considered.
pub(super) fn valid(terms: &mut Terms, domain: &Domain, bytes: &[Term]) -> Vec<Term> {
    let mut assumptions = Vec::new();
    if let Some(texts) = &domain.texts {
        let mut any = Term::bool(false);
        for text in texts.iter().filter(|text| text.len() == bytes.len()) {
            let is = spells(terms, bytes, text.as_bytes());
            any = terms.or(any, is);
        }
        assumptions.push(any);
    }
    let ordered = domain.predicates.iter().any(|p| *p != Predicate::NoNul);
    let forms = forms(domain, ordered);
    let mut text = Text { terms, bytes, forms: &forms, length: domain.length, known: FxHashMap::default() };
    assumptions.push(text.from(0, 0));
    for predicate in &domain.predicates {
        predicate_of_ascii(terms, *predicate, bytes, &mut assumptions);
    }
    assumptions
}

/// The forms of one character: ranges of each of its bytes.
type Form = Vec<(u8, u8)>;

/// The forms of the alphabet's characters, of all characters without one.
fn forms(domain: &Domain, ascii: bool) -> Vec<Form> {
    let Some(alphabet) = &domain.alphabet else {
        let count = if ascii { 1 } else { FORMS.len() };
        return FORMS[..count].iter().map(|form| form.to_vec()).collect();
    };
    let mut alphabet = alphabet.clone();
    alphabet.retain(|c| !ascii || c.is_ascii());
    alphabet.sort_unstable();
    alphabet.dedup();
    let mut forms: Vec<Form> = Vec::new();
    for character in alphabet {
        let mut buffer = [0; 4];
        let encoded = character.encode_utf8(&mut buffer).as_bytes();
        let (last, head) = (encoded[encoded.len() - 1], &encoded[..encoded.len() - 1]);
        // Neighbours differ in their last byte alone: a run of them is one form.
        if let Some(form) = forms.last_mut()
            && form.len() == encoded.len()
            && form[..head.len()].iter().map(|(low, _)| low).eq(head)
            && form[head.len()].1.checked_add(1) == Some(last)
        {
            form[head.len()].1 = last;
        } else {
            forms.push(encoded.iter().map(|b| (*b, *b)).collect());
        }
    }
    forms
}

struct Text<'a> {
    terms: &'a mut Terms,
    bytes: &'a [Term],
    forms: &'a [Form],
    /// The least and greatest number of characters.
    length: Option<(u64, u64)>,
    known: FxHashMap<(usize, u64), Term>,
}

impl Text<'_> {
    /// Whether the bytes from an index on are valid behind so many characters (which are counted only where it matters).
    fn from(&mut self, at: usize, characters: u64) -> Term {
        if at == self.bytes.len() {
            let fits = self.length.is_none_or(|(low, high)| low <= characters && characters <= high);
            return Term::bool(fits);
        }
        if let Some(known) = self.known.get(&(at, characters)) {
            return *known;
        }
        let next = if self.length.is_some() { characters + 1 } else { 0 };
        let mut valid = Term::bool(false);
        for form in self.forms {
            let Some(bytes) = self.bytes.get(at..at + form.len()) else { continue };
            let mut one = Term::bool(true);
            for (byte, (low, high)) in bytes.iter().zip(form) {
                let inside = within(self.terms, *byte, *low, *high);
                one = self.terms.and(one, inside);
            }
            let rest = self.from(at + form.len(), next);
            let both = self.terms.and(one, rest);
            valid = self.terms.or(valid, both);
        }
        self.known.insert((at, characters), valid);
        valid
    }
}

fn within(terms: &mut Terms, byte: Term, low: u8, high: u8) -> Term {
    let constant = |b: u8| Term::bits(8, b.into());
    if low == high {
        return terms.equal(byte, constant(low));
    }
    let least = terms.compare(Op::UnsignedLessEqual, constant(low), byte);
    let most = terms.compare(Op::UnsignedLessEqual, byte, constant(high));
    terms.and(least, most)
}

fn spells(terms: &mut Terms, bytes: &[Term], text: &[u8]) -> Term {
    let mut all = Term::bool(true);
    for (byte, wanted) in bytes.iter().zip(text) {
        let is = terms.equal(*byte, Term::bits(8, (*wanted).into()));
        all = terms.and(all, is);
    }
    all
}

fn predicate_of_ascii(terms: &mut Terms, predicate: Predicate, bytes: &[Term], into: &mut Vec<Term>) {
    match predicate {
        Predicate::Sorted => {
            for pair in bytes.windows(2) {
                into.push(terms.compare(Op::UnsignedLessEqual, pair[0], pair[1]));
            }
        }
        Predicate::Distinct => {
            for (i, a) in bytes.iter().enumerate() {
                for b in &bytes[..i] {
                    let same = terms.equal(*a, *b);
                    into.push(terms.not(same));
                }
            }
        }
        Predicate::NoNul => {
            for byte in bytes {
                let nul = terms.equal(*byte, Term::bits(8, 0));
                into.push(terms.not(nul));
            }
        }
    }
}
