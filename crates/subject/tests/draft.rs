//! First manifests: they are valid as written, with and without debug information.

use std::path::Path;

use dodona_subject::{Manifest, Module, ResultLowering, draft};
use proptest::prelude::*;

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
    assert_eq!(left_out, ["malloc"]);
    let manifest = Manifest::parse(Path::new("m.toml"), &draft.manifest).expect("valid as written");
    let pair = manifest.functions.iter().find(|function| function.name == "pair").expect("drafted");
    let outputs: Vec<_> = pair.outputs.iter().map(|o| (o.name.selector(), o.ty.to_string())).collect();
    assert_eq!(outputs, [(Some("r0"), "i32".to_owned()), (Some("r1"), "i32".to_owned())]);
    assert!(matches!(&pair.result, ResultLowering::MultiValue(parts) if *parts == pair.outputs));
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

#[test]
fn words_of_the_relation_language_get_other_names() {
    // int copy(int in, int out) and int mod(int a, int b), with debug information.
    let module = Module::parse(include_bytes!("../testdata/words.wasm").to_vec()).expect("valid");
    let draft = draft(&module, "words", "words.wasm");
    let text = &draft.manifest;
    assert!(text.contains("signature = \"copy(in_: i32, out_: i32) -> i32\"\n"), "{text}");
    assert!(text.contains("signature = \"mod_(a: i32, b: i32) -> i32\"\n"), "{text}");
    let manifest = Manifest::parse(Path::new("words.toml"), text).expect("valid as written");
    let exports: Vec<&str> = manifest.functions.iter().map(|f| f.export.as_str()).collect();
    assert_eq!(exports, ["copy", "mod"]);
}

/// Names that no manifest can have as they are, and usual ones.
fn names() -> impl Strategy<Value = String> {
    const WORDS: [&str; 16] = [
        "in",
        "out",
        "mod",
        "len",
        "a b",
        "a_b",
        "",
        "\n]\n[x]",
        "\"",
        "\\",
        "\0",
        "\u{202e}x",
        "_start",
        "9",
        "ä",
        "a::b",
    ];
    prop_oneof![proptest::sample::select(&WORDS[..]).prop_map(str::to_owned), any::<String>(), "[a-z_]{1,3}"]
}

proptest! {
    #[test]
    fn every_export_gets_a_manifest_that_is_read(
        mut names in proptest::collection::btree_set(names(), 0..8),
        file in names().prop_filter("files have names", |name| !name.is_empty()),
        parameters in 0..4_usize,
    ) {
        // A module whose exports are all left out has no manifest.
        names.insert("f".to_owned());
        let hex = |name: &str| name.bytes().map(|byte| format!("\\{byte:02x}")).collect::<String>();
        let parameters = " i64".repeat(parameters);
        let function = |name: &String| format!(r#"(func (export "{}") (param{parameters}))"#, hex(name));
        let text = format!("(module {})", names.iter().map(function).collect::<String>());
        let module = Module::parse(wat::parse_str(text).expect("valid text format")).expect("valid");
        let draft = draft(&module, &file, &format!("{file}.wasm"));
        let manifest = Manifest::parse(Path::new("m.toml"), &draft.manifest);
        let manifest = manifest.unwrap_or_else(|problems| panic!("{problems:#?}\n{}", draft.manifest));
        // What is not in the manifest is told.
        let mut exports: Vec<&str> = manifest.functions.iter().map(|f| f.export.as_str()).collect();
        exports.extend(draft.left_out.iter().map(|(export, _)| export.as_str()));
        exports.sort_unstable();
        prop_assert_eq!(exports, names.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(manifest.name, file);
    }
}

#[test]
fn a_pointer_never_becomes_a_number() {
    // int status(double x, result *r): a structure; double mean(const double *x, size_t n, double *var): one number behind a pointer.
    let module = Module::parse(include_bytes!("../testdata/pointers.wasm").to_vec()).expect("valid");
    let draft = draft(&module, "pointers", "pointers.wasm");
    assert!(!draft.manifest.contains("\nsignature"), "{}", draft.manifest);
    for line in [
        "# left out: status (`r` is a pointer in the source",
        "# left out: mean (`var` is a pointer in the source",
    ] {
        assert!(draft.manifest.contains(line), "{line}\n{}", draft.manifest);
    }
}

#[test]
fn a_parameter_that_code_uses_as_an_address_never_becomes_a_number() {
    let text = "(module (memory (export \"memory\") 1)
        (func (export \"first\") (param i32) (result i32) (i32.load8_s (local.get 0)))
        (func (export \"twice\") (param i32) (result i32) (i32.shl (local.get 0) (i32.const 1))))";
    let module = Module::parse(wat::parse_str(text).expect("valid")).expect("a module");
    let draft = draft(&module, "m", "m.wasm");
    assert!(
        draft.manifest.contains("# left out: first (its parameter `a` is used as an address in memory"),
        "{}",
        draft.manifest
    );
    assert!(draft.manifest.contains("signature = \"twice(a: i32) -> i32\""), "{}", draft.manifest);
    Manifest::parse(Path::new("m.toml"), &draft.manifest).expect("valid as written");
}
