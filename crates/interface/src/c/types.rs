//! Types of C and C++, as clang writes them, for WebAssembly of 32 bits: a `long` and a `size_t` have 4 bytes there.

use dodona_target::{Scalar, Type};

use super::unit::{Named, Unit};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Void,
    Scalar(Scalar),
    /// `char`, which is a number of 8 bits and what texts are made of.
    Char,
    Enum {
        key: String,
        spelled: String,
    },
    Record {
        key: String,
        spelled: String,
    },
    Pointer {
        to: Box<CType>,
        is_constant: bool,
    },
    /// `T &` of C++; a constant one is a value.
    Reference {
        to: Box<CType>,
        is_constant: bool,
    },
    /// The address of a function of this type.
    Callback(String),
    /// `std::string`, `std::string_view`.
    Text {
        spelled: String,
    },
    /// `std::vector<T>`, `std::span<T>`.
    Sequence {
        of: Scalar,
        is_constant: bool,
        is_view: bool,
    },
    /// Any other, by how it is written.
    Other(String),
}

/// A name may stand for a name, and so on.
const DEEPEST: u32 = 32;

/// Words that say nothing of what a value is.
const QUALIFIERS: [&str; 7] =
    ["const", "volatile", "restrict", "__restrict", "_Nonnull", "_Nullable", "_Null_unspecified"];

impl CType {
    fn read(written: &str, unit: &Unit) -> CType {
        CType::read_within(written, unit, DEEPEST)
    }

    fn read_within(written: &str, unit: &Unit, depth: u32) -> CType {
        let text = without_qualifiers_behind(written.trim());
        if text.contains("(*") || text.contains("(&") {
            return if text.contains("(*)(") {
                CType::Callback(text.to_owned())
            } else {
                CType::Other(text.to_owned())
            };
        }
        let pointee = |inner: &str| (Box::new(CType::read_within(inner, unit, depth)), is_constant(inner));
        if let Some(inner) = text.strip_suffix('*') {
            let (to, is_constant) = pointee(inner);
            return match *to {
                CType::Other(function) if function.ends_with(')') => CType::Callback(function),
                to => CType::Pointer { to: Box::new(to), is_constant },
            };
        }
        if let Some(inner) = text.strip_suffix('&') {
            let (to, is_constant) = pointee(inner.trim_end_matches('&'));
            return CType::Reference { to, is_constant };
        }
        if text.ends_with(']') {
            let inner = text.find('[').map_or(text, |at| &text[..at]);
            let (to, is_constant) = pointee(inner);
            return CType::Pointer { to, is_constant };
        }
        if text.ends_with(')') {
            return CType::Other(text.to_owned());
        }
        CType::plain(&without_qualifiers(text), unit, depth)
    }

    fn plain(text: &str, unit: &Unit, depth: u32) -> CType {
        if let Some(scalar) = builtin(text) {
            return scalar;
        }
        for tag in ["struct ", "union ", "enum ", "class "] {
            if let Some(name) = text.strip_prefix(tag) {
                return unit.tagged(name, text);
            }
        }
        if let Some(ty) = of_library(text, unit, depth) {
            return ty;
        }
        // The names of C in the namespace of C++.
        if let Some(of_c) = text.strip_prefix("std::").filter(|name| name.ends_with("_t")) {
            return unit.named(of_c, depth);
        }
        unit.named(text, depth)
    }

    /// The type of a signature that is this one; `None` where it is no single number.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            CType::Scalar(scalar) => Some(*scalar),
            CType::Char => Some(Scalar::I8),
            CType::Enum { .. } => Some(Scalar::I32),
            _ => None,
        }
    }

    /// As C has it, where it is made of types of the language alone.
    pub(super) fn in_c(&self) -> Option<String> {
        Some(match self {
            CType::Void => "void".to_owned(),
            CType::Char => "char".to_owned(),
            CType::Enum { .. } => "int".to_owned(),
            CType::Pointer { to, is_constant } => {
                let constant = if *is_constant { "const " } else { "" };
                format!("{constant}{} *", to.in_c()?)
            }
            CType::Scalar(scalar) => in_c(*scalar).to_owned(),
            _ => return None,
        })
    }

    /// Whether it is an integer that may say how many there are of something.
    pub(super) fn counts(&self) -> bool {
        matches!(
            self,
            CType::Scalar(Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::I16 | Scalar::U16)
        )
    }
}

/// A number as C has it, on WebAssembly of 32 bits.
fn in_c(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "_Bool",
        Scalar::I8 => "signed char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 => "long long",
        Scalar::U8 => "unsigned char",
        Scalar::U16 => "unsigned short",
        Scalar::U32 => "unsigned int",
        Scalar::U64 => "unsigned long long",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

impl Unit {
    /// What a type means that clang writes so.
    pub(super) fn ty(&self, written: &str) -> CType {
        CType::read(written, self)
    }

    /// What a name means; types may be named by others many times over, but not without end.
    fn named(&self, name: &str, depth: u32) -> CType {
        match self.alias(name) {
            Some(Named::Alias(other)) if depth > 0 && other != name => {
                CType::read_within(other, self, depth - 1)
            }
            Some(Named::Tag(key)) => self.tagged(key, name),
            _ => {
                let full = self.full(name).unwrap_or(name);
                self.tagged(full, full)
            }
        }
    }

    /// The struct, union or enumeration of a key; `spelled` is how code names it.
    fn tagged(&self, key: &str, spelled: &str) -> CType {
        let spelled = spelled.to_owned();
        match self.is_enum(key) {
            true => CType::Enum { key: key.to_owned(), spelled },
            false => CType::Record { key: key.to_owned(), spelled },
        }
    }

    /// The declaration of a function by types of the language alone; `None` of one that is static, or has other types.
    pub fn prototype(&self, name: &str) -> Option<String> {
        let function = self.first(name)?;
        if function.is_static || name.contains("::") {
            return None;
        }
        let returned = self.ty(result(&function.ty)).in_c()?;
        let parameters: Vec<String> =
            function.parameters.iter().map(|(_, ty)| self.ty(ty).in_c()).collect::<Option<_>>()?;
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        Some(format!("{returned} {name}({parameters});"))
    }
}

/// The types that the language itself has.
fn builtin(text: &str) -> Option<CType> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    let scalar = match words.join(" ").as_str() {
        "void" => return Some(CType::Void),
        "char" => return Some(CType::Char),
        "_Bool" | "bool" => Scalar::Bool,
        "char signed" => Scalar::I8,
        "char unsigned" | "char8_t" | "std::byte" => Scalar::U8,
        "short" | "int short" | "short signed" | "int short signed" => Scalar::I16,
        "short unsigned" | "int short unsigned" | "char16_t" => Scalar::U16,
        "int" | "signed" | "int signed" | "long" | "int long" | "long signed" | "int long signed"
        | "wchar_t" => Scalar::I32,
        "unsigned" | "int unsigned" | "long unsigned" | "int long unsigned" | "char32_t" => Scalar::U32,
        "long long" | "int long long" | "long long signed" | "int long long signed" => Scalar::I64,
        "long long unsigned" | "int long long unsigned" => Scalar::U64,
        "float" => Scalar::F32,
        "double" => Scalar::F64,
        // `long double` has 16 bytes, and there are integers of 128 bits: no number of a signature has so many.
        _ => return None,
    };
    Some(CType::Scalar(scalar))
}

/// The types of the standard library of C++ that have values of their own in signatures.
fn of_library(text: &str, unit: &Unit, depth: u32) -> Option<CType> {
    let name = text.strip_prefix("std::")?;
    let name = name.strip_prefix("__1::").unwrap_or(name);
    if ["string", "string_view", "basic_string<char>", "basic_string_view<char>"].contains(&name) {
        return Some(CType::Text { spelled: format!("std::{name}") });
    }
    let (of, inner) = name.strip_suffix('>')?.split_once('<')?;
    // Behind the type of the elements stands the allocator, or how many there are.
    let element = inner.split(',').next()?;
    let scalar = CType::read_within(element, unit, depth.checked_sub(1)?).scalar()?;
    match of {
        "vector" => Some(CType::Sequence { of: scalar, is_constant: false, is_view: false }),
        "span" => Some(CType::Sequence { of: scalar, is_constant: is_constant(element), is_view: true }),
        _ => None,
    }
}

fn is_constant(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("const ") || text.ends_with(" const") || text.ends_with("*const")
}

/// Without the qualifiers of a pointer itself: `char *const`.
fn without_qualifiers_behind(text: &str) -> &str {
    let mut shorter = text;
    while let Some(rest) = QUALIFIERS.iter().find_map(|word| shorter.strip_suffix(word)) {
        if !rest.ends_with(['*', ' ']) {
            break;
        }
        shorter = rest.trim_end();
    }
    // Those of what is no pointer stand anywhere.
    if shorter.ends_with('*') { shorter } else { text }
}

fn without_qualifiers(text: &str) -> String {
    text.split_whitespace().filter(|word| !QUALIFIERS.contains(word)).collect::<Vec<_>>().join(" ")
}

/// The result of a function type, and whether that is all that stands before its parameters: `int` of `int (double)`.
pub(super) fn result(function: &str) -> &str {
    let end = function.rfind(')').map_or(function.len(), |at| at + 1);
    let mut depth = 0_i32;
    for (at, c) in function[..end].char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return function[..at].trim_end();
        }
    }
    function
}

/// The type of the elements, or of the number, as a signature has it.
pub(super) fn spelled(scalar: Scalar) -> String {
    Type::Scalar(scalar).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_clang_writes_them() {
        let mut unit = Unit::default();
        unit.add_alias("size_t".into(), "unsigned long".into(), None);
        unit.add_alias("loop".into(), "loop".into(), None);
        unit.add_alias("handle".into(), "struct state *".into(), None);
        unit.add_enum("1", "mode".into(), vec![("SLOW".into(), 0)]);
        let shown = |text: &str| format!("{:?}", unit.ty(text));
        for (text, expected) in [
            ("unsigned long long", "Scalar(U64)"),
            ("const volatile long", "Scalar(I32)"),
            ("const size_t", "Scalar(U32)"),
            ("enum mode", "Enum { key: \"mode\", spelled: \"enum mode\" }"),
            ("long double", "Record { key: \"long double\", spelled: \"long double\" }"),
            ("const char *const restrict", "Pointer { to: Char, is_constant: true }"),
            ("double[3]", "Pointer { to: Scalar(F64), is_constant: false }"),
            ("int (*)(const void *, const void *)", "Callback(\"int (*)(const void *, const void *)\")"),
            ("const std::string &", "Reference { to: Text { spelled: \"std::string\" }, is_constant: true }"),
            ("std::vector<double>", "Sequence { of: F64, is_constant: false, is_view: false }"),
            ("std::span<const int>", "Sequence { of: I32, is_constant: true, is_view: true }"),
            ("int (*)[4]", "Other(\"int (*)[4]\")"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        assert!(
            matches!(unit.ty("handle"), CType::Pointer { to, .. } if matches!(*to, CType::Record { .. }))
        );
        assert!(matches!(unit.ty("loop"), CType::Record { .. }));
        assert!(
            matches!(unit.ty("char **"), CType::Pointer { to, .. } if matches!(*to, CType::Pointer { .. }))
        );
    }

    #[test]
    fn a_result_stands_before_the_parameters() {
        assert_eq!(result("int (double, int (*)(void))"), "int");
        assert_eq!(result("const char *(void)"), "const char *");
        assert_eq!(result("std::string (const std::string &) noexcept"), "std::string");
    }
}
