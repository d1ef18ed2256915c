//! What is said of calls that do not return: the place in the user's code, and what the program said.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_records::CheckRecord;
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_workbench::{CheckOptions, Regressions, check};

/// A folder that is the same in every run, because crates are built in a cache of their own for each folder.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("stopped").join(name)
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, text).expect("written");
    }
}

/// Checks that calls of functions of one parameter are like themselves, which skips those that do not return.
fn checked(folder: &Path, build: &str, functions: &[&str]) -> CheckRecord {
    let mut manifest = format!("name = 's'\nrelations = ['s.mr']\n{build}\n");
    let mut relations = String::new();
    for function in functions {
        manifest += &format!(
            "[[function]]\nsignature = '{function}({function}_n: i32) -> i32'\ndomain.{function}_n = {{ range = [-9, 9] }}\n"
        );
        relations +=
            &format!("relation of_{function}: {function}({function}_n) == {function}({function}_n)\n");
    }
    write(folder, &[("s.mr", &relations)]);
    let manifest = Manifest::parse(&folder.join("s.toml"), &manifest).unwrap_or_else(|e| panic!("{e:?}"));
    let workbench = Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e}")));
    let options = CheckOptions {
        seed: Seed(1),
        sources: 200,
        jobs: NonZeroUsize::MIN,
        regressions: Regressions::Ignore,
        files: vec![],
        made: vec![],
        relations: vec![],
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    };
    check(workbench.clone(), &options, &Interruption::default(), &mut |_| {})
        .unwrap_or_else(|e| panic!("{e}"))
}

/// What is said of the skipped calls of each function.
fn said(record: &CheckRecord) -> Vec<String> {
    record.relations.iter().map(|r| r.skipped.values().cloned().collect::<Vec<_>>().join(" | ")).collect()
}

const CARGO: &str = "[package]\nname = 'stopped'\nversion = '0.0.0'\nedition = '2021'\n[lib]\ncrate-type = ['cdylib']\n[workspace]\n";

const RUST: &str = "fn table(n: i32) -> i32 {
    vec![3, 1, 4][n as usize]
}
#[no_mangle]
pub extern \"C\" fn pick(n: i32) -> i32 {
    table(n)
}
#[no_mangle]
pub extern \"C\" fn share(n: i32) -> i32 {
    9 / n
}
";

#[test]
fn a_rust_panic_is_told_with_its_message() {
    let folder = folder("rust");
    write(&folder, &[("Cargo.toml", CARGO), ("src/lib.rs", RUST)]);
    let said = said(&checked(&folder, "[build]\nrust = '.'", &["pick", "share"]));
    assert!(said[0].starts_with("trapped: unreachable, such as panicked at src/lib.rs:2:"), "{said:?}");
    assert!(said[0].contains(": index out of bounds: the len is 3 but the index is "), "{said:?}");
    assert_eq!(
        said[1],
        "trapped: unreachable, such as panicked at src/lib.rs:10:5: attempt to divide by zero"
    );
}

#[test]
fn a_crate_that_is_optimised_together_with_the_standard_library_is_built_without_the_message() {
    let folder = folder("rust-lto");
    let cargo = format!("{CARGO}[profile.release]\nlto = true\n");
    write(&folder, &[("Cargo.toml", &cargo), ("src/lib.rs", RUST)]);
    let record = checked(&folder, "[build]\nrust = '.'", &["pick"]);
    assert!(record.relations[0].tally.held > 0, "{record:?}");
    assert!(said(&record)[0].starts_with("trapped: unreachable, such as at src/lib.rs:"), "{record:?}");
}

const C: &str = "#include <assert.h>
#include <stdlib.h>
int even(int n) {
  assert(n % 2 == 0);
  return n / 2;
}
int positive(int n) {
  if (n <= 0)
    abort();
  return n;
}
int leaves(int n) {
  if (n < 0) exit(3);
  return n;
}
int quotient(int n) {
  return 9 / n;
}
int forever(int n) {
  volatile int turns = n;
  while (turns < 0) turns = n;
  return n;
}
";

#[test]
fn c_is_told_by_what_it_wrote_and_by_the_place_in_its_own_code() {
    let folder = folder("c");
    write(&folder, &[("s.c", C)]);
    let functions = ["even", "positive", "leaves", "quotient", "forever"];
    let said = said(&checked(&folder, "[build]\nc = ['s.c']", &functions));
    assert!(said[0].starts_with("trapped: unreachable, such as at s.c:4:"), "{said:?}");
    assert!(said[0].ends_with(": Assertion failed: n % 2 == 0 (s.c: even: 4)"), "{said:?}");
    assert!(said[1].starts_with("trapped: unreachable, such as at s.c:9:"), "{said:?}");
    assert!(said[2].starts_with("trapped: exit with code 3, such as at s.c:13:"), "{said:?}");
    assert!(said[3].starts_with("trapped: division by zero, such as at s.c:17:"), "{said:?}");
    assert_eq!(said[4], "out of fuel: see [limits] fuel");
}
