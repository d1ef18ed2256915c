//! The constants in the code of a function.

use std::collections::BTreeMap;

use dodona_mutants::{CodeUnderTest, MOST_INSTRUCTIONS, Scan, Scanned, SourceFiles};
use dodona_subject::{CodePoint, wasmparser::Operator};
use dodona_target::Value;

use dodona_wasm::{Workbench, runs};

/// How many instructions a constant is followed through to see whether it becomes an address.
const DEPTH: u32 = 6;

/// The numbers in the code of a function under test and of the functions that it calls, with the number of their occurrences: the
/// most frequent first, then the smallest. If debug information names source files, only called functions whose source is at hand
/// count, which excludes libraries. Zero, addresses, offsets into the stack frame, NaN and infinity are left out.
///
/// # Panics
/// When there is no such function.
pub fn constants(workbench: &Workbench, function: usize) -> Vec<(Value, u64)> {
    let wanted = functions(workbench, function);
    let mut counts: BTreeMap<Key, u64> = BTreeMap::new();
    // A function that is too large to be mutated is not scanned either.
    let is_small = |f: u32| workbench.target.module.instruction_count(f) <= MOST_INSTRUCTIONS;
    for scanned in Scanned::read(&workbench.target.module, &|f| wanted.contains(&f) && is_small(f)) {
        for (at, scan) in scanned.instructions.iter().enumerate() {
            let is_value = scan.reachable && scan.artefact.is_none() && !is_address(&scanned, at, DEPTH);
            if let Some(key) = value(scan).filter(|_| is_value) {
                *counts.entry(key).or_default() += 1;
            }
        }
    }
    let mut constants: Vec<(Key, u64)> =
        counts.into_iter().filter(|(key, _)| !is_data(workbench, key)).collect();
    constants.sort_by_key(|(key, count)| (std::cmp::Reverse(*count), key.magnitude(), *key));
    constants.into_iter().map(|(key, count)| (key.value(), count)).collect()
}

/// A number that can be sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Int(i128),
    Float(u64),
}

impl Key {
    fn float(x: f64) -> Option<Key> {
        (x.is_finite() && x != 0.0).then_some(Key::Float(x.to_bits()))
    }

    fn value(self) -> Value {
        match self {
            Key::Int(i) => Value::Int(i),
            Key::Float(bits) => Value::Float(f64::from_bits(bits)),
        }
    }

    /// The absolute value as an integer of the same order.
    fn magnitude(self) -> u64 {
        match self {
            Key::Int(i) => (i.unsigned_abs() as f64).to_bits(),
            Key::Float(bits) => f64::from_bits(bits).abs().to_bits(),
        }
    }
}

/// The number that an instruction pushes.
fn value(scan: &Scan<'_>) -> Option<Key> {
    let int = |i: i128| (i != 0).then_some(Key::Int(i));
    match scan.operator {
        Operator::I32Const { value } => int(value.into()),
        Operator::I64Const { value } => int(value.into()),
        Operator::F32Const { value } => Key::float(f32::from_bits(value.bits()).into()),
        Operator::F64Const { value } => Key::float(f64::from_bits(value.bits())),
        _ => None,
    }
}

/// The function itself, and the functions that it calls whose source is at hand.
fn functions(workbench: &Workbench, function: usize) -> Vec<u32> {
    let (module, declared) = (&workbench.target.module, &workbench.target.manifest.functions[function]);
    let own = module.export_function(&declared.export);
    let mut reached: Vec<u32> = runs(workbench, [function]).into_iter().collect();
    let Some(debug) = workbench.target.debug_info() else { return reached };
    let under_test = CodeUnderTest::of(module, Some(debug), &workbench.target.manifest);
    let mut sources = SourceFiles::new(workbench.target.manifest.folder());
    reached.retain(|&f| {
        let first = debug.location(module, CodePoint { function: f, instruction: 0 });
        let is_at_hand = first.is_some_and(|location| {
            under_test.owns(debug.package(location)) && sources.file(debug, location).is_some()
        });
        Some(f) == own || is_at_hand
    });
    reached
}

/// Whether a value becomes part of an address: the address of a load or a store, or an address in the stack frame.
fn is_address(scanned: &Scanned<'_>, at: usize, depth: u32) -> bool {
    use Operator as O;
    let Some((user, position)) = scanned.instructions[at].user.filter(|_| depth > 0) else { return false };
    let scan = &scanned.instructions[user as usize];
    match scan.operator {
        O::I32Add | O::I32Sub | O::I32Shl | O::I32Mul | O::I32And | O::I32Or | O::LocalTee { .. } => {
            is_address(scanned, user as usize, depth - 1)
        }
        O::MemoryCopy { .. } => position < 2,
        O::MemoryFill { .. } => position == 0,
        ref other => position == 0 && is_memory(other),
    }
}

fn is_memory(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::I32Load { .. }
            | O::I64Load { .. }
            | O::F32Load { .. }
            | O::F64Load { .. }
            | O::I32Load8S { .. }
            | O::I32Load8U { .. }
            | O::I32Load16S { .. }
            | O::I32Load16U { .. }
            | O::I64Load8S { .. }
            | O::I64Load8U { .. }
            | O::I64Load16S { .. }
            | O::I64Load16U { .. }
            | O::I64Load32S { .. }
            | O::I64Load32U { .. }
            | O::I32Store { .. }
            | O::I64Store { .. }
            | O::F32Store { .. }
            | O::F64Store { .. }
            | O::I32Store8 { .. }
            | O::I32Store16 { .. }
            | O::I64Store8 { .. }
            | O::I64Store16 { .. }
            | O::I64Store32 { .. }
    )
}

/// Whether an integer is likely the address of static data.
fn is_data(workbench: &Workbench, key: &Key) -> bool {
    let Key::Int(i) = *key else { return false };
    let Ok(address) = u64::try_from(i) else { return false };
    workbench.target.module.data().0.iter().any(|range| range.addresses.contains(&address))
}
