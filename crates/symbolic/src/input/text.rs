//! Text: valid UTF-8 of an alphabet and a length in characters.

use dodona_target::{Domain, Predicate};

use dodona_smt::term::{Op, Term, Terms};

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

/// The assumptions that a domain makes about the bytes of a text whose characters have these widths. If the domain says that
/// characters are sorted or distinct, only ASCII is considered.
pub(super) fn valid(terms: &mut Terms, domain: &Domain, widths: &[u8], bytes: &[Term]) -> Vec<Term> {
    let mut assumptions = Vec::new();
    if let Some(texts) = &domain.texts {
        let mut any = Term::bool(false);
        for text in texts.iter().filter(|text| text.len() == bytes.len()) {
            let is = spells(terms, bytes, text.as_bytes());
            any = terms.or(any, is);
        }
        assumptions.push(any);
    }
    let characters = widths.len() as u64;
    if domain.length.is_some_and(|(low, high)| characters < low || high < characters) {
        assumptions.push(Term::bool(false));
    }
    let forms = forms(domain);
    let mut at = 0;
    for width in widths {
        let end = at + usize::from(*width);
        assumptions.push(one_of(terms, &bytes[at..end], &forms));
        at = end;
    }
    for predicate in &domain.predicates {
        predicate_of_ascii(terms, *predicate, bytes, &mut assumptions);
    }
    assumptions.retain(|assumption| !assumption.is(true));
    assumptions
}

/// Whether bytes are one character of some forms.
fn one_of(terms: &mut Terms, bytes: &[Term], forms: &[Form]) -> Term {
    let mut any = Term::bool(false);
    for form in forms.iter().filter(|form| form.len() == bytes.len()) {
        let mut one = Term::bool(true);
        for (byte, (low, high)) in bytes.iter().zip(form) {
            let inside = within(terms, *byte, *low, *high);
            one = terms.and(one, inside);
        }
        any = terms.or(any, one);
    }
    any
}

/// The widths in bytes that characters of a domain have, ascending.
pub(super) fn widths(domain: &Domain) -> Vec<u8> {
    let mut widths: Vec<u8> = forms(domain).iter().map(|form| form.len() as u8).collect();
    widths.sort_unstable();
    widths.dedup();
    widths
}

/// The forms of one character: ranges of each of its bytes.
type Form = Vec<(u8, u8)>;

/// The forms of the alphabet's characters, of all characters without one.
fn forms(domain: &Domain) -> Vec<Form> {
    let ascii = domain.predicates.iter().any(|p| *p != Predicate::NoNul);
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
