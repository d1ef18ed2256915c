//! `Booleans.join(String, boolean...)`.

/// The words `true` and `false` with `separator` between them.
pub fn join(separator: &str, array: &[bool]) -> String {
    let mut joined = String::new();
    for (i, value) in array.iter().enumerate() {
        if i > 0 {
            joined.push_str(separator);
        }
        joined.push_str(if *value { "true" } else { "false" });
    }
    joined
}
