//! Relations put before a person one by one. The answers stand in the written file: accepted relations as relations, the others
//! as comments, so that a later review does not ask about them again.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::Receiver;

use dodona_records::{IdentificationRecord, IdentifiedRelation};
use dodona_target::Interruption;

use super::asked::{answers, next};
use crate::failure::Failure;
use crate::output::write;

const REJECTED: &str = "# rejected: ";
const LATER: &str = "# later: ";

/// What the file says that answers are kept in; nothing where there is none yet.
pub(super) fn before(file: &Path) -> Result<String, Failure> {
    match dodona_target::user_file::text(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Failure::usage(format!("cannot read {}: {error}", file.display()))),
        Ok(text) => Ok(text),
    }
}

/// The relations with the answers.
pub(super) struct Reviewed<'r> {
    /// What the file said before.
    before: &'r str,
    accepted: Vec<&'r IdentifiedRelation>,
    rejected: Vec<&'r IdentifiedRelation>,
    later: Vec<&'r IdentifiedRelation>,
}

impl<'r> Reviewed<'r> {
    /// Asks about each relation that the file does not have an answer to. What is not answered any more is for later.
    pub(super) fn ask(
        before: &'r str,
        relations: &[&'r IdentifiedRelation],
        interrupted: &Interruption,
    ) -> Result<Reviewed<'r>, Failure> {
        Self::answered(before, relations, &answers(), interrupted)
    }

    /// The same with these answers.
    fn answered(
        before: &'r str,
        relations: &[&'r IdentifiedRelation],
        answers: &Receiver<String>,
        interrupted: &Interruption,
    ) -> Result<Reviewed<'r>, Failure> {
        let mut reviewed = Reviewed { before, accepted: Vec::new(), rejected: Vec::new(), later: Vec::new() };
        for &relation in relations {
            if reviewed.is_answered(relation) {
                continue;
            }
            match answer(relation, answers, interrupted)? {
                Answer::Accept => reviewed.accepted.push(relation),
                Answer::Reject => reviewed.rejected.push(relation),
                Answer::Later => reviewed.later.push(relation),
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

    /// The accepted relations, each under a name that the file does not have yet.
    fn named(&self) -> Vec<String> {
        let lines = self.before.lines().filter_map(|line| line.trim_start().strip_prefix("relation "));
        let name = |line: &str| line.split([' ', ':', '(']).next().unwrap_or_default().to_owned();
        let mut taken: BTreeSet<String> = lines.map(name).collect();
        let renamed = |relation: &&IdentifiedRelation| {
            let numbered = (2..).map(|number| format!("{}_{number}", relation.name));
            let mut names = std::iter::once(relation.name.clone()).chain(numbered);
            let name = names.find(|name| taken.insert(name.clone())).unwrap_or_default();
            let own = format!("relation {}", relation.name);
            relation.text.replacen(&own, &format!("relation {name}"), 1)
        };
        self.accepted.iter().map(renamed).collect()
    }

    /// The file with the answers.
    pub(super) fn file(&self, record: &IdentificationRecord) -> String {
        let kept = self.before.lines().filter(|line| !line.starts_with(LATER));
        let mut text: String = kept.flat_map(|line| [line, "\n"]).collect();
        match self.before.is_empty() {
            true => text = dodona_report::identified_file(record, &self.accepted),
            false => self.named().iter().for_each(|relation| text += &format!("\n{relation}\n")),
        }
        self.rejected.iter().for_each(|relation| text += &format!("{REJECTED}{}\n", relation.text));
        self.later.iter().for_each(|relation| text += &format!("{LATER}{}\n", relation.text));
        text
    }
}

/// What a person says of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Accept,
    Reject,
    Later,
}

impl Answer {
    fn read(text: &str) -> Option<Answer> {
        match text.trim().to_lowercase().as_str() {
            "a" | "accept" | "y" | "yes" => Some(Answer::Accept),
            "r" | "reject" | "n" | "no" => Some(Answer::Reject),
            "l" | "later" => Some(Answer::Later),
            _ => None,
        }
    }
}

/// Asks about a relation until there is an answer. Where no more is said, or somebody interrupts, it is for later.
fn answer(
    relation: &IdentifiedRelation,
    answers: &Receiver<String>,
    interrupted: &Interruption,
) -> Result<Answer, Failure> {
    if interrupted.is_raised() {
        return Ok(Answer::Later);
    }
    write(&format!("\n{}\n[a]ccept, [r]eject or [l]ater? ", relation.text))?;
    loop {
        let Some(said) = next(answers, interrupted) else { return Ok(Answer::Later) };
        if let Some(answer) = Answer::read(&said) {
            return Ok(answer);
        }
        write("type a, r or l: ")?;
    }
}

/// A relation without its name.
fn body(relation: &str) -> &str {
    relation.split_once(':').map_or("", |(_, body)| body.trim())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;

    fn relation(name: &str, says: &str) -> IdentifiedRelation {
        let text = format!("relation {name} of f: {says}");
        IdentifiedRelation {
            name: name.to_owned(),
            text,
            stated: false,
            samples: 1,
            fresh: 1,
            confirmed: true,
        }
    }

    #[test]
    fn accepted_relations_get_names_that_the_file_does_not_have() {
        let file = "relation a of f: x\n  relation a_2(x: f.x): y\n# rejected: relation b of f: z\n";
        let (a, b, again) = (relation("a", "a == a"), relation("b", "b == b"), relation("a", "x"));
        let (sender, answers) = sync_channel(3);
        ["a", "y"].iter().for_each(|answer| sender.send((*answer).to_owned()).expect("there is room"));
        drop(sender);
        let reviewed =
            Reviewed::answered(file, &[&a, &b, &again], &answers, &Interruption::default()).expect("asked");
        assert_eq!(reviewed.named(), ["relation a_3 of f: a == a", "relation b of f: b == b"]);
        assert!(reviewed.later.is_empty(), "what the file has is not asked again");
    }

    #[test]
    fn what_is_not_answered_any_more_is_for_later() {
        let (a, b) = (relation("a", "a == a"), relation("b", "b == b"));
        let (sender, answers) = sync_channel(1);
        sender.send("r".to_owned()).expect("there is room");
        let interrupted = Interruption::default();
        interrupted.raise();
        let reviewed = Reviewed::answered("", &[&a, &b], &answers, &interrupted).expect("not asked");
        assert_eq!((reviewed.rejected.len(), reviewed.later.len()), (0, 2));
        drop(sender);
        let reviewed = Reviewed::answered("", &[&a, &b], &answers, &Interruption::default()).expect("asked");
        assert_eq!((reviewed.rejected.len(), reviewed.later.len()), (1, 1));
    }

    #[test]
    fn what_is_no_answer_is_asked_again() {
        let (a, b) = (relation("a", "a == a"), relation("b", "b == b"));
        let (sender, answers) = sync_channel(4);
        ["x", "", "reject", "L"]
            .iter()
            .for_each(|line| sender.send((*line).to_owned()).expect("there is room"));
        let reviewed = Reviewed::answered("", &[&a, &b], &answers, &Interruption::default()).expect("asked");
        assert_eq!((reviewed.accepted.len(), reviewed.rejected.len(), reviewed.later.len()), (0, 1, 1));
    }

    #[test]
    fn a_file_that_is_no_text_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("answers.mr");
        assert_eq!(before(&file).ok(), Some(String::new()));
        std::fs::write(&file, b"# caf\xe9\n").expect("written");
        assert!(before(&file).is_err());
    }
}
