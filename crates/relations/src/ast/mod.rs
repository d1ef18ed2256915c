//! The syntax tree of the relation language.
//!
//! Two trees are equal when they have the same structure and content: `==` ignores spans (positions in the text).
//! [`std::fmt::Display`] prints a tree so that parsing the printed text gives an equal tree.

mod build;
mod operator;

use std::fmt;
use std::ops::Range;

use bstr::BString;

use dodona_target::{OutputName, Parameter, Signature};

pub use build::{binary, call, chain, int, negative, not, output, parts};
pub use operator::{BinaryOperator, UnaryOperator};

/// A range of the parsed text, in bytes. `==` treats all spans as equal.
#[derive(Clone, Copy, Default, Eq)]
pub struct Span {
    /// The first byte of the range.
    pub start: usize,
    /// The byte after the last byte of the range.
    pub end: usize,
}

impl Span {
    /// From the start of one span to the end of another.
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A name and its position in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, without a prime.
    pub text: String,
    /// The position of the name.
    pub span: Span,
}

impl Name {
    /// A name without a position in a text, for trees made by a program.
    pub fn new(text: impl Into<String>) -> Self {
        Name { text: text.into(), span: Span::default() }
    }
}

/// A file of relations.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct File {
    /// The relations in order.
    pub relations: Vec<Relation>,
}

/// One relation as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The relation's name.
    pub name: Name,
    /// The header entries `x: function.parameter`.
    pub bindings: Vec<Binding>,
    /// The function after `of`.
    pub function: Option<Name>,
    /// `for k in {…}`.
    pub constants: Option<Constants>,
    /// `when …`.
    pub condition: Option<Expression>,
    /// What the relation expects, in one of the two notations.
    pub body: Body,
    /// `within …`.
    pub tolerance: Option<Tolerance>,
    /// From the word `relation` to the end of the relation's text.
    pub span: Span,
}

/// A header entry: it binds a variable to a parameter, whose domain the variable takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable.
    pub variable: Name,
    /// The function that has the parameter.
    pub function: Name,
    /// The parameter.
    pub parameter: Name,
}

/// `for k in {2, 3}`: one metamorphic group for each constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// The name that the relation uses for the current constant.
    pub name: Name,
    /// The constants, at least one.
    pub values: Vec<Expression>,
}

/// The expectation of a relation, in one of the two notations.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A Boolean expression over calls: `gcd(p, q) == gcd(q, p)`.
    Calls(Expression),
    /// How the follow-up input is made from the source input, and what its output must be:
    /// `given p' = q, q' = p expect out' == out`, or without a follow-up input `expect out >= 0`.
    Primed {
        /// The parameters that change; none if the relation is about the source call alone.
        given: Vec<Assignment>,
        /// A Boolean expression over `out`, `out'` and parameters.
        expect: Expression,
    },
}

/// `p' = q`: how a parameter of the follow-up input is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The parameter, without its prime.
    pub parameter: Name,
    /// Its value in the follow-up input.
    pub value: Expression,
}

/// The tolerance of `~=`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// How far apart two numbers may be that count as equal.
    pub bound: Bound,
    /// The position of the tolerance.
    pub span: Span,
}

/// How far apart two numbers may be that `~=` counts as equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// `|a - b| <= this number * max(|a|, |b|)`. The number is finite and not negative.
    Relative(f64),
    /// As `Relative`, or `|a - b| <= absolute`. Both numbers are finite and not negative.
    Either {
        /// The difference that is permitted relative to the larger side; 0 for `within 1e-15 absolute`.
        relative: f64,
        /// The difference that is permitted whatever the sides are.
        absolute: f64,
    },
    /// At most this many units in the last place.
    Ulps(u64),
}

/// An expression and its position in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// The kind of expression, with its parts.
    pub node: Node,
    /// The position of the expression.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `true` or `false`.
    Bool(bool),
    /// An integer literal. A minus that applies to the literal alone is part of it: `-3`.
    Int(i128),
    /// A finite float literal, with its sign. Infinity and NaN are the names `inf` and `nan`.
    Float(f64),
    /// A text literal: `"text"`.
    Text(BString),
    /// A sequence literal: `[1, 2]`.
    Sequence(Vec<Expression>),
    /// A variable, the name of a constant, `out`, or a parameter.
    Name(String),
    /// A name with a prime: `out'`, `p'`. Only in the primed notation.
    Primed(String),
    /// `-a` or `not a`.
    Unary(UnaryOperator, Box<Expression>),
    /// `a + b`.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `f(a, b)`: a call of a function under test or of a word of the language, such as `len`.
    Call {
        /// The name of the function or word.
        function: Name,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `f(x).stdout`.
    Select(Box<Expression>, Name),
    /// `s[i]`.
    Index(Box<Expression>, Box<Expression>),
    /// `s[i..j]`; a missing bound means the start or the end of the sequence.
    Slice(Box<Expression>, Option<Box<Expression>>, Option<Box<Expression>>),
    /// `f(x) traps`.
    Traps(Box<Expression>),
    /// `f(x) is some`.
    Is(Box<Expression>, Presence),
    /// `if a then b else c`.
    If(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// What is asked of a value that may be missing, or may be an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// `is some`.
    Some,
    /// `is none`.
    None,
    /// `is ok`.
    Ok,
    /// `is err`.
    Err,
}

impl Presence {
    /// Every one, in the order of the documentation.
    pub const ALL: [Presence; 4] = [Presence::Some, Presence::None, Presence::Ok, Presence::Err];

    /// The word behind `is`, and for values `some(x)`, `none`, `ok(x)` and `err(x)`.
    pub fn word(self) -> &'static str {
        match self {
            Presence::Some => "some",
            Presence::None => "none",
            Presence::Ok => "ok",
            Presence::Err => "err",
        }
    }

    /// The part of a value that says it, and what this part is then.
    pub fn tag(self) -> (&'static str, bool) {
        match self {
            Presence::Some => ("is_some", true),
            Presence::None => ("is_some", false),
            Presence::Ok => ("is_ok", true),
            Presence::Err => ("is_ok", false),
        }
    }
}

impl Expression {
    /// An expression without a position in a text, for trees made by a program.
    pub fn new(node: Node) -> Self {
        Expression { node, span: Span::default() }
    }

    /// A name as an expression without a position in a text.
    pub fn name(text: impl Into<String>) -> Self {
        Expression::new(Node::Name(text.into()))
    }

    /// The call of a function with its parameters' names as arguments, except for `changed`: `f(a, b + 1)`.
    pub fn call(function: &Signature, changed: &[(usize, Expression)]) -> Self {
        let argument = |(index, parameter): (usize, &Parameter)| {
            let value = changed.iter().find(|(changed, _)| *changed == index);
            value.map_or_else(|| Expression::name(&parameter.name), |(_, value)| value.clone())
        };
        let arguments = function.parameters.iter().enumerate().map(argument).collect();
        call(&function.name, arguments)
    }

    /// An output of this call: the call itself if it has only one, or else for example `f(a, b).stdout`.
    pub fn output(self, name: &OutputName) -> Self {
        output(self, name.selector())
    }

    /// The direct subexpressions, in the order in which they are written.
    pub fn children(&self) -> Vec<&Expression> {
        match &self.node {
            Node::Sequence(items) => items.iter().collect(),
            Node::Call { arguments, .. } => arguments.iter().collect(),
            Node::Unary(_, a) | Node::Select(a, _) | Node::Traps(a) | Node::Is(a, _) => vec![a],
            Node::If(a, b, c) => vec![a, b, c],
            Node::Binary(_, a, b) | Node::Index(a, b) => vec![a, b],
            Node::Slice(s, from, to) => {
                [Some(s), from.as_ref(), to.as_ref()].into_iter().flatten().map(|e| &**e).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether `is_wanted` is true of the expression, or of a part of it at any depth.
    ///
    /// ```
    /// use dodona_relations::{ast::Node, parse_expression};
    ///
    /// let e = parse_expression("gcd(p, -q) ~= 1").unwrap();
    /// assert!(e.has(&|part| matches!(part.node, Node::Unary(..))));
    /// assert!(e.mentions("q") && !e.mentions("gcd") && e.approximates());
    /// ```
    pub fn has(&self, is_wanted: &impl Fn(&Expression) -> bool) -> bool {
        is_wanted(self) || self.children().into_iter().any(|child| child.has(is_wanted))
    }

    /// Whether it is just this name.
    pub fn is_name(&self, name: &str) -> bool {
        matches!(&self.node, Node::Name(own) if own == name)
    }

    /// Whether it has this name in it.
    pub fn mentions(&self, name: &str) -> bool {
        self.has(&|part| part.is_name(name))
    }

    /// Whether it has `~=` in it, so that a tolerance matters.
    pub fn approximates(&self) -> bool {
        self.has(&|part| matches!(part.node, Node::Binary(BinaryOperator::Approximate, ..)))
    }

    /// A copy of the expression in which `change` has replaced subexpressions, from the outside in. Where `change`
    /// returns an expression, that expression replaces the old one and is not searched further; elsewhere the
    /// children are rewritten.
    pub fn rewrite(&self, change: &mut impl FnMut(&Expression) -> Option<Expression>) -> Expression {
        if let Some(new) = change(self) {
            return new;
        }
        let mut inside = |e: &Expression| Box::new(e.rewrite(change));
        let node = match &self.node {
            Node::Sequence(items) => Node::Sequence(items.iter().map(|e| *inside(e)).collect()),
            Node::Call { function, arguments } => Node::Call {
                function: function.clone(),
                arguments: arguments.iter().map(|e| *inside(e)).collect(),
            },
            Node::Unary(op, a) => Node::Unary(*op, inside(a)),
            Node::Select(a, output) => Node::Select(inside(a), output.clone()),
            Node::Traps(a) => Node::Traps(inside(a)),
            Node::Is(a, presence) => Node::Is(inside(a), *presence),
            Node::If(a, b, c) => Node::If(inside(a), inside(b), inside(c)),
            Node::Binary(op, a, b) => Node::Binary(*op, inside(a), inside(b)),
            Node::Index(a, b) => Node::Index(inside(a), inside(b)),
            Node::Slice(s, from, to) => {
                Node::Slice(inside(s), from.as_deref().map(&mut inside), to.as_deref().map(&mut inside))
            }
            leaf => leaf.clone(),
        };
        Expression { node, span: self.span }
    }
}
