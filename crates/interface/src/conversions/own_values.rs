//! Values of a crate's own types, made of what a signature can have: by a constructor, field by field, from text, or by default.

use rustdoc_types::{Function, Id, Impl, Item, ItemEnum, Type, Visibility};

use super::{Conversions, Made};
use crate::bounds::Bounds;
use crate::own_types::{Own, function, plain};
use crate::rust_type::{arguments, last};
use crate::spell::Speller;

impl<'d> Conversions<'d, '_> {
    /// How a value of a type is made for a parameter of this name.
    pub(crate) fn of_own(&self, own: &Own<'d>, name: &str) -> Option<Made> {
        if let Some(variants) = &own.variants {
            return Some(of_variants(name, variants));
        }
        let made = self.by_constructor(own, name).or_else(|| self.literal(own, name));
        made.or_else(|| {
            let expression = format!("{name}.parse::<{}>().unwrap()", own.path);
            let parameters = vec![(name.to_owned(), "&str".to_owned())];
            own.has("FromStr").then(|| Made { parameters, expression, ..Made::default() })
        })
        .or_else(|| {
            let expression = format!("<{} as ::core::default::Default>::default()", own.path);
            own.has("Default").then(|| Made { expression, ..Made::default() })
        })
    }

    /// By the best of the functions of the type that take no value of it.
    fn by_constructor(&self, own: &Own<'d>, name: &str) -> Option<Made> {
        let mut best: Option<(usize, Made)> = None;
        for within in own.inherent() {
            for item in within.items.iter().filter_map(|id| self.document.index.get(id)) {
                let made = function(item).and_then(|by| self.constructed(own, (within, item, by), name));
                let Some(made) = made.filter(|made| !made.parameters.is_empty()) else { continue };
                // `new` before others, and more parameters before fewer: they reach more values.
                let rank = match item.name.as_deref() {
                    Some("new") => 100,
                    Some(other) if other.starts_with("new") || other.starts_with("from") => 50,
                    _ => 10,
                } + made.parameters.len().min(9);
                if best.as_ref().is_none_or(|(before, _)| rank > *before) {
                    best = Some((rank, made));
                }
            }
        }
        best.map(|(_, made)| made)
    }

    fn constructed(
        &self,
        own: &Own<'d>,
        (within, item, by): (&'d Impl, &'d Item, &'d Function),
        name: &str,
    ) -> Option<Made> {
        let is_callable =
            matches!(item.visibility, Visibility::Public) && !by.header.is_unsafe && !by.header.is_async;
        let behind = unwrapped(own, by.sig.output.as_ref()?).filter(|_| is_callable)?;
        let bounds = Bounds::of(&[&within.generics, &by.generics]);
        let speller = Speller::new(self.document, bounds, Some(&within.for_));
        let inputs = by.sig.inputs.iter().map(|(name, ty)| (name.as_str(), ty));
        let (mut made, values) = self.parts(speller, name, inputs)?;
        made.expression = format!("{}::{}({}){behind}", own.path, item.name.as_ref()?, values.join(", "));
        Some(made)
    }

    /// The value that is written with all its fields, if all are public.
    fn literal(&self, own: &Own<'d>, name: &str) -> Option<Made> {
        let fields = own.fields.as_ref().filter(|fields| !fields.is_empty())?;
        let field = |id: &Id| {
            let item = self.document.index.get(id)?;
            let ItemEnum::StructField(ty) = &item.inner else { return None };
            matches!(item.visibility, Visibility::Public).then_some((item.name.as_deref()?, ty))
        };
        let fields: Vec<(&'d str, &'d Type)> = fields.iter().map(field).collect::<Option<_>>()?;
        let speller = Speller::new(self.document, Bounds::default(), None);
        let (mut made, values) = self.parts(speller, name, fields.iter().copied())?;
        let written: Vec<String> =
            fields.iter().zip(&values).map(|((field, _), value)| format!("{field}: {value}")).collect();
        // In brackets: it may stand where a block may.
        made.expression = format!("({} {{ {} }})", own.path, written.join(", "));
        Some(made)
    }

    /// What the parameters of a constructor, or fields, are made of, with their values; nothing where one is `self`, or is changed in place.
    fn parts(
        &self,
        speller: Speller<'d>,
        name: &str,
        inputs: impl Iterator<Item = (&'d str, &'d Type)> + Clone,
    ) -> Option<(Made, Vec<String>)> {
        if inputs.clone().any(|(input, _)| input == "self") {
            return None;
        }
        let named = inputs.map(|(input, ty)| (format!("{name}_{}", plain(input)), ty));
        let made = self.within(speller).arguments(named).ok();
        made.filter(|(made, _)| made.after.is_empty())
    }
}

/// What stands behind a call that returns a type, if it does: `.unwrap()` where it may return none.
fn unwrapped(own: &Own<'_>, output: &Type) -> Option<&'static str> {
    let is_own = |ty: &Type| own.is(ty, None) || matches!(ty, Type::Generic(name) if name == "Self");
    match output {
        Type::BorrowedRef { .. } => None,
        ty if is_own(ty) => Some(""),
        Type::ResolvedPath(path) => {
            let first = arguments(path).first().copied()?;
            (matches!(last(path), "Option" | "Result") && is_own(first)).then_some(".unwrap()")
        }
        _ => None,
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
