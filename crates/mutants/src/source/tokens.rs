//! Source text as tokens: enough of C, C++, Rust and Zig to find operators and their operands.

use super::language::Language;

/// A word of source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it starts, in bytes from the start of the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// From 1.
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or a character.
    Quoted,
    /// An operator or a bracket.
    Symbol,
}

/// Symbols of several characters, longest first.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "...", "..=", "->", "=>", "::", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "..",
];

/// Splits a text into tokens; comments are left out. Never fails: what it does not know is a symbol.
pub(crate) fn tokens(text: &str, language: Language) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, line: 1, line_start: 0, language };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.token() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
    language: Language,
}

impl Lexer<'_> {
    fn token(&mut self) -> Option<Token> {
        self.skip_blank();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let (start, line, column) = (self.at, self.line, (self.at - self.line_start) as u32 + 1);
        let (kind, length) = self.measure(first, rest);
        self.advance(length);
        Some(Token { kind, start, end: self.at, line, column })
    }

    fn measure(&self, first: char, rest: &str) -> (TokenKind, usize) {
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        let run = |while_in: &dyn Fn(char) -> bool| rest.find(|c| !while_in(c)).unwrap_or(rest.len());
        if first.is_ascii_digit() {
            return (TokenKind::Number, number(rest));
        }
        if self.language == Language::Rust
            && let Some(length) = raw_string(rest)
        {
            return (TokenKind::Quoted, length);
        }
        if is_word(first) {
            return (TokenKind::Word, run(&is_word));
        }
        match first {
            '"' => (TokenKind::Quoted, quoted(rest, '"')),
            '\'' if self.language == Language::Rust && is_lifetime(rest) => {
                (TokenKind::Symbol, 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1))
            }
            '\'' => (TokenKind::Quoted, quoted(rest, '\'')),
            _ => {
                let long = SYMBOLS.iter().find(|s| rest.starts_with(**s));
                (TokenKind::Symbol, long.map_or(first.len_utf8(), |s| s.len()))
            }
        }
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            let comment = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                self.block_comment(rest)
            } else if rest.starts_with("\\\n") {
                2
            } else {
                0
            };
            if blank + comment == 0 {
                return;
            }
            self.advance(if comment > 0 { comment } else { blank });
        }
    }

    /// The length of a comment; those of Rust nest.
    fn block_comment(&self, rest: &str) -> usize {
        if self.language == Language::C {
            return rest[2..].find("*/").map_or(rest.len(), |end| end + 4);
        }
        let (mut depth, mut at) = (0u32, 0);
        while at < rest.len() {
            let here = &rest.as_bytes()[at..];
            if here.starts_with(b"/*") {
                depth += 1;
                at += 2;
            } else if here.starts_with(b"*/") {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            } else {
                at += 1;
            }
        }
        rest.len()
    }

    fn advance(&mut self, length: usize) {
        let passed = &self.text[self.at..self.at + length];
        if let Some(last) = passed.rfind('\n') {
            self.line += passed.matches('\n').count() as u32;
            self.line_start = self.at + last + 1;
        }
        self.at += length;
    }
}

/// The length of a number: `0x1f`, `1_000u64`, `1.5e-3f`; not the dots of `1..n`.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut at = 0;
    while at < bytes.len() {
        let exponent = !is_hex && at > 0 && matches!(bytes[at - 1], b'e' | b'E');
        let belongs = match bytes[at] {
            b'.' => bytes.get(at + 1).is_none_or(|c| *c != b'.' && !c.is_ascii_alphabetic()),
            b'+' | b'-' => exponent,
            c => c == b'_' || c.is_ascii_alphanumeric(),
        };
        if !belongs {
            break;
        }
        at += 1;
    }
    at
}

/// The length of a string or character that opens with `quote`; it ends with the line at the latest.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let count = hashes.len() - hashes.trim_start_matches('#').len();
    let body = hashes[count..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(count));
    let end = body.find(&close).map_or(body.len(), |end| end + close.len());
    Some(rest.len() - body.len() + end)
}

/// `'a` that no quote closes.
fn is_lifetime(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    let first = chars.next();
    first.is_some_and(|c| c == '_' || c.is_alphabetic()) && chars.next() != Some('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, language: Language) -> Vec<&str> {
        tokens(text, language).iter().map(|t| &text[t.start..t.end]).collect()
    }

    #[test]
    fn comments_and_strings_are_not_code() {
        let text = "a /* b < c */ <= \"x < y\" // < z\n && '<'";
        assert_eq!(words(text, Language::C), ["a", "<=", "\"x < y\"", "&&", "'<'"]);
        let rust = "a /* x /* y */ z */ < r#\"q\"#.len() as 'static";
        assert_eq!(
            words(rust, Language::Rust),
            ["a", "<", "r#\"q\"#", ".", "len", "(", ")", "as", "'static"]
        );
    }

    #[test]
    fn numbers_end_where_they_end() {
        assert_eq!(
            words("0..n+1.5e-3f*0xE-2", Language::Rust),
            ["0", "..", "n", "+", "1.5e-3f", "*", "0xE", "-", "2"]
        );
    }

    #[test]
    fn places_count_from_one() {
        let tokens = tokens("ab\n  <= c", Language::C);
        assert_eq!((tokens[1].line, tokens[1].column), (2, 3));
        assert_eq!((tokens[2].line, tokens[2].column), (2, 6));
    }

    #[test]
    fn unclosed_things_end_with_the_text() {
        for text in ["/* a", "\"a", "'a", "r#\"a", "/* /* */"] {
            tokens(text, Language::C);
            tokens(text, Language::Rust);
        }
    }
}
