//! Signs, numbers and names of other languages, with hints on how this language writes them. People type first what they know
//! from elsewhere.

/// Signs of other languages that this one does not have, each with what to write instead. A sign comes before every sign that
/// is a prefix of it. None of them is the beginning of valid text, so they change the meaning of no relation.
const SIGNS: [(&str, &str); 32] = [
    ("<=>", "write `iff`"),
    ("<->", "write `iff`"),
    ("==>", "write `implies`"),
    ("=>", "write `implies`; \"at least\" is `>=`"),
    ("->", "write `implies`"),
    ("===", "equality is written `==`"),
    ("!==", "\"differs from\" is written `!=`"),
    ("<>", "\"differs from\" is written `!=`"),
    ("=<", "\"at most\" is written `<=`"),
    ("**", "a power is written `a ^ b`"),
    (
        "//",
        "a quotient of integers is written `a div b`, of floats `floor(a / b)`; a comment begins with `#`",
    ),
    ("/*", "a comment begins with `#` and ends with its line"),
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("≤", "write `<=`"),
    ("≥", "write `>=`"),
    ("≠", "write `!=`"),
    ("≈", "write `~=`"),
    ("¬", "write `not`"),
    ("∧", "write `and`"),
    ("∨", "write `or`"),
    ("⊕", "write `xor`"),
    ("⇒", "write `implies`"),
    ("→", "write `implies`"),
    ("⇔", "write `iff`"),
    ("↔", "write `iff`"),
    ("−", "write `-`"),
    ("×", "write `*`"),
    ("·", "write `*`"),
    ("÷", "write `/`"),
    ("√", "write `sqrt(a)`"),
    ("∞", "write `inf`"),
];

/// The sign of another language that a text begins with, and what to do.
pub(crate) fn sign(text: &str) -> Option<(&'static str, &'static str)> {
    SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign))
}

/// The number in another language's notation that a text begins with, and what to do.
pub(crate) fn number(text: &str) -> Option<(&str, String)> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let written = |skipped: usize| {
        let rest = &text[skipped..];
        &text[..skipped + rest.find(|c| !word(c)).unwrap_or(rest.len())]
    };
    if text.starts_with('.') && text[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return Some((written(1), format!("write `0{}`", written(1))));
    }
    let radix = match text.get(..2)? {
        "0x" | "0X" => 16,
        "0b" | "0B" => 2,
        "0o" | "0O" => 8,
        _ => return None,
    };
    let value = u128::from_str_radix(&written(0)[2..].replace('_', ""), radix).ok()?;
    Some((written(0), format!("integers are decimal: write `{value}`")))
}

/// What to write for a constant of another language.
pub(crate) fn constant(name: &str) -> Option<String> {
    let own = match name.to_lowercase().as_str() {
        "nan" => "nan",
        "inf" | "infinity" => "inf",
        "true" => "true",
        "false" => "false",
        "pi" | "m_pi" => "pi",
        "m_e" => "e",
        _ => return None,
    };
    Some(format!("write `{own}`"))
}

/// Functions of other languages, each with what this language has instead.
const FUNCTIONS: [(&[&str], &str); 27] = [
    (&["length", "size", "count", "strlen"], "len(s)"),
    (&["pow", "power", "powf", "powi"], "a ^ b"),
    (&["sort"], "sorted(s)"),
    (&["sort_by", "sortby", "sort_by_key", "sorted_by_key", "order_by"], "sorted_by(s, keys)"),
    (&["set_union", "union_of", "unite"], "union(s, t)"),
    (&["fabs", "absolute"], "abs(a)"),
    (&["log"], "ln(a)"),
    (&["log10"], "ln(a) / ln(10)"),
    (&["log2"], "ln(a) / ln(2)"),
    (&["tan"], "sin(a) / cos(a)"),
    (&["round"], "floor(a + 0.5)"),
    (&["ceiling"], "ceil(a)"),
    (&["isnan"], "is_nan(a)"),
    (&["reversed", "rev"], "reverse(s)"),
    (&["append", "join"], "concat(s, t)"),
    (&["contains", "includes"], "s contains x"),
    (&["starts_with", "startswith", "is_prefix_of"], "t is_prefix_of s"),
    (&["ends_with", "endswith", "is_suffix_of"], "t is_suffix_of s"),
    (&["subset", "subset_of", "issubset", "is_subset_of"], "s is_subset_of t"),
    (&["disjoint", "disjoint_from", "isdisjoint", "is_disjoint_from"], "s is_disjoint_from t"),
    (&["permutation_of", "same_elements", "is_permutation_of"], "s is_permutation_of t"),
    (&["to_upper", "toupper", "uppercase", "to_uppercase"], "upper(t)"),
    (&["to_lower", "tolower", "lowercase", "to_lowercase"], "lower(t)"),
    (&["str", "string", "to_string"], "text(n)"),
    (&["mod", "rem", "remainder", "fmod"], "a mod b"),
    (&["div", "quotient"], "a div b"),
    (&["implies"], "a implies b"),
];

/// What to write for a function of another language.
pub(crate) fn function(name: &str) -> Option<String> {
    let name = name.to_lowercase();
    let (_, own) = FUNCTIONS.iter().find(|(names, _)| names.contains(&name.as_str()))?;
    Some(format!("write `{own}`"))
}
