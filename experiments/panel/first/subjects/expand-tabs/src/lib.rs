//! Tabs, and the spaces that they stand for.

/// Replaces the tabs of a text by spaces, up to the next column that is a multiple of `width`. With a width of 0, tabs are removed.
///
/// Columns are counted in characters from the beginning of each line; lines end with a line feed or a carriage return.
pub fn expand_tabs(text: &str, width: u32) -> String {
    let mut expanded = String::with_capacity(text.len());
    let mut column = 0;
    for character in text.chars() {
        match character {
            '\t' => {
                let spaces = if width == 0 { 0 } else { width - column % width };
                expanded.extend(std::iter::repeat_n(' ', spaces as usize));
                column += spaces;
            }
            '\n' | '\r' => {
                expanded.push(character);
                column = 0;
            }
            _ => {
                expanded.push(character);
                column += 1;
            }
        }
    }
    expanded
}

#[cfg(test)]
mod tests {
    use super::expand_tabs;

    #[test]
    fn a_tab_leads_to_the_next_stop() {
        assert_eq!(expand_tabs("a\tb", 4), "a   b");
        assert_eq!(expand_tabs("abcd\tb", 4), "abcd    b");
        assert_eq!(expand_tabs("ab\n\tb", 4), "ab\n    b");
    }

    #[test]
    fn a_width_of_0_removes_tabs() {
        assert_eq!(expand_tabs("a\t\tb", 0), "ab");
    }
}
