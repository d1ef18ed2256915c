//! The parameters of a prototype: which of them are arrays, and which say how many elements others have.

use super::names::is_length;
use super::types::CType;
use dodona_target::Scalar;

/// A parameter of a prototype.
pub(super) struct Given<'a> {
    /// Its place among the parameters.
    pub(super) place: usize,
    /// What it is called in the signature, or the beginning of what its parts are called.
    pub(super) name: String,
    /// Whether the prototype does not call it anything.
    pub(super) is_nameless: bool,
    /// Its type as clang writes it.
    pub(super) written: &'a str,
    pub(super) ty: CType,
}

/// How many elements the brackets of a parameter say that it has; 0 where they say nothing.
pub(super) fn fixed(given: &Given<'_>) -> u32 {
    let count = given.written.strip_suffix(']').and_then(|written| written.rsplit_once('['));
    count.and_then(|(_, count)| count.parse().ok()).unwrap_or(0)
}

/// What a pointer points to, as code spells it.
pub(super) fn pointee(written: &str) -> String {
    match written.trim_end_matches(" restrict").trim_end().strip_suffix(['*', ']']) {
        Some(to) if to.contains('[') => {
            to.split('[').next().unwrap_or_default().trim_end().trim_start_matches("const ").to_owned()
        }
        Some(to) => to.trim_end().trim_start_matches("const ").to_owned(),
        // A name for a type of pointers.
        None => format!("__typeof__(*({written})0)"),
    }
}

/// For each parameter that is an array, the one that says how many elements it has.
pub(super) fn counted(given: &[Given<'_>]) -> Vec<Option<usize>> {
    let is_array = |place: usize| match &given[place].ty {
        CType::Pointer { to, .. } => to.scalar().is_some() || **to == CType::Void,
        _ => false,
    };
    let is_length = |length: usize, of: usize| {
        let Some(one) = given.get(length) else { return false };
        let is_integer = match &one.ty {
            CType::Pointer { to, is_constant: false } => {
                to.counts() && is_length(&one.name, &given[of].name) && is_bytes(&given[of].ty)
            }
            // Where a prototype has no names, a size behind an array is its length.
            ty => {
                ty.counts()
                    && (is_length(&one.name, &given[of].name)
                        || (one.is_nameless && one.written.ends_with("size_t")))
            }
        };
        is_integer && !one.name.to_ascii_lowercase().contains("stride")
    };
    let mut counted = vec![None; given.len()];
    for place in (0..given.len()).filter(|place| is_array(*place)) {
        if counted.contains(&Some(place)) {
            continue;
        }
        // A stride may stand between an array and its length, and more arrays of the same length.
        let behind = (place + 1..given.len()).take_while(|next| {
            *next == place + 1
                || given[*next - 1].name.to_ascii_lowercase().contains("stride")
                || (is_array(*next - 1) && !is_text(&given[place].ty))
        });
        counted[place] = behind.into_iter().find(|next| is_length(*next, place));
    }
    // A length stands before its array only where it is not that of another one.
    for place in (1..given.len()).filter(|place| is_array(*place) && !is_text(&given[*place].ty)) {
        let before = place - 1;
        let is_free =
            counted[place].is_none() && !counted.contains(&Some(place)) && !counted.contains(&Some(before));
        if is_free && is_length(before, place) {
            counted[place] = Some(before);
        }
    }
    counted
}

pub(super) fn is_text(ty: &CType) -> bool {
    matches!(ty, CType::Pointer { to, is_constant: true } if **to == CType::Char)
}

/// Whether it points to bytes that may be written.
fn is_bytes(ty: &CType) -> bool {
    let is_byte =
        |to: &CType| matches!(to, CType::Void | CType::Char | CType::Scalar(Scalar::U8 | Scalar::I8, _));
    matches!(ty, CType::Pointer { to, is_constant: false } if is_byte(to))
}

/// Whether a parameter is the distance between the elements of the array before it.
pub(super) fn is_stride(given: &[Given<'_>], counted: &[Option<usize>], place: usize) -> bool {
    let before = place.checked_sub(1).and_then(|before| counted[before]);
    before.is_some() && given[place].ty.counts() && given[place].name.to_ascii_lowercase().contains("stride")
}
