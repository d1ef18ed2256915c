//! The operators of output relations: the operators of Table I of GenMorph, and the rest of the relation language.

use dodona_relations::ast::{BinaryOperator, Expression, Name, Node, UnaryOperator};
use dodona_relations::plan::{Element, Ty};

/// An operator. There is no `>` or `>=`: they are `<` and `<=` with exchanged operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the words of the relation language")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    /// `/`
    Divide,
    /// `div`
    Quotient,
    /// `mod`
    Remainder,
    Min,
    Max,
    Abs,
    Negate,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    /// `~=`
    Approximate,
    And,
    Or,
    Xor,
    Iff,
    Implies,
    Not,
    Len,
    Sum,
    Reverse,
    Sorted,
    Upper,
    Lower,
    /// `text(n)`
    Text,
    /// `remove(s, i)`
    Remove,
    /// `truncate(s, n)`
    Truncate,
    /// `s[i..]`
    Drop,
    /// `s[i]`
    Index,
    Concat,
    /// `s contains t`, for two sequences or for a sequence and an element
    Contains,
    PrefixOf,
    SuffixOf,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Operator; 36] = [
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Quotient,
        Operator::Remainder,
        Operator::Min,
        Operator::Max,
        Operator::Abs,
        Operator::Negate,
        Operator::Equal,
        Operator::NotEqual,
        Operator::Less,
        Operator::LessEqual,
        Operator::Approximate,
        Operator::And,
        Operator::Or,
        Operator::Xor,
        Operator::Iff,
        Operator::Implies,
        Operator::Not,
        Operator::Len,
        Operator::Sum,
        Operator::Reverse,
        Operator::Sorted,
        Operator::Upper,
        Operator::Lower,
        Operator::Text,
        Operator::Remove,
        Operator::Truncate,
        Operator::Drop,
        Operator::Index,
        Operator::Concat,
        Operator::Contains,
        Operator::PrefixOf,
        Operator::SuffixOf,
    ];

    /// How many operands it takes.
    pub fn arity(self) -> usize {
        use Operator as O;
        match self {
            O::Abs
            | O::Negate
            | O::Not
            | O::Len
            | O::Sum
            | O::Reverse
            | O::Sorted
            | O::Upper
            | O::Lower
            | O::Text => 1,
            _ => 2,
        }
    }

    /// Whether its two operands may be exchanged without changing its value.
    pub fn is_commutative(self) -> bool {
        use Operator as O;
        matches!(
            self,
            O::Add
                | O::Multiply
                | O::Min
                | O::Max
                | O::Equal
                | O::NotEqual
                | O::Approximate
                | O::And
                | O::Or
                | O::Xor
                | O::Iff
        )
    }

    /// The type of the result for operands of these types; `None` where the operator does not take them.
    pub fn result(self, operands: &[Ty]) -> Option<Ty> {
        match *operands {
            [a] => self.of_one(a),
            [a, b] => self.of_two(a, b),
            _ => None,
        }
    }

    fn of_one(self, a: Ty) -> Option<Ty> {
        use Operator as O;
        match (self, a) {
            (O::Abs | O::Negate, Ty::Int | Ty::Float | Ty::Number) => Some(a),
            (O::Not, Ty::Bool) => Some(Ty::Bool),
            (O::Len, Ty::Text | Ty::Sequence(_)) => Some(Ty::Int),
            (O::Sum, Ty::Sequence(Element::Int)) => Some(Ty::Int),
            (O::Sum, Ty::Sequence(Element::Float)) => Some(Ty::Float),
            (O::Reverse | O::Sorted, Ty::Text | Ty::Sequence(_)) => Some(a),
            (O::Upper | O::Lower, Ty::Text) => Some(Ty::Text),
            (O::Text, Ty::Int | Ty::Float | Ty::Number | Ty::Bool) => Some(Ty::Text),
            _ => None,
        }
    }

    fn of_two(self, a: Ty, b: Ty) -> Option<Ty> {
        use Operator as O;
        let numbers = is_number(a) && is_number(b);
        let sequences = a == b && is_sequence(a);
        match self {
            O::Add | O::Subtract | O::Multiply if numbers => Some(mix(a, b)),
            O::Add | O::Multiply => match (a, b) {
                (Ty::Sequence(_), _) => element_wise(a, b),
                (_, Ty::Sequence(_)) => element_wise(b, a),
                _ => None,
            },
            O::Min | O::Max => numbers.then(|| mix(a, b)),
            O::Divide => numbers.then(|| match mix(a, b) {
                Ty::Float => Ty::Float,
                _ => Ty::Number,
            }),
            O::Quotient | O::Remainder => (a == Ty::Int && b == Ty::Int).then_some(Ty::Int),
            O::Equal | O::NotEqual => (numbers || a == b).then_some(Ty::Bool),
            O::Approximate => (numbers || a == b && a == Ty::Sequence(Element::Float)).then_some(Ty::Bool),
            O::Less | O::LessEqual => numbers.then_some(Ty::Bool),
            O::And | O::Or | O::Xor | O::Iff | O::Implies => {
                (a == Ty::Bool && b == Ty::Bool).then_some(Ty::Bool)
            }
            O::Remove | O::Truncate | O::Drop => (is_sequence(a) && b == Ty::Int).then_some(a),
            O::Index => match a {
                Ty::Text if b == Ty::Int => Some(Ty::Text),
                Ty::Sequence(element) if b == Ty::Int => element_type(element),
                _ => None,
            },
            O::Concat => sequences.then_some(a),
            O::Contains => {
                let element = matches!(a, Ty::Sequence(e) if element_type(e) == Some(b));
                (sequences || element).then_some(Ty::Bool)
            }
            O::PrefixOf | O::SuffixOf => sequences.then_some(Ty::Bool),
            _ => None,
        }
    }

    /// How the relation language writes the operator with these operands.
    ///
    /// # Panics
    /// When the number of operands is not the arity.
    pub fn write(self, operands: Vec<Expression>) -> Expression {
        let node = match (self.sign(), <[Expression; 2]>::try_from(operands)) {
            (Some(sign), Ok([a, b])) => Node::Binary(sign, Box::new(a), Box::new(b)),
            (None, Ok([a, b])) => self.write_two(a, b),
            (_, Err(mut one)) => self.write_one(one.remove(0)),
        };
        Expression::new(node)
    }

    fn write_one(self, a: Expression) -> Node {
        match self {
            Operator::Negate => Node::Unary(UnaryOperator::Negate, Box::new(a)),
            Operator::Not => Node::Unary(UnaryOperator::Not, Box::new(a)),
            _ => self.call(vec![a]),
        }
    }

    fn write_two(self, a: Expression, b: Expression) -> Node {
        match self {
            Operator::Drop => Node::Slice(Box::new(a), Some(Box::new(b)), None),
            Operator::Index => Node::Index(Box::new(a), Box::new(b)),
            _ => self.call(vec![a, b]),
        }
    }

    fn call(self, arguments: Vec<Expression>) -> Node {
        Node::Call { function: Name::new(self.word()), arguments }
    }

    fn word(self) -> &'static str {
        use Operator as O;
        match self {
            O::Min => "min",
            O::Max => "max",
            O::Abs => "abs",
            O::Len => "len",
            O::Sum => "sum",
            O::Reverse => "reverse",
            O::Sorted => "sorted",
            O::Upper => "upper",
            O::Lower => "lower",
            O::Text => "text",
            O::Remove => "remove",
            O::Truncate => "truncate",
            O::Concat => "concat",
            other => unreachable!("{other:?} is written with a sign"),
        }
    }

    fn sign(self) -> Option<BinaryOperator> {
        use BinaryOperator as B;
        Some(match self {
            Operator::Add => B::Add,
            Operator::Subtract => B::Subtract,
            Operator::Multiply => B::Multiply,
            Operator::Divide => B::Divide,
            Operator::Quotient => B::Quotient,
            Operator::Remainder => B::Remainder,
            Operator::Equal => B::Equal,
            Operator::NotEqual => B::NotEqual,
            Operator::Less => B::Less,
            Operator::LessEqual => B::LessEqual,
            Operator::Approximate => B::Approximate,
            Operator::And => B::And,
            Operator::Or => B::Or,
            Operator::Xor => B::Xor,
            Operator::Iff => B::Iff,
            Operator::Implies => B::Implies,
            Operator::Contains => B::Contains,
            Operator::PrefixOf => B::PrefixOf,
            Operator::SuffixOf => B::SuffixOf,
            _ => return None,
        })
    }
}

/// Whether it is a numeric type.
pub fn is_number(ty: Ty) -> bool {
    matches!(ty, Ty::Int | Ty::Float | Ty::Number)
}

/// Whether it is the type of texts or of sequences.
pub fn is_sequence(ty: Ty) -> bool {
    matches!(ty, Ty::Text | Ty::Sequence(_))
}

fn mix(a: Ty, b: Ty) -> Ty {
    match (a, b) {
        (Ty::Int, Ty::Int) => Ty::Int,
        (Ty::Float, _) | (_, Ty::Float) => Ty::Float,
        _ => Ty::Number,
    }
}

/// The type of the result when a number is added to each element of a sequence, or multiplied with each.
fn element_wise(sequence: Ty, number: Ty) -> Option<Ty> {
    match sequence {
        Ty::Sequence(Element::Int) => (number == Ty::Int).then_some(sequence),
        Ty::Sequence(Element::Float) => is_number(number).then_some(sequence),
        _ => None,
    }
}

fn element_type(element: Element) -> Option<Ty> {
    match element {
        Element::Bool => Some(Ty::Bool),
        Element::Int => Some(Ty::Int),
        Element::Float => Some(Ty::Float),
        Element::Nothing => None,
    }
}
