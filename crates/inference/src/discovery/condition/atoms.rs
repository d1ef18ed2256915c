//! The comparisons that conditions are made of.

use dodona_relations::plan::Ty;
use dodona_target::Value;

use super::{Conditions, JudgedRows};
use crate::discovery::column::{Data, block};
use crate::discovery::term::Node;
use crate::discovery::tuning::{CONDITION_CONSTANTS, EXCLUDED_VALUES, SPECIAL_INTEGERS};
use crate::discovery::{Evaluator, Leaf, Operator, Pairs, TermId, Terms, is_number, is_sequence};

/// 0, 1, -1, 2, and the integers among the eight most frequent constants of the code.
pub(super) fn constants(pairs: &Pairs) -> Vec<i64> {
    let of_code = pairs.constants.iter().take(CONDITION_CONSTANTS).filter_map(|(value, _)| match value {
        Value::Int(i) => i64::try_from(*i).ok(),
        Value::Float(x) if x.trunc() == *x && x.abs() < 1e15 => Some(*x as i64),
        _ => None,
    });
    let mut constants: Vec<i64> = [0, 1, -1, 2].into_iter().chain(of_code).collect();
    let mut seen = std::collections::BTreeSet::new();
    constants.retain(|c| seen.insert(*c));
    constants
}

/// How hard a comparison is to read, below 1: round constants and weak comparisons (`!=`) cost less.
pub(super) fn cost(terms: &Terms, atom: TermId) -> f64 {
    let of_leaf = |leaf: Leaf| match leaf {
        Leaf::Int(i) => (i.unsigned_abs() as f64 + 1.0).log10() / 20.0 + if i < 0 { 0.01 } else { 0.0 },
        Leaf::Float(bits) => 0.1 + f64::from_bits(bits).to_string().len() as f64 / 100.0,
        _ => 0.0,
    };
    match terms.node(atom) {
        Node::Leaf(leaf) => of_leaf(*leaf),
        Node::Apply(operator, operands) => {
            let own = match operator {
                Operator::NotEqual => 0.05,
                Operator::Less => 0.06,
                Operator::LessEqual => 0.063,
                _ => 0.1,
            };
            // A comparison of two variables costs more, so that a comparison with a constant wins where both would do.
            let is_alone = operands.iter().all(|&o| matches!(terms.node(o), Node::Leaf(Leaf::Variable(_))));
            let between = if is_alone && operands.len() == 2 { 0.06 } else { 0.0 };
            own + between + operands.iter().map(|&o| cost(terms, o)).sum::<f64>()
        }
    }
}

/// Comparisons that may separate the rows on which the expectation holds from the other rows.
pub(super) fn atoms(
    conditions: &mut Conditions,
    evaluator: &mut Evaluator,
    terms: &mut Terms,
    rows: &JudgedRows,
) -> Vec<TermId> {
    let variables: Vec<TermId> = conditions.sources.iter().map(|&v| terms.leaf(Leaf::Variable(v))).collect();
    let mut atoms = Vec::new();
    let mut subjects = Vec::new();
    for &v in &variables {
        match terms.ty(v) {
            Ty::Bool => atoms.extend([Some(v), terms.apply(Operator::Not, &[v])]),
            ty if is_sequence(ty) => subjects.extend(terms.apply(Operator::Len, &[v])),
            _ => subjects.push(v),
        }
    }
    for &subject in &subjects {
        let values = Values::of(conditions, evaluator, terms, subject, rows);
        atoms.extend(with_constants(terms, subject, &conditions.constants, &values));
    }
    for (i, &p) in variables.iter().enumerate().filter(|(_, v)| is_number(terms.ty(**v))).collect::<Vec<_>>()
    {
        for &q in variables[i + 1..].iter().filter(|q| is_number(terms.ty(**q))).collect::<Vec<_>>() {
            atoms.extend(with_variable(terms, p, q));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    atoms.into_iter().flatten().filter(|atom| seen.insert(*atom)).collect()
}

fn with_variable(terms: &mut Terms, p: TermId, q: TermId) -> [Option<TermId>; 6] {
    use Operator as O;
    let ways = [
        (O::NotEqual, p, q),
        (O::Equal, p, q),
        (O::Less, p, q),
        (O::Less, q, p),
        (O::LessEqual, p, q),
        (O::LessEqual, q, p),
    ];
    ways.map(|(operator, a, b)| terms.apply(operator, &[a, b]))
}

fn with_constants(
    terms: &mut Terms,
    subject: TermId,
    constants: &[i64],
    values: &Values,
) -> Vec<Option<TermId>> {
    use Operator as O;
    let is_integer = terms.ty(subject) == Ty::Int;
    let mut atoms = Vec::new();
    let mut compare = |terms: &mut Terms, operator: O, c: ComparedConstant, is_below: bool| {
        let c = terms.leaf(c.leaf());
        let operands = if is_below { [subject, c] } else { [c, subject] };
        atoms.push(terms.apply(operator, &operands));
    };
    for c in constants.iter().map(|&c| ComparedConstant::Int(c)).chain(values.often_bad.iter().copied()) {
        compare(terms, O::NotEqual, c, true);
        compare(terms, O::Equal, c, true);
        for is_below in [true, false] {
            compare(terms, O::Less, c, is_below);
            compare(terms, O::LessEqual, c, is_below);
        }
    }
    for &(c, operator, is_below) in &values.bounds {
        compare(terms, operator, c, is_below);
    }
    if is_integer {
        let (two, zero) = (terms.leaf(Leaf::Int(2)), terms.leaf(Leaf::Int(0)));
        let rest = terms.apply(O::Remainder, &[subject, two]);
        for operator in [O::Equal, O::NotEqual] {
            atoms.push(rest.and_then(|rest| terms.apply(operator, &[rest, zero])));
        }
    }
    atoms
}

/// A constant that a variable is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ComparedConstant {
    Int(i64),
    Float(f64),
}

impl ComparedConstant {
    fn leaf(self) -> Leaf {
        match self {
            ComparedConstant::Int(i) => Leaf::Int(i),
            ComparedConstant::Float(x) => Leaf::Float(x.to_bits()),
        }
    }

    fn of(x: f64, is_integer: bool) -> ComparedConstant {
        let is_whole = x.trunc() == x && x.abs() < 1e15;
        if is_integer || is_whole { ComparedConstant::Int(x as i64) } else { ComparedConstant::Float(x) }
    }
}

/// Constants that the data suggests for the comparisons of one variable.
#[derive(Debug, Default)]
struct Values {
    /// The values of the rows to exclude, if they are at most `EXCLUDED_VALUES` values and all of them are special (see [`is_special`]).
    often_bad: Vec<ComparedConstant>,
    /// Bounds between rows to exclude and rows to keep: `x < c` or `x <= c` where the flag is set, else `c < x` or `c <= x`.
    bounds: Vec<(ComparedConstant, Operator, bool)>,
}

impl Values {
    fn of(
        conditions: &mut Conditions,
        evaluator: &mut Evaluator,
        terms: &Terms,
        subject: TermId,
        rows: &JudgedRows,
    ) -> Values {
        let mut bad = values(evaluator, terms, subject, &rows.bad);
        if let Some(refused) = &mut conditions.refused {
            let all = refused.rows().clone();
            bad.extend(values(refused, terms, subject, &all));
        }
        let mut good = values(evaluator, terms, subject, &rows.good);
        for list in [&mut bad, &mut good] {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        let is_integer = terms.ty(subject) == Ty::Int;
        let mut found = Values::default();
        if bad.len() <= EXCLUDED_VALUES && bad.iter().all(|&x| is_special(x)) {
            found.often_bad.extend(bad.iter().map(|&x| ComparedConstant::of(x, is_integer)));
        }
        let (Some(&first), Some(&last)) = (bad.first(), bad.last()) else { return found };
        let (Some(&least), Some(&greatest)) = (good.first(), good.last()) else { return found };
        let below = |x: f64, list: &[f64]| list.iter().rev().copied().find(|v| *v < x);
        let above = |x: f64, list: &[f64]| list.iter().copied().find(|v| *v > x);
        // A lower bound above all bad values, or above the bad values that lie below all good ones; then upper bounds in the same way.
        let gaps = [
            above(last, &good).map(|g| (last, g)),
            below(least, &bad).map(|b| (b, least)),
            below(first, &good).map(|g| (first, g)),
            above(greatest, &bad).map(|b| (b, greatest)),
        ];
        found.bounds.extend(gaps.into_iter().flatten().map(|(b, g)| bound(b, g, is_integer)));
        found
    }
}

/// Whether a condition may exclude a single number: an integer near 0, a power of two, or one less than a power of two, where
/// integer types end. Any other number merely belongs to some input that refuted a relation, and the next such input would refute
/// it too.
fn is_special(x: f64) -> bool {
    let is_power = |x: f64| x > 0.0 && x.log2().fract() == 0.0;
    x.fract() == 0.0 && (x.abs() <= SPECIAL_INTEGERS || is_power(x.abs()) || is_power(x.abs() + 1.0))
}

/// A bound that excludes `bad` and allows `good`: an upper one if `bad` is the greater of the two.
fn bound(bad: f64, good: f64, is_integer: bool) -> (ComparedConstant, Operator, bool) {
    let is_upper = good < bad;
    let sign = if is_upper { -1.0 } else { 1.0 };
    let c = sign * simplest(sign * bad, sign * good);
    let is_strict = c == bad || (!is_integer && sign * c < sign * good);
    let operator = if is_strict { Operator::Less } else { Operator::LessEqual };
    (ComparedConstant::of(c, is_integer), operator, is_upper)
}

/// The roundest number from `low` to `high`: 0 if it lies between, else the number with the fewest digits.
fn simplest(low: f64, high: f64) -> f64 {
    if low <= 0.0 && high >= 0.0 {
        return 0.0;
    }
    let mut step = 1e15;
    while step > 1e-12 {
        let rounded = (low / step).ceil() * step;
        if rounded <= high && rounded >= low {
            return rounded;
        }
        step /= 10.0;
    }
    low
}

/// The values of a numeric term on some rows, except NaN and infinity, which no comparison bounds.
fn values(
    evaluator: &mut Evaluator,
    terms: &Terms,
    subject: TermId,
    rows: &crate::discovery::Bits,
) -> Vec<f64> {
    let column = evaluator.column(terms, subject);
    let is_defined = |row: &usize| column.defined.as_ref().is_none_or(|d| d.contains(*row));
    let value = |row: usize| match &column.data {
        Data::Real(blocks) => block(blocks, row / 64)[row % 64],
        Data::Wide(blocks) => block(blocks, row / 64)[row % 64] as f64,
        other => unreachable!("typed to be numbers: {other:?}"),
    };
    rows.rows().filter(is_defined).map(value).filter(|x| x.is_finite()).collect()
}
