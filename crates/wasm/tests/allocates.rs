//! A callee's allocator must not give it the memory that its arguments lie in.

use std::path::Path;

use dodona_subject::{Manifest, Module};
use dodona_target::{Column, Ragged, SequenceColumn};
use dodona_wasm::execute::{Executable, Options, Strategy};

fn ints(rows: &[&[i128]]) -> Column {
    let mut column = Ragged::new();
    rows.iter().for_each(|row| column.push(row));
    Column::Sequence(SequenceColumn::Int(column))
}

#[test]
fn arguments_and_what_the_callee_allocates_lie_apart() {
    let text = "module = \"allocates.wasm\"\n[[function]]\nsignature = \"reversed(xs: [i32]) -> [i32]\"\n\
                [[function]]\nsignature = \"distance(xs: [i32]) -> i32\"\n";
    let manifest = Manifest::parse(Path::new("m.toml"), text).expect("valid");
    let module = Module::parse(include_bytes!("../testdata/allocates.wasm").to_vec()).expect("valid");
    let executable = Executable::load(&module, &manifest.functions, &Options::default()).expect("loads");
    for strategy in [Strategy::Columns, Strategy::RowByRow, Strategy::Fresh] {
        let mut runner = executable.runner();
        let arguments = [ints(&[&[1, 2, 3], &[], &[7, 8, 9, 10]])];
        let calls = runner.call_with(strategy, 0, &arguments).expect("runs");
        assert_eq!(calls.outputs, [ints(&[&[3, 2, 1], &[], &[10, 9, 8, 7]])], "{strategy:?}");
        let calls = runner.call_with(strategy, 1, &arguments).expect("runs");
        let Column::Int(distances) = &calls.outputs[0] else { panic!("integers") };
        assert!(distances.iter().all(|d| d.abs() >= 64), "{strategy:?} {distances:?}");
    }
}
