//! Proofs of relations, for people and for programs.

use std::collections::BTreeMap;

use dodona_records::{Elapsed, ProofRecord, ProofVerdict, RelationProof, RelationRecord, Tally};

use crate::Styles;
use crate::layout::fitted;
use crate::pieces::{Piece, on_a_screen};
use crate::terminal::CounterexampleView;
use crate::text::{Styled, counted, heading};

/// What is said of a proof about a function that can ask for random bytes.
pub(crate) const RANDOM_SOURCE: &str = "for the seeded random bytes only";

impl crate::Report for ProofRecord {
    /// What came of the proofs; where it is longer than a screen, what is not proved, and how much is left out.
    fn terminal(&self, styles: Styles) -> String {
        on_a_screen(&pieces(self, styles, false), || pieces(self, styles, true), "", styles)
    }

    /// The same with every relation and counterexample.
    fn whole(&self, styles: Styles) -> String {
        let all: String = pieces(self, styles, false).into_iter().map(|piece| piece.text).collect();
        fitted(&all, styles.width)
    }
}

/// The lines of a report. In a shorter one the relations that are proved are a line.
fn pieces(record: &ProofRecord, styles: Styles, is_shorter: bool) -> Vec<Piece> {
    let place = match record.solver.as_str() {
        "" => record.manifest.clone(),
        solver => format!("{}, solver {solver}", record.manifest),
    };
    let text = format!("{}\n", heading(&record.subject, &place, styles));
    let mut pieces = vec![Piece { rank: 0, noun: ["subject", "subjects"], text, below: None }];
    let width = record.relations.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).min(40);
    let is_proved = |proof: &&RelationProof| matches!(proof.verdict, ProofVerdict::Proved { .. });
    let proved = record.relations.iter().filter(is_proved).count() as u64;
    let told = record.relations.iter().filter(|proof| !is_shorter || !is_proved(proof));
    told.for_each(|proof| relation(&mut pieces, proof, width, styles));
    if is_shorter && proved > 0 {
        let text = format!("  {}  {}\n", Styled(styles.good, "proved "), counted(proved, "relation"));
        let noun = ["count of proved relations", "counts of proved relations"];
        pieces.push(Piece { rank: 2, noun, text, below: Some(0) });
    }
    pieces
}

/// The line of a relation, and its counterexample.
fn relation(pieces: &mut Vec<Piece>, proof: &RelationProof, width: usize, styles: Styles) {
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
    let (rank, noun) = match &proof.verdict {
        ProofVerdict::Refuted { .. } => (1, ["refuted relation", "refuted relations"]),
        ProofVerdict::Vacuous => (3, ["vacuous relation", "vacuous relations"]),
        ProofVerdict::Unknown { .. } => {
            (4, ["relation of which nothing is known", "relations of which nothing is known"])
        }
        ProofVerdict::Proved { .. } => (5, ["proved relation", "proved relations"]),
    };
    let text = format!("  {}  {:width$}  {words}\n", Styled(style, format!("{word:<7}")), proof.name);
    let at = pieces.len();
    pieces.push(Piece { rank, noun, text, below: Some(0) });
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
        let text = CounterexampleView { relation: &relation, counterexample, styles }.to_string();
        pieces.push(Piece { rank: 2, noun: ["counterexample", "counterexamples"], text, below: Some(at) });
    }
}

fn ways(proof: &RelationProof) -> String {
    let ways = counted(proof.verdicts, "way");
    format!("{ways} through its calls, {} of single calls", counted(proof.paths, "path"))
}
