//! The requests of one call, and what their answers hold.

use std::time::Instant;

use dodona_subject::HttpCall;
use dodona_target::{CallError, Column, Malformed, Outcome, Type, Until, Value};

use super::answer::{Answer, Ended, Reader, Readers};
use super::client::Client;
use super::request::Request;

/// What a call came to: the answers of its setup and the end of its own request. After a step of the setup that fails nothing more is sent.
pub(super) struct Exchange {
    /// The answers that were not the last.
    before: Vec<Answer>,
    last: Ended,
}

impl Exchange {
    /// Makes the requests of a row of arguments.
    ///
    /// # Errors
    /// When the service cannot be reached, or `until` ends.
    pub(super) fn make(
        client: &Client,
        (call, readers): (&HttpCall, &Readers),
        (arguments, row): (&[Column], usize),
        until: &Until,
    ) -> Result<Exchange, CallError> {
        let deadline = client.deadline();
        let mut before = Vec::new();
        if call.setup.is_empty() {
            let request = Request::of(&call.request, arguments, row);
            let last = client.send(&request, !readers.shows_status, deadline, until)?;
            return Ok(Exchange { before, last });
        }
        let mut values: Vec<Column> = arguments.iter().map(|column| column.select(&[row as u32])).collect();
        for (step, reads) in call.setup.iter().zip(&readers.steps) {
            let request = Request::of(&step.request, &values, 0);
            let ended = sent(client, &request, !reads.shows_status, (deadline, until))?;
            let kept = kept(&ended, &reads.kept);
            match (ended, kept) {
                (Ended::Answered(answer), Some(kept)) if reads.shows_status || answer.is_success() => {
                    values.extend(kept);
                    before.push(answer);
                }
                (last, _) => return Ok(Exchange { before, last }),
            }
        }
        let request = Request::of(&call.request, &values, 0);
        let last = sent(client, &request, !readers.shows_status, (deadline, until))?;
        Ok(Exchange { before, last })
    }

    /// Whether its own request was made.
    fn is_complete(&self, readers: &Readers) -> bool {
        self.before.len() == readers.steps.len()
    }

    /// How the call ended, with its outputs if it has them: those of its own answer, then those of its setup.
    pub(super) fn outcome(&self, readers: &Readers) -> (Outcome, Option<Vec<Value>>) {
        let shows_status = match self.is_complete(readers) {
            true => readers.shows_status,
            false => readers.steps[self.before.len()].shows_status,
        };
        let outcome = self.last.outcome(shows_status);
        let Ended::Answered(last) = &self.last else { return (outcome, None) };
        if !outcome.has_outputs() {
            return (outcome, None);
        }
        let absent = Outcome::Malformed(Malformed::Absent);
        if !self.is_complete(readers) {
            // What its setup keeps is not there.
            return (absent, None);
        }
        let steps = self.before.iter().zip(&readers.steps);
        let steps = steps.flat_map(|(answer, reads)| reads.outputs.iter().map(move |one| one.read(answer)));
        let values: Option<Vec<Value>> = readers.own.iter().map(|one| one.read(last)).chain(steps).collect();
        (if values.is_some() { outcome } else { absent }, values)
    }

    /// What is said of a call that has no value, in one line.
    pub(super) fn message(&self, call: &HttpCall, readers: &Readers, outcome: Outcome) -> Option<String> {
        let is_absent = outcome == Outcome::Malformed(Malformed::Absent);
        let missing = |answer: &Answer, mut reads: std::slice::Iter<'_, Reader>| {
            reads.find_map(|reader| reader.missing(answer))
        };
        let told = match &self.last {
            Ended::Answered(answer) if is_absent && self.is_complete(readers) => {
                let of_setup = || {
                    let mut steps = self.before.iter().zip(&readers.steps);
                    steps.find_map(|(answer, reads)| missing(answer, reads.outputs.iter()))
                };
                missing(answer, readers.own.iter()).or_else(of_setup)
            }
            Ended::Answered(answer) if is_absent => {
                readers.steps[self.before.len()].kept.iter().find_map(|(_, reader)| reader.missing(answer))
            }
            ended => ended.message(),
        };
        if self.is_complete(readers) {
            return told;
        }
        let step = self.before.len() + 1;
        let method = &call.setup[self.before.len()].request.method;
        Some(format!("step {step} of its setup, {method}: {}", told.unwrap_or_else(|| outcome.to_string())))
    }
}

/// Sends a request of a call with a setup. What a service answered may be nothing that a header can have, which is an outcome of the call and no mistake of the manifest.
fn sent(
    client: &Client,
    request: &Request,
    follows: bool,
    (deadline, until): (Instant, &Until),
) -> Result<Ended, CallError> {
    let is_header = |(_, value): &(String, Vec<u8>)| value.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if !request.headers.iter().all(is_header) {
        return Ok(Ended::Broken("what its setup keeps cannot stand in a header".to_owned()));
    }
    client.send(request, follows, deadline, until)
}

/// What a step of a setup keeps, a column for each; `None` where something is not there.
fn kept(ended: &Ended, readers: &[(Type, Reader)]) -> Option<Vec<Column>> {
    let Ended::Answered(answer) = ended else { return None };
    let column = |(ty, reader): &(Type, Reader)| Some(Column::one(*ty, &reader.read(answer)?));
    readers.iter().map(column).collect()
}
