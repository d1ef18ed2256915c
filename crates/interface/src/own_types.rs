//! Values of a crate's own types: how they are made from values that a signature can have, and how they are shown.

use rustdoc_types::{
    Attribute, Crate, Function, Id, Impl, Item, ItemEnum, StructKind, Type, VariantKind, Visibility,
};

use crate::bounds::Bounds;
use crate::conversions::{Conversions, Made};
use crate::public::Public;
use crate::spell::Speller;

/// A public type of the crate.
pub(crate) struct Own<'d> {
    pub(crate) path: String,
    id: Id,
    impls: Vec<&'d Impl>,
    /// The paths of the variants, if it is an enum of variants without fields.
    variants: Option<Vec<String>>,
    /// The fields, if it is a struct with names for them and nothing hides one.
    fields: Option<Vec<Id>>,
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

    /// Whether the type has a trait of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        let is_it =
            |own: &&Impl| own.trait_.as_ref().is_some_and(|path| path.path.rsplit("::").next() == Some(name));
        self.impls.iter().any(is_it)
    }

    /// What the type gives as an iterator, if it is one.
    pub(crate) fn item(&self, document: &'d Crate) -> Option<&'d Type> {
        let is_iterator = |own: &&&Impl| {
            own.trait_.as_ref().is_some_and(|path| path.path.rsplit("::").next() == Some("Iterator"))
        };
        let own = self.impls.iter().find(is_iterator)?;
        own.items.iter().filter_map(|id| document.index.get(id)).find_map(|item| match &item.inner {
            ItemEnum::AssocType { type_: Some(ty), .. } if item.name.as_deref() == Some("Item") => Some(ty),
            _ => None,
        })
    }

    /// The plainest type that a value is made from by `From`, as a signature has it.
    pub(crate) fn plain_origin(&self, document: &'d Crate) -> Option<String> {
        let froms = self.impls.iter().filter_map(|own| {
            let path = own.trait_.as_ref().filter(|path| path.path.rsplit("::").next() == Some("From"))?;
            let origin = *crate::rust_type::arguments(path).first()?;
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

    /// How a value is made for a parameter of this name, by value or, where the type is a reference, by reference.
    pub(crate) fn made(&self, conversions: &Conversions<'d, '_>, name: &str) -> Option<Made> {
        let document = conversions.document;
        if let Some(variants) = &self.variants {
            return Some(of_variants(name, variants));
        }
        let constructors = self.inherent().flat_map(|own| {
            own.items
                .iter()
                .filter_map(|id| document.index.get(id))
                .filter_map(move |item| Some((own, item, function(item)?)))
        });
        let mut best: Option<(usize, Made)> = None;
        for (own, item, function) in constructors {
            let Some(made) = self.constructed(conversions, own, item, function, name) else { continue };
            // `new` before others, and more parameters before fewer: they reach more values.
            let rank = match item.name.as_deref() {
                Some("new") => 100,
                Some(other) if other.starts_with("new") || other.starts_with("from") => 50,
                _ => 10,
            } + made.parameters.len().min(9);
            if !made.parameters.is_empty() && best.as_ref().is_none_or(|(before, _)| rank > *before) {
                best = Some((rank, made));
            }
        }
        if let Some((_, made)) = best {
            return Some(made);
        }
        if let Some(made) = self.literal(conversions, name) {
            return Some(made);
        }
        if self.has("FromStr") {
            let expression = format!("{name}.parse::<{}>().unwrap()", self.path);
            let parameters = vec![(name.to_owned(), "&str".to_owned())];
            return Some(Made { parameters, expression, ..Made::default() });
        }
        self.has("Default").then(|| Made {
            expression: format!("<{} as ::core::default::Default>::default()", self.path),
            ..Made::default()
        })
    }

    /// The value that a function of the type makes which takes no value of it.
    fn constructed(
        &self,
        conversions: &Conversions<'d, '_>,
        own: &'d Impl,
        item: &'d Item,
        function: &'d Function,
        name: &str,
    ) -> Option<Made> {
        if !matches!(item.visibility, Visibility::Public)
            || function.header.is_unsafe
            || function.header.is_async
        {
            return None;
        }
        let behind = self.unwrapped(function.sig.output.as_ref()?)?;
        let bounds = Bounds::of(&[&own.generics, &function.generics]);
        let speller = Speller::new(conversions.document, bounds, Some(&own.for_));
        let inputs = function.sig.inputs.iter().map(|(name, ty)| (name.as_str(), ty));
        let (mut made, arguments) = parts(conversions.within(speller), name, inputs)?;
        made.expression = format!("{}::{}({}){behind}", self.path, item.name.as_ref()?, arguments.join(", "));
        Some(made)
    }

    /// The value that is written with all its fields, if all are public.
    fn literal(&self, conversions: &Conversions<'d, '_>, name: &str) -> Option<Made> {
        let document = conversions.document;
        let fields = self.fields.as_ref().filter(|fields| !fields.is_empty())?;
        let field = |id: &Id| {
            let item = document.index.get(id)?;
            let ItemEnum::StructField(ty) = &item.inner else { return None };
            matches!(item.visibility, Visibility::Public).then_some((item.name.as_deref()?, ty))
        };
        let fields: Vec<(&'d str, &'d Type)> = fields.iter().map(field).collect::<Option<_>>()?;
        let speller = Speller::new(document, Bounds::default(), None);
        let (mut made, values) = parts(conversions.within(speller), name, fields.iter().copied())?;
        let written: Vec<String> =
            fields.iter().zip(&values).map(|((field, _), value)| format!("{field}: {value}")).collect();
        // In brackets: it may stand where a block may.
        made.expression = format!("({} {{ {} }})", self.path, written.join(", "));
        Some(made)
    }

    /// What stands behind a call that returns the type, if it does: `.unwrap()` where it may return none.
    fn unwrapped(&self, output: &Type) -> Option<&'static str> {
        let is_own = |ty: &Type| self.is(ty, None) || matches!(ty, Type::Generic(name) if name == "Self");
        match output {
            ty if is_own(ty) && !matches!(ty, Type::BorrowedRef { .. }) => Some(""),
            Type::ResolvedPath(path) => {
                let name = path.path.rsplit("::").next();
                let first = crate::rust_type::arguments(path).first().copied()?;
                (matches!(name, Some("Option" | "Result")) && is_own(first)).then_some(".unwrap()")
            }
            _ => None,
        }
    }
}

/// What the parameters of a constructor, or fields, are made of, with their values; nothing where one is `self`, or is changed in place.
fn parts<'d>(
    mut conversions: Conversions<'d, '_>,
    name: &str,
    inputs: impl Iterator<Item = (&'d str, &'d Type)>,
) -> Option<(Made, Vec<String>)> {
    let (mut all, mut values) = (Made::default(), Vec::new());
    for (input, ty) in inputs {
        if input == "self" {
            return None;
        }
        let made = conversions.argument(&format!("{name}_{}", plain(input)), ty).ok()?;
        values.push(made.expression.clone());
        all.add(made);
    }
    all.after.is_empty().then_some((all, values))
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

/// A number chooses the variant.
fn of_variants(name: &str, variants: &[String]) -> Made {
    let last = variants.len() - 1;
    let arms: Vec<String> = variants
        .iter()
        .enumerate()
        .map(
            |(index, path)| if index == last { format!("_ => {path}") } else { format!("{index} => {path}") },
        )
        .collect();
    Made {
        parameters: vec![(name.to_owned(), "u8".to_owned())],
        expression: format!("(match {name} {{ {} }})", arms.join(", ")),
        variants: vec![(name.to_owned(), variants.len())],
        ..Made::default()
    }
}

pub(crate) fn function(item: &Item) -> Option<&Function> {
    match &item.inner {
        ItemEnum::Function(function) => Some(function),
        _ => None,
    }
}
