//! Proofs of relations, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use dodona_records::{Elapsed, ProofRecord, ProofVerdict, RelationProof, RelationRecord, Tally};

use crate::Styles;
use crate::terminal::CounterexampleView;
use crate::text::{Styled, counted, heading};

/// What is said of a proof about a function that can ask for random bytes.
pub(crate) const RANDOM_SOURCE: &str = "for the seeded random bytes only";

struct Report<'a> {
    record: &'a ProofRecord,
    styles: Styles,
}

impl crate::Report for ProofRecord {
    /// What came of the proofs.
    fn terminal(&self, styles: Styles) -> String {
        Report { record: self, styles }.to_string()
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles } = self;
        let place = match record.solver.as_str() {
            "" => record.manifest.clone(),
            solver => format!("{}, solver {solver}", record.manifest),
        };
        writeln!(f, "{}", heading(&record.subject, &place, *styles))?;
        let width = record.relations.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).min(40);
        record.relations.iter().try_for_each(|proof| relation(f, proof, width, *styles))
    }
}

fn relation(f: &mut fmt::Formatter<'_>, proof: &RelationProof, width: usize, styles: Styles) -> fmt::Result {
    let (style, word) = match &proof.verdict {
        ProofVerdict::Proved { .. } => (styles.good, "proved"),
        ProofVerdict::Refuted { .. } => (styles.bad, "refuted"),
        ProofVerdict::Vacuous => (styles.doubtful, "vacuous"),
        ProofVerdict::Unknown { .. } => (styles.doubtful, "unknown"),
    };
    let words = match &proof.verdict {
        ProofVerdict::Proved { longest } => {
            let within = longest.map_or(String::new(), |longest| format!(" up to {longest} long"));
            let bytes = if proof.random_source { format!(", {RANDOM_SOURCE}") } else { String::new() };
            format!("for every eligible input{within}{bytes}: {}", ways(proof))
        }
        ProofVerdict::Refuted { .. } => format!("after {}", ways(proof)),
        ProofVerdict::Vacuous => "no input is eligible, so nothing was proved".to_owned(),
        ProofVerdict::Unknown { why } => {
            format!("{}; no violation on {}", why.join("; "), ways(proof))
        }
    };
    writeln!(f, "  {}  {:width$}  {words}", Styled(style, format!("{word:<7}")), proof.name)?;
    if let ProofVerdict::Refuted { counterexample } = &proof.verdict {
        let relation = RelationRecord {
            name: proof.name.clone(),
            text: proof.text.clone(),
            file: proof.file.clone(),
            line: proof.line,
            sources: 1,
            tally: Tally::default(),
            counterexample: None,
            skipped: BTreeMap::new(),
            outside: None,
            elapsed: Elapsed::default(),
        };
        write!(f, "{}", CounterexampleView { relation: &relation, counterexample, styles })?;
    }
    Ok(())
}

fn ways(proof: &RelationProof) -> String {
    let ways = counted(proof.verdicts, "way");
    format!("{ways} through its calls, {} of single calls", counted(proof.paths, "path"))
}
