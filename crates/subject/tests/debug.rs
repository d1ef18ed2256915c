//! Inlined copies, the variables in locals, and where source files lie, on real clang output.

use std::path::PathBuf;

use dodona_subject::{DebugInfo, LocalWrites, Location, Module, wasmparser::Operator};

fn inlined() -> (Module, DebugInfo) {
    let module =
        Module::parse(include_bytes!("../testdata/inlined.wasm").to_vec()).expect("clang's output is valid");
    let info = module.debug_info().expect("compiled with -g");
    (module, info)
}

/// Each instruction of an export with its offset.
fn code<'a>(module: &'a Module, name: &str) -> Vec<(Operator<'a>, usize)> {
    module.operators(module.export_function(name).expect("exported"))
}

#[test]
fn copies_of_an_inlined_function_are_told_apart() {
    let (module, info) = inlined();
    let comparisons = code(&module, "spread").into_iter().filter(|(op, _)| matches!(op, Operator::I32GtS));
    let instances: Vec<_> = comparisons.map(|(_, at)| info.inline_instance(at)).collect();
    assert_eq!(instances.len(), 4, "`clamp` is called twice in each of two calls of `both`");
    let mut ids: Vec<_> = instances.iter().map(|i| i.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4);
    for instance in &instances {
        let chain: Vec<_> = instance.calls.iter().map(|c| c.function.as_str()).collect();
        assert_eq!(chain, ["both", "clamp"]);
        assert_eq!(instance.function(), Some("clamp"));
        assert_eq!(instance.caller(0), 0);
        assert!(![0, instance.id].contains(&instance.caller(1)), "`clamp` is called by a copy of `both`");
    }
    let lines: Vec<_> =
        instances.iter().map(|i| i.calls[0].call.as_ref().expect("has a place").line).collect();
    assert_eq!(lines, [14, 14, 15, 15]);
}

#[test]
fn instructions_of_one_copy_share_its_id_and_the_functions_own_have_none() {
    let (module, info) = inlined();
    let of = |wanted: fn(&Operator<'_>) -> bool| -> Vec<_> {
        let found = code(&module, "spread").into_iter().filter(|(op, _)| wanted(op));
        found.map(|(_, at)| info.inline_instance(at).id).collect()
    };
    let muls = of(|op| matches!(op, Operator::I32Mul));
    let compares = of(|op| matches!(op, Operator::I32GtS));
    assert_eq!(muls[..2], compares[..2], "`value * 3` and `value > most` of the same call");
    let division = code(&module, "spread").into_iter().find(|(op, _)| matches!(op, Operator::I32DivS));
    let own = info.inline_instance(division.expect("divides").1);
    assert_eq!((own.id, own.function()), (0, None));
    // `both`'s own code stands between the function's and that of `clamp`.
    let xor = code(&module, "spread").into_iter().find(|(op, _)| matches!(op, Operator::I32Xor));
    assert_eq!(info.inline_instance(xor.expect("combines").1).function(), Some("both"));
}

/// The names of the local that each `local.get` of an export reads.
fn names(module: &Module, info: &DebugInfo, export: &str) -> Vec<Option<String>> {
    let writes = LocalWrites::of(module, module.export_function(export).expect("exported"));
    let name = |(op, at): (Operator<'_>, usize)| match op {
        Operator::LocalGet { local_index } => {
            Some(info.local_name(module, &writes, local_index, at).map(str::to_owned))
        }
        _ => None,
    };
    code(module, export).into_iter().filter_map(name).collect()
}

#[test]
fn a_local_has_the_name_of_the_variable_it_holds_there() {
    let (module, info) = inlined();
    let count = names(&module, &info, "count");
    let named: Vec<_> = count.iter().flatten().collect();
    assert!(named.iter().any(|n| *n == "found"), "{count:?}");
    assert!(named.iter().any(|n| *n == "x"), "{count:?}");
    // Local 0 is `xs` at first and `half` at the end.
    assert_eq!(count.last(), Some(&Some("half".into())), "{count:?}");
    // In the loop clang moves its copies of `xs` and `n`: they are no longer what the source calls so.
    assert!(!named.iter().any(|n| *n == "xs"), "{count:?}");
    assert_eq!(count[0].as_deref(), Some("n"));
    // Variables of inlined copies have names of their own.
    assert!(names(&module, &info, "spread").iter().flatten().any(|n| n == "value"));
}

#[test]
fn source_files_are_looked_for_where_they_were_compiled() {
    let (module, info) = inlined();
    let place = info.location_at(code(&module, "count")[3].1).expect("has a line").clone();
    let paths = info.source_paths(&place);
    assert_eq!(paths, [PathBuf::from("/src/testdata/inlined.c"), PathBuf::from("inlined.c")]);
    let unknown = Location { file: "elsewhere.c".into(), line: 1, column: 1 };
    assert_eq!(info.source_paths(&unknown), [PathBuf::from("elsewhere.c")]);
}
