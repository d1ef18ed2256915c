//! Whether the results of two calls differ.

use dodona_smt::term::{Op, Sort, Term, Terms};
use dodona_target::Signature;

use crate::call::{Symbol, Unreadable};
use crate::end::End;
use crate::explore::Path;
use crate::relation::well_formed;

/// What follows from the ends of two paths alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// They differ, whatever the outputs are.
    Differ,
    /// They are the same, and there are no outputs.
    Same,
    /// Both have outputs, and these decide.
    ByOutputs,
    /// An output cannot be read.
    Unknown,
}

/// Compares how two paths ended.
pub(crate) fn ends_alike(a: &Path, b: &Path) -> Ends {
    match (&a.end, &b.end) {
        (End::Trapped(a), End::Trapped(b)) if a == b => Ends::Same,
        (End::Trapped(_), _) | (_, End::Trapped(_)) => Ends::Differ,
        _ => match (&a.outputs, &b.outputs) {
            (Ok(_), Ok(_)) => Ends::ByOutputs,
            (Err(Unreadable::Malformed), Err(Unreadable::Malformed)) => Ends::Same,
            (Err(Unreadable::Symbolic), _) | (_, Err(Unreadable::Symbolic)) => Ends::Unknown,
            _ => Ends::Differ,
        },
    }
}

/// Whether outputs differ, as mutation analysis compares them: all NaNs are equal, and so are both zeros. A call whose output
/// is outside its declared type counts as malformed, whatever the output is.
pub(crate) fn outputs_differ(terms: &mut Terms, function: &Signature, a: &[Symbol], b: &[Symbol]) -> Term {
    let formed = [a, b].map(|outputs| all_formed(terms, function, outputs));
    let same = terms.equal(formed[0], formed[1]);
    let one_alone = terms.not(same);
    let values = any_differ(terms, a, b, values_differ);
    let values = terms.and(formed[0], values);
    terms.or(one_alone, values)
}

fn all_formed(terms: &mut Terms, function: &Signature, outputs: &[Symbol]) -> Term {
    let mut all = Term::bool(true);
    for (output, symbol) in function.outputs.iter().zip(outputs) {
        let here = well_formed(terms, output.ty, symbol);
        all = terms.and(all, here);
    }
    all
}

/// Whether outputs differ in the sign of a zero. `==` does not show this, but a relation can, by a function that depends on the
/// sign.
pub(crate) fn zeros_differ(terms: &mut Terms, a: &[Symbol], b: &[Symbol]) -> Term {
    any_differ(terms, a, b, zero_signs_differ)
}

fn any_differ(
    terms: &mut Terms,
    a: &[Symbol],
    b: &[Symbol],
    values_differ: fn(&mut Terms, Term, Term) -> Term,
) -> Term {
    let mut differ = Term::bool(a.len() != b.len());
    for (a, b) in a.iter().zip(b) {
        let here = match (a, b) {
            (Symbol::Scalar(a), Symbol::Scalar(b)) => values_differ(terms, *a, *b),
            (Symbol::Elements(a), Symbol::Elements(b)) if a.len() == b.len() => {
                let mut any = Term::bool(false);
                for (a, b) in a.iter().zip(b) {
                    let here = values_differ(terms, *a, *b);
                    any = terms.or(any, here);
                }
                any
            }
            _ => Term::bool(true),
        };
        differ = terms.or(differ, here);
    }
    differ
}

fn values_differ(terms: &mut Terms, a: Term, b: Term) -> Term {
    if a == b {
        return Term::bool(false);
    }
    if a.sort() != b.sort() {
        return Term::bool(true);
    }
    if !a.sort().is_float() {
        let same = terms.equal(a, b);
        return terms.not(same);
    }
    let equal = terms.compare(Op::FloatEqual, a, b);
    let a_number = terms.compare(Op::FloatEqual, a, a);
    let b_number = terms.compare(Op::FloatEqual, b, b);
    let some_number = terms.or(a_number, b_number);
    let unequal = terms.not(equal);
    terms.and(unequal, some_number)
}

fn zero_signs_differ(terms: &mut Terms, a: Term, b: Term) -> Term {
    if a == b || a.sort() != b.sort() || !a.sort().is_float() {
        return Term::bool(false);
    }
    // Equal floats whose signs differ are zeros.
    let sort = a.sort();
    let one = if sort == Sort::F32 { u128::from(1f32.to_bits()) } else { u128::from(1f64.to_bits()) };
    let signed = [a, b].map(|x| terms.apply(Op::FloatCopySign, sort, &[Term::Constant(sort, one), x]));
    let equal = terms.compare(Op::FloatEqual, a, b);
    let same_sign = terms.compare(Op::FloatEqual, signed[0], signed[1]);
    let other_sign = terms.not(same_sign);
    terms.and(equal, other_sign)
}
