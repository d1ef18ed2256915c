//! Crates with the files that cargo reads for them.

use super::{Files, manifest};
use dodona_subject::Manifest;
use dodona_subject::build::{Rebuild, load};

const CRATE: &str = "[package]\nname = \"NAME\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

fn files(code: &str, more: &[(&str, &str)]) -> Files {
    let main = CRATE.replace("NAME", "subject")
        + "[lib]\ncrate-type = [\"cdylib\"]\n[dependencies]\nk = { path = \"../k\" }\n[workspace]\n";
    let files = Files::new(&[
        ("subject/dodona.toml", &manifest("rust = \".\"")),
        ("subject/Cargo.toml", &main),
        ("subject/src/lib.rs", code),
        ("k/Cargo.toml", &CRATE.replace("NAME", "k")),
        ("k/src/lib.rs", "pub const K: i32 = 1;"),
    ]);
    more.iter().for_each(|(path, text)| files.write(path, text));
    files
}

fn exported(value: &str) -> String {
    format!("#[no_mangle] pub extern \"C\" fn f() -> i32 {{ {value} }}\n")
}

#[test]
fn crates_in_folders_and_included_files_count() {
    let code = exported("k::K + include_bytes!(\"../../data/length.bin\").len() as i32");
    let files = files(&code, &[("data/length.bin", "0123456789")]);
    assert_eq!(files.number(), 11);
    files.write("k/src/lib.rs", "pub const K: i32 = 2;");
    assert_eq!(files.number(), 12);
    files.write("data/length.bin", "01234567890123456789");
    assert_eq!(files.number(), 22);
    std::fs::remove_dir_all(files.path("subject/.dodona")).expect("removed");
    files.replace_unseen("k/src/lib.rs", "pub const K: i32 = 3;");
    assert_eq!(files.number(), 23, "size and time are the same, and only cargo's own folder is left");
}

#[test]
fn what_build_scripts_read_and_write_counts() {
    let script = "fn main() {\n    println!(\"cargo::rerun-if-changed=../data/k.txt\");\n    let k = std::fs::read_to_string(\"../data/k.txt\").unwrap();\n    \
                  let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(format!(\"{out}/k.rs\"), format!(\"const L: i32 = {k};\")).unwrap();\n}\n";
    let code = "include!(concat!(env!(\"OUT_DIR\"), \"/k.rs\"));\n".to_owned() + &exported("L");
    let files = files(&code, &[("subject/build.rs", script), ("data/k.txt", "1")]);
    assert_eq!(files.number(), 1);
    files.write("data/k.txt", "2");
    assert_eq!(files.number(), 2);
    files.write("subject/build.rs", &script.replace("{k};", "10 * {k};"));
    assert_eq!(files.number(), 20);
}

#[test]
fn settings_of_cargo_count() {
    let code = exported("if cfg!(feature = \"two\") { 2 } else if cfg!(debug_assertions) { 3 } else { 1 }");
    let files = files(&code, &[]);
    assert_eq!(files.number(), 1);
    files.write("subject/.cargo/config.toml", "[profile.release]\ndebug-assertions = true\n");
    assert_eq!(files.number(), 3);
    let features =
        std::fs::read_to_string(files.path("subject/Cargo.toml")).expect("read") + "[features]\ntwo = []\n";
    files.write("subject/Cargo.toml", &features);
    files.write("subject/dodona.toml", &manifest("rust = \".\"\nflags = [\"--features\", \"two\"]"));
    assert_eq!(files.number(), 2);
}

#[test]
fn exports_of_glue_have_names_of_their_own() {
    let text = "[build]\ncrate = \"num-integer\"\nversion = \"0.1\"\n[[function]]\nsignature = \"cbrt(x: u32) -> u32\"\n";
    let files = Files::new(&[("subject/dodona.toml", text)]);
    let manifest = Manifest::read(&files.subject).expect("a manifest");
    let module = load(&manifest, Rebuild::WhenStale).unwrap_or_else(|error| panic!("{error}"));
    let [cbrt] = manifest.functions.as_slice() else { panic!("one function") };
    assert!(module.export_function(&cbrt.export).is_some() && module.export_function("cbrt").is_none());
    assert_eq!((cbrt.name.as_str(), cbrt.symbol()), ("cbrt", "cbrt"));
}
