//! Selects the definitions that a test needs from a prelude: a file that defines the words of relations in one
//! language.
//!
//! A prelude consists of items. An item begins with a line of the language's comment sign, a colon and the names that
//! the item defines (`//: add sum`), and ends before the next such line. An item is included if one of its names
//! occurs in the test or in an included item; an item without names is always included.

/// A group of definitions in a prelude.
struct Item<'p> {
    names: Vec<&'p str>,
    text: String,
}

/// The items of a prelude that a text needs, in the order of the prelude, with `gap` between them.
pub(super) fn needed(prelude: &str, marker: &str, gap: &str, text: &str) -> String {
    let items = items(prelude, marker);
    let mut taken = vec![false; items.len()];
    let mut new: Vec<String> = vec![text.to_owned()];
    new.extend(take(&items, &mut taken, |item| item.names.is_empty()));
    while let Some(text) = new.pop() {
        let words = words(&text);
        new.extend(take(&items, &mut taken, |item| item.names.iter().any(|name| words.contains(name))));
    }
    let kept = items.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(item, _)| item.text.trim_end());
    kept.collect::<Vec<_>>().join(gap) + "\n"
}

fn take(items: &[Item<'_>], taken: &mut [bool], wanted: impl Fn(&Item<'_>) -> bool) -> Vec<String> {
    let mut texts = Vec::new();
    for (item, taken) in items.iter().zip(taken) {
        if !*taken && wanted(item) {
            *taken = true;
            texts.push(item.text.clone());
        }
    }
    texts
}

fn items<'p>(prelude: &'p str, marker: &str) -> Vec<Item<'p>> {
    let mut items: Vec<Item<'p>> = Vec::new();
    for line in prelude.lines() {
        match (line.strip_prefix(marker), items.last_mut()) {
            (Some(names), _) => {
                items.push(Item { names: names.split_whitespace().collect(), text: String::new() });
            }
            (None, Some(item)) => {
                item.text.push_str(line);
                item.text.push('\n');
            }
            // Text before the first item is meant for readers of the prelude file, not for tests.
            (None, None) => {}
        }
    }
    items
}

fn words(text: &str) -> std::collections::HashSet<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn items_are_taken_where_they_are_needed() {
        let prelude =
            "about\n//:\nalways\n//: a\nfn a() { c() }\n\n//: b\nfn b() {}\n//: c d\nfn c() {}\nfn d() {}\n";
        assert_eq!(
            needed(prelude, "//:", "\n\n", "a(1)"),
            "always\n\nfn a() { c() }\n\nfn c() {}\nfn d() {}\n"
        );
        assert_eq!(needed(prelude, "//:", "\n\n", "ab"), "always\n");
    }

    /// The names that an item defines and that other items may use.
    fn defined<'t>(text: &'t str, before: &[&str], prefixes: &[&str]) -> HashSet<&'t str> {
        let words: Vec<&str> =
            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '!')).collect();
        let behind = words.windows(2).filter(|w| before.contains(&w[0])).map(|w| w[1]);
        let prefixed = words.iter().copied().filter(|w| prefixes.iter().any(|p| w.starts_with(p)));
        behind.chain(prefixed).collect()
    }

    #[test]
    fn items_name_what_others_use() {
        let rust = ["fn", "const", "static", "struct", "enum", "macro_rules!"];
        let mut unnamed = Vec::new();
        for (prelude, marker, before, prefixes) in [
            (super::super::rust::PRELUDE, "//:", &rust[..], &[][..]),
            (super::super::c::PRELUDE, "//:", &[], &["mr_", "MR_"]),
            (super::super::java::PRELUDE, "//:", &[], &["mr", "MR_", "Mr"]),
            (super::super::python::PRELUDE, "#:", &["def", "class"], &["mr_", "MR_", "Mr"]),
        ] {
            let items = items(prelude, marker);
            assert!(items.len() > 50, "{} items", items.len());
            let named: HashSet<&str> = items.iter().flat_map(|item| item.names.iter().copied()).collect();
            let read: Vec<(&Item<'_>, HashSet<&str>)> =
                items.iter().map(|item| (item, words(&item.text))).collect();
            let users = |word: &str| -> Vec<&Item<'_>> {
                read.iter().filter(|(_, words)| words.contains(word)).map(|(item, _)| *item).collect()
            };
            for item in items.iter().filter(|item| !item.names.is_empty()) {
                for word in defined(&item.text, before, prefixes).difference(&named) {
                    // Items that are always included need no name; methods come with their type.
                    let always = users(word).iter().any(|user| user.names.is_empty());
                    let is_method = item.text.contains(&format!("fn {word}(&self"))
                        || item.text.contains(&format!("fn {word}(self"))
                        || *word == "from"
                        || *word == "fmt";
                    let closure = item.text.contains(&format!("    def {word}("));
                    if users(word).len() > 1 && !always && !is_method && !closure {
                        unnamed.push(format!("`{word}` of {:?}", item.names));
                    }
                }
            }
        }
        assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
    }
}
