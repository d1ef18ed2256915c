//! Subjects opened for calls of some of their functions: only these are compiled.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dodona_subject::Manifest;
use dodona_target::{Caller as _, Column};
use dodona_wasm::{Workbench, open, open_for_functions, open_for_relations};

const COUNT: usize = 2000;

/// A subject of many functions, each of which adds its number, with a relation for each.
fn manifest(folder: &std::path::Path) -> Manifest {
    let each = |text: &dyn Fn(usize) -> String| (0..COUNT).map(text).collect::<String>();
    let code = |n| {
        format!("(func (export \"f{n}\") (param i32) (result i32) (i32.add (local.get 0) (i32.const {n})))")
    };
    let function = |n| format!("[[function]]\nsignature = \"f{n}(a: i32) -> i32\"\n");
    let texts = [
        ("m.wat", format!("(module {})", each(&code))),
        ("m.toml", format!("module = \"m.wat\"\nrelations = [\"m.mr\"]\n{}", each(&function))),
        ("m.mr", each(&|n| format!("relation r{n}: f{n}(a) == f{}(a) - 1\n", (n + 1) % COUNT))),
    ];
    texts.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).expect("written"));
    Manifest::find(&folder.join("m.toml")).unwrap_or_else(|error| panic!("{error}"))
}

/// The functions that can be called: the others are not compiled.
fn compiled(workbench: &Workbench) -> BTreeSet<usize> {
    let is_compiled = |function: &usize| {
        catch_unwind(AssertUnwindSafe(|| workbench.target.executable.instances(*function))).is_ok()
    };
    (0..workbench.functions().len()).filter(is_compiled).collect()
}

#[test]
fn only_functions_that_will_be_called_are_compiled() {
    std::panic::set_hook(Box::new(|_| {}));
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = manifest(folder.path());
    let named = open_for_functions(manifest.clone(), &["f7", "len", "f9"].into()).expect("opened");
    assert_eq!(compiled(&named), [7, 9].into());
    let calls = named.caller().call(9, &[Column::Int(vec![1])]).expect("called");
    assert_eq!(calls.outputs, [Column::Int(vec![10])]);
    let names = ["r3".to_owned(), "no such relation".to_owned()];
    let chosen = open_for_relations(manifest.clone(), &[], &names).expect("opened");
    assert_eq!(compiled(&chosen), [3, 4].into());
    assert!(chosen.select(&names).is_err() && chosen.select(&names[..1]).is_ok());
}

#[test]
fn without_names_all_relations_count() {
    std::panic::set_hook(Box::new(|_| {}));
    let folder = tempfile::tempdir().expect("a folder");
    let mut manifest = manifest(folder.path());
    std::fs::write(folder.path().join("m.mr"), "relation one: f1(f5(a)) == f6(a)").expect("written");
    manifest.functions.truncate(10);
    assert_eq!(compiled(&open_for_relations(manifest.clone(), &[], &[]).expect("opened")), [1, 5, 6].into());
    assert_eq!(compiled(&open(manifest).expect("opened")), (0..10).collect());
}
