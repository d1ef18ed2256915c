//! `ARCHITECTURE.md` is kept true: every path that it names exists, and every crate is named. So are the tables of
//! mutation operators and of techniques in the book.

use std::path::Path;

use dodona_generation::Technique;
use dodona_mutation::OperatorSet;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folders under `crates/`.
fn rooms() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("crates")).expect("crates");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Words in backquotes that look like paths of the repository.
fn named_paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|w| w.contains('/') && !w.contains([' ', '*', '(']) && !w.starts_with("dodona-")).collect()
}

#[test]
fn every_path_that_the_page_names_exists() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is there");
    let paths = named_paths(&text);
    assert!(paths.len() > 10, "{paths:?}");
    let missing: Vec<_> = paths.iter().filter(|p| !root().join(p).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:?}");
}

#[test]
fn every_crate_has_its_row() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is there");
    for name in rooms() {
        assert!(text.contains(&format!("| `crates/{name}` |")), "no row for {name}");
    }
}

/// The rooms that a room may use. `Cargo.toml` is where it could be broken.
#[test]
fn rooms_use_only_the_rooms_above_them() {
    let allowed: &[(&str, &str)] = &[
        ("target", ""),
        ("smt", ""),
        ("laws", ""),
        ("subject", "target"),
        ("relations", "target"),
        ("sources", "target"),
        ("records", "target relations"),
        ("simplify", "target relations"),
        ("emit", "target subject relations"),
        ("inference", "target laws relations"),
        ("symbolic", "target smt subject relations"),
        ("workbench", "target relations sources records"),
        ("wasm", "target subject relations workbench"),
        ("mutants", "target subject records wasm"),
        ("report", "records"),
        ("native", "target records workbench report"),
        ("generation", "target smt subject relations sources records symbolic mutants workbench wasm"),
        ("mutation", "target subject relations records symbolic mutants workbench wasm generation"),
        (
            "discovery",
            "target relations sources records simplify inference workbench wasm generation mutation",
        ),
        ("frames", "target relations sources records workbench wasm generation"),
        ("lab", "target subject relations sources records workbench wasm generation mutation"),
    ];
    // `cli` and `dodona` are what people use, and `selfcheck` tests the others against each other.
    let over_all = ["cli", "dodona", "selfcheck"];
    for room in rooms().iter().filter(|room| !over_all.contains(&room.as_str())) {
        let is_listed = allowed.iter().any(|(listed, _)| listed == room);
        assert!(is_listed, "nothing says what {room} may use");
    }
    for (room, may_use) in allowed {
        let may_use: Vec<&str> = may_use.split_whitespace().collect();
        // Besides what is under test.
        let others = may_use.iter().filter(|other| !["target", "subject", "wasm"].contains(other)).count();
        assert!(others <= 9, "{room} uses {others} rooms");
        let path = root().join("crates").join(room).join("Cargo.toml");
        let text = std::fs::read_to_string(path).expect("a manifest");
        // What tests alone use does not come with the room.
        let text = text.split("[dev-dependencies]").next().unwrap_or_default();
        let dependencies = text.lines().filter_map(|line| line.split(['.', ' ']).next());
        let used = dependencies.filter_map(|name| name.strip_prefix("dodona-"));
        for other in used {
            assert!(may_use.contains(&other), "{room} uses {other}");
        }
    }
}

#[test]
fn every_mutation_operator_has_its_row_in_the_book() {
    let text = std::fs::read_to_string(root().join("book/mutation.md")).expect("the page is there");
    let codes: Vec<&str> = OperatorSet::all().iter().map(|operator| operator.code()).collect();
    // In the order in which they propose, which the page explains.
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let rows: Vec<&str> = rows.filter(|first| codes.contains(first)).collect();
    assert_eq!(rows, codes);
}

#[test]
fn every_technique_of_making_inputs_has_its_row_in_the_book() {
    let text = std::fs::read_to_string(root().join("book/sources.md")).expect("the page is there");
    for technique in Technique::ALL {
        assert!(text.contains(&format!("| `{}` |", technique.name())), "no row for {}", technique.name());
    }
}

#[test]
fn every_operator_set_has_its_members_in_the_book() {
    let text = std::fs::read_to_string(root().join("book/mutation.md")).expect("the page is there");
    for name in OperatorSet::names() {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("no row for {name}"));
        let set = OperatorSet::parse(&[name]).expect("its own name");
        let missing: Vec<&str> = set.iter().map(|o| o.code()).filter(|code| !row.contains(code)).collect();
        assert!(name == "all" || missing.is_empty(), "{name} has {missing:?}, which its row does not name");
    }
}
