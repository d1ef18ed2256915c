//! Arithmetic on columns.

use dodona_target::{Number, nearest_float};

use super::number;
use super::register::{Data, Lane, Runs, Valid};
use super::rows::{build, map_rows, zip, zip_checked};

/// The result of an instruction: its values, and the rows in which the instruction itself is defined (operands
/// aside).
pub(crate) type Given = (Data<'static>, Valid);

fn all(data: Data<'static>) -> Given {
    (data, Valid::All)
}

/// Numbers of any kind as floats.
pub(crate) fn floats<'r>(data: &'r Data<'_>) -> Lane<'r, f64> {
    match data {
        Data::Float(l) => l.borrow(),
        Data::Int(l) => l.map(nearest_float),
        Data::Number(l) => l.map(Number::as_f64),
        other => unreachable!("checked to be numbers: {other:?}"),
    }
}

/// Numbers of any kind, each with its own kind.
pub(crate) fn numbers<'r>(data: &'r Data<'_>) -> Lane<'r, Number> {
    match data {
        Data::Number(l) => l.borrow(),
        Data::Int(l) => l.map(Number::Int),
        Data::Float(l) => l.map(Number::Float),
        other => unreachable!("checked to be numbers: {other:?}"),
    }
}

/// Numbers as integers, for `div`, `mod` and indices; undefined where a number is not an integer.
pub(crate) fn integers(data: &Data<'_>) -> (Lane<'static, i128>, Valid) {
    zip_checked(&numbers(data), &Lane::One(()), 0, |x, ()| number::to_integer(x))
}

/// `+ - * min max` on numbers: exact between integers, floats if either number is a float.
pub(crate) fn mixed(
    a: &Data<'_>,
    b: &Data<'_>,
    exact: impl Fn(i128, i128) -> Option<i128>,
    float: impl Fn(f64, f64) -> f64,
) -> Given {
    match (a, b) {
        (Data::Int(a), Data::Int(b)) => {
            let (lane, valid) = zip_checked(a, b, 0, exact);
            (Data::Int(lane), valid)
        }
        (Data::Float(_), _) | (_, Data::Float(_)) => all(Data::Float(zip(&floats(a), &floats(b), float))),
        _ => either(a, b, |a, b| match (a, b) {
            (Number::Int(a), Number::Int(b)) => exact(a, b).map(Number::Int),
            (a, b) => Some(Number::Float(float(a.as_f64(), b.as_f64()))),
        }),
    }
}

fn either(a: &Data<'_>, b: &Data<'_>, f: impl Fn(Number, Number) -> Option<Number>) -> Given {
    let (lane, valid) = zip_checked(&numbers(a), &numbers(b), Number::Int(0), f);
    (Data::Number(lane), valid)
}

/// `+` on two numbers, or between a sequence and a number for each element.
pub(crate) fn add(a: &Data<'_>, b: &Data<'_>) -> Given {
    sides(a, b, i128::checked_add, |a, b| a + b)
}

/// `-` on two numbers, or between a sequence and a number for each element.
pub(crate) fn subtract(a: &Data<'_>, b: &Data<'_>) -> Given {
    sides(a, b, i128::checked_sub, |a, b| a - b)
}

/// `*` on two numbers, or between a sequence and a number for each element.
pub(crate) fn multiply(a: &Data<'_>, b: &Data<'_>) -> Given {
    sides(a, b, product, |a, b| a * b)
}

/// Most factors fit into 64 bits. Then the product cannot overflow 128 bits, and the expensive overflow check is
/// skipped.
fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

fn sides(
    a: &Data<'_>,
    b: &Data<'_>,
    exact: impl Fn(i128, i128) -> Option<i128>,
    float: impl Fn(f64, f64) -> f64,
) -> Given {
    match (a, b) {
        (Data::Ints(_) | Data::Floats(_), _) => elements(a, b, exact, float),
        (_, Data::Ints(_) | Data::Floats(_)) => elements(b, a, |x, c| exact(c, x), |x, c| float(c, x)),
        _ => mixed(a, b, exact, float),
    }
}

/// Combines each element of a sequence with one number.
fn elements(
    s: &Data<'_>,
    c: &Data<'_>,
    exact: impl Fn(i128, i128) -> Option<i128>,
    float: impl Fn(f64, f64) -> f64,
) -> Given {
    let rows = s.rows().or(c.rows());
    if let (Data::Ints(s), Data::Int(c)) = (s, c) {
        let (runs, valid) = build(rows, s.item_count(), |row, out| {
            let c = c.at(row);
            s.at(row).iter().all(|x| exact(*x, c).map(|y| out.push(y)).is_some())
        });
        return (Data::Ints(runs), valid);
    }
    let (c, float) = (floats(c), &float);
    all(Data::Floats(match s {
        Data::Ints(s) => map_rows(s, rows, |items, row| {
            let c = c.at(row);
            items.iter().map(move |x| float(*x as f64, c))
        }),
        Data::Floats(s) => map_rows(s, rows, |items, row| {
            let c = c.at(row);
            items.iter().map(move |x| float(*x, c))
        }),
        other => unreachable!("checked to be a sequence of numbers: {other:?}"),
    }))
}

/// `/`.
pub(crate) fn divide(a: &Data<'_>, b: &Data<'_>) -> Given {
    if !matches!((a, b), (Data::Float(_), _) | (_, Data::Float(_))) {
        return either(a, b, number::divide);
    }
    let (lane, valid) = zip_checked(&floats(a), &floats(b), 0.0, number::divide_floats);
    (Data::Float(lane), valid)
}

/// `^`. An integer to a constant integer exponent >= 0 gives an integer.
pub(crate) fn power(a: &Data<'_>, b: &Data<'_>) -> Given {
    match (a, b) {
        (Data::Int(a), Data::Int(b @ Lane::One(0..))) => {
            let (lane, valid) = zip_checked(a, b, 0, number::power_int);
            (Data::Int(lane), valid)
        }
        (Data::Float(a), Data::Int(Lane::One(2))) => all(Data::Float(a.map(|a| a * a))),
        (Data::Float(_), _) | (_, Data::Float(_)) => {
            all(Data::Float(zip(&floats(a), &floats(b), number::power_float)))
        }
        _ => either(a, b, number::power),
    }
}

/// `div`: integers only, truncating toward zero.
pub(crate) fn quotient(a: &Data<'_>, b: &Data<'_>) -> Given {
    whole(a, b, i128::checked_div)
}

/// `mod`: integers only, what `div` leaves.
pub(crate) fn remainder(a: &Data<'_>, b: &Data<'_>) -> Given {
    // The remainder of the smallest integer divided by -1 is 0, although the quotient overflows.
    whole(a, b, |a, b| (b != 0).then(|| a.wrapping_rem(b)))
}

fn whole(a: &Data<'_>, b: &Data<'_>, of: impl Fn(i128, i128) -> Option<i128>) -> Given {
    let ((a, a_valid), (b, b_valid)) = (integers(a), integers(b));
    let (lane, valid) = zip_checked(&a, &b, 0, of);
    (Data::Int(lane), valid.and(&a_valid).and(&b_valid))
}

/// Unary minus and `abs`, of numbers or of the elements of a sequence.
pub(crate) fn sign(a: &Data<'_>, exact: impl Fn(i128) -> Option<i128>, float: impl Fn(f64) -> f64) -> Given {
    match a {
        Data::Float(l) => all(Data::Float(l.map(float))),
        Data::Int(l) => {
            let (lane, valid) = zip_checked(l, &Lane::One(()), 0, |x, ()| exact(x));
            (Data::Int(lane), valid)
        }
        Data::Ints(_) | Data::Floats(_) => {
            elements(a, &Data::Int(Lane::One(0)), |x, _| exact(x), |x, _| float(x))
        }
        _ => either(a, a, |x, _| match x {
            Number::Int(i) => exact(i).map(Number::Int),
            Number::Float(x) => Some(Number::Float(float(x))),
        }),
    }
}

/// `floor` and `ceil`.
pub(crate) fn round(a: &Data<'_>, float: impl Fn(f64) -> f64) -> Given {
    match a {
        Data::Int(l) => all(Data::Int(l.map(|i| i))),
        Data::Float(l) => all(Data::Number(l.map(|x| number::rounded(float(x))))),
        _ => all(Data::Number(numbers(a).map(|x| match x {
            Number::Int(i) => Number::Int(i),
            Number::Float(x) => number::rounded(float(x)),
        }))),
    }
}

/// A function of two numbers, computed on floats.
pub(crate) fn analytic_of_two(a: &Data<'_>, b: &Data<'_>, f: impl Fn(f64, f64) -> f64) -> Given {
    all(Data::Float(zip(&floats(a), &floats(b), f)))
}

/// `sqrt exp ln sin cos`.
pub(crate) fn analytic(a: &Data<'_>, float: impl Fn(f64) -> f64) -> Given {
    all(Data::Float(floats(a).map(float)))
}

/// `abs`.
pub(crate) fn abs(a: &Data<'_>) -> Given {
    sign(a, i128::checked_abs, f64::abs)
}

/// `is_nan`.
pub(crate) fn is_nan(a: &Data<'_>) -> Given {
    all(Data::Bool(match a {
        Data::Float(l) => l.map(f64::is_nan),
        _ => numbers(a).map(|x| matches!(x, Number::Float(x) if x.is_nan())),
    }))
}

/// `sum`, from left to right.
pub(crate) fn sum(a: &Data<'_>) -> Given {
    match a {
        Data::Ints(s) => {
            let total = |row| s.at(row).iter().try_fold(0i128, |sum, x| sum.checked_add(*x));
            let (lane, valid) = super::rows::by_row_checked(s.rows(), 0, total);
            (Data::Int(lane), valid)
        }
        Data::Floats(s) => all(Data::Float(total_floats(s))),
        other => unreachable!("checked to be a sequence of numbers: {other:?}"),
    }
}

fn total_floats(s: &Runs<'_, f64>) -> Lane<'static, f64> {
    super::rows::by_row(s.rows(), |row| s.at(row).iter().fold(0.0, |sum, x| sum + x))
}
