//! Calls of one thread.

use std::sync::{MutexGuard, PoisonError};

use dodona_subject::{HttpReset, ResetBefore};
use dodona_target::{CallError, Caller, Calls, Column, Ending, Malformed, Outcome, Session, Until, Value};

use super::HttpTarget;
use super::answer::Ended;
use super::client::Client;
use super::request::Request;
use super::shell;
use crate::no_calls;

pub(super) struct HttpSession {
    target: HttpTarget,
    client: Client,
    until: Until,
    costs: Vec<u64>,
}

impl HttpSession {
    pub(super) fn new(target: HttpTarget) -> HttpSession {
        let client = Client::new(target.clone());
        HttpSession { target, client, until: Until::default(), costs: Vec::new() }
    }

    /// Resets the service where its manifest says so before this. Nobody else calls it as long as the guard is held.
    fn reset<'t>(
        &self,
        target: &'t HttpTarget,
        before: ResetBefore,
    ) -> Result<Option<MutexGuard<'t, ()>>, CallError> {
        let Some(reset) = target.options.service.reset.as_ref().filter(|reset| reset.before == before) else {
            return Ok(None);
        };
        let guard = target.reset.lock().unwrap_or_else(PoisonError::into_inner);
        let HttpReset { method, path, .. } = reset;
        let ended = self.client.send(&Request::new(method, path), true, &self.until)?;
        let outcome = ended.outcome(false);
        if outcome.has_outputs() {
            return Ok(Some(guard));
        }
        let message = ended.message().map(|message| format!(": {message}")).unwrap_or_default();
        Err(CallError::new(format!("the reset of the service, {method} {path}, failed: {outcome}{message}")))
    }

    fn send(&self, function: usize, arguments: &[Column], row: usize) -> Result<Ended, CallError> {
        let _guard = self.reset(&self.target, ResetBefore::Call)?;
        let request = Request::of(&self.target.options.service.calls[function], arguments, row);
        self.client.send(&request, !self.target.shows_status(function), &self.until)
    }

    /// Adds the outcome and the outputs of a request to those before.
    fn add(&self, function: usize, ended: &Ended, calls: &mut Calls) {
        let outcome = ended.outcome(self.target.shows_status(function));
        let values: Option<Vec<Value>> = match ended {
            Ended::Answered(answer) if outcome.has_outputs() => {
                self.target.readers[function].iter().map(|reader| reader.read(answer)).collect()
            }
            _ => None,
        };
        match values {
            Some(values) => {
                calls.outcomes.push(outcome);
                calls.outputs.iter_mut().zip(&values).for_each(|(column, value)| column.push(value));
            }
            None => {
                let absent = Outcome::Malformed(Malformed::Absent);
                calls.outcomes.push(if outcome.has_outputs() { absent } else { outcome });
                calls.outputs.iter_mut().for_each(Column::push_default);
            }
        }
    }
}

impl Caller for HttpSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let rows = arguments.first().map_or(1, Column::len);
        self.costs = vec![HttpTarget::COST; rows];
        let _guard = self.reset(&self.target, ResetBefore::Column)?;
        let mut calls = no_calls(&self.target.options.signatures[function], rows);
        for row in 0..rows {
            if !self.until.goes_on() {
                return Err(CallError::Stopped);
            }
            let ended = self.send(function, arguments, row)?;
            self.add(function, &ended, &mut calls);
        }
        Ok(calls)
    }
}

impl Session for HttpSession {
    fn end_at(&mut self, until: &Until) {
        self.until = until.clone();
    }

    fn costs(&self) -> &[u64] {
        &self.costs
    }

    fn shell(&self, function: usize, arguments: &[Column]) -> Option<String> {
        let request = Request::of(&self.target.options.service.calls[function], arguments, 0);
        shell::line(&self.target.options.service, &request)
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        if outcome.has_outputs() {
            return Ending::default();
        }
        let Ok(_guard) = self.reset(&self.target, ResetBefore::Column) else { return Ending::default() };
        let Ok(ended) = self.send(function, arguments, 0) else { return Ending::default() };
        let message = match &ended {
            Ended::Answered(answer) if outcome == Outcome::Malformed(Malformed::Absent) => {
                self.target.readers[function].iter().find_map(|reader| reader.missing(answer))
            }
            ended => ended.message(),
        };
        Ending { location: None, message }
    }
}
