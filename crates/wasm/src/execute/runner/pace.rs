//! How often a runner asks whether it is to end.

use crate::execute::HostError;
use dodona_target::Until;

/// What is run between two looks at the clock, in units of fuel: about a millisecond. A look takes as long as a short call.
const BETWEEN: u64 = 1 << 20;

/// What a row costs beside its fuel: the crossing, and laying out its arguments.
const ROW: u64 = 1 << 10;

/// When a runner has to end, and how much it has run since it last looked.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pub(super) until: Until,
    since: u64,
}

impl Pace {
    /// Looks now.
    pub(super) fn look(&mut self) -> Result<(), HostError> {
        self.since = 0;
        if self.until.goes_on() { Ok(()) } else { Err(HostError::Stopped) }
    }

    /// Looks if some more was run since the last time.
    pub(super) fn ran(&mut self, fuel: u64) -> Result<(), HostError> {
        self.since = self.since.saturating_add(fuel).saturating_add(ROW);
        if self.since < BETWEEN { Ok(()) } else { self.look() }
    }
}
