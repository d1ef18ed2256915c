//! Mutation operators, with one file for each. Each looks at one instruction of a function and proposes changes.

mod aar;
mod abs;
mod acr;
mod aod;
mod aois;
mod aoiu;
mod aor;
mod arrays;
mod asr;
mod asrs;
mod binary;
mod car;
mod cdl;
mod cnr;
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
mod sar;
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

/// A row for each operator, with the module of its definition.
macro_rules! operators {
    ($($(#[$words:meta])* $operator:ident($module:ident);)+) => {
        /// A mutation operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MutationOperator {
            $($(#[$words])* $operator,)+
        }

        /// All operators, in the order of the rows.
        pub(crate) const DEFINITIONS: &[Definition] = &[$($module::DEFINITION),+];

        impl MutationOperator {
            fn definition(self) -> &'static Definition {
                match self {
                    $(MutationOperator::$operator => &$module::DEFINITION,)+
                }
            }
        }
    };
}

// In the order in which the mutants of one instruction are numbered. If two operators propose the same code, the mutant belongs to the
// earlier one, so operators for special cases come before the general ones.
operators! {
    /// Arithmetic operator replacement.
    Aor(aor);
    /// Relational operator replacement.
    Ror(ror);
    /// Logical connector replacement.
    Lcr(lcr);
    /// Bitwise operator replacement.
    Lor(lor);
    /// Shift operator replacement.
    Sor(sor);
    /// Short-cut assignment replacement.
    Asrs(asrs);
    /// Absolute value insertion.
    Abs(abs);
    /// Unary minus insertion.
    Aoiu(aoiu);
    /// Increment and decrement insertion.
    Aois(aois);
    /// Bitwise complement insertion.
    Loi(loi);
    /// Condition negation.
    Coi(coi);
    /// Negation deletion.
    Cod(cod);
    /// Constant deletion.
    Cdl(cdl);
    /// Variable deletion.
    Vdl(vdl);
    /// Operator deletion: either operand alone.
    Aod(aod);
    /// Address replacement.
    Aar(aar);
    /// Array reference for constant replacement.
    Acr(acr);
    /// Array reference for scalar variable replacement.
    Asr(asr);
    /// Constant for array reference replacement.
    Car(car);
    /// Comparable array name replacement.
    Cnr(cnr);
    /// Scalar variable for array reference replacement.
    Sar(sar);
    /// Constant replacement.
    Crp(crp);
    /// Scalar variable replacement.
    Svr(svr);
    /// Scalar variable for constant replacement.
    Scr(scr);
    /// Constant for scalar variable replacement.
    Csr(csr);
    /// Void call removal.
    Vcr(vcr);
    /// Statement deletion.
    Sdl(sdl);
    /// Return value replacement.
    Rsr(rsr);
    /// Loop end replacement.
    Der(der);
    /// Statement analysis: a trap.
    San(san);
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
