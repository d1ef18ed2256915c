//! What a module tells of itself, on real clang output and on small modules in the text format.

use dodona_subject::{CodePoint, DebugType, ExportKind, Module, ModuleError, wasmparser::Operator};

fn area() -> Module {
    Module::parse(include_bytes!("../testdata/area.wasm").to_vec()).expect("clang's output is valid")
}

fn wat(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("valid text format")
}

#[test]
fn exports_and_types_are_read() {
    let module = area();
    let function = module.export_function("area").expect("exported");
    assert_eq!(module.function_type(function).expect("has a type").params().len(), 2);
    assert!(module.exports().iter().any(|e| matches!(e.kind, ExportKind::Memory(_))));
    assert_eq!(module.function_name(function), "area");
    assert!(module.export_function("volume").is_none());
}

#[test]
fn every_instruction_of_a_c_function_has_its_line() {
    let module = area();
    let info = module.debug_info().expect("compiled with -g");
    for (name, lines) in [("area", 3..=7), ("mean", 9..=14)] {
        let function = module.export_function(name).expect("exported");
        for instruction in 0..module.operators(function).len() as u32 {
            let place = info.location(&module, CodePoint { function, instruction }).expect("has a line");
            assert!(lines.contains(&place.line), "{name} {instruction}: {place}");
        }
    }
    let function = module.export_function("mean").expect("exported");
    let add = |op: &Operator<'_>| matches!(op, Operator::F64Add);
    let add = module.operators(function).iter().position(|(op, _)| add(op)).expect("adds");
    let place = info.location(&module, CodePoint { function, instruction: add as u32 }).expect("has a line");
    assert_eq!((place.line, place.column), (12, 13));
    assert!(place.file.ends_with("area.c"), "{place}");
}

#[test]
fn offsets_and_code_points_map_both_ways() {
    let module = area();
    for function in 0..module.function_count() {
        for (instruction, (_, offset)) in module.operators(function).iter().enumerate() {
            let point = CodePoint { function, instruction: instruction as u32 };
            assert_eq!(module.code_point_at(*offset), Some(point));
            assert_eq!(module.offset_of(point), Some(*offset));
        }
    }
    assert_eq!(module.code_point_at(0), None);
}

#[test]
fn parameters_and_locals_have_their_source_names() {
    let module = area();
    let info = module.debug_info().expect("compiled with -g");
    let mean =
        info.subprogram(&module, module.export_function("mean").expect("exported")).expect("described");
    assert_eq!(mean.name, "mean");
    let names: Vec<_> = mean.parameters.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["xs", "count"]);
    let pointer = DebugType::Pointer { to: Box::new(DebugType::Float { bytes: 8 }), constant: true };
    assert_eq!(mean.parameters[0].ty, pointer);
    assert_eq!(mean.parameters[1].ty, DebugType::Int { signed: true, bytes: 4 });
    assert_eq!(mean.result, DebugType::Float { bytes: 8 });
    assert!(mean.locals.values().any(|n| n == "sum"), "{:?}", mean.locals);
    let area =
        info.subprogram(&module, module.export_function("area").expect("exported")).expect("described");
    assert_eq!(area.parameters[1].ty, DebugType::Int { signed: false, bytes: 4 });
}

#[test]
fn the_stack_pointer_is_found_by_name_and_without() {
    let named = Module::parse(wat(
        "(module (global $a (mut i32) (i32.const 9)) (global $__stack_pointer (mut i32) (i32.const 65536)))",
    ));
    assert_eq!(named.expect("valid").stack_pointer(), Some(1));
    let stripped = |code: &str| {
        let module = format!(
            "(module (memory 1) (global i32 (i32.const 9)) (global (mut i32) (i32.const 65536)) {code})"
        );
        Module::parse(wat(&module)).expect("valid").stack_pointer()
    };
    assert_eq!(stripped("(func (global.set 1 (i32.sub (global.get 1) (i32.const 16))))"), Some(1));
    assert_eq!(
        stripped("(func $s (global.set 1 (i32.const 32))) (start $s)"),
        None,
        "a number of the module"
    );
    for (memory, first) in [("(memory 1)", 3), ("(memory 1)", 65552), ("", 1024)] {
        let module = format!("(module {memory} (global (mut i32) (i32.const {first})))");
        assert_eq!(Module::parse(wat(&module)).expect("valid").stack_pointer(), None, "{module}");
    }
    assert_eq!(Module::parse(wat("(module)")).expect("valid").stack_pointer(), None);
}

#[test]
fn data_and_indirect_targets_are_known() {
    let module = Module::parse(wat(
        r#"(module (memory 1) (table 2 funcref) (elem (i32.const 0) $f) (func $f) (func $g)
           (data (i32.const 1024) "abcd"))"#,
    ))
    .expect("valid");
    assert_eq!(module.data().0[0].addresses, 1024..1028);
    assert!(!module.data().1);
    assert_eq!(module.indirect_targets(), [0]);
}

#[test]
fn bad_bytes_say_what_is_wrong_and_what_to_do() {
    let message = |bytes: &[u8]| Module::parse(bytes.to_vec()).expect_err("refused").to_string();
    assert!(message(b"#!/bin/sh\n").starts_with("not WebAssembly: the file starts with `#!/b`"));
    assert!(message(b"").contains("nothing (it is empty)"));
    assert!(message(b"\x7fELF").contains("7f 45 4c 46"));
    let whole = area().bytes().to_vec();
    assert!(message(&whole[..3]).starts_with("truncated WebAssembly: the file ends at byte 3"));
    assert!(message(&whole[..whole.len() / 2]).starts_with("truncated WebAssembly"));
    assert_eq!(Module::parse(b"\0asm\x0d\0\x01\0".to_vec()).expect_err("refused"), ModuleError::Component);
    // A function that leaves nothing where it promised an i32.
    let invalid = wat("(module (func (result i32) unreachable))");
    let mut invalid = invalid;
    let at = invalid.iter().rposition(|b| *b == 0).expect("unreachable is byte 0");
    invalid[at] = 0x01;
    assert!(message(&invalid).starts_with("invalid WebAssembly at byte"), "{}", message(&invalid));
}

#[test]
fn loops_that_no_compiler_can_take_are_refused() {
    let nested = |depth: usize, inside: &str| {
        let (open, close) = ("loop ".repeat(depth), "end ".repeat(depth));
        Module::parse(wat(&format!("(module (func) (func {open} {inside} {close}))")))
    };
    assert!(nested(10_000, "block end").is_ok());
    let refused = nested(10_001, "").expect_err("refused");
    assert!(matches!(refused, ModuleError::Loops { function: 1, most: 10_000, .. }), "{refused:?}");
    // Beside each other they are no deeper.
    let beside = "loop end ".repeat(20_000);
    assert!(Module::parse(wat(&format!("(module (func {beside}))"))).is_ok());
}

#[test]
fn every_prefix_of_a_module_is_an_error_or_a_module_but_never_a_panic() {
    let whole = area().bytes().to_vec();
    for length in 0..whole.len() {
        let _ = Module::parse(whole[..length].to_vec());
    }
}

#[test]
fn damaged_debug_sections_cost_locations_only() {
    let whole = area().bytes().to_vec();
    let start = area().custom_section(".debug_info").expect("compiled with -g").as_ptr() as usize;
    assert!(start > 0);
    let info = whole.windows(11).position(|w| w == b".debug_info").expect("section name") + 11;
    for at in (info..info + 120).step_by(3) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x5a;
        if let Ok(module) = Module::parse(damaged) {
            let _ = module.debug_info();
        }
    }
}
