//! How symbolic execution searches, and until when.

use std::time::Duration;

use dodona_symbolic::explore::{Bounds, Order};
use dodona_symbolic::{prove::OpenReason, solver::NoSolver};
use dodona_target::{Interruption, Until};

use crate::solver::Solvers;

/// How symbolic execution searches.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The longest symbolic sequence or text, in elements or bytes.
    pub longest: usize,
    /// The order of the search.
    pub order: Order,
    /// Bounds of each exploration: counted, so that they end at the same place everywhere.
    pub bounds: Bounds,
    /// The outer bound in time, for all of it.
    pub time: Option<Duration>,
    /// The most time of one question to the solver.
    pub query_time: Option<Duration>,
    /// How much longer than its counted work a question may take by the clock. The clock is for solvers that do not count; much of it, and only
    /// counted work ends questions to those that do, however busy the machine is.
    pub slack: u32,
    /// The most questions that may be left open; after them none is asked any more. `None` is any number. For many proofs of which a hard one shall not take long.
    pub most_open: Option<u32>,
    /// The solver by name or command; `None` is the best that is installed.
    pub solver: Option<String>,
}

/// Five times: a machine with other work is as slow as that, and seldom slower.
const SLACK: u32 = 5;

impl Default for SearchOptions {
    /// Four elements, the usual order and bounds, a minute.
    fn default() -> Self {
        SearchOptions {
            longest: 4,
            order: Order::default(),
            bounds: Bounds::default(),
            time: Some(Duration::from_secs(60)),
            query_time: None,
            slack: SLACK,
            most_open: None,
            solver: None,
        }
    }
}

impl SearchOptions {
    /// When a search ends that begins now.
    pub fn until(&self, interruption: &Interruption) -> Until {
        Until::after(self.time, interruption)
    }

    /// A solver whose questions are given up with the search.
    ///
    /// # Errors
    /// When none is found.
    pub fn solver(&self, until: &Until) -> Result<Solvers, NoSolver> {
        let solvers = Solvers::start(self.solver.as_deref(), self.query_time, self.slack, until)?;
        Ok(solvers.leaving_open(self.most_open))
    }
}

/// What left a proof open, in words; where its end stopped it, which of the two reasons that was. `allowed` is the time that it had.
pub fn words(open: Vec<OpenReason>, until: &Until, allowed: Option<Duration>) -> Vec<String> {
    let stopped = match allowed {
        Some(allowed) if !until.is_interrupted() => {
            format!("its {:.1} s were up (--time gives more)", allowed.as_secs_f64())
        }
        _ => "interrupted".to_owned(),
    };
    open.into_iter().map(|reason| reason.words(&stopped)).collect()
}

/// Why something was not put to proof at all.
pub fn no_time(until: &Until) -> String {
    match until.is_interrupted() {
        true => "interrupted before it was its turn".to_owned(),
        false => "the time was up before it was its turn (--time gives more)".to_owned(),
    }
}
