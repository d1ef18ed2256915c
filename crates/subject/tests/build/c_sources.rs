//! C files with what they include and link.

use super::{Files, manifest};

const MANIFEST: &str = "c = [\"f.c\"]\nflags = [\"-I../first\", \"-I../second\"]";

fn files(source: &str, more: &[(&str, &str)]) -> Files {
    let files = Files::new(&[("subject/dodona.toml", &manifest(MANIFEST)), ("subject/f.c", source)]);
    std::fs::create_dir_all(files.path("first")).expect("made");
    more.iter().for_each(|(path, text)| files.write(path, text));
    files
}

#[test]
fn every_file_that_is_included_counts_wherever_it_is_and_whatever_it_is_called() {
    let includes = "#include \"k.h\"\n#include \"table/value.inc\"\nint f(void) { return K + VALUE; }\n";
    let files =
        files(includes, &[("second/k.h", "#define K 1"), ("subject/table/value.inc", "#define VALUE 10")]);
    assert_eq!(files.number(), 11);
    files.write("second/k.h", "#define K 2");
    assert_eq!(files.number(), 12);
    files.write("subject/table/value.inc", "#define VALUE 20");
    assert_eq!(files.number(), 22);
    files.replace_unseen("second/k.h", "#define K 3");
    assert_eq!(files.number(), 23, "size and time are the same");
}

#[test]
fn a_header_that_is_found_earlier_from_now_on_counts() {
    let files = files("#include <k.h>\nint f(void) { return K; }\n", &[("second/k.h", "#define K 1")]);
    assert_eq!(files.number(), 1);
    files.write("first/k.h", "#define K 2");
    assert_eq!(files.number(), 2);
    files.remove("first/k.h");
    assert_eq!(files.number(), 1);
    files.remove("second/k.h");
    assert!(files.built().expect_err("it is gone").to_string().contains("'k.h' file not found"));
    files.write("second/k.h", "#define K 3");
    assert_eq!(files.number(), 3);
}

#[test]
fn a_header_beside_the_source_and_one_in_a_folder_that_was_not_there_are_found_earlier() {
    let files =
        files("#include \"sys/k.h\"\nint f(void) { return K; }\n", &[("second/sys/k.h", "#define K 1")]);
    assert_eq!(files.number(), 1);
    files.write("first/sys/k.h", "#define K 2");
    assert_eq!(files.number(), 2);
    files.write("subject/sys/k.h", "#define K 3");
    assert_eq!(files.number(), 3);
}

#[test]
fn a_header_that_is_only_asked_for_counts() {
    let source = "#if __has_include(\"config.h\")\n#include \"config.h\"\n#else\n#define K 1\n#endif\nint f(void) { return K; }\n";
    let files = files(source, &[]);
    assert_eq!(files.number(), 1);
    files.write("second/config.h", "#define K 2");
    assert_eq!(files.number(), 2);
    files.remove("second/config.h");
    assert_eq!(files.number(), 1);
}

#[test]
fn files_of_flags_and_files_for_the_assembler_count() {
    let build = "c = [\"f.c\"]\nflags = [\"@args\", \"-include\", \"../second/k.h\"]";
    let files = files(
        "int f(void) { return K + L; }\n",
        &[("second/k.h", "#define K 1"), ("subject/args", "-DL=10")],
    );
    files.write("subject/dodona.toml", &manifest(build));
    assert_eq!(files.number(), 11);
    files.write("subject/args", "-DL=20");
    assert_eq!(files.number(), 21);
    files.write("second/k.h", "#define K 2");
    assert_eq!(files.number(), 22);
}

#[test]
fn sources_elsewhere_and_sources_among_the_flags_count() {
    let build = "c = [\"../second/f.c\"]\nflags = [\"../first/g.c\", \"-flto\"]";
    let files = files(
        "",
        &[
            ("second/f.c", "int g(void); int f(void) { return g(); }\n"),
            ("first/g.c", "int g(void) { return 1; }\n"),
        ],
    );
    files.write("subject/dodona.toml", &manifest(build));
    assert_eq!(files.number(), 1);
    files.write("first/g.c", "int g(void) { return 2; }\n");
    assert_eq!(files.number(), 2);
}

#[test]
fn flags_count_and_unused_ones_are_no_error() {
    let files = files("int f(void) { return K; }\n", &[]);
    let with = |flag: &str| {
        manifest(&format!("c = [\"f.c\"]\nflags = [\"-Wall\", \"-Werror\", \"-lm\", \"-I.\", \"{flag}\"]"))
    };
    files.write("subject/dodona.toml", &with("-DK=1"));
    assert_eq!(files.number(), 1);
    files.write("subject/dodona.toml", &with("-DK=2"));
    assert_eq!(files.number(), 2);
}

#[test]
fn a_refused_source_is_told_without_what_the_compiler_says_of_itself() {
    let files = files("int f(void) { return ; }\n", &[]);
    let error = files.built().expect_err("no value").to_string();
    let said = error.split_once("failed:\n").expect("what the compiler said").1;
    assert!(said.starts_with("f.c:1:"), "{error}");
    assert!(
        error.contains("clang --target=wasm32-wasi -O1 -g -c f.c -I../first -I../second failed:"),
        "{error}"
    );
    assert!(!said.contains("clang version") && !said.contains("-cc1"), "{error}");
    files.write("subject/dodona.toml", &manifest("c = [\"f.c\"]\nflags = [\"--no-such-flag\"]"));
    let error = files.built().expect_err("no such flag").to_string();
    assert!(error.split_once("failed:\n").expect("words").1.starts_with("clang: error: "), "{error}");
}

#[test]
fn a_flag_without_its_value_is_told_and_does_not_take_one_of_dodona() {
    let files = files("int f(void) { return 1; }\n", &[]);
    let with = |flags: &str| {
        files.write("subject/dodona.toml", &manifest(&format!("c = [\"f.c\"]\nflags = [{flags}]")))
    };
    with("\"-I.\", \"-x\"");
    let error = files.built().expect_err("no language").to_string();
    assert!(error.contains("`-x` is the last of `flags` of [build], and takes a word behind it"), "{error}");
    // A file may be called so, too.
    files.write("subject/-x", "");
    with("\"-I.\", \"-include\", \"-x\"");
    assert_eq!(files.number(), 1);
}

#[test]
fn a_source_that_never_ends_is_refused() {
    let files = files("", &[]);
    files.remove("subject/f.c");
    std::os::unix::fs::symlink("/dev/zero", files.path("subject/f.c")).expect("linked");
    let error = files.built().expect_err("a device").to_string();
    assert!(error.contains("f.c: it is a device, not a file"), "{error}");
}
