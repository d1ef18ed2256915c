//! Compiled modules of mutants, kept for whoever runs the same mutants again.
//!
//! A discovery runs the same mutants to record executions, to measure what relations kill, and for the evidence. Compiling cannot be
//! given up, so where there is a time limit, a module has as many mutants as there is time for.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use dodona_mutants::{Mutant, Plan};
use dodona_records::MutantId;
use dodona_wasm::execute::Executable;

/// The module of some mutants.
pub(crate) struct Compiled {
    /// The mutants, in the order of the plan.
    pub(crate) mutants: Vec<MutantId>,
    pub(crate) plan: Arc<Plan>,
    pub(crate) executable: Executable,
    /// The functions under test that it can call, by their indices.
    pub(crate) called: BTreeSet<usize>,
    /// The instructions of the copies of functions in it.
    pub(crate) instructions: usize,
}

impl Compiled {
    fn is_of(&self, mutants: &[&Mutant], called: &BTreeSet<usize>) -> bool {
        self.called.is_superset(called)
            && self.mutants.len() <= mutants.len()
            && self.mutants.iter().zip(mutants).all(|(id, m)| *id == m.id)
    }
}

/// Modules that are kept, as long as they are not too large together.
#[derive(Default)]
pub(crate) struct CompiledModules {
    kept: Mutex<Vec<Arc<Compiled>>>,
    /// The most instructions of all that are kept; 0 if none is.
    most: usize,
}

impl CompiledModules {
    /// Keeps modules that have at most so many instructions together.
    pub(crate) fn up_to(most: usize) -> CompiledModules {
        CompiledModules { kept: Mutex::default(), most }
    }

    /// A module of the first ones of these mutants, in which these functions under test can be called.
    pub(crate) fn of_first(&self, mutants: &[&Mutant], called: &BTreeSet<usize>) -> Option<Arc<Compiled>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|compiled| compiled.is_of(mutants, called)).cloned()
    }

    /// Keeps a module if there is room.
    pub(crate) fn keep(&self, compiled: &Arc<Compiled>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let before: usize = kept.iter().map(|compiled| compiled.instructions).sum();
        if before + compiled.instructions <= self.most {
            kept.push(Arc::clone(compiled));
        }
    }
}
