//! Functions and modules for the tests.

#![allow(dead_code, reason = "each test uses some of it")]

use dodona_execute::{Executable, LoadError, Options, Runner};
use dodona_subject::*;

pub(crate) fn module(wat: &str) -> Module {
    Module::parse(wat::parse_str(wat).unwrap()).unwrap()
}

/// A module under `testdata`.
pub(crate) fn testdata(name: &str) -> Module {
    let path = format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    Module::parse(std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))).unwrap()
}

pub(crate) fn parameter(name: &str, ty: &str, lowering: Lowering) -> Parameter {
    Parameter {
        name: name.into(),
        ty: ty.parse().unwrap(),
        lowering,
        domain: Domain::default(),
        sampling: Sampling::default(),
    }
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
    with_parameters(name, parameters.collect(), result)
}

/// A function with the default order of arguments.
pub(crate) fn with_parameters(name: &str, parameters: Vec<Parameter>, result: ResultLowering) -> Function {
    let mut arguments = Vec::new();
    if matches!(result, ResultLowering::ReturnPointer(_)) {
        arguments.push(Argument::ReturnPointer);
    }
    for (index, parameter) in parameters.iter().enumerate() {
        match parameter.lowering {
            Lowering::Value => arguments.push(Argument::Value(index)),
            Lowering::PointerLength(_) => {
                arguments.extend([Argument::Pointer(index), Argument::Length(index)]);
            }
            Lowering::NulTerminated(_) => arguments.push(Argument::Pointer(index)),
            _ => {}
        }
    }
    if matches!(result, ResultLowering::OutBuffer { .. }) {
        arguments.extend([Argument::OutPointer, Argument::OutCapacity]);
    }
    Function {
        name: name.into(),
        export: name.into(),
        parameters,
        result,
        arguments,
        requires: None,
        relations: vec![],
    }
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
