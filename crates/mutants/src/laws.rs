//! Laws of mutants, checked on a whole module. A new operator is tested by these once it is in the list.

use std::collections::{BTreeMap, HashMap};

use dodona_records::MutantId;
use dodona_subject::Module;

use crate::changed::by_function;
use crate::emit::{Body, bodies_alone};
use crate::generate::encoding;
use crate::{Describer, Mutant, Mutants, MutationOperator, Scope, alone};

/// A law that a mutant breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It is not a valid module.
    #[error("{0}")]
    Invalid(String),
    /// It is equal to the original.
    #[error("mutant {0} ({1}) writes the original's code")]
    Same(MutantId, MutationOperator),
    /// Another mutant of the same place writes the same code.
    #[error("mutants {0} and {1} ({2}) write the same code")]
    Twice(MutantId, MutantId, MutationOperator),
    /// Its number belongs to another mutant when mutants are generated again.
    #[error("mutant {0} is not the same when mutants are made again")]
    Unstable(MutantId),
}

/// The number of bodies that are validated in one module.
const AT_ONCE: usize = 500;

/// Checks that each mutant of the functions in scope is a valid module, differs from the original and from every other
/// mutant of its place, and keeps its number; gives how many mutants each operator made.
///
/// # Errors
/// Every law that is broken.
pub fn check(
    module: &Module,
    scope: &Scope,
    describer: &mut Describer<'_>,
) -> Result<BTreeMap<MutationOperator, usize>, Vec<Broken>> {
    let all = Mutants::generate(module, scope, usize::MAX, describer);
    let again = Mutants::generate(module, scope, usize::MAX, describer);
    let mut broken = Vec::new();
    for part in all.mutants.chunks(AT_ONCE) {
        validate(module, &all, part, &mut broken);
    }
    let mut counts = BTreeMap::new();
    let mut known: HashMap<(usize, u32, Vec<Vec<u8>>), MutantId> = HashMap::new();
    let mut originals: HashMap<u32, Vec<u8>> = HashMap::new();
    for (number, mutant) in all.mutants.iter().enumerate() {
        *counts.entry(mutant.operator).or_default() += 1;
        let bodies = by_function(&all, mutant);
        let written: Vec<Vec<u8>> = bodies.iter().map(|body| body.bytes().unwrap_or_default()).collect();
        let is_original = |(body, bytes): (&Body<'_, '_>, &Vec<u8>)| {
            originals.entry(body.scanned.function).or_insert_with(|| original(body)) == bytes
        };
        if bodies.iter().zip(&written).all(is_original) {
            broken.push(Broken::Same(mutant.id, mutant.operator));
        }
        let is_same =
            |other: &Mutant| other.id == mutant.id && encodings(&again, other) == encodings(&all, mutant);
        if !again.mutants.get(number).is_some_and(is_same) {
            broken.push(Broken::Unstable(mutant.id));
        }
        let change = &mutant.changes[0];
        if let Some(first) = known.insert((change.function, change.candidate.edits[0].at, written), mutant.id)
        {
            broken.push(Broken::Twice(first, mutant.id, mutant.operator));
        }
    }
    if broken.is_empty() { Ok(counts) } else { Err(broken) }
}

/// Validates mutants side by side, which is much faster than each in its own module. The first ones are also validated in their
/// own modules.
fn validate(module: &Module, all: &Mutants<'_>, mutants: &[Mutant], broken: &mut Vec<Broken>) {
    let bodies: Vec<_> = mutants.iter().flat_map(|mutant| by_function(all, mutant)).collect();
    let together = bodies_alone(module, &bodies).is_ok_and(|bytes| Module::parse(bytes).is_ok());
    let each = if together { &mutants[..1] } else { mutants };
    let invalid = each.iter().filter_map(|mutant| alone(module, all, mutant).err());
    broken.extend(invalid.map(|error| Broken::Invalid(error.to_string())));
}

/// The body as the module has it.
fn original(body: &Body<'_, '_>) -> Vec<u8> {
    let unpatched = Body { scanned: body.scanned, locals: Vec::new(), patches: Vec::new() };
    unpatched.bytes().unwrap_or_default()
}

/// The code that each change of a mutant writes.
fn encodings(all: &Mutants<'_>, mutant: &Mutant) -> Vec<Vec<u8>> {
    mutant.changes.iter().map(|change| encoding(all.function(change), &change.candidate)).collect()
}
