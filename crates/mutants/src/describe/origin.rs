//! The places in the source from which instructions come.

use dodona_subject::{Location, Package, wasmparser::Operator};

use super::Describer;
use crate::owner::{Owner, owner};
use crate::scope::{Stages, home};
use crate::{Scanned, Scope};

/// How many instructions back a place is looked for.
const NEAR: u32 = 64;

/// The place in the source from which an instruction comes.
pub(super) struct Origin {
    pub place: Option<Location>,
    /// The inlined copy that the place is in; 0 for none.
    pub copy: u32,
    /// Whether the file of the place is here.
    pub is_here: bool,
    /// Whether the place is that of a call, or of a nearby instruction.
    pub is_call: bool,
}

impl Describer<'_> {
    /// The instruction whose place in the source is used for another one.
    ///
    /// Compilers give no place to instructions that only fetch a value, and lose places when they move code. Then the place is
    /// that of the instruction that uses the value.
    pub fn anchor(&self, scanned: &Scanned<'_>, at: u32) -> u32 {
        let Some(debug) = self.debug else { return at };
        let mut anchor = at;
        for _ in 0..4 {
            let scan = scanned.at(anchor);
            let placed = debug.location_at(scan.offset).is_some_and(|l| l.column > 0);
            match scan.user {
                Some((user, _)) if !placed || is_fetched(&scan.operator) => anchor = user,
                _ => break,
            }
        }
        anchor
    }

    /// For each instruction of a function the stage in which its mutants are numbered, or why it has none.
    pub(crate) fn stages(&self, scanned: &Scanned<'_>, scope: &Scope) -> Stages {
        let home = self.debug.map_or(&Package::Local, |debug| home(scanned.module, debug, scanned.function));
        let stage = |at: u32| {
            let offset = scanned.at(self.anchor(scanned, at)).offset;
            let owner = self.debug.map_or(Owner::Nobody, |debug| owner(debug, offset));
            scope.stage(scanned.function, home, owner)
        };
        (0..scanned.instructions.len() as u32).map(stage).collect()
    }

    /// The place from which an instruction comes. For code that the compiler added, this is the place of a previous instruction
    /// nearby, if its source file exists here.
    pub(super) fn nearest_origin(&mut self, scanned: &Scanned<'_>, at: u32) -> Origin {
        let origin = self.origin(scanned.at(at).offset);
        if origin.is_here || origin.place.as_ref().is_none_or(|place| place.column > 0) {
            return origin;
        }
        let before = (at.saturating_sub(NEAR)..at).rev();
        let near = before.map(|at| self.origin(scanned.at(at).offset)).find(|origin| origin.is_here);
        match near {
            Some(Origin { place: Some(place), copy, .. }) => {
                let place = Some(Location { column: 0, ..place });
                Origin { place, copy, is_here: true, is_call: true }
            }
            _ => origin,
        }
    }

    /// The place from which the instruction at an offset comes. Code that was inlined from files that do not exist here, such
    /// as those of a standard library, comes from the nearest call in a file that does.
    fn origin(&mut self, offset: usize) -> Origin {
        let nowhere = Origin { place: None, copy: 0, is_here: false, is_call: false };
        let Some(debug) = self.debug else { return nowhere };
        let place = debug.location_at(offset).cloned();
        let instance = debug.inline_instance(offset);
        let mut found = |location: &Location| {
            let is_standard = matches!(debug.package(location), Package::Standard(_));
            !is_standard && self.sources.file(debug, location).is_some()
        };
        let is_here = place.as_ref().is_some_and(&mut found);
        if !is_here {
            for (index, call) in instance.calls.iter().enumerate().rev() {
                if let Some(call) = call.call.clone().filter(&mut found) {
                    let copy = instance.caller(index);
                    return Origin { place: Some(call), copy, is_here: true, is_call: true };
                }
            }
        }
        Origin { place, copy: instance.id, is_here, is_call: false }
    }
}

/// Whether an instruction only fetches a value or passes it on.
fn is_fetched(operator: &Operator<'_>) -> bool {
    is_leaf(operator) || matches!(operator, Operator::LocalTee { .. })
}

/// Whether an instruction only fetches a value.
pub(super) fn is_leaf(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::LocalGet { .. }
            | Operator::GlobalGet { .. }
            | Operator::I32Const { .. }
            | Operator::I64Const { .. }
            | Operator::F32Const { .. }
            | Operator::F64Const { .. }
    )
}
