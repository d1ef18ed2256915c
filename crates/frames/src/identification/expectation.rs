//! The relation between the output for a follow-up input and the output for its source input. It is inferred from samples, or
//! from a declared order.

use dodona_relations::ast::{BinaryOperator, Expression, Node, binary, negative};
use dodona_relations::plan::{Op, apply};
use dodona_target::{Column, Type, Value};
use fixedbitset::FixedBitSet;

/// An output relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expectation {
    /// The outputs are equal.
    Equal,
    /// The outputs are floats that are equal except for rounding.
    Approximate,
    /// The follow-up output is the source output plus a constant.
    Difference(f64),
    /// The follow-up output is a constant times the source output.
    Ratio(f64),
    /// The follow-up output is less.
    Less,
    /// The follow-up output is greater.
    Greater,
    /// The follow-up output begins with the source output.
    Extends,
    /// The source output begins with the follow-up output.
    PrefixOf,
    /// The source output contains the follow-up output.
    PartOf,
    /// The follow-up output contains the source output.
    Contains,
    /// The follow-up output is not greater.
    AtMost,
    /// The follow-up output is not less.
    AtLeast,
    /// The outputs differ.
    Different,
}

/// Source and follow-up outputs that were observed, row by row.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'c> {
    /// The type of the output.
    pub ty: Type,
    /// The outputs of the source inputs.
    pub source: &'c Column,
    /// The outputs of the follow-up inputs.
    pub follow_up: &'c Column,
}

/// The number of rows from which on a constant difference or ratio is accepted. Fewer rows agree by chance if outputs are few
/// small integers.
const LEAST_ROWS: usize = 5;

/// The most differences and ratios of one change that are considered, those of most rows first. Each costs a pass over the
/// rows, and a change seldom has more than two that mean something.
const MOST_CONSTANTS: usize = 4;

impl Evidence<'_> {
    /// The output relations that may hold in some of the rows, the strongest first.
    pub fn candidates(&self) -> Vec<Expectation> {
        use Expectation as E;
        match self.ty {
            Type::Scalar(scalar) if scalar.kind() == dodona_target::Kind::Bool => {
                vec![E::Equal, E::Different]
            }
            Type::Scalar(scalar) => {
                // If some outputs are equal except for rounding, equality except for rounding takes the place of exact equality.
                let is_rounded = scalar.kind() == dodona_target::Kind::Float
                    && self.holds(E::Approximate) != self.holds(E::Equal);
                let mut all = vec![if is_rounded { E::Approximate } else { E::Equal }];
                all.extend(self.constants(Op::Subtract, 0.0).into_iter().map(E::Difference));
                all.extend(self.constants(Op::Divide, 1.0).into_iter().map(E::Ratio));
                all.extend([E::Less, E::Greater, E::AtMost, E::AtLeast, E::Different]);
                all
            }
            Type::Text | Type::Sequence(_) => {
                vec![E::Equal, E::Extends, E::PrefixOf, E::Contains, E::PartOf, E::Different]
            }
        }
    }

    /// The rows in which a relation holds.
    pub fn holds(&self, expectation: Expectation) -> FixedBitSet {
        use Expectation as E;
        match expectation {
            E::Difference(constant) => self.near(Op::Subtract, constant),
            E::Ratio(constant) => {
                // If both outputs are 0, a ratio holds, although 0 / 0 does not show it.
                let mut rows = self.near(Op::Divide, constant);
                rows.union_with(&self.both_zero());
                rows
            }
            E::Equal => self.truth(Op::Equal, false),
            E::Approximate => self.truth(
                Op::Approximate { single: self.ty.scalar() == Some(dodona_target::Scalar::F32) },
                false,
            ),
            E::Less => self.truth(Op::Less, false),
            E::Greater => self.truth(Op::Greater, false),
            E::AtMost => self.truth(Op::LessEqual, false),
            E::AtLeast => self.truth(Op::GreaterEqual, false),
            E::Different => self.truth(Op::NotEqual, false),
            E::PrefixOf => self.truth(Op::PrefixOf, false),
            E::Extends => self.truth(Op::PrefixOf, true),
            E::Contains => self.truth(Op::Contains, false),
            E::PartOf => self.truth(Op::Contains, true),
        }
    }

    /// Whether a relation says no more in these rows than that all outputs lie within bounds. Example: `out' >= out` says no more if `out`
    /// is the least observed output in all of these rows, and `out' contains out` says no more if `out` is always empty.
    pub fn is_bound(&self, expectation: Expectation, rows: &FixedBitSet) -> bool {
        use Expectation as E;
        let (lower, upper) = match expectation {
            E::Less | E::AtMost => (self.follow_up, self.source),
            E::Greater | E::AtLeast => (self.source, self.follow_up),
            E::Extends | E::Contains => return is_empty(self.source, rows),
            E::PrefixOf | E::PartOf => return is_empty(self.follow_up, rows),
            _ => return false,
        };
        let number = |column: &Column, row: usize| match column {
            Column::Int(v) => Some(v[row] as f64),
            Column::Float(v) => Some(v[row]),
            _ => None,
        };
        let all = (0..self.source.len())
            .flat_map(|row| [number(self.source, row), number(self.follow_up, row)])
            .flatten()
            .filter(|x| !x.is_nan());
        let Some((least, greatest)) = all.fold(None, |ends: Option<(f64, f64)>, x| {
            Some(ends.map_or((x, x), |(least, greatest)| (least.min(x), greatest.max(x))))
        }) else {
            return false;
        };
        rows.ones().all(|row| number(lower, row) == Some(least))
            || rows.ones().all(|row| number(upper, row) == Some(greatest))
    }

    /// The rows in which a comparison of the follow-up output with the source output (or the other way round) is true.
    fn truth(&self, op: Op, turned: bool) -> FixedBitSet {
        let operands = if turned { [self.source, self.follow_up] } else { [self.follow_up, self.source] };
        let (column, defined) = apply(op, &operands);
        let Column::Bool(truth) = column else { return FixedBitSet::with_capacity(defined.len()) };
        (0..truth.len()).filter(|&row| truth[row] && defined[row]).collect()
    }

    /// The rows in which both outputs are zero.
    fn both_zero(&self) -> FixedBitSet {
        let zeros = |column: &Column| -> FixedBitSet {
            let row_is_zero = |row: &usize| match column {
                Column::Int(v) => v[*row] == 0,
                Column::Float(v) => v[*row] == 0.0,
                _ => false,
            };
            (0..column.len()).filter(row_is_zero).collect()
        };
        let mut rows = zeros(self.source);
        rows.intersect_with(&zeros(self.follow_up));
        rows
    }

    /// The result of an operation for each row, if it is a finite number.
    fn numbers(&self, op: Op) -> Vec<Option<f64>> {
        // Integers are divided as floats: the ratio of 3 to 2 is 1.5.
        let float = |column: &Column| match column {
            Column::Int(v) => Column::Float(v.iter().map(|i| *i as f64).collect()),
            other => other.clone(),
        };
        let (follow_up, source) = (float(self.follow_up), float(self.source));
        let (column, defined) = apply(op, &[&follow_up, &source]);
        let Column::Float(values) = column else { return vec![None; defined.len()] };
        values.iter().zip(defined).map(|(x, defined)| (defined && x.is_finite()).then_some(*x)).collect()
    }

    /// The constants that an operation gives most often, rounded to what a person would write. The neutral element is left out.
    fn constants(&self, op: Op, neutral: f64) -> Vec<f64> {
        let mut rounded: Vec<f64> = self.numbers(op).into_iter().flatten().map(round).collect();
        rounded.retain(|x| *x != neutral && *x != 0.0);
        rounded.sort_by(f64::total_cmp);
        let mut counted: Vec<(usize, f64)> = Vec::new();
        for value in rounded {
            match counted.last_mut() {
                Some((count, last)) if *last == value => *count += 1,
                _ => counted.push((1, value)),
            }
        }
        counted.retain(|(count, _)| *count >= LEAST_ROWS);
        counted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.abs().total_cmp(&b.1.abs())));
        counted.truncate(MOST_CONSTANTS);
        counted.into_iter().map(|(_, value)| value).collect()
    }

    fn near(&self, op: Op, constant: f64) -> FixedBitSet {
        let numbers = self.numbers(op);
        let fits = |row: &usize| numbers[*row].is_some_and(|x| round(x) == constant);
        (0..numbers.len()).filter(fits).collect()
    }
}

/// Whether the sequences or texts of all these rows are empty.
fn is_empty(column: &Column, rows: &FixedBitSet) -> bool {
    rows.ones().all(|row| match column.value(row) {
        Value::Text(text) => text.is_empty(),
        Value::Sequence(items) => items.is_empty(),
        _ => false,
    })
}

/// A number with at most nine significant digits, which removes what rounding adds to a constant.
fn round(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}

impl Expectation {
    /// Whether every pair of outputs that satisfies this relation satisfies the other one, except for rounding.
    pub fn implies(self, other: Expectation) -> bool {
        use Expectation as E;
        match (self, other) {
            (a, b) if a == b => true,
            (E::Equal, E::Approximate) | (E::Equal | E::Approximate, E::AtMost | E::AtLeast) => true,
            (E::Equal, E::Extends | E::PrefixOf | E::PartOf | E::Contains) => true,
            (E::Less, E::AtMost | E::Different) | (E::Greater, E::AtLeast | E::Different) => true,
            (E::Difference(c), E::Greater | E::AtLeast) => c > 0.0,
            (E::Difference(c), E::Less | E::AtMost) => c < 0.0,
            (E::Difference(_), E::Different) | (E::Extends, E::Contains) | (E::PrefixOf, E::PartOf) => true,
            _ => false,
        }
    }

    /// The relation that holds if source and follow-up output are exchanged: `<` becomes `>`. Only for orders and constant differences.
    pub fn backwards(self) -> Option<Expectation> {
        use Expectation as E;
        match self {
            E::Less => Some(E::Greater),
            E::Greater => Some(E::Less),
            E::AtMost => Some(E::AtLeast),
            E::AtLeast => Some(E::AtMost),
            E::Difference(c) => Some(E::Difference(-c)),
            _ => None,
        }
    }

    /// The relation as an expression of two others.
    pub fn write(self, follow_up: Expression, source: Expression, is_float: bool) -> Expression {
        use BinaryOperator as B;
        use Expectation as E;
        let equal = if is_float { B::Approximate } else { B::Equal };
        match self {
            E::Equal => binary(B::Equal, follow_up, source),
            E::Approximate => binary(B::Approximate, follow_up, source),
            E::Difference(c) if c < 0.0 => binary(equal, follow_up, binary(B::Subtract, source, number(-c))),
            E::Difference(c) => binary(equal, follow_up, binary(B::Add, source, number(c))),
            E::Ratio(c) if c > 0.0 && c < 1.0 && (1.0 / c).fract() == 0.0 => {
                binary(equal, binary(B::Multiply, number(1.0 / c), follow_up), source)
            }
            E::Ratio(-1.0) => binary(equal, follow_up, negative(source)),
            E::Ratio(c) => binary(equal, follow_up, binary(B::Multiply, number(c), source)),
            E::Less => binary(B::Less, follow_up, source),
            E::Greater => binary(B::Greater, follow_up, source),
            E::AtMost => binary(B::LessEqual, follow_up, source),
            E::AtLeast => binary(B::GreaterEqual, follow_up, source),
            E::Different => binary(B::NotEqual, follow_up, source),
            E::PrefixOf => binary(B::PrefixOf, follow_up, source),
            E::Extends => binary(B::PrefixOf, source, follow_up),
            E::Contains => binary(B::Contains, follow_up, source),
            E::PartOf => binary(B::Contains, source, follow_up),
        }
    }

    /// A word for names of relations.
    pub fn word(self) -> &'static str {
        use Expectation as E;
        match self {
            E::Equal | E::Approximate => "same",
            E::Difference(_) => "shifted",
            E::Ratio(_) => "scaled",
            E::Less => "less",
            E::Greater => "greater",
            E::AtMost => "at_most",
            E::AtLeast => "at_least",
            E::Different => "different",
            E::PrefixOf => "prefix",
            E::Extends => "extends",
            E::Contains => "contains",
            E::PartOf => "part",
        }
    }
}

/// A literal, without a decimal point if it is an integer.
pub(crate) fn number(x: f64) -> Expression {
    let is_exact = x.fract() == 0.0 && x.abs() < 9.0e15;
    Expression::new(if is_exact { Node::Int(x as i128) } else { Node::Float(x) })
}
