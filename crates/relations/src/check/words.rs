//! The words of the language that are written like calls, such as `len(s)`.

/// A word of the language that is written like a call, such as `len(s)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the words of the language")]
pub enum Word {
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
    Len,
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
}

impl Word {
    /// Every word.
    pub const ALL: [Word; 22] = [
        Word::Abs,
        Word::Min,
        Word::Max,
        Word::Floor,
        Word::Ceil,
        Word::Sqrt,
        Word::Exp,
        Word::Ln,
        Word::Sin,
        Word::Cos,
        Word::Len,
        Word::Sum,
        Word::Reverse,
        Word::Sorted,
        Word::Remove,
        Word::Truncate,
        Word::Concat,
        Word::Text,
        Word::Upper,
        Word::Lower,
        Word::IsNan,
        Word::Defined,
    ];

    /// The word as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Word::Abs => "abs",
            Word::Min => "min",
            Word::Max => "max",
            Word::Floor => "floor",
            Word::Ceil => "ceil",
            Word::Sqrt => "sqrt",
            Word::Exp => "exp",
            Word::Ln => "ln",
            Word::Sin => "sin",
            Word::Cos => "cos",
            Word::Len => "len",
            Word::Sum => "sum",
            Word::Reverse => "reverse",
            Word::Sorted => "sorted",
            Word::Remove => "remove",
            Word::Truncate => "truncate",
            Word::Concat => "concat",
            Word::Text => "text",
            Word::Upper => "upper",
            Word::Lower => "lower",
            Word::IsNan => "is_nan",
            Word::Defined => "defined",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Word::Min | Word::Max | Word::Remove | Word::Truncate | Word::Concat => 2,
            _ => 1,
        }
    }

    /// The word that is written so.
    pub fn find(name: &str) -> Option<Word> {
        Word::ALL.into_iter().find(|word| word.name() == name)
    }
}

/// The value of a named constant such as `pi`.
pub(crate) fn constant(name: &str) -> Option<f64> {
    Some(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    })
}

/// The names of all constants.
pub(crate) const CONSTANTS: [&str; 4] = ["pi", "e", "inf", "nan"];
