//! `[[function]]` entries.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::section::{Item, Section};
use super::signature::{Signature, SignatureResult};
use super::{domains, lowerings};
use crate::diagnostic::nearest;
use crate::{Diagnostic, Domain, Function, Lowering, Parameter, Sampling, Type};

/// A function with what the rest of the manifest needs of its entry.
pub(super) struct Entry {
    pub(super) function: Function,
    /// Where the signature stands, for messages.
    pub(super) span: Range<usize>,
    /// The Rust path, for functions of a registry crate.
    pub(super) path: Option<String>,
}

pub(super) fn entry(item: Item<'_>, folder: &Path) -> Option<Entry> {
    let section = item.section("[[function]]")?;
    let Some((text, span)) = section.text("signature") else {
        let problem = Diagnostic::new(section.span(), "this function has no signature");
        section.problems.add(problem.hint("write signature = \"gcd(p: i32, q: i32) -> i32\""));
        return None;
    };
    let signature = match Signature::parse(&text) {
        Ok(signature) => signature,
        Err((message, at)) => {
            // Inside the quotes: the first byte of the string is one behind the span's start.
            let at = span.start + 1 + at.start..span.start + 1 + at.end.max(at.start + 1);
            section.problems.add(Diagnostic::new(at, message));
            return None;
        }
    };
    let command = signature.result == SignatureResult::Command;
    let parameters = parameters(&section, &signature, command);
    let result = lowerings::result(&section, &signature);
    let arguments = lowerings::arguments(&section, &parameters, &result);
    let function = Function {
        export: section.text("export").map(|(e, _)| e).unwrap_or_else(|| default_export(&signature)),
        name: signature.name,
        parameters,
        result,
        arguments,
        requires: section.text("requires").map(|(r, _)| r),
        relations: relation_files(&section, folder),
    };
    let path = section.text("path").map(|(p, _)| p);
    section.finish();
    Some(Entry { function, span, path })
}

fn default_export(signature: &Signature) -> String {
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

fn parameters(section: &Section<'_>, signature: &Signature, command: bool) -> Vec<Parameter> {
    let domain = per_parameter(section, signature, "domain", domains::domain);
    let sample = per_parameter(section, signature, "sample", domains::sampling);
    let lower =
        per_parameter(section, signature, "lower", |item, ty| lowerings::parameter(item, ty, command));
    let mut parts = domain.into_iter().zip(sample).zip(lower);
    signature
        .parameters
        .iter()
        .map(|(name, ty)| {
            let ((domain, sample), lower) = parts.next().unwrap_or_default();
            let lowering = lower.unwrap_or_else(|| lowerings::default(*ty, command));
            Parameter {
                name: name.clone(),
                ty: *ty,
                domain: with_nul_excluded(domain.unwrap_or_default(), &lowering),
                sampling: sample.unwrap_or_else(Sampling::default),
                lowering,
            }
        })
        .collect()
}

/// A zero element would end NUL-terminated data early, so it is no value of such a parameter.
fn with_nul_excluded(mut domain: Domain, lowering: &Lowering) -> Domain {
    let ends_at_nul = matches!(lowering, Lowering::NulTerminated(_) | Lowering::Word);
    if ends_at_nul && !domain.predicates.contains(&crate::Predicate::NoNul) {
        domain.predicates.push(crate::Predicate::NoNul);
    }
    domain
}

/// `KEY.NAME = …` for each parameter in order; names that are no parameters are reported.
fn per_parameter<T>(
    section: &Section<'_>,
    signature: &Signature,
    key: &'static str,
    read: impl Fn(Item<'_>, Type) -> Option<T>,
) -> Vec<Option<T>> {
    let mut found: Vec<Option<T>> = signature.parameters.iter().map(|_| None).collect();
    let Some(table) = section.section("a table of parameters", key) else { return found };
    for (name, span, item) in table.named() {
        match signature.parameters.iter().position(|(n, _)| n == name) {
            Some(index) => found[index] = read(item, signature.parameters[index].1),
            None => table.problems.add(no_such_parameter(signature, name, span)),
        }
    }
    found
}

fn no_such_parameter(signature: &Signature, name: &str, span: Range<usize>) -> Diagnostic {
    let problem = Diagnostic::new(span, format!("`{}` has no parameter `{name}`", signature.name));
    let known: Vec<&str> = signature.parameters.iter().map(|(n, _)| n.as_str()).collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None if known.is_empty() => problem.hint("it has none"),
        None => problem.hint(format!("its parameters: {}", known.join(", "))),
    }
}
