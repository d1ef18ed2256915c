//! Answers: what a service sent back, and the outputs that are found in it.

use std::borrow::Cow;
use std::cell::OnceCell;

use dodona_subject::{Found, FoundBy, FoundIn, HttpCall, HttpStep};
use dodona_target::{Malformed, Outcome, Signature, Trap, Type, Value, on_one_line};

use serde_json::Value as Json;

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
    /// The body as JSON, once somebody looked for something in it; `None` where it is none. Several outputs are found in one body.
    pub(super) json: OnceCell<Option<Json>>,
    /// Why a redirect was not followed, with where it points.
    pub(super) refused: Option<String>,
}

impl Answer {
    /// Whether its status is one of 200 to 299.
    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    fn json(&self) -> Option<&Json> {
        self.json.get_or_init(|| serde_json::from_slice(&self.body).ok()).as_ref()
    }

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
            Ended::Answered(answer) if shows_status || answer.is_success() => Outcome::Returned,
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

/// Reads what the answers of a call hold.
pub(super) struct Readers {
    /// Of the answer of its own request.
    pub(super) own: Vec<Reader>,
    /// Whether the own outputs begin with the status, so that each status is one that returns.
    pub(super) shows_status: bool,
    /// Of the answers of its setup.
    pub(super) steps: Vec<StepReaders>,
}

/// Reads what the answer of a step of a setup holds.
pub(super) struct StepReaders {
    pub(super) outputs: Vec<Reader>,
    /// Whether the status is among the outputs, so that the call goes on whatever it is.
    pub(super) shows_status: bool,
    pub(super) kept: Vec<(Type, Reader)>,
}

impl Readers {
    /// Those of a call whose function has this signature.
    pub(super) fn of(call: &HttpCall, signature: &Signature) -> Readers {
        let mut types = signature.outputs.iter().map(|output| output.ty);
        let mut readers = |places: &[Found]| -> Vec<Reader> {
            places.iter().zip(types.by_ref()).map(|(found, ty)| Reader::new(found, ty)).collect()
        };
        let own = readers(&call.found);
        let step = |step: &HttpStep| StepReaders {
            outputs: readers(&step.found),
            shows_status: step.found.iter().any(is_status),
            kept: step.kept.iter().map(|kept| (kept.ty, Reader::new(&kept.found, kept.ty))).collect(),
        };
        let steps = call.setup.iter().map(step).collect();
        Readers { own, shows_status: call.found.first().is_some_and(is_status), steps }
    }
}

fn is_status(found: &Found) -> bool {
    found.place == FoundIn::Status && found.how == FoundBy::Whole
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
        match self.place == FoundIn::Body && self.search.is_json() {
            true => self.search.read_json(answer.json()?),
            false => self.search.read(&self.bytes(answer)?),
        }
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

    fn bytes<'a>(&self, answer: &'a Answer) -> Option<Cow<'a, [u8]>> {
        match &self.place {
            FoundIn::Status => Some(answer.status.to_string().into_bytes().into()),
            FoundIn::Body => Some(answer.body.as_slice().into()),
            FoundIn::Header(name) => answer.header(name).map(Cow::Owned),
            // These are of programs.
            FoundIn::Stdout | FoundIn::Stderr | FoundIn::Exit | FoundIn::File(_) => None,
        }
    }
}
