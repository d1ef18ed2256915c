//! The operations of the language, and the table of its words: those operations that are written like calls, such as `len(s)`.
//!
//! Everything that other crates need to know of a word stands in its row in [`WORDS`]: how it is written, what it takes and gives, and
//! how it is evaluated. Parsing, typing, simplification, printing, emitted tests and proofs read the row, and name a word only where they
//! know more of it. So a new word touches few files; `CONTRIBUTING.md` has the eight steps.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use dodona_target::Scalar;

use crate::apply::{arithmetic, bits, elements, number, sequence, text};
use crate::check::{Element, Ty};
use crate::word::{Gives, Meaning, Takes};

/// The operation that a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the words of the language")]
pub enum Op {
    /// The variable with this index.
    Variable(usize),
    /// The constant with this index.
    Constant(usize),
    /// An output of a call; both are indices.
    Output {
        call: usize,
        output: usize,
    },
    /// Whether the call with this index returned.
    Returned(usize),
    /// Whether the call with this index trapped.
    Traps(usize),
    /// Converts numbers, or the elements of a sequence, to the kind of a scalar type (rounded for `f32`).
    Convert(Scalar),
    // The words. Among simplified relations of equal cost, their order decides: a new word comes last.
    Abs,
    Min,
    Max,
    Floor,
    Ceil,
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    Length,
    Sum,
    Reverse,
    Sorted,
    Remove,
    Truncate,
    Concat,
    Text,
    Upper,
    Lower,
    IsNan,
    Defined,
    Trim,
    Distinct,
    Count,
    Asin,
    Acos,
    Atan,
    Atan2,
    Fmod,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    PopCount,
    ToNumber,
    Lines,
    /// `distinct(concat(s, t))`, which the checker writes in its place.
    Union,
    SortedBy,
    // The operators.
    Negate,
    Not,
    Add,
    Subtract,
    Multiply,
    Divide,
    Quotient,
    Remainder,
    Power,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// `~=`; `single` if at least one side is of single precision.
    Approximate {
        single: bool,
    },
    And,
    Or,
    Xor,
    Iff,
    Implies,
    /// Whether the first operand has the second as an element.
    HasElement,
    /// Whether the elements of the second operand occur in the first consecutively.
    Contains,
    PrefixOf,
    SuffixOf,
    Index,
    /// With two operands the slice extends to the end, with three to the third operand.
    Slice,
    Sequence,
    /// The second operand where the first is true, else the third, or undefined if there is no third. The operand that is not taken may be
    /// undefined.
    If,
}

/// A word of the language that is written like a call, such as `len(s)`: a row of [`WORDS`]. Two rows are equal if
/// they are of the same operation.
#[derive(Clone, Copy)]
pub struct Word {
    /// The operation that the word writes.
    pub op: Op,
    /// The word as it is written, both here and in the preludes of written tests.
    pub name: &'static str,
    /// What each operand may be.
    pub takes: &'static [Takes],
    /// The type of the result.
    pub gives: Gives,
    /// How many operands, counted from the first, provide the numbers of the result without rounding; 0 if the word computes
    /// new numbers. The result is of single precision if all of these operands are.
    pub moves: usize,
    /// Whether the word has a value wherever its operands have one.
    pub total: bool,
    pub(crate) meaning: Meaning,
}

/// The words of the language, one row for each.
pub static WORDS: [Word; 40] = {
    use Gives as G;
    use Takes as T;
    [
        Word::new(Op::Abs, "abs", &[T::Number], G::First)
            .moves(1)
            .partial()
            .means(Meaning::One(arithmetic::abs)),
        Word::new(Op::Min, "min", &[T::Number, T::Number], G::Mixed)
            .moves(2)
            .means(Meaning::Two(|a, b| arithmetic::mixed(a, b, |a, b| Some(a.min(b)), number::min_float))),
        Word::new(Op::Max, "max", &[T::Number, T::Number], G::Mixed)
            .moves(2)
            .means(Meaning::Two(|a, b| arithmetic::mixed(a, b, |a, b| Some(a.max(b)), number::max_float))),
        Word::new(Op::Floor, "floor", &[T::Number], G::Rounded)
            .means(Meaning::One(|a| arithmetic::round(a, f64::floor))),
        Word::new(Op::Ceil, "ceil", &[T::Number], G::Rounded)
            .means(Meaning::One(|a| arithmetic::round(a, f64::ceil))),
        Word::new(Op::Sqrt, "sqrt", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::sqrt))),
        Word::new(Op::Exp, "exp", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::exp))),
        Word::new(Op::Ln, "ln", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::ln))),
        Word::new(Op::Sin, "sin", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::sin))),
        Word::new(Op::Cos, "cos", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::cos))),
        Word::new(Op::Length, "len", &[T::Items], G::Count).means(Meaning::One(sequence::length)),
        Word::new(Op::Sum, "sum", &[T::Numbers], G::Element).partial().means(Meaning::One(arithmetic::sum)),
        Word::new(Op::Reverse, "reverse", &[T::Items], G::First)
            .moves(1)
            .means(Meaning::One(sequence::reverse)),
        Word::new(Op::Sorted, "sorted", &[T::Items], G::First).moves(1).means(Meaning::One(sequence::sorted)),
        Word::new(Op::Remove, "remove", &[T::Items, T::Number], G::First)
            .moves(1)
            .partial()
            .means(Meaning::Two(sequence::remove)),
        Word::new(Op::Truncate, "truncate", &[T::Items, T::Number], G::First)
            .moves(1)
            .partial()
            .means(Meaning::Two(sequence::truncate)),
        Word::new(Op::Concat, "concat", &[T::Items, T::Same], G::Joined)
            .moves(2)
            .means(Meaning::Two(sequence::concat)),
        Word::new(Op::Text, "text", &[T::Printable], G::Text).means(Meaning::One(text::write)),
        Word::new(Op::Upper, "upper", &[T::Text], G::Text).means(Meaning::One(text::upper_case)),
        Word::new(Op::Lower, "lower", &[T::Text], G::Text).means(Meaning::One(text::lower_case)),
        Word::new(Op::IsNan, "is_nan", &[T::Number], G::Bool).means(Meaning::One(arithmetic::is_nan)),
        Word::new(Op::Defined, "defined", &[T::Anything], G::Bool).partial(),
        Word::new(Op::Trim, "trim", &[T::Text], G::Text).means(Meaning::One(text::trim)),
        Word::new(Op::Distinct, "distinct", &[T::Items], G::First)
            .moves(1)
            .means(Meaning::One(elements::distinct)),
        Word::new(Op::Count, "count", &[T::Items, T::Part], G::Count).means(Meaning::Two(elements::count)),
        Word::new(Op::Asin, "asin", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::asin))),
        Word::new(Op::Acos, "acos", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::acos))),
        Word::new(Op::Atan, "atan", &[T::Number], G::Float)
            .means(Meaning::One(|a| arithmetic::analytic(a, f64::atan))),
        Word::new(Op::Atan2, "atan2", &[T::Number, T::Number], G::Float)
            .means(Meaning::Two(|a, b| arithmetic::analytic_of_two(a, b, f64::atan2))),
        Word::new(Op::Fmod, "fmod", &[T::Number, T::Number], G::Float)
            .means(Meaning::Two(|a, b| arithmetic::analytic_of_two(a, b, |a, b| a % b))),
        Word::new(Op::BitAnd, "bitand", &[T::Number, T::Number], G::Int)
            .partial()
            .means(Meaning::Two(|a, b| bits::of_two(a, b, |a, b| Some(a & b)))),
        Word::new(Op::BitOr, "bitor", &[T::Number, T::Number], G::Int)
            .partial()
            .means(Meaning::Two(|a, b| bits::of_two(a, b, |a, b| Some(a | b)))),
        Word::new(Op::BitXor, "bitxor", &[T::Number, T::Number], G::Int)
            .partial()
            .means(Meaning::Two(|a, b| bits::of_two(a, b, |a, b| Some(a ^ b)))),
        Word::new(Op::ShiftLeft, "shl", &[T::Number, T::Number], G::Int)
            .partial()
            .means(Meaning::Two(|a, b| bits::of_two(a, b, bits::shifted_left))),
        Word::new(Op::ShiftRight, "shr", &[T::Number, T::Number], G::Int)
            .partial()
            .means(Meaning::Two(|a, b| bits::of_two(a, b, bits::shifted_right))),
        Word::new(Op::PopCount, "popcount", &[T::Number], G::Count)
            .partial()
            .means(Meaning::One(bits::popcount)),
        Word::new(Op::ToNumber, "to_number", &[T::Text], G::Number)
            .partial()
            .means(Meaning::One(text::number_of)),
        Word::new(Op::Lines, "lines", &[T::Text], G::Numbers).means(Meaning::One(text::lines)),
        Word::new(Op::Union, "union", &[T::Items, T::Same], G::Joined).moves(2).means(Meaning::Rewritten),
        Word::new(Op::SortedBy, "sorted_by", &[T::Items, T::Items], G::First)
            .moves(1)
            .partial()
            .means(Meaning::Two(elements::sorted_by)),
    ]
};

impl Op {
    /// The row of the operation in the table, if it is a word.
    pub fn word(self) -> Option<&'static Word> {
        WORDS.iter().find(|word| word.op == self)
    }

    /// Whether the node has no operands, because its value comes from outside the graph or is a constant.
    pub fn is_leaf(self) -> bool {
        matches!(self, Op::Variable(_) | Op::Constant(_) | Op::Output { .. } | Op::Returned(_) | Op::Traps(_))
    }

    /// The call that the value comes from, if it comes from a call.
    pub fn call(self) -> Option<usize> {
        match self {
            Op::Output { call, .. } | Op::Returned(call) | Op::Traps(call) => Some(call),
            _ => None,
        }
    }
}

impl Word {
    /// The word with this name.
    pub fn find(name: &str) -> Option<&'static Word> {
        WORDS.iter().find(|word| word.name == name)
    }

    /// How many operands it takes.
    pub fn arity(&self) -> usize {
        self.takes.len()
    }

    /// The index of an operand whose type the word does not take; of several, the last.
    pub fn wrong(&self, operands: &[Ty]) -> Option<usize> {
        (0..self.arity()).rev().find(|&i| !self.takes[i].fits(operands[i], operands[0]))
    }

    /// Whether the checker writes other words in place of this one, so that no plan has it.
    pub fn is_rewritten(&self) -> bool {
        matches!(self.meaning, Meaning::Rewritten)
    }

    /// The type of the result, for operands of types that the word takes.
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
            (Gives::Int, _) => Ty::Int,
            (Gives::Number, _) => Ty::Number,
            (Gives::Text, _) => Ty::Text,
            (Gives::Numbers, _) => Ty::Sequence(Element::Int),
        }
    }

    /// A row of the table, for a word that computes new numbers and always has a value.
    pub(crate) const fn new(op: Op, name: &'static str, takes: &'static [Takes], gives: Gives) -> Word {
        Word { op, name, takes, gives, moves: 0, total: true, meaning: Meaning::OfDefinedness }
    }

    /// The numbers of the result are those of this many operands, counted from the first.
    pub(crate) const fn moves(self, operands: usize) -> Word {
        Word { moves: operands, ..self }
    }

    /// The word may have no value although its operands have one.
    pub(crate) const fn partial(self) -> Word {
        Word { total: false, ..self }
    }

    /// How the word is evaluated.
    pub(crate) const fn means(self, meaning: Meaning) -> Word {
        Word { meaning, ..self }
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
