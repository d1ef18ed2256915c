//! The terms that the rules rewrite: expressions with every operator written before its operands, as in `(+ ?a 1)`.

use std::fmt;

use bstr::BString;
use egg::{FromOp, Id, Language};

use dodona_relations::check::{Element, Role};
use dodona_relations::{ast::BinaryOperator, plan::Word};

/// A node of a term: an operator with the classes of its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term {
    pub(super) operator: Operator,
    pub(super) operands: Vec<Id>,
}

/// An operator with all that identifies it besides its operands. `>` and `>=` become `<` and `<=` with exchanged
/// sides; `==`, `~=` and `!=` of Booleans become `iff` and `xor`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Operator {
    Constant(Constant),
    /// A variable, the constant of `for`, or a named constant such as `pi`.
    Name(String),
    Negate,
    Not,
    Binary(BinaryOperator),
    Word(&'static Word),
    /// `s[i]`
    Index,
    /// `s[i..j]`
    Slice,
    /// `s[i..]`
    SliceFrom,
    /// `s[..j]`
    SliceTo,
    /// `[a, b]`. The element type is fixed before rules apply: `[1 / 1]` holds a float.
    Sequence(Element),
    Call(Callee),
    /// `f(x).output`
    Select(String),
    Traps,
    /// An expression that no rule changes.
    Written(String),
}

/// A function under test, with the role of its call and what the call's failure means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Callee {
    /// The index among the functions under test.
    pub(super) function: usize,
    pub(super) name: String,
    /// The role; a source call and a follow-up call are never equal, even if their arguments are.
    pub(super) role: Role,
    /// Whether the relation asks if the call fails.
    pub(super) observed: bool,
}

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Constant {
    Bool(bool),
    Int(i128),
    /// A finite float, stored as its bits.
    Float(u64),
    Text(BString),
}

impl Constant {
    /// Whether the literal is easier to read than the expression that it comes from: `1 / 3` is not replaced by its
    /// digits.
    pub(super) fn is_easy(&self) -> bool {
        match self {
            Constant::Float(bits) => f64::from_bits(*bits).to_string().len() <= 6,
            _ => true,
        }
    }
}

impl Term {
    pub(super) fn new(operator: Operator, operands: Vec<Id>) -> Self {
        Term { operator, operands }
    }

    pub(super) fn constant(constant: Constant) -> Self {
        Term::new(Operator::Constant(constant), Vec::new())
    }
}

impl Language for Term {
    type Discriminant = Operator;

    fn discriminant(&self) -> Operator {
        self.operator.clone()
    }

    fn matches(&self, other: &Self) -> bool {
        self.operator == other.operator && self.operands.len() == other.operands.len()
    }

    fn children(&self) -> &[Id] {
        &self.operands
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.operands
    }
}

/// Lets patterns be parsed as the rules write them: `(+ ?a 1)`.
impl FromOp for Term {
    type Error = String;

    fn from_op(text: &str, operands: Vec<Id>) -> Result<Self, String> {
        let operator = match text {
            "neg" => Some(Operator::Negate),
            "not" => Some(Operator::Not),
            "from" => Some(Operator::SliceFrom),
            "to" => Some(Operator::SliceTo),
            "slice" => Some(Operator::Slice),
            "true" => Some(Operator::Constant(Constant::Bool(true))),
            "false" => Some(Operator::Constant(Constant::Bool(false))),
            _ => text.parse().ok().map(|i| Operator::Constant(Constant::Int(i))),
        };
        let sign = || BinaryOperator::ALL.into_iter().find(|o| o.word() == text).map(Operator::Binary);
        let operator = operator.or_else(sign).or_else(|| Word::find(text).map(Operator::Word));
        Ok(Term::new(operator.ok_or_else(|| format!("no rule speaks of `{text}`"))?, operands))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.operator {
            Operator::Binary(operator) => f.write_str(operator.word()),
            Operator::Word(word) => f.write_str(word.name),
            other => write!(f, "{other:?}"),
        }
    }
}
