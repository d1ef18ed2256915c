//! Calls that take seconds can be given up in their midst.
//!
//! Code that may be given up asks at every turn of a loop whether the engine's clock has ticked, which costs short loops a tenth of
//! their speed. So it is compiled so only where a call may have much more fuel than usual; elsewhere the clock is looked at between
//! rows, which take no longer than some tens of milliseconds.

use std::time::Duration;

use dodona_subject::Limits;
use wasmtime::{Engine, Store, UpdateDeadline};

use crate::execute::host::Host;

/// The fuel of a call from which on it can be given up: ten times the usual limit, which takes up to a quarter of a second.
const LONG: u64 = 100_000_000;

/// Between two ticks. A call is given up at the tick behind its end, so that twenty a second are soon enough.
const TICK: Duration = Duration::from_millis(50);

/// A call was given up.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("given up")]
pub(crate) struct GivenUp;

/// Whether calls may take seconds.
pub(crate) fn is_needed(limits: &Limits) -> bool {
    limits.fuel.0 >= LONG
}

/// A thread that ticks as long as the engine is in use.
pub(crate) struct Ticker;

impl Ticker {
    pub(crate) fn start(engine: &Engine) -> Ticker {
        let engine = engine.weak();
        std::thread::spawn(move || {
            while let Some(engine) = engine.upgrade() {
                engine.increment_epoch();
                drop(engine);
                std::thread::sleep(TICK);
            }
        });
        Ticker
    }
}

/// Asks at every tick whether what runs in a store is to be given up.
pub(crate) fn listen(store: &mut Store<Host>) {
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|store| match store.data().until.goes_on() {
        true => Ok(UpdateDeadline::Continue(1)),
        false => Err(GivenUp.into()),
    });
}
