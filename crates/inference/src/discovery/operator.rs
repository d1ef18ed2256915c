//! The operators of output relations: the operators of Table I of GenMorph, and the rest of the relation language.

use dodona_relations::ast::{BinaryOperator, Expression, Node, binary, call, negative, not};
use dodona_relations::plan::{Element, Op, Ty, Word};

/// An operator. There is no `>` or `>=`: they are `<` and `<=` with exchanged operands. A search draws from these alone: a word of
/// the language that has no operator here is never part of what is found.
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

    /// What the relation language computes for the operator. `contains` is of a sequence in a sequence.
    pub(crate) fn op(self) -> Op {
        use Operator as O;
        match self {
            O::Add => Op::Add,
            O::Subtract => Op::Subtract,
            O::Multiply => Op::Multiply,
            O::Divide => Op::Divide,
            O::Quotient => Op::Quotient,
            O::Remainder => Op::Remainder,
            O::Min => Op::Min,
            O::Max => Op::Max,
            O::Abs => Op::Abs,
            O::Negate => Op::Negate,
            O::Equal => Op::Equal,
            O::NotEqual => Op::NotEqual,
            O::Less => Op::Less,
            O::LessEqual => Op::LessEqual,
            O::Approximate => Op::Approximate { single: false },
            O::And => Op::And,
            O::Or => Op::Or,
            O::Xor => Op::Xor,
            O::Iff => Op::Iff,
            O::Implies => Op::Implies,
            O::Not => Op::Not,
            O::Len => Op::Length,
            O::Sum => Op::Sum,
            O::Reverse => Op::Reverse,
            O::Sorted => Op::Sorted,
            O::Upper => Op::Upper,
            O::Lower => Op::Lower,
            O::Text => Op::Text,
            O::Remove => Op::Remove,
            O::Truncate => Op::Truncate,
            O::Drop => Op::Slice,
            O::Index => Op::Index,
            O::Concat => Op::Concat,
            O::Contains => Op::Contains,
            O::PrefixOf => Op::PrefixOf,
            O::SuffixOf => Op::SuffixOf,
        }
    }

    /// How many operands it takes.
    pub fn arity(self) -> usize {
        match self.op() {
            Op::Negate | Op::Not => 1,
            op => op.word().map_or(2, Word::arity),
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
        match self {
            Operator::Negate => is_number(a).then_some(a),
            Operator::Not => (a == Ty::Bool).then_some(Ty::Bool),
            _ => {
                let word = self.op().word().filter(|word| word.arity() == 1)?;
                word.wrong(&[a]).is_none().then(|| word.result(&[a]))
            }
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
        match (self.sign(), <[Expression; 2]>::try_from(operands)) {
            (Some(sign), Ok([a, b])) => binary(sign, a, b),
            (None, Ok([a, b])) => self.write_two(a, b),
            (_, Err(mut one)) => self.write_one(one.remove(0)),
        }
    }

    fn write_one(self, a: Expression) -> Expression {
        match self {
            Operator::Negate => negative(a),
            Operator::Not => not(a),
            _ => self.call(vec![a]),
        }
    }

    fn write_two(self, a: Expression, b: Expression) -> Expression {
        match self {
            Operator::Drop => Expression::new(Node::Slice(Box::new(a), Some(Box::new(b)), None)),
            Operator::Index => Expression::new(Node::Index(Box::new(a), Box::new(b))),
            _ => self.call(vec![a, b]),
        }
    }

    fn call(self, arguments: Vec<Expression>) -> Expression {
        let word = self.op().word();
        let word = word.unwrap_or_else(|| unreachable!("{self:?} is written with a sign"));
        call(word.name, arguments)
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
