//! Types of C and C++, as clang writes them, for WebAssembly of 32 bits: a `long` and a `size_t` have 4 bytes there.

use dodona_target::{Scalar, Type};

use super::library::Dialect;
use super::unit::{Enum, Function, Named, Unit};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Void,
    /// A number, and what the language calls it: `int` and `long` have the same bits, but are not the same.
    Scalar(Scalar, &'static str),
    /// `char`, which is a number of 8 bits and what texts are made of.
    Char,
    Enum {
        key: String,
        spelled: String,
        scalar: Scalar,
    },
    Record {
        key: String,
        spelled: String,
    },
    Pointer {
        to: Box<CType>,
        is_constant: bool,
    },
    /// `T &` of C++; a constant one is a value. Of `T &&` what it refers to is moved from.
    Reference {
        to: Box<CType>,
        is_constant: bool,
        is_moved: bool,
    },
    /// The address of a function of this type.
    Callback(String),
    /// `std::string`, `std::string_view`.
    Text {
        spelled: String,
    },
    /// `std::vector<T>`, `std::span<T>`.
    Sequence {
        element: Box<CType>,
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
            return CType::Reference { to, is_constant, is_moved: inner.ends_with('&') };
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
            return builtin(of_c).unwrap_or_else(|| unit.named(of_c, depth));
        }
        unit.named(text, depth)
    }

    /// The type of a signature that is this one; `None` where it is no single number.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            CType::Scalar(scalar, _) | CType::Enum { scalar, .. } => Some(*scalar),
            CType::Char => Some(Scalar::I8),
            _ => None,
        }
    }

    /// What C++ calls a number whose type is another one than that of the variables of a call, though it has the same bits.
    pub(super) fn other_than_in_calls(&self) -> Option<&str> {
        match self {
            CType::Scalar(scalar, name) => (*name != in_cxx(*scalar)).then_some(name),
            CType::Char => Some("char"),
            CType::Enum { spelled, .. } => Some(spelled),
            _ => None,
        }
    }

    /// Whether C++ makes no such value of a number by itself.
    pub(super) fn is_converted_by_casts(&self) -> bool {
        matches!(self, CType::Enum { .. } | CType::Scalar(_, "std::byte"))
    }

    /// As C has it, where it is made of types of the language alone.
    pub(super) fn in_c(&self) -> Option<String> {
        Some(match self {
            CType::Void => "void".to_owned(),
            CType::Char => "char".to_owned(),
            CType::Pointer { to, is_constant } => format!("{} *", constant(*is_constant, to, to.in_c()?)),
            CType::Scalar(scalar, _) | CType::Enum { scalar, .. } => in_c(*scalar).to_owned(),
            _ => return None,
        })
    }

    /// As C++ has it, which tells functions apart by the exact types of their parameters.
    fn in_cxx(&self) -> Option<String> {
        Some(match self {
            CType::Void => "void".to_owned(),
            CType::Char => "char".to_owned(),
            CType::Scalar(_, name) => (*name).to_owned(),
            CType::Pointer { to, is_constant } => format!("{} *", constant(*is_constant, to, to.in_cxx()?)),
            CType::Reference { to, is_constant, is_moved } => {
                let sign = if *is_moved { "&&" } else { "&" };
                format!("{} {sign}", constant(*is_constant, to, to.in_cxx()?))
            }
            CType::Text { spelled } => spelled.clone(),
            CType::Sequence { element, is_constant, is_view } => {
                let of = if *is_view { "span" } else { "vector" };
                format!("std::{of}<{}>", constant(*is_constant, element, element.in_cxx()?))
            }
            _ => return None,
        })
    }

    /// Whether it is an integer that may say how many there are of something.
    pub(super) fn counts(&self) -> bool {
        matches!(
            self,
            CType::Scalar(
                Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::I16 | Scalar::U16,
                _
            )
        )
    }
}

/// A type that is constant. Of a pointer that is said behind it.
fn constant(is_constant: bool, ty: &CType, written: String) -> String {
    match (is_constant, ty) {
        (false, _) => written,
        (true, CType::Pointer { .. }) => format!("{written} const"),
        (true, _) => format!("const {written}"),
    }
}

/// A number as the variables of a call in C++ have it.
pub(super) fn in_cxx(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I64 => "int64_t",
        Scalar::U64 => "uint64_t",
        _ => in_c(scalar),
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
        let (key, spelled) = (key.to_owned(), spelled.to_owned());
        match self.enumeration(&key).map(|one| self.values(one)) {
            Some(Some(scalar)) => CType::Enum { key, spelled, scalar },
            Some(None) => CType::Other(spelled),
            None => CType::Record { key, spelled },
        }
    }

    /// The number that values of an enumeration are: what is written, else the smallest one from `int` on that has all constants.
    fn values(&self, one: &Enum) -> Option<Scalar> {
        if let Some(written) = &one.underlying {
            return self.ty(written).scalar();
        }
        let has_all = |scalar: &Scalar| {
            let range = scalar.integer_range().map(|(least, most)| least..=most);
            range.is_some_and(|range| one.constants.iter().all(|(_, value)| range.contains(value)))
        };
        [Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64].into_iter().find(has_all)
    }

    /// The declarations of the functions of a name by types of the language and its library alone. Those that are static, members of a class or of other types
    /// have none.
    pub fn declarations(&self, name: &str, dialect: Dialect) -> Vec<String> {
        self.named_so(name).filter_map(|function| self.declaration(function, dialect)).collect()
    }

    fn declaration(&self, function: &Function, dialect: Dialect) -> Option<String> {
        if function.is_static || function.is_member {
            return None;
        }
        let is_of_c = dialect == Dialect::C || function.is_of_c;
        let declared = |written: &str| {
            let ty = self.ty(written);
            if is_of_c { ty.in_c() } else { ty.in_cxx() }
        };
        let returned = declared(result(&function.ty))?;
        let parameters: Vec<String> =
            function.parameters.iter().map(|(_, ty)| declared(ty)).collect::<Option<_>>()?;
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let (space, last) = function.name.rsplit_once("::").unwrap_or(("", &function.name));
        let linkage = if is_of_c && dialect == Dialect::Cxx { "extern \"C\" " } else { "" };
        let declaration = format!("{linkage}{returned} {last}({parameters});");
        Some(if space.is_empty() { declaration } else { format!("namespace {space} {{ {declaration} }}") })
    }
}

/// The types that the language itself has.
fn builtin(text: &str) -> Option<CType> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    let (scalar, name) = match words.join(" ").as_str() {
        "void" => return Some(CType::Void),
        "char" => return Some(CType::Char),
        "_Bool" | "bool" => (Scalar::Bool, "bool"),
        "char signed" => (Scalar::I8, "signed char"),
        "char unsigned" => (Scalar::U8, "unsigned char"),
        "char8_t" => (Scalar::U8, "char8_t"),
        "std::byte" => (Scalar::U8, "std::byte"),
        "short" | "int short" | "short signed" | "int short signed" => (Scalar::I16, "short"),
        "short unsigned" | "int short unsigned" => (Scalar::U16, "unsigned short"),
        "char16_t" => (Scalar::U16, "char16_t"),
        "int" | "signed" | "int signed" => (Scalar::I32, "int"),
        "long" | "int long" | "long signed" | "int long signed" => (Scalar::I32, "long"),
        "wchar_t" => (Scalar::I32, "wchar_t"),
        "unsigned" | "int unsigned" => (Scalar::U32, "unsigned int"),
        "long unsigned" | "int long unsigned" => (Scalar::U32, "unsigned long"),
        "char32_t" => (Scalar::U32, "char32_t"),
        "long long" | "int long long" | "long long signed" | "int long long signed" => {
            (Scalar::I64, "long long")
        }
        "long long unsigned" | "int long long unsigned" => (Scalar::U64, "unsigned long long"),
        // `long` is one of these on a host, and `long long` the same number of another type.
        "int64_t" => (Scalar::I64, "int64_t"),
        "uint64_t" => (Scalar::U64, "uint64_t"),
        "float" => (Scalar::F32, "float"),
        "double" => (Scalar::F64, "double"),
        // `long double` has 16 bytes, and there are integers of 128 bits: no number of a signature has so many.
        _ => return None,
    };
    Some(CType::Scalar(scalar, name))
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
    let read = Box::new(CType::read_within(element, unit, depth.checked_sub(1)?));
    read.scalar()?;
    match of {
        "vector" => Some(CType::Sequence { element: read, is_constant: false, is_view: false }),
        "span" => Some(CType::Sequence { element: read, is_constant: is_constant(element), is_view: true }),
        _ => None,
    }
}

fn is_constant(text: &str) -> bool {
    let text = text.trim();
    // What stands before a pointer is said of what that points to.
    (text.starts_with("const ") && !text.contains('*'))
        || text.ends_with(" const")
        || text.ends_with("*const")
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

/// The result of a function type: `int` of `int (double)`, and of `auto (double) -> int`.
pub(super) fn result(function: &str) -> &str {
    let (function, behind) = match function.rsplit_once(" -> ").filter(|_| function.starts_with("auto (")) {
        Some((before, result)) => (before, Some(result)),
        None => (function, None),
    };
    behind.unwrap_or_else(|| before_parameters(function))
}

/// What stands before the parameters of a function type. What it throws is told in parentheses behind them: `int (double) noexcept(false)`.
fn before_parameters(function: &str) -> &str {
    let mut depth = 0_i32;
    for (at, c) in function.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => continue,
        }
        if depth == 0 && c == '(' && !function[..at].ends_with("noexcept") {
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
        let mode = Enum { constants: vec![("SLOW".into(), 0)], underlying: None };
        unit.add_enum("1", "mode".into(), mode);
        let shown = |text: &str| format!("{:?}", unit.ty(text));
        for (text, expected) in [
            ("unsigned long long", "Scalar(U64, \"unsigned long long\")"),
            ("const volatile long", "Scalar(I32, \"long\")"),
            ("const size_t", "Scalar(U32, \"unsigned long\")"),
            ("enum mode", "Enum { key: \"mode\", spelled: \"enum mode\", scalar: I32 }"),
            ("long double", "Record { key: \"long double\", spelled: \"long double\" }"),
            ("const char *const restrict", "Pointer { to: Char, is_constant: true }"),
            ("double[3]", "Pointer { to: Scalar(F64, \"double\"), is_constant: false }"),
            ("const char **", "Pointer { to: Pointer { to: Char, is_constant: true }, is_constant: false }"),
            ("int (*)(const void *, const void *)", "Callback(\"int (*)(const void *, const void *)\")"),
            (
                "const std::string &",
                "Reference { to: Text { spelled: \"std::string\" }, is_constant: true, is_moved: false }",
            ),
            (
                "std::vector<double>",
                "Sequence { element: Scalar(F64, \"double\"), is_constant: false, is_view: false }",
            ),
            (
                "std::span<const int>",
                "Sequence { element: Scalar(I32, \"int\"), is_constant: true, is_view: true }",
            ),
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
        assert_eq!(result("int (int (*)(int)) const noexcept(false)"), "int");
        assert_eq!(result("auto (int (*)(int)) const -> std::string"), "std::string");
        assert_eq!(result("auto (int)"), "auto");
    }
}
