//! Which locals hold Booleans, and which masks of them are the compiler's.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::path::Path;

use dodona_mutants::{Artefact, Scanned};
use dodona_subject::build::{Rebuild, load};
use dodona_subject::{Manifest, Module, wasmparser::Operator};

fn scanned(module: &Module, export: &str) -> Vec<bool> {
    let function = module.export_function(export).unwrap();
    let scanned = Scanned::read(module, &|f| f == function).pop().unwrap();
    scanned.booleans
}

#[test]
fn parameters_are_boolean_where_the_source_says_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/tcas");
    let module = load(&Manifest::find(&folder).unwrap(), Rebuild::WhenStale).unwrap();
    let booleans = scanned(&module, "advise");
    let parameters: Vec<usize> = (0..12).filter(|&p| booleans[p]).collect();
    // confident, reported, equipped, inhibited
    assert_eq!(parameters, [1, 2, 10, 11]);
}

#[test]
fn other_locals_are_boolean_where_only_booleans_are_assigned() {
    let module = wat::parse_str(
        "(module (func (export \"f\") (param i32 i32) (local i32 i32 i32 f64)
           local.get 0 local.get 1 i32.lt_s local.set 2
           local.get 2 i32.eqz local.tee 3 local.set 2
           local.get 2 local.set 4 local.get 1 local.set 4))",
    );
    let booleans = scanned(&Module::parse(module.unwrap()).unwrap(), "f");
    assert_eq!(booleans, [false, false, true, true, false, false]);
}

#[test]
fn only_masks_of_booleans_are_artefacts() {
    let module = wat::parse_str(
        "(module (func (export \"f\") (param i32 f64) (result i32)
           local.get 1 f64.const 0 f64.lt i32.const 1 i32.and
           local.get 0 i32.const 1 i32.and i32.add))",
    );
    let module = Module::parse(module.unwrap()).unwrap();
    let scanned = Scanned::read(&module, &|_| true).pop().unwrap();
    let masks = (0..).zip(&scanned.instructions).filter(|(_, s)| matches!(s.operator, Operator::I32And));
    let masks: Vec<(u32, Option<Artefact>)> = masks.map(|(at, s)| (at, s.artefact)).collect();
    assert_eq!(masks, [(4, Some(Artefact::BooleanMask)), (7, None)]);
}
