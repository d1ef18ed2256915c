//! From the types of a signature in Rust to those that relations know: what a parameter is made of, and what is told of a result.
//!
//! A parameter that is no value of the language is made of several: an own type of its constructor's parameters, an `Option` of a `bool` that says
//! whether there is a value. What a function changes through `&mut` is a part of what the call returns.

mod own_values;

use rustdoc_types::{Crate, GenericBound, Path, Type};

use crate::bounds::is_number;
use crate::own_types::{Own, plain};
use crate::rust_type::{arguments, item, last, traits, written};
use crate::spell::Speller;

/// How deep parameters are made of parameters: a value of an own type, of values of other own types, of an `Option`. Few types need more, and a type
/// that is made of itself has an end.
const DEEPEST: usize = 6;

/// What a parameter is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made {
    /// The names with their types, as a signature has them.
    pub(crate) parameters: Vec<(String, String)>,
    /// What is done before the call.
    pub(crate) before: String,
    /// The argument.
    pub(crate) expression: String,
    /// The parameters that choose a variant of an enum, with how many there are.
    pub(crate) variants: Vec<(String, usize)>,
    /// What the call leaves behind.
    pub(crate) after: Vec<Told>,
}

/// What is told of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// The type, as a signature has it.
    pub(crate) ty: String,
    pub(crate) expression: String,
}

/// Conversions where `Self` and the type parameters are known.
pub(crate) struct Conversions<'d, 'o> {
    pub(crate) document: &'d Crate,
    pub(crate) own: &'o [Own<'d>],
    pub(crate) speller: Speller<'d>,
    depth: usize,
}

impl<'d, 'o> Conversions<'d, 'o> {
    pub(crate) fn new(document: &'d Crate, own: &'o [Own<'d>], speller: Speller<'d>) -> Self {
        Conversions { document, own, speller, depth: 0 }
    }

    /// The same for a constructor of a type.
    pub(crate) fn within(&self, speller: Speller<'d>) -> Conversions<'d, 'o> {
        Conversions { document: self.document, own: self.own, speller, depth: self.depth + 1 }
    }

    /// What a parameter is made of.
    ///
    /// # Errors
    /// The part of its type that cannot be made, as Rust writes it.
    pub(crate) fn argument(&mut self, name: &str, ty: &'d Type) -> Result<Made, String> {
        let part = match self.speller.spell(ty) {
            // Options and tuples are types of results alone.
            Ok(spelled) if !is_compound(&spelled) && has_plain_elements(&spelled) => {
                let parameters = vec![(name.to_owned(), spelled)];
                return Ok(Made { parameters, expression: name.to_owned(), ..Made::default() });
            }
            Ok(spelled) => spelled,
            Err(part) => part,
        };
        if self.depth >= DEEPEST {
            return Err(part);
        }
        self.depth += 1;
        let made = self.composed(name, ty);
        self.depth -= 1;
        made.ok_or(part)
    }

    /// What several parameters are made of together, with the argument for each.
    ///
    /// # Errors
    /// Which of them cannot be made, and why.
    pub(crate) fn arguments(
        &mut self,
        inputs: impl Iterator<Item = (String, &'d Type)>,
    ) -> Result<(Made, Vec<String>), String> {
        let (mut all, mut expressions) = (Made::default(), Vec::new());
        for (name, ty) in inputs {
            let made = self.argument(&name, ty).map_err(|part| {
                format!("`{}: {}`: {part} is no type of a signature", plain(&name), written(ty))
            })?;
            expressions.push(made.expression);
            all.parameters.extend(made.parameters);
            all.before += &made.before;
            all.variants.extend(made.variants);
            all.after.extend(made.after);
        }
        Ok((all, expressions))
    }

    fn composed(&mut self, name: &str, ty: &'d Type) -> Option<Made> {
        match ty {
            Type::BorrowedRef { is_mutable: true, type_, .. } => self.changed(name, type_),
            Type::BorrowedRef { type_, .. } => {
                if let Type::Slice(element) = &**type_ {
                    return self.lines(name, element, "&");
                }
                let made = self.argument(name, type_).ok()?;
                Some(Made { expression: format!("&{}", made.expression), ..made })
            }
            ty if let Some(own) = self.own_type(ty) => self.of_own(own, name),
            Type::Primitive(wide) if wide == "i128" => Some(widened(name, "i64", wide)),
            Type::Primitive(wide) if wide == "u128" => Some(widened(name, "u64", wide)),
            Type::Tuple(parts) => {
                let named = parts.iter().enumerate().map(|(index, part)| (format!("{name}_{index}"), part));
                let (made, parts) = self.arguments(named).ok()?;
                Some(Made { expression: format!("({},)", parts.join(", ")), ..made })
            }
            Type::ResolvedPath(path) => self.path(name, path),
            Type::Generic(parameter) => self.into(name, &self.speller.bounds.all(parameter)),
            Type::ImplTrait(bounds) => self.into(name, &bounds.iter().collect::<Vec<_>>()),
            _ => None,
        }
    }

    /// What is turned into a value of an own type, by the function itself: a plain value that the type is made from, or a value of the type.
    fn into(&mut self, name: &str, bounds: &[&'d GenericBound]) -> Option<Made> {
        let path = traits(bounds.iter().copied()).find(|path| last(path) == "Into")?;
        let target = *arguments(path).first()?;
        let own = self.own_type(target)?;
        match own.plain_origin(self.document) {
            Some(spelled) => {
                let parameters = vec![(name.to_owned(), spelled)];
                Some(Made { parameters, expression: name.to_owned(), ..Made::default() })
            }
            None => self.of_own(own, name),
        }
    }

    /// What a function changes in place: the value afterwards is told too.
    fn changed(&mut self, name: &str, ty: &'d Type) -> Option<Made> {
        let kept = format!("{name}_");
        let (mut made, value, told) = match ty {
            Type::Slice(element) => {
                let spelled = self.speller.spell(element).ok()?;
                let ty = format!("Vec<{spelled}>");
                let made = Made { parameters: vec![(name.to_owned(), ty.clone())], ..Made::default() };
                (made, name.to_owned(), Some(Told { ty, expression: kept.clone() }))
            }
            _ => {
                let made = self.argument(name, ty).ok()?;
                // Of a value that shows nothing, what the call returns is told alone.
                let (value, told) = (made.expression.clone(), self.told(ty, &kept).ok());
                (made, value, told)
            }
        };
        made.before += &format!("let mut {kept} = {value}; ");
        made.expression = format!("&mut {kept}");
        made.after.extend(told);
        Some(made)
    }

    fn path(&mut self, name: &str, path: &'d Path) -> Option<Made> {
        let inner = *arguments(path).first()?;
        match last(path) {
            "Option" => {
                let mut made = self.argument(name, inner).ok()?;
                let given = format!("{name}_is_some");
                // What is done before the call is done whether there is a value or not; nothing that may fail is.
                made.expression = format!("{given}.then(|| {})", made.expression);
                made.parameters.insert(0, (given, "bool".to_owned()));
                made.after.is_empty().then_some(made)
            }
            "Vec" => self.lines(name, inner, ""),
            _ => None,
        }
    }

    /// A sequence of texts is made of the lines of one.
    fn lines(&mut self, name: &str, element: &'d Type, by: &str) -> Option<Made> {
        let spelled = self.speller.spell(element).ok()?;
        let each = match spelled.as_str() {
            "&str" => "",
            "String" | "Cow<str>" | "Box<str>" => ".map(Into::into)",
            _ => return None,
        };
        let element = spelled.replace("Cow<str>", "std::borrow::Cow<str>");
        Some(Made {
            parameters: vec![(name.to_owned(), "&str".to_owned())],
            expression: format!("{by}{name}.split('\\n'){each}.collect::<Vec<{element}>>()"),
            ..Made::default()
        })
    }

    /// What is told of a value that a call gives.
    ///
    /// # Errors
    /// The part of its type of which nothing can be told, as Rust writes it.
    pub(crate) fn told(&mut self, ty: &'d Type, value: &str) -> Result<Told, String> {
        // A parameter that is an `impl Trait` takes what one chooses; of a result only the trait is known.
        let spelled = match ty {
            Type::ImplTrait(_) => Err(written(ty)),
            ty => self.speller.spell(ty),
        };
        let part = match spelled {
            Ok(spelled) if has_plain_elements(&spelled) => {
                return Ok(Told { ty: spelled, expression: value.to_owned() });
            }
            Ok(spelled) => spelled,
            Err(part) => part,
        };
        self.shown(ty, value).ok_or(part)
    }

    fn shown(&mut self, ty: &'d Type, value: &str) -> Option<Told> {
        let text = |expression| Some(Told { ty: "String".to_owned(), expression });
        if let Some(own) = self.own_type(ty) {
            // What an iterator gives says more than what it is.
            let item = own
                .item(self.document)
                .filter(|_| !own.has("Display") && !matches!(ty, Type::BorrowedRef { .. }));
            return match item {
                Some(item) => self.collected(item, value),
                None => own.shown(value).and_then(text),
            };
        }
        match ty {
            Type::Primitive(wide) if wide == "i128" || wide == "u128" => text(format!("{value}.to_string()")),
            Type::BorrowedRef { type_, .. } => self.shown(type_, value),
            Type::Slice(element) | Type::Array { type_: element, .. } => self.joined(element, value),
            Type::Tuple(parts) => {
                let names: Vec<String> = (0..parts.len()).map(|index| format!("part_{index}")).collect();
                let told: Option<Vec<Told>> =
                    parts.iter().zip(&names).map(|(part, name)| self.told(part, name).ok()).collect();
                let told = together(told?);
                let expression = format!("{{ let ({},) = {value}; {} }}", names.join(", "), told.expression);
                Some(Told { expression, ..told })
            }
            Type::ImplTrait(bounds) => {
                let path = traits(bounds.iter()).find(|path| last(path) == "Iterator");
                self.collected(item(path?)?, value)
            }
            Type::ResolvedPath(path) => {
                let inner = *arguments(path).first()?;
                match last(path) {
                    outer @ ("Option" | "Result") => {
                        let told = self.told(inner, "value").ok()?;
                        let error = if outer == "Result" { ", Shown" } else { "" };
                        let expression = format!("{value}.map(|value| {})", told.expression);
                        Some(Told { ty: format!("{outer}<{}{error}>", told.ty), expression })
                    }
                    "Vec" | "BTreeSet" => self.joined(inner, value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Texts, and what is shown as one, as the lines of a text.
    fn joined(&mut self, element: &'d Type, value: &str) -> Option<Told> {
        let told = self.told(element, "value").ok()?;
        let line = match told.ty.as_str() {
            "&str" | "String" | "Cow<str>" | "Box<str>" | "&String" => {
                format!("{}.to_string()", told.expression)
            }
            _ => return None,
        };
        let expression = format!("{value}.iter().map(|value| {line}).collect::<Vec<String>>().join(\"\\n\")");
        Some(Told { ty: "String".to_owned(), expression })
    }

    /// What an iterator gives: a text of characters, a sequence, or lines.
    fn collected(&mut self, element: &'d Type, value: &str) -> Option<Told> {
        let told = self.told(element, "value").ok()?;
        let (ty, end) = match told.ty.as_str() {
            "char" => ("String".to_owned(), "collect::<String>()"),
            "&str" | "String" | "Cow<str>" | "Box<str>" => {
                let each = format!("{value}.map(|value| {}.to_string())", told.expression);
                let expression = format!("{each}.collect::<Vec<String>>().join(\"\\n\")");
                return Some(Told { ty: "String".to_owned(), expression });
            }
            spelled if !is_compound(spelled) && !spelled.contains(['&', '[', '<']) => {
                (format!("Vec<{spelled}>"), "collect::<Vec<_>>()")
            }
            _ => return None,
        };
        Some(Told { ty, expression: format!("{value}.map(|value| {}).{end}", told.expression) })
    }

    fn own_type(&self, ty: &Type) -> Option<&'o Own<'d>> {
        let own = self.speller.own;
        self.own.iter().find(|found| found.is(ty, own))
    }
}

/// Several things that are told of one call, as one: a tuple, if there are more than one.
pub(crate) fn together(mut told: Vec<Told>) -> Told {
    if told.len() == 1 {
        return told.remove(0);
    }
    let list = |part: fn(&Told) -> &str| told.iter().map(part).collect::<Vec<_>>().join(", ");
    Told {
        ty: format!("({})", list(|told| &told.ty)),
        expression: format!("({})", list(|told| &told.expression)),
    }
}

/// Whether a type is one of results alone.
fn is_compound(spelled: &str) -> bool {
    ["Option<", "Result<", "("].iter().any(|compound| spelled.trim_start_matches('&').starts_with(compound))
}

/// Whether the elements of all sequences in a type are scalars: relations know no other sequences.
fn has_plain_elements(spelled: &str) -> bool {
    let behind = |opening: &'static str| {
        spelled.match_indices(opening).map(move |(at, _)| &spelled[at + opening.len()..])
    };
    let element =
        |rest: &str| rest.find([']', '>', ';', ',']).is_some_and(|end| is_scalar(rest[..end].trim()));
    behind("[").all(element) && behind("Vec<").all(|rest| rest.starts_with('[') || element(rest))
}

fn is_scalar(name: &str) -> bool {
    name == "bool" || is_number(name)
}

/// A number of 128 bits is made of one that has half as many.
fn widened(name: &str, narrow: &str, wide: &str) -> Made {
    let parameters = vec![(name.to_owned(), narrow.to_owned())];
    Made { parameters, expression: format!("{wide}::from({name})"), ..Made::default() }
}
