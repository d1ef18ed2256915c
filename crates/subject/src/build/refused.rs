//! What the compiler says of generated glue, in terms of the signature that the glue was made from.

use crate::CrateSource;
use dodona_target::{Signature, Type};

/// An error in the glue.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The compiler's code for its kind, such as `E0308`; empty where it gave none.
    code: String,
    /// What it says, with what it says of the parts of the line.
    message: String,
    labels: Vec<String>,
    /// The line in the glue.
    pub(super) line: usize,
}

/// The errors in the compiler's output that stand in the glue, in this file of its `src`.
pub(super) fn read(output: &str, file: &str) -> Vec<Refusal> {
    let place = format!("--> src/{file}:");
    let mut refusals: Vec<Refusal> = Vec::new();
    let mut open: Option<Refusal> = None;
    for line in output.lines() {
        if line.starts_with("error") || line.starts_with("warning") {
            refusals.extend(open.take());
            open = heading(line);
        } else if let Some(refusal) = &mut open {
            add(refusal, line, &place);
        }
    }
    refusals.extend(open);
    refusals.retain(|refusal| refusal.line > 0);
    refusals
}

/// `error[E0308]: mismatched types`.
fn heading(line: &str) -> Option<Refusal> {
    let rest = line.strip_prefix("error")?;
    let (code, message) = rest.split_once(": ")?;
    let code = code.trim_matches(['[', ']']).to_owned();
    Some(Refusal { code, message: message.to_owned(), labels: Vec::new(), line: 0 })
}

/// `  --> src/lib.rs:4:90`, or what is said below a part of the line: `|     ^^^ expected `u32`, found `usize``.
fn add(refusal: &mut Refusal, line: &str, place: &str) {
    let line = line.trim_start();
    if let Some(at) = line.strip_prefix(place) {
        refusal.line = at.split(':').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        return;
    }
    let Some(marked) = line.strip_prefix('|').map(str::trim_start) else { return };
    let words = marked.trim_start_matches(['^', '-', '|', ' ', '_']);
    let is_label = marked.starts_with(['^', '-', '|']) || marked.starts_with("expected");
    if is_label && words.starts_with(|c: char| c.is_alphabetic()) {
        refusal.labels.push(words.to_owned());
    }
}

/// An error in words for the writer of the manifest: the function, the crate's function, what differs, and what to do.
pub(super) fn words(refusal: &Refusal, function: &Signature, path: &str, source: &CrateSource) -> String {
    let Refusal { code, message, labels, .. } = refusal;
    let parameters: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let (parameters, function) = (parameters.join(", "), &function.name);
    if ["E0425", "E0433", "E0432", "E0603"].contains(&code.as_str()) {
        return format!(
            "`{path}` cannot be called: {message}; under the signature write path = \"{}::MODULE::{function}\" with the path of a public \
             function of {}",
            source.root, source.package
        );
    }
    // The type that stands in the way is named beside the marks; that a parameter is there at all says nothing.
    let telling = labels.iter().find(|label| label.starts_with("expected") && label.contains("found"));
    let difference =
        telling.or(labels.first()).map_or(message.clone(), |label| format!("{message}: {label}"));
    let advice = if ["E0282", "E0283", "E0284"].contains(&code.as_str()) {
        format!(
            "name the type in the call: under the signature write call = \"{path}::<TYPE>({parameters})\""
        )
    } else {
        advice(&format!("{message} {}", labels.join(" ")), &format!("{path}({parameters})"))
    };
    format!("the signature of `{function}` does not fit `{path}`: {difference}; {advice}")
}

/// The type of the elements, where a slice of scalars was expected.
fn slice_element(said: &str) -> Option<&str> {
    let rest = said.split("expected `&").nth(1)?;
    let (element, _) = rest.trim_start_matches("mut ").strip_prefix('[')?.split_once(']')?;
    matches!(element.parse(), Ok(Type::Scalar(_))).then_some(element)
}

fn advice(said: &str, applied: &str) -> String {
    let wrapped = format!(
        "under the signature write the call as an expression over its parameters whose value has the type of the signature: \
         call = \"{applied}\", with what makes the arguments and the result of it"
    );
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if has(&["Option<", "Result<"]) {
        return "write the type in the signature as the function has it, with its `Option<…>` or `Result<…>`"
            .to_owned();
    }
    if has(&["found `String`", "found `&str`"]) && !has(&["expected `&"]) {
        return "write text in the signature where the function has `String` or `&str`".to_owned();
    }
    if has(&["`usize`", "`isize`"]) {
        return "write usize or isize in the signature where the function has it".to_owned();
    }
    if let Some(element) = slice_element(said) {
        return format!("write [{element}] in the signature where the function has `&[{element}]`");
    }
    if has(&["expected `&str`", "expected `&String`"]) && has(&["found `&["]) {
        return "write text in the signature where the function has `&str`".to_owned();
    }
    if has(&["`char`", "`String`", "`&", "&str"]) {
        return format!(
            "write `&`, `char`, `String` in the signature where the function has it, or {wrapped}"
        );
    }
    format!("write the types that the function has; where they are none of a signature's, {wrapped}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CrateHome;
    use dodona_target::Parameter;

    fn source(name: &str) -> CrateSource {
        CrateSource {
            package: name.to_owned(),
            root: name.to_owned(),
            home: CrateHome::Registry("*".to_owned()),
            features: Vec::new(),
            default_features: true,
            checks: false,
            dependencies: Vec::new(),
            calls: Vec::new(),
            types: Vec::new(),
        }
    }

    fn function(name: &str) -> Signature {
        Signature::new(name, vec![Parameter::new("x", Type::Text)], None)
    }

    const MISMATCH: &str = r#"   Compiling dodona-glue v0.0.0 (/c/glue)
error[E0308]: mismatched types
 --> src/lib.rs:4:92
  |
4 | pub extern "C" fn levenshtein(a0: *const u8, n0: usize) -> u32 { strsim::levenshtein(a0) }
  |                                                            ---   ^^^^^^^^^^^^^^^^^^^^^^^ expected `u32`, found `usize`
  |                                                            |
  |                                                            expected `u32` because of return type
  |
help: you can convert a `usize` to a `u32`

error: could not compile `dodona-glue` (lib) due to 1 previous error
"#;

    #[test]
    fn a_mismatch_is_told_with_the_function_and_what_to_write() {
        let refusals = read(MISMATCH, "lib.rs");
        assert_eq!((refusals.len(), refusals[0].line, refusals[0].code.as_str()), (1, 4, "E0308"));
        let words = words(&refusals[0], &function("levenshtein"), "strsim::levenshtein", &source("strsim"));
        assert_eq!(
            words,
            "the signature of `levenshtein` does not fit `strsim::levenshtein`: mismatched types: expected `u32`, found \
             `usize`; write usize or isize in the signature where the function has it"
        );
    }

    #[test]
    fn values_that_may_be_missing_and_functions_that_are_not_there_have_advice_of_their_own() {
        let missing = MISMATCH.replace("`usize`", "`Option<u32>`");
        let told = words(&read(&missing, "lib.rs")[0], &function("f"), "x::f", &source("x"));
        assert!(told.contains("as the function has it, with its `Option<…>`"), "{told}");
        let unknown = "error[E0425]: cannot find function `f` in crate `x`\n --> src/lib.rs:4:9\n";
        let told = words(&read(unknown, "lib.rs")[0], &function("f"), "x::f", &source("x"));
        assert!(told.contains("path = ") && told.contains("cannot find function"), "{told}");
    }

    #[test]
    fn a_slice_that_was_declared_as_text_has_a_type_of_its_own() {
        let bytes = MISMATCH.replace("expected `u32`, found `usize`", "expected `&[u8]`, found `&str`");
        let told =
            words(&read(&bytes, "lib.rs")[0], &function("count"), "bytecount::count", &source("bytecount"));
        assert!(told.ends_with("write [u8] in the signature where the function has `&[u8]`"), "{told}");
        let text = MISMATCH.replace("expected `u32`, found `usize`", "expected `&str`, found `&[u8]`");
        let told = words(&read(&text, "lib.rs")[0], &function("f"), "x::f", &source("x"));
        assert!(told.ends_with("write text in the signature where the function has `&str`"), "{told}");
        let others = MISMATCH.replace("expected `u32`, found `usize`", "expected `&[String]`, found `&str`");
        let told = words(&read(&others, "lib.rs")[0], &function("f"), "x::f", &source("x"));
        assert!(told.contains("call = \"x::f(x)\""), "{told}");
    }

    #[test]
    fn a_type_that_nothing_says_is_named_in_the_call() {
        let open = "error[E0283]: type annotations needed\n --> src/lib.rs:4:9\n";
        let told = words(&read(open, "lib.rs")[0], &function("made"), "x::made", &source("x"));
        assert!(told.ends_with("write call = \"x::made::<TYPE>(x)\""), "{told}");
    }

    #[test]
    fn errors_elsewhere_are_left_to_the_compiler() {
        assert_eq!(
            read("error: no matching package named `libmm` found\nlocation searched: crates.io\n", "lib.rs"),
            []
        );
        assert_eq!(
            read("error[E0308]: mismatched types\n --> /registry/x-1.0.0/src/lib.rs:4:9\n", "lib.rs"),
            []
        );
    }
}
