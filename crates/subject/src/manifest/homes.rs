//! Where the keys of a manifest belong, for one that stands in another table.

use dodona_target::nearest;

const DOMAIN: &str = "a domain: domain.x = { … }";
const SAMPLING: &str = "a sampling: sample.x = { … }";
const EITHER: &str = "a domain or a sampling: domain.x = { … }, sample.x = { … }";

/// Tables with their keys, for messages.
const HOMES: [(&str, &[&str]); 7] = [
    ("the top of the manifest, before its tables", &["name", "specification", "module", "allocator"]),
    ("[build]", &["c", "rust", "crate", "assemblyscript", "version", "flags"]),
    ("[limits]", &["fuel", "memory", "stack", "time"]),
    (
        "[[function]]",
        &["signature", "export", "requires", "relations", "lower", "result", "capacity", "arguments"],
    ),
    (DOMAIN, &["values", "except", "nan", "is"]),
    (SAMPLING, &["distribution", "favour", "favour-rate"]),
    (EITHER, &["range", "length", "alphabet", "alphabet-ranges"]),
];

/// Keys of the top of a manifest, with how they are written, and the words that people write instead of them.
const OTHER_WORDS: [(&str, &str, &[&str]); 5] = [
    ("function", "[[function]], once for each function", &["functions", "func", "funcs", "fn", "fns", "fun"]),
    ("build", "[build]", &["builds", "compile", "compiler"]),
    ("limits", "[limits]", &["limit"]),
    ("relations", "relations = [\"NAME.mr\"]", &["relation", "mr", "mrs"]),
    ("module", "module = \"NAME.wasm\"", &["modules", "wasm"]),
];

/// Words for how a key of the top is written, for one that people write instead of it, or with a slip of the pen.
pub(super) fn other_word(key: &str) -> Option<String> {
    let (_, written, _) = OTHER_WORDS.iter().find(|(known, _, _)| is_another_word_for(key, known))?;
    Some(format!("write {written}"))
}

/// Whether a key stands where another one of the top is meant.
pub(super) fn is_another_word_for(key: &str, known: &str) -> bool {
    let words = OTHER_WORDS.iter().filter(|(name, _, _)| *name == known).flat_map(|(_, _, words)| *words);
    key != known
        && (words.into_iter().any(|word| word.eq_ignore_ascii_case(key)) || nearest(key, [known]).is_some())
}

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
