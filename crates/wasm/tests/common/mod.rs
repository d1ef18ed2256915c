//! Functions and modules for the tests.

#![allow(dead_code, reason = "each test uses some of it")]

use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{Executable, LoadError, Options, Runner};

pub(crate) fn module(wat: &str) -> Module {
    Module::parse(wat::parse_str(wat).unwrap()).unwrap()
}

/// A module under `testdata`.
pub(crate) fn testdata(name: &str) -> Module {
    let path = format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    Module::parse(std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))).unwrap()
}

pub(crate) fn parameter(name: &str, ty: &str, lowering: Lowering) -> (Parameter, Lowering) {
    (Parameter::new(name, ty.parse().unwrap()), lowering)
}

/// A function whose scalars go by value and whose sequences and text go as pointer and length, in order.
pub(crate) fn function(name: &str, types: &[&str], result: ResultLowering) -> Function {
    let parameters = types.iter().enumerate().map(|(index, ty)| {
        let lowering = match ty.parse().unwrap() {
            Type::Scalar(_) => Lowering::Value,
            _ => Lowering::PointerLength(Passing::In),
        };
        parameter(&format!("p{index}"), ty, lowering)
    });
    Function::new(name, parameters.collect(), result)
}

pub(crate) fn returns(name: &str) -> ResultLowering {
    match name.parse().unwrap() {
        Type::Scalar(scalar) => ResultLowering::Value(scalar),
        _ => panic!("{name} is no scalar"),
    }
}

pub(crate) fn load(module: &Module, functions: &[Function]) -> Result<Executable, LoadError> {
    Executable::load(module, functions, &Options::default())
}

/// With little fuel, for calls that use it up.
pub(crate) fn load_with_fuel(module: &Module, functions: &[Function], fuel: u64) -> Executable {
    let limits = Limits { fuel: Fuel(fuel), ..Limits::default() };
    Executable::load(module, functions, &Options { limits, ..Options::default() }).unwrap()
}

pub(crate) fn runner(module: &Module, function: Function) -> Runner {
    load(module, &[function]).unwrap().runner()
}

pub(crate) fn ints(values: impl IntoIterator<Item = i128>) -> Column {
    Column::Int(values.into_iter().collect())
}

pub(crate) fn floats(values: impl IntoIterator<Item = f64>) -> Column {
    Column::Float(values.into_iter().collect())
}

pub(crate) fn texts<'a>(rows: impl IntoIterator<Item = &'a str>) -> Column {
    let mut ragged = Ragged::new();
    rows.into_iter().for_each(|row| ragged.push(row.as_bytes()));
    Column::Text(ragged)
}

pub(crate) fn sequences<const N: usize>(rows: [&[i128]; N]) -> Column {
    let mut ragged = Ragged::new();
    rows.into_iter().for_each(|row| ragged.push(row));
    Column::Sequence(SequenceColumn::Int(ragged))
}

/// A mark for rows that returned, to compare with at a glance.
pub(crate) fn returned(rows: usize) -> Vec<Outcome> {
    vec![Outcome::Returned; rows]
}
