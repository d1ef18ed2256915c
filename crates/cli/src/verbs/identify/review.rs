//! Relations put before a person one by one. The answers stand in the written file: accepted relations as relations, the others
//! as comments, so that a later review does not ask about them again.

use std::io::BufRead as _;

use dodona_evidence::{IdentificationRecord, IdentifiedRelation};

use crate::failure::Failure;
use crate::output::write;

const REJECTED: &str = "# rejected: ";
const LATER: &str = "# later: ";

/// The relations with the answers.
pub(super) struct Reviewed<'r> {
    /// What the file said before.
    before: &'r str,
    accepted: Vec<&'r IdentifiedRelation>,
    rejected: Vec<&'r IdentifiedRelation>,
    later: Vec<&'r IdentifiedRelation>,
}

impl<'r> Reviewed<'r> {
    /// Asks about each relation that the file does not have an answer to.
    pub(super) fn ask(
        before: &'r str,
        relations: &[&'r IdentifiedRelation],
    ) -> Result<Reviewed<'r>, Failure> {
        let mut reviewed = Reviewed { before, accepted: Vec::new(), rejected: Vec::new(), later: Vec::new() };
        let mut answers = std::io::stdin().lock().lines();
        for &relation in relations {
            if reviewed.is_answered(relation) {
                continue;
            }
            write(&format!("\n{}\n[a]ccept, [r]eject or [l]ater? ", relation.text))?;
            // What is not answered any more is for later.
            let answer = answers.next().and_then(Result::ok).unwrap_or_default();
            match answer.trim().chars().next() {
                Some('a' | 'A' | 'y' | 'Y') => reviewed.accepted.push(relation),
                Some('r' | 'R' | 'n' | 'N') => reviewed.rejected.push(relation),
                _ => reviewed.later.push(relation),
            }
        }
        Ok(reviewed)
    }

    /// Whether the file has the relation, accepted or rejected, under whatever name.
    fn is_answered(&self, relation: &IdentifiedRelation) -> bool {
        let says = body(&relation.text);
        let lines = self.before.lines().filter(|line| !line.starts_with(LATER));
        lines.map(|line| line.strip_prefix(REJECTED).unwrap_or(line)).any(|line| body(line) == says)
    }

    /// The file with the answers.
    pub(super) fn file(&self, record: &IdentificationRecord) -> String {
        let kept = self.before.lines().filter(|line| !line.starts_with(LATER));
        let mut text: String = kept.flat_map(|line| [line, "\n"]).collect();
        match self.before.is_empty() {
            true => text = dodona_report::identified_file(record, &self.accepted),
            false => self.accepted.iter().for_each(|relation| text += &format!("\n{}\n", relation.text)),
        }
        self.rejected.iter().for_each(|relation| text += &format!("{REJECTED}{}\n", relation.text));
        self.later.iter().for_each(|relation| text += &format!("{LATER}{}\n", relation.text));
        text
    }
}

/// A relation without its name.
fn body(relation: &str) -> &str {
    relation.split_once(':').map_or("", |(_, body)| body.trim())
}
