//! `Booleans.indexOf(boolean[], boolean[])`.

/// Where `target` first occurs in `array`, or -1; an empty target occurs at 0.
pub fn index_of(array: &[bool], target: &[bool]) -> i32 {
    let mut start = 0;
    while start + target.len() <= array.len() {
        let matched = matched(&array[start..], target);
        if matched == target.len() {
            return start as i32;
        }
        // Seeded fault: the search goes on behind what matched, though a match may begin within it.
        start += if cfg!(feature = "faulty") { matched.max(1) } else { 1 };
    }
    -1
}

/// How many elements agree from the start on.
fn matched(array: &[bool], target: &[bool]) -> usize {
    array.iter().zip(target).take_while(|(a, b)| a == b).count()
}
