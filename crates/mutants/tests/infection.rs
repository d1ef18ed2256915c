//! Where a mutant behaves otherwise, the observing run said that it is infected; and all forms of a plan behave alike.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::cell::RefCell;
use std::path::Path;

use dodona_mutants::{Describer, Form, Mutant, Mutants, Plan, Scope};
use dodona_subject::{Fuel, Function, Limits, Lowering, Module, ResultLowering};
use dodona_target::{Calls, Column, Parameter, Type};
use dodona_wasm::execute::{Choice, Executable, Options, Runner};
use proptest::collection::vec;
use proptest::prelude::*;

/// Functions `f` of two numbers, with the type of both and of the result.
const FUNCTIONS: &[(&str, &str)] = &[
    // Division, shifts, bits and a connector of Booleans as a value.
    (
        "i32",
        "local.get 0 i32.const 3 i32.shl local.get 1 i32.div_s local.get 1 local.get 0 i32.rem_u i32.xor local.tee 2
         local.get 2 i32.const 5 i32.shr_s local.get 0 i32.const 0 i32.lt_s local.get 1 i32.eqz i32.or select
         i32.const 7 i32.and local.get 1 i32.add",
    ),
    // Connectors as branches, with a load as the second operand that the first guards.
    (
        "i32",
        "block block local.get 0 i32.const 65000 i32.gt_u br_if 0 local.get 0 i32.load offset=8 local.get 1 i32.ne br_if 0
           local.get 1 local.set 2 end
         local.get 0 br_if 0 local.get 1 i32.const 4 i32.lt_s br_if 0 i32.const 9 local.set 2 end
         local.get 2",
    ),
    // A loop over memory, with stores, strides and another field.
    (
        "i32",
        "local.get 0 i32.const 7 i32.and local.set 2
         loop local.get 1 local.get 2 i32.const 2 i32.shl i32.add local.get 1 i32.load offset=4 local.get 2 i32.sub i32.store offset=4
           local.get 2 i32.const -1 i32.add local.tee 2 i32.const 0 i32.gt_s br_if 0 end
         local.get 1 i32.load offset=12 call $note",
    ),
    // A loop left in the middle, and selects that share an arm.
    (
        "i32",
        "block loop local.get 2 i32.const 20 i32.ge_u br_if 1 local.get 2 i32.const 1 i32.add local.set 2
           local.get 2 local.get 0 i32.eq br_if 1 br 0 end end
         local.get 2 local.get 1 local.get 0 select local.get 1 local.get 2 i32.const 10 i32.lt_s select",
    ),
    // Early returns of the same value.
    (
        "i32",
        "block local.get 0 i32.const 1 i32.ge_s br_if 0 i32.const 0 return end
         block local.get 1 i32.const 1 i32.ge_s br_if 0 i32.const 0 return end
         local.get 0 if (result i32) local.get 1 else unreachable end",
    ),
    (
        "i64",
        "local.get 0 local.get 1 i64.div_s local.get 0 i64.const -1 i64.xor i64.rotl local.get 1 i64.const 3 i64.rem_s i64.sub
         local.tee 2 local.get 2 i64.eqz i64.extend_i32_u i64.add",
    ),
    (
        "f64",
        "local.get 0 local.get 1 f64.div local.get 0 f64.sqrt f64.add local.tee 2
         local.get 1 f64.neg local.get 2 f64.const 0.5 f64.lt local.get 0 f64.const 0 f64.ge i32.eqz i32.and select
         i32.const 40 i32.const 48 local.get 1 local.get 0 f64.gt select local.get 0 f64.store i32.const 48 f64.load f64.sub",
    ),
];

fn function(ty: &str) -> Function {
    let parameter = |name: &str| (Parameter::new(name, ty.parse().unwrap()), Lowering::Value);
    let Type::Scalar(scalar) = ty.parse().unwrap() else { panic!("{ty} is no scalar") };
    Function::new("f", vec![parameter("a"), parameter("b")], ResultLowering::Value(scalar))
}

fn module((ty, body): (&str, &str)) -> Module {
    let text = format!(
        "(module (memory (export \"memory\") 1) (global $last (mut i32) (i32.const 0))
           (func $note (param i32) (result i32) local.get 0 global.set $last global.get $last)
           (func (export \"f\") (param {ty} {ty}) (result {ty}) (local {ty}) {body}))"
    );
    Module::parse(wat::parse_str(&text).unwrap()).unwrap()
}

/// Numbers that matter to integers, floats and addresses alike.
fn numbers() -> impl Strategy<Value = Vec<(i32, i32)>> {
    let number = || prop_oneof![-12..12i32, 65_510..65_560, Just(i32::MIN), Just(i32::MAX), any::<i32>()];
    vec((number(), number()), 1..24)
}

fn column(ty: &str, values: impl Iterator<Item = i32>) -> Column {
    match ty {
        // The greatest stand for what is no number, and halves are in between.
        "f64" => {
            Column::Float(values.map(|v| if v == i32::MAX { f64::NAN } else { f64::from(v) / 2.0 }).collect())
        }
        _ => Column::Int(values.map(i128::from).collect()),
    }
}

fn runner(module: &Module, function: &Function, plan: &Plan) -> Runner {
    let options = Options { limits: Limits { fuel: Fuel(2_000), ..Limits::default() }, ..Options::default() };
    let functions = std::slice::from_ref(function);
    Executable::load_with_variants(module, functions, &options, &plan.variants).unwrap().runner()
}

fn same(a: &Calls, b: &Calls, row: usize) -> bool {
    a.outcomes[row] == b.outcomes[row] && a.outputs[0].same(row, &b.outputs[0], row)
}

/// The mutants of a function in all forms, compiled once for all inputs.
struct Forms {
    index: usize,
    mutants: Vec<Mutant>,
    plans: [Plan; 3],
    runners: [Runner; 3],
}

impl Forms {
    fn new(index: usize) -> Forms {
        let (module, function) = (module(FUNCTIONS[index]), function(FUNCTIONS[index].0));
        let scope = Scope::whole(vec![module.export_function("f").unwrap()]);
        let all = Mutants::generate(&module, &scope, usize::MAX, &mut Describer::new(None, Path::new(".")));
        let mutants: Vec<&Mutant> = all.mutants.iter().collect();
        let plans = [Form::CopyPerPlace, Form::CopyPerMutant, Form::SwitchPerPlace]
            .map(|form| Plan::new(&module, &all, &mutants, form));
        let runners = plans.each_ref().map(|plan| runner(&module, &function, plan));
        Forms { index, mutants: all.mutants, plans, runners }
    }
}

fn check(forms: &mut Forms, inputs: &[(i32, i32)]) {
    let Forms { index, mutants, plans, runners } = forms;
    let (ty, _) = FUNCTIONS[*index];
    let columns = [column(ty, inputs.iter().map(|i| i.0)), column(ty, inputs.iter().map(|i| i.1))];
    runners[0].choose(Choice::default());
    let original = runners[0].call(0, &columns).unwrap();
    runners[0].choose(plans[0].observer);
    let observed = runners[0].call_noting(0, &columns).unwrap();
    let notes: Vec<Vec<u64>> = (0..inputs.len()).map(|row| runners[0].notes(row).to_vec()).collect();
    for (number, mutant) in mutants.iter().enumerate() {
        let calls: Vec<Calls> = (0..plans.len())
            .map(|form| {
                runners[form].choose(plans[form].choices[number]);
                runners[form].call(0, &columns).unwrap()
            })
            .collect();
        for row in 0..inputs.len() {
            assert!(same(&original, &observed, row), "observing changes {:?}", inputs[row]);
            let bit = plans[0].notes[number].infected;
            let infected = notes[row][bit as usize / 64] >> (bit % 64) & 1 != 0;
            let what = || format!("function {index}, {:?}, {:?}", mutant.changes[0].candidate, inputs[row]);
            assert!(infected || same(&original, &calls[0], row), "differs without infection: {}", what());
            assert!(calls.iter().all(|other| same(&calls[0], other, row)), "forms differ: {}", what());
        }
    }
}

#[test]
fn what_differs_was_infected() {
    let forms: Vec<_> = (0..FUNCTIONS.len()).map(|index| RefCell::new(Forms::new(index))).collect();
    proptest!(ProptestConfig::with_cases(24), |(index in 0..FUNCTIONS.len(), inputs in numbers())| {
        check(&mut forms[index].borrow_mut(), &inputs);
    });
}

#[test]
fn every_function_is_checked_on_the_borders() {
    let border = [0, 1, -1, 7, 65_516, 65_520, 65_524, 65_528, 65_532, 65_536, i32::MIN, i32::MAX];
    let inputs: Vec<_> = border.iter().flat_map(|&a| border.map(|b| (a, b))).collect();
    (0..FUNCTIONS.len()).for_each(|index| check(&mut Forms::new(index), &inputs));
}
