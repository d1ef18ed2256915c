//! Text as bytes. Where characters count, the text is assumed to be ASCII.

use dodona_smt::term::{Op, Term};

use super::Context;

/// Assumes that every byte is a character of its own.
pub(super) fn assume_ascii(context: &mut Context<'_>, bytes: &[Term]) {
    for byte in bytes {
        let ascii = context.terms.compare(Op::UnsignedLess, *byte, Term::bits(8, 0x80));
        context.assume(ascii);
    }
}

/// All capital (`from` is `a`) or all small (`from` is `A`).
pub(super) fn change_case(context: &mut Context<'_>, bytes: &[Term], from: u8) -> Vec<Term> {
    assume_ascii(context, bytes);
    let terms = &mut *context.terms;
    let mut changed = Vec::new();
    for byte in bytes {
        let place = terms.binary(Op::Sub, *byte, Term::bits(8, from.into()));
        let letter = terms.compare(Op::UnsignedLess, place, Term::bits(8, 26));
        let other = terms.binary(Op::BitXor, *byte, Term::bits(8, 0x20));
        changed.push(terms.ite(letter, other, *byte));
    }
    changed
}
