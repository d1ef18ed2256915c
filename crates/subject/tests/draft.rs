//! First manifests: they are valid as written, with and without debug information.

use std::path::Path;

use dodona_subject::{Manifest, Module, draft};

#[test]
fn a_c_module_gets_its_own_names_and_types() {
    let module = Module::parse(include_bytes!("../testdata/area.wasm").to_vec()).expect("valid");
    let draft = draft(&module, "area", "area.wasm");
    assert!(
        draft.manifest.contains("signature = \"area(width: i32, height: u32) -> i32\""),
        "{}",
        draft.manifest
    );
    assert!(draft.manifest.contains("signature = \"mean(xs: [f64]) -> f64\"\n"), "{}", draft.manifest);
    assert!(draft.manifest.contains("lower.xs = \"pointer-length\""));
    assert!(draft.relations.contains("# relation mean_reversed_xs: mean(reverse(xs)) == mean(xs)"));
    let manifest = Manifest::parse(Path::new("area.toml"), &draft.manifest).expect("valid as written");
    assert_eq!(manifest.functions.len(), 2);
}

#[test]
fn without_debug_information_the_wasm_types_stand_in() {
    let text = r#"(module (func (export "f-1") (param i32 f64) (result i64) i64.const 0)
        (func (export "pair") (result i32 i32) i32.const 0 i32.const 0)
        (func (export "malloc") (param i32) (result i32) i32.const 0)
        (func (export "_start")))"#;
    let module = Module::parse(wat::parse_str(text).expect("valid text format")).expect("valid");
    let draft = draft(&module, "m", "m.wasm");
    assert!(draft.manifest.contains("signature = \"f_1(a: i32, b: f64) -> i64\""), "{}", draft.manifest);
    assert!(draft.manifest.contains("export = \"f-1\""));
    assert!(draft.manifest.contains("signature = \"m(text: text) -> command\""));
    let left_out: Vec<_> = draft.left_out.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(left_out, ["pair", "malloc"]);
    Manifest::parse(Path::new("m.toml"), &draft.manifest).expect("valid as written");
}

#[test]
fn every_commented_line_is_valid_when_it_is_uncommented() {
    let module = Module::parse(include_bytes!("../testdata/area.wasm").to_vec()).expect("valid");
    let text = draft(&module, "area", "area.wasm").manifest;
    let uncomment = |line: &str| {
        let is_key = ["# domain.", "# sample.", "# specification"].iter().any(|k| line.starts_with(k));
        if is_key { line.trim_start_matches("# ").to_owned() } else { line.to_owned() }
    };
    let full: String = text.lines().map(|l| uncomment(l) + "\n").collect();
    assert_ne!(full, text);
    Manifest::parse(Path::new("area.toml"), &full).unwrap_or_else(|p| panic!("{p:#?}\n{full}"));
}

#[test]
fn a_tiny_function_does_not_lend_its_types_to_the_next() {
    let module = Module::parse(include_bytes!("../testdata/tiny.wasm").to_vec()).expect("valid");
    let draft = draft(&module, "tiny", "tiny.wasm");
    for signature in ["ff(x: f32) -> f32", "l(x: i64) -> i64", "un(x: u32) -> u32", "so(xs: [i32])"] {
        assert!(
            draft.manifest.contains(&format!("signature = \"{signature}\"")),
            "{signature}\n{}",
            draft.manifest
        );
    }
}

#[test]
fn names_are_quoted_as_toml_wants_them() {
    let module = Module::parse(include_bytes!("../testdata/area.wasm").to_vec()).expect("valid");
    let draft = draft(&module, "we ird\"é", "we ird\"é.wasm");
    let manifest = Manifest::parse(Path::new("x.toml"), &draft.manifest).unwrap_or_else(|p| panic!("{p:#?}"));
    assert_eq!(manifest.name, "we ird\"é");
}
