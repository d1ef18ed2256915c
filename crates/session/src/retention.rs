//! What a session forgets.

use crate::{Session, SessionError};

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Runs.
    pub runs: usize,
    /// Pieces of work that no run that is left consists of.
    pub pieces: usize,
}

impl Session {
    /// Forgets all runs but the last `keep` and those that have a name, with all that only they used, and gives the room back.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn clean(&mut self, keep: usize) -> Result<Cleaned, SessionError> {
        let keep = i64::try_from(keep).unwrap_or(i64::MAX);
        let runs = self.run_sql(
            "DELETE FROM run WHERE name IS NULL AND id NOT IN (SELECT id FROM run ORDER BY id DESC LIMIT ?1)",
            [keep],
        )?;
        let pieces = self.run_sql("DELETE FROM piece WHERE id NOT IN (SELECT piece FROM run_piece)", [])?;
        self.run_sql("DELETE FROM relation WHERE id NOT IN (SELECT relation FROM verdict)", [])?;
        self.run_sql(
            "DELETE FROM mutant WHERE subject NOT IN (SELECT subject FROM piece WHERE kind = 'mutate')",
            [],
        )?;
        self.connection.execute_batch("VACUUM").map_err(|error| self.failed(error))?;
        Ok(Cleaned { runs, pieces })
    }
}
