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

/// The rows of the page: a room, and the rooms that it uses.
fn rows(text: &str) -> Vec<(&str, Vec<&str>)> {
    text.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| `crates/")?.split(" | ").collect();
            let [name, _, uses, ..] = cells[..] else { panic!("four columns: {line}") };
            Some((name.trim_end_matches('`'), uses.split_whitespace().collect()))
        })
        .collect()
}

/// `Cargo.toml` is where it could be broken.
#[test]
fn rooms_use_the_rooms_above_them_that_the_page_names() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is there");
    let rows = rows(&text);
    for (place, (room, uses)) in rows.iter().enumerate() {
        // `cli` and `dodona` are what people use, and `selfcheck` tests the others against each other.
        if uses == &["all"] {
            assert!(["cli", "dodona", "selfcheck"].contains(room), "{room} uses all");
            continue;
        }
        let above: Vec<&str> = rows[..place].iter().map(|(room, _)| *room).collect();
        assert!(
            uses.iter().all(|other| above.contains(other)),
            "{room} uses {uses:?}, not all of which are above it"
        );
        // Besides what is under test.
        let others = uses.iter().filter(|other| !["target", "subject", "wasm"].contains(other)).count();
        assert!(others <= 9, "{room} uses {others} rooms");
        let path = root().join("crates").join(room).join("Cargo.toml");
        let text = std::fs::read_to_string(path).expect("a manifest");
        // What tests alone use does not come with the room.
        let text = text.split("[dev-dependencies]").next().unwrap_or_default();
        let dependencies = text.lines().filter_map(|line| line.split(['.', ' ']).next());
        let mut used: Vec<&str> = dependencies.filter_map(|name| name.strip_prefix("dodona-")).collect();
        let mut named = uses.clone();
        used.sort_unstable();
        named.sort_unstable();
        assert_eq!(used, named, "what {room} uses, and what the page says");
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
