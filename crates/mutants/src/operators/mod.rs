//! Mutation operators, with one file for each. Each looks at one instruction of a function and proposes changes.

mod aar;
mod abs;
mod aod;
mod aois;
mod aoiu;
mod aor;
mod asrs;
mod binary;
mod cdl;
mod cod;
pub(crate) mod code;
mod coi;
pub(crate) mod constant;
mod crp;
mod csr;
mod der;
mod lcr;
mod loi;
mod lor;
mod ror;
mod rsr;
mod san;
mod scr;
mod sdl;
mod set;
mod sor;
mod svr;
#[cfg(test)]
mod tests;
mod value;
mod vcr;
mod vdl;

use crate::{Candidate, Scanned};

pub use set::{OperatorSet, UnknownOperator};

/// A mutation operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MutationOperator {
    /// Arithmetic operator replacement.
    Aor,
    /// Relational operator replacement.
    Ror,
    /// Logical connector replacement.
    Lcr,
    /// Bitwise operator replacement.
    Lor,
    /// Shift operator replacement.
    Sor,
    /// Short-cut assignment replacement.
    Asrs,
    /// Absolute value insertion.
    Abs,
    /// Unary minus insertion.
    Aoiu,
    /// Increment and decrement insertion.
    Aois,
    /// Bitwise complement insertion.
    Loi,
    /// Condition negation.
    Coi,
    /// Negation deletion.
    Cod,
    /// Constant deletion.
    Cdl,
    /// Variable deletion.
    Vdl,
    /// Operator deletion: either operand alone.
    Aod,
    /// Address replacement.
    Aar,
    /// Constant replacement.
    Crp,
    /// Scalar variable replacement.
    Svr,
    /// Scalar variable for constant replacement.
    Scr,
    /// Constant for scalar variable replacement.
    Csr,
    /// Void call removal.
    Vcr,
    /// Statement deletion.
    Sdl,
    /// Return value replacement.
    Rsr,
    /// Loop end replacement.
    Der,
    /// Statement analysis: a trap.
    San,
}

/// The definition of a mutation operator.
pub(crate) struct Definition {
    pub operator: MutationOperator,
    /// The usual name: `AOR`.
    pub code: &'static str,
    /// In a few words: `arithmetic operator replacement`.
    pub title: &'static str,
    /// Other usual names of it.
    pub aliases: &'static [&'static str],
    /// Proposes the changes of one reachable instruction that is not an artefact.
    pub propose: fn(&Scanned<'_>, u32, &mut Vec<Candidate>),
}

/// All operators, in the order in which the mutants of one instruction are numbered. If two propose the same code, the mutant
/// belongs to the earlier one, so operators for special cases come before the general ones.
pub(crate) const DEFINITIONS: &[Definition] = &[
    aor::DEFINITION,
    ror::DEFINITION,
    lcr::DEFINITION,
    lor::DEFINITION,
    sor::DEFINITION,
    asrs::DEFINITION,
    abs::DEFINITION,
    aoiu::DEFINITION,
    aois::DEFINITION,
    loi::DEFINITION,
    coi::DEFINITION,
    cod::DEFINITION,
    cdl::DEFINITION,
    vdl::DEFINITION,
    aod::DEFINITION,
    aar::DEFINITION,
    crp::DEFINITION,
    svr::DEFINITION,
    scr::DEFINITION,
    csr::DEFINITION,
    vcr::DEFINITION,
    sdl::DEFINITION,
    rsr::DEFINITION,
    der::DEFINITION,
    san::DEFINITION,
];

impl MutationOperator {
    /// All operators, in the order in which mutants of one instruction are numbered.
    pub fn all() -> impl Iterator<Item = MutationOperator> {
        DEFINITIONS.iter().map(|d| d.operator)
    }

    /// The usual name: `AOR`.
    pub fn code(self) -> &'static str {
        self.definition().code
    }

    /// In a few words: `arithmetic operator replacement`.
    pub fn title(self) -> &'static str {
        self.definition().title
    }

    fn definition(self) -> &'static Definition {
        // Every variant has a definition, which a test checks.
        DEFINITIONS.iter().find(|d| d.operator == self).unwrap_or(&DEFINITIONS[0])
    }
}

impl std::fmt::Display for MutationOperator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// Proposes all changes of one instruction, in the operators' order.
pub(crate) fn propose(scanned: &Scanned<'_>, at: u32) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for definition in DEFINITIONS {
        (definition.propose)(scanned, at, &mut candidates);
    }
    candidates
}
