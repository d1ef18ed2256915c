//! Sets of mutation operators by the names that tools and papers gave them.

use std::collections::BTreeSet;

use dodona_target::nearest;

use super::{DEFINITIONS, MutationOperator};

/// A set of mutation operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSet(BTreeSet<MutationOperator>);

/// A name that is neither an operator nor a set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no mutation operator or set is called `{name}`{hint}")]
pub struct UnknownOperator {
    /// The name.
    pub name: String,
    hint: String,
}

/// The named sets. Those named after tools translate the documentation of the tools into our operators. If an operator here
/// covers only the special cases of another (VCR of SDL; CDL and VDL of AOD), a set that contains the whole names both.
const SETS: &[(&str, &[&str])] = &[
    // No mutant: for an analysis of faulty versions alone.
    ("none", &[]),
    // Unary operator insertion, as defined by Offutt et al. (1996).
    ("uoi", &["AOIU", "AOIS", "LOI", "COI"]),
    // Operator deletion in muJava: every operand of every operator alone.
    ("odl", &["AOD", "CDL", "VDL"]),
    // The five sufficient operators of Offutt, Lee, Rothermel, Untch and Zapf (1996).
    ("selective", &["ABS", "AOR", "LCR", "ROR", "AOIU", "AOIS", "LOI", "COI"]),
    // Operators whose mutants stand for others: on the nine programs of `experiments/hierarchy` they have a mutant in 83 % of the dominators, with 73 %
    // of the mutants; the operators of `selective` have one in 34 %, with 43 %. Where no array is accessed it is 90 % and more.
    ("strong", &["ABS", "AOIS", "ASRS", "CRP", "CSR", "LCR", "LOR", "SCR", "SDL", "SVR", "VDL"]),
    // King and Offutt's 22 (1991), as far as they have a meaning here: CRP stands for CRP and SRC,
    // AOR's LEFTOP and RIGHTOP are AOD CDL VDL; there are no DATA statements (DSA) and no GO TO labels (GLR).
    (
        "mothra",
        &[
            "AAR", "ABS", "ACR", "AOR", "AOD", "CDL", "VDL", "ASR", "CAR", "CNR", "CRP", "CSR", "DER", "LCR",
            "ROR", "RSR", "SAN", "SAR", "SCR", "SDL", "VCR", "SVR", "AOIU", "AOIS", "LOI", "COI",
        ],
    ),
    // Agrawal et al. (1989) for C: OAAN ORRN OLLN OBBN OSSN OAEA, OBNG OCNG OLNG, VDTR VTWD, VLSR and VGSR, VLAR and VGAR (CNR), CLSR and CGSR, CLCR and
    // CGCR, SSDL SMTT SMTC STRP, with the deletions OODL VVDL CCDL of Delamaro et al. (2014).
    (
        "proteum",
        &[
            "AOR", "ROR", "LCR", "LOR", "SOR", "ASRS", "LOI", "COI", "ABS", "AOIS", "SVR", "CNR", "CSR",
            "CRP", "SDL", "VCR", "DER", "SAN", "AOD", "VDL", "CDL",
        ],
    ),
    // Method-level operators: AORB AORS AOIU AOIS AODU AODS, ROR, COR COI COD, SOR, LOR LOI LOD, ASRS, SDL VDL CDL ODL.
    (
        "mujava",
        &[
            "AOR", "AOIU", "AOIS", "ROR", "LCR", "COI", "COD", "SOR", "LOR", "LOI", "ASRS", "SDL", "VCR",
            "VDL", "CDL", "AOD",
        ],
    ),
    // AOR LOR SOR COR ROR LVR STD. Its EVR and ORU have no counterpart.
    ("major", &["AOR", "LOR", "SOR", "LCR", "ROR", "CRP", "SDL", "VCR"]),
    // Defaults: Conditionals Boundary and Negate Conditionals (ROR), Increments and Math (AOR LOR SOR), Void Method Calls (VCR),
    // Empty, False, True and Primitive Returns (RSR). Invert Negatives is a part of AOD.
    ("pit", &["ROR", "AOR", "LOR", "SOR", "VCR", "RSR"]),
    // Also Remove Conditionals (ROR), Inline Constant and CRCR (CRP), Remove Increments (CDL), Member Variable (SDL), ABS (AOIU),
    // AOD, UOI (AOIS).
    (
        "pit-all",
        &["ROR", "AOR", "LOR", "SOR", "VCR", "RSR", "CRP", "CDL", "VDL", "AOD", "SDL", "AOIU", "AOIS", "COI"],
    ),
    // Untch (2009); Deng, Offutt and Li (2013).
    ("deletion", &["SDL", "VCR", "VDL", "CDL", "AOD", "COD"]),
];

impl OperatorSet {
    /// Every operator.
    pub fn all() -> OperatorSet {
        OperatorSet(MutationOperator::all().collect())
    }

    /// No operator.
    pub fn none() -> OperatorSet {
        OperatorSet(BTreeSet::new())
    }

    /// The names of the sets, `all` among them.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        SETS.iter().map(|(set, _)| *set).chain(["all"])
    }

    /// Reads names of operators and sets, in any case; no names mean every operator.
    ///
    /// ```
    /// use dodona_mutants::{MutationOperator, OperatorSet};
    /// let set = OperatorSet::parse(&["selective", "sdl"])?;
    /// assert!(set.contains(MutationOperator::Sdl) && !set.contains(MutationOperator::Svr));
    /// # Ok::<(), dodona_mutants::UnknownOperator>(())
    /// ```
    ///
    /// # Errors
    /// The first name that is neither, with the nearest that is.
    pub fn parse<S: AsRef<str>>(names: &[S]) -> Result<OperatorSet, UnknownOperator> {
        if names.is_empty() {
            return Ok(OperatorSet::all());
        }
        let mut set = BTreeSet::new();
        for name in names {
            set.extend(named(name.as_ref()).ok_or_else(|| unknown(name.as_ref()))?);
        }
        Ok(OperatorSet(set))
    }

    /// Whether an operator is in the set.
    pub fn contains(&self, operator: MutationOperator) -> bool {
        self.0.contains(&operator)
    }

    /// The operators, in their order.
    pub fn iter(&self) -> impl Iterator<Item = MutationOperator> + '_ {
        self.0.iter().copied()
    }
}

/// The operators of a set.
#[cfg(test)]
pub(super) fn members(name: &str) -> &'static [&'static str] {
    SETS.iter().find(|(set, _)| *set == name).map_or(&[], |(_, members)| members)
}

fn named(name: &str) -> Option<Vec<MutationOperator>> {
    if name.eq_ignore_ascii_case("all") {
        return Some(MutationOperator::all().collect());
    }
    if let Some((_, codes)) = SETS.iter().find(|(set, _)| set.eq_ignore_ascii_case(name)) {
        return Some(codes.iter().filter_map(|code| operator(code)).collect());
    }
    operator(name).map(|operator| vec![operator])
}

fn operator(name: &str) -> Option<MutationOperator> {
    let is = |code: &&str| code.eq_ignore_ascii_case(name);
    let found = DEFINITIONS.iter().find(|d| is(&d.code) || d.aliases.iter().any(is));
    found.map(|d| d.operator)
}

fn unknown(name: &str) -> UnknownOperator {
    let sets = OperatorSet::names();
    let codes = DEFINITIONS.iter().map(|d| d.code);
    let aliases = DEFINITIONS.iter().flat_map(|d| d.aliases.iter().copied());
    let upper = name.to_ascii_uppercase();
    // The usual name of an operator is tried before its other names.
    let near = nearest(&upper, codes).or_else(|| nearest(&upper, aliases));
    let near = near.or_else(|| nearest(name, sets.clone()));
    let hint = match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; sets are {}", sets.collect::<Vec<_>>().join(", ")),
    };
    UnknownOperator { name: name.to_owned(), hint }
}
