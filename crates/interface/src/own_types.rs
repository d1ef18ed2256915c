//! A crate's own types: what they have, by which values of them are made, and how these are shown.

use rustdoc_types::{
    Attribute, Crate, Function, Id, Impl, Item, ItemEnum, Path, StructKind, Type, VariantKind,
};

use crate::bounds::Bounds;
use crate::public::Public;
use crate::rust_type::{arguments, last};
use crate::spell::Speller;

/// A public type of the crate.
pub(crate) struct Own<'d> {
    pub(crate) path: String,
    id: Id,
    impls: Vec<&'d Impl>,
    /// The paths of the variants, if it is an enum of variants without fields.
    pub(crate) variants: Option<Vec<String>>,
    /// The fields, if it is a struct with names for them and nothing hides one.
    pub(crate) fields: Option<Vec<Id>>,
}

/// The public types that have no parameters of their own.
pub(crate) fn own_types<'d>(document: &'d Crate, items: &[Public<'d>]) -> Vec<Own<'d>> {
    items.iter().filter_map(|public| own_type(document, public)).collect()
}

fn own_type<'d>(document: &'d Crate, public: &Public<'d>) -> Option<Own<'d>> {
    let path = public.path.join("::");
    let (generics, impls) = match &public.item.inner {
        ItemEnum::Struct(own) => (&own.generics, &own.impls),
        ItemEnum::Enum(own) => (&own.generics, &own.impls),
        _ => return None,
    };
    let is_lifetime = |kind: &rustdoc_types::GenericParamDefKind| {
        matches!(kind, rustdoc_types::GenericParamDefKind::Lifetime { .. })
    };
    if !generics.params.iter().all(|parameter| is_lifetime(&parameter.kind)) {
        return None;
    }
    let variants = match &public.item.inner {
        ItemEnum::Enum(own) if !own.has_stripped_variants => {
            let variant = |id: &Id| {
                let item = document.index.get(id)?;
                match &item.inner {
                    ItemEnum::Variant(variant) if matches!(variant.kind, VariantKind::Plain) => {
                        Some(format!("{path}::{}", item.name.as_ref()?))
                    }
                    _ => None,
                }
            };
            own.variants.iter().map(variant).collect::<Option<Vec<String>>>().filter(|all| !all.is_empty())
        }
        _ => None,
    };
    let fields = match &public.item.inner {
        ItemEnum::Struct(own) => match &own.kind {
            StructKind::Plain { fields, has_stripped_fields: false } if !is_open(public.item) => {
                Some(fields.clone())
            }
            _ => None,
        },
        _ => None,
    };
    let impls = impls.iter().filter_map(|id| match &document.index.get(id)?.inner {
        ItemEnum::Impl(own) if !own.is_negative && own.blanket_impl.is_none() => Some(own),
        _ => None,
    });
    Some(Own { path, id: public.item.id, impls: impls.collect(), variants, fields })
}

/// Whether fields may be added without a new major version, so that nobody else can write a value.
fn is_open(item: &Item) -> bool {
    item.attrs.iter().any(|attribute| matches!(attribute, Attribute::NonExhaustive))
}

impl<'d> Own<'d> {
    /// Whether a type is this one, by value or by reference, where `Self` is `own`.
    pub(crate) fn is(&self, ty: &Type, own: Option<&Type>) -> bool {
        match ty {
            Type::ResolvedPath(path) => path.id == self.id,
            Type::BorrowedRef { is_mutable: false, type_, .. } => self.is(type_, own),
            Type::Generic(name) if name == "Self" => own.is_some_and(|own| self.is(own, None)),
            _ => false,
        }
    }

    /// The impls of the type itself, of no trait.
    pub(crate) fn inherent(&self) -> impl Iterator<Item = &'d Impl> + '_ {
        self.impls.iter().copied().filter(|own| own.trait_.is_none())
    }

    /// The impls of a trait of this name, each with the trait as the impl names it.
    fn of_trait<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (&'d Impl, &'d Path)> + 's {
        let named = self.impls.iter().filter_map(|own| Some((*own, own.trait_.as_ref()?)));
        named.filter(move |(_, path)| last(path) == name)
    }

    /// Whether the type has a trait of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.of_trait(name).next().is_some()
    }

    /// What the type gives as an iterator, if it is one.
    pub(crate) fn item(&self, document: &'d Crate) -> Option<&'d Type> {
        let (own, _) = self.of_trait("Iterator").next()?;
        own.items.iter().filter_map(|id| document.index.get(id)).find_map(|item| match &item.inner {
            ItemEnum::AssocType { type_: Some(ty), .. } if item.name.as_deref() == Some("Item") => Some(ty),
            _ => None,
        })
    }

    /// The plainest type that a value is made from by `From`, as a signature has it.
    pub(crate) fn plain_origin(&self, document: &'d Crate) -> Option<String> {
        let froms = self.of_trait("From").filter_map(|(own, path)| {
            let origin = *arguments(path).first()?;
            Speller::new(document, Bounds::default(), Some(&own.for_)).spell(origin).ok()
        });
        let is_plain = |spelled: &String| !spelled.contains(['<', '(']);
        // Numbers before texts: they reach more values.
        froms
            .filter(is_plain)
            .min_by_key(|spelled| (spelled.contains("str") || spelled.contains("String"), spelled.len()))
    }

    /// The expression that shows a value of the type.
    pub(crate) fn shown(&self, value: &str) -> Option<String> {
        match (self.has("Display"), self.has("Debug")) {
            (true, _) => Some(format!("{value}.to_string()")),
            (_, true) => Some(format!("format!(\"{{:?}}\", {value})")),
            _ => None,
        }
    }
}

/// A name that a parameter can have.
pub(crate) fn plain(name: &str) -> String {
    let kept: String =
        name.trim_start_matches('_').chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    match kept.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => kept,
        _ => format!("x{kept}"),
    }
}

pub(crate) fn function(item: &Item) -> Option<&Function> {
    match &item.inner {
        ItemEnum::Function(function) => Some(function),
        _ => None,
    }
}
