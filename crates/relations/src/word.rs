//! What a row of the table of words is made of: the types that a word takes and gives, and how it is evaluated.

use crate::apply::arithmetic::Given;
use crate::apply::register::Data;
use crate::check::{Element, Ty};

/// What an operand of a word may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A number.
    Number,
    /// A number or Boolean.
    Printable,
    /// A text.
    Text,
    /// A sequence or text.
    Items,
    /// A sequence of numbers.
    Numbers,
    /// A value of any type.
    Anything,
    /// A text if the first operand is one, else a sequence of the same kind as the first operand.
    Same,
    /// A text if the first operand is one, else a possible element of the first operand.
    Part,
}

/// The type of a word's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The type of the first operand.
    First,
    /// The type of a column that holds both operands, which are numbers.
    Mixed,
    /// An integer, or a float where no integer is near.
    Rounded,
    /// The type of the first operand's elements.
    Element,
    /// The type of a sequence or text that holds the parts of both operands.
    Joined,
    /// How many there are: an integer >= 0.
    Count,
    /// An integer.
    Int,
    /// An integer in some rows and a float in others.
    Number,
    /// `bool`.
    Bool,
    /// `float`.
    Float,
    /// `text`.
    Text,
    /// A sequence of integers.
    Numbers,
}

impl Takes {
    pub(crate) fn fits(self, operand: Ty, first: Ty) -> bool {
        match self {
            Takes::Number => operand.is_number(),
            Takes::Printable => operand.is_number() || operand == Ty::Bool,
            Takes::Text => operand == Ty::Text,
            Takes::Items => matches!(operand, Ty::Sequence(_) | Ty::Text),
            Takes::Numbers => matches!(operand, Ty::Sequence(element) if element.is_number()),
            Takes::Anything => true,
            Takes::Same => match (first, operand) {
                (Ty::Sequence(a), Ty::Sequence(b)) => a.join(b).is_some(),
                (first, operand) => first == Ty::Text && operand == Ty::Text,
            },
            Takes::Part => match first {
                Ty::Sequence(element) => element.can_be(operand),
                first => first == Ty::Text && operand == Ty::Text,
            },
        }
    }

    /// The types in words; `None` if they depend on the first operand.
    pub(crate) fn description(self) -> Option<&'static str> {
        Some(match self {
            Takes::Number => "a number",
            Takes::Printable => "a number or Boolean",
            Takes::Text => "text",
            Takes::Items => "a sequence or text",
            Takes::Numbers => "a sequence of numbers",
            Takes::Anything => "any value",
            Takes::Same | Takes::Part => return None,
        })
    }
}

impl Element {
    /// Whether a sequence with elements of this type can contain a value of type `x`.
    pub(crate) fn can_be(self, x: Ty) -> bool {
        match self {
            Element::Bool => x == Ty::Bool,
            Element::Int | Element::Float => x.is_number(),
            Element::Nothing => x == Ty::Bool || x.is_number(),
        }
    }
}

/// How a word is evaluated, as its row in the table says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    /// From its one operand.
    One(fn(&Data<'_>) -> Given),
    /// From its two operands.
    Two(fn(&Data<'_>, &Data<'_>) -> Given),
    /// From the rows in which its operand is defined.
    OfDefinedness,
    /// Never: the checker writes other words in its place.
    Rewritten,
}
