//! Documentation of Rust as text for readers of JSON.

/// The text in one line, without examples in Rust, and with what links say in place of links. What Rust calls `None` is null in JSON.
pub(super) fn plain(documentation: &str) -> String {
    let mut is_code = false;
    let mut words = Vec::new();
    for line in documentation.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            words.extend(line.split_whitespace());
        }
    }
    without_links(&words.join(" ")).replace("`None`", "`null`")
}

/// `` [`Place::file`] `` is written as `` `Place::file` ``, and `[decided](Self::time_decided)` as `decided`.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out += before;
        let Some((said, behind)) = after.split_once(']') else {
            out.push('[');
            rest = after;
            continue;
        };
        let target = behind.strip_prefix('(').and_then(|behind| behind.split_once(')'));
        rest = match target {
            Some((_, behind)) => {
                out += said;
                behind
            }
            None if said.starts_with('`') && said.ends_with('`') => {
                out += said;
                behind
            }
            // Brackets that are no link, such as a list in JSON.
            None => {
                out.push('[');
                after
            }
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn links_say_what_they_say_and_other_brackets_stay() {
        assert_eq!(plain("as in [`Place::file`], or [this](that)."), "as in `Place::file`, or this.");
        assert_eq!(plain("`[1, 3]` is cmr13 [of it"), "`[1, 3]` is cmr13 [of it");
        assert_eq!(plain("[a [`b`]"), "[a `b`");
        assert_eq!(plain("`None` of nothing."), "`null` of nothing.");
    }

    #[test]
    fn examples_are_left_out_and_lines_are_joined() {
        assert_eq!(plain("Two\nlines.\n\n```\nassert!(true);\n```\nMore."), "Two lines. More.");
    }
}
