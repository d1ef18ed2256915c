//! What names of parameters say: how many there are of something, what a callback gets, and under which names a manifest has them.

use std::collections::BTreeSet;

use dodona_target::names::RESERVED;

/// The names that are taken in the code of one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name like this one that a signature can have and nothing else has.
    pub(super) fn free(&mut self, wanted: &str) -> String {
        let clean: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let usable = match clean.chars().next() {
            None => "a".to_owned(),
            Some(c) if c.is_ascii_digit() => format!("_{clean}"),
            _ if RESERVED.contains(&clean.as_str()) || IN_C.contains(&clean.as_str()) => format!("{clean}_"),
            // The glue's own names begin so.
            _ if clean.starts_with("dodona_") => format!("of_{clean}"),
            _ => clean,
        };
        let numbered = (2..).map(|number| format!("{usable}_{number}"));
        let mut names = std::iter::once(usable.clone()).chain(numbered);
        let free = names.find(|name| !self.taken.contains(name)).unwrap_or(usable);
        self.taken.insert(free.clone());
        free
    }

    /// [`Names::free`] for what has a length beside it, which code knows by a name of its own.
    pub(super) fn free_with_length(&mut self, wanted: &str) -> String {
        loop {
            let name = self.free(wanted);
            if self.taken.insert(format!("{name}_length")) {
                return name;
            }
        }
    }

    /// Keeps a name from being given.
    pub(super) fn keep(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }
}

/// Words that cannot name a variable in the code of a call, though a parameter may be called so elsewhere.
const IN_C: [&str; 20] = [
    "bool", "char", "const", "delete", "double", "float", "int", "long", "new", "short", "signed",
    "unsigned", // What the glue itself calls.
    "malloc", "free", "memcpy", "memset", "strlen", "strnlen", "strncpy", "std",
];

/// The name of a parameter without one: `a`, `b`, …
pub(super) fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'a' + index).to_string(),
        _ => format!("p{index}"),
    }
}

/// Whether an integer of this name tells how many elements its neighbour of the other name has.
pub(super) fn is_length(name: &str, of: &str) -> bool {
    let (name, of) = (name.to_ascii_lowercase(), of.to_ascii_lowercase());
    let whole = [
        "n", "len", "length", "size", "count", "cnt", "num", "nb", "nel", "nelem", "nmemb", "nitems", "sz",
        "dim", "bytes", "nbytes", "slen",
    ];
    let ends = ["_n", "len", "length", "size", "count", "_sz", "_num", "_cnt"];
    let begins = ["n_", "num_", "len_", "size_", "count_"];
    whole.contains(&name.as_str())
        || ends.iter().any(|end| name.ends_with(end))
        || begins.iter().any(|begin| name.starts_with(begin))
        || (!of.is_empty() && name == format!("n{of}"))
}

/// Whether the name of a pointer says that there are several elements, though nothing says how many.
pub(super) fn says_several(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["array", "buf", "vector", "matrix", "table", "list"].iter().any(|word| name.contains(word))
}

/// Whether a pointer of this name, or to a type of this name, is for what a function gives, and not for what it takes.
pub(super) fn is_result(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "r" || ["res", "out", "ret", "dst", "dest", "to_"].iter().any(|word| name.contains(word))
}

/// Whether a buffer of characters of this name is filled, and not changed.
pub(super) fn is_filled(name: &str) -> bool {
    is_result(name) || name.to_ascii_lowercase().contains("buf")
}

/// Whether an untyped pointer of this name is only handed on to a callback.
pub(super) fn is_context(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "data", "ctx", "context", "user", "arg", "param", "cookie", "closure", "opaque", "baton", "priv",
        "hint", "extra",
    ]
    .iter()
    .any(|word| name.contains(word))
}

/// What the name of a function says that it does to a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Makes,
    Frees,
    Shows,
}

impl Does {
    /// Whether the name says so; what frees is told by [`closing`], which looks closer.
    pub(super) fn is_said_by(self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let words: &[&str] = match self {
            Does::Makes => &[
                "parse", "from", "read", "load", "decode", "new", "create", "make", "alloc", "open", "init",
                "compile",
            ],
            Does::Frees => &CLOSING,
            Does::Shows => &[
                "print",
                "tostring",
                "to_string",
                "str",
                "dump",
                "format",
                "serialize",
                "encode",
                "write",
                "text",
                "show",
            ],
        };
        words.iter().any(|word| name.contains(word))
    }
}

/// How much a name says that a function frees or closes what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    Surely,
    /// It ends something, which may be freed with it.
    Perhaps,
}

/// Words for what gives memory back, for what does so with handles, and for what ends their use.
const FREEING: [&str; 6] = ["free", "dealloc", "deallocate", "dispose", "unref", "decref"];
const CLOSING: [&str; 10] =
    ["free", "delete", "destroy", "release", "close", "dispose", "unref", "decref", "dealloc", "deallocate"];
const ENDING: [&str; 14] = [
    "end",
    "finish",
    "finalize",
    "fini",
    "deinit",
    "uninit",
    "cleanup",
    "clear",
    "terminate",
    "shutdown",
    "teardown",
    "discard",
    "drop",
    "kill",
];

/// Whether the name of a function says that it frees or closes what a pointer points to: a struct of this key, or something else. `list_free` and
/// `free_list` are about the whole list, and `list_delete_item` is about a part, if it takes more than the list.
pub(super) fn closing(name: &str, of: Option<&str>, is_only: bool) -> Option<Closing> {
    let last = name.rsplit("::").next().unwrap_or(name);
    let lower = last.to_ascii_lowercase();
    let words = words_of(last);
    let (first, end) = (words.first()?.as_str(), words.last()?.as_str());
    let Some(key) = of else {
        let frees = FREEING.iter().any(|word| [first, end].contains(word)) || lower.ends_with("free");
        return frees.then_some(Closing::Surely);
    };
    let key = key.to_ascii_lowercase();
    let is_of_whole = words[1..].iter().all(|word| key.contains(word.as_str()));
    let says = |known: &[&str]| known.contains(&end) || (known.contains(&first) && is_of_whole);
    let ends_so = CLOSING.iter().any(|word| lower.ends_with(word));
    if says(&CLOSING) || ends_so || (is_only && Does::Frees.is_said_by(name)) {
        return Some(Closing::Surely);
    }
    says(&ENDING).then_some(Closing::Perhaps)
}

/// The words of a name, in lower case: `xml`, `parser`, `free` of `XMLParser_free`.
fn words_of(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let is_lower = |c: Option<&char>| c.is_some_and(char::is_ascii_lowercase);
        let begins = c.is_ascii_uppercase() && (is_lower(before.as_ref()) || is_lower(letters.get(at + 1)));
        if begins || *c == '_' {
            words.push(String::new());
        }
        if *c != '_' {
            words.last_mut().into_iter().for_each(|word| word.push(c.to_ascii_lowercase()));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_frees_the_whole_is_told_from_what_deletes_a_part() {
        let of = |name: &str, is_only: bool| closing(name, Some("struct_tree"), is_only);
        for name in
            ["tree_free", "freeTree", "XMLFree", "treefree", "tree_close", "DestroyTree", "n::tree_delete"]
        {
            assert_eq!(of(name, false), Some(Closing::Surely), "{name}");
        }
        for name in ["tree_delete_node", "tree_free_list", "tree_freeze", "tree_add", "delete_node", "append"]
        {
            assert_eq!(of(name, false), None, "{name}");
        }
        assert_eq!(of("tree_delete_all", true), Some(Closing::Surely));
        assert_eq!(of("inflateEnd", false), Some(Closing::Perhaps));
        assert_eq!(closing("sdsfree", None, true), Some(Closing::Surely));
        assert_eq!(closing("delete_at", None, false), None);
        assert_eq!(words_of("XMLParser_free2"), ["xml", "parser", "free2"]);
    }
}
