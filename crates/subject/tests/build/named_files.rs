//! Files that other files name: response files within response files, libraries in them, members of thin archives.

use std::path::Path;
use std::process::Command;

use super::{Files, manifest};

const CALLS_G: &str = "int g(void); int f(void) { return g(); }\n";

/// A subject of one file with these flags, whose link-time optimisation makes what it calls a constant of its own.
fn files(flags: &str, source: &str, more: &[(&str, &str)]) -> Files {
    let build = format!("c = [\"f.c\"]\nflags = [\"-flto\", {flags}]");
    let files = Files::new(&[("subject/dodona.toml", &manifest(&build)), ("subject/f.c", source)]);
    more.iter().for_each(|(path, text)| files.write(path, text));
    files
}

fn run(program: &str, arguments: &[&str], folder: &Path) {
    let done = Command::new(program).args(arguments).current_dir(folder).output().expect("runs");
    assert!(done.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Compiles a function `g` that returns this number to `g.o` in a folder.
fn write_object(files: &Files, folder: &str, number: i32) {
    files.write(&format!("{folder}/g.c"), &format!("int g(void) {{ return {number}; }}\n"));
    run("clang", &["--target=wasm32-wasi", "-O1", "-flto", "-c", "g.c"], &files.path(folder));
}

/// A library of that function.
fn write_library(files: &Files, folder: &str, name: &str, number: i32) {
    write_object(files, folder, number);
    // The program that makes archives only adds to one that is there.
    let _ = std::fs::remove_file(files.path(folder).join(name));
    run("llvm-ar", &["rcs", name, "g.o"], &files.path(folder));
}

#[test]
fn response_files_within_response_files_count() {
    let texts = [
        ("o.rsp", "\"@../with space.rsp\""),
        ("with space.rsp", "@deep/p.rsp"),
        ("subject/deep/p.rsp", "-DK=1"),
    ];
    let files = files("\"@../o.rsp\"", "int f(void) { return K; }\n", &texts);
    assert_eq!(files.number(), 1);
    files.write("subject/deep/p.rsp", "-DK=2");
    assert_eq!(files.number(), 2);
    files.write("with space.rsp", "-DK=3");
    assert_eq!(files.number(), 3);
}

#[test]
fn response_files_of_settings_count_beside_these() {
    let texts = [("o.cfg", "@p.rsp"), ("p.rsp", "-DK=1"), ("subject/p.rsp", "-DK=10")];
    let files = files("\"--config\", \"../o.cfg\"", "int f(void) { return K; }\n", &texts);
    assert_eq!(files.number(), 1);
    files.write("p.rsp", "-DK=2 -include ../k.h");
    files.write("k.h", "");
    assert_eq!(files.number(), 2);
}

#[test]
fn response_files_of_the_linker_count_and_so_do_libraries_in_them() {
    let texts = [("l.rsp", "@../m.rsp"), ("m.rsp", "../first/lib1.a")];
    let files = files("\"-Wl,@../l.rsp\"", CALLS_G, &texts);
    write_library(&files, "first", "lib1.a", 1);
    write_library(&files, "second", "lib2.a", 20);
    assert_eq!(files.number(), 1);
    write_library(&files, "first", "lib1.a", 2);
    assert_eq!(files.number(), 2, "the library is another one");
    files.write("m.rsp", "../second/lib2.a");
    assert_eq!(files.number(), 20, "the list of libraries is another one");
}

#[test]
fn libraries_that_response_files_let_look_for_count() {
    let files = files("\"-Wl,@../l.rsp\"", CALLS_G, &[("l.rsp", "-L../first -L ../second -l g")]);
    write_library(&files, "second", "libg.a", 1);
    std::fs::create_dir_all(files.path("first")).expect("made");
    assert_eq!(files.number(), 1);
    write_library(&files, "second", "libg.a", 2);
    assert_eq!(files.number(), 2);
    write_library(&files, "first", "libg.a", 3);
    assert_eq!(files.number(), 3, "it is found earlier");
}

#[test]
fn members_of_thin_archives_count() {
    let files = files("\"../thin/libg.a\"", CALLS_G, &[]);
    write_object(&files, "objects of g", 1);
    std::fs::create_dir_all(files.path("thin")).expect("made");
    run("llvm-ar", &["rcs", "--thin", "libg.a", "../objects of g/g.o"], &files.path("thin"));
    assert_eq!(files.number(), 1);
    write_object(&files, "objects of g", 2);
    assert_eq!(files.number(), 2);
}
