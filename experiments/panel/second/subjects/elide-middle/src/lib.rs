//! Texts that have to fit into a given space.

/// What stands for the characters that are left out.
const ELLIPSIS: char = '…';

/// How many of the characters that are kept stand before the ellipsis, and how many behind it.
fn shares(kept: usize) -> (usize, usize) {
    (kept - kept / 2, kept / 2)
}

/// Shortens a text to `width` characters at most by leaving out characters in its middle, for which an ellipsis stands.
///
/// A text that fits is kept as it is. Otherwise the result has as many characters before the ellipsis as behind it, or one more. Spaces next to
/// the ellipsis are removed. With a width of 0, the result is empty.
pub fn elide_middle(text: &str, width: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= width {
        return text.to_owned();
    }
    if width == 0 {
        return String::new();
    }
    let (before, behind) = shares(width - 1);
    let head: String = characters[..before].iter().collect();
    let tail: String = characters[characters.len() - behind..].iter().collect();
    let mut elided = head.trim_end_matches(' ').to_owned();
    elided.push(ELLIPSIS);
    elided.push_str(tail.trim_start_matches(' '));
    elided
}

#[cfg(test)]
mod tests {
    use super::elide_middle;

    #[test]
    fn what_fits_is_kept() {
        assert_eq!(elide_middle("abc", 3), "abc");
        assert_eq!(elide_middle("", 0), "");
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(elide_middle("abcdefgh", 5), "ab…gh");
        assert_eq!(elide_middle("abcdefgh", 6), "abc…gh");
        assert_eq!(elide_middle("abcdefgh", 1), "…");
        assert_eq!(elide_middle("abcdefgh", 0), "");
    }

    #[test]
    fn spaces_at_the_gap_are_removed() {
        assert_eq!(elide_middle("a bcdef g", 5), "a…g");
    }
}
