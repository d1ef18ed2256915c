//! What the names of functions say of each other, and which names functions cannot have.

/// The end of the names of functions that say whether a value is read back from its own text. They are made of what a type has, and are always expected to say
/// yes.
pub const READS_BACK: &str = "_reads_back";

/// Words of which the second undoes the first.
const OPPOSITES: [(&str, &str); 16] = [
    ("encode", "decode"),
    ("compress", "decompress"),
    ("deflate", "inflate"),
    ("serialize", "deserialize"),
    ("escape", "unescape"),
    ("quote", "unquote"),
    ("pack", "unpack"),
    ("encrypt", "decrypt"),
    ("to", "from"),
    ("format", "parse"),
    ("print", "parse"),
    ("write", "read"),
    ("to_string", "parse"),
    ("join", "split"),
    ("wrap", "unwrap"),
    ("fill", "unfill"),
];

/// Whether a name says that its function undoes another one, whichever.
///
/// ```
/// use dodona_target::names::is_way_back;
/// assert!(is_way_back("hex_decode") && !is_way_back("hex_encode"));
/// ```
pub fn is_way_back(name: &str) -> bool {
    name.split('_').any(|word| OPPOSITES.into_iter().any(|(_, second)| second == word))
}

/// Whether the name of the second function says that it undoes the first one.
///
/// ```
/// use dodona_target::names::undoes;
/// assert!(undoes("to_hex", "from_hex") && undoes("encode", "decode") && undoes("compress_prepend_size", "decompress_size_prepended"));
/// assert!(!undoes("decode", "encode") && !undoes("to_hex", "from_octal"));
/// ```
pub fn undoes(there: &str, back: &str) -> bool {
    let words = |name: &str| -> Vec<String> { name.split('_').map(str::to_owned).collect() };
    let (a, b) = (words(there), words(back));
    OPPOSITES.into_iter().any(|(first, second)| {
        if there == first && back == second {
            return true;
        }
        let at = a.iter().position(|word| word == first);
        // The other words are the same: `encode_config` and `decode_config`, `to_hex` and `from_hex`.
        let replaced = at.map(|at| {
            let mut replaced = a.clone();
            replaced[at] = second.to_owned();
            replaced
        });
        // Words that are hardly used otherwise: `compress_prepend_size` and `decompress_size_prepended`.
        let is_telling = at.is_some() && first.len() > 4 && b.iter().any(|word| word == second);
        is_telling || replaced.is_some_and(|replaced| replaced == b)
    })
}

/// Whether the name of the second function asks for what the name of the first says that it makes: `to_snake_case` and `is_snake_case`.
///
/// ```
/// use dodona_target::names::answers;
/// assert!(answers("to_snake_case", "is_snake_case") && !answers("to_kebab_case", "is_snake_case"));
/// ```
pub fn answers(made: &str, question: &str) -> bool {
    let Some(asked) = question.strip_prefix("is_") else { return false };
    ["to_", "as_", "into_", "make_"].into_iter().any(|prefix| made.strip_prefix(prefix) == Some(asked))
}

/// The words of the relation language that cannot name a function or a parameter.
pub const RESERVED: [&str; 33] = [
    "relation",
    "when",
    "for",
    "in",
    "given",
    "expect",
    "within",
    "ulp",
    "and",
    "or",
    "xor",
    "not",
    "iff",
    "implies",
    "traps",
    "defined",
    "div",
    "mod",
    "true",
    "false",
    "nan",
    "inf",
    "out",
    "contains",
    "is_prefix_of",
    "is_suffix_of",
    "is_subset_of",
    "is_disjoint_from",
    "is_permutation_of",
    "is",
    "if",
    "then",
    "else",
];
