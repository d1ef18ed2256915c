//! Calls are given up when the time is up or somebody interrupts, and until then are what they are without an end.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use std::time::Duration;

use common::*;
use dodona_subject::*;
use dodona_target::*;
use dodona_target::{Interruption, Until};
use dodona_wasm::execute::{Executable, HostError, Strategy};

/// Turns as many as are asked for; a negative number has no end.
const TURNS: &str = r#"(module (func (export "turn") (param i32) (result i32) (local i32)
    (loop (local.set 1 (i32.add (local.get 1) (i32.const 1)))
        (br_if 0 (i32.ne (local.get 1) (local.get 0))))
    (local.get 1)))"#;

fn turn(fuel: u64) -> Executable {
    let function = function("turn", &["i32"], ResultLowering::Value(Scalar::I32));
    load_with_fuel(&module(TURNS), &[function], fuel)
}

fn ints(values: impl IntoIterator<Item = i128>) -> [Column; 1] {
    [Column::Int(values.into_iter().collect())]
}

#[test]
fn nothing_is_run_for_somebody_who_has_interrupted() {
    let executable = turn(1_000);
    let mut runner = executable.runner().until(&Until::interrupted(&Interruption::raised()));
    for strategy in [Strategy::Columns, Strategy::RowByRow, Strategy::Fresh] {
        assert_eq!(runner.call_with(strategy, 0, &ints([5])), Err(HostError::Stopped), "{strategy:?}");
    }
    runner.end_at(&Until::default());
    assert_eq!(runner.call(0, &ints([5, 7])).unwrap().outputs, ints([5, 7]));
}

#[test]
fn rows_that_take_long_are_run_in_several_crossings_and_give_the_same() {
    let executable = turn(10_000_000);
    // Together they use several times what one crossing may.
    let rows = || ints((1..60).map(|i| if i % 7 == 0 { -1 } else { i * 20_000 }));
    let mut in_columns = executable.runner();
    let mut one_by_one = executable.runner();
    let columns = in_columns.call(0, &rows()).unwrap();
    let rows = one_by_one.call_with(Strategy::RowByRow, 0, &rows()).unwrap();
    assert_eq!(columns, rows);
    assert_eq!(in_columns.fuel_used(), one_by_one.fuel_used());
    assert!(in_columns.fuel_used().iter().sum::<u64>() > 100_000_000);
    for row in 0..59 {
        assert_eq!(in_columns.locate_trap(row), one_by_one.locate_trap(row), "row {row}");
    }
}

#[test]
fn a_column_is_given_up_behind_the_row_that_is_run() {
    let executable = turn(10_000_000);
    let until = Until::default().within(Duration::from_millis(20));
    // Each row takes all of its fuel: together they would take hours.
    let rows = ints((0..1_000_000).map(|_| -1));
    for strategy in [Strategy::Columns, Strategy::RowByRow, Strategy::Fresh] {
        let mut runner = executable.runner().until(&until);
        assert_eq!(runner.call_with(strategy, 0, &rows), Err(HostError::Stopped), "{strategy:?}");
    }
}

#[test]
fn a_call_that_may_take_days_is_given_up_in_its_midst() {
    let executable = turn(1 << 60);
    for strategy in [Strategy::Columns, Strategy::RowByRow, Strategy::Fresh] {
        let until = Until::default().within(Duration::from_millis(20));
        let mut runner = executable.runner().until(&until);
        assert_eq!(runner.call_with(strategy, 0, &ints([-1])), Err(HostError::Stopped), "{strategy:?}");
        // The instance that was given up is not used again.
        runner.end_at(&Until::default());
        assert_eq!(runner.call(0, &ints([300_000_000, 3])).unwrap().outputs, ints([300_000_000, 3]));
    }
}
