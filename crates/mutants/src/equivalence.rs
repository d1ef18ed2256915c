//! Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon 2015): mutants whose optimised machine code is that of the
//! original are equivalent, and mutants with the same code are duplicates of one another.

use std::collections::HashMap;

use dodona_evidence::MutantId;
use dodona_execute::{LoadError, MachineCode, machine_code};
use dodona_subject::Module;

use crate::changed::by_function;
use crate::emit::{Body, bodies_alone};
use crate::{Mutant, Mutants};

/// What optimised code says of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Its code is the original's: no input can tell them apart.
    Equivalent,
    /// Its code is that of this earlier mutant.
    Duplicate(MutantId),
    /// Its code is its own.
    Distinct,
}

/// Bodies that are compiled at a time: it bounds the memory that their code takes.
const AT_ONCE: usize = 1024;

/// Compares the optimised code of mutants with the original's and with each other's.
///
/// # Errors
/// When a body does not compile, which is a mistake of ours.
pub fn equivalences(
    module: &Module,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
) -> Result<Vec<Equivalence>, LoadError> {
    let mut comparison = Comparison { originals: HashMap::new(), known: HashMap::new() };
    let mut found = Vec::with_capacity(mutants.len());
    for part in mutants.chunks(AT_ONCE) {
        comparison.compare(module, all, part, &mut found)?;
    }
    Ok(found)
}

/// The code of a mutant: for each function that it changes, by index, what that compiles to.
type Code = Vec<(u32, MachineCode)>;

struct Comparison {
    originals: HashMap<u32, MachineCode>,
    known: HashMap<Code, MutantId>,
}

impl Comparison {
    fn compare(
        &mut self,
        module: &Module,
        all: &Mutants<'_>,
        mutants: &[&Mutant],
        found: &mut Vec<Equivalence>,
    ) -> Result<(), LoadError> {
        let mut bodies: Vec<Body<'_, '_>> = Vec::new();
        let mut wanted: Vec<u32> = Vec::new();
        for change in mutants.iter().flat_map(|m| &m.changes) {
            let scanned = all.function(change);
            if !self.originals.contains_key(&scanned.function) && !wanted.contains(&scanned.function) {
                wanted.push(scanned.function);
                bodies.push(Body { scanned, locals: Vec::new(), patches: Vec::new() });
            }
        }
        bodies.extend(mutants.iter().flat_map(|m| by_function(all, m)));
        let bytes = bodies_alone(module, &bodies)
            .map_err(|e| LoadError::Compile { message: format!("mutants cannot be compared: {e}") })?;
        let mut code = machine_code(&bytes)?.into_iter();
        for function in wanted {
            self.originals.extend(code.next().map(|code| (function, code)));
        }
        for mutant in mutants {
            let functions: Vec<u32> = by_function(all, mutant).iter().map(|b| b.scanned.function).collect();
            let code: Code = functions.into_iter().zip(code.by_ref()).collect();
            found.push(self.judge(mutant, code));
        }
        Ok(())
    }

    fn judge(&mut self, mutant: &Mutant, mut code: Code) -> Equivalence {
        // What is the same as in the original says nothing.
        code.retain(|(function, code)| self.originals.get(function) != Some(code));
        if code.is_empty() {
            return Equivalence::Equivalent;
        }
        match self.known.get(&code) {
            Some(first) => Equivalence::Duplicate(*first),
            None => {
                self.known.insert(code, mutant.id);
                Equivalence::Distinct
            }
        }
    }
}
