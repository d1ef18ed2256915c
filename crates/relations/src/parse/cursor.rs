//! A position in a list of tokens.

use super::{Parsed, named};
use crate::Diagnostic;
use crate::ast::{Name, Span};
use crate::token::{Placed, Token};

/// Words of the language that are never names.
pub(crate) const RESERVED: [&str; 14] = [
    "relation", "for", "when", "given", "expect", "within", "not", "true", "false", "traps", "is", "if",
    "then", "else",
];

/// Words that stand between operands. Each is a name only where a call begins, as in `div(7, 2)`.
pub(crate) const INFIX: [&str; 13] = [
    "iff",
    "implies",
    "or",
    "xor",
    "and",
    "contains",
    "is_prefix_of",
    "is_suffix_of",
    "is_subset_of",
    "is_disjoint_from",
    "is_permutation_of",
    "div",
    "mod",
];

/// A position in a list of tokens, with the nesting depth of the expressions around it.
pub(crate) struct Cursor<'t> {
    tokens: &'t [Placed],
    at: usize,
    source_end: usize,
    pub(super) depth: usize,
}

impl<'t> Cursor<'t> {
    /// A cursor at the first of `tokens`, which belong to a text of `source_end` bytes.
    pub(crate) fn new(tokens: &'t [Placed], source_end: usize) -> Self {
        Cursor { tokens, at: 0, source_end, depth: 0 }
    }

    pub(super) fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at).map(|t| &t.token)
    }

    pub(super) fn peek_second(&self) -> Option<&'t Token> {
        self.tokens.get(self.at + 1).map(|t| &t.token)
    }

    /// The position of the next token; after the last token, the empty span at its end.
    pub(super) fn span(&self) -> Span {
        let end = self.tokens.last().map_or(self.source_end, |t| t.span.end);
        self.tokens.get(self.at).map_or(Span { start: end, end }, |t| t.span)
    }

    /// The position of the previous token.
    pub(super) fn last(&self) -> Span {
        self.at.checked_sub(1).map_or(Span::default(), |i| self.tokens[i].span)
    }

    pub(super) fn next_token(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += usize::from(token.is_some());
        token
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(name)) if name == word)
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(s)) if *s == sign)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub(super) fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Succeeds only if no token is left.
    pub(super) fn end(&self, wanted: &str) -> Parsed<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected(wanted)) }
    }

    /// Reads a name that is not a word of the language.
    pub(super) fn name(&mut self, wanted: &str) -> Parsed<Name> {
        match self.peek() {
            Some(Token::Name(name)) if !is_reserved(name) => {
                self.at += 1;
                Ok(named(name, self.last()))
            }
            Some(Token::Name(word)) => Err(self.expected(wanted).hint(format!(
                "`{word}` is a word of the language; a header entry `x: function.parameter` gives a parameter another name"
            ))),
            _ => Err(self.expected(wanted)),
        }
    }

    /// Reads a name with a prime, such as `out'`.
    pub(super) fn primed(&mut self) -> Parsed<Name> {
        match self.peek() {
            Some(Token::Primed(name)) => {
                self.at += 1;
                Ok(named(name, self.last()))
            }
            _ => Err(self.expected("a parameter with a prime")),
        }
    }

    /// Reads items separated by commas, up to and including the closing sign; a comma before the closing sign is
    /// allowed.
    pub(super) fn list<T>(
        &mut self,
        close: &'static str,
        wanted: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.take_sign(close) {
            items.push(item(self)?);
            if !self.take_sign(",") && !self.is_sign(close) {
                return Err(self.expected(wanted));
            }
        }
        Ok(items)
    }

    /// The report that `wanted` was expected here, and what was found instead.
    pub(super) fn expected(&self, wanted: &str) -> Diagnostic {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(Token::Name(name)) => format!("`{name}`"),
            Some(Token::Primed(name)) => format!("`{name}'`"),
            Some(Token::Int(n)) => format!("`{n}`"),
            Some(Token::Float(x)) => format!("`{x:?}`"),
            Some(Token::Text(_)) => "a text".to_owned(),
            Some(Token::Sign(sign)) => format!("`{sign}`"),
            Some(Token::Bad) => "something unreadable".to_owned(),
        };
        let problem = Diagnostic::new(self.span(), format!("expected {wanted}, found {found}")).label("here");
        match self.is_sign("=") {
            true => problem.hint("equality is written `==`"),
            false => problem,
        }
    }
}

/// Whether a word can never be a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || INFIX.contains(&word)
}
