//! `ArrayUtils.isSorted(int[])`.

/// Whether no element is less than the one before it.
pub fn is_sorted(array: &[i32]) -> bool {
    let Some((mut previous, rest)) = array.split_first() else { return true };
    for current in rest {
        if previous > current {
            return false;
        }
        previous = current;
    }
    true
}
