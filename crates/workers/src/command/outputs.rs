//! Outputs that are found in what a run left.

use dodona_subject::{Found, FoundIn};
use dodona_target::{Type, Value};

use super::run::{Ended, Ran};
use crate::found::Search;

/// Reads one output.
pub(super) struct Reader {
    place: FoundIn,
    search: Search,
}

impl Reader {
    pub(super) fn new(found: &Found, ty: Type) -> Reader {
        Reader { place: found.place.clone(), search: Search::new(&found.how, ty) }
    }

    /// Where the value is not there: what was looked for, and what is there instead, in one line.
    pub(super) fn missing(&self, ran: &Ran) -> Option<String> {
        if self.read(ran).is_some() {
            return None;
        }
        let place = match &self.place {
            FoundIn::Stderr => "standard error".to_owned(),
            FoundIn::Exit => "the exit code".to_owned(),
            FoundIn::File(name) if self.bytes(ran).is_none() => {
                return Some(format!("there is no file {name}, or it is larger than [limits] output allows"));
            }
            FoundIn::File(name) => format!("the file {name}"),
            _ => "standard output".to_owned(),
        };
        Some(self.search.missing(&place, self.bytes(ran).unwrap_or_default()))
    }

    /// What is looked at.
    fn bytes<'r>(&self, ran: &'r Ran) -> Option<&'r [u8]> {
        match &self.place {
            FoundIn::Stdout => Some(&ran.stdout),
            FoundIn::Stderr => Some(&ran.stderr),
            FoundIn::File(name) => Some(&ran.files.iter().find(|(known, _)| known == name)?.1),
            // An exit code is no text, and the others are of answers.
            FoundIn::Exit | FoundIn::Status | FoundIn::Body | FoundIn::Header(_) => None,
        }
    }

    /// The value; `None` where it is not there, or is no value of its type.
    pub(super) fn read(&self, ran: &Ran) -> Option<Value> {
        match (&self.place, ran.ended) {
            (FoundIn::Exit, Ended::Exited(code)) => Some(Value::Int(code.into())),
            _ => self.search.read(self.bytes(ran)?),
        }
    }
}
