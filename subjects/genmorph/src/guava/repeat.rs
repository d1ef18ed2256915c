//! `Strings.repeat(String, int)`.

/// `string` over and over, `count` times.
///
/// # Panics
/// When `count` is negative, or the result has more than 2^31 - 1 bytes.
pub fn repeat(string: &str, count: i32) -> String {
    let count = usize::try_from(count).expect("a count is not negative");
    let size = string.len().checked_mul(count).filter(|size| *size <= i32::MAX as usize);
    let size = size.expect("the text is too long");
    let mut repeated = String::with_capacity(size);
    if count == 0 || string.is_empty() {
        return repeated;
    }
    // What is there is doubled, so that few copies make many.
    repeated.push_str(string);
    while repeated.len() < size - repeated.len() {
        repeated.extend_from_within(..);
    }
    repeated.extend_from_within(..size - repeated.len());
    repeated
}
