//! Tests of a crate's functions on the crate `dodona`: a few lines that say the relations, and where the functions are.

mod declaration;
mod domains;
mod literals;
mod results;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dodona_relations::Relation;
use dodona_subject::{CrateHome, CrateSource, Manifest, ModuleSource};
use dodona_target::fnv1a;

use super::names::Names;
use super::rust::KEYWORDS;
use super::write::indented;
use super::{EmitError, Language};
use declaration::declaration;

/// What a package needs for these tests, below `[dev-dependencies]` of its `Cargo.toml`.
pub const DEV_DEPENDENCY: &str = "dodona = { version = \"0.1\", default-features = false }";

/// The settings for writing tests of a crate's functions.
#[derive(Clone, Copy, Debug)]
pub struct CrateContext<'a> {
    /// The manifest of a crate that is called as it is, with the functions that the relations were checked with.
    pub manifest: &'a Manifest,
    /// What people are told of each relation, above its test: lines without an end, in the order of the relations. A relation beyond the
    /// last has none.
    pub comments: &'a [Vec<String>],
    /// The seed of the random source inputs; 0 is what a test has that says nothing.
    pub seed: u64,
}

/// Writes relations as tests of a crate's own package: a file such as `tests/metamorphic.rs` with one test for each relation, on the crate
/// `dodona` ([`DEV_DEPENDENCY`]).
///
/// ```
/// use std::path::Path;
///
/// use dodona_emit::{CrateContext, crate_tests};
/// use dodona_relations::{check, parse};
/// use dodona_subject::Manifest;
///
/// let text = "[build]\ncrate = \"gcd\"\n[[function]]\nsignature = \"gcd(a: u64, b: u64) -> u64\"\npath = \"gcd::gcd_u64\"\n";
/// let manifest = Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest");
/// let file = parse("relation symmetric: gcd(a, b) == gcd(b, a)").expect("it parses");
/// let relations = check(&file, &manifest.signatures()).expect("they are valid");
/// let relations: Vec<_> = relations.iter().collect();
/// let context = CrateContext { manifest: &manifest, comments: &[], seed: 0 };
/// let tests = crate_tests(&relations, &context).expect("they can be written");
/// assert!(tests.contains("dodona::function!(gcd(a: u64, b: u64) -> u64 = gcd::gcd_u64(a, b))"), "{tests}");
/// assert!(tests.contains(".holds(\"relation symmetric: gcd(a, b) == gcd(b, a)\")"), "{tests}");
/// ```
///
/// # Errors
/// [`EmitError`]: there is no relation, the manifest is not that of a crate that is called as it is, or a function that a relation calls
/// cannot be declared in Rust.
///
/// # Panics
/// When the functions of the manifest are not those that the relations were checked with.
pub fn crate_tests(relations: &[&Relation], context: &CrateContext<'_>) -> Result<String, EmitError> {
    if relations.is_empty() {
        return Err(EmitError::Nothing);
    }
    let ModuleSource::Crate(source) = &context.manifest.source else { return Err(EmitError::NoCrate) };
    let called: BTreeSet<usize> = relations.iter().flat_map(|relation| functions(relation)).collect();
    let mut names = Names::new(KEYWORDS);
    let mut code = String::new();
    let mut named = Vec::new();
    for &function in &called {
        let name = names.give(&context.manifest.functions[function].name);
        let declared = declaration(context.manifest, source, function).map_err(|why| {
            let calls = |relation: &&&Relation| functions(relation).any(|called| called == function);
            let relation = relations.iter().find(calls).unwrap_or(&relations[0]);
            EmitError::inexpressible(relation, Language::Rust, why)
        })?;
        let _ = write!(code, "\nfn {name}() -> dodona::Metamorphic {{\n{}}}\n", indented(&declared, 4));
        named.push((function, name));
    }
    let comments = context.comments.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
    for (relation, comment) in relations.iter().zip(comments) {
        code += &test(relation, comment, &named, &mut names, context.seed);
    }
    let mut head = head(source);
    let result = |function: &usize| {
        source.types[*function].get(context.manifest.functions[*function].parameters.len())
    };
    if called.iter().filter_map(result).any(results::is_converted) {
        head += "// What a signature of the manifest calls `text` may be any type of text already.\n#![allow(clippy::useless_conversion)]\n\n";
    }
    Ok(signed(&head, &code))
}

/// How the line begins that tells whether anybody edited the file.
const SIGNATURE: &str = "// dodona emit ";

/// Whether a file of Rust tests is one that Dodona wrote for a crate and nobody edited, so that it may be written anew.
///
/// ```
/// assert!(!dodona_emit::is_unedited(b"fn main() {}"));
/// ```
pub fn is_unedited(file: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(file) else { return false };
    let Some(start) = text.find(SIGNATURE) else { return false };
    let (head, rest) = text.split_at(start);
    let Some((line, code)) = rest.split_once('\n') else { return false };
    line == signature(head, code)
}

fn signed(head: &str, code: &str) -> String {
    format!("{head}{}\n{code}", signature(head, code))
}

fn signature(head: &str, code: &str) -> String {
    let key = fnv1a(format!("{head}{code}").as_bytes());
    format!("{SIGNATURE}{key:016x}: an edited file is kept, for it no longer has this key.")
}

fn head(source: &CrateSource) -> String {
    let mut needed = vec![DEV_DEPENDENCY.to_owned()];
    if let CrateHome::Registry(version) = &source.home {
        needed.push(format!("{} = \"{version}\"", source.package));
    }
    let needed: String = needed.iter().map(|line| format!("//! {line}\n")).collect();
    format!(
        "//! Metamorphic relations of the crate `{}`, written by `dodona emit`. They need, in the `Cargo.toml` of its package:\n\
         //!\n//! ```toml\n//! [dev-dependencies]\n{needed}//! ```\n\n",
        source.root
    )
}

/// The functions that a relation calls, in the order of its calls, each as often as it is called.
fn functions<'r>(relation: &'r Relation) -> impl Iterator<Item = usize> + use<'r> {
    relation.calls().iter().map(|call| call.function)
}

fn test(
    relation: &Relation,
    comment: &[String],
    named: &[(usize, String)],
    names: &mut Names,
    seed: u64,
) -> String {
    let mut text = String::from("\n");
    comment.iter().for_each(|line| text += &format!("{}\n", format!("/// {line}").trim_end()));
    let mut tested: Vec<&str> = Vec::new();
    for function in functions(relation) {
        let declared = named.iter().find(|(index, _)| *index == function);
        tested.extend(declared.map(|(_, name)| name.as_str()).filter(|name| !tested.contains(name)));
    }
    let (first, others) = tested.split_first().unwrap_or((&"", &[]));
    let mut steps: Vec<String> = others.iter().map(|name| format!(".with({name}())")).collect();
    steps.push(call("holds", &literals::text(relation.text())));
    if seed != 0 {
        steps.push(format!(".seed({seed})"));
    }
    steps.push(".check();".to_owned());
    let chain = chain(&format!("{first}()"), &steps);
    let _ = write!(text, "#[test]\nfn {}() {{\n{}}}\n", names.give(relation.name()), indented(&chain, 4));
    text
}

/// So wide may a line be, and a chain of calls that stands on one, as `rustfmt` has it.
const WIDTH: usize = 100;
const CHAIN: usize = 60;

/// How far a step of a chain is indented in the body of a function.
const INDENT: usize = 8;

/// A call of a method with a text.
fn call(method: &str, text: &str) -> String {
    let line = format!(".{method}({text})");
    if line.len() + INDENT <= WIDTH { line } else { format!(".{method}(\n    {text},\n)") }
}

/// Calls of methods, on one line if it is short.
fn chain(first: &str, steps: &[String]) -> String {
    let line = format!("{first}{}", steps.concat());
    if line.len() <= CHAIN || steps.is_empty() {
        return line;
    }
    // What is called stands on several lines already: its end is where the steps begin.
    let spaces = if first.contains('\n') { 0 } else { 4 };
    let steps: String = steps.iter().map(|step| format!("\n{}", indented(step, spaces).trim_end())).collect();
    format!("{first}{steps}")
}
