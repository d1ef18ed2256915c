//! `StringUtils.capitalize(String)`.

/// `str` with its first character in title case; the others stay.
pub fn capitalize(str: &str) -> String {
    let mut rest = str.chars();
    match rest.next() {
        None => String::new(),
        Some(first) => std::iter::once(title_case(first)).chain(rest).collect(),
    }
}

/// The title case of a character by Unicode's one-to-one mapping, as `Character.toTitleCase` gives it.
fn title_case(c: char) -> char {
    match c {
        // Digraphs such as dž, whose title case is not their upper case.
        '\u{1C4}'..='\u{1CC}' => digraph(c, '\u{1C4}'),
        '\u{1F1}'..='\u{1F3}' => digraph(c, '\u{1F1}'),
        // Georgian has an upper case, but its title case is the letter itself.
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' => c,
        // Greek letters with an iota below have one character in title case and two in upper case.
        '\u{1F80}'..='\u{1FAF}' => char::from_u32(c as u32 | 8).unwrap_or(c),
        '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => char::from_u32(c as u32 + 9).unwrap_or(c),
        _ => single_upper_case(c),
    }
}

/// The middle one of the group of three that `c` is in.
fn digraph(c: char, first: char) -> char {
    let start = first as u32 + (c as u32 - first as u32) / 3 * 3;
    char::from_u32(start + 1).unwrap_or(c)
}

/// The upper case where it is one character, else the character itself.
fn single_upper_case(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}
