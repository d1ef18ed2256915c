//! `[build] crate`: a Rust crate that is called as it is.

use std::ops::Range;
use std::path::Path;

use super::functions::Entry;
use super::section::{Item, Section};
use super::{CrateHome, CrateSource, RustCall, Written};
use dodona_target::{Diagnostic, user_file};

/// The keys that say more of a crate: beside `crate = "NAME"`, or in the table `crate = { … }`.
const KEYS: [&str; 6] = ["version", "features", "default-features", "package", "checks", "dependencies"];

/// Reports keys of a crate where none is built.
pub(super) fn refuse_keys(build: &Section<'_>) {
    for key in KEYS {
        if let Some(item) = build.get(key) {
            let problem =
                Diagnostic::new(item.span(), format!("`{key}` has no effect here: no `crate` is built"));
            item.problem(problem.hint("remove it, or write crate = \"NAME\" in place of `c` or `rust`"));
        }
    }
}

/// What `crate` says: the name of a crate of the registry, with more keys beside it, or a table as cargo has it for a dependency.
pub(super) fn source(
    build: &Section<'_>,
    item: Item<'_>,
    folder: &Path,
    entries: &[Entry<'_>],
) -> Option<CrateSource> {
    let table = item.is_table().then(|| item.section("crate = { … }")).flatten();
    let (keys, at) = match &table {
        Some(table) => (table, item.span()),
        None => (build, build.span()),
    };
    if table.is_some() {
        refuse_beside(build);
    }
    let name = match &table {
        Some(_) => keys.text("name"),
        None => Some((item.text()?, item.span())),
    };
    let package = keys.text("package");
    let version = keys.text("version");
    let features = keys.get("features").and_then(|item| item.texts()).unwrap_or_default();
    let default_features = keys.get("default-features").and_then(|item| item.boolean()).unwrap_or(true);
    let checks = keys.get("checks").and_then(|item| item.boolean()).unwrap_or(false);
    let dependencies = keys.get("dependencies").map(dependencies).unwrap_or_default();
    let path = if table.is_some() { keys.text("path") } else { None };
    let located = match path {
        Some((path, span)) => in_folder(keys, &folder.join(path), span, name.or(package), version),
        None => in_registry(keys, name.or(package), version, at),
    };
    if let Some(table) = table {
        table.finish();
    }
    let (home, package) = located?;
    let root = root(&package, entries);
    let calls = entries.iter().filter_map(|entry| call(entry, &root, build)).collect();
    let types = entries.iter().map(|entry| entry.types.clone()).collect();
    Some(CrateSource { package, root, home, features, default_features, checks, dependencies, calls, types })
}

/// Other crates that calls name, each with the requirement of its version.
fn dependencies(item: Item<'_>) -> Vec<(String, String)> {
    let Some(section) = item.section("dependencies = { … }") else { return Vec::new() };
    let one = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
        if !is_crate_name(name) {
            section.problems.add(Diagnostic::new(span, format!("`{name}` is not the name of a crate")));
        }
        Some((name.to_owned(), item.text()?))
    };
    section.named().filter_map(one).collect()
}

/// Where there is a table, what says more of the crate stands in it.
fn refuse_beside(build: &Section<'_>) {
    for key in KEYS {
        if let Some(item) = build.get(key) {
            let problem =
                Diagnostic::new(item.span(), format!("`{key}` stands beside the table of the crate"));
            item.problem(problem.hint(format!("write it in the table: crate = {{ …, {key} = … }}")));
        }
    }
}

type Words = (String, Range<usize>);

fn in_registry(
    keys: &Section<'_>,
    name: Option<Words>,
    version: Option<Words>,
    at: Range<usize>,
) -> Option<(CrateHome, String)> {
    let Some((name, span)) = name else {
        let problem = Diagnostic::new(at, "neither the name nor the path of a crate is given");
        keys.problems.add(problem.hint("write crate = \"NAME\", or crate = { path = \"FOLDER\" }"));
        return None;
    };
    if !is_crate_name(&name) {
        let problem = Diagnostic::new(span, format!("`{name}` is not the name of a crate"));
        let hint = match name.contains(['/', '\\']) || name.starts_with('.') {
            true => format!("write crate = {{ path = \"{name}\" }} for a crate in a folder"),
            false => "write crate = \"NAME\", and version = \"1.2\" below it".to_owned(),
        };
        keys.problems.add(problem.hint(hint));
        return None;
    }
    let version = version.map_or_else(|| "*".to_owned(), |(version, _)| version);
    Some((CrateHome::Registry(version), name))
}

/// A crate in a folder. Its package is the one that the folder's `Cargo.toml` declares, or the member of its workspace that is named.
fn in_folder(
    keys: &Section<'_>,
    folder: &Path,
    span: Range<usize>,
    named: Option<Words>,
    version: Option<Words>,
) -> Option<(CrateHome, String)> {
    if let Some((_, span)) = version {
        let problem = Diagnostic::new(span, "`version` has no effect on a crate in a folder");
        keys.problems.add(problem.hint("remove it: the folder has the version that it has"));
    }
    let refuse = |message: String, hint: &str| {
        keys.problems.add(Diagnostic::new(span.clone(), message).hint(hint));
        None
    };
    let file = folder.join("Cargo.toml");
    let text = match user_file::text(&file) {
        Ok(text) => text,
        Err(error) => {
            return refuse(
                format!("cannot read {}: {error}", file.display()),
                "`path` is the folder of a Cargo.toml, from the manifest's own folder",
            );
        }
    };
    let declared = match text.parse::<toml::Table>() {
        Ok(table) => table,
        Err(error) => {
            return refuse(
                format!("{} is no TOML: {}", file.display(), error.message()),
                "`cargo check` in that folder says more",
            );
        }
    };
    let own = declared.get("package").and_then(|package| package.get("name")?.as_str().map(str::to_owned));
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    match (named, own) {
        (None, Some(own)) => Some((CrateHome::Folder(folder), own)),
        (Some((named, span)), _) if !is_crate_name(&named) => {
            keys.problems.add(Diagnostic::new(span, format!("`{named}` is not the name of a crate")));
            None
        }
        (Some((named, _)), Some(own)) if named == own => Some((CrateHome::Folder(folder), own)),
        (Some((named, _)), _) if declared.contains_key("workspace") => {
            Some((CrateHome::Workspace(folder), named))
        }
        (Some((named, named_span)), Some(own)) => {
            let problem = Diagnostic::new(
                named_span,
                format!("the crate in {} is `{own}`, not `{named}`", folder.display()),
            );
            keys.problems.add(problem.hint("remove the name, or write the path of the other crate"));
            None
        }
        (_, None) => refuse(
            format!("{} declares a workspace, and no package", file.display()),
            "write package = \"NAME\" beside the path: which of its members is under test",
        ),
    }
}

/// How a function is called: by `call` or by `path`.
fn call(entry: &Entry<'_>, root: &str, build: &Section<'_>) -> Option<RustCall> {
    if let Some(Written::Named(_)) = entry.types.last() {
        let problem = Diagnostic::new(entry.span.clone(), "the parts of a value have no names in Rust");
        build
            .problems
            .add(problem.hint("write their types alone: f(x).0 is the first part, f(x).1 the second"));
    }
    let Some((written, span)) = &entry.call else {
        return crate_path(entry, root, build).map(RustCall::Path);
    };
    if entry.path.is_some() {
        let problem = Diagnostic::new(span.clone(), "both `path` and `call` are given; keep one");
        build.problems.add(problem);
    }
    match syn::parse_str::<syn::Expr>(written) {
        // On one line, by which the compiler's errors are told apart.
        Ok(_) => Some(RustCall::Expression(written.lines().map(str::trim).collect::<Vec<_>>().join(" "))),
        Err(error) => {
            let problem = Diagnostic::new(span.clone(), format!("`call` is no Rust expression: {error}"));
            let hint = format!(
                "write call = \"{root}::{}(…)\", with the names of the parameters",
                entry.function.name
            );
            build.problems.add(problem.hint(hint));
            None
        }
    }
}

/// The name that paths of functions begin with: that of the package, as Rust writes it, unless all paths that are given agree on another
/// one, for the library of a package may have a name of its own (`inflector` of the package `Inflector`).
fn root(package: &str, entries: &[Entry<'_>]) -> String {
    let usual = package.replace('-', "_");
    let of_path = |entry: &Entry<'_>| Some(entry.path.as_ref()?.0.split("::").next()?.to_owned());
    let of_call = |entry: &Entry<'_>| {
        let roots = roots(&entry.call.as_ref()?.0);
        roots.iter().find(|root| **root == usual).or(roots.first()).cloned()
    };
    let given = || entries.iter().filter_map(|entry| of_path(entry).or_else(|| of_call(entry)));
    match given().next() {
        Some(first) if is_root(&first) && given().all(|other| other == first) => first,
        _ => usual,
    }
}

/// The crates, but for Rust's own, that an expression has paths of. What types stand before (`parse::<…>()`) is no crate, and neither is a type
/// that Rust brings into scope (`String::from`, `u64::from`).
fn roots(expression: &str) -> Vec<String> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let paths = expression.split(|c: char| !is_of_path(c)).filter_map(|word| word.split_once("::"));
    let named = paths.filter(|(first, rest)| !rest.is_empty() && is_root(first));
    let is_type =
        |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase()) || PRIMITIVES.contains(&word);
    named.map(|(first, _)| first.to_owned()).filter(|first| !is_type(first)).collect()
}

/// The names of Rust's own types that are written as crates are.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "f32", "f64",
];

/// Whether a path can begin with it and mean a crate that is not Rust's own.
fn is_root(word: &str) -> bool {
    is_word(word) && !["std", "core", "alloc", "crate", "self", "super"].contains(&word)
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The Rust path of a function of a crate: it becomes code, so it must be nothing but a path.
fn crate_path(entry: &Entry<'_>, root: &str, build: &Section<'_>) -> Option<String> {
    let usual = || (format!("{root}::{}", entry.function.name), entry.span.clone());
    let (path, span) = entry.path.clone().unwrap_or_else(usual);
    let problem = if !path.split("::").all(is_word) {
        format!("`{path}` is not the path of a Rust function")
    } else if path.split("::").next() != Some(root) {
        format!("`{path}` does not begin with the crate")
    } else {
        return Some(path);
    };
    let hint = format!("write path = \"{root}::{}\", with the modules between", entry.function.name);
    build.problems.add(Diagnostic::new(span, problem).hint(hint));
    None
}

/// Whether a text is the name of a crate, as Cargo allows them.
fn is_crate_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_of_an_expression_are_those_that_paths_begin_with() {
        for (expression, expected) in [
            ("s.parse::<rust_decimal::Decimal>().map(|d| d.to_string())", &["rust_decimal"][..]),
            ("u64::from(x) + String::from(\"a::b\").len() as u64", &["a"]),
            ("std::iter::once(gcd::gcd(a, b)).sum::<u64>()", &["gcd"]),
            (
                "num_traits::CheckedDiv::checked_div(&num_rational::Ratio::new(a, 1), &b)",
                &["num_traits", "num_rational"],
            ),
            ("Vec::<u8>::new()", &[]),
        ] {
            assert_eq!(roots(expression), expected, "{expression}");
        }
    }
}
