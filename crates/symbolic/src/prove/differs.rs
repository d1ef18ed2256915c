//! Whether results of two calls differ.

use crate::call::{Symbol, Unreadable};
use crate::explore::Path;
use crate::step::End;
use crate::term::{Op, Term, Terms};

/// What the ends of two paths say by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// They differ whatever the outputs.
    Differ,
    /// They are the same, and there are no outputs.
    Same,
    /// Both have outputs, which decide.
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

/// Whether outputs differ, as mutation analysis compares them: all NaNs are one value, and so are the zeros.
pub(crate) fn outputs_differ(terms: &mut Terms, a: &[Symbol], b: &[Symbol]) -> Term {
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
