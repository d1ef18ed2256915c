//! A first manifest for a module, from its exports and, where it has them, the source's own types.

mod draft_names;

use std::fmt::Write as _;

use crate::module::Addresses;
use crate::{
    DebugInfo, DebugType, ExportKind, Module, SignatureResult, Subprogram, WasmType, Written,
    WrittenSignature,
};
use dodona_target::{Scalar, Type, on_one_line};
use draft_names::Names;

/// A manifest and a relation file to edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The text of the manifest.
    pub manifest: String,
    /// The text of the relation file.
    pub relations: String,
    /// How many functions were drafted.
    pub functions: usize,
    /// Exports left out, each with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Exports that serve the module's own runtime and are no functions to test.
const RUNTIME: [&str; 7] =
    ["_initialize", "malloc", "free", "calloc", "realloc", "cabi_realloc", "__wasm_call_ctors"];

/// A function as far as it can be guessed.
struct Guess {
    signature: WrittenSignature,
    /// Lines of the entry besides the signature: lowerings.
    lines: Vec<String>,
}

/// Writes a first manifest for the module in `file`, with relations in `NAME.mr`.
pub fn draft(module: &Module, name: &str, file: &str) -> Draft {
    let debug = module.debug_info();
    let addresses = Addresses::of(module);
    let mut manifest = header(name, file, debug.is_some());
    let mut left_out = Vec::new();
    let mut guesses = Vec::new();
    // Who has a name that relations can use keeps it, whatever stands before it.
    let mut names = Names::of(module.exports().iter().map(|export| export.name.as_str()));
    for export in module.exports() {
        let ExportKind::Function(index) = export.kind else { continue };
        if export.name == "_start" {
            guesses.push(command(names.free(name, 0)));
            continue;
        }
        if RUNTIME.contains(&export.name.as_str()) || export.name.starts_with("__") {
            left_out.push((export.name.clone(), "part of the language's runtime".to_owned()));
            continue;
        }
        match guess(module, debug.as_ref(), &addresses, names.function(&export.name), &export.name, index) {
            Ok(guess) => guesses.push(guess),
            Err(why) => left_out.push((export.name.clone(), why)),
        }
    }
    for guess in &guesses {
        write_entry(&mut manifest, guess, name);
    }
    for (export, why) in &left_out {
        let _ = writeln!(manifest, "\n# left out: {} ({})", on_one_line(export), on_one_line(why));
    }
    Draft { manifest, relations: relations(name, &guesses), functions: guesses.len(), left_out }
}

fn header(name: &str, file: &str, has_debug: bool) -> String {
    let source = match has_debug {
        true => "# Names and types come from the module's debug information: check what was guessed.",
        false => "# The module has no debug information: give the parameters their names and real types.",
    };
    format!(
        "# A subject for dodona: edit, then run `dodona check` with this file.\n{source}\n\
         name = {}\nmodule = {}\n# specification = \"where the meaning of these functions comes from\"\n",
        quoted(name),
        quoted(file)
    )
}

/// A text as TOML writes it, on one line.
///
/// ```
/// assert_eq!(dodona_subject::quoted("a.mr"), "\"a.mr\"");
/// ```
pub fn quoted(text: &str) -> String {
    let quoted = toml::Value::from(text).to_string();
    match quoted.contains('\n') {
        // The library prefers several lines where there are some; the escapes of JSON are those of TOML.
        true => serde_json::Value::from(text).to_string(),
        false => quoted,
    }
}

fn command(name: String) -> Guess {
    let signature = WrittenSignature {
        name,
        parameters: vec![("text".into(), Type::Text)],
        result: SignatureResult::Command,
    };
    Guess {
        signature,
        lines: vec!["lower.text = \"stdin\"              # or \"word\", \"file:input.txt\"".into()],
    }
}

fn guess(
    module: &Module,
    debug: Option<&DebugInfo>,
    addresses: &Addresses,
    name: String,
    export: &str,
    index: u32,
) -> Result<Guess, String> {
    let own_name = (name != export).then(|| format!("export = {}", quoted(export)));
    let subprogram = debug.and_then(|d| d.subprogram(module, index));
    let ty = module.function_type(index).ok_or("it has no type")?;
    let from_source = subprogram.map_or(Ok(None), |s| from_source(&name, s, ty.params().len()))?;
    // The source's types must make the module's own: debug information may be damaged.
    let fits = |g: &Guess| wasm_types(g) == Some(wasm_types_of(ty));
    let mut guess = match from_source.filter(fits) {
        Some(guess) => guess,
        None => from_wasm(&name, module, index, addresses)?,
    };
    guess.lines.splice(0..0, own_name);
    Ok(guess)
}

/// The WebAssembly types that a guess makes: of the arguments, and of the result.
fn wasm_types(guess: &Guess) -> Option<(Vec<WasmType>, Vec<WasmType>)> {
    let mut arguments = Vec::new();
    for (parameter, ty) in &guess.signature.parameters {
        match ty {
            Type::Scalar(s) => arguments.push(WasmType::carrying(*s)),
            _ => {
                let line = format!("lower.{parameter} = \"nul-terminated");
                let count = if guess.lines.iter().any(|l| l.starts_with(&line)) { 1 } else { 2 };
                arguments.extend(std::iter::repeat_n(WasmType::I32, count));
            }
        }
    }
    let result = match guess.signature.result {
        SignatureResult::Value(Type::Scalar(s)) => vec![WasmType::carrying(s)],
        SignatureResult::Value(_) => vec![WasmType::I32],
        SignatureResult::Nothing => vec![],
        SignatureResult::Parts(_) | SignatureResult::Command | SignatureResult::Http => return None,
    };
    Some((arguments, result))
}

fn wasm_types_of(ty: &wasmparser::FuncType) -> (Vec<WasmType>, Vec<WasmType>) {
    let known = |types: &[wasmparser::ValType]| types.iter().filter_map(|ty| WasmType::of(*ty)).collect();
    (known(ty.params()), known(ty.results()))
}

fn from_wasm(name: &str, module: &Module, index: u32, addresses: &Addresses) -> Result<Guess, String> {
    let ty = module.function_type(index).ok_or("it has no type")?;
    let scalar = |v: &wasmparser::ValType| match WasmType::of(*v) {
        Some(WasmType::I32) => Ok(Scalar::I32),
        Some(WasmType::I64) => Ok(Scalar::I64),
        Some(WasmType::F32) => Ok(Scalar::F32),
        Some(WasmType::F64) => Ok(Scalar::F64),
        None => Err(format!("it takes or returns {v}")),
    };
    let parameters = ty.params().iter().enumerate();
    let parameters: Vec<_> =
        parameters.map(|(i, v)| Ok((letter(i), Type::Scalar(scalar(v)?)))).collect::<Result<_, String>>()?;
    if let Some(place) = (0..ty.params().len()).find(|place| addresses.has(index, *place)) {
        return Err(format!("its parameter `{}` is used as an address in memory: {NOT_TOLD}", letter(place)));
    }
    let mut lines = Vec::new();
    let result = match ty.results() {
        [] => SignatureResult::Nothing,
        [one] => SignatureResult::Value(Type::Scalar(scalar(one)?)),
        more => {
            let part = |(i, v): (usize, &wasmparser::ValType)| {
                let ty = Written::parse(scalar(v)?.name()).map_err(|error| error.to_string())?;
                Ok((format!("r{i}"), ty))
            };
            lines.push("result = \"multi-value\"".to_owned());
            let parts: Result<Vec<_>, String> = more.iter().enumerate().map(part).collect();
            SignatureResult::Parts(Written::Named(parts?))
        }
    };
    let signature = WrittenSignature { name: name.to_owned(), parameters, result };
    Ok(Guess { signature, lines })
}

/// `a`, `b`, …, `z`, `p26`, …
fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(i) if i < 26 => char::from(b'a' + i).to_string(),
        _ => format!("p{index}"),
    }
}

/// The signature that the source's types suggest, when they account for every WebAssembly argument.
///
/// # Errors
/// Which pointer has no meaning that a lowering describes: it must not become a number.
fn from_source(name: &str, source: &Subprogram, wasm_parameters: usize) -> Result<Option<Guess>, String> {
    let mut lines = Vec::new();
    let mut parameters = Vec::new();
    let mut names = Names::of(source.parameters.iter().map(|parameter| parameter.name.as_str()));
    let mut used = 0;
    let mut i = 0;
    while let Some(parameter) = source.parameters.get(i) {
        let own = names.parameter(&parameter.name, i);
        match &parameter.ty {
            DebugType::Pointer { to, constant } => {
                let counted = source
                    .parameters
                    .get(i + 1)
                    .is_some_and(|p| matches!(p.ty, DebugType::Int { bytes: 4, .. }) && is_length(&p.name));
                match pointer(to, *constant, counted) {
                    Some((ty, lowering)) => {
                        lines.push(format!("lower.{own} = \"{lowering}\""));
                        parameters.push((own, ty));
                        i += usize::from(counted);
                        used += 1 + usize::from(counted);
                    }
                    None => return Err(format!("`{own}` is a pointer in the source: {NOT_TOLD}")),
                }
            }
            ty => {
                let Some(scalar) = scalar(ty) else { return Ok(None) };
                parameters.push((own, Type::Scalar(scalar)));
                used += 1;
            }
        }
        i += 1;
    }
    let result = match &source.result {
        DebugType::Void => SignatureResult::Nothing,
        DebugType::Pointer { to, .. } if **to == DebugType::Char => {
            lines.push("result = \"nul-terminated\"".to_owned());
            SignatureResult::Value(Type::Text)
        }
        DebugType::Pointer { .. } => {
            return Err(format!("its result is a pointer in the source: {NOT_TOLD}"));
        }
        ty => match scalar(ty) {
            Some(scalar) => SignatureResult::Value(Type::Scalar(scalar)),
            None => return Ok(None),
        },
    };
    let signature = WrittenSignature { name: name.to_owned(), parameters, result };
    Ok((used == wasm_parameters).then_some(Guess { signature, lines }))
}

/// What is said of an address.
const NOT_TOLD: &str = "what stands there the module does not tell, and a random number is no address. Of C and C++ `dodona init --c FILE` reads it from the \
                        sources; else write a signature with `lower`, such as \
                        lower.s = \"nul-terminated\" of a text and lower.xs = \"in-out\" of a sequence with its length, or a function around this one";

/// Whether the name of a number says that it is how many elements stand behind the pointer before it.
fn is_length(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["len", "size", "count", "num", "cnt", "elem"].iter().any(|word| name.contains(word))
        || ["n", "m", "k", "nel", "nmemb"].contains(&name.as_str())
        || name.starts_with("n_")
        || name.ends_with("_n")
}

/// How what a pointer points to is handed over. `None` if that is neither text nor elements whose number stands behind.
fn pointer(to: &DebugType, constant: bool, counted: bool) -> Option<(Type, &'static str)> {
    let ty = match to {
        DebugType::Char => Type::Text,
        other => Type::Sequence(scalar(other)?),
    };
    if ty != Type::Text && !counted {
        return None;
    }
    Some(match (ty, counted, constant) {
        (Type::Text, false, true) => (ty, "nul-terminated"),
        (Type::Text, false, false) => (ty, "nul-terminated in-out"),
        (_, _, true) => (ty, "pointer-length"),
        (_, _, false) => (ty, "in-out"),
    })
}

fn scalar(ty: &DebugType) -> Option<Scalar> {
    Some(match ty {
        DebugType::Bool => Scalar::Bool,
        DebugType::Char => Scalar::I8,
        DebugType::Int { signed, bytes } => match (signed, bytes) {
            (true, 1) => Scalar::I8,
            (true, 2) => Scalar::I16,
            (true, 4) => Scalar::I32,
            (true, 8) => Scalar::I64,
            (false, 1) => Scalar::U8,
            (false, 2) => Scalar::U16,
            (false, 4) => Scalar::U32,
            (false, 8) => Scalar::U64,
            _ => return None,
        },
        DebugType::Float { bytes: 4 } => Scalar::F32,
        DebugType::Float { bytes: 8 } => Scalar::F64,
        _ => return None,
    })
}

fn write_entry(text: &mut String, guess: &Guess, name: &str) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "\n[[function]]\nsignature = \"{}\"", guess.signature);
    let _ = writeln!(text, "relations = [{}]", quoted(&format!("{name}.mr")));
    for line in &guess.lines {
        let _ = writeln!(text, "{line}");
    }
    for (parameter, ty) in &guess.signature.parameters {
        let _ = writeln!(text, "# domain.{parameter} = {{ {} }}", domain_example(*ty));
    }
    if let Some((parameter, ty)) = guess.signature.parameters.first() {
        let _ = writeln!(text, "# sample.{parameter} = {{ {} }}", sample_example(*ty));
    }
}

fn domain_example(ty: Type) -> &'static str {
    match ty {
        Type::Scalar(s) if s.kind() == dodona_target::Kind::Float => "range = [-1000.0, 1000.0]",
        Type::Scalar(Scalar::Bool) => "values = [true, false]",
        Type::Scalar(_) => "range = [0, 100]",
        Type::Text => "length = [0, 64], alphabet-ranges = [\"a-z\"]",
        Type::Sequence(_) => "length = [1, 64], is = [\"sorted\"]",
    }
}

fn sample_example(ty: Type) -> &'static str {
    match ty {
        Type::Scalar(Scalar::Bool) => "favour = [true]",
        Type::Scalar(s) if s.kind() == dodona_target::Kind::Float => {
            "distribution = \"uniform\", favour = [0.5]"
        }
        Type::Scalar(_) => "distribution = \"logarithmic\", favour = [0, 1]",
        Type::Text => "length = [0, 16], favour = [\"\", \" \"]",
        Type::Sequence(_) => "length = [1, 16]",
    }
}

fn relations(name: &str, guesses: &[Guess]) -> String {
    let mut text = format!(
        "# {}: what must hold between runs. One equation or inequality a relation, over calls of the functions.\n\
         # Examples to start from; remove the `#` of those that your function promises:\n",
        on_one_line(&format!("{name}.mr"))
    );
    let functions: Vec<&str> = guesses.iter().map(|guess| guess.signature.name.as_str()).collect();
    let mut names = Names::default();
    for guess in guesses {
        for (name, example) in examples(guess, &functions) {
            let _ = writeln!(text, "# relation {}: {example}", names.free(&name, 0));
        }
    }
    text
}

/// Names and texts of relations that the function may satisfy. A word that a function of the module hides is not used.
fn examples(guess: &Guess, functions: &[&str]) -> Vec<(String, String)> {
    let signature = &guess.signature;
    let WrittenSignature { name, parameters, .. } = signature;
    let names: Vec<&str> = parameters.iter().map(|(n, _)| n.as_str()).collect();
    let source = format!("{name}({})", names.join(", "));
    let with = |index: usize, expression: String| {
        let mut arguments: Vec<String> = names.iter().map(|n| n.to_string()).collect();
        arguments[index] = expression;
        format!("{name}({})", arguments.join(", "))
    };
    let output = match &signature.result {
        SignatureResult::Command => ".stdout".to_owned(),
        // An equation is of one of several outputs.
        SignatureResult::Parts(Written::Named(parts)) => {
            parts.first().map(|(name, _)| format!(".{name}")).unwrap_or_default()
        }
        _ => String::new(),
    };
    let mut found = Vec::new();
    if let [(a, ta), (b, tb)] = parameters.as_slice()
        && ta == tb
    {
        found.push((format!("{name}_symmetric"), format!("{source}{output} == {name}({b}, {a}){output}")));
    }
    for (index, (parameter, ty)) in parameters.iter().enumerate() {
        let hides = |word: &str| functions.contains(&word);
        let (word, changed) = match ty {
            Type::Text if hides("upper") => continue,
            Type::Sequence(_) if hides("reverse") => continue,
            Type::Scalar(Scalar::Bool) => ("flipped", format!("not {parameter}")),
            Type::Scalar(_) => ("negated", format!("-{parameter}")),
            Type::Text => ("upper", format!("upper({parameter})")),
            Type::Sequence(_) => ("reversed", format!("reverse({parameter})")),
        };
        let text = format!("{}{output} == {source}{output}", with(index, changed));
        found.push((format!("{name}_{word}_{parameter}"), text));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::{DebugParameter, Manifest};

    proptest! {
        #[test]
        fn whatever_the_source_calls_its_parameters_the_manifest_is_read(
            names in proptest::collection::vec(prop_oneof!["in|out|a|len|mod|self|", any::<String>()], 0..6),
            kinds in proptest::collection::vec(0..3_u8, 6),
        ) {
            let ty = |kind: u8| match kind {
                0 => DebugType::Int { signed: true, bytes: 4 },
                1 => DebugType::Pointer { to: Box::new(DebugType::Char), constant: true },
                _ => DebugType::Pointer { to: Box::new(DebugType::Float { bytes: 8 }), constant: false },
            };
            let parameters = names.iter().zip(&kinds);
            let parameters: Vec<_> =
                parameters.map(|(name, kind)| DebugParameter { name: name.clone(), ty: ty(*kind) }).collect();
            let wasm = parameters.len();
            let source = Subprogram {
                name: "f".into(),
                parameters,
                result: DebugType::Void,
                locals: Default::default(),
            };
            if let Ok(Some(guess)) = from_source("f", &source, wasm) {
                let mut text = header("m", "m.wasm", true);
                write_entry(&mut text, &guess, "m");
                let uncommented = text.replace("# domain", "domain").replace("# sample", "sample");
                for text in [text, uncommented] {
                    let read = Manifest::parse(Path::new("m.toml"), &text);
                    prop_assert!(read.is_ok(), "{:#?}\n{text}", read.err());
                }
            }
        }
    }
}
