//! Tests which rows of an argument lie in a parameter's type and domain.

use dodona_target::{Domain, Kind, Number, Scalar, Type};

use crate::apply::number::to_integer;
use crate::apply::register::{Data, Lane, Register};
use crate::apply::rows::by_row;

/// Whether each row is a value of the type and domain; undefined rows count as inside.
pub(super) fn inside(argument: &Register<'_>, ty: Type, domain: &Domain) -> Lane<'static, bool> {
    let contained = contains(&argument.data, ty, domain);
    match &argument.valid {
        crate::apply::register::Valid::All => contained,
        valid => by_row(contained.rows(), |row| contained.at(row) || !valid.at(row)),
    }
}

fn contains(data: &Data<'_>, ty: Type, domain: &Domain) -> Lane<'static, bool> {
    let Some(scalar) = ty.scalar() else { return contains_text(data, domain) };
    match (scalar.kind(), data) {
        (Kind::Bool, Data::Bool(l)) => l.map(|b| domain.numbers.contains_int(b.into())),
        (Kind::Bool, Data::Bools(r)) => by_row(r.rows(), |row| domain.contains_bools(r.at(row))),
        (Kind::Int, Data::Int(l)) => ints(l, scalar, domain),
        (Kind::Int, Data::Ints(r)) => by_row(r.rows(), |row| domain.contains_ints(scalar, r.at(row))),
        (Kind::Int, Data::Floats(r)) => by_row(r.rows(), |row| {
            let whole = r.at(row).iter().map(|x| to_integer(Number::Float(*x)));
            whole.collect::<Option<Vec<_>>>().is_some_and(|v| domain.contains_ints(scalar, &v))
        }),
        (Kind::Int, _) => crate::apply::arithmetic::numbers(data)
            .map(|x| to_integer(x).is_some_and(|i| domain.contains_int(scalar, i))),
        (_, Data::Floats(r)) => by_row(r.rows(), |row| domain.contains_floats(scalar, r.at(row))),
        (Kind::Float, Data::Ints(r)) => by_row(r.rows(), |row| {
            let floats: Vec<f64> = r.at(row).iter().map(|i| *i as f64).collect();
            domain.contains_floats(scalar, &floats)
        }),
        // Only the empty literal is ever converted between Booleans and numbers.
        (Kind::Bool, other) => by_row(other.rows(), |_| domain.contains_bools(&[])),
        (Kind::Float, _) => floats(&crate::apply::arithmetic::floats(data), scalar, domain),
    }
}

fn ints(lane: &Lane<'_, i128>, scalar: Scalar, domain: &Domain) -> Lane<'static, bool> {
    match scalar.integer_range() {
        // Only the type limits the value, so one range comparison per row is enough.
        Some((low, high)) if domain.numbers.is_everything() => lane.map(|i| (low <= i) & (i <= high)),
        _ => lane.map(|i| domain.contains_int(scalar, i)),
    }
}

fn floats(lane: &Lane<'_, f64>, scalar: Scalar, domain: &Domain) -> Lane<'static, bool> {
    match (scalar, domain.numbers.only_range()) {
        (Scalar::F64, Some((low, high))) => lane.map(|x| (low <= x) & (x <= high)),
        _ => lane.map(|x| domain.contains_float(scalar, x)),
    }
}

fn contains_text(data: &Data<'_>, domain: &Domain) -> Lane<'static, bool> {
    match data {
        Data::Text(r) => by_row(r.rows(), |row| domain.contains_text(r.at(row))),
        other => unreachable!("checked to be text: {other:?}"),
    }
}
