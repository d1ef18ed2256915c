//! Source text with marks for words, numbers, texts and comments, line by line.

use std::sync::LazyLock;

use maud::{Markup, PreEscaped, Render, html};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// What scopes begin with, and the class of what has them. The last scope of a place that is one of these counts.
static CLASSES: LazyLock<Vec<(Scope, &'static str)>> = LazyLock::new(|| {
    let classes = [
        ("comment", "c"),
        ("string", "s"),
        ("constant.character", "s"),
        ("constant.numeric", "n"),
        ("constant.language", "n"),
        ("keyword", "k"),
        ("storage", "k"),
        ("entity.name", "f"),
        ("support.function", "f"),
    ];
    classes.iter().filter_map(|(name, class)| Some((Scope::new(name).ok()?, *class))).collect()
});

/// A line longer than this is not parsed: it was written by a machine, and patterns may take long on it.
const LONGEST: usize = 2000;

/// The lines of a file. Of a language that is not known they have no marks.
pub(crate) fn lines(file: &str, text: &str) -> Vec<Markup> {
    let extension = file.rsplit('.').next().unwrap_or_default();
    let Some(syntax) = SYNTAXES.find_syntax_by_extension(extension) else {
        return text.lines().map(|line| line.render()).collect();
    };
    let (mut state, mut scopes) = (ParseState::new(syntax), ScopeStack::new());
    let mut all = Vec::new();
    for line in text.lines() {
        let whole = format!("{line}\n");
        let parsed = (line.len() <= LONGEST).then(|| state.parse_line(&whole, &SYNTAXES).ok()).flatten();
        all.push(match parsed {
            Some(steps) => marked(line, &steps, &mut scopes),
            None => line.render(),
        });
    }
    all
}

/// A line whose scopes change at these places.
fn marked(line: &str, steps: &[(usize, syntect::parsing::ScopeStackOp)], scopes: &mut ScopeStack) -> Markup {
    let mut out = String::new();
    let mut from = 0;
    for (at, step) in steps {
        let at = (*at).min(line.len());
        push(&mut out, &line[from..at], class(scopes));
        from = at;
        // A step that does not fit the stack marks what follows wrongly, and nothing else.
        let _ = scopes.apply(step);
    }
    push(&mut out, &line[from..], class(scopes));
    PreEscaped(out)
}

fn class(scopes: &ScopeStack) -> Option<&'static str> {
    let of = |scope: &Scope| {
        CLASSES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class)
    };
    // In a comment a number is a part of the comment.
    let is_comment = |class: &&str| *class == "c" || *class == "s";
    let classes = || scopes.as_slice().iter().filter_map(of);
    classes().find(is_comment).or_else(|| classes().next_back())
}

fn push(out: &mut String, text: &str, class: Option<&str>) {
    if text.is_empty() {
        return;
    }
    let piece = match class.filter(|_| !text.trim().is_empty()) {
        Some(class) => html! { i class=(class) { (text) } },
        None => html! { (text) },
    };
    out.push_str(&piece.into_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_texts_and_comments_are_marked() {
        let lines = lines("a.rs", "fn f() { g(\"<\", 12); // if 3\n/* a\nb */ let x;\n");
        let lines: Vec<&str> = lines.iter().map(|line| line.0.as_str()).collect();
        assert!(
            lines[0].contains("<i class=\"s\">&lt;</i>") && lines[0].contains("<i class=\"n\">12</i>"),
            "{}",
            lines[0]
        );
        assert!(lines[0].contains("<i class=\"c\"> if 3"), "{}", lines[0]);
        // A comment over two lines is marked in both.
        assert!(lines[1].contains("class=\"c\"") && lines[2].starts_with("<i class=\"c\">b "), "{lines:?}");
        assert!(lines[2].contains("<i class=\"k\">let</i>"), "{}", lines[2]);
    }

    #[test]
    fn a_language_that_is_not_known_has_no_marks() {
        let lines = lines("a.unknown", "if <b>\n");
        assert_eq!(lines[0].0, "if &lt;b&gt;");
    }
}
