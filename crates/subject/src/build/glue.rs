//! Glue for a crate: generated, so that its functions are tested as they are.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::products::{cache_folder, put};
use super::{BuildError, Refused, file, glue_package, panics, refused};
use crate::{
    CrateSource, Form, Function, Lowering, Manifest, Passing, ResultLowering, RustCall, Spelling, Written,
};
use dodona_target::{Kind, Output, OutputName, Type, fnv1a};

/// The folder of the user's cache that holds glue. Debug information tells glue from the code under test by this name.
pub(crate) const FOLDER: &str = "dodona-glue";

/// The lines before the first function, and those that each function takes.
const HEADING: &str = "#[repr(C)]\npub struct Returned { data: *mut u8, length: usize }\n";
const LINES: usize = 2;

/// Any value as the text that it shows itself as: by `Display`, else by `Debug`, else not at all. The method is that of the first of these
/// types whose bounds the value meets, because the compiler adds references one at a time in its search for a method.
const SHOWN: &str = r#"
#[allow(dead_code)]
mod dodona_shown {
    pub struct Shown<'a, T>(pub &'a T);
    pub trait ByDisplay { fn shown(&self) -> String; }
    pub trait ByDebug { fn shown(&self) -> String; }
    pub trait ByNothing { fn shown(&self) -> String; }
    impl<T: core::fmt::Display> ByDisplay for &&Shown<'_, T> { fn shown(&self) -> String { format!("{}", self.0) } }
    impl<T: core::fmt::Debug> ByDebug for &Shown<'_, T> { fn shown(&self) -> String { format!("{:?}", self.0) } }
    impl<T> ByNothing for Shown<'_, T> { fn shown(&self) -> String { core::any::type_name::<T>().into() } }
}
"#;

/// A crate around functions of another.
#[derive(Clone, Copy)]
pub(super) struct Glue<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) source: &'a CrateSource,
}

impl Glue<'_> {
    /// Writes a crate that exports the manifest's functions and returns its folder.
    pub(super) fn write(&self) -> Result<PathBuf, BuildError> {
        let crate_file = glue_package::cargo_toml(self.source)?;
        let code = self.code()?;
        let key = fnv1a(format!("{crate_file}{code}").as_bytes());
        let folder = cache_folder().join(FOLDER).join(format!("{}-{key:016x}", self.source.package));
        let source = folder.join("src");
        std::fs::create_dir_all(&source).map_err(file("create", &source))?;
        put(&folder.join("Cargo.toml"), crate_file.as_bytes())?;
        put(&source.join("lib.rs"), code.as_bytes())?;
        glue_package::lock(self.source, &folder)?;
        Ok(folder)
    }

    fn code(&self) -> Result<String, BuildError> {
        let mut code = HEADING.to_owned();
        for ((function, call), types) in self.functions().zip(&self.source.types) {
            write_function(&mut code, function, call, types)?;
        }
        Ok(code + SHOWN + panics::HOOK)
    }

    fn functions(&self) -> impl Iterator<Item = (&Function, &RustCall)> {
        self.manifest.functions.iter().zip(&self.source.calls)
    }

    /// What the compiler says of the glue, in terms of the manifest: nobody wrote that code.
    pub(super) fn explained(&self, error: BuildError) -> BuildError {
        let BuildError::Failed { command, output } = error else { return error };
        let refusals = refused::read(&output);
        let first = HEADING.lines().count() + 1;
        let function = |line: usize| self.functions().nth(line.checked_sub(first)? / LINES);
        let told = refusals.iter().filter_map(|refusal| {
            let (function, call) = function(refusal.line)?;
            let words = refused::words(refusal, &function.name, &call.to_string(), self.source);
            Some(Refused { function: function.name.clone(), words })
        });
        let mut told: Vec<Refused> = told.collect();
        told.dedup();
        match told.is_empty() {
            true => BuildError::Failed { command, output },
            false => BuildError::Refused(told),
        }
    }
}

fn write_function(
    code: &mut String,
    function: &Function,
    call: &RustCall,
    types: &[Written],
) -> Result<(), BuildError> {
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    let mut named = String::new();
    for (i, p) in function.parameters.iter().enumerate() {
        let spelling = types.get(i).and_then(Written::value);
        let (parameter, value) = spelling
            .and_then(|spelling| argument(i, spelling, &function.lowerings[i]))
            .ok_or_else(|| unsupported(function, &format!("parameter `{}`", p.name)))?;
        if let (RustCall::Expression(_), Some(spelling)) = (call, spelling) {
            // Writing to a `String` cannot fail.
            let _ = write!(named, "let {}{} = {value}; ", p.name, made_for_name(spelling));
        }
        parameters.push(parameter);
        values.push(value);
    }
    let call = match call {
        RustCall::Path(path) => format!("{path}({})", values.join(", ")),
        // A block alone would end the expression that it begins.
        RustCall::Expression(expression) => format!("({{ {named}{expression} }})"),
    };
    let (returns, body) = returned(function, &call, types.get(function.parameters.len()))
        .ok_or_else(|| unsupported(function, "the result"))?;
    if let ResultLowering::Record(_) = function.result {
        parameters.insert(0, "slots: *mut u64".to_owned());
    }
    // Its name is one that no library has: the crate and the standard library link against those of C.
    let export = &function.export;
    let is_name = export.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(unsupported(function, &format!("the export name `{}`", function.symbol())));
    }
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        code,
        "#[no_mangle]\npub extern \"C\" fn {export}({}){returns} {{ {body} }}",
        parameters.join(", ")
    );
    Ok(())
}

/// The type that a value is made for which an expression knows by the name of its parameter.
fn made_for_name(spelling: &Spelling) -> String {
    let by = if spelling.reference { "&" } else { "" };
    match (spelling.ty, spelling.form) {
        (Type::Text, Form::OwnedText) => format!(": {by}String"),
        (Type::Sequence(_), Form::Owned) => format!(": {by}Vec<{}>", spelling.scalar.clone()),
        _ => String::new(),
    }
}

/// The parameters of the export for one of the function, and the value that is handed on.
fn argument(i: usize, spelling: &Spelling, lowering: &Lowering) -> Option<(String, String)> {
    let scalar = spelling.scalar.clone();
    let by = |value: String| if spelling.reference { format!("&{value}") } else { value };
    match lowering {
        Lowering::Value => {
            let value = match spelling.form {
                Form::NonZero => by(format!("::core::num::NonZero::<{scalar}>::new(a{i}).unwrap()")),
                Form::Ordering => by(format!("a{i}.cmp(&0)")),
                Form::Duration => by(format!("::core::time::Duration::from_nanos(a{i})")),
                _ => by(format!("a{i}")),
            };
            Some((format!("a{i}: {scalar}"), value))
        }
        Lowering::PointerLength(passing) => {
            let (mutable, slice, access) = match passing {
                Passing::In => ("const", "from_raw_parts", "&"),
                Passing::InOut => ("mut", "from_raw_parts_mut", "&mut "),
            };
            let element = if spelling.ty == Type::Text { "u8" } else { &scalar };
            let data = format!("unsafe {{ ::core::slice::{slice}(a{i}, n{i}) }}");
            let text = || format!("::core::str::from_utf8({data}).unwrap()");
            let value = match (spelling.ty, spelling.form) {
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
            };
            Some((format!("a{i}: *{mutable} {element}, n{i}: usize"), value))
        }
        _ => None,
    }
}

/// What the export returns, and its code.
fn returned(function: &Function, call: &str, ty: Option<&Written>) -> Option<(String, String)> {
    if let ResultLowering::None = function.result {
        return Some((String::new(), format!("{call};")));
    }
    let ty = ty?;
    if let ResultLowering::Record(outputs) = &function.result {
        let store = stored(ty, "value", "", outputs)?;
        let clear = format!("unsafe {{ ::core::ptr::write_bytes(slots, 0, {}) }};", outputs.len());
        return Some((String::new(), format!("let value = {call}; {clear} {store}")));
    }
    let spelling = ty.value()?;
    let scalar = spelling.scalar.clone();
    Some(match &function.result {
        ResultLowering::Value(_) => (format!(" -> {scalar}"), number(spelling, call)),
        ResultLowering::ReturnPointer(_) => {
            let body = format!(
                "let mut value: {} = {}; let returned = Returned {{ data: value.{}, length: value.len() }}; \
                 ::core::mem::forget(value); returned",
                owned(spelling),
                made(spelling, call),
                pointer(spelling.ty),
            );
            (" -> Returned".to_owned(), body)
        }
        _ => return None,
    })
}

/// A number as its export returns it.
fn number(spelling: &Spelling, value: &str) -> String {
    let value = match spelling.form {
        Form::NonZero => format!("{value}.get()"),
        Form::Ordering => format!("{value} as i8"),
        // Longer ones, of more than five centuries, are all the longest.
        Form::Duration => format!("{value}.as_nanos().min(u64::MAX as u128) as u64"),
        _ => value.to_owned(),
    };
    if spelling.reference { format!("*{value}") } else { value }
}

/// The type that owns the elements of a sequence or the characters of a text.
fn owned(spelling: &Spelling) -> String {
    match spelling.ty {
        Type::Text => "String".to_owned(),
        _ => format!("Vec<{}>", spelling.scalar.clone()),
    }
}

/// A value of that type.
fn made(spelling: &Spelling, value: &str) -> String {
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

fn pointer(ty: Type) -> &'static str {
    match ty {
        Type::Text => "as_mut_str().as_mut_ptr().cast()",
        _ => "as_mut_ptr().cast()",
    }
}

/// The code that writes a value into the slots of its outputs; `path` is that of the value.
fn stored(ty: &Written, value: &str, path: &str, outputs: &[Output]) -> Option<String> {
    let at = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    let slot = |path: &str| {
        let name = if path.is_empty() { OutputName::Return } else { OutputName::Part(path.to_owned()) };
        outputs.iter().position(|output| output.name == name)
    };
    let write = |slot: usize, bits: &str| format!("unsafe {{ *slots.add({slot}) = {bits}; }}");
    // A name of its own for each place: `value` may be used again behind what it is taken apart into.
    let inner = format!("{value}_");
    Some(match ty {
        Written::Value(spelling) => {
            let slot = slot(path)?;
            match spelling.ty {
                Type::Scalar(scalar) => {
                    let rust = spelling.scalar.clone();
                    let bits = match scalar.kind() {
                        Kind::Float => "number.to_bits() as u64",
                        _ => "number as u64",
                    };
                    format!("let number: {rust} = {}; {}", number(spelling, value), write(slot, bits))
                }
                _ => format!(
                    "let mut items: {} = {}; {} ::core::mem::forget(items);",
                    owned(spelling),
                    made(spelling, value),
                    write(
                        slot,
                        &format!(
                            "(items.{} as *mut u8 as usize as u64) | (items.len() as u64) << 32",
                            pointer(spelling.ty)
                        )
                    )
                ),
            }
        }
        Written::Option(some) => format!(
            "if let Some({inner}) = {value} {{ {} {} }}",
            write(slot(&at("is_some"))?, "1"),
            stored(some, &inner, path, outputs)?
        ),
        Written::Result(ok, err) => format!(
            "match {value} {{ Ok({inner}) => {{ {} {} }} Err({inner}) => {{ {} }} }}",
            write(slot(&at("is_ok"))?, "1"),
            stored(ok, &inner, path, outputs)?,
            stored(err, &inner, &at("err"), outputs)?
        ),
        Written::Tuple(parts) => {
            let names: Vec<String> = (0..parts.len()).map(|index| format!("{inner}{index}")).collect();
            let mut code = match names.as_slice() {
                [] => format!("let () = {value};"),
                names => format!("let ({},) = {value};", names.join(", ")),
            };
            for (index, (part, name)) in parts.iter().zip(&names).enumerate() {
                code += &format!(" {{ {} }}", stored(part, name, &at(&index.to_string()), outputs)?);
            }
            code
        }
    })
}

fn unsupported(function: &Function, what: &str) -> BuildError {
    BuildError::Unsupported(format!(
        "no glue can be generated for {what} of `{}`: scalars, slices and text by pointer-length, and results by value or \
         return-pointer can; write a small crate around it and name that with [build] rust = \"…\"",
        function.name
    ))
}
