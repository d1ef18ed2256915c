//! Types as signatures write them: in the words of the manifest, or as Rust has them.
//!
//! Rust has many spellings of one type of values: `&str`, `String` and `Cow<str>` are text. Relations see the type of values alone;
//! generated glue needs the spelling. Results may also be made of several values: a tuple, a value that may be missing, one that may be an
//! error.

use std::fmt;
use std::ops::Range;

use super::signature::{split, trimmed};
use dodona_target::{Domain, Scalar, Shape, Type, UnknownType};

/// A type in a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// One value.
    Value(Spelling),
    /// `Option<T>`.
    Option(Box<Written>),
    /// `Result<T, E>`.
    Result(Box<Written>, Box<Written>),
    /// `(A, B)`; `()` has no part.
    Tuple(Vec<Written>),
    /// `(value: A, error: B)`: parts that go by names.
    Named(Vec<(String, Written)>),
}

/// The type of one value, and how Rust passes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// What relations see.
    pub ty: Type,
    /// How Rust has it.
    pub form: Form,
    /// Whether it is passed by reference.
    pub reference: bool,
    /// The scalar of a number or of the elements of a sequence as Rust writes it: `usize` is a type of its own there.
    pub scalar: String,
    /// The name of the type that owns it: `Cow` of `Cow<'_, str>`; empty where there is none.
    pub owner: String,
    /// As it is written.
    text: String,
}

/// How Rust has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As WebAssembly does: numbers, `&[T]`, and `&str` for text.
    Plain,
    /// `String`, `Cow<str>`, `Box<str>`: made from `&str` by `into`.
    OwnedText,
    /// A single character.
    Char,
    /// `Vec<T>`, `Cow<[T]>`, `Box<[T]>`: made from `&[T]` by `into`.
    Owned,
    /// `[T; n]`.
    Array(u64),
    /// `NonZero<T>`, in either spelling.
    NonZero,
    /// `Ordering`: -1, 0 or 1.
    Ordering,
    /// `Duration`: a number of nanoseconds.
    Duration,
    /// Any type that can be shown: the text that it is shown as.
    Shown,
}

impl Written {
    /// Reads a type.
    ///
    /// # Errors
    /// When it is none that a signature can have.
    pub fn parse(text: &str) -> Result<Written, UnknownType> {
        let text = text.trim();
        if let Ok(ty) = text.parse() {
            let scalar =
                if ty == Type::Text { String::new() } else { text.trim_matches(['[', ']', ' ']).to_owned() };
            let (owner, text) = (String::new(), text.to_owned());
            let spelling = Spelling { ty, form: Form::Plain, reference: false, scalar, owner, text };
            return Ok(Written::Value(spelling));
        }
        if let Some(parts) = named_parts(text) {
            let named =
                parts.into_iter().map(|(name, ty)| Ok((text[name].to_owned(), Written::parse(&text[ty])?)));
            return named.collect::<Result<_, _>>().map(Written::Named);
        }
        let unknown = || UnknownType(text.to_owned());
        let parsed: syn::Type = syn::parse_str(text).map_err(|_| unknown())?;
        compound(&parsed, text).ok_or_else(unknown)
    }

    /// The one value that it is.
    pub fn value(&self) -> Option<&Spelling> {
        match self {
            Written::Value(spelling) => Some(spelling),
            _ => None,
        }
    }

    /// The type as a host of 64 bits has it: `usize` and `isize` have 32 in WebAssembly.
    pub(crate) fn of_host(&self) -> Written {
        let boxed = |inner: &Written| Box::new(inner.of_host());
        match self {
            Written::Value(spelling) => {
                Written::Value(Spelling { ty: spelling.type_of_host(), ..spelling.clone() })
            }
            Written::Option(value) => Written::Option(boxed(value)),
            Written::Result(value, error) => Written::Result(boxed(value), boxed(error)),
            Written::Tuple(parts) => Written::Tuple(parts.iter().map(Written::of_host).collect()),
            Written::Named(parts) => {
                Written::Named(parts.iter().map(|(name, part)| (name.clone(), part.of_host())).collect())
            }
        }
    }

    /// How it is made of plain values.
    pub fn shape(&self) -> Shape {
        match self {
            Written::Value(spelling) => Shape::Value(spelling.ty),
            Written::Option(value) => Shape::Option(Box::new(value.shape())),
            Written::Result(value, error) => Shape::Result(Box::new(value.shape()), Box::new(error.shape())),
            Written::Tuple(parts) => Shape::Tuple(parts.iter().map(Written::shape).collect()),
            Written::Named(parts) => {
                Shape::Named(parts.iter().map(|(name, part)| (name.clone(), part.shape())).collect())
            }
        }
    }
}

impl Spelling {
    /// The type as a host of 64 bits has it.
    fn type_of_host(&self) -> Type {
        let wide = match self.scalar.as_str() {
            "usize" => Scalar::U64,
            "isize" => Scalar::I64,
            _ => return self.ty,
        };
        match self.ty {
            Type::Sequence(_) => Type::Sequence(wide),
            _ => Type::Scalar(wide),
        }
    }

    /// What Rust allows of the values that relations see.
    pub fn domain(&self) -> Domain {
        match self.form {
            Form::NonZero => Domain::without_zero(),
            Form::Ordering => Domain::of_signs(),
            Form::Char => Domain::of_length(1),
            Form::Array(length) => Domain::of_length(length),
            _ => Domain::default(),
        }
    }
}

/// The places of the names and the types in `(value: A, error: B)`; `None` for any other type.
pub(super) fn named_parts(text: &str) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let parts =
        split(text, 1..1 + inside.len()).into_iter().filter(|part| !text[part.clone()].trim().is_empty());
    let parts: Option<Vec<_>> = parts
        .map(|part| {
            let colon = part.start + text[part.clone()].find(':')?;
            let is_path = text[colon..].starts_with("::");
            (!is_path).then(|| (trimmed(text, part.start..colon), trimmed(text, colon + 1..part.end)))
        })
        .collect();
    parts.filter(|parts| !parts.is_empty())
}

/// A type that Rust has; `None` if no signature can have it.
fn compound(ty: &syn::Type, text: &str) -> Option<Written> {
    match ty {
        syn::Type::Paren(inner) => compound(&inner.elem, text),
        syn::Type::Tuple(tuple) => {
            let parts: Option<Vec<Written>> = tuple.elems.iter().map(|part| compound(part, text)).collect();
            parts.map(Written::Tuple)
        }
        syn::Type::Path(path) => {
            let (name, arguments) = name_and_arguments(path)?;
            let inner = |index: usize| compound(arguments.get(index)?, text).map(Box::new);
            match (name.as_str(), arguments.len()) {
                ("Option", 1) => nested(Written::Option(inner(0)?)),
                ("Result", 2) => {
                    let error = compound(arguments[1], text).unwrap_or_else(|| shown(text));
                    nested(Written::Result(inner(0)?, Box::new(error)))
                }
                ("Result", 1) => nested(Written::Result(inner(0)?, Box::new(shown(text)))),
                _ => spelling(ty, false, text).map(Written::Value),
            }
        }
        _ => spelling(ty, false, text).map(Written::Value),
    }
}

/// Refuses an Option directly inside an Option, and a Result inside a Result: the words `is some` could not tell which is meant.
fn nested(written: Written) -> Option<Written> {
    let inner = match &written {
        Written::Option(inner) | Written::Result(inner, _) => inner,
        _ => return Some(written),
    };
    let is_same = std::mem::discriminant(&**inner) == std::mem::discriminant(&written);
    (!is_same).then_some(written)
}

fn shown(text: &str) -> Written {
    let (scalar, owner, text) = (String::new(), String::new(), text.to_owned());
    Written::Value(Spelling { ty: Type::Text, form: Form::Shown, reference: false, scalar, owner, text })
}

fn spelling(ty: &syn::Type, reference: bool, text: &str) -> Option<Spelling> {
    let spelled = |ty, form, scalar: &str| {
        let (scalar, text) = (scalar.to_owned(), text.to_owned());
        Some(Spelling { ty, form, reference, scalar, owner: String::new(), text })
    };
    let owned_by = |name: &str, spelling: Option<Spelling>| {
        spelling.map(|spelling| Spelling { owner: name.to_owned(), ..spelling })
    };
    let number = |inner: &syn::Type, form| {
        let (scalar, name) = scalar(inner)?;
        spelled(Type::Scalar(scalar), form, &name)
    };
    let sequence = |inner: &syn::Type, form| {
        let (scalar, name) = scalar(inner)?;
        spelled(Type::Sequence(scalar), form, &name)
    };
    match ty {
        syn::Type::Paren(inner) => spelling(&inner.elem, reference, text),
        syn::Type::Reference(inner) if !reference && inner.mutability.is_none() => {
            spelling(&inner.elem, true, text)
        }
        syn::Type::Slice(slice) => sequence(&slice.elem, Form::Plain),
        syn::Type::Array(array) => {
            let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(length), .. }) = &array.len else {
                return None;
            };
            sequence(&array.elem, Form::Array(length.base10_parse().ok()?))
        }
        syn::Type::Path(path) => {
            let (name, arguments) = name_and_arguments(path)?;
            let is_str = || matches!(arguments.as_slice(), [inner] if is_name(inner, "str"));
            match (name.as_str(), arguments.as_slice()) {
                ("str" | "text", []) => spelled(Type::Text, Form::Plain, ""),
                ("String", []) => owned_by(&name, spelled(Type::Text, Form::OwnedText, "")),
                ("Cow" | "Box" | "Rc" | "Arc", [_]) if is_str() => {
                    owned_by(&name, spelled(Type::Text, Form::OwnedText, ""))
                }
                ("char", []) => spelled(Type::Text, Form::Char, ""),
                ("Vec", [element]) => owned_by(&name, sequence(element, Form::Owned)),
                ("Cow" | "Box" | "Rc" | "Arc", [syn::Type::Slice(slice)]) => {
                    owned_by(&name, sequence(&slice.elem, Form::Owned))
                }
                ("NonZero", [inner]) => number(inner, Form::NonZero),
                ("Ordering", []) => spelled(Type::Scalar(Scalar::I8), Form::Ordering, "i8"),
                ("Duration", []) => spelled(Type::Scalar(Scalar::U64), Form::Duration, "u64"),
                ("Shown", []) => spelled(Type::Text, Form::Shown, ""),
                (name, []) => match name.strip_prefix("NonZero").map(str::to_ascii_lowercase) {
                    Some(inner) => {
                        let Ok(Type::Scalar(scalar)) = inner.parse() else { return None };
                        spelled(Type::Scalar(scalar), Form::NonZero, &inner)
                    }
                    None => number(ty, Form::Plain),
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// A scalar with its name in Rust.
fn scalar(ty: &syn::Type) -> Option<(Scalar, String)> {
    let syn::Type::Path(path) = ty else { return None };
    match name_and_arguments(path)? {
        (name, arguments) if arguments.is_empty() => match name.parse() {
            Ok(Type::Scalar(scalar)) => Some((scalar, name)),
            _ => None,
        },
        _ => None,
    }
}

fn is_name(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident(name))
}

/// The last name of a path with the types in its brackets; lifetimes are left out.
fn name_and_arguments(path: &syn::TypePath) -> Option<(String, Vec<&syn::Type>)> {
    let last = path.path.segments.last()?;
    let arguments = match &last.arguments {
        syn::PathArguments::None => Vec::new(),
        syn::PathArguments::AngleBracketed(brackets) => {
            let types = brackets.args.iter().filter_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(Some(ty)),
                syn::GenericArgument::Lifetime(_) => None,
                _ => Some(None),
            });
            types.collect::<Option<Vec<_>>>()?
        }
        syn::PathArguments::Parenthesized(_) => return None,
    };
    Some((last.ident.to_string(), arguments))
}

/// As it is written.
impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// As a signature has it, which may be another spelling than the one that was read.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Value(spelling) => write!(f, "{}", spelling.ty),
            Written::Option(value) => write!(f, "Option<{value}>"),
            Written::Result(value, error) => write!(f, "Result<{value}, {error}>"),
            Written::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Written::to_string).collect();
                let comma = if parts.len() == 1 { "," } else { "" };
                write!(f, "({}{comma})", parts.join(", "))
            }
            Written::Named(parts) => {
                let parts: Vec<String> = parts.iter().map(|(name, part)| format!("{name}: {part}")).collect();
                write!(f, "({})", parts.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use dodona_target::Output;

    use super::*;

    fn value(text: &str) -> (String, Form, bool) {
        let written = Written::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let spelling = written.value().unwrap_or_else(|| panic!("{text} is one value"));
        (spelling.ty.to_string(), spelling.form, spelling.reference)
    }

    #[test]
    fn spellings_of_one_type_are_that_type() {
        for text in ["text", "str", "&str", "&'a str", "&'static str"] {
            assert_eq!((value(text).0.as_str(), value(text).1), ("text", Form::Plain), "{text}");
        }
        for text in ["String", "&String", "Cow<'_, str>", "std::borrow::Cow<str>", "Box<str>"] {
            assert_eq!((value(text).0.as_str(), value(text).1), ("text", Form::OwnedText), "{text}");
        }
        assert_eq!(value("char"), ("text".to_owned(), Form::Char, false));
        assert_eq!(value("&[u8]"), ("[u8]".to_owned(), Form::Plain, true));
        assert_eq!(value("Vec<f64>"), ("[f64]".to_owned(), Form::Owned, false));
        assert_eq!(value("&[u8; 4]"), ("[u8]".to_owned(), Form::Array(4), true));
        assert_eq!(value("NonZeroU32"), ("u32".to_owned(), Form::NonZero, false));
        assert_eq!(value("NonZero<u64>"), ("u64".to_owned(), Form::NonZero, false));
        assert_eq!(value("std::cmp::Ordering"), ("i8".to_owned(), Form::Ordering, false));
        assert_eq!(value("&u32"), ("u32".to_owned(), Form::Plain, true));
    }

    #[test]
    fn types_that_no_value_of_the_language_has_are_unknown() {
        for text in [
            "",
            "u129",
            "Version",
            "Vec<String>",
            "fn(i32)",
            "impl Fn()",
            "&mut dyn T",
            "Option<",
            "[u8; N]",
            "Option<Option<u8>>",
            "&mut [u8]",
        ] {
            assert!(Written::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_have_paths_and_say_when_they_are_there() {
        let outputs = |text: &str| -> Vec<String> {
            let written = Written::parse(text).unwrap_or_else(|error| panic!("{error}"));
            let outputs = written.shape().outputs();
            let name = |output: &Output| output.name.selector().unwrap_or("out").to_owned();
            let one = |output: &Output| match output.given {
                None => format!("{}: {}", name(output), output.ty),
                Some(given) => format!(
                    "{}: {} if {} {}",
                    name(output),
                    output.ty,
                    name(&outputs[given.output]),
                    given.is
                ),
            };
            outputs.iter().map(one).collect()
        };
        assert_eq!(outputs("u8"), ["out: u8"]);
        assert_eq!(outputs("Option<u32>"), ["out: u32 if is_some true", "is_some: bool"]);
        assert_eq!(outputs("Result<(), ParseError>"), ["is_ok: bool", "err: text if is_ok false"]);
        assert_eq!(
            outputs("(u8, Option<String>)"),
            ["0: u8", "1.is_some: bool", "1: text if 1.is_some true"]
        );
        assert_eq!(
            outputs("Result<Option<i32>, String>"),
            [
                "out: i32 if is_some true",
                "is_ok: bool",
                "is_some: bool if is_ok true",
                "err: text if is_ok false"
            ]
        );
        assert_eq!(
            outputs("Option<(u8, f64)>"),
            ["is_some: bool", "0: u8 if is_some true", "1: f64 if is_some true"]
        );
        assert_eq!(outputs("()"), Vec::<String>::new());
    }
}
