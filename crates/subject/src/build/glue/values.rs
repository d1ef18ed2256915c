//! Values in generated glue: how Rust makes an argument out of what crosses, and takes a result apart.
//!
//! What is written here is the same for a module and for a worker. Both have the arguments as `a0`, `a1`, …, those of sequences and texts as a
//! pointer with its length `n0`, `n1`, …, and both have `slots`, which takes the values of a result.

use crate::{Form, Lowering, Passing, Spelling, Written};
use dodona_target::{Output, OutputName, Type};

/// Any value as the text that it shows itself as: by `Display`, else by `Debug`, else not at all. The method is that of the first of these
/// types whose bounds the value meets, because the compiler adds references one at a time in its search for a method.
pub(super) const SHOWN: &str = include_str!("shown.rs");

/// The type that a value is made for which an expression knows by the name of its parameter.
pub(super) fn made_for_name(spelling: &Spelling) -> String {
    let by = if spelling.reference { "&" } else { "" };
    match (spelling.ty, spelling.form) {
        (Type::Text, Form::OwnedText) => format!(": {by}String"),
        (Type::Sequence(_), Form::Owned) => format!(": {by}Vec<{}>", spelling.scalar.clone()),
        _ => String::new(),
    }
}

/// The value that is handed on for a parameter.
pub(super) fn argument(i: usize, spelling: &Spelling, lowering: &Lowering) -> Option<String> {
    let scalar = spelling.scalar.clone();
    let by = |value: String| if spelling.reference { format!("&{value}") } else { value };
    match lowering {
        Lowering::Value => Some(match spelling.form {
            Form::NonZero => by(format!("::core::num::NonZero::<{scalar}>::new(a{i}).unwrap()")),
            Form::Ordering => by(format!("a{i}.cmp(&0)")),
            Form::Duration => by(format!("::core::time::Duration::from_nanos(a{i})")),
            _ => by(format!("a{i}")),
        }),
        Lowering::PointerLength(passing) => {
            let (slice, access) = match passing {
                Passing::In => ("from_raw_parts", "&"),
                Passing::InOut => ("from_raw_parts_mut", "&mut "),
            };
            let data = format!("unsafe {{ ::core::slice::{slice}(a{i}, n{i}) }}");
            let text = || format!("::core::str::from_utf8({data}).unwrap()");
            Some(match (spelling.ty, spelling.form) {
                (Type::Text, Form::Plain) => text(),
                (Type::Text, Form::Char) => by(format!("{}.chars().next().unwrap()", text())),
                (Type::Text, _) => by(format!("{}.into()", text())),
                (_, Form::Owned) if *passing == Passing::In => by(format!("{data}.into()")),
                // In place of an array, its elements: its length is the parameter's domain.
                (_, Form::Array(length)) if *passing == Passing::In => {
                    by(format!("<[{scalar}; {length}]>::try_from({data}).unwrap()"))
                }
                (_, Form::Plain) => format!("{access}*{data}"),
                _ => return None,
            })
        }
        _ => None,
    }
}

/// The type of the elements of a sequence or of the bytes of a text in memory.
pub(super) fn element(spelling: &Spelling) -> &str {
    if spelling.ty == Type::Text { "u8" } else { &spelling.scalar }
}

/// A number as it crosses.
pub(super) fn number(spelling: &Spelling, value: &str) -> String {
    let value = &if spelling.reference { format!("(*{value})") } else { value.to_owned() };
    match spelling.form {
        Form::NonZero => format!("{value}.get()"),
        Form::Ordering => format!("{value} as i8"),
        // Longer ones, of more than five centuries, are all the longest.
        Form::Duration => format!("{value}.as_nanos().min(u64::MAX as u128) as u64"),
        _ => value.clone(),
    }
}

/// The type that owns the elements of a sequence or the characters of a text.
pub(super) fn owned(spelling: &Spelling) -> String {
    match spelling.ty {
        Type::Text => "String".to_owned(),
        _ => format!("Vec<{}>", spelling.scalar.clone()),
    }
}

/// A value of that type.
pub(super) fn made(spelling: &Spelling, value: &str) -> String {
    match spelling.form {
        Form::Shown => format!(
            "{{ #[allow(unused_imports)] use dodona_shown::{{ByDebug as _, ByDisplay as _, ByNothing as _}}; \
             (&&&dodona_shown::Shown(&{value})).shown() }}"
        ),
        _ if spelling.ty == Type::Text && spelling.reference && spelling.form != Form::Plain => {
            format!("{value}.to_string()")
        }
        Form::Owned | Form::Array(_) if spelling.reference => format!("{value}.to_vec()"),
        _ => format!("{value}.into()"),
    }
}

/// Which of the outputs are written that say whether there is something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tags {
    /// Those that say so: slots without a value say no by themselves.
    Set,
    /// All, so that a value can be read without knowing where each output lies.
    All,
}

impl Tags {
    /// The code that says that something is not there.
    fn unset(self, slot: usize) -> Option<String> {
        (self == Tags::All).then(|| format!("slots.number({slot}, false); "))
    }
}

/// The code that writes a value into the slots of its outputs; `path` is that of the value.
pub(super) fn stored(
    ty: &Written,
    value: &str,
    path: &str,
    outputs: &[Output],
    tags: Tags,
) -> Option<String> {
    let at = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    let slot = |path: &str| {
        let name = if path.is_empty() { OutputName::Return } else { OutputName::Part(path.to_owned()) };
        outputs.iter().position(|output| output.name == name)
    };
    // A name of its own for each place: `value` may be used again behind what it is taken apart into.
    let inner = format!("{value}_");
    Some(match ty {
        Written::Value(spelling) => one(spelling, value, slot(path)?),
        Written::Option(some) => {
            let tag = slot(&at("is_some"))?;
            let there = stored(some, &inner, path, outputs, tags)?;
            let there = format!("if let Some({inner}) = {value} {{ slots.number({tag}, true); {there} }}");
            match tags.unset(tag) {
                Some(unset) => format!("{there} else {{ {unset} }}"),
                None => there,
            }
        }
        Written::Result(ok, err) => {
            let tag = slot(&at("is_ok"))?;
            let ok = stored(ok, &inner, path, outputs, tags)?;
            let err = tags.unset(tag).unwrap_or_default() + &stored(err, &inner, &at("err"), outputs, tags)?;
            format!(
                "match {value} {{ Ok({inner}) => {{ slots.number({tag}, true); {ok} }} Err({inner}) => {{ {err} }} }}"
            )
        }
        // Rust's tuples have no names, and manifests of crates are refused that give some.
        Written::Named(_) => return None,
        Written::Tuple(parts) => {
            let names: Vec<String> = (0..parts.len()).map(|index| format!("{inner}{index}")).collect();
            let mut code = match names.as_slice() {
                [] => format!("let () = {value};"),
                names => format!("let ({},) = {value};", names.join(", ")),
            };
            for (index, (part, name)) in parts.iter().zip(&names).enumerate() {
                code += &format!(" {{ {} }}", stored(part, name, &at(&index.to_string()), outputs, tags)?);
            }
            code
        }
    })
}

/// The code that writes one value into a slot.
fn one(spelling: &Spelling, value: &str, slot: usize) -> String {
    match spelling.ty {
        Type::Scalar(_) => {
            let (rust, number) = (&spelling.scalar, number(spelling, value));
            format!("let number: {rust} = {number}; slots.number({slot}, number);")
        }
        Type::Text => {
            let text = made(spelling, value);
            format!("let text: String = {text}; slots.items({slot}, text.into_bytes());")
        }
        Type::Sequence(_) => {
            let (owned, items) = (owned(spelling), made(spelling, value));
            format!("let items: {owned} = {items}; slots.items({slot}, items);")
        }
    }
}
