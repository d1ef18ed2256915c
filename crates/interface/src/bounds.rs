//! Types that stand in for type parameters: the plainest one that meets the bounds.

use std::collections::{HashMap, HashSet};

use rustdoc_types::{GenericBound, GenericParamDefKind, Generics, Type, WherePredicate};

use crate::rust_type::{arguments, item, last, traits, written};

/// The bounds of the type parameters that are in scope.
#[derive(Default)]
pub(crate) struct Bounds<'d> {
    of: HashMap<&'d str, Vec<&'d GenericBound>>,
    /// Those of which more is said than by bounds of their own: `where for<'a> &'a T: IntoIterator`.
    entangled: HashSet<&'d str>,
    /// What is taken where text and bytes will do.
    bytes: Option<&'static str>,
}

impl<'d> Bounds<'d> {
    /// Those of a function, and of the impl or trait that it stands in.
    pub(crate) fn of(generics: &[&'d Generics]) -> Bounds<'d> {
        let mut bounds = Bounds::default();
        for generics in generics {
            for parameter in &generics.params {
                if let GenericParamDefKind::Type { bounds: own, .. } = &parameter.kind {
                    bounds.of.entry(&parameter.name).or_default().extend(own);
                }
            }
            for predicate in &generics.where_predicates {
                match predicate {
                    WherePredicate::BoundPredicate { type_: Type::Generic(name), bounds: own, .. } => {
                        bounds.of.entry(name).or_default().extend(own);
                    }
                    WherePredicate::BoundPredicate { type_, .. } => bounds.entangled.extend(parameter(type_)),
                    _ => {}
                }
            }
        }
        bounds
    }

    /// Text in place of bytes: what decodes and parses is mostly given text.
    pub(crate) fn of_text(self) -> Bounds<'d> {
        Bounds { bytes: Some("&str"), ..self }
    }

    /// The bounds of a parameter.
    pub(crate) fn all(&self, name: &str) -> Vec<&'d GenericBound> {
        self.of.get(name).cloned().unwrap_or_default()
    }

    /// The type that is taken for a parameter.
    pub(crate) fn stand_in(&self, name: &str) -> Option<String> {
        let bounds = self.of.get(name).filter(|_| !self.entangled.contains(name))?;
        stand_in(bounds.iter().copied(), self.bytes.unwrap_or(BYTES))
    }

    /// The type that is taken for `impl Trait` in the place of a parameter.
    pub(crate) fn of_trait_bounds(&self, bounds: &[GenericBound]) -> Option<String> {
        stand_in(bounds.iter(), self.bytes.unwrap_or(BYTES))
    }
}

/// The type parameter that a type is about.
fn parameter(ty: &Type) -> Option<&str> {
    match ty {
        Type::Generic(name) => Some(name),
        Type::BorrowedRef { type_, .. } | Type::Slice(type_) | Type::Array { type_, .. } => parameter(type_),
        Type::QualifiedPath { self_type, .. } => parameter(self_type),
        _ => None,
    }
}

/// Traits that every type has which is taken here.
const EVERY: [&str; 12] = [
    "Sized",
    "Copy",
    "Clone",
    "Send",
    "Sync",
    "Debug",
    "Display",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
];

/// A number where any type will do.
const ANY: &str = "i64";

const BYTES: &str = "&[u8]";

fn stand_in<'b>(bounds: impl Iterator<Item = &'b GenericBound>, bytes: &'static str) -> Option<String> {
    let mut found: Option<String> = None;
    for path in traits(bounds) {
        let name = last(path);
        let inner = arguments(path).first().map(|ty| written(ty));
        let wanted = match (name, inner.as_deref()) {
            (name, None) if EVERY.contains(&name) => continue,
            ("AsRef" | "Borrow", Some("str")) => "&str",
            ("AsRef" | "Borrow", Some("[u8]")) => bytes,
            ("AsRef", Some("Path" | "OsStr")) => "&str",
            ("Into", Some("String" | "Cow<str>" | "Box<str>")) => "&str",
            ("Into", Some("Vec<u8>" | "Cow<[u8]>")) => "&[u8]",
            ("Into" | "From", Some(number)) if is_number(number) => return settled(found, number),
            ("IntoIterator" | "Iterator", _) => match item(path).map(written).as_deref() {
                Some("u8") => "Vec<u8>",
                Some(number) if name == "IntoIterator" && is_number(number) => {
                    return settled(found, &format!("Vec<{number}>"));
                }
                _ => return None,
            },
            ("ToString", None) => "&str",
            (
                "Integer" | "PrimInt" | "Signed" | "Num" | "NumCast" | "FromPrimitive" | "ToPrimitive",
                None,
            ) => ANY,
            ("Unsigned", None) => "u64",
            ("Float" | "Real", None) => "f64",
            _ => return None,
        };
        found = Some(settled(found, wanted)?);
    }
    Some(found.unwrap_or_else(|| ANY.to_owned()))
}

/// One type meets all bounds, or none is taken.
fn settled(found: Option<String>, wanted: &str) -> Option<String> {
    match found {
        Some(other) if other != wanted => None,
        _ => Some(wanted.to_owned()),
    }
}

/// Whether a type is one of Rust's numbers that relations have.
pub(crate) fn is_number(name: &str) -> bool {
    ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64"].contains(&name)
}
