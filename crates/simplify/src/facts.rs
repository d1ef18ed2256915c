//! Facts about a class of equal terms: their type, their range, and whether they are surely defined.

use dodona_relations::check::{Element, Ty};
use dodona_target::{Kind, Scalar, Type, Value};

use super::range::Range;
use super::term::Constant;

/// The facts that hold for all terms of a class. Equal terms are also undefined in the same rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Facts {
    pub(super) ty: Ty,
    /// Whether the floats are of single precision, which matters for `within n ulp`.
    pub(super) single: bool,
    /// Whether the term has a value in every row whose verdict depends on it.
    pub(super) defined: bool,
    /// Whether the term makes a call that must not be lost.
    pub(super) held: bool,
    /// The value, if it is the same in all rows.
    pub(super) constant: Option<Constant>,
    /// The range of the values if they are integers, or of the elements of a sequence of integers.
    pub(super) range: Range,
}

impl Facts {
    /// A value that is always defined.
    pub(super) fn given(ty: Ty) -> Self {
        Facts { ty, single: false, defined: true, held: false, constant: None, range: Range::ALL }
    }

    /// A value of a parameter's or output's type.
    pub(super) fn of_type(ty: Type) -> Self {
        let whole = |scalar: Scalar| scalar.integer_range().filter(|_| scalar.kind() == Kind::Int);
        let range = ty.scalar().and_then(whole).map_or(Range::ALL, |(low, high)| Range { low, high });
        Facts { single: ty.scalar() == Some(Scalar::F32), range, ..Facts::given(ty.into()) }
    }

    /// The constant of `for`, which takes one of these values; `None` if the values have no common type.
    pub(super) fn of_values(values: &[Value]) -> Option<Self> {
        let types: Vec<Ty> = values.iter().map(Ty::of).collect();
        let numbers = types.iter().all(|ty| ty.is_number());
        let same = types.windows(2).all(|pair| pair[0] == pair[1]);
        let ranges = values.iter().map(|value| match value {
            Value::Int(i) => Range::one(*i),
            _ => Range::ALL,
        });
        let ty = if same { *types.first()? } else { Ty::Number };
        (same || numbers).then_some(Facts { range: ranges.reduce(Range::join)?, ..Facts::given(ty) })
    }

    /// A literal.
    pub(super) fn of_constant(constant: &Constant) -> Self {
        let (ty, range) = match constant {
            Constant::Bool(_) => (Ty::Bool, Range::ALL),
            Constant::Int(i) => (Ty::Int, Range::one(*i)),
            Constant::Float(_) => (Ty::Float, Range::ALL),
            Constant::Text(_) => (Ty::Text, Range::ALL),
        };
        Facts { constant: Some(constant.clone()), range, ..Facts::given(ty) }
    }

    pub(super) fn is_sequence(&self) -> bool {
        matches!(self.ty, Ty::Sequence(_))
    }

    /// Whether a term of this class may replace a term of the other class: both have the same type and precision. A
    /// number of unknown kind may turn out to be an integer or a float.
    pub(super) fn is_like(&self, other: &Facts) -> bool {
        joined(self.ty, other.ty).is_some() && self.single == other.single
    }
}

/// The type of values that have both types: `Number` is narrowed to the other type; `None` if the types contradict.
pub(super) fn joined(a: Ty, b: Ty) -> Option<Ty> {
    match (a, b) {
        (a, b) if a == b => Some(a),
        (Ty::Number, known) | (known, Ty::Number) if known.is_number() => Some(known),
        _ => None,
    }
}

/// Whether a type is that of integers or of sequences of integers.
pub(super) fn is_whole(ty: Ty) -> bool {
    matches!(ty, Ty::Int | Ty::Sequence(Element::Int | Element::Nothing))
}
