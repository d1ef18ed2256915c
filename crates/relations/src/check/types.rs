//! Types of expressions.

use std::fmt;

use dodona_target::{Kind, Scalar, Type};

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the types")]
pub enum Ty {
    Bool,
    /// Integers, computed exactly.
    Int,
    Float,
    /// A column that holds integers in some rows and floats in others.
    Number,
    Text,
    Sequence(Element),
}

/// The type of a sequence's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the types")]
pub enum Element {
    Bool,
    Int,
    Float,
    /// The element type of the empty sequence `[]`, which fits every other element type.
    Nothing,
}

impl Element {
    pub(crate) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Bool => Element::Bool,
            Kind::Int => Element::Int,
            Kind::Float => Element::Float,
        }
    }

    /// A scalar type that stands for elements of this kind.
    pub(crate) fn representative(self) -> Option<Scalar> {
        match self {
            Element::Bool => Some(Scalar::Bool),
            Element::Int => Some(Scalar::I64),
            Element::Float => Some(Scalar::F64),
            Element::Nothing => None,
        }
    }

    /// The type of one element.
    pub fn scalar(self) -> Ty {
        match self {
            Element::Bool => Ty::Bool,
            Element::Int | Element::Nothing => Ty::Int,
            Element::Float => Ty::Float,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        self != Element::Bool
    }

    /// The element type of a sequence that holds elements of both kinds; `None` where the kinds cannot be mixed.
    pub fn join(self, other: Element) -> Option<Element> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Element::Nothing, other) | (other, Element::Nothing) => Some(other),
            (Element::Bool, _) | (_, Element::Bool) => None,
            _ => Some(Element::Float),
        }
    }
}

impl Ty {
    /// Whether it is a type of numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Ty::Int | Ty::Float | Ty::Number)
    }

    /// Whether a value of this type may be passed for a parameter of type `ty`. Numbers are converted.
    pub(crate) fn fits(self, ty: Type) -> bool {
        match (self, ty) {
            (Ty::Bool, Type::Scalar(s)) => s.kind() == Kind::Bool,
            (Ty::Text, Type::Text) => true,
            (Ty::Sequence(e), Type::Sequence(s)) => e.join(Element::of(s.kind())).is_some(),
            (_, Type::Scalar(s)) => self.is_number() && s.kind() != Kind::Bool,
            _ => false,
        }
    }

    /// The type of a column that holds numbers of both types: floats if either is of floats.
    pub fn mix(self, other: Ty) -> Ty {
        match (self, other) {
            (Ty::Float, _) | (_, Ty::Float) => Ty::Float,
            (Ty::Int, Ty::Int) => Ty::Int,
            _ => Ty::Number,
        }
    }
}

impl From<Type> for Ty {
    fn from(ty: Type) -> Self {
        match ty {
            Type::Scalar(s) => Element::of(s.kind()).scalar(),
            Type::Text => Ty::Text,
            Type::Sequence(s) => Ty::Sequence(Element::of(s.kind())),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ty::Bool => "bool",
            Ty::Int => "integer",
            Ty::Float => "float",
            Ty::Number => "number",
            Ty::Text => "text",
            Ty::Sequence(Element::Bool) => "[bool]",
            Ty::Sequence(Element::Int) => "[integer]",
            Ty::Sequence(Element::Float) => "[float]",
            Ty::Sequence(Element::Nothing) => "[]",
        })
    }
}
