//! Parts of bit vectors, and concatenations, which are nested to the right: `a ++ (b ++ c)`.

use super::{Op, Sort, Term, Terms, arithmetic};

pub(super) fn extract(terms: &mut Terms, a: Term, low: u8, width: u8) -> Option<Term> {
    if width == a.sort().width() {
        return Some(a);
    }
    match terms.op_of(a)? {
        Op::Extract { low: before } => {
            let (x, _) = terms.as_extract(a)?;
            Some(terms.extract(x, before + low, width))
        }
        Op::Concat => of_concat(terms, a, low, width),
        Op::ZeroExtend => of_zero_extended(terms, a, low, width),
        Op::SignExtend => of_sign_extended(terms, a, low, width),
        Op::Ite => of_ite(terms, a, low, width),
        _ if low == 0 => arithmetic::truncated(terms, a, width),
        _ => None,
    }
}

fn of_concat(terms: &mut Terms, a: Term, low: u8, width: u8) -> Option<Term> {
    let (high_part, low_part) = terms.as_two(a, Op::Concat)?;
    let middle = low_part.sort().width();
    if low >= middle {
        return Some(terms.extract(high_part, low - middle, width));
    }
    if low + width <= middle {
        return Some(terms.extract(low_part, low, width));
    }
    let high = terms.extract(high_part, 0, low + width - middle);
    let low = terms.extract(low_part, low, middle - low);
    Some(terms.concat(high, low))
}

fn of_zero_extended(terms: &mut Terms, a: Term, low: u8, width: u8) -> Option<Term> {
    let x = terms.as_one(a, Op::ZeroExtend)?;
    let inside = x.sort().width();
    if low >= inside {
        return Some(Term::bits(width, 0));
    }
    let part = terms.extract(x, low, width.min(inside - low));
    Some(terms.zero_extend(part, width))
}

fn of_sign_extended(terms: &mut Terms, a: Term, low: u8, width: u8) -> Option<Term> {
    let x = terms.as_one(a, Op::SignExtend)?;
    let inside = x.sort().width();
    let low = low.min(inside - 1);
    let part = terms.extract(x, low, width.min(inside - low));
    Some(terms.sign_extend(part, width))
}

/// A constant branch becomes smaller.
fn of_ite(terms: &mut Terms, a: Term, low: u8, width: u8) -> Option<Term> {
    let (condition, x, y) = terms.as_ite(a)?;
    if x.constant().is_none() && y.constant().is_none() {
        return None;
    }
    let (x, y) = (terms.extract(x, low, width), terms.extract(y, low, width));
    Some(terms.ite(condition, x, y))
}

pub(super) fn concat(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let width = high.sort().width() + low.sort().width();
    if let Some((first, second)) = terms.as_two(high, Op::Concat) {
        let rest = terms.concat(second, low);
        return Some(terms.concat(first, rest));
    }
    if let Some(bits) = high.constant() {
        return below_constant(terms, bits, high.sort().width(), low);
    }
    let zeros = leading_zeros(terms, high, 16);
    if zeros > 0 && terms.as_ite(high).is_some() {
        let digits = terms.extract(high, 0, high.sort().width() - zeros);
        let rest = terms.concat(digits, low);
        return Some(terms.zero_extend(rest, width));
    }
    if let Some(x) = terms.as_one(low, Op::ZeroExtend).filter(|_| terms.as_ite(high).is_some()) {
        let zeros = Term::bits(low.sort().width() - x.sort().width(), 0);
        let above = terms.concat(high, zeros);
        if terms.as_ite(above).is_some() {
            return Some(terms.concat(above, x));
        }
    }
    for extension in [Op::ZeroExtend, Op::SignExtend] {
        if let Some(x) = terms.as_one(high, extension) {
            let rest = terms.concat(x, low);
            return Some(terms.apply(extension, Sort::Bits(width), &[rest]));
        }
    }
    if let Some(term) = joined(terms, high, low) {
        return Some(term);
    }
    let (next, rest) = terms.as_two(low, Op::Concat)?;
    let both = joined(terms, high, next)?;
    Some(terms.concat(both, rest))
}

/// The number of leading zeros that all values of a choice have, less than the width.
fn leading_zeros(terms: &Terms, term: Term, depth: u32) -> u8 {
    let width = term.sort().width();
    let most = width - 1;
    if let Some(bits) = term.constant() {
        return most.min(width - (128 - bits.leading_zeros()) as u8);
    }
    if let Some(x) = terms.as_one(term, Op::ZeroExtend) {
        return width - x.sort().width();
    }
    match terms.as_ite(term) {
        Some((_, a, b)) if depth > 0 => {
            leading_zeros(terms, a, depth - 1).min(leading_zeros(terms, b, depth - 1))
        }
        _ => 0,
    }
}

/// Constant bits above others. Leading zeros are written as an extension, and zeros below others are not, so that every value
/// has one form.
fn below_constant(terms: &mut Terms, bits: u128, above: u8, low: Term) -> Option<Term> {
    let width = low.sort().width();
    let ones = (128 - bits.leading_zeros()) as u8;
    if ones < above {
        let rest = if ones == 0 { low } else { terms.concat(Term::bits(ones, bits), low) };
        return Some(terms.zero_extend(rest, above + width));
    }
    if let Some(x) = terms.as_one(low, Op::ZeroExtend) {
        let zeros = width - x.sort().width();
        return Some(terms.concat(Term::bits(above + zeros, bits << zeros), x));
    }
    if let Some(term) = joined(terms, Term::bits(above, bits), low) {
        return Some(term);
    }
    let (next, rest) = terms.as_two(low, Op::Concat)?;
    let both = joined(terms, Term::bits(above, bits), next)?;
    Some(terms.concat(both, rest))
}

/// Joins two neighbours that are parts of one term.
fn joined(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    if let (Some(a), Some(b)) = (high.constant(), low.constant()) {
        let width = low.sort().width();
        return Some(Term::bits(high.sort().width() + width, a << width | b));
    }
    adjacent(terms, high, low).or_else(|| signs(terms, high, low)).or_else(|| branches(terms, high, low))
}

/// Joins a part of a term with the next part of the same term, in whatever way this one is written.
fn adjacent(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let (above, below) = (high.sort().width(), low.sort().width());
    if let Some((x, from)) = terms.as_extract(high)
        && from >= below
        && terms.extract(x, from - below, below) == low
    {
        return Some(terms.extract(x, from - below, above + below));
    }
    let (x, from) = terms.as_extract(low)?;
    let end = from + below;
    (end + above <= x.sort().width() && terms.extract(x, end, above) == high)
        .then(|| terms.extract(x, from, above + below))
}

/// Copies of the sign bit above a value.
fn signs(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let width = high.sort().width() + low.sort().width();
    let is_bit = high.sort() == Sort::Bits(1) && high.constant().is_none();
    let is_sign = is_bit && terms.extract(low, low.sort().width() - 1, 1) == high;
    is_sign.then(|| terms.sign_extend(low, width))
}

/// Parts that are chosen by one condition. A constant beside such a part can be moved into both branches.
fn branches(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let chosen = |term: Term| match (term, terms.as_ite(term)) {
        (Term::Constant(..), _) => Some((None, term, term)),
        (_, Some((condition, x, y))) => Some((Some(condition), x, y)),
        _ => None,
    };
    let ((first, a, b), (second, c, d)) = (chosen(high)?, chosen(low)?);
    let meets = [(a, c), (b, d)].iter().any(|(x, y)| x.constant().is_some() && y.constant().is_some());
    let condition = match (first, second) {
        (Some(first), Some(second)) if first == second => first,
        (Some(condition), None) | (None, Some(condition)) if meets => condition,
        _ => return None,
    };
    let (a, b) = (terms.concat(a, c), terms.concat(b, d));
    Some(terms.ite(condition, a, b))
}
