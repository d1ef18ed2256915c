//! The operations of the language, and the table of its words: those operations that are written like calls, such as
//! `len(s)`.
//!
//! What the rooms know of a word they take from its row in [`WORDS`]; CONTRIBUTING.md says how one is added.

use dodona_subject::Scalar;

use crate::apply::{Meaning, arithmetic, elements, number, sequence, text};
use crate::word::{Gives, Takes, Word};

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
}

/// The words of the language, a row each.
pub static WORDS: [Word; 25] = {
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
