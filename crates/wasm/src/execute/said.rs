//! What a program says before it stops: a panic, a failed assertion.

use dodona_target::on_one_line;

/// Characters that are shown: enough for a message with the values that it mentions.
const MOST_SHOWN: usize = 300;

/// The end of what a program wrote to its standard error, in one line; nothing if it wrote nothing.
pub(crate) fn on_standard_error(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    // Rust's hint about a variable of the environment, which is not there.
    let lines = text.lines().filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE="));
    let text = lines.collect::<Vec<_>>().join("\n");
    // The thread of a Rust program is always the same.
    let start = text.rfind("panicked at ").unwrap_or(0);
    one_line(&text[start..], Shown::Last)
}

/// The part of a text that is shown where it is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    First,
    Last,
}

/// A text in one line, with characters escaped that a terminal does not show as they are. Nothing for an empty one.
pub(crate) fn one_line(text: &str, shown: Shown) -> Option<String> {
    let line = on_one_line(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
    let more = line.chars().count().saturating_sub(MOST_SHOWN);
    let line = match (more, shown) {
        (0, _) => line,
        (_, Shown::First) => line.chars().take(MOST_SHOWN).chain(['…']).collect(),
        (more, Shown::Last) => ['…'].into_iter().chain(line.chars().skip(more)).collect(),
    };
    Some(line).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_without_its_thread_and_its_hint() {
        let text = "warming up\n\nthread 'main' (1) panicked at src/main.rs:3:5:\nno\u{7}\nway\nnote: run with \
                    `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        assert_eq!(
            on_standard_error(text.as_bytes()).as_deref(),
            Some("panicked at src/main.rs:3:5: no\\u{7} way")
        );
    }

    #[test]
    fn other_texts_are_one_line_and_not_too_long() {
        assert_eq!(on_standard_error(b" \n\t"), None);
        let assertion = b"Assertion failed: x > 0 (f.c: g: 12)\n";
        assert_eq!(on_standard_error(assertion).as_deref(), Some("Assertion failed: x > 0 (f.c: g: 12)"));
        let long = format!("{}end", "x".repeat(1000));
        let last = on_standard_error(long.as_bytes()).unwrap_or_default();
        assert!(
            last.starts_with('…') && last.ends_with("xend") && last.chars().count() == MOST_SHOWN + 1,
            "{last}"
        );
        let first = one_line(&long, Shown::First).unwrap_or_default();
        assert!(
            first.starts_with("xx") && first.ends_with('…') && first.chars().count() == MOST_SHOWN + 1,
            "{first}"
        );
    }
}
