//! Keys without effect are refused where they stand.

use std::path::Path;

use dodona_subject::Manifest;

use crate::problem;

#[test]
fn what_would_be_ignored_is_refused() {
    for (text, message, at, hint) in [
        (
            "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8) -> i8'\ncapacity = 4",
            "`capacity` has no effect on this result",
            "4",
            "remove it: it is the size of an out-buffer, and i8 is returned by \"value\"",
        ),
        (
            "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8)'\ncapacity = 4",
            "`capacity` has no effect on this result",
            "4",
            "remove it: it is the size of an out-buffer, and nothing is returned",
        ),
        (
            "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8) -> [i8]'\ncapacity = 4",
            "`capacity` has no effect on this result",
            "4",
            "it is the size of an out-buffer: write result = \"out-buffer\" beside it, or remove it",
        ),
        (
            "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8)'\npath = 'a::f'",
            "`path` has no effect here: no `crate` is built",
            "'a::f'",
            "write `export = \"…\"` where the module has another name for the function",
        ),
        (
            "[build]\nc = ['a.c']\nversion = '1'\n[[function]]\nsignature = 'f(x: i8)'",
            "`version` has no effect here: no `crate` is built",
            "'1'",
            "remove it, or write crate = \"NAME\" in place of `c` or `rust`",
        ),
        (
            "[build]\ncrate = 'libm'\nflags = ['-O']\n[[function]]\nsignature = 'sin(x: f64) -> f64'",
            "`flags` have no effect on a `crate`",
            "['-O']",
            "remove them; a crate of your own that calls it, built with `rust`, can have flags",
        ),
    ] {
        let (found, place, help) = problem(text);
        assert_eq!((found.as_str(), place.as_str(), help.as_str()), (message, at, hint), "{text}");
    }
}

#[test]
fn a_path_that_is_none_is_refused_where_it_stands() {
    let entry = "[build]\ncrate = 'libm'\n[[function]]\nsignature = 'sin(x: f64) -> f64'\npath = 'libm sin'";
    let (message, at, hint) = problem(entry);
    assert_eq!(
        (message.as_str(), at.as_str()),
        ("`libm sin` is not the path of a Rust function", "'libm sin'")
    );
    assert_eq!(hint, "write path = \"libm::sin\", with the modules between");
    // `core` is a module of the crate here, but a crate of Rust to the compiler.
    let entry = "[build]\ncrate = 'text-wrap'\n[[function]]\nsignature = 'width(s: text) -> usize'\npath = 'core::width'";
    let (message, _, hint) = problem(entry);
    assert_eq!(message, "`core::width` does not begin with the crate");
    assert_eq!(hint, "write path = \"text_wrap::width\", with the modules between");
}

#[test]
fn a_crate_with_its_version_in_the_name_is_told_where_the_version_goes() {
    let entry = "[build]\ncrate = 'hex@0.4'\n[[function]]\nsignature = 'encode(data: [u8]) -> text'";
    let (message, at, hint) = problem(entry);
    assert_eq!((message.as_str(), at.as_str()), ("`hex@0.4` is not the name of a crate", "'hex@0.4'"));
    assert_eq!(hint, "write crate = \"NAME\", and version = \"1.2\" below it");
}

#[test]
fn a_capacity_beside_a_misspelt_lowering_is_no_problem_of_its_own() {
    let entry =
        "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8) -> [i8]'\nresult = 'outbuffer'\ncapacity = 4";
    let problems = Manifest::parse(Path::new("/s/dodona.toml"), entry).expect_err("refused");
    let messages: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(messages, ["`outbuffer` is not a lowering of results"]);
}
