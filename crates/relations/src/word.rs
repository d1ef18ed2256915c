//! What the table of words says of each: a word's name, the types of its operands and of its result, and its meaning.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::apply::Meaning;
use crate::check::{Element, Ty};
use crate::op::{Op, WORDS};

/// A word of the language that is written like a call, such as `len(s)`: a row of [`WORDS`]. Two rows are equal if
/// they are of the same operation.
#[derive(Clone, Copy)]
pub struct Word {
    /// The operation that the word writes.
    pub op: Op,
    /// The word as it is written, here and in the preludes of written tests.
    pub name: &'static str,
    /// What each operand may be.
    pub takes: &'static [Takes],
    /// The type of the result.
    pub gives: Gives,
    /// How many operands, from the first on, the result's numbers are taken from without rounding. The result is of
    /// single precision if all of these are; 0 if the word computes its result.
    pub moves: usize,
    /// Whether the word has a value wherever its operands have one.
    pub total: bool,
    pub(crate) meaning: Meaning,
}

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
    /// `bool`.
    Bool,
    /// `float`.
    Float,
    /// `text`.
    Text,
}

impl Takes {
    fn fits(self, operand: Ty, first: Ty) -> bool {
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

impl Word {
    /// The word that is written so.
    pub fn find(name: &str) -> Option<&'static Word> {
        WORDS.iter().find(|word| word.name == name)
    }

    /// How many operands it takes.
    pub fn arity(&self) -> usize {
        self.takes.len()
    }

    /// The operand of a wrong type: the last one if there are several.
    pub fn wrong(&self, operands: &[Ty]) -> Option<usize> {
        (0..self.arity()).rev().find(|&i| !self.takes[i].fits(operands[i], operands[0]))
    }

    /// The type of the result for operands of types that the word takes.
    ///
    /// # Panics
    /// When an operand is missing.
    pub fn result(&self, operands: &[Ty]) -> Ty {
        let first = operands[0];
        match (self.gives, first) {
            (Gives::Mixed, _) => first.mix(operands[1]),
            (Gives::Rounded, Ty::Int) | (Gives::Count, _) => Ty::Int,
            (Gives::Rounded, _) => Ty::Number,
            (Gives::Element, Ty::Sequence(element)) => element.scalar(),
            (Gives::Joined, Ty::Sequence(a)) => match operands[1] {
                Ty::Sequence(b) => a.join(b).map_or(first, Ty::Sequence),
                _ => first,
            },
            (Gives::First | Gives::Element | Gives::Joined, _) => first,
            (Gives::Bool, _) => Ty::Bool,
            (Gives::Float, _) => Ty::Float,
            (Gives::Text, _) => Ty::Text,
        }
    }

    /// A row of the table: a word that computes its result, and always has one.
    pub(crate) const fn new(op: Op, name: &'static str, takes: &'static [Takes], gives: Gives) -> Word {
        Word { op, name, takes, gives, moves: 0, total: true, meaning: Meaning::OfDefinedness }
    }

    /// The word takes the numbers of its result from so many operands.
    pub(crate) const fn moves(self, operands: usize) -> Word {
        Word { moves: operands, ..self }
    }

    /// The word may have no value although its operands have one.
    pub(crate) const fn partial(self) -> Word {
        Word { total: false, ..self }
    }

    /// The word is evaluated so.
    pub(crate) const fn means(self, meaning: Meaning) -> Word {
        Word { meaning, ..self }
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

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.op == other.op
    }
}

impl Eq for Word {}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Word) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Word) -> Ordering {
        self.op.cmp(&other.op)
    }
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.op.hash(state);
    }
}
