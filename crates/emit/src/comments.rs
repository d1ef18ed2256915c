//! What people are told of a relation: the comment above it.

/// The lines of the comment that stands directly above a place of a text of relations, without the signs of a comment.
///
/// ```
/// use dodona_emit::comment_above;
///
/// let text = "# of the file\n\n# odd:\n#  negating x negates the result\nrelation odd: sin(-x) == -sin(x)\n";
/// let place = text.find("relation").expect("it is there");
/// assert_eq!(comment_above(text, place), ["odd:", "negating x negates the result"]);
/// assert_eq!(comment_above(text, 0), Vec::<String>::new());
/// // The relation itself may be indented.
/// assert_eq!(comment_above("# odd\n  relation", 8), ["odd"]);
/// ```
///
/// # Panics
/// When the place is not between two characters of the text.
pub fn comment_above(text: &str, place: usize) -> Vec<String> {
    let line = |line: &str| line.trim().strip_prefix('#').map(|words| words.trim().to_owned());
    let above = text[..place].trim_end_matches([' ', '\t']);
    let mut lines: Vec<String> = above.lines().rev().map_while(line).collect();
    lines.reverse();
    lines
}
