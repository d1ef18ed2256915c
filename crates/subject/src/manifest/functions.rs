//! `[[function]]` entries.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::program_keys::ProgramKeys;
use super::section::{Item, Problems, Section};
use super::signature::{SignatureResult, WrittenSignature};
use super::written::{Spelling, Written};
use super::{domains, lowerings, sampling};
use crate::function::outputs;
use crate::{Function, Lowering};
use dodona_target::{Diagnostic, Domain, Parameter, Sampling, Signature, Type, nearest};

/// A function with what the rest of the manifest needs of its entry.
pub(super) struct Entry<'a> {
    pub(super) function: Function,
    /// Where the signature stands, for messages.
    pub(super) span: Range<usize>,
    /// The Rust path, for functions of a crate, with its place.
    pub(super) path: Option<(String, Range<usize>)>,
    /// The Rust expression that calls the function, in place of a path, with its place.
    pub(super) call: Option<(String, Range<usize>)>,
    /// The types in the signature as they are written.
    pub(super) types: Vec<Written>,
    /// Whether its signature ends in `-> http`: its outputs are those of an answer.
    pub(super) is_answer: bool,
    /// How a program is run for it, or a request made, where it is one.
    pub(super) program: ProgramKeys<'a>,
    /// Where problems are told.
    pub(super) problems: &'a Problems,
}

pub(super) fn entry<'a>(item: Item<'a>, folder: &Path) -> Option<Entry<'a>> {
    let section = item.section("[[function]]")?;
    let Some((text, span)) = section.text("signature") else {
        let problem = Diagnostic::new(section.span(), "this function has no signature");
        section.problems.add(problem.hint("write signature = \"gcd(p: i32, q: i32) -> i32\""));
        return None;
    };
    let signature = match WrittenSignature::parse(&text) {
        Ok(signature) => signature,
        Err((message, at)) => {
            // Inside the quotes: the first byte of the string is one behind the span's start.
            let at = span.start + 1 + at.start..span.start + 1 + at.end.max(at.start + 1);
            section.problems.add(Diagnostic::new(at, message));
            return None;
        }
    };
    let command = signature.result == SignatureResult::Command;
    let is_answer = signature.result == SignatureResult::Http;
    let types = WrittenSignature::types(&text);
    let spellings: Vec<&Spelling> =
        types.iter().take(signature.parameters.len()).filter_map(Written::value).collect();
    let (parameters, lowerings) = parameters(&section, &signature, &spellings, command);
    let result = lowerings::result(&section, &signature);
    let arguments = lowerings::arguments(&section, &parameters, &lowerings, &result);
    let function = Function {
        export: section.text("export").map(|(e, _)| e).unwrap_or_else(|| default_export(&signature)),
        signature: Signature {
            name: signature.name,
            outputs: outputs(&parameters, &lowerings, &result),
            parameters,
            requires: section.text("requires").map(|(r, _)| r),
        },
        lowerings,
        result,
        arguments,
        relations: relation_files(&section, folder),
    };
    let path = section.text("path");
    let call = section.text("call");
    let program = ProgramKeys::of(&section);
    let problems = section.problems;
    section.finish();
    Some(Entry { function, span, path, call, types, is_answer, program, problems })
}

fn default_export(signature: &WrittenSignature) -> String {
    match signature.result {
        SignatureResult::Command => "_start".into(),
        _ => signature.name.clone(),
    }
}

/// The files under `relations`, from the manifest's folder.
pub(super) fn relation_files(section: &Section<'_>, folder: &Path) -> Vec<PathBuf> {
    let Some(item) = section.get("relations") else { return Vec::new() };
    let files = match item.as_str() {
        Some(one) => vec![one.to_owned()],
        None => item.texts().unwrap_or_default(),
    };
    files.iter().map(|f| folder.join(f)).collect()
}

fn parameters(
    section: &Section<'_>,
    signature: &WrittenSignature,
    spellings: &[&Spelling],
    command: bool,
) -> (Vec<Parameter>, Vec<Lowering>) {
    let types: Vec<Type> = signature.parameters.iter().map(|(_, ty)| *ty).collect();
    let lower =
        per_parameter(section, signature, "lower", |item, i| lowerings::parameter(item, types[i], command));
    let lowerings: Vec<Lowering> = lower
        .into_iter()
        .zip(&types)
        .map(|(lower, ty)| lower.unwrap_or_else(|| lowerings::default(*ty, command)))
        .collect();
    // What a lowering cannot hand over is outside of the domain from the start, so that nothing of it can be listed.
    let least: Vec<Domain> =
        lowerings.iter().zip(spellings).map(|(l, spelling)| least_domain(l, spelling)).collect();
    let domain = per_parameter(section, signature, "domain", |item, i| {
        let domain = domains::domain(item, types[i], &least[i])?;
        let fewer = spellings[i].domain();
        if fewer == Domain::default() {
            return Some(domain);
        }
        domain.intersection(&fewer).or_else(|| {
            let words =
                format!("no value of this domain is one of the parameter's type in Rust, {}", spellings[i]);
            item.problem(Diagnostic::new(item.span(), words));
            None
        })
    });
    let domains: Vec<Domain> =
        domain.into_iter().zip(least).map(|(domain, least)| domain.unwrap_or(least)).collect();
    let sample = per_parameter(section, signature, "sample", |item, i| {
        sampling::sampling(item, types[i], &domains[i])
    });
    let parts = domains.into_iter().zip(sample);
    let parameter = |((name, ty), (domain, sample)): (&(String, Type), _)| Parameter {
        name: name.clone(),
        ty: *ty,
        domain,
        sampling: Option::unwrap_or_else(sample, Sampling::default),
    };
    (signature.parameters.iter().zip(parts).map(parameter).collect(), lowerings)
}

/// A zero element would end NUL-terminated data early, so it is no value of such a parameter. Some types of Rust have fewer values than
/// the language's.
fn least_domain(lowering: &Lowering, spelling: &Spelling) -> Domain {
    let ends_at_nul = matches!(lowering, Lowering::NulTerminated(_) | Lowering::Word);
    let predicates = if ends_at_nul { vec![dodona_target::Predicate::NoNul] } else { Vec::new() };
    Domain { predicates, ..spelling.domain() }
}

/// `KEY.NAME = …` for each parameter in order; names that are no parameters are reported.
fn per_parameter<T>(
    section: &Section<'_>,
    signature: &WrittenSignature,
    key: &'static str,
    read: impl Fn(Item<'_>, usize) -> Option<T>,
) -> Vec<Option<T>> {
    let mut found: Vec<Option<T>> = signature.parameters.iter().map(|_| None).collect();
    let Some(table) = section.section("a table of parameters", key) else { return found };
    for (name, span, item) in table.named() {
        match signature.parameters.iter().position(|(n, _)| n == name) {
            Some(index) => found[index] = read(item, index),
            None => table.problems.add(no_such_parameter(signature, name, span)),
        }
    }
    found
}

fn no_such_parameter(signature: &WrittenSignature, name: &str, span: Range<usize>) -> Diagnostic {
    let problem = Diagnostic::new(span, format!("`{}` has no parameter `{name}`", signature.name));
    let known: Vec<&str> = signature.parameters.iter().map(|(n, _)| n.as_str()).collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None if known.is_empty() => problem.hint("it has none"),
        None => problem.hint(format!("its parameters: {}", known.join(", "))),
    }
}
