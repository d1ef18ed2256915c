//! The syntax tree of the relation language.
//!
//! Two trees are equal when they say the same, wherever they stood: spans take no part in `==`.
//! [`std::fmt::Display`] prints every tree so that parsing gives the same tree back.

mod operator;

use std::fmt;
use std::ops::Range;

use bstr::BString;

pub use operator::{BinaryOperator, UnaryOperator};

/// Where in the parsed text something stands, in bytes. All spans are equal to each other.
#[derive(Clone, Copy, Default, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
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

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, without a prime.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// A name that stands nowhere, for trees made by a program.
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
    /// Its name.
    pub name: Name,
    /// The header entries `x: function.parameter`.
    pub bindings: Vec<Binding>,
    /// The function after `of`.
    pub function: Option<Name>,
    /// `for k in {…}`.
    pub constants: Option<Constants>,
    /// `when …`.
    pub condition: Option<Expression>,
    /// What is expected, in one of the two notations.
    pub body: Body,
    /// `within …`.
    pub tolerance: Option<Tolerance>,
    /// From `relation` to the end of its text.
    pub span: Span,
}

/// A header entry: a variable that takes the domain of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable.
    pub variable: Name,
    /// The function whose parameter it is.
    pub function: Name,
    /// The parameter.
    pub parameter: Name,
}

/// `for k in {2, 3}`: one metamorphic group for each constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// The name that stands for each constant.
    pub name: Name,
    /// The constants, at least one.
    pub values: Vec<Expression>,
}

/// The two notations of what a relation expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A Boolean expression over calls: `gcd(p, q) == gcd(q, p)`.
    Calls(Expression),
    /// How the follow-up input is made, and what its output must be:
    /// `given p' = q, q' = p expect out' == out`.
    Primed {
        /// The parameters that change, at least one.
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

/// What `~=` allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// How far apart two equal numbers may be.
    pub bound: Bound,
    /// Where it stands.
    pub span: Span,
}

/// How far apart two numbers may be that `~=` calls equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// |a-b| <= 1e-12 + this * max(|a|, |b|). Finite and not negative.
    Relative(f64),
    /// This many units in the last place.
    Ulps(u64),
}

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub node: Node,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `true` or `false`.
    Bool(bool),
    /// An integer literal, with its sign where it stands alone: `-3`.
    Int(i128),
    /// A finite float literal, with its sign. Infinity and NaN are the names `inf` and `nan`.
    Float(f64),
    /// `"text"`.
    Text(BString),
    /// `[1, 2]`.
    Sequence(Vec<Expression>),
    /// A variable, a constant's name, `out`, or a parameter.
    Name(String),
    /// A name with a prime: `out'`, `p'`. Only in the primed notation.
    Primed(String),
    /// `-a` or `not a`.
    Unary(UnaryOperator, Box<Expression>),
    /// `a + b`.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `f(a, b)`: a function under test or a word of the language.
    Call {
        /// The function's name.
        function: Name,
        /// Its arguments.
        arguments: Vec<Expression>,
    },
    /// `f(x).stdout`.
    Select(Box<Expression>, Name),
    /// `s[i]`.
    Index(Box<Expression>, Box<Expression>),
    /// `s[i..j]`; a missing bound is the start or the end.
    Slice(Box<Expression>, Option<Box<Expression>>, Option<Box<Expression>>),
    /// `f(x) traps`.
    Traps(Box<Expression>),
}

impl Expression {
    /// An expression that stands nowhere, for trees made by a program.
    pub fn new(node: Node) -> Self {
        Expression { node, span: Span::default() }
    }

    /// A name, as an expression that stands nowhere.
    pub fn name(text: impl Into<String>) -> Self {
        Expression::new(Node::Name(text.into()))
    }

    /// The expressions directly inside, in the order in which they are written.
    pub fn children(&self) -> Vec<&Expression> {
        match &self.node {
            Node::Sequence(items) => items.iter().collect(),
            Node::Call { arguments, .. } => arguments.iter().collect(),
            Node::Unary(_, a) | Node::Select(a, _) | Node::Traps(a) => vec![a],
            Node::Binary(_, a, b) | Node::Index(a, b) => vec![a, b],
            Node::Slice(s, from, to) => {
                [Some(s), from.as_ref(), to.as_ref()].into_iter().flatten().map(|e| &**e).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The same expression with `change` applied from the outside in: where it gives an expression, that one
    /// stands in place of the old one and is not looked into; everywhere else the children are rewritten.
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
