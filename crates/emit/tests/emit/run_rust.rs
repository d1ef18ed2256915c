//! Rust files against the crate of `subjects/genmorph`, with and without its faults.

use std::path::Path;
use std::process::{Command, Output};

use dodona_emit::Language;
use dodona_relations::{Relation, check, parse};
use dodona_subject::Manifest;

use crate::common::{every, folder, manifest, relations, run, said, subject, written_to_run};

/// The functions as the tests call them, those of all modules in one.
const ADAPTERS: &str =
    "#[allow(unused_imports)]\nmod adapters {\n    pub use genmorph::{guava::*, lang::*, math::*};\n}\n\n";

/// Functions that return values of several parts.
const PARTS: &str = "mod adapters {
    pub fn half(n: u32) -> Option<u32> { if n % 2 == 0 { Some(n / 2) } else { None } }
    pub fn nested(n: i8) -> Result<Option<u8>, std::num::TryFromIntError> {
        u8::try_from(n).map(|n| if n % 2 == 0 { Some(n) } else { None })
    }
    pub fn pair(n: u32) -> (u32, Option<String>) { (n / 10, half(n).map(|n| n.to_string())) }
}

";

/// Their manifest, and relations of which two are violated.
fn parts() -> (Manifest, Vec<Relation>) {
    let text = "[build]\ncrate = \"parts\"\n\
                [[function]]\nsignature = \"half(n: u32) -> Option<u32>\"\ndomain.n = { range = [0, 1000] }\n\
                [[function]]\nsignature = \"nested(i: i8) -> Result<Option<u8>, TryFromIntError>\"\n\
                [[function]]\nsignature = \"pair(n: u32) -> (u32, Option<String>)\"\ndomain.n = { range = [0, 1000] }\n";
    let manifest = Manifest::parse(Path::new("dodona.toml"), text).unwrap();
    let file = parse(
        "relation even: half(n) is some iff n mod 2 == 0\n\
         relation never: half(n) is none\n\
         relation undefined: when n mod 2 == 1: half(n) == n\n\
         relation negative: when i < 0: nested(i) is err and len(nested(i).err) > 0\n\
         relation inside: when i >= 0 and i mod 2 == 0: nested(i) == i and nested(i) is ok\n\
         relation missing: when i >= 0 and i mod 2 == 1: nested(i) is ok and nested(i) is none\n\
         relation parts: pair(n).0 == pair(n - n mod 10).0 and (pair(n).1 is some iff half(n) is some)",
    );
    let relations = check(&file.unwrap(), &manifest.signatures()).unwrap();
    (manifest, relations)
}

/// The manifest of the package of tests. `scripts/setup.sh tests` compiles what it depends on.
const MANIFEST: &str = include_str!("rust.toml");

/// The manifest of the crate of functions, as a library of Rust alone. Its own package makes a module for WebAssembly beside it, in
/// a file of one name for both sets of features, so that a build with one of them would have the other compiled again.
fn genmorph() -> String {
    let folder = subject("genmorph");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let (types, place) = ("crate-type = [\"cdylib\", \"rlib\"]", folder.join("src/lib.rs"));
    assert!(manifest.contains(types), "{manifest}");
    manifest.replace(types, &format!("path = '{}'", place.display()))
}

/// The package with a file of tests.
fn package(file: &str, text: &str, adapters: &str) {
    let folder = folder("rust");
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    std::fs::create_dir_all(folder.join("src")).unwrap();
    write(&folder.join("src/lib.rs"), "");
    write(&folder.join("Cargo.toml"), MANIFEST);
    std::fs::create_dir_all(folder.join("genmorph")).unwrap();
    write(&folder.join("genmorph/Cargo.toml"), &genmorph());
    // An adapter module stands behind the file's own attributes.
    let place = text.find("use mr::").unwrap();
    let text = format!("{}{adapters}{}", &text[..place], &text[place..]);
    write(&folder.join("tests").join(format!("{file}.rs")), &text);
}

/// Writes a file unless it says this already, so that cargo compiles only what is new.
fn write(file: &Path, text: &str) {
    if std::fs::read_to_string(file).ok().as_deref() != Some(text) {
        std::fs::write(file, text).unwrap();
    }
}

fn cargo_test(file: &str, features: &[&str]) -> Output {
    let folder = folder("rust");
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&folder).args(["test", "--test", file, "--quiet"]).args(features);
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
    run(&mut cargo)
}

// One test, for all share a package.
#[test]
fn rust_tests_pass_on_a_crate_and_fail_on_its_faults() {
    let manifest = manifest("genmorph");
    let text =
        written_to_run(Language::Rust, &relations(&manifest, &[]), &manifest.functions, "crate::adapters");
    package("relations", &text, ADAPTERS);
    let output = cargo_test("relations", &[]);
    assert!(output.status.success(), "{}", said(&output));
    // A compiler takes long for the relations of all functions: those that have faults are enough here.
    let faulty = relations(&manifest, &["indexOf", "abbreviate", "sort"]);
    let text = written_to_run(Language::Rust, &faulty, &manifest.functions, "crate::adapters");
    package("faulty", &text, ADAPTERS);
    let output = cargo_test("faulty", &["--features", "faulty"]);
    let said_all = said(&output);
    assert!(!output.status.success() && said_all.contains("test result: FAILED"), "{said_all}");
    for relation in ["indexOf_mirrored", "abbreviate_start", "sort_inside"] {
        assert!(said_all.contains(&format!("    {relation}\n")), "{relation}: {said_all}");
    }
    let every = every("rust");
    let text = written_to_run(Language::Rust, &relations(&every, &[]), &every.functions, "crate::adapters");
    package("every", &text, include_str!("every/adapters.rs"));
    let output = cargo_test("every", &[]);
    assert!(output.status.success(), "{}", said(&output));
    let parts = parts();
    let text = written_to_run(Language::Rust, &parts.1, &parts.0.functions, "crate::adapters");
    package("parts", &text, PARTS);
    let output = cargo_test("parts", &[]);
    let said_all = said(&output);
    assert!(said_all.contains("test result: FAILED. 5 passed; 2 failed"), "{said_all}");
    assert!(said_all.contains("    never\n") && said_all.contains("    undefined\n"), "{said_all}");
    crate::verdicts::rust_tests_judge_as_the_language_says(|text| {
        package("verdicts", text, include_str!("every/adapters.rs"));
        said(&cargo_test("verdicts", &[]))
    });
}
