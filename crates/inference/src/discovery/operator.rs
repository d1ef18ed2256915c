//! The operators of output relations: the operators of Table I of GenMorph, and the rest of the relation language.

use dodona_relations::ast::{BinaryOperator as B, Expression, Node, binary, call, negative, not};
use dodona_relations::plan::{Element, Op, Ty, Word};

/// A row for each operator: its name, what the relation language computes for it, and its sign where it is written between its operands.
macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident, $op:expr, $sign:expr;)*) => {
        /// An operator. There is no `>` or `>=`: they are `<` and `<=` with exchanged operands. A search draws from these alone: a word of
        /// the language that has no operator here is never part of what is found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are the words of the relation language")]
        pub enum Operator {
            $($(#[$doc])* $name,)*
        }

        impl Operator {
            /// Every operator.
            pub const ALL: [Operator; [$(stringify!($name)),*].len()] = [$(Operator::$name),*];

            /// What the relation language computes for the operator. `contains` is of a sequence in a sequence.
            pub(crate) fn op(self) -> Op {
                match self {
                    $(Operator::$name => $op,)*
                }
            }

            fn sign(self) -> Option<B> {
                match self {
                    $(Operator::$name => $sign,)*
                }
            }
        }
    };
}

operators! {
    Add, Op::Add, Some(B::Add);
    Subtract, Op::Subtract, Some(B::Subtract);
    Multiply, Op::Multiply, Some(B::Multiply);
    /// `/`
    Divide, Op::Divide, Some(B::Divide);
    /// `div`
    Quotient, Op::Quotient, Some(B::Quotient);
    /// `mod`
    Remainder, Op::Remainder, Some(B::Remainder);
    Min, Op::Min, None;
    Max, Op::Max, None;
    Abs, Op::Abs, None;
    Negate, Op::Negate, None;
    Equal, Op::Equal, Some(B::Equal);
    NotEqual, Op::NotEqual, Some(B::NotEqual);
    Less, Op::Less, Some(B::Less);
    LessEqual, Op::LessEqual, Some(B::LessEqual);
    /// `~=`
    Approximate, Op::Approximate { single: false }, Some(B::Approximate);
    And, Op::And, Some(B::And);
    Or, Op::Or, Some(B::Or);
    Xor, Op::Xor, Some(B::Xor);
    Iff, Op::Iff, Some(B::Iff);
    Implies, Op::Implies, Some(B::Implies);
    Not, Op::Not, None;
    Len, Op::Length, None;
    Sum, Op::Sum, None;
    Reverse, Op::Reverse, None;
    Sorted, Op::Sorted, None;
    Upper, Op::Upper, None;
    Lower, Op::Lower, None;
    /// `text(n)`
    Text, Op::Text, None;
    /// `remove(s, i)`
    Remove, Op::Remove, None;
    /// `truncate(s, n)`
    Truncate, Op::Truncate, None;
    /// `s[i..]`
    Drop, Op::Slice, None;
    /// `s[i]`
    Index, Op::Index, None;
    Concat, Op::Concat, None;
    /// `s contains t`, for two sequences or for a sequence and an element
    Contains, Op::Contains, Some(B::Contains);
    PrefixOf, Op::PrefixOf, Some(B::PrefixOf);
    SuffixOf, Op::SuffixOf, Some(B::SuffixOf);
}

impl Operator {
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
