//! Which functions are mutated.

use std::path::Path;

use dodona_mutants::{Callees, Scope};
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
    (Scope::of(&module, &manifest.functions, callees, manifest.folder()).functions, module)
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
        let [(left, _), (near, _), (all, _)] =
            [Callees::Left, Callees::WithSource, Callees::Included].map(|callees| scope(function, callees));
        assert!(near.starts_with(&left) && all.starts_with(&near), "{function}");
        assert!(left.len() < near.len() && near.len() < all.len(), "{function}: {left:?} {near:?}");
    }
}
