//! Which functions are mutated.

use std::path::Path;

use dodona_mutants::{Callees, Describer, Mutants, Scope};
use dodona_subject::build::{Rebuild, load};
use dodona_subject::{Manifest, Module};

fn genmorph(function: &str) -> (Manifest, Module) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/genmorph");
    let mut manifest = Manifest::find(&folder).expect("a subject");
    let module = load(&manifest, Rebuild::WhenStale).expect("it builds");
    manifest.functions.retain(|f| f.name == function);
    (manifest, module)
}

fn scope(function: &str, callees: Callees) -> (Vec<u32>, Module) {
    let (manifest, module) = genmorph(function);
    (Scope::of(&module, &manifest.functions, &callees, &manifest).functions, module)
}

#[test]
fn callees_with_source_are_those_of_the_subject() {
    let (own, _) = scope("isPrime", Callees::Left);
    let (near, module) = scope("isPrime", Callees::WithSource);
    assert_eq!((own.len(), &near[..1]), (1, &own[..]));
    let names: Vec<String> = near[1..].iter().map(|f| module.function_name(*f)).collect();
    assert!(names.iter().any(|name| name.contains("is_prime")), "{names:?}");
    let (near, module) = scope("sort", Callees::WithSource);
    let names: Vec<String> = near.iter().map(|f| module.function_name(*f)).collect();
    assert!(names.iter().any(|name| name.contains("guava4sort")), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("dlmalloc")), "{names:?}");
}

#[test]
fn more_callees_come_behind_so_that_mutants_keep_their_numbers() {
    for function in ["sort", "abbreviate", "sin"] {
        let [(left, _), (near, _), (all, module)] =
            [Callees::Left, Callees::WithSource, Callees::Included].map(|callees| scope(function, callees));
        assert!(near.starts_with(&left) && all.starts_with(&near), "{function}");
        // The sine is libm's, and nothing of it is the subject's; the others call nothing else but the standard library, which is
        // mutated by name alone.
        assert_eq!(left.len() < near.len(), function != "sin", "{function}: {left:?} {near:?}");
        assert_eq!(near.len() < all.len(), function == "sin", "{function}: {near:?} {all:?}");
        let names: Vec<String> = all.iter().map(|f| module.function_name(*f)).collect();
        assert!(!names.iter().any(|name| name.contains("alloc")), "{names:?}");
    }
}

/// A folder with a subject of two C files, and a library beside it that was compiled in a folder of its own and has a file of the
/// same relative path as one of the subject's.
fn two_folders(own_part: bool) -> (tempfile::TempDir, Manifest, Module) {
    let root = tempfile::tempdir().expect("a folder");
    let files = [
        ("subject/main.c", "int other(int); int part(int); int f(int x) { return other(x) + PART; }"),
        (
            "subject/src/part.c",
            "int part(int x) {\n\n\nint y = x;\nwhile (y > 9) y -= x % 7 + 1;\nreturn y; }",
        ),
        ("library/src/part.c", "int other(int x) { int y = x; while (y > 5) y -= x % 3 + 1; return y; }"),
        ("subject/dodona.toml", "module = \"f.wasm\"\n[[function]]\nsignature = \"f(x: i32) -> i32\""),
    ];
    for (name, text) in files {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    let clang = |folder: &str, arguments: &[&str]| {
        let mut command = std::process::Command::new(std::env::var("CLANG").unwrap_or("clang".into()));
        let status =
            command.current_dir(root.path().join(folder)).arg("--target=wasm32").args(arguments).status();
        assert!(status.expect("clang is installed").success(), "{arguments:?}");
    };
    let part = if own_part { "-DPART=part(x)" } else { "-DPART=0" };
    clang("subject", &["-O1", "-g", "-c", part, "main.c", "-o", "main.o"]);
    clang("subject", &["-O1", "-g", "-c", "src/part.c", "-o", "part.o"]);
    clang("library", &["-O1", "-g", "-c", "src/part.c", "-o", "part.o"]);
    let mut link = vec!["-nostdlib", "-Wl,--no-entry", "-Wl,--export=f", "main.o", "../library/part.o"];
    link.extend(own_part.then_some("part.o"));
    link.extend(["-o", "f.wasm"]);
    clang("subject", &link);
    let manifest = Manifest::find(&root.path().join("subject")).expect("a subject");
    let module = load(&manifest, Rebuild::WhenStale).expect("it is there");
    (root, manifest, module)
}

#[test]
fn a_file_of_a_library_is_none_of_the_subject_that_has_the_same_relative_path() {
    for own_part in [false, true] {
        let (root, manifest, module) = two_folders(own_part);
        // Compiled elsewhere: the library's own folder is not here, as that of a distribution's C library.
        std::fs::remove_dir_all(root.path().join("library")).expect("removed");
        let scope = Scope::of(&module, &manifest.functions, &Callees::WithSource, &manifest);
        let names: Vec<String> = scope.functions.iter().map(|f| module.function_name(*f)).collect();
        let wanted: &[&str] = if own_part { &["f", "part"] } else { &["f"] };
        assert_eq!(names, wanted);
    }
}

#[test]
fn files_of_one_relative_path_have_names_and_texts_of_their_own() {
    let (_root, manifest, module) = two_folders(true);
    let debug = module.debug_info().expect("compiled with -g");
    let scope = Scope::of(&module, &manifest.functions, &Callees::Included, &manifest);
    let all =
        Mutants::generate(&module, &scope, usize::MAX, &mut Describer::new(Some(&debug), manifest.folder()));
    let line = |function: &str| {
        let mut changes = all.mutants.iter().map(|mutant| &mutant.changes[0]);
        let of = changes.find(|change| module.function_name(all.function(change).function) == function);
        let description = &of.expect("it has mutants").description;
        let file = description.place.as_ref().expect("a place").file.clone();
        (file, description.source_line.clone().expect("its text is there"))
    };
    let (file, text) = line("part");
    assert_eq!(file, "subject/src/part.c");
    assert!(text.starts_with("while (y > 9)"), "{text}");
    let (file, text) = line("other");
    assert_eq!(file, "library/src/part.c");
    assert!(text.starts_with("int other(int x)"), "{text}");
}
