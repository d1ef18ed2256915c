//! Rust files against the crate of `subjects/genmorph`, with and without its faults.

use std::process::Command;

use dodona_relations::emit::Language;

use crate::common::{folder, manifest, relations, run, said, subject, written};

/// The functions as the tests call them, those of all modules in one.
const ADAPTERS: &str =
    "#[allow(unused_imports)]\nmod adapters {\n    pub use genmorph::{guava::*, lang::*, math::*};\n}\n\n";

const CARGO: &str = "[package]\nname = \"emitted\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[features]\nfaulty = [\"genmorph/faulty\"]\n\n\
[dev-dependencies]\ngenmorph = { path = \"GENMORPH\" }\nproptest = \"1.12\"\n\n\
# As the module for WebAssembly: arithmetic wraps.\n[profile.test]\noverflow-checks = false\n\n[workspace]\n";

/// Tests a file of tests, with features.
fn cargo_test(features: &[&str]) -> std::process::Output {
    let folder = folder("rust");
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/lib.rs"), "").unwrap();
    let place = subject("genmorph").display().to_string();
    std::fs::write(folder.join("Cargo.toml"), CARGO.replace("GENMORPH", &place)).unwrap();
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&folder).args(["test", "--test", "relations", "--quiet"]).args(features);
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
    run(&mut cargo)
}

#[test]
fn rust_tests_pass_on_a_crate_and_fail_on_its_faults() {
    let manifest = manifest("genmorph");
    let relations = relations(&manifest, &[]);
    let text = written(Language::Rust, &relations, &manifest.functions, "crate::adapters");
    let file = folder("rust").join("tests/relations.rs");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    // An adapter module stands behind the file's own attributes.
    let place = text.find("use mr::").unwrap();
    std::fs::write(&file, format!("{}{ADAPTERS}{}", &text[..place], &text[place..])).unwrap();
    let output = cargo_test(&[]);
    assert!(output.status.success(), "{}", said(&output));
    let output = cargo_test(&["--features", "faulty"]);
    let said = said(&output);
    assert!(!output.status.success() && said.contains("test result: FAILED"), "{said}");
}
