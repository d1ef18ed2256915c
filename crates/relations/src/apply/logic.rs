//! Three-valued logic on columns (Kleene): an undefined side makes the result undefined unless the other side decides
//! it.

use super::register::{Data, Lane, Register, Valid};
use super::rows::{by_row, by_row_checked, zip};

/// The connectives that may have a value although a side is undefined.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Connective {
    /// `and`.
    And,
    /// `or`.
    Or,
    /// `implies`.
    Implies,
}

/// The Booleans of a register.
pub(crate) fn bools<'r>(data: &'r Data<'_>) -> &'r Lane<'r, bool> {
    match data {
        Data::Bool(l) => l,
        other => unreachable!("checked to be Boolean: {other:?}"),
    }
}

/// `and`, `or` and `implies` where a side may be undefined.
pub(crate) fn connective(which: Connective, a: &Register<'_>, b: &Register<'_>) -> Register<'static> {
    let (left, right) = (bools(&a.data), bools(&b.data));
    if (&a.valid, &b.valid) == (&Valid::All, &Valid::All) {
        return Register::new(Data::Bool(match which {
            Connective::And => zip(left, right, |a, b| a & b),
            Connective::Or => zip(left, right, |a, b| a | b),
            Connective::Implies => zip(left, right, |a, b| !a | b),
        }));
    }
    let rows = a.data.rows().or(b.data.rows());
    let truth = |lane: &Lane<'_, bool>, valid: &Valid, row| valid.at(row).then(|| lane.at(row));
    let (lane, valid) = by_row_checked(rows, false, |row| {
        kleene(which, truth(left, &a.valid, row), truth(right, &b.valid, row))
    });
    Register { data: Data::Bool(lane), valid }
}

fn kleene(which: Connective, a: Option<bool>, b: Option<bool>) -> Option<bool> {
    // For each connective and side there is one value that decides the result alone, such as `false` for `and`.
    let (a_decides, b_decides) = match which {
        Connective::And => (false, false),
        Connective::Or => (true, true),
        Connective::Implies => (false, true),
    };
    if a == Some(a_decides) || b == Some(b_decides) {
        return Some(b_decides);
    }
    a.and(b)?;
    Some(!b_decides)
}

/// `defined(e)`, which always has a value.
pub(crate) fn defined(a: &Register<'_>) -> Register<'static> {
    Register::new(Data::Bool(by_row(a.data.rows(), |row| a.valid.at(row))))
}
