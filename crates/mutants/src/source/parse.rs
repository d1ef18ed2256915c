//! Expressions of source text as trees: enough to find the operands of an operator.

use std::ops::Range;

use super::language::{ATOM, CONDITIONAL, Language, PREFIX};
use super::tokens::{Token, TokenKind};

/// An expression in the source.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// Line and column of the token that names it: an operator, the function called.
    pub place: (u32, u32),
    /// How tightly it binds.
    pub binding: u8,
}

/// What an expression in the source is.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    /// A variable, a constant, or a member of something; the last name of a path.
    Name(String),
    /// A number as written.
    Number(String),
    /// An operator before a value.
    Unary(String, Box<Node>),
    /// An operator between values; also assignments.
    Binary(String, Box<Node>, Box<Node>),
    /// `c ? a : b`.
    Conditional(Box<Node>, Box<Node>, Box<Node>),
    /// A call by the function's last name; the receiver of a method is the first argument.
    Call(String, Vec<Node>),
    /// `xs[i]`.
    Index(Box<Node>, Box<Node>),
    /// In parentheses, or converted to another type.
    Inside(Box<Node>),
    /// Anything else.
    Other,
}

impl Node {
    /// This expression and all in it.
    pub(crate) fn all(&self) -> Vec<&Node> {
        let inner: Vec<&Node> = match &self.kind {
            NodeKind::Unary(_, a) | NodeKind::Inside(a) => vec![a],
            NodeKind::Binary(_, a, b) | NodeKind::Index(a, b) => vec![a, b],
            NodeKind::Conditional(a, b, c) => vec![a, b, c],
            NodeKind::Call(_, all) => all.iter().collect(),
            NodeKind::Name(_) | NodeKind::Number(_) | NodeKind::Other => Vec::new(),
        };
        std::iter::once(self).chain(inner.into_iter().flat_map(Node::all)).collect()
    }
}

/// All outermost expressions that start on or reach into a line.
pub(crate) fn on_line(text: &str, tokens: &[Token], language: Language, line: u32) -> Vec<Node> {
    let first = tokens.partition_point(|t| t.line < line);
    let ends = |t: &Token| matches!(&text[t.start..t.end], ";" | "{" | "}");
    // An expression may have begun on a line before; statements do not.
    let start = tokens[..first].iter().rposition(ends).map_or(0, |at| at + 1).max(first.saturating_sub(200));
    let mut parser = Parser { text, tokens, language, at: start, depth: 0 };
    let mut nodes = Vec::new();
    while tokens.get(parser.at).is_some_and(|t| t.line <= line) {
        let before = parser.at;
        if let Some(node) = parser.expression(CONDITIONAL) {
            nodes.push(node);
        }
        parser.at = parser.at.max(before + 1);
    }
    nodes
}

/// Parentheses deeper than this are not read.
const DEPTH: u32 = 60;

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    language: Language,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| &self.text[t.start..t.end])
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let is = self.peek() == symbol;
        self.at += usize::from(is);
        is
    }

    fn place(&self, at: usize) -> (u32, u32) {
        self.tokens.get(at).map_or((0, 0), |t| (t.line, t.column))
    }

    /// A node from a token to the last one read.
    fn node(&self, kind: NodeKind, first: usize, named: usize, binding: u8) -> Node {
        let start = self.tokens.get(first).map_or(0, |t| t.start);
        let end = self.tokens.get(self.at.saturating_sub(1)).map_or(start, |t| t.end);
        Node { kind, range: start..end, place: self.place(named), binding }
    }

    /// An expression whose operators bind at least so tightly.
    fn expression(&mut self, least: u8) -> Option<Node> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let found = self.operators(least);
        self.depth -= 1;
        found
    }

    fn operators(&mut self, least: u8) -> Option<Node> {
        let first = self.at;
        let mut left = self.prefixed()?;
        loop {
            let (at, symbol) = (self.at, self.peek().to_owned());
            if let Some(binding) = self.language.precedence(&symbol).filter(|b| *b >= least) {
                self.at += 1;
                let Some(right) = self.expression(binding + 1) else {
                    self.at = at;
                    return Some(left);
                };
                left = self.node(NodeKind::Binary(symbol, left.into(), right.into()), first, at, binding);
            } else if least == CONDITIONAL && is_assignment(&symbol) {
                self.at += 1;
                let Some(right) = self.expression(CONDITIONAL) else { return Some(left) };
                return Some(self.node(
                    NodeKind::Binary(symbol, left.into(), right.into()),
                    first,
                    at,
                    CONDITIONAL,
                ));
            } else if least == CONDITIONAL && symbol == "?" && self.language == Language::C {
                return Some(self.conditional(left, first));
            } else {
                return Some(left);
            }
        }
    }

    fn conditional(&mut self, condition: Node, first: usize) -> Node {
        let at = self.at;
        self.at += 1;
        let then = self.expression(CONDITIONAL);
        let colon = self.eat(":");
        match (then, colon.then(|| self.expression(CONDITIONAL)).flatten()) {
            (Some(then), Some(otherwise)) => self.node(
                NodeKind::Conditional(condition.into(), then.into(), otherwise.into()),
                first,
                at,
                CONDITIONAL,
            ),
            _ => condition,
        }
    }

    fn prefixed(&mut self) -> Option<Node> {
        let first = self.at;
        let symbol = self.peek().to_owned();
        if matches!(symbol.as_str(), "-" | "!" | "~" | "*" | "&" | "+" | "++" | "--") {
            self.at += 1;
            if self.language == Language::Rust {
                self.eat("mut");
            }
            let inner = self.deeper(Self::prefixed)?;
            return Some(self.node(NodeKind::Unary(symbol, inner.into()), first, first, PREFIX));
        }
        if self.language == Language::C && self.eat_cast() {
            let inner = self.deeper(Self::prefixed)?;
            return Some(self.node(NodeKind::Inside(inner.into()), first, first, PREFIX));
        }
        let mut node = self.primary()?;
        while let Some(longer) = self.suffixed(&node, first) {
            node = longer;
        }
        Some(node)
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Option<Node>) -> Option<Node> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// `(type)` before a value.
    fn eat_cast(&mut self) -> bool {
        if self.peek() != "(" {
            return false;
        }
        let start = self.at;
        self.at += 1;
        let mut words = 0;
        while self.tokens.get(self.at).is_some_and(|t| t.kind == TokenKind::Word) || self.peek() == "*" {
            words += 1;
            self.at += 1;
        }
        let closed = words > 0 && self.eat(")");
        let value_follows = self.tokens.get(self.at).is_some_and(|t| match t.kind {
            TokenKind::Symbol => matches!(self.peek(), "(" | "~" | "!"),
            _ => true,
        });
        // `(x) (y)` may be a call too, but nobody writes it.
        let is_cast = closed && value_follows;
        if !is_cast {
            self.at = start;
        }
        is_cast
    }

    fn primary(&mut self) -> Option<Node> {
        let first = self.at;
        let token = self.tokens.get(first)?;
        let text = self.peek().to_owned();
        let kind = match token.kind {
            TokenKind::Word if is_keyword(&text) => return None,
            TokenKind::Word => NodeKind::Name(text),
            TokenKind::Number => NodeKind::Number(text),
            TokenKind::Quoted => NodeKind::Other,
            TokenKind::Symbol if text == "(" => return self.parenthesised(),
            TokenKind::Symbol => return None,
        };
        self.at += 1;
        Some(self.node(kind, first, first, ATOM))
    }

    fn parenthesised(&mut self) -> Option<Node> {
        let first = self.at;
        self.at += 1;
        let inner = self.expression(CONDITIONAL)?;
        if !self.eat(")") {
            return None;
        }
        Some(self.node(NodeKind::Inside(inner.into()), first, first, ATOM))
    }

    /// A call, an index, a member or a conversion behind a value.
    fn suffixed(&mut self, node: &Node, first: usize) -> Option<Node> {
        let named = self.at.saturating_sub(1);
        match self.peek() {
            "(" => {
                let NodeKind::Name(name) = &node.kind else { return None };
                let arguments = self.list(")")?;
                Some(self.node(NodeKind::Call(name.clone(), arguments), first, named, ATOM))
            }
            "[" => {
                let index = self.list("]")?.pop()?;
                Some(self.node(NodeKind::Index(node.clone().into(), index.into()), first, first, ATOM))
            }
            "." | "->" | "::" => self.member(node, first),
            "as" if self.language == Language::Rust => {
                self.at += 2;
                Some(self.node(NodeKind::Inside(node.clone().into()), first, named + 1, PREFIX - 1))
            }
            "++" | "--" => {
                self.at += 1;
                Some(self.node(node.kind.clone(), first, self.at - 1, ATOM))
            }
            _ => None,
        }
    }

    fn member(&mut self, node: &Node, first: usize) -> Option<Node> {
        let is_path = self.peek() == "::";
        let at = self.at + 1;
        let token = self.tokens.get(at)?;
        if !matches!(token.kind, TokenKind::Word | TokenKind::Number) {
            return None;
        }
        let name = self.text[token.start..token.end].to_owned();
        self.at = at + 1;
        if self.peek() != "(" {
            return Some(self.node(NodeKind::Name(name), first, at, ATOM));
        }
        let mut arguments = if is_path { Vec::new() } else { vec![node.clone()] };
        arguments.extend(self.list(")")?);
        Some(self.node(NodeKind::Call(name, arguments), first, at, ATOM))
    }

    /// Expressions between commas up to a closing bracket. Leaves the place alone when it finds none.
    fn list(&mut self, close: &str) -> Option<Vec<Node>> {
        let start = self.at;
        self.at += 1;
        let mut items = Vec::new();
        while !self.eat(close) {
            let item = self.expression(CONDITIONAL);
            let is_last = item.is_none() || (!self.eat(",") && self.peek() != close);
            items.extend(item);
            if is_last {
                self.at = start;
                return None;
            }
        }
        Some(items)
    }
}

fn is_assignment(symbol: &str) -> bool {
    matches!(symbol, "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=")
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "for"
            | "while"
            | "do"
            | "switch"
            | "case"
            | "default"
            | "return"
            | "break"
            | "continue"
            | "goto"
            | "let"
            | "mut"
            | "fn"
            | "match"
            | "in"
            | "loop"
            | "as"
            | "static"
            | "const"
            | "unsafe"
    )
}
