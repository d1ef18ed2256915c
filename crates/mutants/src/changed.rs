//! The functions of a mutant, with its change.

use dodona_subject::wasmparser::ValType;

use crate::emit::{Body, Frame, keeps, plain};
use crate::{Change, Mutant, Mutants};

/// The functions that a mutant changes, with the change.
pub(crate) fn by_function<'a, 'm>(all: &'a Mutants<'m>, mutant: &Mutant) -> Vec<Body<'a, 'm>> {
    let mut changes: Vec<&Change> = mutant.changes.iter().collect();
    changes.sort_by_key(|change| change.function);
    let same = |a: &&Change, b: &&Change| a.function == b.function;
    changes.chunk_by(same).map(|changes| body(all, changes)).collect()
}

fn body<'a, 'm>(all: &'a Mutants<'m>, changes: &[&Change]) -> Body<'a, 'm> {
    let scanned = all.function(changes[0]);
    let mut frame = Frame::new(scanned);
    let mut patches = Vec::new();
    for change in changes {
        let edits = &change.candidate.edits;
        let kept = edits.iter().any(|e| keeps(&e.code)).then(|| frame.held(ValType::I32));
        for edit in edits {
            frame.next_patch();
            patches.push(plain(&mut frame, scanned, edit, kept));
        }
    }
    patches.sort_by_key(|patch| patch.at);
    Body { scanned, locals: frame.into_locals(), patches }
}
