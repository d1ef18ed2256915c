//! What asc says of code, in blocks of a few lines: what is wrong, the line with a mark below it, and where that is.

/// How blocks begin.
const KINDS: [&str; 5] = ["ERROR ", "FAILURE ", "WARNING ", "PEDANTIC ", "INFO "];

/// An error with its place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// What is wrong, without the number by which the compiler knows it.
    pub(super) message: String,
    /// The file, as the compiler knows it.
    pub(super) file: String,
    /// From 1.
    pub(super) line: usize,
    /// From 1.
    pub(super) column: usize,
}

/// The errors of what asc wrote to its standard error: what it warns of is not why it failed.
pub(super) fn errors(said: &str) -> String {
    let mut is_error = true;
    let mut lines = Vec::new();
    for line in said.lines() {
        if let Some(kind) = KINDS.iter().find(|kind| line.starts_with(**kind)) {
            is_error = ["ERROR ", "FAILURE "].contains(kind);
        }
        if is_error {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// The errors that have a place.
pub(super) fn places(errors: &str) -> Vec<Said> {
    let mut places = Vec::new();
    let mut open: Option<&str> = None;
    for line in errors.lines() {
        if let Some(rest) = line.strip_prefix("ERROR ") {
            open = Some(rest.split_once(": ").map_or(rest, |(_, message)| message));
        } else if let Some((file, line, column)) = place(line)
            && let Some(message) = open.take()
        {
            places.push(Said { message: message.to_owned(), file: file.to_owned(), line, column });
        }
    }
    places
}

/// `   └─ in assembly/index.ts(4,13)`.
fn place(line: &str) -> Option<(&str, usize, usize)> {
    let (_, rest) = line.split_once("─ in ")?;
    let (file, at) = rest.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let (line, column) = at.split_once(',')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "WARNING AS235: Only variables, functions and enums become WebAssembly module exports.\n   :\n 4 │ export type F = Float64Array;\n   │             ~\n   └─ in index.ts(4,13)\n\n\
        ERROR TS2304: Cannot find name 'x: y'.\n   :\n 5 │ x(1)\n   │ ~\n   └─ in a (b)/index.ts(5,1)\n\nFAILURE 1 compile error(s)\n";

    #[test]
    fn warnings_are_left_out_and_errors_have_places() {
        let errors = errors(SAID);
        assert!(!errors.contains("AS235") && !errors.contains("index.ts(4,13)"), "{errors}");
        assert!(
            errors.starts_with("ERROR TS2304") && errors.ends_with("FAILURE 1 compile error(s)"),
            "{errors}"
        );
        let (message, file) = ("Cannot find name 'x: y'.".to_owned(), "a (b)/index.ts".to_owned());
        assert_eq!(places(&errors), [Said { message, file, line: 5, column: 1 }]);
    }

    #[test]
    fn what_has_no_place_is_passed_over() {
        assert_eq!(places("FAILURE out of memory\n   └─ in a.ts(1,2)\n"), []);
        assert_eq!(
            errors("\nError: Cannot find module 'x'\n    at node:1\n"),
            "\nError: Cannot find module 'x'\n    at node:1"
        );
    }
}
