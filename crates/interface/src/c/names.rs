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
    /// Whether the name says so.
    pub(super) fn is_said_by(self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let words: &[&str] = match self {
            Does::Makes => &[
                "parse", "from", "read", "load", "decode", "new", "create", "make", "alloc", "open", "init",
                "compile",
            ],
            Does::Frees => &["free", "delete", "destroy", "release", "close", "dispose", "unref"],
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
