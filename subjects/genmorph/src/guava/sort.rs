//! `UnsignedBytes.sort(byte[], int, int)`.

/// Sorts the elements from `from_index` up to and without `to_index` as unsigned bytes, ascending.
///
/// # Panics
/// When the indices are not in order within the array.
pub fn sort(array: &mut [u8], from_index: i32, to_index: i32) {
    let start = usize::try_from(from_index).expect("an index is not negative");
    let end = usize::try_from(to_index).expect("an index is not negative");
    assert!(start <= end && end <= array.len(), "{start}..{end} is not within the array");
    let mut counts = [0_usize; 256];
    for byte in &array[start..end] {
        counts[usize::from(*byte)] += 1;
    }
    let mut at = start;
    for byte in order() {
        let next = at + counts[usize::from(byte)];
        array[at..next].fill(byte);
        at = next;
    }
}

/// Every byte, ascending.
fn order() -> impl Iterator<Item = u8> {
    // Seeded fault: bytes are ordered as signed ones, so 128 comes first.
    let first = if cfg!(feature = "faulty") { 128 } else { 0 };
    (0..=u8::MAX).map(move |byte| byte.wrapping_add(first))
}
