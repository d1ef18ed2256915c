//! `cargo dodona` in small crates: what is found and kept, what later runs say, and crates of which nothing can be called.

#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{both, files, text};

/// A crate with a function that has relations, one that its name promises and that does not hold, and types of its own.
const CODE: &str = r#"
/// The larger one.
pub fn larger(a: i32, b: i32) -> i32 { if a > b { a } else { b } }

pub fn encode(bytes: &[u8]) -> String { bytes.iter().map(|b| format!("{b:02x}")).collect() }

/// Forgets what stands behind a zero.
pub fn decode(digits: &str) -> Result<Vec<u8>, String> {
    if !digits.is_ascii() || digits.len() % 2 != 0 { return Err("odd".to_owned()); }
    let byte = |i: usize| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).map_err(|e| e.to_string());
    let bytes: Result<Vec<u8>, String> = (0..digits.len() / 2).map(byte).collect();
    bytes.map(|bytes| bytes.into_iter().take_while(|b| *b != 7).collect())
}
"#;

/// A crate in a folder of its own.
struct Crate {
    _home: tempfile::TempDir,
    folder: PathBuf,
}

fn a_crate(code: &str, cargo_toml: &str) -> Crate {
    let home = tempfile::tempdir().expect("a folder");
    // Names are paths without links, as cargo tells them.
    let folder = home.path().canonicalize().expect("a path").join("small");
    std::fs::create_dir_all(folder.join("src")).expect("folders");
    let head = "[package]\nname = \"small\"\nversion = \"0.3.0\"\nedition = \"2021\"\n";
    std::fs::write(folder.join("Cargo.toml"), format!("{head}{cargo_toml}\n[workspace]\n")).expect("written");
    std::fs::write(folder.join("src/lib.rs"), code).expect("written");
    Crate { _home: home, folder }
}

impl Crate {
    /// Runs it as cargo does.
    fn run(&self, words: &str) -> Output {
        cargo_dodona(words).current_dir(&self.folder).output().expect("runs")
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }
}

fn cargo_dodona(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-dodona"));
    command.arg("dodona").args(words.split_whitespace());
    command
        .env_remove("DODONA_FAULT")
        .env_remove("RUST_BACKTRACE")
        .env_remove("CARGO")
        .env("DODONA_PROGRESS", "0");
    command
}

#[track_caller]
fn exits(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", both(output));
    both(output)
}

#[test]
fn relations_are_found_kept_and_checked_from_then_on() {
    let small = a_crate(CODE, "");
    let said = exits(&small.run("--functions larger --time 20s"), 0);
    assert!(said.starts_with("small 0.3.0: 1 function can be called"), "{said}");
    assert!(said.contains("larger(a, b) == max(a, b)"), "{said}");
    assert!(said.contains("wrote dodona/small.toml and dodona/small.mr"), "{said}");
    assert!(said.lines().count() <= 30, "{said}");
    let relations = small.read("dodona/small.mr");
    assert!(relations.contains("larger(a, b) == max(a, b)"), "{relations}");
    assert_eq!(small.read("dodona/.gitignore"), "/.dodona/\n");

    // What a person writes stays, and is checked.
    let own = format!("# Mine.\nrelation mine: larger(a, b) >= a # and b\n{relations}");
    small.write("dodona/small.mr", &own);
    let said = exits(&small.run(""), 0);
    assert!(said.contains("holds") && said.contains("mine"), "{said}");
    assert!(said.contains("2 functions are not in dodona/small.toml yet: decode, encode"), "{said}");
    assert_eq!(small.read("dodona/small.mr"), own);

    // What is violated ends with 1 and an input.
    small.write("src/lib.rs", &CODE.replace("if a > b { a }", "if a > 0 { a }"));
    let said = exits(&small.run(""), 1);
    assert!(said.contains("VIOLATED") && said.contains("replay: dodona replay dodona/"), "{said}");
    let said = exits(&small.run("--again --time 5s"), 1);
    assert!(said.contains("VIOLATED"), "{said}");
    assert_eq!(small.read("dodona/small.mr"), own);
}

#[test]
fn again_adds_what_is_new_and_nothing_that_was_declined() {
    let small = a_crate(CODE, "");
    exits(&small.run("--functions larger --time 10s"), 0);
    let first = small.read("dodona/small.mr");
    // Declined are all of them, and one of a function that is to come.
    let declined: String =
        first.lines().map(|line| line.replacen("relation ", "# relation ", 1) + "\n").collect();
    let declined = declined + "# relation no: lower(encode(bytes)) == encode(bytes)\n";
    small.write("dodona/small.mr", &declined);
    let said = exits(&small.run("--again --time 30s --functions encode,decode"), 0);
    let now = small.read("dodona/small.mr");
    assert!(now.starts_with(&declined), "{now}");
    let added = &now[declined.len()..];
    assert!(!added.contains("larger(b, a)") && !added.contains("lower(encode"), "{added}");
    assert!(added.contains("encode"), "{added}");
    assert!(small.read("dodona/small.toml").contains("decode(digits: &str)"), "{said}");
    // The name of `decode` promises what a byte of 7 violates.
    assert!(said.contains("decode(encode(bytes)) == bytes  violated by"), "{said}");
    assert!(said.contains("bytes = [7]"), "{said}");
    exits(&small.run(""), 0);
}

#[test]
fn what_cannot_be_called_is_told_with_what_to_do() {
    let types = a_crate("pub struct Open(pub u8);\npub fn each<F: Fn(u8) -> u8>(f: F) -> u8 { f(1) }\n", "");
    let said = exits(&types.run(""), 2);
    assert!(said.contains("no function of small can be called"), "{said}");
    assert!(said.contains("the type parameter `F` is no type of a signature"), "{said}");
    assert!(!types.folder.join("dodona").exists());

    let broken = a_crate("pub fn f(x: u8) -> u8 { y }\n", "");
    let said = exits(&broken.run(""), 4);
    assert!(said.contains("cannot find value `y`"), "{said}");
    assert!(!broken.folder.join("dodona").exists());

    let program = a_crate("", "");
    std::fs::remove_file(program.folder.join("src/lib.rs")).expect("removed");
    program.write("src/main.rs", "fn main() {}\n");
    assert!(exits(&program.run(""), 2).contains("it has no library"), "a program");

    let macros = a_crate("", "[lib]\nproc-macro = true\n");
    assert!(exits(&macros.run(""), 2).contains("procedural macros"), "macros");

    let nothing = tempfile::tempdir().expect("a folder");
    let output = cargo_dodona("").current_dir(nothing.path()).output().expect("runs");
    assert!(exits(&output, 2).contains("could not find `Cargo.toml`"), "no package");
}

#[test]
fn members_of_a_workspace_are_named() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().canonicalize().expect("a path");
    std::fs::write(
        folder.join("Cargo.toml"),
        "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n",
    )
    .expect("written");
    for name in ["one", "two"] {
        std::fs::create_dir_all(folder.join(name).join("src")).expect("a folder");
        let toml = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nmore = []\n"
        );
        std::fs::write(folder.join(name).join("Cargo.toml"), toml).expect("written");
        let code = format!(
            "pub fn {name}(x: u8) -> u8 {{ x / 2 }}\n#[cfg(feature = \"more\")]\npub fn more(x: u8) -> u8 {{ x }}\n"
        );
        std::fs::write(folder.join(name).join("src/lib.rs"), code).expect("written");
    }
    let run = |words: &str, at: &Path| cargo_dodona(words).current_dir(at).output().expect("runs");
    let said = exits(&run("", &folder), 2);
    assert!(
        said.contains("Its members are: one, two") && said.contains("cargo dodona --package one"),
        "{said}"
    );
    assert!(exits(&run("--package three", &folder), 2).contains("its members are: one, two"));
    let said = exits(&run("--list --package two --features more", &folder), 0);
    assert!(said.contains("two(x: u8) -> u8") && said.contains("more(x: u8) -> u8"), "{said}");
    let said = exits(&run("--list", &folder.join("one/src")), 0);
    assert!(said.starts_with("one 0.1.0: 1 function can be called, 0 cannot\n"), "{said}");
    let said = exits(&run("--list --manifest-path two/Cargo.toml", &folder), 0);
    assert!(said.starts_with("two "), "{said}");
    assert!(files(&folder).iter().all(|path| !path.starts_with("dodona")), "nothing is written");
}

#[test]
fn a_folder_of_a_person_is_left_alone() {
    let small = a_crate(CODE, "");
    small.write("dodona/oracle.rs", "// mine\n");
    let said = exits(&small.run(""), 2);
    assert!(said.contains("dodona is there, and nothing in it was made by this command"), "{said}");
    assert_eq!(text(&std::fs::read(small.folder.join("dodona/oracle.rs")).expect("there")), "// mine\n");
    let said = exits(&small.run("--folder kept/relations --functions larger --time 5s"), 0);
    assert!(said.contains("wrote kept/relations/small.toml"), "{said}");
}
