//! Where the keys of a manifest belong, for one that stands in another table.

const DOMAIN: &str = "a domain: domain.x = { … }";
const SAMPLING: &str = "a sampling: sample.x = { … }";
const EITHER: &str = "a domain or a sampling: domain.x = { … }, sample.x = { … }";

/// Tables with their keys, for messages.
const HOMES: [(&str, &[&str]); 7] = [
    ("the top of the manifest, before its tables", &["name", "specification", "module", "allocator"]),
    ("[build]", &["c", "rust", "crate", "version", "flags"]),
    ("[limits]", &["fuel", "memory", "stack"]),
    (
        "[[function]]",
        &["signature", "export", "requires", "relations", "lower", "result", "capacity", "arguments"],
    ),
    (DOMAIN, &["values", "except", "nan", "is"]),
    (SAMPLING, &["distribution", "favour", "favour-rate"]),
    (EITHER, &["range", "length", "alphabet", "alphabet-ranges"]),
];

/// Words for where a key belongs; none where no table has it.
pub(super) fn home(key: &str) -> Option<String> {
    if key == "path" {
        return Some(
            "`path` belongs to [[function]]: it is the path of that function inside the crate, as in \
             path = \"libm::sin\""
                .to_owned(),
        );
    }
    let (table, _) = HOMES.iter().find(|(_, keys)| keys.contains(&key))?;
    Some(format!("`{key}` belongs to {table}"))
}
