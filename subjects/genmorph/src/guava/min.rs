//! `Ints.min(int...)`.

/// The least element.
///
/// # Panics
/// When there is none.
pub fn min(array: &[i32]) -> i32 {
    let (first, rest) = array.split_first().expect("nothing has no least element");
    let mut least = *first;
    for &x in rest {
        if x < least {
            least = x;
        }
    }
    least
}
