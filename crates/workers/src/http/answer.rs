//! Answers: what a service sent back, and the outputs that are found in it.

use dodona_subject::{Found, FoundIn};
use dodona_target::{Malformed, Outcome, Trap, Type, Value, on_one_line};

use crate::found::Search;

/// How many characters of a body stand in a message.
const SHOWN: usize = 200;

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Answered(Answer),
    OutOfTime,
    /// The body has more bytes than it may.
    TooLong,
    /// The connection was closed before the answer was complete, or the answer is no HTTP: in words.
    Broken(String),
}

/// A complete answer, without the secrets that were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// Names in lower case.
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
    /// Why a redirect was not followed, with where it points.
    pub(super) refused: Option<String>,
}

impl Answer {
    /// The value of a header; where it stands several times, the values with commas between.
    pub(super) fn header(&self, name: &str) -> Option<Vec<u8>> {
        let values = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let values: Vec<&[u8]> = values.map(|(_, value)| value.as_slice()).collect();
        (!values.is_empty()).then(|| values.join(&b','))
    }
}

impl Ended {
    /// The outcome of the call. `shows_status` is that of a signature whose outputs have the status, so that each status is one that returns.
    pub(super) fn outcome(&self, shows_status: bool) -> Outcome {
        match self {
            Ended::Answered(answer) if shows_status || (200..300).contains(&answer.status) => {
                Outcome::Returned
            }
            Ended::Answered(answer) => Outcome::Trapped(Trap::Status(answer.status)),
            Ended::OutOfTime => Outcome::OutOfTime,
            Ended::TooLong => Outcome::Malformed(Malformed::Output),
            Ended::Broken(_) => Outcome::Malformed(Malformed::Answer),
        }
    }

    /// What is said of a call that has no value, in one line.
    pub(super) fn message(&self) -> Option<String> {
        let words = match self {
            Ended::Answered(Answer { refused: Some(why), .. }) => why.clone(),
            Ended::Answered(answer) => String::from_utf8_lossy(&answer.body).trim().to_owned(),
            Ended::Broken(why) => why.clone(),
            Ended::OutOfTime | Ended::TooLong => return None,
        };
        let words: String = words.chars().take(SHOWN).collect();
        (!words.is_empty()).then(|| on_one_line(&words).into_owned())
    }
}

/// Reads one output of an answer.
pub(super) struct Reader {
    place: FoundIn,
    search: Search,
}

impl Reader {
    pub(super) fn new(found: &Found, ty: Type) -> Reader {
        Reader { place: found.place.clone(), search: Search::new(&found.how, ty) }
    }

    /// The value; `None` where it is not there, or is no value of its type.
    pub(super) fn read(&self, answer: &Answer) -> Option<Value> {
        self.search.read(&self.bytes(answer)?)
    }

    /// Where the value is not there: what was looked for, and what is there instead, in one line.
    pub(super) fn missing(&self, answer: &Answer) -> Option<String> {
        if self.read(answer).is_some() {
            return None;
        }
        let place = match &self.place {
            FoundIn::Header(name) if self.bytes(answer).is_none() => {
                return Some(format!("the answer has no header {name}"));
            }
            FoundIn::Header(name) => format!("the header {name}"),
            FoundIn::Status => "the status".to_owned(),
            _ => "the body".to_owned(),
        };
        Some(self.search.missing(&place, &self.bytes(answer).unwrap_or_default()))
    }

    fn bytes(&self, answer: &Answer) -> Option<Vec<u8>> {
        match &self.place {
            FoundIn::Status => Some(answer.status.to_string().into_bytes()),
            FoundIn::Body => Some(answer.body.clone()),
            FoundIn::Header(name) => answer.header(name),
            // These are of programs.
            FoundIn::Stdout | FoundIn::Stderr | FoundIn::Exit | FoundIn::File(_) => None,
        }
    }
}
