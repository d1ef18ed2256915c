//! Calls of one thread.

use std::sync::{MutexGuard, PoisonError};

use dodona_subject::{HttpReset, HttpService, ResetBefore};
use dodona_target::{CallError, Caller, Calls, Column, Ending, Outcome, Session, Until};

use super::HttpTarget;
use super::client::Client;
use super::exchange::Exchange;
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
        let ended =
            self.client.send(&Request::new(method, path), true, self.client.deadline(), &self.until)?;
        let outcome = ended.outcome(false);
        if outcome.has_outputs() {
            return Ok(Some(guard));
        }
        let message = ended.message().map(|message| format!(": {message}")).unwrap_or_default();
        Err(CallError::new(format!("the reset of the service, {method} {path}, failed: {outcome}{message}")))
    }

    /// Makes the requests of a row.
    fn make(&self, function: usize, arguments: &[Column], row: usize) -> Result<Exchange, CallError> {
        let HttpService { calls, reset, .. } = &self.target.options.service;
        let _guard = match (reset, calls[function].setup.is_empty()) {
            // What a setup leaves is there until the call has ended, and no other call with a setup falls between.
            (None, false) => Some(self.target.reset.lock().unwrap_or_else(PoisonError::into_inner)),
            _ => self.reset(&self.target, ResetBefore::Call)?,
        };
        let call = (&calls[function], &self.target.readers[function]);
        Exchange::make(&self.client, call, (arguments, row), &self.until)
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
            let (outcome, values) =
                self.make(function, arguments, row)?.outcome(&self.target.readers[function]);
            calls.outcomes.push(outcome);
            match values {
                Some(values) => {
                    calls.outputs.iter_mut().zip(&values).for_each(|(column, value)| column.push(value))
                }
                None => calls.outputs.iter_mut().for_each(Column::push_default),
            }
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
        let service = &self.target.options.service;
        shell::line(service, &service.calls[function], arguments)
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        if outcome.has_outputs() {
            return Ending::default();
        }
        let Ok(_guard) = self.reset(&self.target, ResetBefore::Column) else { return Ending::default() };
        let Ok(exchange) = self.make(function, arguments, 0) else { return Ending::default() };
        let call = &self.target.options.service.calls[function];
        Ending { location: None, message: exchange.message(call, &self.target.readers[function], outcome) }
    }
}
